//! What estimates need of a computation, read once. Decides nothing.

use crate::compute::{Compute, Yield};
use crate::operator::{self, Operator};
use crate::view::{self, View};
use terrace_dialect_arith::MulF;
use terrace_dialect_sched::{Builtin, of_floats};
use terrace_ir::{Ir, OpId, Type, Value};
use terrace_schedule_cost::{Computed, Operations, Point};
use terrace_schedule_model::computation::{Contributions, Memory, Start};
use terrace_schedule_model::nest;

impl View {
    /// The computation with what estimates need. `None` where values are merged several at once or by a function, for prefixes, and
    /// where the body computes places: these have no estimate before they are loops
    pub fn computed(&self, ir: &Ir, op: Compute) -> Option<Computed> {
        let shaped = |input: &view::Input| ir.ty(input.value).shape(ir.cx()).is_some();
        let gathers = self.inputs.iter().any(|input| input.map.is_none() && shaped(input));
        if gathers || self.dims.iter().any(|dim| matches!(dim.kind, view::CombineKind::Ps(_))) {
            return None;
        }
        let contributions = self.contributions(ir, op)?;
        Some(Computed { computation: self.computation(ir, op), contributions, point: self.point(ir, op) })
    }

    fn contributions(&self, ir: &Ir, op: Compute) -> Option<Contributions> {
        let (cx, buffers) = (ir.cx(), self.buffers());
        let ty = |out: usize| ir.ty(ir.result(op.id(), out)).scalar(cx);
        let mut all = Contributions {
            operators: Vec::new(),
            starts: Vec::new(),
            fronts: vec![false; self.outputs.len()],
        };
        for group in self.groups()? {
            let Operator::Builtin(builtin) = group.operator else { return None };
            // One operator of one output each, or it is no built-in one
            let own = self.operator(ir, builtin, ty(group.first));
            all.operators.extend(std::iter::repeat_n(own, self.outputs[group.first].maps.len()));
            let of_type =
                |out: usize| operator::identity(builtin, cx, ty(out)) != builtin.identity(cx, ty(out));
            all.fronts[group.first] = self.may_be_empty() && of_type(group.first);
        }
        for out in &self.outputs {
            all.starts.push(out.init.as_ref().map(|(value, map)| Start {
                buffer: buffers.iter().position(|other| other == value),
                memory: memory(ir, *value),
                map: map.clone(),
            }));
        }
        Some(all)
    }

    fn operator(&self, ir: &Ir, builtin: Builtin, ty: Type) -> nest::Operator {
        let algebra = builtin.algebra(ir.cx(), ty);
        nest::Operator {
            name: builtin.to_string().into(),
            bytes: i64::from(ty.bit_width(ir.cx()).unwrap_or(8).div_ceil(8)),
            associative: algebra.associative,
            commutative: algebra.commutative,
            exact: algebra.exact,
        }
    }

    /// What the body costs
    fn point(&self, ir: &Ir, op: Compute) -> Point {
        let cx = ir.cx();
        let yielded = |value: Value| ir.uses(value).all(|(user, _)| ir.is(user, Yield::DEF));
        let is_product = |op: OpId| ir.is(op, MulF::DEF) && ir.results(op).all(yielded);
        let mut point = Point {
            floats: ir.results(op.id()).all(|value| ir.ty(value).scalar(cx).is_float(cx)),
            ..Point::default()
        };
        for op in ir.walk_below(op.id()) {
            match is_product(op) {
                true => point.products += 1,
                false => point.operations.add(&of_floats(ir, op)),
            }
        }
        // A value that stands for what a guard shuts out is chosen.
        let chosen = self.inputs.iter().filter(|input| input.guard.is_some() && input.other.is_some());
        let floats = chosen.filter(|input| ir.ty(input.value).scalar(cx).is_float(cx)).count();
        point.operations.add(&Operations { simple: floats as u32, ..Operations::default() });
        point
    }
}

fn memory(ir: &Ir, value: Value) -> Memory {
    Memory {
        shape: ir.ty(value).shape(ir.cx()).unwrap_or(&[]).to_vec(),
        bytes: i64::from(ir.ty(value).scalar(ir.cx()).bit_width(ir.cx()).unwrap_or(8).div_ceil(8)),
    }
}
