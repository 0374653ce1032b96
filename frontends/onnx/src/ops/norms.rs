//! Norms, and exponentials by their sums.

use super::reductions::{mean, sum};
use super::{Row, rows};
use crate::call::Call;
use crate::emit::Tensor;
use crate::literal::Literal;
use crate::types::Elem;
use crate::wrong::Done;
use terrace_dialect_stablehlo as stablehlo;
use terrace_frontend_graph::Start;
use terrace_ir::Value;

pub(super) const ROWS: &[Row] = rows! {
    "BatchNormalization" 5..=5, ["epsilon", "momentum", "spatial", "training_mode"], batch;
    "InstanceNormalization" 3..=3, ["epsilon"], instance;
    "LayerNormalization" 2..=3, ["axis", "epsilon", "stash_type"], layer;
    "LogSoftmax" 1..=1, ["axis"], |c| softmax(c, true);
    "Softmax" 1..=1, ["axis"], |c| softmax(c, false);
};

/// With mean and variance of the model: one factor and one summand for each feature
///
/// They are computed once, in double precision, where all four lists are known, and go into the weights of a convolution in front.
fn batch(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let x = c.float_input(0)?;
    if c.int("training_mode", 0)? != 0 {
        return Err(c.no_form("training_mode", 1));
    }
    if c.int("spatial", 1)? != 1 {
        return Err(c.no_form("spatial", 0));
    }
    if x.rank() < 2 {
        return Err(c.shape_wrong(format!("an input of shape {:?} has no features", x.shape)));
    }
    let epsilon = c.float("epsilon", 1e-5)?;
    let mut lists = Vec::new();
    for n in 1..5 {
        let list = c.float_input(n)?;
        if list.shape != [x.shape[1]] {
            let message =
                format!("input {n} has a number for each of {} features, found {:?}", x.shape[1], list.shape);
            return Err(c.shape_wrong(message));
        }
        lists.push(list);
    }
    let [scale, shift, mean, variance] = [0, 1, 2, 3].map(|n: usize| lists[n].clone());
    let known = |tensor: &Tensor| tensor.known().and_then(|known| known.floats());
    let all = (known(&scale), known(&shift), known(&mean), known(&variance));
    let (factor, summand) = if let (Some(scale), Some(shift), Some(mean), Some(variance)) = all {
        let factors: Vec<f64> = scale
            .iter()
            .zip(&variance)
            .map(|(scale, variance)| scale / (variance + epsilon).sqrt())
            .collect();
        let summands =
            shift.iter().zip(&mean).zip(&factors).map(|((shift, mean), factor)| shift - mean * factor);
        let summands: Vec<f64> = summands.collect();
        if let Some(made) = super::scaled::into_convolution(c, &x, &factors, &summands)? {
            return Ok(vec![made]);
        }
        let literal = |c: &mut Call<'_, '_>, what: &str, numbers: &[f64]| {
            let name = format!("{}.{what}", c.node.label);
            let literal = Literal::of_floats(name, x.elem, numbers);
            let literal =
                literal.ok_or_else(|| c.shape_wrong(format!("its {what}s are no numbers of its type")))?;
            Ok::<Value, crate::wrong::Wrong>(c.e.read(&literal.into()))
        };
        (literal(c, "factor", &factors)?, literal(c, "summand", &summands)?)
    } else {
        let [scale, shift, mean, variance] =
            [scale, shift, mean, variance].map(|tensor| (c.e.read(&tensor), tensor.elem));
        let mut values = Vec::new();
        for (value, _) in [scale, shift, mean, variance] {
            values.push(super::elementwise::convert(c, value, x.elem)?);
        }
        let below = c.with(stablehlo::Add::DEF, values[3], epsilon, x.elem)?;
        let below = c.same(stablehlo::Sqrt::DEF, &[below]);
        let factor = c.same(stablehlo::Divide::DEF, &[values[0], below]);
        let less = c.same(stablehlo::Multiply::DEF, &[values[2], factor]);
        (factor, c.same(stablehlo::Subtract::DEF, &[values[1], less]))
    };
    let value = c.e.read(&x);
    let (factor, summand) = (c.along(factor, 1, &x.shape)?, c.along(summand, 1, &x.shape)?);
    let made = c.same(stablehlo::Multiply::DEF, &[value, factor]);
    let made = c.same(stablehlo::Add::DEF, &[made, summand]);
    Ok(vec![c.made(made, x.elem)])
}

/// Differences from the mean along dimensions by the standard deviation; mean and inverse deviation
fn normalized(
    c: &mut Call<'_, '_>,
    (x, elem): (Value, Elem),
    axes: &[i64],
    epsilon: f64,
) -> Done<(Value, [Value; 2])> {
    let shape = c.e.shape(x);
    let center = mean(c, x, axes, elem)?;
    let all = c.spread(center, axes, &shape)?;
    let less = c.same(stablehlo::Subtract::DEF, &[x, all]);
    let squares = c.same(stablehlo::Multiply::DEF, &[less, less]);
    let variance = mean(c, squares, axes, elem)?;
    let variance = c.with(stablehlo::Add::DEF, variance, epsilon, elem)?;
    let inverse = c.same(stablehlo::Rsqrt::DEF, &[variance]);
    let all = c.spread(inverse, axes, &shape)?;
    Ok((c.same(stablehlo::Multiply::DEF, &[less, all]), [center, inverse]))
}

fn instance(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let x = c.float_input(0)?;
    if x.rank() < 3 {
        return Err(c.shape_wrong(format!("an input of shape {:?} has no space", x.shape)));
    }
    let (epsilon, axes) = (c.float("epsilon", 1e-5)?, (2..x.rank() as i64).collect::<Vec<i64>>());
    let value = c.e.read(&x);
    let wide = x.elem.wide();
    let value = super::elementwise::convert(c, value, wide)?;
    let (value, _) = normalized(c, (value, wide), &axes, epsilon)?;
    let value = super::elementwise::convert(c, value, x.elem)?;
    let [factor, summand] = [1, 2].map(|n| c.value_of(n, x.elem));
    let (factor, summand) = (c.along(factor?, 1, &x.shape)?, c.along(summand?, 1, &x.shape)?);
    let made = c.same(stablehlo::Multiply::DEF, &[value, factor]);
    let made = c.same(stablehlo::Add::DEF, &[made, summand]);
    Ok(vec![c.made(made, x.elem)])
}

/// Over the last dimensions, in single precision at least
fn layer(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let x = c.float_input(0)?;
    let first = c.axis(c.int("axis", -1)?, x.rank())?;
    if c.int("stash_type", 1)? != 1 {
        return Err(c.no_form("stash_type", c.int("stash_type", 1)?));
    }
    let axes: Vec<i64> = (first as i64..x.rank() as i64).collect();
    let wide = x.elem.wide();
    let epsilon = c.float("epsilon", 1e-5)?;
    let value = c.e.read(&x);
    let value = super::elementwise::convert(c, value, wide)?;
    let (value, others) = normalized(c, (value, wide), &axes, epsilon)?;
    let value = super::elementwise::convert(c, value, x.elem)?;
    let scale = c.value_of(1, x.elem)?;
    let scale = c.fit(scale, &x.shape)?;
    let mut made = c.same(stablehlo::Multiply::DEF, &[value, scale]);
    if c.optional(2).is_some() {
        let shift = c.value_of(2, x.elem)?;
        let shift = c.fit(shift, &x.shape)?;
        made = c.same(stablehlo::Add::DEF, &[made, shift]);
    }
    let mut all = vec![c.made(made, x.elem)];
    let mut kept = x.shape.clone();
    kept[first..].fill(1);
    for other in others {
        let other = c.e.reshape(other, &kept);
        all.push(c.made(other, wide));
    }
    all.truncate(c.node.proto.output.len().max(1));
    Ok(all)
}

/// Up to version 12 over all dimensions from an axis on, then over one
fn softmax(c: &mut Call<'_, '_>, log: bool) -> Done<Vec<Tensor>> {
    let x = c.float_input(0)?;
    let axes = if c.version() < 13 {
        // The axis may be behind the last dimension.
        let axis = c.int("axis", 1)?;
        let first = if axis == x.rank() as i64 { x.rank() } else { c.axis(axis, x.rank())? };
        (first as i64..x.rank() as i64).collect()
    } else {
        vec![c.axis(c.int("axis", -1)?, x.rank())? as i64]
    };
    let value = c.e.read(&x);
    let most = c.fold(value, &axes, stablehlo::Maximum::DEF, Start::Least)?;
    let most = c.spread(most, &axes, &x.shape)?;
    let less = c.same(stablehlo::Subtract::DEF, &[value, most]);
    let powers = c.same(stablehlo::Exponential::DEF, &[less]);
    let all = sum(c, powers, &axes)?;
    let made = if log {
        let all = c.same(stablehlo::Log::DEF, &[all]);
        let all = c.spread(all, &axes, &x.shape)?;
        c.same(stablehlo::Subtract::DEF, &[less, all])
    } else {
        let all = c.spread(all, &axes, &x.shape)?;
        c.same(stablehlo::Divide::DEF, &[powers, all])
    };
    Ok(vec![c.made(made, x.elem)])
}
