//! Ops on tensors: their sizes and constants, and computations in their place.

use crate::no_form::{NoForm, Rule};
use terrace_dialect_arith as arith;
use terrace_dialect_linalg::form::numbers;
use terrace_dialect_mdh::MDH;
use terrace_dialect_mdh::view::{CombineKind, Dim, View, default_name};
use terrace_ir::registration::belongs;
use terrace_ir::{BlockId, Builder, DYNAMIC, Ir, OpId, Type, TypeKind, Value};

pub(crate) type Done<T> = Result<T, NoForm>;

/// Sizes of a tensor, all numbers
pub(crate) fn shape(ir: &Ir, value: Value) -> Done<Vec<i64>> {
    match ir.ty(value).kind(ir.cx()) {
        TypeKind::Tensor { shape, .. } if shape.iter().all(|size| *size >= 0) => Ok(shape.to_vec()),
        TypeKind::Tensor { .. } => {
            Err(Rule::Dyn
                .because("a size is not a number; `bind-sizes{sizes=A=4x6}` gives sizes to arguments"))
        }
        _ => Err(Rule::Dyn.because("an operand is no tensor")),
    }
}

/// A list of numbers
pub(crate) fn list(ir: &Ir, op: OpId, name: &str) -> Vec<i64> {
    numbers(ir, op, name).unwrap_or_default()
}

/// Most points of a computation: what the dialect takes
const POINTS: i64 = 1 << 48;

/// Are these few enough?
pub(crate) fn few(sizes: &[i64]) -> Done<()> {
    let points = sizes.iter().fold(1i64, |all, size| all.saturating_mul(*size));
    if points <= POINTS {
        return Ok(());
    }
    let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
    Err(Rule::Map.because(format!("{} points are too many: 2^48 at most", sizes.join(" × "))))
}

/// A constant, if the value is one
pub(crate) fn constant(ir: &Ir, value: Value) -> Option<i64> {
    let maker = ir.defining_op(value).filter(|op| ir.is(*op, arith::Constant::DEF))?;
    ir.attr(maker, "value")?.as_i64(ir.cx())
}

/// A list of numbers some of which are operands, that must be constants
pub(crate) fn mixed(ir: &Ir, op: OpId, name: &str, field: usize) -> Done<Vec<i64>> {
    let mut operands = ir.operand_field(op, field).into_iter();
    let number = |n: i64| match n {
        DYNAMIC => operands.next().and_then(|value| constant(ir, value)),
        n => Some(n),
    };
    let all: Option<Vec<i64>> = list(ir, op, name).into_iter().map(number).collect();
    all.ok_or_else(|| Rule::Dyn.because(format!("{} must be numbers", name.trim_start_matches("static_"))))
}

/// Dimensions with the names that they have by default
pub(crate) fn named(sizes: &[i64], kinds: Vec<CombineKind>) -> Vec<Dim> {
    let all = sizes.iter().zip(kinds).enumerate();
    all.map(|(n, (size, kind))| Dim { name: default_name(n), size: *size, kind }).collect()
}

/// Put a computation in place of an op
pub(crate) fn replace(ir: &mut Ir, op: OpId, view: &View, results: &[Type], block: BlockId) -> OpId {
    let made = view.build(&mut Builder::before(ir, op), results, block);
    // A schedule on the op is the computation's, and what else has this dialect's name.
    let others = ir.dict(op).and_then(|dict| dict.as_dict(ir.cx())).unwrap_or(&[]).to_vec();
    for (name, attr) in others {
        let name = ir.cx().str(name).to_string();
        if belongs(&name, MDH.name) {
            ir.set_discardable(made.id(), &name, Some(attr));
        }
    }
    for n in 0..results.len() {
        let (from, to) = (ir.result(op, n), ir.result(made.id(), n));
        rename(ir, from, to);
        ir.replace_all_uses(from, to);
    }
    ir.erase(op);
    made.id()
}

/// The name of a value goes to what takes its place
pub(crate) fn rename(ir: &mut Ir, from: Value, to: Value) {
    if let Some(name) = ir.value_name(from) {
        let name = terrace_ir::Name::Str(ir.cx().intern(name));
        ir.set_value_name(to, name);
    }
}
