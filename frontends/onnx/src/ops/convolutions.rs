//! Convolutions, also transposed ones, of one to any number of dimensions of space.

use super::windows::{borders, list, windows};
use super::{Row, moves, rows};
use crate::call::Call;
use crate::emit::Tensor;
use crate::wrong::Done;
use terrace_dialect_stablehlo as stablehlo;
use terrace_ir::{Type, Value};

pub(super) const ROWS: &[Row] = rows! {
    "Conv" 2..=3, ["auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"], conv;
    "ConvTranspose" 2..=3,
        ["auto_pad", "dilations", "group", "kernel_shape", "output_padding", "output_shape", "pads", "strides"],
        conv_transpose;
};

/// Sizes of the parts of a convolution
struct Sizes {
    space: Vec<i64>,
    kernel: Vec<i64>,
    groups: i64,
}

/// The input has a batch, features and space; the weights go with it
fn sizes(c: &Call<'_, '_>) -> Done<(Tensor, Tensor, Sizes)> {
    let (x, w) = (c.float_input(0)?, c.float_input(1)?);
    if x.rank() < 3 || w.rank() != x.rank() || x.elem != w.elem {
        let message = format!(
            "`{}` takes an input and weights of one type and rank, at least 3, found {}{:?} and {}{:?}",
            c.op(),
            x.elem.name(),
            x.shape,
            w.elem.name(),
            w.shape
        );
        return Err(c.shape_wrong(message));
    }
    let kernel = w.shape[2..].to_vec();
    if let Some(said) = c.ints("kernel_shape")?
        && said != kernel
    {
        return Err(c.shape_wrong(format!("`kernel_shape` is {said:?}, and the weights have {kernel:?}")));
    }
    let groups = c.int("group", 1)?;
    if groups < 1 {
        return Err(c.no_form("group", groups));
    }
    let space = x.shape[2..].to_vec();
    Ok((x, w, Sizes { space, kernel, groups }))
}

/// What surrounds a convolution besides its operands
struct Around {
    strides: Vec<i64>,
    pads: Vec<[i64; 2]>,
    base: Vec<i64>,
    dilations: Vec<i64>,
    reversed: bool,
    /// Which dimensions of the weights are features of the input and of the output
    features: [i64; 2],
    groups: i64,
}

fn build(c: &mut Call<'_, '_>, x: Value, w: Value, around: &Around, ty: Type) -> Value {
    let cx = c.e.cx();
    let rank = around.strides.len() as i64;
    let number = |n: i64| cx.int_attr(n.into(), cx.common().i64);
    let space = cx.i64_array(&(2..rank + 2).collect::<Vec<i64>>());
    let [from, to] = around.features.map(number);
    let (zero, one) = (number(0), number(1));
    let numbers =
        stablehlo::ConvDimensionNumbers::get(cx, zero, one, space, from, to, space, zero, one, space);
    let (groups, pads) = (number(around.groups), borders(c, &around.pads));
    let lists = [
        ("window_strides", &around.strides),
        ("lhs_dilation", &around.base),
        ("rhs_dilation", &around.dilations),
    ];
    let lists = lists.map(|(name, list)| (name, cx.i64_array(list)));
    let reversed = around.reversed.then(|| {
        let values = vec![1; rank as usize].into();
        cx.attr(terrace_ir::AttrKind::DenseArray { elem: cx.common().i1, values })
    });
    let made = stablehlo::Convolution::build(&mut c.e.b(), x, w, numbers, groups, one, ty);
    for (name, list) in lists {
        c.e.ir.set_attr(made.id(), name, Some(list));
    }
    c.e.ir.set_attr(made.id(), "padding", Some(pads));
    c.e.ir.set_attr(made.id(), "window_reversal", reversed);
    made.result(c.e.ir)
}

/// One number for each feature is added
fn bias(c: &mut Call<'_, '_>, value: Value) -> Done<Value> {
    let Some(bias) = c.optional(2) else { return Ok(value) };
    let shape = c.e.shape(value);
    let bias = c.e.read(&bias);
    if c.e.elem(bias) != c.e.elem(value) {
        return Err(c.shape_wrong("the bias has another type than the input"));
    }
    let bias = c.along(bias, 1, &shape)?;
    Ok(c.same(stablehlo::Add::DEF, &[value, bias]))
}

fn conv(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (x, w, sizes) = sizes(c)?;
    let groups = sizes.groups;
    if w.shape[1].checked_mul(groups) != Some(x.shape[1]) || w.shape[0] % groups != 0 {
        let message = format!(
            "the input has {} features, and weights of shape {:?} in {groups} groups take {} each",
            x.shape[1], w.shape, w.shape[1]
        );
        return Err(c.shape_wrong(message));
    }
    let windows = windows(c, &sizes.space, &sizes.kernel)?;
    let around = Around {
        strides: windows.iter().map(|window| window.stride).collect(),
        pads: windows.iter().map(|window| [window.low, window.high]).collect(),
        base: vec![1; windows.len()],
        dilations: windows.iter().map(|window| window.dilation).collect(),
        reversed: false,
        features: [1, 0],
        groups,
    };
    let mut shape = vec![x.shape[0], w.shape[0]];
    shape.extend(windows.iter().map(|window| window.count));
    let ty = c.ty(x.elem, &shape)?;
    let (left, right) = (c.e.read(&x), c.e.read(&w));
    let made = build(c, left, right, &around, ty);
    let made = bias(c, made)?;
    Ok(vec![c.made(made, x.elem)])
}

/// A convolution of the input with nothing between its elements, and of reversed weights
fn conv_transpose(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (x, w, sizes) = sizes(c)?;
    let (groups, rank) = (sizes.groups, sizes.space.len());
    if w.shape[0] != x.shape[1] || x.shape[1] % groups != 0 {
        let message = format!("the input has {} features, and the weights take {}", x.shape[1], w.shape[0]);
        return Err(c.shape_wrong(message));
    }
    let (strides, dilations) = (list(c, "strides", rank, 1)?, list(c, "dilations", rank, 1)?);
    let (pads, more) = (list(c, "pads", 2 * rank, 0)?, list(c, "output_padding", rank, 0)?);
    let wanted = match c.ints("output_shape")? {
        Some(wanted) if wanted.len() == rank => Some(wanted),
        Some(wanted) => return Err(c.no_form("output_shape", format!("{wanted:?}"))),
        None => None,
    };
    let auto = c.text("auto_pad", "NOTSET")?;
    if auto != "NOTSET" && pads.iter().any(|pad| *pad != 0) {
        return Err(crate::attributes::wrong(
            c.node,
            format!("`auto_pad = {auto}` and `pads` exclude each other"),
        ));
    }
    let (mut around, mut space) = (Vec::new(), Vec::new());
    for n in 0..rank {
        let (size, reach) = (sizes.space[n], (sizes.kernel[n] - 1).checked_mul(dilations[n]));
        let reach = reach.and_then(|reach| reach.checked_add(1)).filter(|reach| *reach > 0);
        let whole = reach.and_then(|reach| {
            size.checked_sub(1)?.checked_mul(strides[n])?.checked_add(more[n])?.checked_add(reach)
        });
        let (Some(reach), Some(whole)) = (reach, whole) else {
            return Err(c.shape_wrong("its windows have too many elements, or none"));
        };
        let target = match (&wanted, auto) {
            (Some(wanted), _) if wanted[n] < 0 => {
                return Err(c.shape_wrong(format!("`output_shape` has sizes of 0 or more, found {wanted:?}")));
            }
            (Some(wanted), _) => Some(wanted[n]),
            (None, "SAME_UPPER" | "SAME_LOWER") => size.checked_mul(strides[n]),
            _ => None,
        };
        let [low, high] = match (target, auto) {
            (Some(target), _) if !(0..=whole).contains(&target) && wanted.is_none() => [0, 0],
            (Some(target), auto) => {
                // Less than nothing where the output is larger than all windows: that is behind them.
                let border = whole - target;
                let some = border.max(0);
                let half = if auto == "SAME_UPPER" { some / 2 } else { some - some / 2 };
                [half, border - half]
            }
            (None, "NOTSET" | "VALID") => [pads[n], pads[n + rank]],
            (None, other) => return Err(c.no_form("auto_pad", other)),
        };
        space.push(whole - low - high);
        around.push([reach - 1 - low, reach - 1 - high + more[n]]);
    }
    let around = Around {
        strides: vec![1; rank],
        pads: around,
        base: strides,
        dilations,
        reversed: true,
        features: [0, 1],
        groups,
    };
    let outputs = w.shape[1].checked_mul(groups).ok_or_else(|| c.shape_wrong("it has too many features"))?;
    let mut shape = vec![x.shape[0], outputs];
    shape.extend(space);
    let ty = c.ty(x.elem, &shape)?;
    let (left, right) = (c.e.read(&x), c.e.read(&w));
    let right = side_by_side(c, right, &w, groups);
    let made = build(c, left, right, &around, ty);
    let made = bias(c, made)?;
    Ok(vec![c.made(made, x.elem)])
}

/// Weights of groups one behind the other by features of the input as those one behind the other by features of the output
fn side_by_side(c: &mut Call<'_, '_>, value: Value, w: &Tensor, groups: i64) -> Value {
    if groups == 1 {
        return value;
    }
    let (of_group, each, space) = (w.shape[0] / groups, w.shape[1], &w.shape[2..]);
    let value = c.e.reshape(value, &[&[groups, of_group, each], space].concat());
    let mut order = vec![1, 0, 2];
    order.extend(3..3 + space.len() as i64);
    let turned = moves::turned(c, value, &order);
    c.e.reshape(turned, &[&[of_group, groups * each], space].concat())
}
