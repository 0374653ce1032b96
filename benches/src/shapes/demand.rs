//! What a program has to do at least: read its arguments, write its results, multiply and add what it sums.

use terrace_dialect_arith::MulF;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::symmetric;
use terrace_dialect_mdh::view::{CombineKind, Input, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_dialect_sched::Builtin;
use terrace_ir::{Ir, OpId};
use terrace_support::affine::AffineExpr;

use super::signature::{Signature, Tensor};
use crate::bound::Demand;

/// Of a program's first function, as the front end makes it
pub fn of(ir: &Ir, signature: &Signature) -> Demand {
    let mut whole = vec![true; signature.inputs.len()];
    let mut operations = 0.0;
    let function = ir.walk().find_map(|op| ir.child(op));
    let Some(ir) = function else { return Demand::default() };
    for compute in ir.walk().filter_map(|op| Compute::cast(ir, op)) {
        let Ok(view) = View::read(ir, compute) else { continue };
        operations += sums_of_products(ir, compute, &view).unwrap_or(0.0);
        // Of a tensor whose elements are found by number, few may be read.
        let arguments = ir.block(compute.id()).map_or(&[][..], |block| ir.block_args(block));
        for input in view.inputs.iter().filter(|input| input.map.is_none()) {
            let number = arguments.iter().position(|argument| *argument == input.value);
            number.and_then(|number| whole.get_mut(number)).into_iter().for_each(|whole| *whole = false);
        }
    }
    let read =
        signature.inputs.iter().zip(whole).filter(|(_, whole)| *whole).map(|(tensor, _)| bytes(tensor));
    let traffic = Some((read.sum(), signature.outputs.iter().map(bytes).sum()));
    Demand { traffic, operations: (operations > 0.0).then_some(operations) }
}

/// Multiplications and additions of a sum of products of two elements, in those of `f32`. None for other computations, and for types
/// that a processor may multiply at another rate
fn sums_of_products(ir: &Ir, compute: Compute, view: &View) -> Option<f64> {
    let add = |dim: &CombineKind| matches!(dim, CombineKind::Pw(operators, _) if matches!(operators[..], [Operator::Builtin(Builtin::Add)]));
    let body: Vec<OpId> = ir.block_ops(ir.entry(compute.body(ir))?).collect();
    let [product, last] = body[..] else { return None };
    let [left, right] = &view.inputs[..] else { return None };
    let sums = view.dims.iter().any(|dim| add(&dim.kind)) && view.conditions.is_empty();
    if !(sums && ir.is(product, MulF::DEF) && ir.is(last, Yield::DEF)) {
        return None;
    }
    let weight = match ir.ty(ir.result(product, 0)).bit_width(ir.cx())? {
        32 => 1.0,
        64 => 2.0,
        _ => return None,
    };
    let sizes: Vec<i64> = view.dims.iter().map(|dim| dim.size).collect();
    let points: f64 = sizes.iter().map(|size| *size as f64).product();
    let inside: f64 = [left, right].into_iter().map(|input| share_inside(ir, input, &sizes)).product();
    // A tensor times its own transposed: half of the products are the others.
    let distinct = if symmetric::find(ir, compute, view).is_some() { 0.5 } else { 1.0 };
    Some(2.0 * weight * points * inside * distinct)
}

/// Part of all points at which an input has an element: zeros around it need no multiplication
fn share_inside(ir: &Ir, input: &Input, sizes: &[i64]) -> f64 {
    let shape = ir.ty(input.value).shape(ir.cx()).unwrap_or(&[]);
    let padded = input.map.iter().filter(|_| input.other.is_some());
    let places = padded.flat_map(|map| map.results.iter()).zip(shape);
    let shares = places.map(|(place, extent)| {
        let points = values(place, sizes);
        let inside = points.iter().filter(|value| (0..*extent).contains(*value)).count();
        if points.is_empty() { 1.0 } else { inside as f64 / points.len() as f64 }
    });
    shares.product()
}

/// Values of an expression at all points of the dimensions that it has
fn values(expr: &AffineExpr, sizes: &[i64]) -> Vec<i64> {
    let mut points = vec![vec![0; sizes.len()]];
    for (dim, size) in sizes.iter().enumerate().filter(|(dim, _)| expr.uses_dim(*dim as u32)) {
        let at = |point: &Vec<i64>, value| {
            let mut point = point.clone();
            point[dim] = value;
            point
        };
        points = points.iter().flat_map(|point| (0..*size).map(move |value| at(point, value))).collect();
    }
    points.iter().filter_map(|point| expr.eval(point, &[])).collect()
}

fn bytes(tensor: &Tensor) -> u64 {
    let bits: u64 = tensor.elem.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(64);
    tensor.shape.iter().product::<u64>() * bits.div_ceil(8)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::signature;
    use super::*;

    fn demand(text: &str) -> Demand {
        let (signature, module) = signature::read(Path::new("a.tensor"), text, &[]).expect("it is right");
        of(&module, &signature)
    }

    #[test]
    fn a_product_reads_writes_and_computes() {
        let product = demand("A : f32 [3, 5]; B : f32 [5, 7]; C[i, j] = sum{k} A[i, k] * B[k, j];");
        assert_eq!(
            product,
            Demand { traffic: Some((4 * (15 + 35), 4 * 21)), operations: Some(2.0 * 3.0 * 5.0 * 7.0) }
        );
    }

    #[test]
    fn a_type_counts_by_its_width() {
        let double = demand("A : f64 [3, 5]; b : f64 [5]; c[i] = sum{k} A[i, k] * b[k];");
        assert_eq!(double, Demand { traffic: Some((8 * 20, 8 * 3)), operations: Some(2.0 * 2.0 * 15.0) });
        let half = demand("A : f16 [3, 5]; b : f16 [5]; c[i] = sum{k} A[i, k] * b[k];");
        assert_eq!(half.operations, None);
    }

    #[test]
    fn half_of_a_gram_matrix_is_the_other_half() {
        let gram = demand("A : f32 [3, 5]; C[i, j] = sum{k} A[i, k] * A[j, k];");
        assert_eq!(gram.operations, Some(45.0));
        let square = demand("A : f32 [5, 5]; C[i, j] = sum{k} A[i, k] * A[k, j];");
        assert_eq!(square.operations, Some(250.0));
    }

    #[test]
    fn zeros_around_an_image_are_not_multiplied() {
        let padded = demand("X : f32 [8]; F : f32 [3]; Y[i in 8] = sum{r} (X[i + r - 1] else 0) * F[r];");
        assert_eq!(padded.operations, Some(2.0 * 22.0));
    }

    #[test]
    fn a_table_that_is_read_by_number_is_not_traffic() {
        let rows = demand("E : f32 [30, 4]; t : i32 [5]; y[n, d] = E[t[n], d];");
        assert_eq!(rows, Demand { traffic: Some((4 * 5, 4 * 20)), operations: None });
    }
}
