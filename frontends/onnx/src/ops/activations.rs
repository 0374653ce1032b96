//! Activations: functions of one element that networks have between layers.

use super::elementwise::float;
use super::{Row, rows};
use crate::call::Call;
use crate::emit::Tensor;
use crate::types::Elem;
use crate::wrong::Done;
use terrace_dialect_stablehlo as stablehlo;
use terrace_dialect_stablehlo::ComparisonDirection;
use terrace_ir::Value;

pub(super) const ROWS: &[Row] = rows! {
    "Celu" 1..=1, ["alpha"], celu;
    "Clip" 1..=3, ["min", "max"], clip;
    "Elu" 1..=1, ["alpha"], elu;
    "Gelu" 1..=1, ["approximate"], gelu;
    "HardSigmoid" 1..=1, ["alpha", "beta"], hard_sigmoid;
    "HardSwish" 1..=1, [], hard_swish;
    "LeakyRelu" 1..=1, ["alpha"], leaky_relu;
    "Mish" 1..=1, [], mish;
    "PRelu" 2..=2, [], prelu;
    "Relu" 1..=1, [], relu;
    "Selu" 1..=1, ["alpha", "gamma"], selu;
    "Sigmoid" 1..=1, [], |c| float(c, stablehlo::Logistic::DEF);
    "Softplus" 1..=1, [], |c| of_floats(c, softplus);
    "Softsign" 1..=1, [], softsign;
    "ThresholdedRelu" 1..=1, ["alpha"], thresholded_relu;
};

/// What a function makes of an input of floats
fn of_floats(
    c: &mut Call<'_, '_>,
    make: impl FnOnce(&mut Call<'_, '_>, Value, Elem) -> Done<Value>,
) -> Done<Vec<Tensor>> {
    let elem = c.float_input(0)?.elem;
    let (_, value) = c.value(0)?;
    let made = make(c, value, elem)?;
    Ok(vec![c.made(made, elem)])
}

/// One of two values for each element, by how it compares with a number
fn when(
    c: &mut Call<'_, '_>,
    (x, direction, number): (Value, ComparisonDirection, f64),
    (yes, no): (Value, Value),
    elem: Elem,
) -> Done<Value> {
    let shape = c.e.shape(x);
    let number = c.splat(number, elem, &shape)?;
    let which = c.compare(x, number, direction);
    let ty = c.e.ir.ty(yes);
    Ok(c.e.value(stablehlo::Select::DEF, &[which, yes, no], ty))
}

fn relu(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (tensor, value) = c.value(0)?;
    let made = c.with(stablehlo::Maximum::DEF, value, 0.0, tensor.elem)?;
    Ok(vec![c.made(made, tensor.elem)])
}

fn leaky_relu(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let alpha = c.float("alpha", 0.01)?;
    of_floats(c, |c, x, elem| {
        let small = c.with(stablehlo::Multiply::DEF, x, alpha, elem)?;
        // The greater of both is meant: one op less. Not if the factor may be 0 in the type: infinity by 0 is
        // no number.
        if (1e-4..=1.0).contains(&alpha) {
            return Ok(c.same(stablehlo::Maximum::DEF, &[x, small]));
        }
        when(c, (x, ComparisonDirection::Lt, 0.0), (small, x), elem)
    })
}

fn prelu(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (tensor, x) = c.value(0)?;
    let slope = c.value_of(1, tensor.elem)?;
    let slope = c.fit(slope, &tensor.shape)?;
    let small = c.same(stablehlo::Multiply::DEF, &[x, slope]);
    let made = when(c, (x, ComparisonDirection::Lt, 0.0), (small, x), tensor.elem)?;
    Ok(vec![c.made(made, tensor.elem)])
}

/// Bounds are attributes up to version 10, then inputs; either may be absent
fn clip(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (tensor, mut value) = c.value(0)?;
    let sides = [("min", stablehlo::Maximum::DEF, 1), ("max", stablehlo::Minimum::DEF, 2)];
    for (name, def, n) in sides {
        let bound = match c.optional(n) {
            Some(bound) => c.e.read(&bound),
            None => match crate::attributes::float(c.node, name)? {
                Some(number) => c.splat(number, tensor.elem, &[])?,
                None => continue,
            },
        };
        if c.e.elem(bound) != c.e.elem(value) {
            return Err(c.shape_wrong(format!("`{name}` has another type than the input")));
        }
        let bound = c.fit(bound, &tensor.shape)?;
        value = c.same(def, &[value, bound]);
    }
    if c.inputs.len() == 1 && c.node.proto.attribute.is_empty() {
        return Ok(vec![tensor]);
    }
    Ok(vec![c.made(value, tensor.elem)])
}

fn elu(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let alpha = c.float("alpha", 1.0)?;
    of_floats(c, |c, x, elem| {
        let below = c.same(stablehlo::ExponentialMinusOne::DEF, &[x]);
        let below = c.with(stablehlo::Multiply::DEF, below, alpha, elem)?;
        when(c, (x, ComparisonDirection::Gt, 0.0), (x, below), elem)
    })
}

fn selu(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (alpha, gamma) =
        (c.float("alpha", 1.673_263_192_176_818_8)?, c.float("gamma", 1.050_701_022_148_132_3)?);
    of_floats(c, |c, x, elem| {
        let below = c.same(stablehlo::ExponentialMinusOne::DEF, &[x]);
        let below = c.with(stablehlo::Multiply::DEF, below, alpha, elem)?;
        let both = when(c, (x, ComparisonDirection::Gt, 0.0), (x, below), elem)?;
        c.with(stablehlo::Multiply::DEF, both, gamma, elem)
    })
}

fn celu(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let alpha = c.float("alpha", 1.0)?;
    of_floats(c, |c, x, elem| {
        let below = c.with(stablehlo::Divide::DEF, x, alpha, elem)?;
        let below = c.same(stablehlo::ExponentialMinusOne::DEF, &[below]);
        let below = c.with(stablehlo::Multiply::DEF, below, alpha, elem)?;
        let below = c.with(stablehlo::Minimum::DEF, below, 0.0, elem)?;
        let above = c.with(stablehlo::Maximum::DEF, x, 0.0, elem)?;
        Ok(c.same(stablehlo::Add::DEF, &[above, below]))
    })
}

fn thresholded_relu(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let alpha = c.float("alpha", 1.0)?;
    of_floats(c, |c, x, elem| {
        let shape = c.e.shape(x);
        let zero = c.splat(0.0, elem, &shape)?;
        when(c, (x, ComparisonDirection::Gt, alpha), (x, zero), elem)
    })
}

fn hard_sigmoid(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (alpha, beta) = (c.float("alpha", 0.2)?, c.float("beta", 0.5)?);
    of_floats(c, |c, x, elem| ramp(c, x, (alpha, beta), elem))
}

/// A line between 0 and 1
fn ramp(c: &mut Call<'_, '_>, x: Value, (alpha, beta): (f64, f64), elem: Elem) -> Done<Value> {
    let line = c.with(stablehlo::Multiply::DEF, x, alpha, elem)?;
    let line = c.with(stablehlo::Add::DEF, line, beta, elem)?;
    let line = c.with(stablehlo::Maximum::DEF, line, 0.0, elem)?;
    c.with(stablehlo::Minimum::DEF, line, 1.0, elem)
}

fn hard_swish(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    of_floats(c, |c, x, elem| {
        let factor = ramp(c, x, (1.0 / 6.0, 0.5), elem)?;
        Ok(c.same(stablehlo::Multiply::DEF, &[x, factor]))
    })
}

/// log(1 + exp(x)), where exp(x) may be too large
fn softplus(c: &mut Call<'_, '_>, x: Value, elem: Elem) -> Done<Value> {
    let away = c.same(stablehlo::Abs::DEF, &[x]);
    let away = c.same(stablehlo::Negate::DEF, &[away]);
    let away = c.same(stablehlo::Exponential::DEF, &[away]);
    let away = c.same(stablehlo::LogPlusOne::DEF, &[away]);
    let above = c.with(stablehlo::Maximum::DEF, x, 0.0, elem)?;
    Ok(c.same(stablehlo::Add::DEF, &[above, away]))
}

fn mish(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    of_floats(c, |c, x, elem| {
        let factor = softplus(c, x, elem)?;
        let factor = c.same(stablehlo::Tanh::DEF, &[factor]);
        Ok(c.same(stablehlo::Multiply::DEF, &[x, factor]))
    })
}

fn softsign(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    of_floats(c, |c, x, elem| {
        let below = c.same(stablehlo::Abs::DEF, &[x]);
        let below = c.with(stablehlo::Add::DEF, below, 1.0, elem)?;
        Ok(c.same(stablehlo::Divide::DEF, &[x, below]))
    })
}

fn gelu(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let tanh = match c.text("approximate", "none")? {
        "none" => false,
        "tanh" => true,
        other => return Err(c.no_form("approximate", other)),
    };
    of_floats(c, |c, x, elem| {
        let inner = if tanh {
            let cube = c.same(stablehlo::Multiply::DEF, &[x, x]);
            let cube = c.same(stablehlo::Multiply::DEF, &[cube, x]);
            let cube = c.with(stablehlo::Multiply::DEF, cube, 0.044715, elem)?;
            let sum = c.same(stablehlo::Add::DEF, &[x, cube]);
            let sum = c.with(stablehlo::Multiply::DEF, sum, (2.0 / std::f64::consts::PI).sqrt(), elem)?;
            c.same(stablehlo::Tanh::DEF, &[sum])
        } else {
            let inner = c.with(stablehlo::Multiply::DEF, x, std::f64::consts::FRAC_1_SQRT_2, elem)?;
            c.same(stablehlo::Erf::DEF, &[inner])
        };
        let factor = c.with(stablehlo::Add::DEF, inner, 1.0, elem)?;
        let factor = c.with(stablehlo::Multiply::DEF, factor, 0.5, elem)?;
        Ok(c.same(stablehlo::Multiply::DEF, &[x, factor]))
    })
}
