//! Copies whose source lies in rows along one loop and whose destination along another: squares of vectors that are transposed in registers.
//!
//! ```mlir
//! scf.for %a = %c0 to %c16 step %c1 { scf.for %b = %c0 to %c16 step %c1 {
//!   %x = memref.load %from[%b, %a]
//!   memref.store %x, %to[%a, %b]
//! } }
//! // becomes: loads of whole rows, four levels of shuffles of two rows each, stores of whole rows
//! %r0 = vector.load %from[%c0, %a] …
//! %s0 = vector.shuffle %r0, %r1 [0, 16, 2, 18, …] …
//! vector.store %t0, %to[%a, %c0] …
//! ```
//!
//! One by one, an element takes a load and a store. A square of n² elements takes 2n accesses and n log n shuffles.
//!
//! Rows of elements of 1 or 2 bytes have 16 bytes: processors interleave such rows in one instruction, and longer ones only by parts.
//!
//! Where squares do not divide a copy, the remainders along both loops are copies of their own, in smaller squares.

use crate::origin::origin;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_scf::{For, Yield};
use terrace_dialect_sched::NONTEMPORAL;
use terrace_dialect_vector as vector;
use terrace_ir::fold::constant_of;
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, Effects, Ir, OpId, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::{HashMap, HashSet};

/// Bytes of the longest rows
const ROW_BYTES: i64 = 64;

/// Bytes of the longest rows whose elements are smaller than [`WORD`]
const SHORT_ROW_BYTES: i64 = 16;

/// Bytes of the smallest elements that processors permute in vectors of any length
const WORD: i64 = 4;

/// Least elements of a row: the accesses of shorter ones are as many as those of single elements
const LEAST: i64 = 4;

/// Copies that exchange rows and columns go through registers, square by square
///
/// For two loops around one load and one store of elements of 1, 2, 4 or 8 bytes, in memory that certainly differs: neighbors along the outer
/// loop are neighbors where they are read, and those along the inner loop where they are written, or the other way round. Both loops
/// have four iterations or more, or bounds that are known at run time only.
#[pass("scf-transpose-copies", stats("copies transposed"))]
pub struct ScfTransposeCopies;

impl Pass for ScfTransposeCopies {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let loops: Vec<For> = unit.walk().filter_map(|op| For::cast(unit, op)).collect();
        let copied = loops.into_iter().filter(|outer| squares(unit, *outer, ROW_BYTES));
        let count = copied.count() as u64;
        cx.count("copies transposed", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// Make a copy squares with rows of so many bytes at most, and what these leave along both loops
fn squares(ir: &mut Ir, outer: For, bytes: i64) -> bool {
    let Some(copy) = Copy::of(ir, outer, bytes) else { return false };
    for op in copy.inner.bounded_by(ir, &copy.outer).unwrap_or_default() {
        ir.detach(op);
        ir.insert_before(outer.0, op);
    }
    without_units(ir, copy.load.0);
    without_units(ir, copy.store.0);
    for along in [&copy.outer, &copy.inner] {
        if along.trips.is_some_and(|trips| trips % copy.lanes == 0) {
            continue;
        }
        let middle = along.middle(ir, outer, copy.lanes);
        // The loops of the copy are those of the original, in the same order.
        let mut map = ValueMap::default();
        let rest = ir.clone_op(None, outer.0, &mut map);
        ir.insert_after(outer.0, rest);
        let rest = For(rest);
        let each = match along.each == outer {
            true => Some(rest),
            false => ir.entry(rest.region(ir)).and_then(|body| first_loop(ir, body)),
        };
        if let Some(each) = each {
            ir.set_operand(each.0, 0, middle);
            ir.set_operand(along.each.0, 1, middle);
        }
        squares(ir, rest, copy.lanes / 2 * copy.bytes);
    }
    transpose(ir, &copy);
    true
}

/// The first loop of a block
fn first_loop(ir: &Ir, block: BlockId) -> Option<For> {
    ir.block_ops(block).find_map(|op| For::cast(ir, op))
}

/// A loop with a step of one
struct Along {
    each: For,
    iv: Value,
    block: BlockId,
    /// Iterations, where they are known
    trips: Option<i64>,
}

impl Along {
    fn of(ir: &Ir, each: For) -> Option<Along> {
        let cx = ir.cx();
        let number = |value| constant_of(ir, value)?.as_i64(cx);
        let (lower, upper) = (number(each.lower_bound(ir)), number(each.upper_bound(ir)));
        let block = ir.entry(each.region(ir))?;
        let iv = *ir.block_args(block).first()?;
        let plain = ir.num_results(each.0) == 0 && ir.ty(iv) == cx.common().index;
        let one = number(each.step(ir)) == Some(1) && each.unsigned(ir).is_none();
        let trips = match lower.zip(upper) {
            Some((lower, upper)) => Some(upper.checked_sub(lower)?),
            None => None,
        };
        (plain && one).then_some(Along { each, iv, block, trips })
    }

    /// Ops right inside of another loop that its bounds are derived from, in order; none where they depend on that loop
    fn bounded_by(&self, ir: &Ir, outer: &Along) -> Option<Vec<OpId>> {
        let bounds = [self.each.lower_bound(ir), self.each.upper_bound(ir)];
        let needed = makers(ir, &bounds);
        let ops: Vec<OpId> = ir.block_ops(outer.block).filter(|op| needed.contains(op)).collect();
        let fixed = !ops.iter().any(|op| ir.operands(*op).any(|value| value == outer.iv));
        (fixed && !bounds.contains(&outer.iv)).then_some(ops)
    }

    /// The most lanes, a power of two, that a row along it may have
    fn most(&self, lanes: i64) -> i64 {
        self.trips.map_or(lanes, |trips| lanes.min(1 << trips.max(1).ilog2()))
    }

    /// Where whole rows of so many lanes end, before a loop
    fn middle(&self, ir: &mut Ir, outer: For, lanes: i64) -> Value {
        let (lower, upper) = (self.each.lower_bound(ir), self.each.upper_bound(ir));
        let (first, trips) = (constant_of(ir, lower).and_then(|attr| attr.as_i64(ir.cx())), self.trips);
        let mut b = builder(ir, outer.0);
        let number = |b: &mut Builder<'_>, value: i64| {
            let attr = b.cx().index_attr(value);
            arith::Constant::build(b, attr).result(b.read())
        };
        if let (Some(first), Some(trips)) = (first, trips) {
            return number(&mut b, first + trips / lanes * lanes);
        }
        let [zero, lanes] = [0, lanes].map(|value| number(&mut b, value));
        let trips = arith::SubI::build(&mut b, upper, lower).result(b.read());
        let trips = arith::MaxSI::build(&mut b, trips, zero).result(b.read());
        let rest = arith::RemUI::build(&mut b, trips, lanes).result(b.read());
        let whole = arith::SubI::build(&mut b, trips, rest).result(b.read());
        arith::AddI::build(&mut b, lower, whole).result(b.read())
    }
}

/// Two loops around a load and a store
struct Copy {
    outer: Along,
    inner: Along,
    load: memref::Load,
    store: memref::Store,
    /// The variables along which elements are neighbors where they are read, and where they are written
    read: Value,
    written: Value,
    lanes: i64,
    /// Bytes of an element
    bytes: i64,
}

impl Copy {
    /// Rows have so many bytes at most
    fn of(ir: &Ir, outer: For, most: i64) -> Option<Copy> {
        let outer = Along::of(ir, outer)?;
        let pure = |op: OpId| ir.effects(op) == Effects::NONE && ir.num_regions(op) == 0;
        let mut within = ir.block_ops(outer.block).filter(|op| !pure(*op));
        let inner = Along::of(ir, For::cast(ir, within.next()?)?).filter(|_| within.next().is_none())?;
        let mut within = ir.block_ops(inner.block).filter(|op| !pure(*op));
        let load = memref::Load::cast(ir, within.next()?)?;
        let store = memref::Store::cast(ir, within.next()?).filter(|_| within.next().is_none())?;
        let elem = ir.ty(load.result(ir));
        let bits = i64::from(elem.bit_width(ir.cx())?);
        let bytes = bits / 8;
        let same = store.value(ir) == load.result(ir) && ir.uses(load.result(ir)).count() == 1;
        let scalar = matches!(elem.kind(ir.cx()), TypeKind::Float(_) | TypeKind::Int { .. });
        let apart = origin(ir, load.memref(ir)).apart(origin(ir, store.memref(ir)));
        let ivs = [outer.iv, inner.iv];
        let read = neighbors(ir, load.memref(ir), &load.indices(ir), ivs)?;
        let written = neighbors(ir, store.memref(ir), &store.indices(ir), ivs)?;
        let most = if bytes < WORD { most.min(SHORT_ROW_BYTES) } else { most };
        let lanes = lanes(&outer, &inner, most / bytes.max(1));
        let turns = read != written && lanes >= LEAST && inner.bounded_by(ir, &outer).is_some();
        (same && scalar && bits % 8 == 0 && matches!(bytes, 1 | 2 | 4 | 8) && apart && turns)
            .then_some(Copy { outer, inner, load, store, read, written, lanes, bytes })
    }
}

/// Lanes of the largest squares, or of those of half of their side that leave nothing
fn lanes(outer: &Along, inner: &Along, most: i64) -> i64 {
    let lanes = inner.most(outer.most(most));
    let whole = |lanes: i64| [outer, inner].iter().all(|along| along.trips.is_some_and(|n| n % lanes == 0));
    if !whole(lanes) && lanes / 2 >= LEAST && whole(lanes / 2) { lanes / 2 } else { lanes }
}

/// Dimensions up to the last one of several elements; all of them where some have a size of run time
fn rank(shape: &[i64]) -> usize {
    if shape.contains(&terrace_ir::DYNAMIC) {
        return shape.len();
    }
    shape.iter().rposition(|size| *size != 1).map_or(0, |last| last + 1)
}

/// The memory of a load or store without the dimensions of one element at the end: rows are along the last dimension
fn without_units(ir: &mut Ir, op: OpId) {
    // A store has its value first.
    let at = usize::from(memref::Store::cast(ir, op).is_some());
    let memory = ir.operand(op, at);
    let cx = ir.cx();
    let TypeKind::MemRef { shape, elem, layout: None, space } = ir.ty(memory).kind(cx) else { return };
    let rank = rank(shape);
    if rank == shape.len() || rank == 0 {
        return;
    }
    let shape = shape[..rank].to_vec();
    let mut strides: Vec<i64> =
        shape.iter().rev().scan(1, |all, size| Some(std::mem::replace(all, *all * size))).collect();
    strides.reverse();
    let ty =
        cx.ty(TypeKind::MemRef { shape: shape.clone().into(), elem: *elem, layout: None, space: *space });
    let mut b = builder(ir, op);
    let [at_start, sizes, steps] = [&[0][..], &shape, &strides].map(|all| b.cx().i64_array(all));
    let view = memref::ReinterpretCast::build(&mut b, memory, &[], &[], &[], at_start, sizes, steps, ty);
    let view = view.result(b.read());
    let mut operands: Vec<Value> = ir.operands(op).collect();
    operands[at] = view;
    operands.truncate(at + 1 + rank);
    ir.set_operands(op, &operands, &[]);
}

/// The one of two variables along which elements are neighbors: the last index moves with it by one, and no other index does
fn neighbors(ir: &Ir, memory: Value, indices: &[Value], ivs: [Value; 2]) -> Option<Value> {
    let TypeKind::MemRef { shape, layout: None, .. } = ir.ty(memory).kind(ir.cx()) else { return None };
    let (last, others) = indices[..rank(shape).min(indices.len())].split_last()?;
    ivs.into_iter().find(|iv| {
        factor(ir, *last, *iv) == Some(1) && others.iter().all(|index| factor(ir, *index, *iv) == Some(0))
    })
}

/// By how much a value moves with a variable. Each value is visited once: chains of sums of a value with itself have many paths
pub(crate) fn factor(ir: &Ir, value: Value, iv: Value) -> Option<i64> {
    let mut known: HashMap<Value, Option<i64>> = HashMap::default();
    let mut open = vec![(value, false)];
    while let Some((value, ready)) = open.pop() {
        let derived = ir.defining_op(value).filter(|_| value != iv && constant_of(ir, value).is_none());
        match derived {
            Some(op) if ready => {
                known.insert(value, moved_by(ir, op, &known));
            }
            _ if known.contains_key(&value) => {}
            Some(op) => {
                // Until its operands are known. Nothing is known of a value that depends on itself.
                known.insert(value, None);
                open.push((value, true));
                open.extend(ir.operands(op).map(|operand| (operand, false)));
            }
            None => {
                known.insert(value, Some(i64::from(value == iv)));
            }
        }
    }
    known.get(&value).copied().flatten()
}

/// By how much the result of an op moves, where it is known by how much its operands do
fn moved_by(ir: &Ir, op: OpId, known: &HashMap<Value, Option<i64>>) -> Option<i64> {
    let of = |value: Value| known.get(&value).copied().flatten();
    if let Some(sum) = arith::AddI::cast(ir, op) {
        return of(sum.lhs(ir))?.checked_add(of(sum.rhs(ir))?);
    }
    if let Some(difference) = arith::SubI::cast(ir, op) {
        return of(difference.lhs(ir))?.checked_sub(of(difference.rhs(ir))?);
    }
    let fixed = ir.operands(op).all(|operand| of(operand) == Some(0));
    (fixed && ir.num_regions(op) == 0).then_some(0)
}

/// Rewrite the loops: both go from square to square
fn transpose(ir: &mut Ir, copy: &Copy) {
    let (load, store) = (copy.load, copy.store);
    let past = ir.discardable(store.0, NONTEMPORAL);
    let vector = ir.cx().vector(&[copy.lanes], ir.ty(load.result(ir)));
    let mut rows = Vec::new();
    for n in 0..copy.lanes {
        // A row starts where all variables but the one of its own direction have moved.
        let iv = if copy.read == copy.outer.iv { copy.inner.iv } else { copy.outer.iv };
        let indices = load.indices(ir).to_vec();
        let at = moved(ir, copy, &indices, (iv, n));
        let mut b = builder(ir, load.0);
        let memory = load.memref(b.read());
        rows.push(vector::Load::build(&mut b, memory, &at, vector).result(b.read()));
    }
    let mut step = 1;
    while step < copy.lanes {
        rows =
            if copy.bytes < WORD { interleaved(ir, copy, &rows) } else { exchanged(ir, copy, &rows, step) };
        step *= 2;
    }
    for (n, row) in rows.into_iter().enumerate() {
        let iv = if copy.written == copy.outer.iv { copy.inner.iv } else { copy.outer.iv };
        let indices = store.indices(ir).to_vec();
        let at = moved(ir, copy, &indices, (iv, n as i64));
        let mut b = builder(ir, store.0);
        let memory = store.memref(b.read());
        let row = vector::Store::build(&mut b, row, memory, &at);
        if past.is_some() {
            let yes = ir.cx().bool_attr(true);
            row.set_nontemporal(ir, yes);
        }
    }
    ir.erase(store.0);
    ir.erase(load.0);
    for along in [&copy.outer, &copy.inner] {
        let mut b = builder(ir, along.each.0);
        let attr = b.cx().index_attr(copy.lanes);
        let step = arith::Constant::build(&mut b, attr).result(b.read());
        ir.set_operand(along.each.0, 2, step);
    }
}

fn builder(ir: &mut Ir, op: OpId) -> Builder<'_> {
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    b
}

/// Indices where a variable is so much more, before the store
fn moved(ir: &mut Ir, copy: &Copy, indices: &[Value], (iv, by): (Value, i64)) -> Vec<Value> {
    if by == 0 {
        return indices.to_vec();
    }
    let mut b = builder(ir, copy.load.0);
    let attr = b.cx().index_attr(by);
    let by = arith::Constant::build(&mut b, attr).result(b.read());
    let other = arith::AddI::build(&mut b, iv, by).result(b.read());
    let mut map = ValueMap::default();
    map.insert(iv, other);
    let blocks = [copy.outer.block, copy.inner.block];
    let needed = makers(ir, indices);
    let ops: Vec<OpId> = blocks.iter().flat_map(|block| ir.block_ops(*block)).collect();
    for op in ops {
        let within = ir.num_regions(op) == 0
            && Yield::cast(ir, op).is_none()
            && op != copy.load.0
            && op != copy.store.0;
        let depends = ir.operands(op).any(|operand| map.get(operand).is_some());
        if within && depends && needed.contains(&op) {
            let new = ir.clone_op(None, op, &mut map);
            ir.insert_before(copy.load.0, new);
        }
    }
    indices.iter().map(|index| map.get(*index).unwrap_or(*index)).collect()
}

/// Ops that values are derived from. Each is visited once
pub(crate) fn makers(ir: &Ir, values: &[Value]) -> HashSet<OpId> {
    let mut seen: HashSet<OpId> = HashSet::default();
    let mut open: Vec<OpId> = values.iter().filter_map(|value| ir.defining_op(*value)).collect();
    while let Some(op) = open.pop() {
        if seen.insert(op) {
            open.extend(ir.operands(op).filter_map(|operand| ir.defining_op(operand)));
        }
    }
    seen
}

/// Rows after those of the upper half have been interleaved with those of the lower half: once for each bit of their number, and
/// rows are columns
fn interleaved(ir: &mut Ir, copy: &Copy, rows: &[Value]) -> Vec<Value> {
    let half = rows.len() / 2;
    let mut next = Vec::with_capacity(rows.len());
    for n in 0..half {
        for start in [0, copy.lanes / 2] {
            let places: Vec<i64> =
                (start..start + copy.lanes / 2).flat_map(|lane| [lane, copy.lanes + lane]).collect();
            next.push(shuffle(ir, copy, [rows[n], rows[n + half]], &places));
        }
    }
    next
}

/// Lanes of two rows, by their places in both
fn shuffle(ir: &mut Ir, copy: &Copy, [low, high]: [Value; 2], places: &[i64]) -> Value {
    let mut b = builder(ir, copy.load.0);
    let mask = b.cx().i64_array(places);
    vector::Shuffle::build(&mut b, low, high, mask).vector(b.read())
}

/// Rows after squares of `step` have changed places across the diagonal
fn exchanged(ir: &mut Ir, copy: &Copy, rows: &[Value], step: i64) -> Vec<Value> {
    let mut next = rows.to_vec();
    for n in (0..copy.lanes).filter(|n| n & step == 0) {
        let [low, high] = [n, n + step].map(|n| n as usize);
        // Of the lanes in the lower and in the upper half of each pair of squares.
        for (row, half) in [(low, 0), (high, step)] {
            let lane = |at: i64| match at & step {
                0 => at + half,
                _ => copy.lanes + at - step + half,
            };
            let places: Vec<i64> = (0..copy.lanes).map(lane).collect();
            next[row] = shuffle(ir, copy, [rows[low], rows[high]], &places);
        }
    }
    next
}
