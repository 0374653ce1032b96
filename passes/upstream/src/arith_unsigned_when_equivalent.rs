//! Signed ops on what is never negative become unsigned ones.

use terrace_dataflow::ranges::IntRanges;
use terrace_dataflow::{Forward, Tree};
use terrace_diag::Reported;
use terrace_dialect_arith::{
    CeilDivSI, CeilDivUI, CmpI, CmpIPredicate, DivSI, DivUI, ExtSI, ExtUI, FloorDivSI, MaxSI, MaxUI, MinSI,
    MinUI, RemSI, RemUI,
};
use terrace_ir::rules::AttrRule;
use terrace_ir::{Ir, OpDef, OpId, Parts, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Replace signed ops by unsigned ones where no operand and no result is ever negative
///
/// Divisions, remainders, larger and smaller of two, widening, comparisons. Hardware often has the unsigned ones cheaper.
#[pass("arith-unsigned-when-equivalent", scope = tree, stats("ops replaced"))]
pub struct ArithUnsignedWhenEquivalent;

impl Pass for ArithUnsignedWhenEquivalent {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let replaced = run(unit, cx.outermost);
        cx.count("ops replaced", replaced);
        cx.set_changed(replaced > 0);
        Ok(())
    }
}

/// What each op becomes
const UNSIGNED: &[(&OpDef, &OpDef)] = &[
    (CeilDivSI::DEF, CeilDivUI::DEF),
    (DivSI::DEF, DivUI::DEF),
    (ExtSI::DEF, ExtUI::DEF),
    (FloorDivSI::DEF, DivUI::DEF),
    (MaxSI::DEF, MaxUI::DEF),
    (MinSI::DEF, MinUI::DEF),
    (RemSI::DEF, RemUI::DEF),
];

/// Replace in a tree of units; gives the number of ops replaced
pub fn run(root: &mut Ir, outermost: bool) -> u64 {
    let mut tree = Tree::new(root, outermost);
    let facts = Forward::run(&mut tree, IntRanges);
    let mut replaced = 0;
    for n in 0..tree.len() {
        let never_negative = |value: Value| {
            facts.fact(n, value).copied().flatten().is_some_and(|range| range.is_non_negative())
        };
        let ir = tree.get_mut(n);
        // Users first: what stands for a replaced value has no range.
        let mut ops: Vec<OpId> = ir.walk().collect();
        ops.reverse();
        for op in ops {
            if let Some(compare) = CmpI::cast(ir, op) {
                let predicate = compare.predicate(ir);
                if predicate.is_signed() && ir.operands(op).all(never_negative) {
                    let unsigned = CmpIPredicate::write(ir.cx(), predicate.unsigned());
                    ir.set_attr(op, "predicate", Some(unsigned));
                    replaced += 1;
                }
                continue;
            }
            let found = UNSIGNED.iter().find(|(signed, _)| ir.is(op, signed));
            if let Some((_, unsigned)) = found
                && ir.operands(op).chain(ir.results(op)).all(never_negative)
            {
                become_op(ir, op, unsigned);
                replaced += 1;
            }
        }
    }
    replaced
}

/// Put an op of another kind with the same operands, types and attributes in the place of one
fn become_op(ir: &mut Ir, op: OpId, def: &'static OpDef) {
    let Some(kind) = ir.cx().kind_of(def) else { return };
    let results: Vec<Value> = ir.results(op).collect();
    let parts = Parts { kind, ..ir.parts(op) };
    ir.remake_for(op, &parts, &results);
}
