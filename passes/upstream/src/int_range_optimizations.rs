//! What ranges of integers decide: values that can be one constant only, remainders of what is small already.

use terrace_dataflow::ranges::IntRanges;
use terrace_dataflow::{Forward, Ints, Tree};
use terrace_diag::Reported;
use terrace_dialect_arith::{RemSI, RemUI};
use terrace_ir::{Attr, Context, Ir, OpId, Traits, Type, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_rewrite::dead::is_removable;
use terrace_rewrite::{Greedy, Rewriter};

/// Replace what ranges of integers leave only one value for
///
/// Ranges follow arithmetic, block arguments, bounds of loops and calls of private functions. A comparison that always
/// holds is `true`; a remainder of a number smaller than the divisor is that number. Then ops fold.
#[pass("int-range-optimizations", scope = tree, stats("values replaced"))]
pub struct IntRangeOptimizations;

impl Pass for IntRangeOptimizations {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let (replaced, changed) = run(unit, cx.outermost);
        cx.count("values replaced", replaced);
        cx.set_changed(changed);
        Ok(())
    }
}

/// Optimize a tree of units; gives the number of values replaced, and if anything changed
pub fn run(root: &mut Ir, outermost: bool) -> (u64, bool) {
    let mut tree = Tree::new(root, outermost);
    let facts = Forward::run(&mut tree, IntRanges);
    let (mut replaced, mut changed) = (0, false);
    for n in 0..tree.len() {
        let ir = tree.get_mut(n);
        replaced += replace(ir, n, &facts);
        changed |= Greedy::new(ir.cx(), []).run(ir).changed;
    }
    (replaced, changed || replaced > 0)
}

fn range(facts: &Forward<IntRanges>, n: usize, value: Value) -> Option<Ints> {
    facts.fact(n, value).copied().flatten()
}

/// The constant that a value always is
fn constant(cx: &Context, facts: &Forward<IntRanges>, n: usize, value: Value, ty: Type) -> Option<Attr> {
    let one = range(facts, n, value)?.only()?;
    match ty.element(cx) {
        None => Some(cx.int_attr(one, ty)),
        Some(elem) => cx.splat_attr(ty, cx.int_attr(one, elem)),
    }
}

fn replace(ir: &mut Ir, n: usize, facts: &Forward<IntRanges>) -> u64 {
    let ops: Vec<OpId> = ir.walk().collect();
    let mut rw = Rewriter::new(ir);
    let mut replaced = 0;
    for op in ops {
        let ir = rw.ir();
        // One that held it may be gone.
        if ir.block(op).is_none() || ir.has(op, Traits::ConstantLike) {
            continue;
        }
        let args: Vec<Value> = ir
            .regions(op)
            .flat_map(|region| ir.blocks(region))
            .flat_map(|block| ir.block_args(block).to_vec())
            .collect();
        for arg in args {
            replaced += u64::from(put(&mut rw, facts, n, arg, op));
        }
        let results: Vec<Value> = rw.ir().results(op).collect();
        let mut all = !results.is_empty();
        for value in results {
            replaced += u64::from(put(&mut rw, facts, n, value, op));
            all &= !rw.ir().is_used(value);
        }
        if all && is_removable(rw.ir(), op) {
            rw.erase(op);
        } else if is_small(rw.ir(), facts, n, op) {
            let value = rw.ir().operand(op, 0);
            rw.replace(op, &[value]);
            replaced += 1;
        }
    }
    let root = rw.ir().root();
    let args: Vec<(OpId, Value)> = rw
        .ir()
        .regions(root)
        .flat_map(|region| rw.ir().blocks(region))
        .filter_map(|block| Some((rw.ir().first_op(block)?, block)))
        .flat_map(|(first, block)| rw.ir().block_args(block).iter().map(move |arg| (first, *arg)))
        .collect();
    for (first, arg) in args {
        replaced += u64::from(put(&mut rw, facts, n, arg, first));
    }
    replaced
}

/// Use the constant for a value if it has uses and can be no other
fn put(rw: &mut Rewriter<'_>, facts: &Forward<IntRanges>, n: usize, value: Value, at: OpId) -> bool {
    let ir = rw.ir();
    if !ir.is_used(value) {
        return false;
    }
    let ty = ir.ty(value);
    let Some(attr) = constant(ir.cx(), facts, n, value, ty) else { return false };
    let kind = ir.kind(at);
    let Some(new) = rw.constant(at, attr, ty, kind) else { return false };
    rw.replace_all_uses(value, new);
    true
}

/// Is an op the remainder of a division by a constant that the dividend never reaches?
fn is_small(ir: &Ir, facts: &Forward<IntRanges>, n: usize, op: OpId) -> bool {
    let signed = RemSI::cast(ir, op).is_some();
    if !signed && RemUI::cast(ir, op).is_none() {
        return false;
    }
    let of = |k| range(facts, n, ir.operand(op, k));
    let (Some(dividend), Some(divisor)) = (of(0), of(1)) else { return false };
    if divisor.only().is_none() {
        return false;
    }
    match signed {
        true => dividend.signed().0 >= 0 && divisor.signed().0 > dividend.signed().1,
        false => divisor.unsigned().0 > dividend.unsigned().1,
    }
}
