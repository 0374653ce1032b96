//! Elements put in other places.

use super::super::{Broadcast, Extract, Insert, vector_shape};
use super::{assemble, count, elements, points, shape};
use terrace_interp::{Machine, RtValue, Trap};
use terrace_ir::{DYNAMIC, Type, Value};

terrace_interp::interpret_by_run!(Broadcast Extract Insert);

impl Broadcast {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let to = shape(m, ir.ty(self.vector(ir)))?;
        let from = vector_shape(m.cx(), ir.ty(self.source(ir))).unwrap_or(&[]);
        let source = elements(m, self.source(ir))?;
        let lead = to.len() - from.len();
        let mut all = Vec::with_capacity(count(to));
        points(to, |point| {
            let at = from
                .iter()
                .zip(&point[lead..])
                .fold(0, |at, (size, n)| at * *size as usize + if *size == 1 { 0 } else { *n as usize });
            all.push(source.get(at).cloned().unwrap_or(RtValue::Poison));
            Ok(())
        })?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

/// Where the elements that a position leaves begin, and how many they are; `None` outside of the vector or for poison
fn range(
    m: &Machine<'_>,
    vector: Type,
    position: &[i64],
    dynamic: Vec<Value>,
) -> Result<Option<(usize, usize)>, Trap> {
    let shape = shape(m, vector)?;
    let mut dynamic = dynamic.into_iter();
    let mut start = 0usize;
    let mut inside = true;
    for (&at, &size) in position.iter().zip(shape) {
        let at = match (at, dynamic.as_slice().first()) {
            (DYNAMIC, Some(&value)) => {
                dynamic.next();
                m.value(value).as_i64().unwrap_or(-1)
            }
            (at, _) => at,
        };
        inside &= (0..size).contains(&at);
        start = start * size as usize + at.clamp(0, size - 1) as usize;
    }
    let len = count(&shape[position.len()..]);
    Ok(inside.then_some((start * len, len)))
}

impl Extract {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let ty = ir.ty(self.source(ir));
        let value = match range(m, ty, self.position(ir), self.dynamic_position(ir))? {
            Some((start, len)) => {
                let all = elements(m, self.source(ir))?;
                assemble(m, all[start..start + len].to_vec(), ir.ty(self.result(ir)))
            }
            None => RtValue::Poison,
        };
        m.set_result(0, value);
        Ok(())
    }
}

impl Insert {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let ty = ir.ty(self.dest(ir));
        let value = match range(m, ty, self.position(ir), self.dynamic_position(ir))? {
            Some((start, len)) => {
                let mut all = elements(m, self.dest(ir))?;
                all.splice(start..start + len, elements(m, self.value_to_store(ir))?);
                RtValue::Vector(all.into())
            }
            None => RtValue::Poison,
        };
        m.set_result(0, value);
        Ok(())
    }
}
