//! What stands for elements outside of a tensor, where no point reads one: a border of no elements.
//!
//! Without it an operand is plain. So a convolution of one tap, written with the border that others have, is a product of matrices.

use super::producer;
use terrace_dialect_mdh::view::{Input, Other};
use terrace_dialect_mdh::{Compute, range};
use terrace_ir::{Attr, Ir};
use terrace_support::affine::AffineExpr;

/// Leaves out the constants that no point needs; `None` if there are none
///
/// Coordinates and extents are numbers here: an extent that is known at run time is a number below a bound, and an element may be outside.
pub fn left_out(ir: &mut Ir, op: Compute) -> Option<()> {
    let view = producer::plain(ir, op).filter(|view| view.extents.is_empty())?;
    let sizes = view.sizes();
    let unit = ir.cx().common().unit;
    let elses = op.elses(ir)?.as_array(ir.cx())?.to_vec();
    let needless = |input: &Input| {
        matches!(input.other, Some(Other::Constant(_)))
            && input.guard.is_none()
            && is_inside(ir, input, &sizes)
    };
    let kept: Vec<Attr> = elses
        .iter()
        .zip(&view.inputs)
        .map(|(own, input)| if needless(input) { unit } else { *own })
        .collect();
    if kept == elses {
        return None;
    }
    let any = kept.iter().any(|own| *own != unit);
    let kept = any.then(|| ir.cx().array_attr(&kept));
    op.set_elses(ir, kept);
    Some(())
}

/// Is every subscript between the ends of the tensor at every point?
fn is_inside(ir: &Ir, input: &Input, sizes: &[i64]) -> bool {
    let Some(map) = &input.map else { return false };
    let shape = ir.ty(input.value).shape(ir.cx()).unwrap_or(&[]);
    let inside = |(expr, extent): (&AffineExpr, &i64)| {
        range(expr, sizes).is_some_and(|(first, last)| first >= 0 && last < *extent)
    };
    map.results.len() == shape.len() && map.results.iter().zip(shape).all(inside)
}
