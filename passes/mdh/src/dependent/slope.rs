//! How a term depends on an element: linear, a power of something linear, its square.

use super::operators::Base;
use super::pair::Pair;
use super::terms::Id;
use terrace_dialect_arith as arith;
use terrace_dialect_math as math;
use terrace_ir::Ir;
use terrace_rewrite::{Miss, OrMiss};
use terrace_support::HashMap;

/// The constant slope of a term in x; `None` where it has another form
pub fn slope(ir: &Ir, pair: &Pair, root: Id) -> Option<f64> {
    let mut known: HashMap<Id, f64> = HashMap::default();
    known.insert(pair.x, 1.0);
    for id in pair.terms.below(root, &[pair.x]) {
        if !pair.varies(id) {
            known.insert(id, 0.0);
            continue;
        }
        let Some((op, operands)) = pair.terms.op(id) else { continue };
        let of = |n: usize| operands.get(n).and_then(|id| known.get(id)).copied();
        let number = |n: usize| operands.get(n).and_then(|id| pair.number(ir, *id));
        let found = match () {
            () if ir.is(op, arith::AddF::DEF) => of(0).zip(of(1)).map(|(a, b)| a + b),
            () if ir.is(op, arith::SubF::DEF) => of(0).zip(of(1)).map(|(a, b)| a - b),
            () if ir.is_any(op, &[arith::NegF::DEF]) => of(0).map(|a| -a),
            () if ir.is(op, arith::ExtF::DEF) => of(0),
            () if ir.is(op, arith::MulF::DEF) => {
                let left = of(0).zip(number(1)).map(|(a, k)| a * k);
                left.or_else(|| of(1).zip(number(0)).map(|(a, k)| a * k))
            }
            () if ir.is(op, arith::DivF::DEF) => of(0).zip(number(1)).map(|(a, k)| a / k),
            () => None,
        };
        if let Some(found) = found {
            known.insert(id, found);
        }
    }
    known.get(&root).copied().filter(|slope| slope.is_finite())
}

/// The part of a term that it is proportional to, where the other factors are the same for all elements
fn factor(ir: &Ir, pair: &Pair, mut id: Id, wanted: impl Fn(Id) -> bool) -> Option<Id> {
    while !wanted(id) {
        let (op, operands) = pair.terms.op(id)?;
        let linear = [arith::MulF::DEF, arith::DivF::DEF, arith::NegF::DEF, arith::ExtF::DEF];
        let varying: Vec<usize> = (0..operands.len()).filter(|n| pair.varies(operands[*n])).collect();
        let [only] = varying.as_slice() else { return None };
        if !ir.is_any(op, &linear) || ir.is(op, arith::DivF::DEF) && *only != 0 {
            return None;
        }
        id = operands[*only];
    }
    Some(id)
}

/// A term that is a power of something linear in x, times what is the same for all elements: the base, and the slope
pub fn power(ir: &Ir, pair: &Pair) -> Result<(Base, f64), Miss> {
    let base = |id: Id| {
        let (op, _) = pair.terms.op(id)?;
        match () {
            () if ir.is(op, math::Exp::DEF) => Some(Base::E),
            () if ir.is(op, math::Exp2::DEF) => Some(Base::Two),
            () => None,
        }
    };
    let id = factor(ir, pair, pair.t, |id| base(id).is_some()).or_miss("its elements are no exponentials")?;
    let base = base(id).or_miss("its elements are no exponentials")?;
    let exponent = pair.terms.op(id).and_then(|(_, operands)| operands.first().copied());
    let slope = exponent.and_then(|id| slope(ir, pair, id));
    Ok((base, slope.or_miss("its exponents are not linear in the elements, with a constant slope")?))
}

/// A square of something linear in x, within a term that is proportional to it
#[derive(Clone, Copy, Debug)]
pub struct Square {
    /// The square
    pub square: Id,
    /// What is squared
    pub root: Id,
    /// Its slope
    pub slope: f64,
}

/// A term that is a square of something linear in x, times what is the same for all elements
pub fn square(ir: &Ir, pair: &Pair) -> Result<Square, Miss> {
    let root = |id: Id| {
        let (op, operands) = pair.terms.op(id)?;
        let &[a, b] = operands else { return None };
        let two = || match pair.terms.op(b).map(|(op, _)| ir.result(op, 0)) {
            Some(value) if ir.is(op, math::FPowI::DEF) => {
                terrace_ir::fold::constant_of(ir, value).and_then(|attr| attr.as_i64(ir.cx())) == Some(2)
            }
            _ => ir.is(op, math::PowF::DEF) && pair.number(ir, b) == Some(2.0),
        };
        (ir.is(op, arith::MulF::DEF) && a == b && pair.varies(a) || two()).then_some(a)
    };
    let id = factor(ir, pair, pair.t, |id| root(id).is_some()).or_miss("its elements are no squares")?;
    let mut inner = root(id).or_miss("its elements are no squares")?;
    if let Some((op, [of])) = pair.terms.op(inner)
        && ir.is(op, math::AbsF::DEF)
    {
        inner = *of;
    }
    let slope = slope(ir, pair, inner).filter(|slope| *slope != 0.0);
    let slope = slope.or_miss("what it squares is not linear in the elements, with a constant slope")?;
    Ok(Square { square: id, root: inner, slope })
}
