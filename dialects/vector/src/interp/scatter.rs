//! Elements anywhere in memory.

use super::super::{CompressStore, Contract, ExpandLoad, Gather, Scan, Scatter};
use super::compute::is_on;
use super::masks::is_set;
use super::memory::place;
use super::transfer::Base;
use super::{assemble, elements, points, shape};
use terrace_interp::combine::{Combining, combine};
use terrace_interp::{Machine, RtValue, Trap, codes, room};

terrace_interp::interpret_by_run!(CompressStore Contract ExpandLoad Gather Scan Scatter);

/// The place some way along the last dimension
fn along(at: &[i64], by: &RtValue) -> Result<Vec<i64>, Trap> {
    let by = by.as_i64().ok_or_else(|| Trap::new(&codes::POISON, "an index is poison"))?;
    let mut at = at.to_vec();
    if let Some(last) = at.last_mut() {
        *last = last.saturating_add(by);
    }
    Ok(at)
}

impl Gather {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        self.run_under(m, None)
    }

    pub(super) fn run_under(self, m: &mut Machine<'_>, under: Option<&[RtValue]>) -> Result<(), Trap> {
        let ir = m.ir();
        let base = Base::of(m, self.base(ir))?;
        let at = place(m, self.offsets(ir))?;
        let (indices, mask) = (elements(m, self.indices(ir))?, elements(m, self.mask(ir))?);
        let mut all = elements(m, self.pass_thru(ir))?;
        for (n, ((value, index), mask)) in all.iter_mut().zip(&indices).zip(&mask).enumerate() {
            if is_set(mask)? && is_on(under, n)? {
                *value = base.load(m, &along(&at, index)?)?;
            }
        }
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl Scatter {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let mut base = Base::of(m, self.base(ir))?;
        let at = place(m, self.offsets(ir))?;
        let (indices, mask) = (elements(m, self.indices(ir))?, elements(m, self.mask(ir))?);
        for ((value, index), mask) in elements(m, self.value(ir))?.into_iter().zip(&indices).zip(&mask) {
            if is_set(mask)? {
                base.store(m, &along(&at, index)?, value)?;
            }
        }
        if let Base::Tensor { elements, .. } = base {
            m.set_result(0, RtValue::Vector(elements.into()));
        }
        Ok(())
    }
}

impl ExpandLoad {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.base(ir))?;
        let at = place(m, self.indices(ir))?;
        let mask = elements(m, self.mask(ir))?;
        let mut all = elements(m, self.pass_thru(ir))?;
        let mut next = 0;
        for (value, mask) in all.iter_mut().zip(&mask) {
            if is_set(mask)? {
                *value = m.memory().load(&view, &along(&at, &RtValue::index(next))?)?;
                next += 1;
            }
        }
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl CompressStore {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.base(ir))?;
        let at = place(m, self.indices(ir))?;
        let mask = elements(m, self.mask(ir))?;
        let mut next = 0;
        for (value, mask) in elements(m, self.value(ir))?.into_iter().zip(&mask) {
            if is_set(mask)? {
                m.memory().store(&view, &along(&at, &RtValue::index(next))?, value)?;
                next += 1;
            }
        }
        Ok(())
    }
}

impl Contract {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        self.run_under(m, None)
    }

    pub(super) fn run_under(self, m: &mut Machine<'_>, mask: Option<&[RtValue]>) -> Result<(), Trap> {
        let ir = m.ir();
        let kind = Combining::from(self.kind(ir));
        let (sizes, _) = self.space(ir);
        let count = sizes.iter().try_fold(1i64, |count, size| count.checked_mul(*size));
        room(count)?;
        let dims: Vec<Vec<u32>> =
            self.maps(ir).iter().map(|map| map.result_dims().unwrap_or_default()).collect();
        let (left, right) = (elements(m, self.lhs(ir))?, elements(m, self.rhs(ir))?);
        let mut all = elements(m, self.acc(ir))?;
        let mut n = 0;
        points(&sizes, |point| {
            n += 1;
            if !is_on(mask, n - 1)? {
                return Ok(());
            }
            let at = |which: usize| {
                dims[which]
                    .iter()
                    .fold(0, |at, dim| at * sizes[*dim as usize] as usize + point[*dim as usize] as usize)
            };
            let product = combine(Combining::Mul, &left[at(0)], &right[at(1)])?;
            all[at(2)] = combine(kind, &all[at(2)], &product)?;
            Ok(())
        })?;
        let value = assemble(m, all, ir.ty(self.result(ir)));
        m.set_result(0, value);
        Ok(())
    }
}

impl Scan {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let kind = Combining::from(self.kind(ir));
        let from = shape(m, ir.ty(self.source(ir)))?;
        let (dim, inclusive) = (self.dim(ir), self.is_inclusive(ir));
        let source = elements(m, self.source(ir))?;
        let initial = elements(m, self.initial_value(ir))?;
        let inner: usize = from[dim + 1..].iter().map(|size| *size as usize).product();
        let len = from[dim] as usize;
        let (mut all, mut last) = (source.clone(), initial.clone());
        for (line, last) in last.iter_mut().enumerate() {
            let start = line / inner * inner * len + line % inner;
            let mut so_far: Option<RtValue> = None;
            for n in 0..len {
                let at = start + n * inner;
                let before = so_far.clone().unwrap_or_else(|| initial[line].clone());
                let after = match (&so_far, inclusive, n) {
                    (None, true, _) => source[at].clone(),
                    (Some(before), true, _) => combine(kind, before, &source[at])?,
                    (_, false, 0) => before,
                    (_, false, _) => combine(kind, &before, &source[at - inner])?,
                };
                all[at] = after.clone();
                so_far = Some(after);
            }
            if let Some(so_far) = so_far {
                *last = so_far;
            }
        }
        m.set_results(vec![RtValue::Vector(all.into()), RtValue::Vector(last.into())]);
        Ok(())
    }
}
