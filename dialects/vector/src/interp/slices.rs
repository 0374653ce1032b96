//! Parts of vectors and elements one by one.

use super::super::slices::numbers;
use super::super::{
    BitCast, Deinterleave, ExtractStridedSlice, FromElements, InsertStridedSlice, Interleave, ToElements,
};
use super::{elements, points, shape, unsupported};
use terrace_interp::{Machine, RtValue, Trap};
use terrace_ir::{Type, TypeKind};

terrace_interp::interpret_by_run!(BitCast Deinterleave ExtractStridedSlice FromElements InsertStridedSlice Interleave ToElements);

/// Place of a point in a shape, row by row
fn place(shape: &[i64], point: impl Iterator<Item = i64>) -> usize {
    shape.iter().zip(point).fold(0, |at, (size, n)| at * *size as usize + n as usize)
}

impl ExtractStridedSlice {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (offsets, _) = self.part(ir);
        let from = shape(m, ir.ty(self.source(ir)))?;
        let source = elements(m, self.source(ir))?;
        let mut all = Vec::new();
        points(shape(m, ir.ty(self.result(ir)))?, |point| {
            let at = point.iter().enumerate().map(|(n, at)| at + offsets.get(n).unwrap_or(&0));
            all.push(source[place(from, at)].clone());
            Ok(())
        })?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl InsertStridedSlice {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let offsets = numbers(m.cx(), self.offsets(ir));
        let to = shape(m, ir.ty(self.dest(ir)))?;
        let from = shape(m, ir.ty(self.value(ir)))?;
        let lead = to.len() - from.len();
        let mut values = elements(m, self.value(ir))?.into_iter();
        let mut all = elements(m, self.dest(ir))?;
        points(from, |point| {
            let at = offsets
                .iter()
                .enumerate()
                .map(|(n, offset)| offset + n.checked_sub(lead).map_or(0, |n| point[n]));
            all[place(to, at)] = values.next().unwrap_or(RtValue::Poison);
            Ok(())
        })?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl FromElements {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let value = RtValue::Vector(m.operands().into());
        m.set_result(0, value);
        Ok(())
    }
}

impl ToElements {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let all = elements(m, self.source(m.ir()))?;
        m.set_results(all);
        Ok(())
    }
}

impl Interleave {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (a, b) = (elements(m, self.lhs(ir))?, elements(m, self.rhs(ir))?);
        let all: Vec<RtValue> = a.into_iter().zip(b).flat_map(|(a, b)| [a, b]).collect();
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl Deinterleave {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let all = elements(m, self.source(m.ir()))?;
        let every = |from: usize| all.iter().skip(from).step_by(2).cloned().collect();
        let (even, odd) = (every(0), every(1));
        m.set_results(vec![RtValue::Vector(even), RtValue::Vector(odd)]);
        Ok(())
    }
}

/// The bits of a scalar, and back
fn bits(value: &RtValue) -> Option<u128> {
    match value {
        RtValue::Int { bits, .. } => Some(*bits),
        RtValue::Float { bits, .. } => Some(u128::from(*bits)),
        _ => None,
    }
}

fn of_bits(m: &Machine<'_>, bits: u128, ty: Type) -> Result<RtValue, Trap> {
    match *ty.kind(m.cx()) {
        TypeKind::Int { width, .. } => Ok(RtValue::int(bits as i128, width)),
        TypeKind::Float(kind) if kind.width() <= 64 => Ok(RtValue::float(bits as u64, kind)),
        _ => Err(unsupported()),
    }
}

impl BitCast {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let (from, to) = (ir.ty(self.source(ir)).scalar(cx), ir.ty(self.result(ir)).scalar(cx));
        let width =
            |ty: Type| ty.bit_width(cx).filter(|width| (1..=128).contains(width)).ok_or_else(unsupported);
        let (narrow, wide) = (width(from)? as usize, width(to)? as usize);
        // The first element holds the lowest bits; poison spreads to what shares bits with it.
        let mut stream: Vec<Option<bool>> = Vec::new();
        for value in elements(m, self.source(ir))? {
            let bits = bits(&value);
            stream.extend((0..narrow).map(|n| bits.map(|bits| bits >> n & 1 == 1)));
        }
        let mut all = Vec::new();
        for part in stream.chunks(wide) {
            let value =
                part.iter().enumerate().try_fold(0u128, |sum, (n, bit)| Some(sum | u128::from((*bit)?) << n));
            all.push(match value {
                Some(bits) => of_bits(m, bits, to)?,
                None => RtValue::Poison,
            });
        }
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}
