//! Reads what bodies compute, for estimates. Decides nothing.

use crate::combine::Operator;
use crate::ops::{By, Copy, For, Kernel, Write, Yield};
use crate::read::{Ops, read};
use terrace_dialect_arith::MulF;
use terrace_ir::{Context, Ir, OpId, Traits, Type, Value};
use terrace_schedule_cost::{Bodies, Operations};
use terrace_schedule_model::nest::Nest;
use terrace_schedule_model::nest_combine::Combination;

/// The nests of a module or of one function with what they compute; those of a function in order, functions from the last to the first
pub fn nests(module: &Ir) -> Vec<(Nest, Bodies)> {
    let mut all = Vec::new();
    let mut pending = vec![module];
    while let Some(unit) = pending.pop() {
        pending.extend(unit.walk().filter_map(|op| unit.child(op)));
        all.extend(tops(unit).into_iter().map(|top| {
            let (nest, ops) = read(unit, top);
            let bodies = bodies(unit, top, &ops);
            (nest, bodies)
        }));
    }
    all
}

/// Ops of the dialect that stand in none of it
fn tops(unit: &Ir) -> Vec<OpId> {
    let is_nest = |op: OpId| {
        For::cast(unit, op).is_some() || Copy::cast(unit, op).is_some() || Kernel::cast(unit, op).is_some()
    };
    let outermost = |op: &OpId| {
        is_nest(*op) && !std::iter::successors(unit.parent(*op), |up| unit.parent(*up)).any(is_nest)
    };
    unit.walk().filter(outermost).collect()
}

/// What the bodies of a nest compute
pub fn bodies(ir: &Ir, top: OpId, ops: &Ops) -> Bodies {
    let mut all = Bodies::default();
    for (place, op) in std::iter::once(top).chain(ir.walk_below(top)).enumerate() {
        if let Some(copy) = Copy::cast(ir, op) {
            let lanes = copy.by_levels(ir).into_iter().filter_map(|by| match by {
                By::Vector(lanes) => Some(lanes),
                _ => None,
            });
            all.lanes.extend(lanes.max().map(|lanes| (place as u32, lanes)));
        }
        let own = operations(ir, op);
        if !own.is_empty() {
            all.at(ops.around(ir, op).inside).add(&own);
        }
    }
    all
}

/// Are instructions on values of a type counted? Those on places of elements, which are of type `index`, and on conditions are not
pub fn is_counted(cx: &Context, ty: Type) -> bool {
    let elem = ty.scalar(cx);
    elem.is_float(cx) || elem.is_int(cx) && elem != cx.common().i1
}

/// An instruction on floats or integers by what it costs
pub fn of_values(ir: &Ir, op: OpId) -> Operations {
    let none = Operations::default();
    let counts = ir.results(op).next().is_some_and(|value| is_counted(ir.cx(), ir.ty(value)));
    let traits = ir.def(op).traits;
    match () {
        () if !counts || !ir.has(op, Traits::Pure) || ir.has(op, Traits::ConstantLike) => none,
        () if traits.has(Traits::Divides) => Operations { divisions: 1, ..none },
        () if traits.has(Traits::LibraryCall) => Operations { calls: 1, ..none },
        () => Operations { simple: 1, ..none },
    }
}

/// Does an operator find the largest or smallest of floats?
fn is_ordered(ir: &Ir, operator: &Operator, ty: Type) -> bool {
    matches!(operator, Operator::Builtin(builtin) if builtin.is_ordered(ir.cx(), ty.scalar(ir.cx())))
}

/// Instructions of one op
fn operations(ir: &Ir, op: OpId) -> Operations {
    let none = Operations::default();
    if let Some(write) = Write::cast(ir, op) {
        let operator = write.operator(ir);
        let ty = ir.ty(write.memref(ir));
        let ordered = u32::from(operator.as_ref().is_some_and(|own| is_ordered(ir, own, ty)));
        let functions = u32::from(matches!(operator, Some(Operator::Function(_))));
        return Operations { merges: u32::from(operator.is_some()), ordered, functions, ..none };
    }
    if ir.is(op, Yield::DEF) {
        let around = ir.parent(op).and_then(|up| For::cast(ir, up));
        let Some(merging) = around.filter(|up| up.info(ir).is_some_and(|info| info.kind != Combination::Cc))
        else {
            return none;
        };
        let operators = merging.operators(ir);
        let ordered =
            ir.operands(op).zip(&operators).filter(|(value, own)| is_ordered(ir, own, ir.ty(*value)));
        return Operations {
            yields: ir.operands(op).count() as u32,
            ordered: ordered.count() as u32,
            functions: if operators.iter().any(|own| matches!(own, Operator::Function(_))) {
                ir.operands(op).count() as u32
            } else {
                0
            },
            ..none
        };
    }
    // A product that is only merged is one instruction with the sum.
    let merged = |value: Value| {
        ir.uses(value).all(|(user, _)| {
            Write::cast(ir, user).is_some_and(|write| write.operator(ir).is_some()) || ir.is(user, Yield::DEF)
        })
    };
    match ir.is(op, MulF::DEF) && ir.results(op).all(merged) {
        true => none,
        false => of_values(ir, op),
    }
}
