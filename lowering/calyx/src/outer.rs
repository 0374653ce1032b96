//! What is known outside of loop nests: numbers that change from nest to nest, and memories.

use crate::netlist::Wire;
use terrace_dialect_arith as arith;
use terrace_ir::fold::constant_of;
use terrace_ir::{Ir, Value};
use terrace_support::HashMap;

/// A memory as a stage has it
#[derive(Clone, Debug)]
pub(crate) struct Held {
    /// Of the list of memories
    pub memory: usize,
    /// Its second copy where this is true
    pub second: Option<Wire>,
}

/// A value outside of nests
#[derive(Clone, Debug)]
pub(crate) enum Outer {
    Memory(Held),
    Value(Wire),
    /// A constant and registers, each with its greatest number and a factor
    Index {
        constant: i64,
        terms: Vec<(Wire, i64, i64)>,
    },
}

pub(crate) type Env = HashMap<Value, Outer>;

impl Outer {
    pub fn number(constant: i64) -> Outer {
        Outer::Index { constant, terms: Vec::new() }
    }
}

/// What a value is, if that is known or a sum of what is known
pub(crate) fn find(ir: &Ir, env: &Env, value: Value) -> Option<Outer> {
    // Sums of variables of loops; longer ones are computed where they are used.
    find_in(ir, env, value, 16)
}

fn find_in(ir: &Ir, env: &Env, value: Value, left: u32) -> Option<Outer> {
    if let Some(known) = env.get(&value) {
        return Some(known.clone());
    }
    let number = |value: Value| constant_of(ir, value)?.as_i64(ir.cx());
    if let Some(number) = number(value) {
        let ty = ir.ty(value);
        return Some(match ty.bit_width(ir.cx()).filter(|_| !ty.is_index(ir.cx())) {
            Some(width) => Outer::Value(Wire::number(number, width)),
            None => Outer::number(number),
        });
    }
    let op = ir.defining_op(value).filter(|_| left > 0 && ir.ty(value).is_index(ir.cx()))?;
    let operand = |n: usize| find_in(ir, env, ir.operand(op, n), left - 1);
    if ir.is(op, arith::AddI::DEF) {
        return sum(operand(0)?, operand(1)?);
    }
    let by = ir.is(op, arith::MulI::DEF).then(|| number(ir.operand(op, 1)))??;
    let Outer::Index { constant, terms } = operand(0)? else { return None };
    let terms = terms.into_iter().map(|(wire, most, own)| (wire, most, own.wrapping_mul(by))).collect();
    Some(Outer::Index { constant: constant.wrapping_mul(by), terms })
}

fn sum(a: Outer, b: Outer) -> Option<Outer> {
    let (Outer::Index { constant: a, terms: mut all }, Outer::Index { constant: b, terms }) = (a, b) else {
        return None;
    };
    all.extend(terms);
    Some(Outer::Index { constant: a.wrapping_add(b), terms: all })
}
