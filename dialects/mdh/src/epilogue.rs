//! Element-wise computations of what the computation in front gives, point by point.
//!
//! Such a computation may be done where an element of the one in front is complete, while that is in a register: a bias, an activation
//! or a division behind a product or a window. [`find`] is what follows from the computations alone; whether a loop nest has a place
//! for it is the lowering's to see.

use crate::compute::Compute;
use crate::view::{CombineKind, View};
use terrace_ir::{Ir, TypeKind, Value};
use terrace_support::affine::AffineExpr;

/// Discardable attribute of a computation: it is done where the tiles that it reads are complete, if the nest in front has a place
/// for that. Its own schedule stands next to it, for where there is none
pub const EPILOGUE: &str = "mdh.epilogue";

/// How an element-wise computation reads what the one in front gives
pub struct Epilogue {
    /// The computation in front
    pub maker: Compute,
    /// Its result that is read
    pub result: Value,
    /// Inputs that are elements of that result
    pub reads: Vec<usize>,
    /// The dimension along each axis of that result; none along one of a single element
    pub dims: Vec<Option<usize>>,
}

/// Which computation's result this one takes element by element: each of its points reads one element, each element is read, and
/// nothing else of that computation is
pub fn find(ir: &Ir, view: &View) -> Option<Epilogue> {
    let kept = view.dims.iter().all(|dim| dim.kind == CombineKind::Cc && dim.size > 0);
    let plain = view.outputs.iter().all(|out| out.init.is_none() && out.maps.len() == 1);
    // A whole tensor is read at places that the body computes.
    let gathers = view.inputs.iter().any(|input| {
        input.map.is_none() && matches!(ir.ty(input.value).kind(ir.cx()), TypeKind::Tensor { .. })
    });
    if !kept || !plain || !view.conditions.is_empty() || gathers {
        return None;
    }
    view.inputs.iter().find_map(|input| {
        let maker = Compute::cast(ir, ir.defining_op(input.value)?)?;
        of(ir, view, maker, input.value)
    })
}

fn of(ir: &Ir, view: &View, maker: Compute, result: Value) -> Option<Epilogue> {
    let of_maker = |value: Value| ir.defining_op(value) == Some(maker.id());
    let reads: Vec<usize> = (0..view.inputs.len()).filter(|n| of_maker(view.inputs[*n].value)).collect();
    let first = view.inputs[*reads.first()?].map.as_ref()?;
    let same = reads.iter().all(|n| {
        let input = &view.inputs[*n];
        input.value == result && input.map.as_ref() == Some(first) && input.guard.is_none()
    });
    let shape = ir.ty(result).shape(ir.cx())?;
    // A dimension of one coordinate is 0 wherever it stands.
    let one = |n: usize| view.dims[n].size == 1;
    let places: Vec<AffineExpr> =
        (0..view.dims.len()).map(|n| if one(n) { 0.into() } else { AffineExpr::Dim(n as u32) }).collect();
    let dim = |(expr, size): (&AffineExpr, &i64)| match expr.replace(&places, &[])? {
        AffineExpr::Dim(n) if view.dims[n as usize].size == *size => Some(Some(n as usize)),
        AffineExpr::Constant(0) if *size == 1 => Some(None),
        _ => None,
    };
    let dims: Vec<Option<usize>> = first.results.iter().zip(shape).map(dim).collect::<Option<_>>()?;
    let each_once =
        (0..view.dims.len()).all(|n| one(n) || dims.iter().filter(|dim| **dim == Some(n)).count() == 1);
    (same && each_once && !covers_part(ir, maker, result)).then_some(Epilogue { maker, result, reads, dims })
}

/// Are there elements of a result that no point of its computation gives, or that several do in part?
fn covers_part(ir: &Ir, maker: Compute, result: Value) -> bool {
    let Ok(view) = View::read(ir, maker) else { return true };
    let own = ir.results(maker.id()).position(|other| other == result);
    let Some([place]) = own.map(|own| view.outputs[own].maps.as_slice()) else { return true };
    let shape = ir.ty(result).shape(ir.cx()).unwrap_or(&[]);
    let alone = place.results.iter().zip(shape).all(|(expr, size)| match expr {
        AffineExpr::Dim(n) => view.dims[*n as usize].size == *size,
        _ => false,
    });
    !alone || !view.conditions.is_empty()
}
