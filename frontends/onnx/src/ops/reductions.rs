//! Reductions of dimensions.

use super::elementwise::convert;
use super::{Row, rows};
use crate::call::Call;
use crate::emit::Tensor;
use crate::types::Elem;
use crate::wrong::Done;
use terrace_dialect_stablehlo as stablehlo;
use terrace_frontend_graph::Start;
use terrace_ir::Value;

pub(super) const ROWS: &[Row] = rows! {
    "ReduceL1" 1..=2, ATTRS, |c| with(c, |c, x, axes, _| { let x = magnitude(c, x); sum(c, x, axes) });
    "ReduceL2" 1..=2, ATTRS, |c| with(c, |c, x, axes, _| {
        c.float_input(0)?;
        let all = squares(c, x, axes)?;
        Ok(c.same(stablehlo::Sqrt::DEF, &[all]))
    });
    "ReduceLogSum" 1..=2, ATTRS, |c| with(c, |c, x, axes, _| {
        c.float_input(0)?;
        let all = sum(c, x, axes)?;
        Ok(c.same(stablehlo::Log::DEF, &[all]))
    });
    "ReduceLogSumExp" 1..=2, ATTRS, |c| with(c, log_sum_exp);
    "ReduceMax" 1..=2, ATTRS, |c| with(c, |c, x, axes, _| c.fold(x, axes, stablehlo::Maximum::DEF, Start::Least));
    "ReduceMean" 1..=2, ATTRS, |c| with(c, mean);
    "ReduceMin" 1..=2, ATTRS, |c| with(c, |c, x, axes, _| c.fold(x, axes, stablehlo::Minimum::DEF, Start::Most));
    "ReduceProd" 1..=2, ATTRS, |c| with(c, |c, x, axes, _| c.fold(x, axes, stablehlo::Multiply::DEF, Start::One));
    "ReduceSum" 1..=2, ATTRS, |c| with(c, |c, x, axes, _| sum(c, x, axes));
    "ReduceSumSquare" 1..=2, ATTRS, |c| with(c, |c, x, axes, _| squares(c, x, axes));
};

const ATTRS: [&str; 3] = ["axes", "keepdims", "noop_with_empty_axes"];

fn with(
    c: &mut Call<'_, '_>,
    make: impl FnOnce(&mut Call<'_, '_>, Value, &[i64], Elem) -> Done<Value>,
) -> Done<Vec<Tensor>> {
    let (x, value) = c.value(0)?;
    let said = match c.known_ints_if(1, "the axes")? {
        Some(axes) => axes,
        None => c.ints("axes")?.unwrap_or_default(),
    };
    let mut axes = c.axes(&said, x.rank())?;
    if axes.is_empty() && c.int("noop_with_empty_axes", 0)? == 0 {
        axes = (0..x.rank() as i64).collect();
    }
    let made = make(c, value, &axes, x.elem)?;
    let made = match c.int("keepdims", 1)? {
        0 => made,
        _ => {
            let size = |(n, size): (usize, &i64)| if axes.contains(&(n as i64)) { 1 } else { *size };
            let shape: Vec<i64> = x.shape.iter().enumerate().map(size).collect();
            c.e.reshape(made, &shape)
        }
    };
    Ok(vec![c.made(made, x.elem)])
}

pub(super) fn sum(c: &mut Call<'_, '_>, x: Value, axes: &[i64]) -> Done<Value> {
    c.fold(x, axes, stablehlo::Add::DEF, Start::Zero)
}

fn magnitude(c: &mut Call<'_, '_>, x: Value) -> Value {
    let elem = c.e.elem(x);
    let unsigned =
        matches!(elem.kind(c.e.cx()), terrace_ir::TypeKind::Int { sign: terrace_ir::Sign::Unsigned, .. });
    if unsigned { x } else { c.same(stablehlo::Abs::DEF, &[x]) }
}

fn squares(c: &mut Call<'_, '_>, x: Value, axes: &[i64]) -> Done<Value> {
    let all = c.same(stablehlo::Multiply::DEF, &[x, x]);
    sum(c, all, axes)
}

pub(super) fn mean(c: &mut Call<'_, '_>, x: Value, axes: &[i64], elem: Elem) -> Done<Value> {
    let shape = c.e.shape(x);
    let count: i64 = axes.iter().map(|axis| shape[*axis as usize]).product();
    let x = convert(c, x, elem.wide())?;
    let all = sum(c, x, axes)?;
    let made = c.with(stablehlo::Divide::DEF, all, count as f64, elem.wide())?;
    convert(c, made, elem)
}

/// The greatest is taken out, so that no power is too large
fn log_sum_exp(c: &mut Call<'_, '_>, x: Value, axes: &[i64], elem: Elem) -> Done<Value> {
    c.float_input(0)?;
    let shape = c.e.shape(x);
    let most = c.fold(x, axes, stablehlo::Maximum::DEF, Start::Least)?;
    // Not where it is infinite: the difference would be no number.
    let ty = {
        let cx = c.e.cx();
        cx.tensor(&c.e.shape(most), cx.common().i1)
    };
    let finite = c.e.value(stablehlo::IsFinite::DEF, &[most], ty);
    let sizes = c.e.shape(most);
    let zero = c.splat(0.0, elem, &sizes)?;
    let ty = c.e.ir.ty(most);
    let most = c.e.value(stablehlo::Select::DEF, &[finite, most, zero], ty);
    let spread = c.spread(most, axes, &shape)?;
    let less = c.same(stablehlo::Subtract::DEF, &[x, spread]);
    let powers = c.same(stablehlo::Exponential::DEF, &[less]);
    let all = sum(c, powers, axes)?;
    let log = c.same(stablehlo::Log::DEF, &[all]);
    Ok(c.same(stablehlo::Add::DEF, &[log, most]))
}
