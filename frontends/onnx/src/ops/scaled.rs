//! Factors and summands for each feature, taken into the weights of the convolution in front.
//!
//! `(x ∗ w + b)·f + s` is `x ∗ (w·f) + (b·f + s)`. New weights are computed in double precision and rounded once.

use crate::call::Call;
use crate::emit::Tensor;
use crate::literal::Literal;
use crate::wrong::Done;
use terrace_dialect_stablehlo as stablehlo;
use terrace_ir::{Ir, OpId, Value};

/// A convolution whose weights are an argument that nothing else reads
struct Convolution {
    /// The argument
    weights: Value,
    /// Its dimension that is the features of the result
    features: usize,
    /// The numbers that are added for each feature, an argument as well
    bias: Option<Value>,
}

/// The convolution in front, with factors and summands in its weights; nothing, and nothing has changed, where others read its result or
/// its weights, or new weights are no numbers of their type
pub(super) fn into_convolution(
    c: &mut Call<'_, '_>,
    x: &Tensor,
    factors: &[f64],
    summands: &[f64],
) -> Done<Option<Tensor>> {
    if x.known().is_some() {
        return Ok(None);
    }
    let value = c.e.read(x);
    if c.e.reads_of(value) != 1 {
        return Ok(None);
    }
    let Some(found) = convolution(c, value) else { return Ok(None) };
    let Some(weights) = c.e.weight(found.weights).and_then(|old| times(old, found.features, factors)) else {
        return Ok(None);
    };
    let Some(bias) = found.bias else {
        let name = format!("{}.summand", c.node.label);
        let Some(summands) = Literal::of_floats(name, x.elem, summands).filter(Literal::is_finite) else {
            return Ok(None);
        };
        c.e.set_weight(found.weights, weights);
        let summands = c.e.read(&summands.into());
        let summands = c.along(summands, 1, &x.shape)?;
        let made = c.same(stablehlo::Add::DEF, &[value, summands]);
        return Ok(Some(c.made(made, x.elem)));
    };
    let Some(shifted) = c.e.weight(bias).and_then(|old| shifted(old, factors, summands)) else {
        return Ok(None);
    };
    c.e.set_weight(found.weights, weights);
    c.e.set_weight(bias, shifted);
    Ok(Some(x.clone()))
}

/// The convolution that gives a value, perhaps with a bias
fn convolution(c: &Call<'_, '_>, value: Value) -> Option<Convolution> {
    let ir = &*c.e.ir;
    // Nodes that come later are no uses yet. They read a value by its name, and an argument by the name of a tensor that is known.
    let read = |value: Value, by_name: usize| ir.uses(value).count() == 1 && c.e.reads_of(value) <= by_name;
    let made = ir.defining_op(value)?;
    let (conv, bias): (OpId, Option<Value>) = match stablehlo::Add::cast(ir, made) {
        None => (made, None),
        Some(add) => {
            let [left, right] = [ir.operand(add.id(), 0), ir.operand(add.id(), 1)];
            let spread = stablehlo::BroadcastInDim::cast(ir, ir.defining_op(right)?)?;
            let bias = ir.operand(spread.id(), 0);
            if !read(left, 1) || !read(right, 1) || !read(bias, 0) || !by_feature(ir, spread, bias) {
                return None;
            }
            (ir.defining_op(left)?, Some(bias))
        }
    };
    let conv = stablehlo::Convolution::cast(ir, conv)?;
    let numbers = stablehlo::ConvDimensionNumbers::cast(ir.cx(), conv.dimension_numbers(ir))?;
    let [_, kernel, _] = numbers.dims(ir.cx());
    let weights = conv.rhs(ir);
    read(weights, 0).then_some(Convolution { weights, features: usize::try_from(kernel.second).ok()?, bias })
}

/// Is a tensor spread so that its elements are those of features, and one for all else?
fn by_feature(ir: &Ir, spread: stablehlo::BroadcastInDim, from: Value) -> bool {
    let dims = spread.broadcast_dimensions(ir).as_dense_array(ir.cx()).unwrap_or(&[]);
    let sizes = ir.ty(from).shape(ir.cx()).unwrap_or(&[]);
    dims.len() == sizes.len() && dims.iter().zip(sizes).all(|(dim, size)| *dim == 1 || *size == 1)
}

/// Elements times the factor of their feature
fn times(old: &Literal, features: usize, factors: &[f64]) -> Option<Literal> {
    let numbers = old.floats()?;
    if usize::try_from(*old.shape.get(features)?).ok()? != factors.len() || factors.is_empty() {
        return None;
    }
    let inner = old.shape[features + 1..].iter().product::<i64>().max(1) as usize;
    let numbers = numbers.iter().enumerate().map(|(n, number)| number * factors[n / inner % factors.len()]);
    literal(old, numbers.collect())
}

/// The bias behind the factors
fn shifted(old: &Literal, factors: &[f64], summands: &[f64]) -> Option<Literal> {
    let numbers = old.floats().filter(|numbers| numbers.len() == factors.len())?;
    let numbers =
        numbers.iter().zip(factors).zip(summands).map(|((bias, factor), more)| bias * factor + more);
    literal(old, numbers.collect())
}

/// Finite numbers in the type and shape of others, with a name that says that they are not the model's
fn literal(old: &Literal, numbers: Vec<f64>) -> Option<Literal> {
    let made = Literal::of_floats(format!("{}.scaled", old.name), old.elem, &numbers)?;
    let shape = old.shape.clone();
    Some(Literal { shape, ..made }).filter(Literal::is_finite)
}
