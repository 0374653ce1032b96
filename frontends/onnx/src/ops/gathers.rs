//! Operators that read at places that are data.

use super::{Row, rows};
use crate::call::Call;
use crate::emit::Tensor;
use crate::wrong::Done;
use terrace_dialect_stablehlo as stablehlo;
use terrace_dialect_stablehlo::ComparisonDirection;

pub(super) const ROWS: &[Row] = rows! {
    "Gather" 2..=2, ["axis"], gather;
};

/// Places count from the end where they are negative; outside there is no element, which StableHLO clamps
fn gather(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (x, value) = c.value(0)?;
    let (places, at) = c.value(1)?;
    if places.elem.is_float() || places.elem.bytes() < 4 {
        return Err(c.shape_wrong(format!("places are int32 or int64, not {}", places.elem.name())));
    }
    let axis = c.axis(c.int("axis", 0)?, x.rank())?;
    let shape = [&x.shape[..axis], &places.shape, &x.shape[axis + 1..]].concat();
    let ty = c.ty(x.elem, &shape)?;
    let zero = c.splat(0.0, places.elem, &places.shape)?;
    let negative = c.compare(at, zero, ComparisonDirection::Lt);
    let moved = c.with(stablehlo::Add::DEF, at, x.shape[axis] as f64, places.elem)?;
    let kind = c.e.ir.ty(at);
    let at = c.e.value(stablehlo::Select::DEF, &[negative, moved, at], kind);
    let rank = places.rank();
    let offsets: Vec<i64> = (0..axis).chain(axis + rank..shape.len()).map(|dim| dim as i64).collect();
    let mut sizes = x.shape.clone();
    sizes[axis] = 1;
    let cx = c.e.cx();
    let one = cx.i64_array(&[axis as i64]);
    let none = cx.i64_array(&[]);
    let number = cx.int_attr(rank as i128, cx.common().i64);
    let offsets = cx.i64_array(&offsets);
    let numbers = stablehlo::GatherDimensionNumbers::get(cx, offsets, one, none, none, one, number);
    let sizes = cx.i64_array(&sizes);
    let made = stablehlo::Gather::build(&mut c.e.b(), value, at, numbers, sizes, ty).result(c.e.ir);
    Ok(vec![c.made(made, x.elem)])
}
