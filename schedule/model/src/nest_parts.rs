//! Buffers that are views of others: accesses to one memory are compared by where they are, in bytes.

use crate::nest::{Access, BufferId, Index, Nest};
use terrace_support::affine::AffineExpr;
use terrace_support::gcd;

/// Where an access is, so that another one can be compared with it
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Coordinates over the variables of a copy's domain, then those of `over`, then one below `width`
    pub at: Vec<AffineExpr>,
    /// What dimensions after the domain's stand for
    pub over: Vec<Index>,
    /// How many units it is long; 1: there is no dimension for it
    pub width: i64,
}

impl Nest {
    /// The buffer that a buffer is a view of, or itself
    pub fn memory(&self, buffer: BufferId) -> BufferId {
        self.buffers[buffer].part.as_ref().map_or(buffer, |part| part.of)
    }

    /// May both be the same element, as far as buffers go?
    pub fn share_memory(&self, a: &Access, b: &Access) -> bool {
        self.memory(a.buffer) == self.memory(b.buffer)
    }

    /// Where two accesses to one memory are: by coordinates if they are of one buffer, else by bytes. `None` if it is not known
    pub fn places(&self, a: &Access, b: &Access) -> Option<[Place; 2]> {
        let part = |access: &Access| self.buffers[access.buffer].part.as_ref();
        if a.buffer == b.buffer && part(a).is_none_or(|part| part.plain) {
            let plain = |access: &Access| {
                let (at, over) = self.written_out(&access.map.results, access.domain.len(), &access.over);
                Place { at, over, width: 1 }
            };
            return Some([plain(a), plain(b)]);
        }
        let bytes = |access: &Access| self.buffers[access.buffer].bytes;
        let unit = [a, b].into_iter().try_fold(0u64, |unit, access| {
            let at = part(access)?.at.as_ref()?;
            let strides = at.strides.iter().map(|stride| stride.unsigned_abs());
            let all = strides.chain([at.offset.largest_known_divisor(), bytes(access).unsigned_abs()]);
            Some(all.fold(unit, gcd))
        })?;
        let unit = i64::try_from(unit).ok().filter(|unit| *unit > 0)?;
        let place = |access: &Access| {
            let at = part(access)?.at.as_ref()?;
            let own = access.map.dims;
            let offset = at.offset.shift(own, 0)?;
            let mut sum = AffineExpr::floor_div(offset, AffineExpr::Constant(unit));
            for (coordinate, stride) in access.map.results.iter().zip(&at.strides) {
                let by = AffineExpr::mul(coordinate.clone(), AffineExpr::Constant(stride / unit));
                sum = AffineExpr::add(sum, by);
            }
            let over: Vec<Index> = access.over.iter().chain(&at.over).copied().collect();
            let (exprs, over) = self.written_out(&[sum], access.domain.len(), &over);
            let mut sum = exprs.into_iter().next()?;
            let width = bytes(access) / unit;
            if width > 1 {
                let last = (access.domain.len() + over.len()) as u32;
                sum = AffineExpr::add(sum, AffineExpr::Dim(last));
            }
            Some(Place { at: vec![sum], over, width })
        };
        Some([place(a)?, place(b)?])
    }

    /// Expressions with what computed values are in place of them; the first dimensions, `own` many, stay
    ///
    /// An expression that would become too large keeps its values, and all others with it.
    pub fn written_out(
        &self,
        exprs: &[AffineExpr],
        own: usize,
        over: &[Index],
    ) -> (Vec<AffineExpr>, Vec<Index>) {
        let computed = |index: &Index| match index {
            Index::Opaque(id) => self.opaque[*id].computed.as_ref(),
            Index::Loop(_) => None,
        };
        let plain = || (exprs.to_vec(), over.to_vec());
        if !over.iter().any(|index| computed(index).is_some()) {
            return plain();
        }
        let mut all: Vec<Index> = Vec::new();
        let mut leaves: Vec<AffineExpr> = (0..own as u32).map(AffineExpr::Dim).collect();
        let mut dim = |index: Index| {
            let n = all.iter().position(|known| *known == index).unwrap_or_else(|| {
                all.push(index);
                all.len() - 1
            });
            AffineExpr::Dim((own + n) as u32)
        };
        for index in over {
            let Some(is) = computed(index) else {
                leaves.push(dim(*index));
                continue;
            };
            let own: Vec<AffineExpr> = is.over.iter().map(|index| dim(*index)).collect();
            let Some(expr) = is.expr.replace(&own, &[]) else { return plain() };
            leaves.push(expr);
        }
        match exprs.iter().map(|expr| expr.replace(&leaves, &[])).collect() {
            Some(exprs) => (exprs, all),
            None => plain(),
        }
    }
}
