//! Views of buffers: what stands for a buffer without the space that only names a cache or registers is viewed without it, too.

use crate::codes;
use crate::emit::{Emit, Res, Val};
use terrace_dialect_sched::SCHED;
use terrace_dialect_sched::space::lowered;
use terrace_ir::ir::ValueMap;
use terrace_ir::{Ir, OpId, Traits, Value};

impl Emit<'_> {
    /// Let what stands outside of nests use what stands for a buffer of the function: views of it anew, other ops as they are
    pub fn outside(&mut self, old: Value, new: Value) {
        let mut pending = vec![(old, new)];
        while let Some((old, new)) = pending.pop() {
            let users: Vec<(OpId, usize)> = self.ir.uses(old).collect();
            for (user, n) in users {
                if in_nest(self.ir, user) {
                    continue;
                }
                if !self.ir.has(user, Traits::ViewLike) {
                    self.ir.set_operand(user, n, new);
                    continue;
                }
                let mut map = ValueMap::default();
                map.insert(old, new);
                let copy = self.ir.clone_op(None, user, &mut map);
                self.ir.insert_before(user, copy);
                self.without_space(copy);
                self.views.push(user);
                for result in 0..self.ir.num_results(user) {
                    let (old, new) = (self.ir.result(user, result), self.ir.result(copy, result));
                    self.bind(old, Val::One(new));
                    pending.push((old, new));
                }
            }
        }
    }

    /// A view has the space of what it is a view of
    pub fn without_space(&mut self, view: OpId) {
        for n in 0..self.ir.num_results(view) {
            let result = self.ir.result(view, n);
            let ty = lowered(&self.cx, self.ir.ty(result));
            self.ir.set_type(result, ty);
        }
    }

    /// Is an op a view of memory of which each thread or warp has a part? Its indices do not say which
    pub fn check_view(&mut self, op: OpId) -> Res<()> {
        let of_part =
            |e: &Self, value: Value| matches!(e.get(value), Val::One(new) if e.parts.contains_key(&new));
        let viewed =
            self.ir.has(op, Traits::ViewLike) && self.ir.operands(op).any(|value| of_part(self, value));
        match viewed {
            false => Ok(()),
            true => self.refuse(
                op,
                &codes::LEVEL,
                "is a view of shared memory that each thread or warp has for itself",
                "read and write the buffer itself, or allocate it outside of the loops over threads",
            ),
        }
    }
}

/// Is an op of the dialect, or inside of one?
fn in_nest(ir: &Ir, op: OpId) -> bool {
    std::iter::successors(Some(op), |op| ir.parent(*op)).any(|op| ir.is_of(op, &SCHED))
}
