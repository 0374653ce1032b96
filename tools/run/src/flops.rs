//! How many operations on numbers a function does, where its mathematics says so.
//!
//! Counted from `mdh.compute` ops as the author wrote them ([`operations`]), so that every back end and every schedule is measured by the
//! same number. `--flops=N` says otherwise; a function may carry `terrace.flops`.

use terrace_dialect_mdh::Compute;
use terrace_ir::Ir;
use terrace_search_graphs::operations;

/// Operations of one call; `None` if nothing tells
pub(crate) fn of(unit: &Ir) -> Option<u64> {
    let cx = unit.cx();
    if let Some(stated) = unit.attr(unit.root(), "terrace.flops").and_then(|attr| attr.as_int(cx)) {
        return u64::try_from(stated.0).ok();
    }
    let mut all: u64 = 0;
    for op in unit.walk() {
        let Some(compute) = Compute::cast(unit, op) else { continue };
        all = all.checked_add(operations(unit, compute)?)?;
    }
    Some(all).filter(|all| *all > 0)
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
