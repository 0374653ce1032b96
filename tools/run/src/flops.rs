//! How many operations on numbers a function does, where its mathematics says so.
//!
//! Counted from `mdh.compute` ops as the author wrote them, so that every back end and every schedule is measured by the
//! same number: for each point, the arithmetic ops of the body and one combination per output if the point is folded into
//! others. `--flops=N` says otherwise; a function may carry `terrace.flops`.

use terrace_dialect_arith as arith;
use terrace_dialect_math as math;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Ir, OpDef, OpId};

/// Operations of one call; `None` if nothing tells
pub(crate) fn of(unit: &Ir) -> Option<u64> {
    let cx = unit.cx();
    if let Some(stated) = unit.attr(unit.root(), "terrace.flops").and_then(|attr| attr.as_int(cx)) {
        return u64::try_from(stated.0).ok();
    }
    let mut all: u64 = 0;
    for op in unit.walk() {
        let Some(compute) = Compute::cast(unit, op) else { continue };
        all = all.checked_add(computation(unit, compute)?)?;
    }
    Some(all).filter(|all| *all > 0)
}

fn computation(unit: &Ir, compute: Compute) -> Option<u64> {
    let view = View::read(unit, compute).ok()?;
    let mut points: u64 = 1;
    for size in view.sizes() {
        points = points.checked_mul(u64::try_from(size).ok()?)?;
    }
    let folded = view.dims.iter().any(|dim| !dim.kind.operators().is_empty());
    let body = compute.body(unit);
    let ops = unit.blocks(body).flat_map(|block| unit.block_ops(block));
    let arithmetic: u64 = ops.map(|op| cost(unit, op)).sum();
    let combinations = if folded { view.outputs.len() as u64 } else { 0 };
    points.checked_mul(arithmetic + combinations)
}

/// Ops of `arith` that only move or compare numbers
const FREE: &[&OpDef] = &[
    arith::Constant::DEF,
    arith::Select::DEF,
    arith::CmpF::DEF,
    arith::CmpI::DEF,
    arith::IndexCast::DEF,
    arith::ExtF::DEF,
    arith::ExtSI::DEF,
    arith::ExtUI::DEF,
    arith::TruncF::DEF,
    arith::TruncI::DEF,
];

/// Operations that an op of a body stands for
fn cost(unit: &Ir, op: OpId) -> u64 {
    let dialect = unit.op_name(op).split('.').next();
    match dialect {
        Some("arith" | "math") if unit.is(op, math::Fma::DEF) => 2,
        Some("arith" | "math") => u64::from(!unit.is_any(op, FREE)),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_diag::Diags;
    use terrace_ir::Context;
    use terrace_text::ParseOptions;

    fn flops(text: &str) -> Option<u64> {
        let cx = Context::new(&terrace_opt::all_dialects());
        let source = cx.sources().add("test", text);
        let parsed = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut Diags::default());
        let ir = parsed.expect("well formed");
        of(terrace_target_api::find(&ir, None).expect("one function").0)
    }

    #[test]
    fn a_product_is_two_per_point() {
        let text = "func.func @f(%A: tensor<3x5xf32>, %B: tensor<5x7xf32>) -> tensor<3x7xf32> {
            %c = mdh.compute (i in 3, j in 7, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
              %p = arith.mulf %a, %b : f32
              mdh.yield %p : f32
            } : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
            return %c : tensor<3x7xf32>
        }";
        assert_eq!(flops(text), Some(2 * 3 * 5 * 7));
    }

    #[test]
    fn what_is_only_kept_combines_nothing() {
        let text = "func.func @f(%A: tensor<9xf32>) -> tensor<9xf32> {
            %c = mdh.compute (i in 9) ins(%a = %A[i]) outs([i]) {
              %p = arith.mulf %a, %a : f32
              mdh.yield %p : f32
            } : (tensor<9xf32>) -> tensor<9xf32>
            return %c : tensor<9xf32>
        }";
        assert_eq!(flops(text), Some(9));
    }

    #[test]
    fn an_author_may_say_it() {
        let text = "func.func @f() attributes {terrace.flops = 12 : i64} {\n  return\n}";
        assert_eq!(flops(text), Some(12));
        assert_eq!(flops("func.func @f() {\n  return\n}"), None);
    }
}
