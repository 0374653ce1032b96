//! Operators whose result is known before the program runs, or is their input.

use super::{Row, rows};
use crate::call::Call;
use crate::emit::Tensor;
use crate::literal::Literal;
use crate::tensors::literal;
use crate::types::Elem;
use crate::wrong::Done;
use crate::{attributes, codes};

pub(super) const ROWS: &[Row] = rows! {
    "Constant" 0..=0, ["value", "value_float", "value_floats", "value_int", "value_ints"], constant;
    "ConstantOfShape" 1..=1, ["value"], constant_of_shape;
    "Dropout" 1..=3, ["ratio", "seed"], dropout;
    "Identity" 1..=1, [], |c| Ok(vec![c.input(0)?]);
    "Shape" 1..=1, ["start", "end"], shape;
    "Size" 1..=1, [], size;
};

fn constant(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let name = c.node.proto.output.first().map_or("", |name| name.as_str()).to_string();
    let floats = |numbers: &[f64], shape: Vec<i64>| {
        let all = Literal::of_floats(name.clone(), Elem::FLOAT, numbers);
        all.map(|all| all.reshaped(&shape))
    };
    if let Some(tensor) = attributes::tensor(c.node, "value")? {
        let found = literal(tensor, c.e.folder, c.node.at)?;
        return Ok(vec![Literal { name, ..found }.into()]);
    }
    let found = if let Some(number) = attributes::int(c.node, "value_int")? {
        Some(Literal::shaped_ints(&name, Vec::new(), &[number]))
    } else if let Some(numbers) = attributes::ints(c.node, "value_ints")? {
        Some(Literal::of_ints(&name, numbers))
    } else if let Some(number) = attributes::float(c.node, "value_float")? {
        floats(&[number], Vec::new())
    } else if let Some(numbers) = attributes::floats(c.node, "value_floats")? {
        let numbers: Vec<f64> = numbers.iter().map(|number| f64::from(*number)).collect();
        floats(&numbers, vec![numbers.len() as i64])
    } else {
        None
    };
    match found {
        Some(found) => Ok(vec![found.into()]),
        None => Err(c.wrong(&codes::ATTRIBUTE, "`Constant` has no value")),
    }
}

fn constant_of_shape(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let shape = c.known_ints(0, "the shape")?;
    let one = match attributes::tensor(c.node, "value")? {
        Some(tensor) => literal(tensor, None, c.node.at)?,
        None => Literal { name: String::new(), elem: Elem::FLOAT, shape: vec![1], data: vec![0; 4].into() },
    };
    if one.count() != 1 {
        return Err(c.wrong(&codes::ATTRIBUTE, format!("`value` is one number, found {}", one.count())));
    }
    let ty = c.ty(one.elem, &shape)?;
    // Shapes that are computed from constants are small; anything else need not be there element by element.
    let count = terrace_frontend_graph::elements(&shape).unwrap_or(0);
    if count <= SMALL {
        let name = c.node.proto.output.first().cloned().unwrap_or_default();
        let data: Vec<u8> =
            one.data.iter().copied().cycle().take(count as usize * one.elem.bytes()).collect();
        return Ok(vec![Literal { name, elem: one.elem, shape, data: data.into() }.into()]);
    }
    let attr = c.e.cx().dense_attr(ty, one.data.to_vec());
    let op = terrace_dialect_stablehlo::Constant::build(&mut c.e.b(), attr);
    let value = op.output(c.e.ir);
    Ok(vec![c.made(value, one.elem)])
}

/// Elements of constants that nodes fold at most
const SMALL: i64 = 1024;

fn shape(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let shape = c.input(0)?.shape;
    let rank = shape.len() as i64;
    let place = |n: i64| (if n < 0 { n.saturating_add(rank) } else { n }).clamp(0, rank);
    let start = place(c.int("start", 0)?);
    let end = place(c.int("end", rank)?).max(start);
    let part = &shape[start as usize..end as usize];
    Ok(vec![c.known(vec![part.len() as i64], part)])
}

fn size(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let count = c.input(0)?.shape.iter().product();
    Ok(vec![c.known(Vec::new(), &[count])])
}

/// As in inference: nothing is dropped, and the mask is all true
fn dropout(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    if c.optional(2).is_some() && c.known_ints(2, "whether it trains")?.iter().any(|flag| *flag != 0) {
        return Err(c.no_form("training_mode", "true"));
    }
    let input = c.input(0)?;
    let mut made = vec![input.clone()];
    if c.node.proto.output.len() > 1 {
        // Before version 10 the mask has the type of the input.
        let elem = if c.version() < 10 { input.elem } else { Elem::BOOL };
        let mask = c.splat(1.0, elem, &input.shape)?;
        made.push(c.made(mask, elem));
    }
    Ok(made)
}
