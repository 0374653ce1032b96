//! Transfers: the map says along which dimension of memory each dimension of the vector runs.
//!
//! What lies outside gives the padding, or is left out of a write; if `in_bounds` promised that nothing does, it traps.

use super::super::transfer::Transfer;
use super::super::{TransferRead, TransferWrite};
use super::masks::is_set;
use super::memory::place;
use super::{count, elements, points, shape, unsupported};
use terrace_interp::{Fault, Machine, MemRef, RtValue, Trap, room};
use terrace_ir::{TypeKind, Value};
use terrace_support::affine::AffineExpr;

terrace_interp::interpret_by_run!(TransferRead TransferWrite);

/// One transfer, ready to run
struct Walk<'a> {
    /// Shape of the vector without the dimensions of memory's own elements
    shape: &'a [i64],
    /// Dimension of memory for each dimension of the vector; `None` where it repeats
    along: Vec<Option<usize>>,
    /// Where it starts
    start: Vec<i64>,
    /// Sizes of memory
    sizes: Vec<i64>,
    promises: Vec<bool>,
    /// Mask in the order of memory's dimensions
    mask: Option<Vec<RtValue>>,
    /// A mask around the op, in the same order
    under: Option<&'a [RtValue]>,
    /// Elements of each element of memory
    inner: usize,
}

impl<'a> Walk<'a> {
    fn new(
        m: &Machine<'a>,
        transfer: &Transfer,
        indices: Vec<Value>,
        sizes: Vec<i64>,
    ) -> Result<Walk<'a>, Trap> {
        let cx = m.cx();
        let map = transfer.map.as_affine_map(cx).ok_or_else(unsupported)?;
        let whole = shape(m, transfer.vector)?;
        let rank = map.results.len().min(whole.len());
        let along = map.results.iter().map(|result| match result {
            AffineExpr::Dim(dim) => Some(*dim as usize),
            _ => None,
        });
        Ok(Walk {
            shape: &whole[..rank],
            along: along.collect(),
            start: place(m, indices)?,
            sizes,
            promises: transfer.promises(cx),
            mask: transfer.mask.map(|mask| elements(m, mask)).transpose()?,
            under: None,
            inner: count(&whole[rank..]),
        })
    }

    /// Each point: the place in memory, or `None` where nothing is to be touched
    fn each(&self, mut each: impl FnMut(Option<&[i64]>) -> Result<(), Trap>) -> Result<(), Trap> {
        // Strides of the mask: its dimensions are those of memory that the vector runs along.
        let mut order: Vec<(usize, usize)> =
            self.along.iter().enumerate().filter_map(|(n, dim)| Some(((*dim)?, n))).collect();
        order.sort_unstable();
        let mut at = self.start.clone();
        points(self.shape, |point| {
            at.copy_from_slice(&self.start);
            let mut inside = true;
            for (n, dim) in self.along.iter().enumerate() {
                let Some(dim) = *dim else { continue };
                at[dim] = at[dim].saturating_add(point[n]);
                inside &= self.promises.get(n) == Some(&true) || (0..self.sizes[dim]).contains(&at[dim]);
            }
            for mask in [self.mask.as_deref(), self.under].into_iter().flatten() {
                let n = order.iter().fold(0, |at, (_, n)| at * self.shape[*n] as usize + point[*n] as usize);
                inside &= is_set(mask.get(n).unwrap_or(&RtValue::Poison))?;
            }
            each(inside.then_some(&at[..]))
        })
    }
}

/// Where the elements are: in memory, or in a tensor's value
pub(super) enum Base {
    Memory(MemRef),
    Tensor { elements: Vec<RtValue>, whole: MemRef },
}

impl Base {
    pub fn of(m: &Machine<'_>, base: Value) -> Result<Base, Trap> {
        let ty = m.ir().ty(base);
        if let TypeKind::MemRef { .. } = ty.kind(m.cx()) {
            return Ok(Base::Memory(m.decide_memref(base)?));
        }
        let sizes = ty.shape(m.cx()).ok_or_else(unsupported)?;
        let count = room(ty.num_elements(m.cx()))?;
        let elements = match m.value(base) {
            RtValue::Vector(all) => all.to_vec(),
            _ => vec![RtValue::Poison; count],
        };
        Ok(Base::Tensor { elements, whole: MemRef::whole(0, sizes) })
    }

    fn view(&self) -> &MemRef {
        match self {
            Base::Memory(view) | Base::Tensor { whole: view, .. } => view,
        }
    }

    fn cell(&self, at: &[i64]) -> Result<usize, Trap> {
        let view = self.view();
        if at.iter().zip(&*view.sizes).any(|(at, size)| !(0..*size).contains(at)) {
            return Err(Fault::Bounds.into());
        }
        Ok(at.iter().zip(&*view.strides).map(|(at, stride)| (at * stride) as usize).sum())
    }

    pub fn load(&self, m: &mut Machine<'_>, at: &[i64]) -> Result<RtValue, Trap> {
        match self {
            Base::Memory(view) => Ok(m.memory().load(view, at)?),
            Base::Tensor { elements, .. } => {
                Ok(elements.get(self.cell(at)?).cloned().unwrap_or(RtValue::Poison))
            }
        }
    }

    pub fn store(&mut self, m: &mut Machine<'_>, at: &[i64], value: RtValue) -> Result<(), Trap> {
        let cell = match self {
            Base::Memory(view) => return Ok(m.memory().store(view, at, value)?),
            Base::Tensor { .. } => self.cell(at)?,
        };
        if let Base::Tensor { elements, .. } = self
            && let Some(place) = elements.get_mut(cell)
        {
            *place = value;
        }
        Ok(())
    }
}

impl TransferRead {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        self.run_under(m, None, None)
    }

    /// Under a mask, elements that are off are those of a vector, if there is one
    pub(super) fn run_under(
        self,
        m: &mut Machine<'_>,
        under: Option<&[RtValue]>,
        passthru: Option<&[RtValue]>,
    ) -> Result<(), Trap> {
        let ir = m.ir();
        let transfer = Transfer::of(ir, self.0).ok_or_else(unsupported)?;
        let base = Base::of(m, self.base(ir))?;
        let mut walk = Walk::new(m, &transfer, self.indices(ir), base.view().sizes.to_vec())?;
        walk.under = under;
        let padding = m.value(self.padding(ir));
        let mut all = Vec::new();
        walk.each(|at| {
            let value = match at {
                Some(at) => base.load(m, at)?,
                None => passthru.and_then(|all_of| all_of.get(all.len())).unwrap_or(&padding).clone(),
            };
            match value {
                RtValue::Vector(each) => all.extend_from_slice(&each),
                each => all.extend(vec![each; walk.inner]),
            }
            Ok(())
        })?;
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl TransferWrite {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        self.run_under(m, None)
    }

    pub(super) fn run_under(self, m: &mut Machine<'_>, under: Option<&[RtValue]>) -> Result<(), Trap> {
        let ir = m.ir();
        let transfer = Transfer::of(ir, self.0).ok_or_else(unsupported)?;
        let mut base = Base::of(m, self.base(ir))?;
        let mut walk = Walk::new(m, &transfer, self.indices(ir), base.view().sizes.to_vec())?;
        walk.under = under;
        let of_vectors = matches!(ir.ty(self.base(ir)).scalar(m.cx()).kind(m.cx()), TypeKind::Vector { .. });
        let all = elements(m, self.value_to_store(ir))?;
        let mut parts = all.chunks(walk.inner.max(1));
        walk.each(|at| {
            let part = parts.next().unwrap_or(&[]);
            let value = match (of_vectors, part) {
                (false, [one]) => one.clone(),
                _ => RtValue::Vector(part.into()),
            };
            match at {
                Some(at) => base.store(m, at, value),
                None => Ok(()),
            }
        })?;
        if let Base::Tensor { elements, .. } = base {
            m.set_result(0, RtValue::Vector(elements.into()));
        }
        Ok(())
    }
}
