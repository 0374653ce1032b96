//! Masks, and loads and stores under them: an element whose mask is off is not touched.

use super::super::{
    ConstantMask, Contract, CreateMask, Gather, MaskOp, MaskedLoad, MaskedStore, MultiReduction,
    OuterProduct, Reduction, Step, TransferRead, TransferWrite, Yield,
};
use super::memory::{place, shifted};
use super::{count, elements, points, shape, unsupported};
use terrace_interp::{Machine, RtValue, Trap, codes};
use terrace_ir::Type;

terrace_interp::interpret_by_run!(ConstantMask CreateMask MaskOp MaskedLoad MaskedStore Step);

fn below(m: &Machine<'_>, ty: Type, bounds: &[i64]) -> Result<RtValue, Trap> {
    let shape = shape(m, ty)?;
    // A mask of no dimension has one bound.
    if shape.is_empty() {
        return Ok(RtValue::Vector([RtValue::bool(bounds.first().is_some_and(|bound| *bound > 0))].into()));
    }
    let mut all = Vec::with_capacity(count(shape));
    points(shape, |point| {
        all.push(RtValue::bool(point.iter().zip(bounds).all(|(at, bound)| at < bound)));
        Ok(())
    })?;
    Ok(RtValue::Vector(all.into()))
}

impl CreateMask {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let bounds: Option<Vec<i64>> = m.operands().iter().map(RtValue::as_i64).collect();
        let value = match bounds {
            Some(bounds) => below(m, ir.ty(self.mask(ir)), &bounds)?,
            None => RtValue::Poison,
        };
        m.set_result(0, value);
        Ok(())
    }
}

impl ConstantMask {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let value = below(m, ir.ty(self.mask(ir)), self.bounds(ir))?;
        m.set_result(0, value);
        Ok(())
    }
}

impl Step {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let count = count(shape(m, ir.ty(self.result(ir)))?) as i64;
        m.set_result(0, RtValue::Vector((0..count).map(RtValue::index).collect()));
        Ok(())
    }
}

/// Is this element of a mask set? Poison traps
pub(super) fn is_set(each: &RtValue) -> Result<bool, Trap> {
    let bit = each.as_unsigned().ok_or_else(|| Trap::new(&codes::POISON, "the mask is poison"))?;
    Ok(bit != 0)
}

impl MaskedLoad {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.base(ir))?;
        let at = place(m, self.indices(ir))?;
        let mask = elements(m, self.mask(ir))?;
        let mut all = elements(m, self.pass_thru(ir))?;
        let mut n = 0;
        points(shape(m, ir.ty(self.result(ir)))?, |point| {
            if is_set(&mask[n])? {
                all[n] = m.memory().load(&view, &shifted(&at, point))?;
            }
            n += 1;
            Ok(())
        })?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl MaskedStore {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.base(ir))?;
        let at = place(m, self.indices(ir))?;
        let mask = elements(m, self.mask(ir))?;
        let all = elements(m, self.value_to_store(ir))?;
        let mut n = 0;
        points(shape(m, ir.ty(self.value_to_store(ir)))?, |point| {
            if is_set(&mask[n])? {
                m.memory().store(&view, &shifted(&at, point), all[n].clone())?;
            }
            n += 1;
            Ok(())
        })
    }
}

/// The masked op is run here, with the results of the op around it for its own
impl MaskOp {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let mask = elements(m, self.mask(ir))?;
        let Some(op) = self.masked(ir) else {
            let end = ir.entry(self.region(ir)).and_then(|block| ir.last_op(block));
            let values = m.values(end.map_or(Vec::new(), |end| ir.operands(end).collect()));
            m.set_results(values);
            return Ok(());
        };
        let mask = Some(&mask[..]);
        if let Some(op) = Reduction::cast(ir, op) {
            return op.run_under(m, mask);
        }
        if let Some(op) = MultiReduction::cast(ir, op) {
            return op.run_under(m, mask);
        }
        if let Some(op) = OuterProduct::cast(ir, op) {
            return op.run_under(m, mask);
        }
        if let Some(op) = Contract::cast(ir, op) {
            return op.run_under(m, mask);
        }
        if let Some(op) = Gather::cast(ir, op) {
            return op.run_under(m, mask);
        }
        if let Some(op) = TransferWrite::cast(ir, op) {
            return op.run_under(m, mask);
        }
        let Some(op) = TransferRead::cast(ir, op) else { return Err(unsupported()) };
        let passthru = self.passthru(ir).map(|value| elements(m, value)).transpose()?;
        op.run_under(m, mask, passthru.as_deref())
    }
}

impl terrace_interp::Interpret for Yield {
    fn interpret(self, m: &mut Machine<'_>) -> terrace_interp::Step {
        terrace_interp::Step::Yield(m.operands())
    }
}
