//! A run of rules that undo each other ends with an error that names them, also where each puts a new op in the old one's
//! place.

use terrace_diag::Diags;
use terrace_dialect_arith as arith;
use terrace_ir::{Context, Ir, OpId, Value};
use terrace_rewrite::{FnRule, Greedy, Miss, Rewriter, Rule};
use terrace_text::ParseOptions;

fn operands(ir: &Ir, op: OpId) -> Result<[Value; 2], Miss> {
    Ok([ir.operand(op, 0), ir.operand(op, 1)])
}

static TO_PRODUCT: FnRule<[Value; 2]> = FnRule {
    name: "sum_to_product",
    root: Some(arith::AddI::DEF),
    find: operands,
    put: |rw: &mut Rewriter<'_>, op, [a, b]| {
        let new = rw.build_before(op, |builder| arith::MulI::build(builder, a, b)).id();
        let value = rw.ir().result(new, 0);
        rw.replace(op, &[value]);
    },
};
static TO_SUM: FnRule<[Value; 2]> = FnRule {
    name: "product_to_sum",
    root: Some(arith::MulI::DEF),
    find: operands,
    put: |rw: &mut Rewriter<'_>, op, [a, b]| {
        let new = rw.build_before(op, |builder| arith::AddI::build(builder, a, b)).id();
        let value = rw.ir().result(new, 0);
        rw.replace(op, &[value]);
    },
};

#[test]
fn rules_that_replace_their_ops_are_named() {
    let cx = Context::new(&[
        &terrace_dialect_builtin::BUILTIN,
        &terrace_dialect_arith::ARITH,
        &terrace_dialect_func::FUNC,
    ]);
    let text =
        "func.func @f(%a: i32, %b: i32) -> i32 {\n  %c = arith.addi %a, %b : i32\n  return %c : i32\n}\n";
    let source = cx.sources().add("x", text.to_string());
    let mut diags = Diags::default();
    let mut module =
        terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags).expect("it is read");
    let rules: [&'static dyn Rule; 2] = [&TO_PRODUCT, &TO_SUM];
    let unit = module.children_mut().next().expect("the function");
    let error = Greedy::new(&cx, rules).run(unit).diverged.expect("it does not end");
    assert_eq!(error.code.map(|code| code.id), Some("E0201"));
    let note = &error.notes[0].text;
    let step = "`sum_to_product` on 'arith.addi', `product_to_sum` on 'arith.muli'";
    assert!(note.starts_with("applied last: ") && note.contains(step), "{note}");
    assert_eq!(note.matches(" on ").count(), 8, "{note}");
}
