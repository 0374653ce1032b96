//! Operators on one element of each input: arithmetic with broadcasting, functions, comparisons, conversions.

use super::{MANY, Row, rows};
use crate::attributes;
use crate::call::Call;
use crate::emit::Tensor;
use crate::types::Elem;
use crate::wrong::Done;
use terrace_dialect_stablehlo as stablehlo;
use terrace_dialect_stablehlo::ComparisonDirection;
use terrace_ir::{OpDef, Value};

pub(super) const ROWS: &[Row] = rows! {
    "Abs" 1..=1, [], |c| if c.input(0)?.elem.is_unsigned() { Ok(vec![c.input(0)?]) } else { unary(c, stablehlo::Abs::DEF) };
    "Acos" 1..=1, [], |c| float(c, stablehlo::Acos::DEF);
    "Acosh" 1..=1, [], |c| float(c, stablehlo::Acosh::DEF);
    "Add" 2..=2, [], |c| arithmetic(c, stablehlo::Add::DEF);
    "And" 2..=2, [], |c| logical(c, stablehlo::And::DEF);
    "Asin" 1..=1, [], |c| float(c, stablehlo::Asin::DEF);
    "Asinh" 1..=1, [], |c| float(c, stablehlo::Asinh::DEF);
    "Atan" 1..=1, [], |c| float(c, stablehlo::Atan::DEF);
    "Atanh" 1..=1, [], |c| float(c, stablehlo::Atanh::DEF);
    "BitwiseAnd" 2..=2, [], |c| whole(c, stablehlo::And::DEF);
    "BitwiseNot" 1..=1, [], |c| unary_of(c, stablehlo::Not::DEF, |elem| elem != Elem::BOOL && !elem.is_float());
    "BitwiseOr" 2..=2, [], |c| whole(c, stablehlo::Or::DEF);
    "BitwiseXor" 2..=2, [], |c| whole(c, stablehlo::Xor::DEF);
    "Cast" 1..=1, ["to", "saturate", "round_mode"], cast;
    "CastLike" 2..=2, ["saturate", "round_mode"], cast_like;
    "Ceil" 1..=1, [], |c| float(c, stablehlo::Ceil::DEF);
    "Cos" 1..=1, [], |c| float(c, stablehlo::Cosine::DEF);
    "Cosh" 1..=1, [], |c| float(c, stablehlo::Cosh::DEF);
    "Div" 2..=2, [], |c| arithmetic(c, stablehlo::Divide::DEF);
    "Equal" 2..=2, [], |c| compare(c, ComparisonDirection::Eq);
    "Erf" 1..=1, [], |c| float(c, stablehlo::Erf::DEF);
    "Exp" 1..=1, [], |c| float(c, stablehlo::Exponential::DEF);
    "Floor" 1..=1, [], |c| float(c, stablehlo::Floor::DEF);
    "Greater" 2..=2, [], |c| compare(c, ComparisonDirection::Gt);
    "GreaterOrEqual" 2..=2, [], |c| compare(c, ComparisonDirection::Ge);
    "IsNaN" 1..=1, [], is_nan;
    "Less" 2..=2, [], |c| compare(c, ComparisonDirection::Lt);
    "LessOrEqual" 2..=2, [], |c| compare(c, ComparisonDirection::Le);
    "Log" 1..=1, [], |c| float(c, stablehlo::Log::DEF);
    "Max" 1..=MANY, [], |c| several(c, stablehlo::Maximum::DEF);
    "Mean" 1..=MANY, [], mean;
    "Min" 1..=MANY, [], |c| several(c, stablehlo::Minimum::DEF);
    "Mod" 2..=2, ["fmod"], modulo;
    "Mul" 2..=2, [], |c| arithmetic(c, stablehlo::Multiply::DEF);
    "Neg" 1..=1, [], |c| unary_of(c, stablehlo::Negate::DEF, |elem| elem != Elem::BOOL);
    "Not" 1..=1, [], |c| unary_of(c, stablehlo::Not::DEF, |elem| elem == Elem::BOOL);
    "Or" 2..=2, [], |c| logical(c, stablehlo::Or::DEF);
    "Pow" 2..=2, [], pow;
    "Reciprocal" 1..=1, [], reciprocal;
    "Round" 1..=1, [], |c| float(c, stablehlo::RoundNearestEven::DEF);
    "Sign" 1..=1, [], sign;
    "Sin" 1..=1, [], |c| float(c, stablehlo::Sine::DEF);
    "Sinh" 1..=1, [], |c| float(c, stablehlo::Sinh::DEF);
    "Sqrt" 1..=1, [], |c| float(c, stablehlo::Sqrt::DEF);
    "Sub" 2..=2, [], |c| arithmetic(c, stablehlo::Subtract::DEF);
    "Sum" 1..=MANY, [], |c| several(c, stablehlo::Add::DEF);
    "Tan" 1..=1, [], |c| float(c, stablehlo::Tan::DEF);
    "Tanh" 1..=1, [], |c| float(c, stablehlo::Tanh::DEF);
    "Where" 3..=3, [], choose;
    "Xor" 2..=2, [], |c| logical(c, stablehlo::Xor::DEF);
};

fn unary(c: &mut Call<'_, '_>, def: &'static OpDef) -> Done<Vec<Tensor>> {
    let (tensor, value) = c.value(0)?;
    let made = c.same(def, &[value]);
    Ok(vec![c.made(made, tensor.elem)])
}

/// Of some types only
fn unary_of(c: &mut Call<'_, '_>, def: &'static OpDef, takes: fn(Elem) -> bool) -> Done<Vec<Tensor>> {
    let elem = c.input(0)?.elem;
    match takes(elem) {
        true => unary(c, def),
        false => Err(c.shape_wrong(format!("`{}` does not take {}", c.op(), elem.name()))),
    }
}

pub(super) fn float(c: &mut Call<'_, '_>, def: &'static OpDef) -> Done<Vec<Tensor>> {
    c.float_input(0)?;
    unary(c, def)
}

fn binary(c: &mut Call<'_, '_>, def: &'static OpDef, elem: Elem, sides: &[Value]) -> Vec<Tensor> {
    let made = c.same(def, sides);
    vec![c.made(made, elem)]
}

fn arithmetic(c: &mut Call<'_, '_>, def: &'static OpDef) -> Done<Vec<Tensor>> {
    let (elem, sides) = c.broadcast(&[0, 1])?;
    match elem == Elem::BOOL {
        true => Err(c.shape_wrong(format!("`{}` takes numbers, not bool", c.op()))),
        false => Ok(binary(c, def, elem, &sides)),
    }
}

fn logical(c: &mut Call<'_, '_>, def: &'static OpDef) -> Done<Vec<Tensor>> {
    let (elem, sides) = c.broadcast(&[0, 1])?;
    match elem == Elem::BOOL {
        true => Ok(binary(c, def, elem, &sides)),
        false => Err(c.shape_wrong(format!("`{}` takes bool, not {}", c.op(), elem.name()))),
    }
}

fn whole(c: &mut Call<'_, '_>, def: &'static OpDef) -> Done<Vec<Tensor>> {
    let (elem, sides) = c.broadcast(&[0, 1])?;
    match elem.is_float() || elem == Elem::BOOL {
        true => Err(c.shape_wrong(format!("`{}` takes integers, not {}", c.op(), elem.name()))),
        false => Ok(binary(c, def, elem, &sides)),
    }
}

fn several(c: &mut Call<'_, '_>, def: &'static OpDef) -> Done<Vec<Tensor>> {
    let inputs: Vec<usize> = (0..c.inputs.len()).collect();
    let (elem, values) = c.broadcast(&inputs)?;
    let (first, rest) = values.split_first().ok_or_else(|| c.shape_wrong("it has no inputs"))?;
    let made = rest.iter().fold(*first, |all, value| c.same(def, &[all, *value]));
    Ok(vec![c.made(made, elem)])
}

fn mean(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let count = c.inputs.len();
    let sum = several(c, stablehlo::Add::DEF)?.remove(0);
    let value = c.e.read(&sum);
    let made = c.with(stablehlo::Divide::DEF, value, count as f64, sum.elem)?;
    Ok(vec![c.made(made, sum.elem)])
}

fn compare(c: &mut Call<'_, '_>, direction: ComparisonDirection) -> Done<Vec<Tensor>> {
    let (_, sides) = c.broadcast(&[0, 1])?;
    let made = c.compare(sides[0], sides[1], direction);
    Ok(vec![c.made(made, Elem::BOOL)])
}

fn is_nan(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    c.float_input(0)?;
    let (_, value) = c.value(0)?;
    let made = c.compare(value, value, ComparisonDirection::Ne);
    Ok(vec![c.made(made, Elem::BOOL)])
}

fn choose(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let which = c.input(0)?;
    let (elem, sides) = c.broadcast(&[1, 2])?;
    let sizes = c.e.shape(sides[0]);
    let shape = terrace_frontend_graph::broadcast_shape(&which.shape, &sizes).ok_or_else(|| {
        c.shape_wrong(format!("shapes {:?} and {sizes:?} cannot be broadcast", which.shape))
    })?;
    if which.elem != Elem::BOOL {
        return Err(c.shape_wrong(format!("a condition is bool, not {}", which.elem.name())));
    }
    let which = c.e.read(&which);
    let mut all = Vec::new();
    for value in [which, sides[0], sides[1]] {
        all.push(c.fit(value, &shape)?);
    }
    let ty = c.ty(elem, &shape)?;
    let made = c.e.value(stablehlo::Select::DEF, &all, ty);
    Ok(vec![c.made(made, elem)])
}

/// A value as one of another type
pub(super) fn convert(c: &mut Call<'_, '_>, value: Value, to: Elem) -> Done<Value> {
    let shape = c.e.shape(value);
    let ty = c.ty(to, &shape)?;
    if c.e.ir.ty(value) == ty {
        return Ok(value);
    }
    Ok(c.e.value(stablehlo::Convert::DEF, &[value], ty))
}

fn cast(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let number =
        attributes::int(c.node, "to")?.ok_or_else(|| c.shape_wrong("`Cast` has no attribute `to`"))?;
    let to = Elem::of(i32::try_from(number).unwrap_or(-1)).map_err(|name| c.no_form("to", name))?;
    cast_to(c, to)
}

fn cast_to(c: &mut Call<'_, '_>, to: Elem) -> Done<Vec<Tensor>> {
    let (_, value) = c.value(0)?;
    let made = convert(c, value, to)?;
    Ok(vec![c.made(made, to)])
}

fn cast_like(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let to = c.input(1)?.elem;
    cast_to(c, to)
}

/// The exponent may have another type: the result has that of the base
fn pow(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (base, exponent) = (c.input(0)?, c.input(1)?);
    let shape = terrace_frontend_graph::broadcast_shape(&base.shape, &exponent.shape).ok_or_else(|| {
        c.shape_wrong(format!("shapes {:?} and {:?} cannot be broadcast", base.shape, exponent.shape))
    })?;
    // Integers to the power of floats are computed as floats.
    let elem = if exponent.elem.is_float() && !base.elem.is_float() { exponent.elem } else { base.elem };
    let mut sides = Vec::new();
    for tensor in [&base, &exponent] {
        let value = c.e.read(tensor);
        let value = convert(c, value, elem)?;
        sides.push(c.fit(value, &shape)?);
    }
    let made = c.same(stablehlo::Power::DEF, &sides);
    let made = convert(c, made, base.elem)?;
    Ok(vec![c.made(made, base.elem)])
}

fn reciprocal(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    c.float_input(0)?;
    let (tensor, value) = c.value(0)?;
    let one = c.splat(1.0, tensor.elem, &tensor.shape)?;
    let made = c.same(stablehlo::Divide::DEF, &[one, value]);
    Ok(vec![c.made(made, tensor.elem)])
}

fn sign(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (tensor, value) = c.value(0)?;
    if !tensor.elem.is_unsigned() {
        return unary(c, stablehlo::Sign::DEF);
    }
    let one = c.splat(1.0, tensor.elem, &tensor.shape)?;
    let made = c.same(stablehlo::Minimum::DEF, &[value, one]);
    Ok(vec![c.made(made, tensor.elem)])
}

/// The remainder has the sign of the divisor, with `fmod = 1` of the dividend
fn modulo(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (elem, sides) = c.broadcast(&[0, 1])?;
    let rest = c.same(stablehlo::Remainder::DEF, &sides);
    if c.int("fmod", 0)? != 0 || elem.is_unsigned() {
        return Ok(vec![c.made(rest, elem)]);
    }
    let shape = c.e.shape(rest);
    let zero = c.splat(0.0, elem, &shape)?;
    let negative = [rest, sides[1]].map(|value| c.compare(value, zero, ComparisonDirection::Lt));
    let other = c.same(stablehlo::Xor::DEF, &negative);
    let some = c.compare(rest, zero, ComparisonDirection::Ne);
    let both = c.same(stablehlo::And::DEF, &[other, some]);
    let moved = c.same(stablehlo::Add::DEF, &[rest, sides[1]]);
    let ty = c.ty(elem, &shape)?;
    let made = c.e.value(stablehlo::Select::DEF, &[both, moved, rest], ty);
    Ok(vec![c.made(made, elem)])
}
