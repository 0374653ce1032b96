//! Turns choices into guards, and looks through computations that only forward elements.
//!
//! In tensor text the elements of a transposed convolution are set apart by a computation with a choice, and another one puts a border around
//! them. Phases need the tensor itself, with a guard.

use crate::inline::choices::{self, Handed};
use crate::inline::conditions::{self, Conditions};
use crate::inline::producer::Written;
use crate::inline::through;
use crate::parts;
use terrace_dialect_arith::Select;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Builder, Ir, OpId, Type, Value};

/// The computation with one input as it is behind all that hands its elements on, for each input where that is a tensor with a guard
pub fn through_producers(ir: &Ir, view: &View, written: &Written) -> Vec<View> {
    let behind = |n: usize| {
        let first = through::step(ir, view, n, written)?;
        let mut seen = view.clone();
        seen.inputs[n] = first.read;
        for _ in 1..through::MOST_HOPS {
            let Some(found) = through::step(ir, &seen, n, written) else { break };
            seen.inputs[n] = found.read;
        }
        seen.inputs[n].guard.is_some().then_some(seen)
    };
    (0..view.inputs.len()).filter_map(behind).collect()
}

/// A computation before this one, with the choices of its body as guards; `None`, and nothing has changed, where it has none
pub fn without_choices(ir: &mut Ir, op: Compute, view: &View) -> Option<Compute> {
    let body = ir.entry(op.body(ir))?;
    let mut made = view.clone();
    let ops: Vec<OpId> = ir.block_ops(body).collect();
    let conditions = Conditions::of(ir, view)?;
    let mut chosen = Vec::new();
    // From the last to the first: a choice between choices is one.
    for (at, each) in ops.iter().enumerate().rev().filter(|(_, each)| ir.is(**each, Select::DEF)) {
        let handed = Handed::read(ir, (body, view), &conditions, ir.result(*each, 0));
        let Some(handed) = handed.filter(|handed| handed.alone) else { continue };
        let input = &mut made.inputs[handed.input];
        let other = input.other.or(handed.constant);
        if input.guard.is_none() && handed.constant.is_some() && handed.constant == other {
            (input.guard, input.other) = (conditions::sum(&handed.remainders), other);
            chosen.push((at, handed.input));
        }
    }
    if chosen.is_empty() {
        return None;
    }
    let copy = parts::copied_body(ir, op, |_, _| None)?;
    let copies: Vec<OpId> = ir.block_ops(copy).collect();
    for (at, input) in chosen {
        let argument = ir.block_args(copy)[input];
        ir.replace_all_uses(ir.result(copies[at], 0), argument);
    }
    choices::erase_dead(ir, copy);
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    Some(made.build(&mut Builder::before(ir, op.id()), &types, copy))
}

/// Erases computations that nothing reads, from these values up
pub fn erase_unused(ir: &mut Ir, values: Vec<Value>) {
    let mut values = values;
    while let Some(value) = values.pop() {
        let Some(op) = ir.defining_op(value).filter(|op| ir.is_unused(*op)) else { continue };
        if Compute::cast(ir, op).is_some() {
            values.extend(ir.operands(op));
            ir.erase(op);
        }
    }
}
