//! Operators that give elements another shape, or repeat them.

use super::{Row, rows};
use crate::call::Call;
use crate::emit::Tensor;
use crate::wrong::Done;
use terrace_frontend_graph::{broadcast_shape, elements};

pub(super) const ROWS: &[Row] = rows! {
    "Expand" 2..=2, [], expand;
    "Flatten" 1..=1, ["axis"], |c| { let shape = flat(c)?; reshaped(c, &shape) };
    "Reshape" 1..=2, ["allowzero", "shape"], |c| { let shape = new_shape(c)?; reshaped(c, &shape) };
    "Squeeze" 1..=2, ["axes"], |c| { let shape = squeezed(c)?; reshaped(c, &shape) };
    "Tile" 2..=2, [], tile;
    "Unsqueeze" 1..=2, ["axes"], |c| { let shape = unsqueezed(c)?; reshaped(c, &shape) };
};

/// The first input in another shape: a known one stays known
fn reshaped(c: &mut Call<'_, '_>, shape: &[i64]) -> Done<Vec<Tensor>> {
    let x = c.input(0)?;
    c.ty(x.elem, shape)?;
    if x.shape == shape {
        return Ok(vec![x]);
    }
    if let Some(known) = x.known() {
        // Its own name is that of another shape.
        let name = c.node.proto.output.first().cloned().unwrap_or_default();
        let literal = crate::literal::Literal { name, ..known.reshaped(shape) };
        return Ok(vec![literal.into()]);
    }
    let value = c.e.read(&x);
    let made = c.e.reshape(value, shape);
    Ok(vec![c.made(made, x.elem)])
}

fn flat(c: &Call<'_, '_>) -> Done<Vec<i64>> {
    let x = c.input(0)?;
    let axis = c.int("axis", 1)?;
    let axis = if axis == x.rank() as i64 { x.rank() } else { c.axis(axis, x.rank())? };
    Ok(vec![x.shape[..axis].iter().product(), x.shape[axis..].iter().product()])
}

/// 0 is the size that the input has there, -1 the one that is left
fn new_shape(c: &Call<'_, '_>) -> Done<Vec<i64>> {
    let x = c.input(0)?;
    let said = match c.known_ints_if(1, "the shape")? {
        Some(said) => said,
        None => c.ints("shape")?.ok_or_else(|| c.shape_wrong("`Reshape` has no shape"))?,
    };
    let kept = c.int("allowzero", 0)? == 0;
    let mut shape = Vec::new();
    for (n, size) in said.iter().enumerate() {
        shape.push(match size {
            0 if kept => *x.shape.get(n).ok_or_else(|| {
                c.shape_wrong(format!("shape {said:?} keeps dimension {n}, which the input does not have"))
            })?,
            size => *size,
        });
    }
    let count = elements(&x.shape).unwrap_or(0);
    let open: Vec<usize> = (0..shape.len()).filter(|n| shape[*n] == -1).collect();
    if let [open] = open[..] {
        let others: Option<i64> =
            shape.iter().filter(|size| **size != -1).try_fold(1i64, |all, size| all.checked_mul(*size));
        shape[open] = match others {
            Some(others) if others > 0 && count % others == 0 => count / others,
            _ => -1,
        };
    }
    match shape.iter().all(|size| *size >= 0) && elements(&shape) == Some(count) {
        true => Ok(shape),
        false => {
            let message =
                format!("an input of shape {:?} has no shape {said:?}: it has {count} elements", x.shape);
            Err(c.shape_wrong(message))
        }
    }
}

/// The axes of an operator: an attribute up to version 12, then an input
fn said_axes(c: &Call<'_, '_>) -> Done<Option<Vec<i64>>> {
    match c.known_ints_if(1, "the axes")? {
        Some(axes) => Ok(Some(axes)),
        None => c.ints("axes"),
    }
}

fn squeezed(c: &Call<'_, '_>) -> Done<Vec<i64>> {
    let x = c.input(0)?;
    let axes = match said_axes(c)? {
        Some(axes) => c.axes(&axes, x.rank())?,
        None => (0..x.rank()).filter(|n| x.shape[*n] == 1).map(|n| n as i64).collect(),
    };
    if let Some(axis) = axes.iter().find(|axis| x.shape[**axis as usize] != 1) {
        let size = x.shape[*axis as usize];
        return Err(c.shape_wrong(format!("dimension {axis} has {size} elements, not one")));
    }
    let left = x.shape.iter().enumerate().filter(|(n, _)| !axes.contains(&(*n as i64)));
    Ok(left.map(|(_, size)| *size).collect())
}

fn unsqueezed(c: &Call<'_, '_>) -> Done<Vec<i64>> {
    let x = c.input(0)?;
    let axes = said_axes(c)?.ok_or_else(|| c.shape_wrong("`Unsqueeze` has no axes"))?;
    let axes = c.axes(&axes, x.rank() + axes.len())?;
    let mut old = x.shape.iter();
    let size = |n: usize| if axes.contains(&(n as i64)) { Some(1) } else { old.next().copied() };
    Ok((0..x.rank() + axes.len()).map_while(size).collect())
}

fn expand(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let wanted = c.known_ints(1, "the shape")?;
    let (x, value) = c.value(0)?;
    let shape = broadcast_shape(&x.shape, &wanted)
        .ok_or_else(|| c.shape_wrong(format!("shape {:?} cannot be broadcast with {wanted:?}", x.shape)))?;
    let made = c.fit(value, &shape)?;
    Ok(vec![c.made(made, x.elem)])
}

/// Each dimension becomes two, the first of which repeats
fn tile(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let repeats = c.known_ints(1, "the repeats")?;
    let (x, value) = c.value(0)?;
    let sizes =
        x.shape.iter().zip(&repeats).map(|(size, times)| size.checked_mul(*times).filter(|_| *times >= 0));
    let shape: Option<Vec<i64>> = sizes.collect();
    let Some(shape) = shape.filter(|_| repeats.len() == x.rank()) else {
        return Err(
            c.shape_wrong(format!("an input of shape {:?} is not repeated {repeats:?} times", x.shape))
        );
    };
    c.ty(x.elem, &shape)?;
    let single: Vec<i64> = x.shape.iter().flat_map(|size| [1, *size]).collect();
    let double: Vec<i64> = x.shape.iter().zip(&repeats).flat_map(|(size, times)| [*times, *size]).collect();
    let made = c.e.reshape(value, &single);
    let made = c.fit(made, &double)?;
    let made = c.e.reshape(made, &shape);
    Ok(vec![c.made(made, x.elem)])
}
