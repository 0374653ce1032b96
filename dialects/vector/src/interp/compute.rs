//! Arithmetic on whole vectors.

use super::super::{Fma, MultiReduction, OuterProduct, Reduction};
use super::masks::is_set;
use super::{assemble, elements, points, shape, unsupported};
use terrace_interp::combine::{Combining, combine, number};
use terrace_interp::{Machine, RtValue, Trap};
use terrace_ir::FloatKind;

terrace_interp::interpret_by_run!(Fma MultiReduction OuterProduct Reduction);

/// Is the n-th element under the mask, if there is one?
pub(super) fn is_on(mask: Option<&[RtValue]>, n: usize) -> Result<bool, Trap> {
    mask.map_or(Ok(true), |mask| is_set(mask.get(n).unwrap_or(&RtValue::Poison)))
}

/// a · b + c rounded once; formats smaller than f32 are rounded twice, once to f64
pub(super) fn fused(a: &RtValue, b: &RtValue, c: &RtValue) -> Result<RtValue, Trap> {
    if [a, b, c].iter().any(|each| each.has_poison()) {
        return Ok(RtValue::Poison);
    }
    let RtValue::Float { kind, .. } = *a else { return Err(unsupported()) };
    let value = |each: &RtValue| each.as_f64().ok_or_else(unsupported);
    let (a, b, c) = (value(a)?, value(b)?, value(c)?);
    let result = match kind {
        FloatKind::F32 => f64::from((a as f32).mul_add(b as f32, c as f32)),
        _ => a.mul_add(b, c),
    };
    number(result, kind)
}

impl Fma {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (a, b) = (elements(m, self.lhs(ir))?, elements(m, self.rhs(ir))?);
        let c = elements(m, self.acc(ir))?;
        let all: Vec<RtValue> =
            a.iter().zip(&b).zip(&c).map(|((a, b), c)| fused(a, b, c)).collect::<Result<_, _>>()?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl Reduction {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        self.run_under(m, None)
    }

    pub(super) fn run_under(self, m: &mut Machine<'_>, mask: Option<&[RtValue]>) -> Result<(), Trap> {
        let ir = m.ir();
        let kind = Combining::from(self.kind(ir));
        let mut so_far = self.acc(ir).map(|acc| m.value(acc));
        for (n, each) in elements(m, self.vector(ir))?.into_iter().enumerate() {
            if !is_on(mask, n)? {
                continue;
            }
            so_far = Some(match so_far {
                Some(so_far) => combine(kind, &so_far, &each)?,
                None => each,
            });
        }
        // Of no element it is what changes nothing.
        let value = so_far.unwrap_or_else(|| neutral(m, kind, ir.ty(self.dest(ir))));
        m.set_result(0, value);
        Ok(())
    }
}

/// The element that changes nothing when combined; poison where a type has no such value
fn neutral(m: &Machine<'_>, kind: Combining, ty: terrace_ir::Type) -> RtValue {
    let attr = terrace_dialect_arith::identity(m.cx(), kind, ty);
    attr.and_then(|attr| RtValue::of_attr(m.cx(), attr)).unwrap_or(RtValue::Poison)
}

impl MultiReduction {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        self.run_under(m, None)
    }

    pub(super) fn run_under(self, m: &mut Machine<'_>, mask: Option<&[RtValue]>) -> Result<(), Trap> {
        let ir = m.ir();
        let kind = Combining::from(self.kind(ir));
        let from = shape(m, ir.ty(self.source(ir)))?;
        let kept: Vec<usize> = (0..from.len()).filter(|n| !self.dims(ir).contains(&(*n as i64))).collect();
        let mut source = elements(m, self.source(ir))?.into_iter().enumerate();
        let mut all = elements(m, self.acc(ir))?;
        points(from, |point| {
            let at = kept.iter().fold(0, |at, n| at * from[*n] as usize + point[*n] as usize);
            let (n, each) = source.next().unwrap_or((0, RtValue::Poison));
            if !is_on(mask, n)? {
                return Ok(());
            }
            all[at] = combine(kind, &all[at], &each)?;
            Ok(())
        })?;
        let value = assemble(m, all, ir.ty(self.dest(ir)));
        m.set_result(0, value);
        Ok(())
    }
}

impl OuterProduct {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        self.run_under(m, None)
    }

    pub(super) fn run_under(self, m: &mut Machine<'_>, mask: Option<&[RtValue]>) -> Result<(), Trap> {
        let ir = m.ir();
        let kind = Combining::from(self.kind(ir));
        let (left, right) = (elements(m, self.lhs(ir))?, elements(m, self.rhs(ir))?);
        let acc = self.acc(ir).map(|acc| elements(m, acc)).transpose()?;
        let is_float = ir.ty(self.lhs(ir)).scalar(m.cx()).is_float(m.cx());
        shape(m, ir.ty(self.result(ir)))?;
        let mut all = Vec::new();
        for a in &left {
            for b in &right {
                all.push(match acc.as_ref().map(|acc| &acc[all.len()]) {
                    acc if !is_on(mask, all.len())? => acc.cloned().unwrap_or(RtValue::Poison),
                    Some(acc) if is_float && kind == Combining::Add => fused(a, b, acc)?,
                    Some(acc) => combine(kind, &combine(Combining::Mul, a, b)?, acc)?,
                    None => combine(Combining::Mul, a, b)?,
                });
            }
        }
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}
