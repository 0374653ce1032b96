//! Loops that count up by one until a bound, as `fori_loop` and `scan` of JAX make them: `scf.for`.

use super::Edge;
use crate::tensors::Done;
use terrace_dialect_mdh::Yield;
use terrace_dialect_mdh::view::{Input, Output, View};
use terrace_dialect_scf as scf;
use terrace_dialect_stablehlo as hlo;
use terrace_ir::{BlockId, Builder, OpId, Type, Value};
use terrace_support::affine::AffineMap;

/// A loop that counts
pub(super) struct Counted {
    /// Which of the carried values counts
    counter: usize,
    bound: Bound,
}

/// Where it ends
enum Bound {
    /// A number in the condition
    Constant(OpId),
    /// A value from outside
    Outside(Value),
    /// What is carried and does not change
    Carried(usize),
}

impl Counted {
    /// The condition is `i < bound`, the body gives `i + 1`, and the last count is not read
    pub(super) fn of(edge: &Edge<'_>, op: OpId) -> Option<Counted> {
        let ir = &*edge.ir;
        let (cond, end) = edge.block(hlo::While(op).cond(ir)).ok()?;
        let (body, last) = edge.block(hlo::While(op).body(ir)).ok()?;
        let test = ir.defining_op(ir.operand(end, 0)).and_then(|test| hlo::Compare::cast(ir, test))?;
        let only = |op: OpId| op == end || op == test.id() || ir.is(op, hlo::Constant::DEF);
        if ir.block(test.id()) != Some(cond) || !ir.block_ops(cond).all(only) {
            return None;
        }
        let counter = ir.block_args(cond).iter().position(|arg| *arg == test.lhs(ir))?;
        let integer = ir.ty(test.lhs(ir)).scalar(ir.cx()).is_signless_int(ir.cx());
        let below = test.comparison_direction(ir) == hlo::ComparisonDirection::Lt;
        if !integer || !below || edge.is_unsigned(test.lhs(ir)) || ir.is_used(ir.result(op, counter)) {
            return None;
        }
        let next = ir.defining_op(ir.operand(last, counter)).and_then(|next| hlo::Add::cast(ir, next))?;
        let arg = ir.block_args(body)[counter];
        let step = match (next.lhs(ir) == arg, next.rhs(ir) == arg) {
            (true, false) => next.rhs(ir),
            (false, true) => next.lhs(ir),
            _ => return None,
        };
        if edge.number(step) != Some(1) {
            return None;
        }
        let rhs = test.rhs(ir);
        let bound = match ir.block_args(cond).iter().position(|arg| *arg == rhs) {
            Some(n) if ir.operand(last, n) == ir.block_args(body)[n] => Bound::Carried(n),
            Some(_) => return None,
            None => match ir.defining_op(rhs).filter(|maker| ir.block(*maker) == Some(cond)) {
                Some(maker) => Bound::Constant(maker),
                None => Bound::Outside(rhs),
            },
        };
        Some(Counted { counter, bound })
    }

    pub(super) fn convert(self, edge: &mut Edge<'_>, op: OpId, types: &[Type]) -> Done<()> {
        let inits: Vec<Value> = edge.ir.operands(op).collect();
        let region = hlo::While(op).body(edge.ir);
        let (body, end) = edge.block(region)?;
        let low = edge.only(op, inits[self.counter]);
        let high = match self.bound {
            Bound::Constant(maker) => {
                edge.ir.detach(maker);
                edge.ir.insert_before(op, maker);
                let value = edge.ir.result(maker, 0);
                let number = edge.number(value).ok_or("the bound of a loop is no number")?;
                let attr = edge.ir.cx().int_attr(number.into(), edge.ir.ty(low));
                let mut b = edge.before(op);
                terrace_dialect_arith::Constant::build(&mut b, attr).result(b.read())
            }
            Bound::Outside(value) => edge.only(op, value),
            Bound::Carried(n) => edge.only(op, inits[n]),
        };
        let one = edge.ir.cx().int_attr(1, edge.ir.ty(low));
        let kept = |n: &usize| *n != self.counter;
        let carried: Vec<Value> = (0..inits.len()).filter(kept).map(|n| inits[n]).collect();
        let kinds: Vec<Type> = (0..inits.len()).filter(kept).map(|n| types[n]).collect();
        let mut b = edge.before(op);
        let one = terrace_dialect_arith::Constant::build(&mut b, one).result(b.read());
        let made = scf::For::build(&mut b, low, high, one, &carried, &kinds);
        let to = made.region(edge.ir);
        for block in edge.ir.blocks(to).collect::<Vec<BlockId>>() {
            edge.ir.erase_block(block);
        }
        self.body(edge, (body, end), low);
        edge.ir.move_blocks(region, to);
        for (n, old) in (0..inits.len()).filter(kept).enumerate() {
            let (from, to) = (edge.ir.result(op, old), edge.ir.result(made.id(), n));
            edge.forward(from, to);
        }
        edge.ir.erase(op);
        Ok(())
    }

    /// The counter is the loop's own, as a tensor where one is read
    fn body(&self, edge: &mut Edge<'_>, (body, end): (BlockId, OpId), low: Value) {
        let ty = edge.ir.ty(low);
        let args = edge.ir.block_args(body).to_vec();
        let own = edge.ir.add_block_arg(body, ty);
        let counter = args[self.counter];
        let block = edge.ir.create_block();
        let number = edge.ir.add_block_arg(block, ty);
        Yield::build(&mut Builder::at_end(edge.ir, block), &[number]);
        let view = View {
            name: None,
            dims: Vec::new(),
            inputs: vec![Input { value: own, map: None, other: None, guard: None }],
            outputs: vec![Output { maps: vec![AffineMap::identity(0)], init: None }],
            conditions: Vec::new(),
            extents: Vec::new(),
        };
        let whole = edge.ir.ty(counter);
        let made = view.build(&mut Builder::at_start(edge.ir, body), &[whole], block);
        let tensor = edge.ir.result(made.id(), 0);
        edge.scalars.insert(tensor, own);
        edge.ir.replace_all_uses(counter, tensor);
        // The loop's own argument stands first.
        let mut moved = Vec::new();
        for arg in args.iter().copied().filter(|arg| *arg != counter) {
            let copy = edge.ir.add_block_arg(body, edge.ir.ty(arg));
            edge.forward(arg, copy);
            moved.push(copy);
        }
        for _ in 0..args.len() {
            edge.ir.remove_block_arg(body, 0);
        }
        let values: Vec<Value> = edge
            .ir
            .operands(end)
            .enumerate()
            .filter(|(n, _)| *n != self.counter)
            .map(|(_, value)| value)
            .collect();
        edge.ir.set_operands(end, &values, &[]);
        edge.yields(end);
    }
}

impl Edge<'_> {
    /// The number that a tensor holds everywhere
    pub(super) fn number(&self, value: Value) -> Option<i64> {
        let known = self.splats.get(&value).copied().or_else(|| {
            let maker = self.ir.defining_op(value).and_then(|op| hlo::Constant::cast(self.ir, op))?;
            super::moves::element(self.ir.cx(), maker.value(self.ir))
        });
        known?.as_i64(self.ir.cx())
    }
}
