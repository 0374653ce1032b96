//! Conditions of a dimension that lanes run along: bounds of the lanes' loop, so that what they leave out is masked.

use super::geometry::{Done, Form, Geometry, Over, Position};
use super::loops::{Item, Loop};
use crate::nest::Index;
use terrace_devices::Level;
use terrace_support::affine::{AffineExpr, AffineMap};

impl Geometry<'_> {
    /// Lanes with the conditions right inside of them as bounds: what they leave out is masked
    pub(super) fn masked(&self, n: usize, one: &Loop, mut form: Form, pos: &mut Position) -> Done<Form> {
        let (mut from, mut limit) = (Vec::new(), Vec::new());
        for (at, item) in self.plan.items.iter().enumerate().skip(n + 1) {
            let Item::Guard(bound) = item else { break };
            if self.passes(at, pos, bound) {
                continue;
            }
            // The bound with this loop's variable at 0 is factor · variable short of holding.
            let factor = bound.as_linear().map_or(0, |linear| linear.dim(one.dim));
            let by = AffineExpr::Constant(factor.abs());
            match factor.signum() {
                1 => from.push(AffineExpr::ceil_div(AffineExpr::negated(bound.clone()), by)),
                -1 => limit.push(AffineExpr::floor_div(AffineExpr::add(bound.clone(), by.clone()), by)),
                _ => continue,
            }
            pos.taken.push(bound.clone());
        }
        if !from.is_empty() && form.from.is_none() {
            form.from = Some(self.access(pos, &from)?);
        }
        if !limit.is_empty() {
            form.limit = Some(self.and(pos, &limit, form.limit)?);
        }
        Ok(form)
    }

    /// Bounds next to those that there are
    fn and(&self, pos: &Position, exprs: &[AffineExpr], own: Option<Over>) -> Done<Over> {
        Self::both(own, self.access(pos, exprs)?)
    }

    /// Bounds next to others: all of them bind
    pub(super) fn both(own: Option<Over>, more: Over) -> Done<Over> {
        let Some(mut all) = own else { return Ok(more) };
        let mut place = |index: &Index| {
            let n = all.over.iter().position(|other| other == index).unwrap_or_else(|| {
                all.over.push(*index);
                all.over.len() - 1
            });
            AffineExpr::Dim(n as u32)
        };
        let dims: Vec<AffineExpr> = more.over.iter().map(&mut place).collect();
        let more = more.map.results.iter().map(|expr| expr.replace(&dims, &[]));
        let results: Option<Vec<AffineExpr>> =
            all.map.results.iter().cloned().map(Some).chain(more).collect();
        let map = results.and_then(|results| AffineMap::new(all.over.len() as u32, 0, results));
        all.map = map.ok_or("a bound is too deep")?;
        Ok(all)
    }

    /// Do lanes along a kept dimension mask what its conditions leave out? These shift with reduced coordinates, and mention no
    /// other kept dimension
    pub fn masks(&self, dim: usize) -> bool {
        let lanes = |item: &Item| match item {
            Item::Loop(one) => one.dim == dim && one.level == Level::Vector && self.plan.is_loop(one),
            _ => false,
        };
        let dims = &self.c.dims;
        let shifts = |bound: &AffineExpr| {
            let mut others = (0..dims.len()).filter(|n| *n != dim && bound.uses_dim(*n as u32)).peekable();
            bound.as_linear().is_some() && others.peek().is_some() && !others.any(|n| dims[n].kind.is_kept())
        };
        self.plan.items.iter().any(lanes)
            && self.c.bounds.iter().filter(|bound| bound.uses_dim(dim as u32)).all(shifts)
    }
}
