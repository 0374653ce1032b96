//! Elements that will be read soon: `memref.prefetch` where a read says so ([`AHEAD`]).
//!
//! One for each vector, at an index that is held inside of the buffer.

use crate::emit::Emit;
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::AHEAD;
use terrace_dialect_sched::access::Access;
use terrace_ir::{OpId, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// How long it should stay, of 0 to 3: in the second cache
const LOCALITY: i128 = 2;

/// The same of what is read soon: in the first
const NEAR: i128 = 3;

/// Bytes ahead that are soon
const SOON: i64 = 8192;

impl Emit<'_> {
    /// Ask for what a read of lanes wishes to find later
    pub fn ahead(&mut self, op: OpId, at: &Access, memory: Value, shape: &[i64]) {
        let wish = self
            .ir
            .discardable(op, AHEAD)
            .and_then(|attr| attr.as_dense_array(&self.cx).map(<[i64]>::to_vec));
        let Some([n, step]) = wish.as_deref() else { return };
        let Ok(moved) = u32::try_from(*n) else { return };
        let leaves: Vec<AffineExpr> = (0..at.map.dims)
            .map(|dim| match dim == moved {
                true => AffineExpr::add(AffineExpr::Dim(dim), (*step).into()),
                false => AffineExpr::Dim(dim),
            })
            .collect();
        let results: Option<Vec<AffineExpr>> =
            at.map.results.iter().map(|expr| expr.replace(&leaves, &[])).collect();
        let Some(map) = results.and_then(|all| AffineMap::new(at.map.dims, 0, all)) else { return };
        let place = self.place(&map, &at.values);
        let mut indices = self.address(memory, &place);
        let own = indices.len() - shape.len();
        for ((index, size), expr) in indices[own..].iter_mut().zip(shape).zip(&at.map.results) {
            if expr.uses_dim(moved) {
                let last = self.index(size - 1);
                let ty = self.cx.common().index;
                *index = self.value(arith::MinSI::DEF, &[*index, last], ty, &[]);
            }
        }
        let bits = self.ir.ty(memory).scalar(&self.cx).bit_width(&self.cx).unwrap_or(0);
        let (mut apart, mut far) = (step.saturating_mul(bits.div_ceil(8).into()), 0i64);
        for (size, expr) in shape.iter().zip(&at.map.results).rev() {
            let steps = expr.as_linear().map_or(i64::MAX, |linear| linear.dim(moved as usize));
            far = far.saturating_add(apart.saturating_mul(steps));
            apart = apart.saturating_mul(*size);
        }
        let soon = (0..=SOON).contains(&far);
        let locality = self.cx.int_attr(if soon { NEAR } else { LOCALITY }, self.cx.common().i32);
        let (no, yes) = (self.cx.bool_attr(false), self.cx.bool_attr(true));
        memref::Prefetch::build(&mut self.b(), memory, &indices, no, locality, yes);
    }
}
