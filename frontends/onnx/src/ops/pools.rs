//! Pools, and the norm over neighboring features.

use super::windows::{Window, borders, windows};
use super::{Row, rows};
use crate::call::Call;
use crate::emit::Tensor;
use crate::literal::Literal;
use crate::types::Elem;
use crate::wrong::Done;
use terrace_dialect_stablehlo as stablehlo;
use terrace_frontend_graph::Start;
use terrace_ir::{OpDef, Value};

pub(super) const ROWS: &[Row] = rows! {
    "AveragePool" 1..=1,
        ["auto_pad", "ceil_mode", "count_include_pad", "dilations", "kernel_shape", "pads", "strides"],
        average;
    "GlobalAveragePool" 1..=1, [], global_average;
    "GlobalMaxPool" 1..=1, [], global_maximum;
    "LRN" 1..=1, ["alpha", "beta", "bias", "size"], lrn;
    "MaxPool" 1..=1, ["auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "storage_order", "strides"], maximum;
};

/// The windows of a pool
fn pool(c: &Call<'_, '_>) -> Done<(Tensor, Vec<Window>)> {
    let x = c.input(0)?;
    let kernel = c.ints("kernel_shape")?.unwrap_or_default();
    if x.rank() < 3 || kernel.len() != x.rank() - 2 {
        let message =
            format!("an input of shape {:?} has no windows of `kernel_shape = {kernel:?}`", x.shape);
        return Err(c.shape_wrong(message));
    }
    let windows = windows(c, &x.shape[2..], &kernel)?;
    Ok((x, windows))
}

/// Windows along dimensions, folded
fn fold(
    c: &mut Call<'_, '_>,
    x: &Tensor,
    value: Value,
    windows: &[(usize, Window)],
    (def, start): (&'static OpDef, Start),
) -> Done<Value> {
    let mut lists = [vec![1; x.rank()], vec![1; x.rank()], vec![1; x.rank()]];
    let (mut pads, mut shape) = (vec![[0, 0]; x.rank()], x.shape.clone());
    for (dim, window) in windows {
        lists[0][*dim] = window.kernel;
        lists[1][*dim] = window.stride;
        lists[2][*dim] = window.dilation;
        pads[*dim] = [window.low, if window.count > 0 { window.needed() } else { window.high }];
        shape[*dim] = window.count;
    }
    let ty = c.ty(x.elem, &shape)?;
    let elem = c.e.elem(value);
    let Some(init) = c.e.start(start, elem) else {
        return Err(c.shape_wrong(format!("windows of {} have no form here", x.elem.name())));
    };
    let pads = borders(c, &pads);
    let cx = c.e.cx();
    let [sizes, strides, dilations] = lists.map(|list| cx.i64_array(&list));
    let made = stablehlo::ReduceWindow::build(&mut c.e.b(), &[value, init], sizes, &[ty]);
    for (name, attr) in [("window_strides", strides), ("window_dilations", dilations), ("padding", pads)] {
        c.e.ir.set_attr(made.id(), name, Some(attr));
    }
    let body = made.body(c.e.ir);
    c.e.body(body, def, elem);
    Ok(c.e.ir.result(made.id(), 0))
}

fn of_space(windows: &[Window]) -> Vec<(usize, Window)> {
    windows.iter().enumerate().map(|(n, window)| (n + 2, *window)).collect()
}

fn maximum(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (x, windows) = pool(c)?;
    let value = c.e.read(&x);
    let made = fold(c, &x, value, &of_space(&windows), (stablehlo::Maximum::DEF, Start::Least))?;
    Ok(vec![c.made(made, x.elem)])
}

/// Sums of windows by the number of elements: those of the input, or with the border, never those behind it
fn average(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    c.float_input(0)?;
    let (x, windows) = pool(c)?;
    let narrow = x.elem;
    let border = c.int("count_include_pad", 0)? != 0;
    let value = c.e.read(&x);
    let elem = x.elem.wide();
    let value = super::elementwise::convert(c, value, elem)?;
    let x = c.made(value, elem);
    let sum = fold(c, &x, value, &of_space(&windows), (stablehlo::Add::DEF, Start::Zero))?;
    let shape = c.e.shape(sum);
    let (mut all, mut divided) = (1i64, sum);
    for (n, window) in windows.iter().enumerate() {
        if window.count.saturating_mul(window.kernel) > COUNTED {
            return Err(c.shape_wrong("its windows have too many elements"));
        }
        let counts = match border {
            true => window.covered(-window.low, window.size + window.high),
            false => window.covered(0, window.size),
        };
        match counts.first() {
            Some(first) if counts.iter().all(|count| count == first) => {
                all = all
                    .checked_mul(*first)
                    .ok_or_else(|| c.shape_wrong("its windows have too many elements"))?;
            }
            None => {}
            Some(_) => {
                let name = format!("{}.counts.{n}", c.node.label);
                let counts: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
                let counts = Literal::of_floats(name, x.elem, &counts)
                    .ok_or_else(|| c.shape_wrong(format!("{} does not have its counts", x.elem.name())))?;
                let counts = c.e.read(&counts.into());
                let counts = c.along(counts, n + 2, &shape)?;
                divided = c.same(stablehlo::Divide::DEF, &[divided, counts]);
            }
        }
    }
    if all != 1 {
        divided = c.with(stablehlo::Divide::DEF, divided, all as f64, x.elem)?;
    }
    let made = super::elementwise::convert(c, divided, narrow)?;
    Ok(vec![c.made(made, narrow)])
}

/// Elements of windows along a dimension that are counted at most
const COUNTED: i64 = 1 << 24;

fn space(c: &Call<'_, '_>) -> Done<(Tensor, Vec<i64>)> {
    let x = c.float_input(0)?;
    match x.rank() {
        0..=2 => Err(c.shape_wrong(format!("an input of shape {:?} has no space", x.shape))),
        rank => Ok((x, (2..rank as i64).collect())),
    }
}

/// The reduced dimensions stay, of one element
fn kept(c: &mut Call<'_, '_>, value: Value, x: &Tensor) -> Tensor {
    let mut shape = x.shape[..2].to_vec();
    shape.resize(x.rank(), 1);
    let value = c.e.reshape(value, &shape);
    c.made(value, x.elem)
}

fn global_average(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (x, axes) = space(c)?;
    let value = c.e.read(&x);
    let made = super::reductions::mean(c, value, &axes, x.elem)?;
    Ok(vec![kept(c, made, &x)])
}

fn global_maximum(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (x, axes) = space(c)?;
    let value = c.e.read(&x);
    let made = c.fold(value, &axes, stablehlo::Maximum::DEF, Start::Least)?;
    Ok(vec![kept(c, made, &x)])
}

/// Divided by a power of the sum of squares of neighboring features
fn lrn(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let x = c.float_input(0)?;
    let (alpha, beta, bias) = (c.float("alpha", 0.0001)?, c.float("beta", 0.75)?, c.float("bias", 1.0)?);
    let size = c.int("size", 0)?;
    if x.rank() < 2 || !(1..1 << 31).contains(&size) || x.shape[1] >= 1 << 31 {
        return Err(c.shape_wrong(format!("an input of shape {:?} has no norm of `size = {size}`", x.shape)));
    }
    let value = c.e.read(&x);
    let squares = c.same(stablehlo::Multiply::DEF, &[value, value]);
    let (features, low) = (x.shape[1], (size - 1) / 2);
    let window = Window {
        size: features,
        kernel: size,
        stride: 1,
        dilation: 1,
        low,
        high: size - 1 - low,
        count: features,
    };
    let sum = fold(c, &x, squares, &[(1, window)], (stablehlo::Add::DEF, Start::Zero))?;
    let elem: Elem = x.elem;
    let sum = c.with(stablehlo::Multiply::DEF, sum, alpha / size as f64, elem)?;
    let sum = c.with(stablehlo::Add::DEF, sum, bias, elem)?;
    let below = c.with(stablehlo::Power::DEF, sum, beta, elem)?;
    let made = c.same(stablehlo::Divide::DEF, &[value, below]);
    Ok(vec![c.made(made, elem)])
}
