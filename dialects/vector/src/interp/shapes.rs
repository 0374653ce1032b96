//! Elements in another order or shape.

use super::super::{ShapeCast, Shuffle, Transpose};
use super::{count, elements, points, shape};
use terrace_interp::{Machine, RtValue, Trap};

terrace_interp::interpret_by_run!(ShapeCast Shuffle Transpose);

impl Shuffle {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let inner = count(shape(m, ir.ty(self.vector(ir)))?.get(1..).unwrap_or(&[]));
        let mut both = elements(m, self.v1(ir))?;
        both.extend(elements(m, self.v2(ir))?);
        let mut all = Vec::new();
        for &at in self.places(ir) {
            match usize::try_from(at).ok().and_then(|at| both.get(at * inner..(at + 1) * inner)) {
                Some(part) => all.extend_from_slice(part),
                None => all.extend(vec![RtValue::Poison; inner]),
            }
        }
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl ShapeCast {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        shape(m, ir.ty(self.result(ir)))?;
        let all = elements(m, self.source(ir))?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl Transpose {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let from = shape(m, ir.ty(self.vector(ir)))?;
        let to = shape(m, ir.ty(self.result(ir)))?;
        let source = elements(m, self.vector(ir))?;
        let order: Vec<usize> = self.order(ir).iter().map(|dim| *dim as usize).collect();
        let mut strides = vec![1; from.len()];
        for n in (1..from.len()).rev() {
            strides[n - 1] = strides[n] * from[n] as usize;
        }
        let mut all = Vec::with_capacity(source.len());
        points(to, |point| {
            let at: usize = point.iter().zip(&order).map(|(at, dim)| *at as usize * strides[*dim]).sum();
            all.push(source.get(at).cloned().unwrap_or(RtValue::Poison));
            Ok(())
        })?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}
