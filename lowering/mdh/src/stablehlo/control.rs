//! Loops, conditions and calls on tensors, as `scf` and `func` have them.

use super::{Edge, counted};
use crate::tensors::Done;
use terrace_dialect_arith as arith;
use terrace_dialect_func as func;
use terrace_dialect_scf as scf;
use terrace_dialect_stablehlo as hlo;
use terrace_ir::{BlockId, OpId, RegionId, Type, Value};

impl Edge<'_> {
    /// The only block of a region, and what stands at its end
    pub(super) fn block(&self, region: RegionId) -> Done<(BlockId, OpId)> {
        let block = self.ir.single_block(region).ok_or("a region of several blocks has no form here")?;
        let end = self.ir.last_op(block).filter(|end| self.ir.is(*end, hlo::Return::DEF));
        Ok((block, end.ok_or("a region has no end")?))
    }

    /// What a region returns is what the region of the other op yields
    fn moved(&mut self, from: RegionId, to: RegionId) -> Done<()> {
        let (_, end) = self.block(from)?;
        self.yields(end);
        for block in self.ir.blocks(to).collect::<Vec<BlockId>>() {
            self.ir.erase_block(block);
        }
        self.ir.move_blocks(from, to);
        Ok(())
    }

    pub(super) fn yields(&mut self, end: OpId) {
        let values: Vec<Value> = self.ir.operands(end).collect();
        scf::Yield::build(&mut self.before(end), &values);
        self.ir.erase(end);
    }

    /// The results of another op, and the op is gone
    pub(super) fn replaced(&mut self, op: OpId, made: OpId) {
        for n in 0..self.ir.num_results(op) {
            let (from, to) = (self.ir.result(op, n), self.ir.result(made, n));
            self.forward(from, to);
        }
        self.ir.erase(op);
    }

    fn types(&self, op: OpId) -> Done<Vec<Type>> {
        self.ir
            .results(op)
            .map(|value| {
                self.sizes(value)
                    .map(|_| self.ir.ty(value))
                    .map_err(|_| "it carries what is no tensor of static shape".into())
            })
            .collect()
    }
}

pub(super) fn while_loop(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let types = edge.types(op)?;
    if let Some(counted) = counted::Counted::of(edge, op) {
        return counted.convert(edge, op, &types);
    }
    let hlo_while = hlo::While(op);
    let inits: Vec<Value> = edge.ir.operands(op).collect();
    let (cond, body) = (hlo_while.cond(edge.ir), hlo_while.body(edge.ir));
    let made = scf::While::build(&mut edge.before(op), &inits, &types);
    let (block, end) = edge.block(cond)?;
    let flag = edge.ir.operand(end, 0);
    let flag = edge.only(end, flag);
    let carried = edge.ir.block_args(block).to_vec();
    scf::Condition::build(&mut edge.before(end), flag, &carried);
    edge.ir.erase(end);
    let (before, after) = (made.before(edge.ir), made.after(edge.ir));
    edge.ir.move_blocks(cond, before);
    edge.moved(body, after)?;
    edge.replaced(op, made.id());
    Ok(())
}

pub(super) fn condition(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let flag = edge.only(op, hlo::If(op).pred(edge.ir));
    let regions = [edge.ir.region(op, 0), edge.ir.region(op, 1)];
    branch(edge, op, flag, regions)
}

fn branch(edge: &mut Edge<'_>, op: OpId, flag: Value, [yes, no]: [RegionId; 2]) -> Done<()> {
    let types = edge.types(op)?;
    let made = scf::If::build(&mut edge.before(op), flag, &types);
    let (first, second) = (made.then_region(edge.ir), made.else_region(edge.ir));
    edge.moved(yes, first)?;
    edge.moved(no, second)?;
    edge.replaced(op, made.id());
    Ok(())
}

/// Numbers out of range are those of the last region
pub(super) fn case(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let types = edge.types(op)?;
    let number = edge.only(op, hlo::Case(op).index(edge.ir));
    let regions: Vec<RegionId> = edge.ir.regions(op).collect();
    let cx = edge.ir.cx_arc().clone();
    if let [yes, no] = regions[..] {
        let zero = cx.int_attr(0, cx.common().i32);
        let mut b = edge.before(op);
        let zero = arith::Constant::build(&mut b, zero).result(b.read());
        let first = arith::CmpI::build(&mut b, number, zero, arith::CmpIPredicate::Eq).result(b.read());
        return branch(edge, op, first, [yes, no]);
    }
    let (last, others) = regions.split_last().ok_or("it has no regions")?;
    let numbers: Vec<i64> = (0..others.len() as i64).collect();
    let mut b = edge.before(op);
    let number = arith::IndexCast::build(&mut b, number, cx.common().index).out(b.read());
    let cases = cx.i64_array(&numbers);
    let made = scf::IndexSwitch::build(&mut b, number, cases, &types, others.len());
    let to: Vec<RegionId> = edge.ir.regions(made.id()).collect();
    for (from, to) in [last].into_iter().chain(others).zip(to) {
        edge.moved(*from, to)?;
    }
    edge.replaced(op, made.id());
    Ok(())
}

/// The operands
pub(super) fn barrier(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    for n in 0..edge.ir.num_results(op) {
        let (from, to) = (edge.ir.result(op, n), edge.ir.operand(op, n));
        edge.forward(from, to);
    }
    edge.ir.erase(op);
    Ok(())
}

/// A call of the function that says what it means
pub(super) fn composite(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let types = edge.types(op)?;
    let inputs: Vec<Value> = edge.ir.operands(op).collect();
    let callee = hlo::Composite(op).decomposition(edge.ir);
    let made = func::Call::build(&mut edge.before(op), &inputs, callee, &types).id();
    edge.replaced(op, made);
    Ok(())
}
