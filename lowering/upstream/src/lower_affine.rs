//! `affine` to `arith`, `scf`, `memref` and `vector`, as upstream's `lower-affine`.
//!
//! | op | becomes |
//! |---|---|
//! | `apply min max linearize_index delinearize_index` | arithmetic on indices |
//! | `load store vector_load vector_store prefetch` | the same of `memref` and `vector` at computed indices |
//! | `if` | comparisons of the constraints, `scf.if` |
//! | `for` | `scf.for` between the greatest lower and the least upper bound |
//! | `parallel` | `scf.parallel`, from the identity of each reduction |
//!
//! Sums and products wrap where affine ones had no value. Quotients are rounded as the op says by one division of
//! non-negative numbers. Bodies move as they are; linear in the size of the expressions.

use terrace_diag::Reported;
use terrace_dialect_affine::{
    Apply, DelinearizeIndex, For, If, LinearizeIndex, Load, Max, Min, Parallel, Prefetch, Store, VectorLoad,
    VectorStore, Yield, indices,
};
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_memref::{self as memref, AtomicRmwKind};
use terrace_dialect_scf as scf;
use terrace_dialect_vector as vector;
use terrace_ir::{Attr, AttrKind, BlockId, Builder, Ir, NewOp, OpDef, OpId, RegionId, Type, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::affine::{AffineExpr, AffineKind, AffineMap};

use crate::codes;

/// Affine loops, conditions, accesses and maps become index arithmetic and structured control flow
///
/// After it nothing of `affine` is left.
#[pass("lower-affine", stats("ops lowered"))]
pub struct LowerAffine;

impl Pass for LowerAffine {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let found: Vec<OpId> = unit.walk_post(unit.root()).filter(|op| lowers(unit, *op)).collect();
        for &op in &found {
            if Parallel::cast(unit, op).is_some_and(|op| op.kinds(unit).contains(&AtomicRmwKind::Assign)) {
                let message = "cannot be lowered: the reduction 'assign' has no value that changes nothing";
                return cx.fail(unit, op, &codes::NO_IDENTITY, message);
            }
        }
        cx.count("ops lowered", found.len() as u64);
        cx.set_changed(!found.is_empty());
        lower_all(unit);
        Ok(())
    }
}

/// Lower all of a unit; reductions that have no identity are not there
pub fn lower_all(unit: &mut Ir) {
    let found: Vec<OpId> = unit.walk_post(unit.root()).filter(|op| lowers(unit, *op)).collect();
    for op in found {
        lower(unit, op);
    }
}

const LOWERED: [&OpDef; 13] = [
    Apply::DEF,
    Min::DEF,
    Max::DEF,
    LinearizeIndex::DEF,
    DelinearizeIndex::DEF,
    Load::DEF,
    Store::DEF,
    VectorLoad::DEF,
    VectorStore::DEF,
    Prefetch::DEF,
    If::DEF,
    For::DEF,
    Parallel::DEF,
];

fn lowers(ir: &Ir, op: OpId) -> bool {
    LOWERED.iter().any(|def| ir.is(op, def))
}

/// Arithmetic on indices before an op
struct Emit<'a> {
    b: Builder<'a>,
}

impl Emit<'_> {
    fn constant(&mut self, value: i64) -> Value {
        let attr = self.b.cx().index_attr(value);
        arith::Constant::build(&mut self.b, attr).result(self.b.read())
    }

    fn add(&mut self, a: Value, b: Value) -> Value {
        arith::AddI::build(&mut self.b, a, b).result(self.b.read())
    }

    fn sub(&mut self, a: Value, b: Value) -> Value {
        arith::SubI::build(&mut self.b, a, b).result(self.b.read())
    }

    fn mul(&mut self, a: Value, b: Value) -> Value {
        arith::MulI::build(&mut self.b, a, b).result(self.b.read())
    }

    fn compare(&mut self, predicate: CmpIPredicate, a: Value, b: Value) -> Value {
        arith::CmpI::build(&mut self.b, a, b, predicate).result(self.b.read())
    }

    fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        arith::Select::build(&mut self.b, condition, yes, no).result(self.b.read())
    }

    /// 0 <= remainder < b
    fn modulo(&mut self, a: Value, b: Value) -> Value {
        let rest = arith::RemSI::build(&mut self.b, a, b).result(self.b.read());
        let zero = self.constant(0);
        let negative = self.compare(CmpIPredicate::Slt, rest, zero);
        let up = self.add(rest, b);
        self.select(negative, up, rest)
    }

    /// a < 0 ? -1 - (-1 - a) / b : a / b
    fn floor_div(&mut self, a: Value, b: Value) -> Value {
        let (zero, minus_one) = (self.constant(0), self.constant(-1));
        let negative = self.compare(CmpIPredicate::Slt, a, zero);
        let flipped = self.sub(minus_one, a);
        let positive = self.select(negative, flipped, a);
        let quotient = arith::DivSI::build(&mut self.b, positive, b).result(self.b.read());
        let back = self.sub(minus_one, quotient);
        self.select(negative, back, quotient)
    }

    /// a <= 0 ? -(-a / b) : (a - 1) / b + 1
    fn ceil_div(&mut self, a: Value, b: Value) -> Value {
        let (zero, one) = (self.constant(0), self.constant(1));
        let negative = self.compare(CmpIPredicate::Sle, a, zero);
        let (flipped, below) = (self.sub(zero, a), self.sub(a, one));
        let positive = self.select(negative, flipped, below);
        let quotient = arith::DivSI::build(&mut self.b, positive, b).result(self.b.read());
        let (back, above) = (self.sub(zero, quotient), self.add(quotient, one));
        self.select(negative, back, above)
    }

    fn expr(&mut self, expr: &AffineExpr, dims: &[Value], symbols: &[Value]) -> Value {
        let (kind, lhs, rhs) = match expr {
            AffineExpr::Dim(n) => return dims[*n as usize],
            AffineExpr::Symbol(n) => return symbols[*n as usize],
            AffineExpr::Constant(value) => return self.constant(*value),
            AffineExpr::Binary(binary) => (binary.kind(), binary.lhs(), binary.rhs()),
        };
        let a = self.expr(lhs, dims, symbols);
        let b = self.expr(rhs, dims, symbols);
        match kind {
            AffineKind::Add => self.add(a, b),
            AffineKind::Mul => self.mul(a, b),
            AffineKind::Mod => self.modulo(a, b),
            AffineKind::FloorDiv => self.floor_div(a, b),
            AffineKind::CeilDiv => self.ceil_div(a, b),
        }
    }

    /// All results of a map
    fn map(&mut self, map: &AffineMap, operands: &[Value]) -> Vec<Value> {
        let (dims, symbols) = operands.split_at(map.dims as usize);
        map.results.iter().map(|expr| self.expr(expr, dims, symbols)).collect()
    }

    /// The least or greatest of several values
    fn extreme(&mut self, values: &[Value], greatest: bool) -> Value {
        let mut values = values.iter().copied();
        let mut best = values.next().expect("verified: a map has a result");
        for value in values {
            best = match greatest {
                true => arith::MaxSI::build(&mut self.b, best, value).result(self.b.read()),
                false => arith::MinSI::build(&mut self.b, best, value).result(self.b.read()),
            };
        }
        best
    }

    fn sizes(&mut self, sizes: &[i64], dynamic: &[Value], parts: usize) -> Vec<Value> {
        let sizes = indices::inner(&indices::mixed(sizes, dynamic), parts);
        sizes.into_iter().map(|size| size.map_or_else(|value| value, |size| self.constant(size))).collect()
    }

    fn delinearize(&mut self, index: Value, sizes: &[Value]) -> Vec<Value> {
        let mut parts = Vec::new();
        let mut rest = index;
        for &size in sizes.iter().rev() {
            parts.push(self.modulo(rest, size));
            rest = self.floor_div(rest, size);
        }
        parts.push(rest);
        parts.reverse();
        parts
    }

    fn linearize(&mut self, parts: &[Value], sizes: &[Value]) -> Value {
        let Some((&first, rest)) = parts.split_first() else { return self.constant(0) };
        rest.iter().zip(sizes).fold(first, |sum, (&part, &size)| {
            let scaled = self.mul(sum, size);
            self.add(scaled, part)
        })
    }
}

fn before(ir: &mut Ir, op: OpId) -> Emit<'_> {
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    Emit { b }
}

fn replace(ir: &mut Ir, op: OpId, values: &[Value]) {
    let old: Vec<Value> = ir.results(op).collect();
    for (old, &new) in old.into_iter().zip(values) {
        // What was there before keeps its own name.
        if ir.value_name(new).is_none() {
            ir.copy_value_name(old, new);
        }
        ir.replace_all_uses(old, new);
    }
    ir.erase(op);
}

fn map_of(ir: &Ir, attr: Attr) -> AffineMap {
    attr.as_affine_map(ir.cx()).cloned().expect("verified: the attribute is a map")
}

fn lower(ir: &mut Ir, op: OpId) {
    if let Some(apply) = Apply::cast(ir, op) {
        let (map, operands) = (map_of(ir, apply.map(ir)), apply.operands(ir));
        let values = before(ir, op).map(&map, &operands);
        replace(ir, op, &values);
    } else if let Some(min) = Min::cast(ir, op) {
        lower_extreme(ir, op, min.map(ir), min.operands(ir), false);
    } else if let Some(max) = Max::cast(ir, op) {
        lower_extreme(ir, op, max.map(ir), max.operands(ir), true);
    } else if let Some(op) = DelinearizeIndex::cast(ir, op) {
        let (index, dynamic, sizes) = (op.linear_index(ir), op.dynamic_basis(ir), op.sizes(ir).to_vec());
        let parts = ir.num_results(op.0);
        let mut emit = before(ir, op.0);
        let sizes = emit.sizes(&sizes, &dynamic, parts);
        let values = emit.delinearize(index, &sizes);
        replace(ir, op.0, &values);
    } else if let Some(op) = LinearizeIndex::cast(ir, op) {
        let (parts, dynamic, sizes) = (op.multi_index(ir), op.dynamic_basis(ir), op.sizes(ir).to_vec());
        let mut emit = before(ir, op.0);
        let sizes = emit.sizes(&sizes, &dynamic, parts.len());
        let value = emit.linearize(&parts, &sizes);
        replace(ir, op.0, &[value]);
    } else if let Some(op) = If::cast(ir, op) {
        lower_if(ir, op);
    } else if let Some(op) = For::cast(ir, op) {
        lower_for(ir, op);
    } else if let Some(op) = Parallel::cast(ir, op) {
        lower_parallel(ir, op);
    } else {
        lower_access(ir, op);
    }
}

fn lower_extreme(ir: &mut Ir, op: OpId, map: Attr, operands: Vec<Value>, greatest: bool) {
    let map = map_of(ir, map);
    let mut emit = before(ir, op);
    let values = emit.map(&map, &operands);
    let value = emit.extreme(&values, greatest);
    replace(ir, op, &[value]);
}

fn lower_access(ir: &mut Ir, op: OpId) {
    let map = ir.attr(op, "map").expect("verified: accesses have maps");
    let map = map_of(ir, map);
    if let Some(op) = Load::cast(ir, op) {
        let (memref, indices) = (op.memref(ir), op.indices(ir));
        let mut emit = before(ir, op.0);
        let indices = emit.map(&map, &indices);
        let value = memref::Load::build(&mut emit.b, memref, &indices).result(emit.b.read());
        replace(ir, op.0, &[value]);
    } else if let Some(op) = Store::cast(ir, op) {
        let (value, memref, indices) = (op.value(ir), op.memref(ir), op.indices(ir));
        let mut emit = before(ir, op.0);
        let indices = emit.map(&map, &indices);
        memref::Store::build(&mut emit.b, value, memref, &indices);
        ir.erase(op.0);
    } else if let Some(op) = VectorLoad::cast(ir, op) {
        let (memref, indices, ty) = (op.memref(ir), op.indices(ir), ir.ty(op.result(ir)));
        let mut emit = before(ir, op.0);
        let indices = emit.map(&map, &indices);
        let value = vector::Load::build(&mut emit.b, memref, &indices, ty).result(emit.b.read());
        replace(ir, op.0, &[value]);
    } else if let Some(op) = VectorStore::cast(ir, op) {
        let (value, memref, indices) = (op.value(ir), op.memref(ir), op.indices(ir));
        let mut emit = before(ir, op.0);
        let indices = emit.map(&map, &indices);
        vector::Store::build(&mut emit.b, value, memref, &indices);
        ir.erase(op.0);
    } else if let Some(op) = Prefetch::cast(ir, op) {
        let (memref, indices) = (op.memref(ir), op.indices(ir));
        let (is_write, hint, is_data) = (op.is_write(ir), op.locality(ir), op.is_data(ir));
        let mut emit = before(ir, op.0);
        let indices = emit.map(&map, &indices);
        memref::Prefetch::build(&mut emit.b, memref, &indices, is_write, hint, is_data);
        ir.erase(op.0);
    }
}

/// The op of `scf` that takes a body over
fn structured(
    emit: &mut Emit<'_>,
    def: &'static OpDef,
    operands: &[Value],
    segments: &[u32],
    results: &[Type],
    regions: usize,
) -> OpId {
    let kind = emit.b.kind(def);
    emit.b.insert(&NewOp { operands, segments, results, regions, ..NewOp::new(kind) })
}

/// Move a region; its end becomes `scf.yield`
fn take(ir: &mut Ir, from: RegionId, to: RegionId) {
    ir.move_blocks(from, to);
    let Some(last) = ir.entry(to).and_then(|block| ir.last_op(block)) else { return };
    if let Some(end) = Yield::cast(ir, last) {
        let values = end.operands(ir);
        let mut emit = before(ir, last);
        scf::Yield::build(&mut emit.b, &values);
        ir.erase(last);
    }
}

fn result_types(ir: &Ir, op: OpId) -> Vec<Type> {
    ir.results(op).map(|value| ir.ty(value)).collect()
}

fn keep_dict(ir: &mut Ir, from: OpId, to: OpId) {
    let dict = ir.dict(from);
    ir.set_dict(to, dict);
}

fn lower_if(ir: &mut Ir, op: If) {
    let AttrKind::IntegerSet(set) = op.condition(ir).kind(ir.cx()) else { return };
    let set = set.clone();
    let operands = op.operands(ir);
    let (types, regions) = (result_types(ir, op.0), [op.then_region(ir), op.else_region(ir)]);
    let mut emit = before(ir, op.0);
    let (dims, symbols) = operands.split_at(set.dims as usize);
    let mut holds: Option<Value> = None;
    let zero = emit.constant(0);
    for (expr, equality) in &set.constraints {
        let value = emit.expr(expr, dims, symbols);
        let one = emit.compare(if *equality { CmpIPredicate::Eq } else { CmpIPredicate::Sge }, value, zero);
        holds = Some(match holds {
            Some(all) => arith::AndI::build(&mut emit.b, all, one).result(emit.b.read()),
            None => one,
        });
    }
    let holds = holds.unwrap_or_else(|| emit.compare(CmpIPredicate::Eq, zero, zero));
    let new = structured(&mut emit, scf::If::DEF, &[holds], &[], &types, 2);
    for (n, from) in regions.into_iter().enumerate() {
        let to = ir.region(new, n);
        take(ir, from, to);
    }
    finish(ir, op.0, new);
}

/// The new op stands for the old one
fn finish(ir: &mut Ir, op: OpId, new: OpId) {
    keep_dict(ir, op, new);
    let values: Vec<Value> = ir.results(new).collect();
    replace(ir, op, &values);
}

fn lower_for(ir: &mut Ir, op: For) {
    let (lower_map, upper_map) = (map_of(ir, op.lower_map(ir)), map_of(ir, op.upper_map(ir)));
    let (lower, upper, inits) = (op.lower(ir), op.upper(ir), op.inits(ir));
    let (step, types, region) = (op.step_size(ir), result_types(ir, op.0), op.region(ir));
    let mut emit = before(ir, op.0);
    let values = emit.map(&lower_map, &lower);
    let low = emit.extreme(&values, true);
    let values = emit.map(&upper_map, &upper);
    let high = emit.extreme(&values, false);
    let step = emit.constant(step);
    let operands: Vec<Value> = [low, high, step].into_iter().chain(inits.iter().copied()).collect();
    let segments = [1, 1, 1, inits.len() as u32];
    let new = structured(&mut emit, scf::For::DEF, &operands, &segments, &types, 1);
    let to = ir.region(new, 0);
    take(ir, region, to);
    finish(ir, op.0, new);
}

fn lower_parallel(ir: &mut Ir, op: Parallel) {
    let (kinds, types, region) = (op.kinds(ir), result_types(ir, op.0), op.region(ir));
    let mut sides = Vec::new();
    for upper in [false, true] {
        let bounds = op.bounds(ir, upper).expect("verified: the loop has bounds");
        sides.push((bounds.map.clone(), bounds.operands.clone(), bounds.ranges().collect::<Vec<_>>(), upper));
    }
    let steps = op.step_sizes(ir);
    let rank = steps.len() as u32;
    let mut emit = before(ir, op.0);
    let mut operands = Vec::new();
    for (map, values, ranges, upper) in sides {
        let values = emit.map(&map, &values);
        for range in ranges {
            operands.push(emit.extreme(&values[range], !upper));
        }
    }
    for step in steps {
        operands.push(emit.constant(step));
    }
    for (kind, ty) in kinds.iter().zip(&types) {
        let attr = kind.combining().and_then(|kind| arith::identity(emit.b.cx(), kind, *ty));
        let attr = attr.expect("verified: each kind has an identity");
        operands.push(arith::Constant::build(&mut emit.b, attr).result(emit.b.read()));
    }
    let segments = [rank, rank, rank, types.len() as u32];
    let new = structured(&mut emit, scf::Parallel::DEF, &operands, &segments, &types, 1);
    let to = ir.region(new, 0);
    ir.move_blocks(region, to);
    let last =
        ir.entry(to).and_then(|block| ir.last_op(block)).expect("verified: the body ends with a yield");
    let given: Vec<Value> = ir.operands(last).collect();
    let mut emit = before(ir, last);
    let reduce = structured(&mut emit, scf::Reduce::DEF, &given, &[], &[], given.len());
    ir.erase(last);
    for (n, (kind, ty)) in kinds.iter().zip(&types).enumerate() {
        let region = ir.region(reduce, n);
        let block = ir.append_block(region);
        combine(ir, block, *kind, *ty);
    }
    finish(ir, op.0, new);
}

/// A region of `scf.reduce`
fn combine(ir: &mut Ir, block: BlockId, kind: AtomicRmwKind, ty: Type) {
    let (a, b) = (ir.add_block_arg(block, ty), ir.add_block_arg(block, ty));
    let def = kind.combining().and_then(|how| arith::scalar_op(how, ty.is_float(ir.cx())));
    let def = def.expect("verified: the kind fits the type, and `assign` is refused");
    let mut builder = Builder::at_end(ir, block);
    let kind = builder.kind(def);
    let op = builder.insert(&NewOp { operands: &[a, b], results: &[ty], ..NewOp::new(kind) });
    let value = builder.read().result(op, 0);
    scf::ReduceReturn::build(&mut builder, value);
}
