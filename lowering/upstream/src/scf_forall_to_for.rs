//! `scf.forall` as loops in order, also where it shares tensors: these are carried, and parts inserted one after the other.
//!
//! ```mlir
//! %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
//!   …
//!   scf.forall.in_parallel { tensor.parallel_insert_slice %p into %o[…] […] […] }
//! }
//! // becomes
//! %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%u = %t) -> (tensor<8xf32>) {
//!   …
//!   %v = tensor.insert_slice %p into %u[…] […] […]
//!   scf.yield %v
//! }
//! ```
//!
//! What an iteration reads of a shared tensor is what was there before the loop, as in the parallel one. A mapping to device ids
//! goes; a loop over no dimension stays.

use crate::scf_forall_to_parallel::bounds;
use terrace_diag::Reported;
use terrace_dialect_scf::{For, Forall, InParallel, Yield};
use terrace_dialect_tensor::{InsertSlice, ParallelInsertSlice};
use terrace_ir::{BlockId, Builder, Ir, Loc, NewOp, OpId, Type, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// `scf.forall` becomes nested `scf.for`
///
/// Tensors that it shares are carried from iteration to iteration.
#[pass("scf-forall-to-for", stats("loops converted"))]
pub struct ScfForallToFor;

impl Pass for ScfForallToFor {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let found: Vec<OpId> = unit.walk().filter(|op| converts(unit, *op)).collect();
        cx.count("loops converted", found.len() as u64);
        cx.set_changed(!found.is_empty());
        found.into_iter().for_each(|op| convert(unit, op));
        Ok(())
    }
}

fn converts(ir: &Ir, op: OpId) -> bool {
    let forall = Forall::cast(ir, op);
    forall.is_some_and(|forall| {
        forall.static_step(ir).as_dense_array(ir.cx()).is_some_and(|steps| !steps.is_empty())
    })
}

/// The loops that replace a `scf.forall`, from outside in
struct Nest {
    loops: Vec<(OpId, BlockId)>,
    ivs: Vec<Value>,
    /// The shared tensors, as the innermost loop carries them
    carried: Vec<Value>,
    loc: Loc,
}

impl Nest {
    /// Loops without bodies before the op; each carries the shared tensors
    fn before(ir: &mut Ir, op: OpId, outputs: &[Value]) -> Nest {
        let [lower, upper, steps] = bounds(ir, op);
        let types: Vec<Type> = outputs.iter().map(|value| ir.ty(*value)).collect();
        let index = ir.cx().common().index;
        let mut nest =
            Nest { loops: Vec::new(), ivs: Vec::new(), carried: outputs.to_vec(), loc: ir.loc(op) };
        for ((low, high), step) in lower.into_iter().zip(upper).zip(steps) {
            let mut b = match nest.loops.last() {
                None => Builder::before(ir, op),
                Some((_, block)) => Builder::at_end(ir, *block),
            };
            b.set_loc(nest.loc);
            let operands: Vec<Value> = [low, high, step].into_iter().chain(nest.carried).collect();
            let kind = b.kind(For::DEF);
            let segments = [1, 1, 1, types.len() as u32];
            let new = NewOp {
                operands: &operands,
                segments: &segments,
                results: &types,
                regions: 1,
                ..NewOp::new(kind)
            };
            let made = b.insert(&new);
            let region = ir.region(made, 0);
            let block = ir.append_block(region);
            nest.ivs.push(ir.add_block_arg(block, index));
            nest.carried = types.iter().map(|ty| ir.add_block_arg(block, *ty)).collect();
            nest.loops.push((made, block));
        }
        nest
    }

    /// Each loop yields what the one inside gives, the innermost the shared tensors
    fn close(&self, ir: &mut Ir) {
        for n in (0..self.loops.len()).rev() {
            let given: Vec<Value> = match self.loops.get(n + 1) {
                None => self.carried.clone(),
                Some((inside, _)) => ir.results(*inside).collect(),
            };
            let mut b = Builder::at_end(ir, self.loops[n].1);
            b.set_loc(self.loc);
            Yield::build(&mut b, &given);
        }
    }

    /// Insert the parts that the terminator lists, one after the other
    fn insert_parts(&mut self, ir: &mut Ir, end: OpId, shared: &[Value]) {
        let inserts: Vec<OpId> = InParallel::cast(ir, end)
            .and_then(|end| ir.entry(end.region(ir)))
            .map_or(Vec::new(), |block| ir.block_ops(block).collect());
        for insert in inserts {
            let Some(insert) = ParallelInsertSlice::cast(ir, insert) else { continue };
            let Some(n) = shared.iter().position(|arg| *arg == insert.dest(ir)) else { continue };
            let source = insert.source(ir);
            let (offsets, sizes, strides) = (insert.offsets(ir), insert.sizes(ir), insert.strides(ir));
            let lists = [insert.static_offsets(ir), insert.static_sizes(ir), insert.static_strides(ir)];
            let mut b = Builder::before(ir, end);
            b.set_loc(self.loc);
            let [a, s, t] = lists;
            let dest = self.carried[n];
            let made = InsertSlice::build(&mut b, source, dest, &offsets, &sizes, &strides, a, s, t);
            self.carried[n] = made.result(ir);
        }
    }
}

fn convert(ir: &mut Ir, op: OpId) {
    let forall = Forall(op);
    let outputs = forall.outputs(ir);
    let mut nest = Nest::before(ir, op, &outputs);
    let (Some(&(first, _)), Some(&(_, inner))) = (nest.loops.first(), nest.loops.last()) else { return };
    let body = ir.entry(forall.region(ir)).expect("verified: the region has a block");
    let args = ir.block_args(body).to_vec();
    let (points, shared) = args.split_at(nest.ivs.len());
    let end = ir.last_op(body).expect("verified: the body ends with a terminator");
    nest.insert_parts(ir, end, shared);
    ir.erase(end);
    for (old, new) in points.iter().zip(&nest.ivs) {
        ir.copy_value_name(*old, *new);
        ir.replace_all_uses(*old, *new);
    }
    for (old, new) in shared.iter().zip(&outputs) {
        ir.replace_all_uses(*old, *new);
    }
    if let Some(op) = ir.first_op(body) {
        ir.move_tail(op, inner);
    }
    nest.close(ir);
    let results: Vec<(Value, Value)> = ir.results(op).zip(ir.results(first)).collect();
    for (old, new) in results {
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
    ir.erase(op);
}
