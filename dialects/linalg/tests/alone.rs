//! Without the dialects of its bodies, an op that has one is refused.

use terrace_diag::{Diags, render_all};
use terrace_ir::Context;
use terrace_text::ParseOptions;

#[test]
fn bodies_need_their_dialects() {
    let cx = Context::new(&[
        &terrace_dialect_builtin::BUILTIN,
        &terrace_dialect_func::FUNC,
        &terrace_dialect_linalg::LINALG,
    ]);
    let text = "func.func @f(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%a : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
";
    let source = cx.sources().add("x", text.to_string());
    let mut diags = Diags::default();
    terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
    let shown = render_all(diags.iter(), cx.sources(), false);
    assert!(shown.contains("ops of `arith` and `math`, which are not registered"), "{shown}");
}
