//! Products of matrices.

use super::{Row, rows};
use crate::call::Call;
use crate::emit::Tensor;
use crate::wrong::Done;
use terrace_dialect_stablehlo as stablehlo;
use terrace_frontend_graph::broadcast_shape;
use terrace_ir::{Type, Value};

pub(super) const ROWS: &[Row] = rows! {
    "Gemm" 2..=3, ["alpha", "beta", "transA", "transB"], gemm;
    "MatMul" 2..=2, [], matmul;
};

/// Sums over one dimension of each side, for each element of the first `shared` ones
fn product(c: &mut Call<'_, '_>, sides: [Value; 2], shared: usize, summed: [usize; 2], ty: Type) -> Value {
    let cx = c.e.cx();
    let shared = cx.i64_array(&(0..shared as i64).collect::<Vec<i64>>());
    let [left, right] = summed.map(|dim| cx.i64_array(&[dim as i64]));
    let numbers = stablehlo::DotDimensionNumbers::get(cx, shared, shared, left, right);
    let made = stablehlo::DotGeneral::build(&mut c.e.b(), sides[0], sides[1], numbers, ty);
    made.result(c.e.ir)
}

fn pair(c: &Call<'_, '_>) -> Done<[Tensor; 2]> {
    let (a, b) = (c.input(0)?, c.input(1)?);
    match a.elem == b.elem {
        true => Ok([a, b]),
        false => {
            let (a, b) = (a.elem.name(), b.elem.name());
            Err(c.shape_wrong(format!("inputs are of one type, found {a} and {b}")))
        }
    }
}

fn gemm(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let [a, b] = pair(c)?;
    let (turned_a, turned_b) = (c.int("transA", 0)? != 0, c.int("transB", 0)? != 0);
    let (left, right) = (usize::from(!turned_a), usize::from(turned_b));
    if a.rank() != 2 || b.rank() != 2 || a.shape[left] != b.shape[right] {
        let message = format!(
            "matrices of shapes {:?}{} and {:?}{} have no product",
            a.shape,
            if turned_a { " transposed" } else { "" },
            b.shape,
            if turned_b { " transposed" } else { "" }
        );
        return Err(c.shape_wrong(message));
    }
    let shape = [a.shape[1 - left], b.shape[1 - right]];
    let ty = c.ty(a.elem, &shape)?;
    let sides = [c.e.read(&a), c.e.read(&b)];
    let mut made = product(c, sides, 0, [left, right], ty);
    made = scaled(c, made, "alpha", &a)?;
    if let Some(more) = c.optional(2) {
        if more.elem != a.elem {
            return Err(c.shape_wrong("what is added has another type than the matrices"));
        }
        let value = c.e.read(&more);
        let value = scaled(c, value, "beta", &a)?;
        let value = c.fit(value, &shape)?;
        made = c.same(stablehlo::Add::DEF, &[made, value]);
    }
    Ok(vec![c.made(made, a.elem)])
}

fn scaled(c: &mut Call<'_, '_>, value: Value, name: &str, of: &Tensor) -> Done<Value> {
    match c.float(name, 1.0)? {
        1.0 => Ok(value),
        factor => c.with(stablehlo::Multiply::DEF, value, factor, of.elem),
    }
}

/// As in numpy: a list is a row on the left and a column on the right; other dimensions are broadcast
fn matmul(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let [a, b] = pair(c)?;
    let no_product =
        |c: &Call<'_, '_>| c.shape_wrong(format!("shapes {:?} and {:?} have no product", a.shape, b.shape));
    if a.rank() == 0 || b.rank() == 0 {
        return Err(no_product(c));
    }
    let left = if a.rank() == 1 { vec![1, a.shape[0]] } else { a.shape.clone() };
    let right = if b.rank() == 1 { vec![b.shape[0], 1] } else { b.shape.clone() };
    let (rows, columns) = (left[left.len() - 2], right[right.len() - 1]);
    let summed = left[left.len() - 1];
    if summed != right[right.len() - 2] {
        return Err(no_product(c));
    }
    let batches = broadcast_shape(&left[..left.len() - 2], &right[..right.len() - 2]);
    let batches = batches.ok_or_else(|| no_product(c))?;
    let shape = [&batches[..], &[rows, columns]].concat();
    let ty = c.ty(a.elem, &shape)?;
    let (x, y) = (c.e.read(&a), c.e.read(&b));
    let (x, y) = (c.e.reshape(x, &left), c.e.reshape(y, &right));
    let made = match right.len() {
        // One matrix for all batches on the left.
        2 => product(c, [x, y], 0, [left.len() - 1, 0], ty),
        _ => {
            let x = c.fit(x, &[&batches[..], &left[left.len() - 2..]].concat())?;
            let y = c.fit(y, &[&batches[..], &right[right.len() - 2..]].concat())?;
            let shared = batches.len();
            product(c, [x, y], shared, [shared + 1, shared], ty)
        }
    };
    let mut result = shape;
    if b.rank() == 1 {
        result.pop();
    }
    if a.rank() == 1 {
        result.remove(result.len() - if b.rank() == 1 { 1 } else { 2 });
    }
    let made = c.e.reshape(made, &result);
    Ok(vec![c.made(made, a.elem)])
}
