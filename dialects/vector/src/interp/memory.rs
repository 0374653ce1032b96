//! Loads and stores of vectors.

use super::super::{Load, Store};
use super::{elements, points, shape};
use terrace_interp::{Machine, RtValue, Trap};
use terrace_ir::{TypeKind, Value};

terrace_interp::interpret_by_run!(Load Store);

pub(super) fn place(m: &Machine<'_>, indices: Vec<Value>) -> Result<Vec<i64>, Trap> {
    indices.into_iter().map(|index| m.decide_i64(index, "the index")).collect()
}

/// The place of a vector's element: the point counts from the end of the memory's dimensions
pub fn shifted(at: &[i64], point: &[i64]) -> Vec<i64> {
    let lead = at.len().saturating_sub(point.len());
    let shift = |(n, at): (usize, &i64)| {
        if n < lead { *at } else { at.saturating_add(point[n - lead]) }
    };
    at.iter().enumerate().map(shift).collect()
}

/// Is each element of this memory a vector?
fn of_vectors(m: &Machine<'_>, base: Value) -> bool {
    let elem = m.ir().ty(base).scalar(m.cx());
    matches!(elem.kind(m.cx()), TypeKind::Vector { .. })
}

impl Load {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.base(ir))?;
        let at = place(m, self.indices(ir))?;
        if of_vectors(m, self.base(ir)) {
            let value = m.memory().load(&view, &at)?;
            m.set_result(0, value);
            return Ok(());
        }
        let shape = shape(m, ir.ty(self.result(ir)))?;
        let mut all = Vec::with_capacity(super::count(shape));
        points(shape, |point| {
            all.push(m.memory().load(&view, &shifted(&at, point))?);
            Ok(())
        })?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl Store {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.base(ir))?;
        let at = place(m, self.indices(ir))?;
        if of_vectors(m, self.base(ir)) {
            let value = m.value(self.value_to_store(ir));
            return Ok(m.memory().store(&view, &at, value)?);
        }
        let shape = shape(m, ir.ty(self.value_to_store(ir)))?;
        let mut all = elements(m, self.value_to_store(ir))?.into_iter();
        points(shape, |point| {
            let value = all.next().unwrap_or(RtValue::Poison);
            Ok(m.memory().store(&view, &shifted(&at, point), value)?)
        })
    }
}
