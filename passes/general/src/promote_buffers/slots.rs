//! Which elements of which buffers can be values.

use terrace_dialect_gpu::AddressSpace;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_dialect_vector as vector;
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Context, Ir, OpDef, OpId, Type, TypeKind};
use terrace_support::{HashMap, HashSet};

/// A buffer with at least one slot, or without any access left
pub(super) struct Buffer {
    /// The op that allocates it
    pub op: OpId,
    /// Every access is to a slot: the buffer goes
    pub whole: bool,
    /// What frees it
    pub frees: Vec<OpId>,
}

/// A range of elements always accessed whole
#[derive(Clone, Copy)]
pub(super) struct Slot {
    /// Index of its buffer
    pub buffer: u32,
    /// Type of the values loaded and stored
    pub ty: Type,
}

/// A load or store of a slot
#[derive(Clone, Copy)]
pub(super) struct Access {
    /// Index of the slot
    pub slot: u32,
    /// It writes operand 0
    pub store: bool,
}

/// What `find` found
#[derive(Default)]
pub(super) struct Found {
    /// Buffers in order of their ops
    pub buffers: Vec<Buffer>,
    /// Slots by buffer, then by place
    pub slots: Vec<Slot>,
    /// Slots of a buffer's op
    pub slots_of: HashMap<OpId, std::ops::Range<u32>>,
    /// Loads and stores of slots
    pub accesses: HashMap<OpId, Access>,
    /// Slots stored inside an op with regions, ascending
    pub stored_in: HashMap<OpId, Vec<u32>>,
    /// Accesses of parts of ranges that could be slots but for them
    pub uneven: Vec<Uneven>,
}

/// An access that must be put in terms of its range as a whole
pub(super) struct Uneven {
    /// The access
    pub op: OpId,
    /// What it is
    pub part: Part,
}

/// Which part of a range an access is of
pub(super) enum Part {
    /// The lanes of a mask
    Masked,
    /// One lane of a vector of this type, which starts at these indices
    Lane { lane: i64, vector: Type, start: Vec<i64> },
}

/// How values go into and out of an op's regions
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carry {
    /// `scf.for`: one region that its own values come back to
    For,
    /// `scf.while`: two regions, alternately
    While,
    /// One region of several runs, or the only one: `scf.if`, `scf.index_switch`, `scf.execute_region`
    Choice,
    /// Regions see what was before; nothing comes out
    ReadOnly,
}

/// How an op carries values, if it can
pub(super) fn carry(ir: &Ir, op: OpId) -> Option<Carry> {
    let def = ir.def(op);
    let is = |other: &'static terrace_ir::OpDef| std::ptr::eq(def, other);
    if is(scf::For::DEF) {
        Some(Carry::For)
    } else if is(scf::While::DEF) {
        Some(Carry::While)
    } else if is(scf::If::DEF) || is(scf::ExecuteRegion::DEF) || is(scf::IndexSwitch::DEF) {
        Some(Carry::Choice)
    } else if is(scf::Parallel::DEF) || is(scf::Reduce::DEF) || is(scf::Forall::DEF) {
        Some(Carry::ReadOnly)
    } else {
        None
    }
}

/// Is this memory of one thread?
fn is_private(cx: &Context, space: Option<terrace_ir::Attr>) -> bool {
    let Some(space) = space else { return true };
    if let Some(name) = space.as_str(cx) {
        return !matches!(name, "global" | "shared" | "workgroup" | "constant");
    }
    AddressSpace::of(cx, space) == Some(AddressSpace::Private) || space.as_i64(cx) == Some(0)
}

/// An access while its buffer is looked at
struct Seen {
    op: OpId,
    store: bool,
    masked: bool,
    start: i64,
    end: i64,
    ty: Type,
}

/// Find all buffers and slots of a unit
pub(super) fn find(ir: &Ir) -> Found {
    let mut found = Found::default();
    if ir.cx().kind_of(terrace_dialect_ub::Poison::DEF).is_none() {
        return found;
    }
    let ops: Vec<OpId> =
        ir.walk().filter(|op| ir.is(*op, memref::Alloca::DEF) || ir.is(*op, memref::Alloc::DEF)).collect();
    for op in ops {
        buffer(ir, op, &mut found);
    }
    found
}

/// Accesses: which operand the memory is, and whether they write, have vectors, and have a mask
const ACCESSES: [(&OpDef, usize, (bool, bool, bool)); 6] = [
    (memref::Load::DEF, 0, (false, false, false)),
    (memref::Store::DEF, 1, (true, false, false)),
    (vector::Load::DEF, 0, (false, true, false)),
    (vector::Store::DEF, 1, (true, true, false)),
    (vector::MaskedLoad::DEF, 0, (false, true, true)),
    (vector::MaskedStore::DEF, 0, (true, true, true)),
];

/// Every access of a buffer, or `None` if it is used in any other way
fn accesses(ir: &Ir, op: OpId) -> Option<(Vec<Seen>, Vec<OpId>)> {
    let cx = ir.cx();
    let memory = ir.result(op, 0);
    let TypeKind::MemRef { shape, elem, layout: None, space } = ir.ty(memory).kind(cx) else { return None };
    if ir.num_operands(op) > 0 || !is_private(cx, *space) {
        return None;
    }
    ir.ty(memory).num_elements(cx)?;
    let (mut all, mut frees) = (Vec::new(), Vec::new());
    for (user, n) in ir.uses(memory) {
        if ir.is(user, memref::Dealloc::DEF) {
            frees.push(user);
            continue;
        }
        let access = ACCESSES.iter().find(|(def, at, _)| n == *at && ir.is(user, def));
        let (store, vector, masked) = access?.2;
        let value = match (store, masked) {
            (true, true) => ir.operand(user, ir.num_operands(user) - 1),
            (true, false) => ir.operand(user, 0),
            (false, _) => ir.result(user, 0),
        };
        let ty = ir.ty(value);
        let indices = ir.operands(user).skip(n + 1).take(shape.len());
        let indices: Vec<i64> =
            indices.map(|index| constant_of(ir, index)?.as_i64(cx)).collect::<Option<_>>()?;
        let len = if vector { run_length(cx, ty, shape, *elem, &indices)? } else { 1 };
        let start = place(shape, &indices)?;
        all.push(Seen { op: user, store, masked, start, end: start + len, ty });
    }
    Some((all, frees))
}

/// Row-major place of an element; `None` outside
fn place(shape: &[i64], indices: &[i64]) -> Option<i64> {
    let mut at = 0i64;
    if shape.len() != indices.len() {
        return None;
    }
    for (size, index) in shape.iter().zip(indices) {
        if !(0..*size).contains(index) {
            return None;
        }
        at = at * size + index;
    }
    Some(at)
}

/// Number of elements of a vector that lie next to each other in the buffer from these indices on
fn run_length(cx: &Context, ty: Type, shape: &[i64], elem: Type, indices: &[i64]) -> Option<i64> {
    let TypeKind::Vector { shape: vector, scalable: 0, elem: of } = ty.kind(cx) else { return None };
    if *of != elem || vector.is_empty() || vector.len() > shape.len() || indices.len() != shape.len() {
        return None;
    }
    let outer = shape.len() - vector.len();
    // From the last dimension on: whole rows as long as they last, then one run of them, then ones.
    let mut whole = true;
    for n in (0..vector.len()).rev() {
        let (size, len, at) = (shape[outer + n], vector[n], indices[outer + n]);
        if at + len > size || (!whole && len != 1) {
            return None;
        }
        whole &= len == size;
    }
    vector.iter().try_fold(1i64, |product, len| product.checked_mul(*len))
}

fn buffer(ir: &Ir, op: OpId, found: &mut Found) {
    let Some((mut all, frees)) = accesses(ir, op) else { return };
    let Some(block) = ir.block(op) else { return };
    // By place; among equal places in any order, since the slot is the same.
    all.sort_by_key(|seen| (seen.start, seen.end));
    let number = found.buffers.len() as u32;
    let first = found.slots.len() as u32;
    let mut stored: HashMap<OpId, Vec<u32>> = HashMap::default();
    let mut order: Vec<OpId> = Vec::new();
    let mut known: HashMap<OpId, bool> = HashMap::default();
    let mut whole = true;
    let mut at = 0;
    while at < all.len() {
        // A group of ranges that touch each other.
        let mut end = all[at].end;
        let mut next = at + 1;
        while next < all.len() && all[next].start < end {
            end = end.max(all[next].end);
            next += 1;
        }
        let group = &all[at..next];
        at = next;
        let slot = found.slots.len() as u32;
        let same = group.iter().all(|seen| (seen.end, seen.ty) == (group[0].end, group[0].ty));
        let mut inside: Vec<OpId> = Vec::new();
        let mut is_inside: HashSet<OpId> = HashSet::default();
        let reached = |seen: &Seen| {
            is_reached(ir, seen.op, block, &mut known)
                && (!seen.store || carries(ir, seen.op, block, &mut inside, &mut is_inside))
        };
        let uneven = if same { masked(group) } else { lanes(ir, op, group) };
        let uneven = uneven.filter(|_| group.iter().all(reached));
        if uneven.as_ref().is_none_or(|uneven| !uneven.is_empty()) {
            found.uneven.extend(uneven.into_iter().flatten());
            whole = false;
            continue;
        }
        for outer in inside {
            stored.entry(outer).or_insert_with(|| {
                order.push(outer);
                Vec::new()
            });
            stored.get_mut(&outer).expect("just put there").push(slot);
        }
        found.slots.push(Slot { buffer: number, ty: group[0].ty });
        let access = |seen: &Seen| (seen.op, Access { slot, store: seen.store });
        found.accesses.extend(group.iter().map(access));
    }
    for outer in order {
        let slots = stored.remove(&outer).unwrap_or_default();
        found.stored_in.entry(outer).or_default().extend(slots);
    }
    let slots = first..found.slots.len() as u32;
    if whole || !slots.is_empty() {
        found.slots_of.insert(op, slots);
        found.buffers.push(Buffer { op, whole, frees });
    }
}

/// The masked ones of accesses to one range
fn masked(group: &[Seen]) -> Option<Vec<Uneven>> {
    let masked = group.iter().filter(|seen| seen.masked);
    Some(masked.map(|seen| Uneven { op: seen.op, part: Part::Masked }).collect())
}

/// Accesses to one lane each of the vector that others take as a whole; `None` if the ranges differ in any other way
fn lanes(ir: &Ir, buffer: OpId, group: &[Seen]) -> Option<Vec<Uneven>> {
    let cx = ir.cx();
    let shape = ir.ty(ir.result(buffer, 0)).shape(cx)?;
    let whole = group.iter().find(|seen| seen.ty.shape(cx).is_some_and(|shape| shape.len() == 1))?;
    let mut found = masked(group)?;
    for seen in group {
        if (seen.start, seen.end, seen.ty) == (whole.start, whole.end, whole.ty) {
            continue;
        }
        let inside = whole.start <= seen.start && seen.start < whole.end;
        if !inside || whole.ty.element(cx) != Some(seen.ty) {
            return None;
        }
        let mut start = vec![0; shape.len()];
        let mut left = whole.start;
        for n in (0..shape.len()).rev() {
            (start[n], left) = (left % shape[n], left / shape[n]);
        }
        let lane = seen.start - whole.start;
        found.push(Uneven { op: seen.op, part: Part::Lane { lane, vector: whole.ty, start } });
    }
    Some(found)
}

/// Do values of the block reach an op inside of it, through ops whose regions run while they do? `known` by op around
fn is_reached(ir: &Ir, op: OpId, block: BlockId, known: &mut HashMap<OpId, bool>) -> bool {
    let mut passed = Vec::new();
    let mut at = op;
    let reached = loop {
        if ir.block(at) == Some(block) {
            break true;
        }
        let Some(outer) = ir.parent(at) else { break false };
        if let Some(&known) = known.get(&outer) {
            break known;
        }
        let region = ir.block(at).and_then(|block| ir.block_region(block));
        let single = region.is_some_and(|region| ir.single_block(region).is_some());
        if !single || carry(ir, outer).is_none() {
            break false;
        }
        passed.push(outer);
        at = outer;
    };
    known.extend(passed.into_iter().map(|op| (op, reached)));
    reached
}

/// Note the ops between a store and the buffer's block; false if one of them can't carry what is stored
fn carries(ir: &Ir, op: OpId, block: BlockId, inside: &mut Vec<OpId>, is_inside: &mut HashSet<OpId>) -> bool {
    let mut at = op;
    while ir.block(at) != Some(block) {
        let Some(outer) = ir.parent(at) else { return false };
        if !is_inside.insert(outer) {
            return true;
        }
        if carry(ir, outer).is_none_or(|carry| carry == Carry::ReadOnly) {
            return false;
        }
        inside.push(outer);
        at = outer;
    }
    true
}
