//! Layout ops by value: the conditions on sizes are checked, then the op arranges its operands.

use super::{INDEX, of_op, table};
use crate::interp::{ELEMENTS, binding, bounds, list, number, unbound};
use crate::nat_text::nat_of;
use crate::size::{Obligation, Verdict, value_of};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_analysis::nat::Nat;
use terrace_interp::{Machine, RtValue, Step, Trap, codes as traps};
use terrace_ir::{Ir, OpId};

/// A layout op that is evaluated: its operands, and the numbers of its properties
pub struct Evaluation<'m, 'ir> {
    pub(crate) m: &'m Machine<'ir>,
    /// The operands
    pub values: Vec<RtValue>,
}

fn no_size() -> Trap {
    Trap::new(&traps::INVALID, "an attribute is no size")
}

/// A number of elements that a list may have
pub(crate) fn size(n: i64) -> Result<usize, Trap> {
    match usize::try_from(n) {
        Ok(size) if n <= ELEMENTS => Ok(size),
        _ => Err(bounds(format!("an array of {n} elements"))),
    }
}

/// An index into `n` elements
pub(crate) fn index(value: &RtValue, n: usize) -> Result<usize, Trap> {
    if *value == RtValue::Poison {
        return Err(Trap::new(&traps::POISON, "the index is poison"));
    }
    let at = value.as_i64().unwrap_or(-1);
    let inside = usize::try_from(at).ok().filter(|at| *at < n);
    inside.ok_or_else(|| bounds(format!("index {at} in an array of {n} elements")))
}

impl Evaluation<'_, '_> {
    /// The unit
    pub fn ir(&self) -> &Ir {
        self.m.ir()
    }

    /// The op
    pub fn op(&self) -> OpId {
        self.m.op()
    }

    /// The elements of an operand
    pub fn list(&self, n: usize) -> Result<Arc<[RtValue]>, Trap> {
        list(&self.values[n])
    }

    /// A property that is a size, as a number
    pub fn nat(&self, name: &str) -> Result<i64, Trap> {
        let nat = self.ir().attr(self.op(), name).and_then(|attr| nat_of(self.m.cx(), attr));
        number(self.m, &nat.ok_or_else(no_size)?)
    }

    /// A property that is a number of elements
    pub fn size(&self, name: &str) -> Result<usize, Trap> {
        size(self.nat(name)?)
    }

    /// A size as a number of elements
    pub fn count(&self, nat: &Nat) -> Result<usize, Trap> {
        size(number(self.m, nat)?)
    }

    /// A function of `$i` in a property, at the first `count` indices, each inside of `n` elements
    pub fn indices(&self, name: &str, count: i64, n: usize) -> Result<Vec<usize>, Trap> {
        let nat = self.ir().attr(self.op(), name).and_then(|attr| nat_of(self.m.cx(), attr));
        let nat = nat.ok_or_else(no_size)?;
        let mut known = binding(self.m)?;
        size(count)?;
        (0..count)
            .map(|i| {
                known.insert(INDEX.into(), i);
                let at = value_of(&nat, &known).map_err(unbound)?;
                index(&RtValue::index(at), n)
            })
            .collect()
    }

    /// The conditions that the types leave open hold with the sizes of this run
    fn check(&self) -> Result<(), Trap> {
        let by_index = table(self.ir().def(self.op())).is_some_and(|table| table.by_index);
        let open = self.m.decoded(|ir, op| {
            let is_open = |obligation: &Obligation| obligation.decide(&BTreeMap::new()) != Verdict::Proved;
            of_op(ir, op).map(|shape| shape.obligations.into_iter().filter(is_open).collect::<Vec<_>>())
        });
        let open = open.as_ref().as_ref().map_err(|why| Trap::new(&traps::INVALID, why.to_string()))?;
        for obligation in open {
            let of_index = |nat: &Nat| nat.names().iter().any(|name| name == INDEX);
            if by_index && (of_index(&obligation.a) || of_index(&obligation.b)) {
                // It holds or fails at each index, when that is computed.
                continue;
            }
            let (a, b) = (number(self.m, &obligation.a)?, number(self.m, &obligation.b)?);
            if !obligation.holds(a, b) {
                let (what, left, right) = (obligation.what, &obligation.a, &obligation.b);
                return Err(unbound(format!("{what}: {left} = {a} and {right} = {b} do not fit")));
            }
        }
        Ok(())
    }
}

/// The interpreter of every layout op
pub fn interpret(m: &mut Machine<'_>) -> Result<Step, Trap> {
    let op = m.op();
    let table = table(m.ir().def(op));
    let table = table.ok_or_else(|| Trap::new(&traps::INVALID, "is no layout op"))?;
    let evaluation = Evaluation { m, values: m.operands() };
    evaluation.check()?;
    let results = (table.evaluate)(op, &evaluation)?;
    m.set_results(results);
    Ok(Step::Next)
}
