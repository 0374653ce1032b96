//! The pass `mdh-hoist`: products in reductions, divided by the distributive law.
//!
//! A reduction of a product of several factors becomes two computations: some factors are multiplied first, and reduced over
//! the dimensions that no other factor has; the remaining ones take part once that is done. Thus a factor that is constant in a reduced
//! dimension leaves its reduction, one operand of a triple product is scaled before, and sums of three operands are contracted in pairs.
//! A factor that the body computes from elements that are read at many points is computed once for each element.
//!
//! - [`product`]: a body as a product, and which op distributes over which operator;
//! - [`computed`]: where values of a body vary, and what they cost;
//! - [`choose`]: which factors go first, by counts of operations;
//! - [`split`]: the two computations.

mod choose;
mod computed;
mod product;
mod split;

use choose::{Division, Refusal};
use product::Product;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::SCHEDULE;
use terrace_dialect_mdh::view::View;
use terrace_ir::Ir;
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Divide reductions of products where fewer operations remain
///
/// A computation that reduces a product becomes two where that saves operations: factors that are constant in a reduced dimension
/// leave its reduction, one operand of a triple product is scaled first, and sums of three operands are contracted in
/// pairs. A factor that is computed from elements which are read again at other points goes first as it is, with the same bits. The op of the product must distribute over the operator: `muli` over `add`; `andi` over `or` and `xor`, `ori` over
/// `and`; `min` over `max` and the reverse; `addi` over `min` and `max` where it states that nothing overflows; `mulf` over `add` for floats
/// with the exponents of `f32` at least, unless the order is `source`. Order `source` permits only what multiplies in the same order as the body. A
/// computation with a schedule, conditions or prefixes stays. Remarks state what was divided, and what was refused.
#[pass("mdh-hoist", anchor = "func.func", stats("products divided"))]
pub struct MdhHoist;

impl Pass for MdhHoist {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut pending: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        pending.reverse();
        let mut divided = 0;
        while let Some(op) = pending.pop() {
            let Some((first, second)) = divide(cx, unit, op) else { continue };
            pending.extend([second, first]);
            divided += 1;
        }
        cx.count("products divided", divided);
        cx.set_changed(divided > 0);
        Ok(())
    }
}

/// Divide one computation where that pays
fn divide(cx: &mut PassCx<'_>, ir: &mut Ir, op: Compute) -> Option<(Compute, Compute)> {
    if ir.discardable(op.id(), SCHEDULE).is_some() {
        return None;
    }
    let view = View::read(ir, op).ok()?;
    let product = Product::read(ir, op, &view)?;
    let best = match Division::best(ir, op, &view, &product) {
        Ok(best) => best?,
        Err(Refusal { why, saves }) => {
            remark(
                cx,
                ir,
                op,
                format!("the product is not divided, which would save {saves} operations: {why}"),
            );
            return None;
        }
    };
    let span = ir.span(op.id());
    let said = best.said(ir, &view, &product);
    let (first, second) = split::split(ir, op, &view, &product, &best)?;
    let _ = cx.emit(Diagnostic::remark(None, said).at(span));
    Some((first, second))
}

fn remark(cx: &mut PassCx<'_>, ir: &Ir, op: Compute, said: String) {
    let _ = cx.emit(Diagnostic::remark(None, said).at(ir.span(op.id())));
}
