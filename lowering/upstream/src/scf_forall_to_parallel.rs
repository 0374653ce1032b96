//! `scf.forall` on memory as `scf.parallel`: bounds become values, and nothing is put together at the end.
//!
//! A loop that shares tensors stays: it has to be made to work on memory first. A mapping to device ids goes.

use terrace_diag::Reported;
use terrace_dialect_arith::Constant;
use terrace_dialect_scf::{Forall, Parallel, Reduce};
use terrace_ir::{Builder, DYNAMIC, Ir, NewOp, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// `scf.forall` becomes `scf.parallel`
///
/// Loops that share tensors stay as they are.
#[pass("scf-forall-to-parallel", stats("loops converted"))]
pub struct ScfForallToParallel;

impl Pass for ScfForallToParallel {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let count = convert_all(unit);
        cx.count("loops converted", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// Convert the loops of a unit that can be; gives their number
pub(crate) fn convert_all(ir: &mut Ir) -> u64 {
    let found: Vec<OpId> = ir.walk().filter(|op| is_plain(ir, *op)).collect();
    let count = found.len() as u64;
    found.into_iter().for_each(|op| convert(ir, op));
    count
}

/// Does it share nothing?
fn is_plain(ir: &Ir, op: OpId) -> bool {
    Forall::cast(ir, op).is_some_and(|forall| forall.outputs(ir).is_empty() && ir.num_results(op) == 0)
}

fn convert(ir: &mut Ir, op: OpId) {
    let forall = Forall(op);
    let lists = bounds(ir, op);
    let rank = lists[2].len() as u32;
    let operands = lists.concat();
    let mut b = Builder::before(ir, op);
    let kind = b.kind(Parallel::DEF);
    let new = NewOp { operands: &operands, segments: &[rank, rank, rank, 0], regions: 1, ..NewOp::new(kind) };
    let parallel = b.insert(&new);
    let (from, to) = (forall.region(ir), ir.region(parallel, 0));
    ir.move_blocks(from, to);
    let block = ir.entry(to).expect("verified: the region has a block");
    let end = ir.last_op(block).expect("verified: the body ends with a terminator");
    ir.erase(end);
    let loc = ir.loc(op);
    let mut b = Builder::at_end(ir, block);
    b.set_loc(loc);
    Reduce::build(&mut b, &[], 0);
    ir.erase(op);
}

/// Lower bounds, upper bounds and steps as values before the loop
pub(crate) fn bounds(ir: &mut Ir, op: OpId) -> [Vec<Value>; 3] {
    let forall = Forall(op);
    let numbers = [forall.static_lower_bound(ir), forall.static_upper_bound(ir), forall.static_step(ir)];
    let numbers = numbers.map(|list| list.as_dense_array(ir.cx()).unwrap_or(&[]).to_vec());
    let values = [forall.dynamic_lower_bound(ir), forall.dynamic_upper_bound(ir), forall.dynamic_step(ir)];
    let mut all = [Vec::new(), Vec::new(), Vec::new()];
    let mut b = Builder::before(ir, op);
    for ((numbers, values), operands) in numbers.iter().zip(values).zip(&mut all) {
        let mut values = values.into_iter();
        for &number in numbers {
            let known = (number != DYNAMIC).then_some(number);
            operands.extend(match known {
                Some(number) => {
                    let attr = b.cx().index_attr(number);
                    Some(Constant::build(&mut b, attr).result(b.read()))
                }
                None => values.next(),
            });
        }
    }
    all
}
