//! Values of an iteration, and those from outside of the nest.

use crate::build::{Build, Done, Val, number_bits, refuse};
use crate::graph::{Index, NodeId, What};
use crate::outer::Outer;
use terrace_ir::{OpId, Value};

impl Build<'_> {
    /// Bits of a value's type
    pub fn width(&self, op: OpId, value: Value) -> Done<u32> {
        let (ir, cx) = (self.ir, self.ir.cx());
        let ty = ir.ty(value);
        if ty.is_index(cx) {
            return Ok(64);
        }
        number_bits(ir, op, ty)
    }

    pub fn in_bits(&mut self, val: &Val, width: u32) -> NodeId {
        match val {
            Val::Index(index) => self.graph.value(index, width, 1),
            Val::Node(node) => *node,
            Val::Memory(_) => self.graph.number(0, width),
        }
    }

    /// A value as bits of its type
    pub fn node(&mut self, user: OpId, value: Value) -> Done<NodeId> {
        let width = self.width(user, value)?;
        let val = self.value(user, value)?;
        Ok(self.in_bits(&val, width))
    }

    /// A value as an index
    pub fn index(&mut self, user: OpId, value: Value) -> Done<Index> {
        Ok(match self.value(user, value)? {
            Val::Index(index) => index,
            Val::Node(node) => Index::of(node),
            Val::Memory(_) => Index::number(0),
        })
    }

    /// What a value is; what is outside of the nest is computed where it is needed
    pub fn value(&mut self, user: OpId, value: Value) -> Done<Val> {
        if let Some(val) = self.env.get(&value) {
            return Ok(val.clone());
        }
        if let Some(outer) = self.outer.get(&value) {
            let val = self.outside(outer);
            self.env.insert(value, val.clone());
            return Ok(val);
        }
        // Chains of arithmetic are short, but not bounded.
        let mut pending = vec![value];
        while let Some(top) = pending.last().copied() {
            let made = self.ir.defining_op(top);
            let free = made.filter(|op| self.ir.num_regions(*op) == 0 && crate::loops::is_free(self.ir, *op));
            let Some(op) = free else {
                let help = "values pass from loop to loop through memory";
                let at = made.unwrap_or(user);
                return Err(refuse(
                    self.ir,
                    at,
                    "gives a value to another loop, which has no register for it",
                    help,
                ));
            };
            let known = |value: &Value| self.env.contains_key(value) || self.outer.contains_key(value);
            let missing: Vec<Value> = self.ir.operands(op).filter(|value| !known(value)).collect();
            if missing.is_empty() {
                self.op(op)?;
                pending.pop();
            } else {
                pending.extend(missing);
            }
        }
        self.env.get(&value).cloned().ok_or_else(|| refuse(self.ir, user, "has no hardware", ""))
    }

    fn outside(&mut self, outer: &Outer) -> Val {
        match outer {
            Outer::Memory(held) => Val::Memory(held.clone()),
            Outer::Value(wire) => {
                Val::Node(self.graph.node(What::Still(wire.clone()), &[], wire.width, None))
            }
            Outer::Index { constant, terms } => {
                let mut index = Index::number(*constant);
                for (wire, most, by) in terms {
                    let what = What::Still(wire.clone());
                    let node = self.graph.node(what, &[], wire.width, Some(*most));
                    index = index.plus(&Index::of(node).times(*by));
                }
                Val::Index(index)
            }
        }
    }
}
