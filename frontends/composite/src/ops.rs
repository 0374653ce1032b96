//! The ops of sub-graphs: one row each.

mod more;

use crate::emit::Emit;
use crate::graph::{Op, Tensor};
use crate::json::Node;
use crate::{Wrong, codes};
use std::ops::RangeInclusive;
use terrace_dialect_stablehlo as stablehlo;
use terrace_dialect_stablehlo::ComparisonDirection;
use terrace_frontend_graph::Start;
use terrace_ir::{OpDef, Type, Value};

type Made = Result<Value, Wrong>;

/// A row: an op's name, how many inputs it has, and what it becomes
struct Row {
    name: &'static str,
    inputs: RangeInclusive<usize>,
    emit: fn(&mut Emit<'_>, &Op<'_>) -> Made,
}

macro_rules! rows {
    ($($name:literal $count:expr, $emit:expr;)*) => {
        &[$(Row { name: $name, inputs: $count, emit: $emit }),*]
    };
}

/// All ops
const TABLE: &[Row] = rows! {
    "Abs" 1..=1, |e, op| elementwise(e, op, stablehlo::Abs::DEF);
    "Add" 2..=2, |e, op| elementwise(e, op, stablehlo::Add::DEF);
    "AddN" 1..=1024, add_n;
    "Assign" 2..=2, assign;
    "Atan2" 2..=2, |e, op| elementwise(e, op, stablehlo::Atan2::DEF);
    "BatchMatMul" 2..=2, product;
    "BroadcastTo" 1..=1, |e, op| whole(e, op, 0);
    "Cast" 1..=1, cast;
    "Ceil" 1..=1, |e, op| elementwise(e, op, stablehlo::Ceil::DEF);
    "Cos" 1..=1, |e, op| elementwise(e, op, stablehlo::Cosine::DEF);
    "Div" 2..=2, |e, op| elementwise(e, op, stablehlo::Divide::DEF);
    "ElemAny" 1..=1, more::elem_any;
    "Equal" 2..=2, |e, op| compare(e, op, ComparisonDirection::Eq);
    "Erf" 1..=1, |e, op| elementwise(e, op, stablehlo::Erf::DEF);
    "Exp" 1..=1, |e, op| elementwise(e, op, stablehlo::Exponential::DEF);
    "ExpandDims" 1..=1, reshape;
    "Flatten" 1..=1, reshape;
    "Floor" 1..=1, |e, op| elementwise(e, op, stablehlo::Floor::DEF);
    "Greater" 2..=2, |e, op| compare(e, op, ComparisonDirection::Gt);
    "GreaterEqual" 2..=2, |e, op| compare(e, op, ComparisonDirection::Ge);
    "InplaceAssign" 2..=3, assign;
    "IsInf" 1..=1, more::is_inf;
    "IsNan" 1..=1, more::is_nan;
    "Less" 2..=2, |e, op| compare(e, op, ComparisonDirection::Lt);
    "LessEqual" 2..=2, |e, op| compare(e, op, ComparisonDirection::Le);
    "Log" 1..=1, |e, op| elementwise(e, op, stablehlo::Log::DEF);
    "LogicalAnd" 2..=2, |e, op| elementwise(e, op, stablehlo::And::DEF);
    "LogicalNot" 1..=1, |e, op| elementwise(e, op, stablehlo::Not::DEF);
    "LogicalOr" 2..=2, |e, op| elementwise(e, op, stablehlo::Or::DEF);
    "MatMul" 2..=2, product;
    "Maximum" 2..=2, |e, op| elementwise(e, op, stablehlo::Maximum::DEF);
    "Minimum" 2..=2, |e, op| elementwise(e, op, stablehlo::Minimum::DEF);
    "Mul" 2..=2, |e, op| elementwise(e, op, stablehlo::Multiply::DEF);
    "Neg" 1..=1, |e, op| elementwise(e, op, stablehlo::Negate::DEF);
    "NotEqual" 2..=2, |e, op| compare(e, op, ComparisonDirection::Ne);
    "OneHot" 3..=3, more::one_hot;
    "PadAkg" 1..=1, more::pad;
    "Pow" 2..=2, |e, op| elementwise(e, op, stablehlo::Power::DEF);
    "RealDiv" 2..=2, |e, op| elementwise(e, op, stablehlo::Divide::DEF);
    "Reciprocal" 1..=1, reciprocal;
    "ReduceAll" 1..=1, |e, op| reduce(e, op, stablehlo::And::DEF, Start::One);
    "ReduceAny" 1..=1, |e, op| reduce(e, op, stablehlo::Or::DEF, Start::Zero);
    "ReduceMax" 1..=1, |e, op| reduce(e, op, stablehlo::Maximum::DEF, Start::Least);
    "ReduceMin" 1..=1, |e, op| reduce(e, op, stablehlo::Minimum::DEF, Start::Most);
    "ReduceProd" 1..=1, |e, op| reduce(e, op, stablehlo::Multiply::DEF, Start::One);
    "ReduceSum" 1..=1, |e, op| reduce(e, op, stablehlo::Add::DEF, Start::Zero);
    "Reshape" 1..=1, reshape;
    "Round" 1..=1, |e, op| elementwise(e, op, stablehlo::RoundNearestEven::DEF);
    "Rsqrt" 1..=1, |e, op| elementwise(e, op, stablehlo::Rsqrt::DEF);
    "Select" 3..=3, select;
    "Sigmoid" 1..=1, |e, op| elementwise(e, op, stablehlo::Logistic::DEF);
    "Sign" 1..=1, |e, op| elementwise(e, op, stablehlo::Sign::DEF);
    "Sin" 1..=1, |e, op| elementwise(e, op, stablehlo::Sine::DEF);
    "Sqrt" 1..=1, |e, op| elementwise(e, op, stablehlo::Sqrt::DEF);
    "Square" 1..=1, square;
    "Squeeze" 1..=1, reshape;
    "Sub" 2..=2, |e, op| elementwise(e, op, stablehlo::Subtract::DEF);
    "Tanh" 1..=1, |e, op| elementwise(e, op, stablehlo::Tanh::DEF);
    "Transpose" 1..=1, transpose;
    "UnPadAkg" 1..=1, more::unpad;
};

/// The op, and what its output is
pub(crate) fn emit(e: &mut Emit<'_>, op: &Op<'_>) -> Result<(), Wrong> {
    let Some(row) = TABLE.iter().find(|row| row.name == op.name) else {
        let mut wrong = Wrong::new(op.at, &codes::OP, format!("op `{}` is not known", op.name));
        let names = TABLE.iter().map(|row| row.name);
        wrong.near = terrace_diag::nearest(&op.name, names);
        return Err(wrong);
    };
    let given = op.inputs.len();
    if !row.inputs.contains(&given) || op.outputs.len() != 1 {
        let (low, high) = (row.inputs.start(), row.inputs.end());
        let wanted = if low == high { low.to_string() } else { format!("{low} or more") };
        let message = format!(
            "`{}` has {wanted} inputs and one output, found {given} and {}",
            op.name,
            op.outputs.len()
        );
        return Err(Wrong::new(op.at, &codes::OP, message));
    }
    let value = (row.emit)(e, op)?;
    e.define(&op.outputs[0], value);
    Ok(())
}

fn out<'a, 'b>(op: &'a Op<'b>) -> &'a Tensor<'b> {
    &op.outputs[0]
}

/// An input in the shape of the output
fn whole(e: &mut Emit<'_>, op: &Op<'_>, n: usize) -> Made {
    let value = e.read(&op.inputs[n])?;
    e.fit(value, &out(op).shape, op.inputs[n].at)
}

fn elementwise(e: &mut Emit<'_>, op: &Op<'_>, def: &'static OpDef) -> Made {
    let values = (0..op.inputs.len()).map(|n| whole(e, op, n)).collect::<Result<Vec<_>, _>>()?;
    let ty = e.ty(out(op))?;
    Ok(e.value(def, &values, ty))
}

fn add_n(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let (mut sum, ty) = (whole(e, op, 0)?, e.ty(out(op))?);
    for n in 1..op.inputs.len() {
        let next = whole(e, op, n)?;
        sum = e.value(stablehlo::Add::DEF, &[sum, next], ty);
    }
    Ok(sum)
}

/// The new content of the first input is a result more; the output is the third input, or the second
fn assign(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let value = e.read(&op.inputs[1])?;
    let value = e.fit(value, &op.inputs[0].shape, op.inputs[1].at)?;
    e.read(&op.inputs[0])?;
    e.assigned.push((op.inputs[0].name.clone(), value));
    let last = op.inputs.len() - 1;
    whole(e, op, last)
}

fn cast(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let (value, ty) = (whole(e, op, 0)?, e.ty(out(op))?);
    if e.ir.ty(value) == ty {
        return Ok(value);
    }
    Ok(e.value(stablehlo::Convert::DEF, &[value], ty))
}

fn reshape(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let (value, ty) = (e.read(&op.inputs[0])?, e.ty(out(op))?);
    Ok(e.value(stablehlo::Reshape::DEF, &[value], ty))
}

fn square(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let (value, ty) = (whole(e, op, 0)?, e.ty(out(op))?);
    Ok(e.value(stablehlo::Multiply::DEF, &[value, value], ty))
}

fn reciprocal(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let (value, ty) = (whole(e, op, 0)?, e.ty(out(op))?);
    let one = number(e, op, 1.0, ty)?;
    Ok(e.value(stablehlo::Divide::DEF, &[one, value], ty))
}

fn number(e: &mut Emit<'_>, op: &Op<'_>, number: f64, ty: Type) -> Made {
    e.splat(number, ty).ok_or_else(|| {
        let ty = terrace_ir::show::type_text(e.ir.cx(), ty);
        Wrong::new(
            op.at,
            &codes::SHAPE,
            format!("`{}` needs the number {number}, which {ty} does not have", op.name),
        )
    })
}

fn compare(e: &mut Emit<'_>, op: &Op<'_>, direction: ComparisonDirection) -> Made {
    let (lhs, rhs, ty) = (whole(e, op, 0)?, whole(e, op, 1)?, e.ty(out(op))?);
    let made = stablehlo::Compare::build(&mut e.b(), lhs, rhs, direction, ty);
    Ok(made.result(e.ir))
}

fn select(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    elementwise(e, op, stablehlo::Select::DEF)
}

/// The value of an attribute that must be there
fn attr<'a>(op: &Op<'a>, name: &str) -> Result<Node<'a>, Wrong> {
    op.attrs
        .get(name)
        .copied()
        .ok_or_else(|| Wrong::new(op.at, &codes::OP, format!("`{}` has no attribute `{name}`", op.name)))
}

/// Whole numbers: a list, or one alone
fn numbers(op: &Op<'_>, name: &str, node: Node<'_>) -> Result<Vec<i64>, Wrong> {
    let wrong = |node: Node<'_>| {
        Wrong::new(node.at(), &codes::OP, format!("`{name}` of `{}` is a list of whole numbers", op.name))
    };
    if let Some(number) = node.whole_number() {
        return Ok(vec![number]);
    }
    let items = node.items("a list of numbers").map_err(|_| wrong(node))?;
    items.into_iter().map(|item| item.whole_number().ok_or_else(|| wrong(item))).collect()
}

/// Numbers of dimensions, from the end where they are negative, each once
fn axes(op: &Op<'_>, name: &str, node: Node<'_>, rank: usize) -> Result<Vec<i64>, Wrong> {
    let rank = rank as i64;
    let mut all = Vec::new();
    for axis in numbers(op, name, node)? {
        let place = if axis < 0 { axis + rank } else { axis };
        if !(0..rank).contains(&place) {
            let message =
                format!("axis {axis} of `{}` is out of range: the input has {rank} dimensions", op.name);
            return Err(Wrong::new(node.at(), &codes::SHAPE, message));
        }
        if all.contains(&place) {
            let message = format!("axis {axis} of `{}` is there twice", op.name);
            return Err(Wrong::new(node.at(), &codes::SHAPE, message));
        }
        all.push(place);
    }
    Ok(all)
}

fn transpose(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let (value, ty) = (e.read(&op.inputs[0])?, e.ty(out(op))?);
    let order = axes(op, "perm", attr(op, "perm")?, op.inputs[0].shape.len())?;
    let order = e.ir.cx().i64_array(&order);
    let made = stablehlo::Transpose::build(&mut e.b(), value, order, ty);
    Ok(made.result(e.ir))
}

/// Dimensions that a reduction folds: all if the list is empty
fn reduced(op: &Op<'_>) -> Result<Vec<i64>, Wrong> {
    let rank = op.inputs[0].shape.len();
    let axes = match op.attrs.get("axis") {
        Some(node) if !node.is_null() => axes(op, "axis", *node, rank)?,
        _ => Vec::new(),
    };
    Ok(if axes.is_empty() { (0..rank as i64).collect() } else { axes })
}

fn reduce(e: &mut Emit<'_>, op: &Op<'_>, def: &'static OpDef, start: Start) -> Made {
    let (value, ty) = (e.read(&op.inputs[0])?, e.ty(out(op))?);
    let axes = reduced(op)?;
    let elem = e.elem(value);
    let Some(result) = e.fold(value, &axes, def, start) else {
        let from = start.number(elem.kind(e.ir.cx()));
        let scalar = e.ir.cx().tensor(&[], elem);
        return number(e, op, from, scalar);
    };
    // Reduced dimensions of size one, and the one of a single number.
    Ok(if e.ir.ty(result) == ty { result } else { e.value(stablehlo::Reshape::DEF, &[result], ty) })
}

/// Is a flag set? One that is absent is not
fn flag(op: &Op<'_>, names: [&str; 2]) -> Result<bool, Wrong> {
    let Some(node) = names.iter().find_map(|name| op.attrs.get(*name)) else { return Ok(false) };
    node.flag().ok_or_else(|| {
        Wrong::new(node.at(), &codes::OP, format!("`{}` of `{}` is true or false", names[0], op.name))
    })
}

fn product(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let (lhs, rhs, ty) = (e.read(&op.inputs[0])?, e.read(&op.inputs[1])?, e.ty(out(op))?);
    let ranks = [0, 1].map(|n| op.inputs[n].shape.len() as i64);
    if ranks[0] != ranks[1] || ranks[0] < 2 {
        let message = format!("`{}` takes two tensors of one rank, at least 2", op.name);
        return Err(Wrong::new(op.at, &codes::SHAPE, message));
    }
    let shared: Vec<i64> = (0..ranks[0] - 2).collect();
    let last = ranks[0] - 1;
    let left = if flag(op, ["transpose_a", "transpose_x1"])? { last - 1 } else { last };
    let right = if flag(op, ["transpose_b", "transpose_x2"])? { last } else { last - 1 };
    let cx = e.ir.cx();
    let list = |all: &[i64]| cx.i64_array(all);
    let numbers =
        stablehlo::DotDimensionNumbers::get(cx, list(&shared), list(&shared), list(&[left]), list(&[right]));
    let made = stablehlo::DotGeneral::build(&mut e.b(), lhs, rhs, numbers, ty);
    Ok(made.result(e.ir))
}
