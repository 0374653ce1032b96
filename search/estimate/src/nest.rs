//! A nest of loops as estimates see it: which loops run and which are copies of a body, and what a body does.
//!
//! Two ways to write a tile of registers are one here: loops at `unroll` and `vector` around a body, as schedules make them, and
//! loops in turn whose variables find elements of private memory, as arrays of patterns become: compilers unroll those.

use terrace_analysis::{Range, range_of};
use terrace_devices::Device;
use terrace_dialect_sched::check::nest::{AccessNode, LoopId, Tree, Use};
use terrace_dialect_sched::{By, Copy, For, Kind, Level, Write};
use terrace_dialect_sched::{Space, space};
use terrace_ir::show::elem_bytes;
use terrace_ir::{Ir, OpId, Traits, Value};
use terrace_support::HashMap;
use terrace_support::affine::AffineMap;

/// Bytes of a line
pub(crate) const LINE: f64 = 64.0;

/// Longest loop that is unrolled only because it walks through registers: what `sched-legalize` does
const ROW: i64 = 16;

/// Elements of a tile that are counted one by one, at most
const COUNTED: i64 = 1024;

/// A place in a nest: loops that run around it, outermost first, then those that are copies and lanes
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Place {
    pub run: Vec<LoopId>,
    pub flat: Vec<LoopId>,
}

/// What moves data
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// In [`Tree::accesses`]
    pub access: usize,
    pub place: Place,
    /// Bytes of an element
    pub bytes: f64,
    pub stores: bool,
    /// Merges what it writes
    pub merges: bool,
    /// Registers: no memory at all
    pub register: bool,
    /// Instructions of one iteration of the loops that run: what does not move with a copy of the body is there once
    pub count: f64,
    /// Moves with the lanes, if there are any
    pub lanes: bool,
    /// One side of a copy
    pub copy: bool,
}

/// An instruction on values
#[derive(Clone, Debug)]
pub(crate) struct Compute {
    pub place: Place,
    /// What it costs beside a sum, in all copies: divisions and functions more
    pub cost: f64,
}

/// Everything below one outermost op
pub(crate) struct Nest {
    pub tree: Tree,
    pub moves: Vec<Move>,
    pub computes: Vec<Compute>,
    /// Loops whose iterations are lanes
    lanes: Vec<bool>,
    /// Bytes of a vector
    vector: f64,
    shapes: HashMap<Value, Vec<i64>>,
}

impl Nest {
    /// A nest for a processor with vectors of so many bytes
    pub fn new(ir: &Ir, top: OpId, vector: i64) -> Nest {
        let tree = Tree::new(ir, top);
        let flat = flat(ir, &tree);
        let shape = |value: Value| (value, ir.ty(value).shape(ir.cx()).unwrap_or(&[]).to_vec());
        let shapes = tree.accesses.iter().map(|access| shape(access.memref)).collect();
        let vector = vector.max(4) as f64;
        let lanes = lanes(&tree);
        let mut nest = Nest { tree, moves: Vec::new(), computes: Vec::new(), lanes, vector, shapes };
        for number in 0..nest.tree.accesses.len() {
            let each = nest.moved(ir, number, &flat);
            nest.moves.push(each);
        }
        for op in std::iter::once(top).chain(ir.walk_below(top)) {
            nest.compute(ir, op, &flat);
        }
        nest
    }

    /// Iterations of a loop; borders and triangles are not seen
    pub fn trip(&self, id: LoopId) -> f64 {
        self.tree.info(id).trip().max(1) as f64
    }

    /// Iterations of all of them
    pub fn trips(&self, loops: &[LoopId]) -> f64 {
        loops.iter().map(|id| self.trip(*id)).product()
    }

    /// The part of what loops do that the thread with most to do has: tasks are dealt out in rounds
    pub fn share(&self, run: &[LoopId], device: &Device) -> f64 {
        let tasks: f64 =
            run.iter().filter(|id| self.level(**id) == Level::Task).map(|id| self.trip(*id)).product();
        (tasks / device.units.max(1) as f64).ceil() / tasks
    }

    /// Are its iterations lanes of vectors?
    pub fn is_lanes(&self, id: LoopId) -> bool {
        self.lanes[id]
    }

    pub fn level(&self, id: LoopId) -> Level {
        self.tree.info(id).level
    }

    /// Are iterations merged?
    pub fn reduces(&self, id: LoopId) -> bool {
        self.tree.info(id).kind != Kind::Cc
    }

    pub fn node(&self, each: &Move) -> &AccessNode {
        &self.tree.accesses[each.access]
    }

    /// Does an access move with a loop?
    pub fn follows(&self, each: &Move, id: LoopId) -> bool {
        self.node(each).at.values.contains(&self.tree.info(id).iv)
    }

    fn place(&self, inside: Option<LoopId>, flat: &[bool]) -> Place {
        let mut around: Vec<LoopId> = self.tree.around(inside).collect();
        around.reverse();
        let first = around.iter().position(|id| flat[*id]).unwrap_or(around.len());
        let inner = around.split_off(first);
        Place { run: around, flat: inner }
    }

    fn moved(&self, ir: &Ir, number: usize, flat: &[bool]) -> Move {
        let access = &self.tree.accesses[number];
        let cx = ir.cx();
        let place = self.place(access.inside, flat);
        let bytes = ir.ty(access.memref).element(cx).map_or(4, |elem| elem_bytes(cx, elem)) as f64;
        let moves = |id: &&LoopId| access.at.values.contains(&self.tree.info(**id).iv);
        // Elements that a loop finds one after the other are in memory, whatever the buffer is called.
        let within = self.tree.between(access.memref, access.inside);
        let register =
            is_private(ir, access.memref) && !place.run.iter().any(|id| within.contains(id) && moves(&id));
        let lanes: Vec<&LoopId> = place.flat.iter().filter(|id| self.is_lanes(**id)).filter(moves).collect();
        let wide: f64 = lanes.iter().map(|id| self.trip(**id)).product();
        let side_by_side = lanes.iter().all(|id| is_contiguous(access, self.tree.info(**id).iv));
        let vectors = if side_by_side { (wide * bytes / self.vector).ceil().max(1.0) } else { wide };
        let copies: Vec<LoopId> =
            place.flat.iter().filter(|id| !self.is_lanes(**id)).filter(moves).copied().collect();
        let count = vectors
            * match access.domain.is_empty() {
                true => self.distinct(access, &copies),
                false => self.trips(&copies) * self.instructions(ir, access, bytes),
            };
        Move {
            access: number,
            bytes,
            stores: access.what != Use::Read,
            merges: matches!(access.what, Use::Merge(_)),
            register,
            count,
            lanes: !lanes.is_empty(),
            copy: Copy::cast(ir, access.op).is_some(),
            place,
        }
    }

    /// Of one side of a copy: in the lanes that are asked for, else in those that a compiler finds
    fn instructions(&self, ir: &Ir, access: &AccessNode, bytes: f64) -> f64 {
        let elements: f64 = access.domain.iter().map(|size| (*size).max(1) as f64).product();
        let Some(copy) = Copy::cast(ir, access.op) else { return elements };
        let asked = copy.by_levels(ir).iter().fold(1.0, |most, by| match by {
            By::Vector(n) => f64::max(most, *n as f64),
            _ => most,
        });
        let own = access.domain.len() as u32;
        let along = |at: &terrace_dialect_sched::access::Access| steps_by_one(&at.map, own.saturating_sub(1));
        let both = along(&copy.to(ir)) && copy.from(ir).is_none_or(|from| along(&from));
        let last = access.domain.last().copied().unwrap_or(1).max(1) as f64;
        let found = if both { (self.vector / bytes).min(last) } else { 1.0 };
        elements / f64::max(asked, found)
    }

    /// Different elements of an access over copies of the body
    fn distinct(&self, access: &AccessNode, copies: &[LoopId]) -> f64 {
        let count =
            copies.iter().try_fold(1i64, |all, id| all.checked_mul(self.tree.info(*id).trip().max(1)));
        let Some(count) = count.filter(|count| *count <= COUNTED) else { return self.trips(copies) };
        let mut dims = vec![0; access.domain.len() + access.at.values.len()];
        let mut seen: Vec<Vec<i64>> = Vec::new();
        for number in 0..count {
            let mut rest = number;
            for id in copies {
                let info = self.tree.info(*id);
                let at = rest % info.trip().max(1) * info.tile;
                rest /= info.trip().max(1);
                for (n, value) in access.at.values.iter().enumerate() {
                    if *value == info.iv {
                        dims[access.domain.len() + n] = at;
                    }
                }
            }
            seen.extend(access.at.map.eval(&dims, &[]));
        }
        seen.sort_unstable();
        seen.dedup();
        seen.len().max(1) as f64
    }

    fn compute(&mut self, ir: &Ir, op: OpId, flat: &[bool]) {
        let cost = cost(ir, op);
        if cost == 0.0 {
            return;
        }
        let mut around = std::iter::successors(ir.parent(op), |up| ir.parent(*up));
        let inside = around.find_map(|up| self.tree.loop_of(For::cast(ir, up)?.info(ir)?.iv));
        let place = self.place(inside, flat);
        // Lanes of four bytes, as most are
        let copies = |id: &LoopId| match self.is_lanes(*id) {
            true => (self.trip(*id) * 4.0 / self.vector).ceil(),
            false => self.trip(*id),
        };
        let cost = cost * place.flat.iter().map(copies).product::<f64>();
        self.computes.push(Compute { place, cost });
    }

    /// Bytes, in whole lines, that an access touches while these loops run
    pub fn footprint(&self, each: &Move, inner: &[LoopId]) -> f64 {
        let access = self.node(each);
        let own = access.domain.iter().map(|size| Range::below((*size).max(1)).unwrap_or(Range::one(0)));
        let of_value = |value: &Value| match self.tree.loop_of(*value) {
            Some(id) if inner.contains(&id) => self.tree.range(id),
            _ => Range::one(0),
        };
        let ranges: Vec<Range> = own.chain(access.at.values.iter().map(of_value)).collect();
        let Some((last, others)) = access.at.map.results.split_last() else { return LINE };
        let shape = self.shapes.get(&access.memref).map_or(&[][..], Vec::as_slice);
        let most = |n: usize| shape.get(n).map_or(f64::INFINITY, |size| (*size).max(1) as f64);
        let rows = others.iter().enumerate().map(|(n, expr)| {
            let count = range_of(expr, &ranges).map_or(f64::INFINITY, |range| range.count() as f64);
            count.min(most(n))
        });
        let rows: f64 = rows.product();
        let width = range_of(last, &ranges).map_or((f64::INFINITY, f64::INFINITY), |range| {
            (range.count() as f64, range.max() as f64 - range.min() as f64 + 1.0)
        });
        // Elements further apart than a line have one each.
        let lines = f64::min(width.0, (width.1.min(most(others.len())) * each.bytes / LINE).ceil());
        let bytes = rows * lines * LINE;
        if bytes.is_finite() { bytes } else { self.trips(inner) * LINE }
    }
}

/// Loops that are copies of a body or lanes: those at such a level, and those that find elements of private memory
fn flat(ir: &Ir, tree: &Tree) -> Vec<bool> {
    let mut flat: Vec<bool> = (0..tree.loops.len())
        .map(|id| matches!(tree.info(id).level, Level::Unroll | Level::Vector))
        .collect();
    for access in tree.accesses.iter().filter(|access| is_private(ir, access.memref)) {
        let within = tree.between(access.memref, access.inside);
        for id in access.at.values.iter().filter_map(|value| tree.loop_of(*value)) {
            flat[id] |=
                within.contains(&id) && tree.info(id).level == Level::Seq && tree.info(id).trip() <= ROW;
        }
    }
    // A loop around one that runs is a loop.
    for id in (0..flat.len()).rev() {
        if let Some(parent) = tree.loops[id].parent {
            flat[parent] &= flat[id];
        }
    }
    flat
}

/// Loops whose iterations are lanes: those at `vector`, and innermost copies with no such loop inside, which compilers join
fn lanes(tree: &Tree) -> Vec<bool> {
    let several = |id: LoopId| tree.info(id).trip() > 1;
    let one = |id: LoopId| match tree.info(id).level {
        Level::Vector => several(id),
        Level::Unroll => {
            several(id)
                && !(id + 1..tree.loops.len()).any(|inner| several(inner) && tree.is_in(Some(inner), id))
        }
        _ => false,
    };
    (0..tree.loops.len()).map(one).collect()
}

/// What an op on values costs beside a sum
fn cost(ir: &Ir, op: OpId) -> f64 {
    if let Some(write) = Write::cast(ir, op) {
        return f64::from(u8::from(write.operator(ir).is_some()));
    }
    if ir.op_name(op) == "sched.yield" {
        let merges = ir.parent(op).and_then(|up| For::cast(ir, up)?.info(ir));
        return if merges.is_some_and(|info| info.kind != Kind::Cc) {
            ir.operands(op).count() as f64
        } else {
            0.0
        };
    }
    let float = ir.results(op).next().is_some_and(|value| ir.ty(value).is_float(ir.cx()));
    if !float || !ir.has(op, Traits::Pure) || ir.has(op, Traits::ConstantLike) {
        return 0.0;
    }
    let name = ir.op_name(op);
    // A product that is only merged is one instruction with the sum.
    let merged = |value: Value| {
        ir.uses(value).all(|(user, _)| {
            Write::cast(ir, user).is_some_and(|write| write.operator(ir).is_some())
                || ir.op_name(user) == "sched.yield"
        })
    };
    match name {
        "arith.mulf" if ir.results(op).all(merged) => 0.0,
        "arith.divf" | "math.sqrt" => 8.0,
        _ if name.starts_with("math.") && name != "math.fma" && name != "math.absf" => 20.0,
        _ => 1.0,
    }
}

fn is_contiguous(access: &AccessNode, variable: Value) -> bool {
    let own = access.domain.len();
    let found = access.at.values.iter().position(|value| *value == variable);
    found.is_some_and(|n| steps_by_one(&access.at.map, (own + n) as u32))
}

/// Is the next element of the last dimension the one of the variable's next value? Judged at the first, whatever quotients follow
fn steps_by_one(map: &AffineMap, dim: u32) -> bool {
    let mut dims = vec![0; map.dims as usize];
    let first = map.eval(&dims, &[]);
    let Some(own) = dims.get_mut(dim as usize) else { return false };
    *own = 1;
    let (Some(first), Some(next)) = (first, map.eval(&dims, &[])) else { return false };
    let steps: Vec<i64> = first.iter().zip(&next).map(|(a, b)| b - a).collect();
    steps.split_last().is_some_and(|(last, others)| *last == 1 && others.iter().all(|step| *step == 0))
}

/// Registers, by the name of the region or by the space
fn is_private(ir: &Ir, memory: Value) -> bool {
    let ty = ir.ty(memory);
    let named = matches!(ty.kind(ir.cx()), terrace_ir::TypeKind::MemRef { space: Some(space), .. }
        if space.as_str(ir.cx()) == Some("reg"));
    named || space::of(ir.cx(), ty) == Space::Private
}
