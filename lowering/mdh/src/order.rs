//! Computations that keep the order of their source ([`Computation::in_order`]): start values first, then contributions.
//!
//! Values are carried through all reduced loops (see `carry`), or each contribution goes to memory at once.
//!
//! [`Computation::in_order`]: terrace_schedule_model::computation::Computation::in_order

use crate::nest::{Done, Nest, State};
use crate::scalar;
use terrace_dialect_mdh::view::CombineKind;
use terrace_dialect_sched::Read;
use terrace_ir::Value;

impl Nest<'_> {
    /// Do folds begin with start values? Prefixes take them in front of what is folded
    pub(crate) fn starts_first(&self) -> bool {
        self.geometry.c.in_order && !self.view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Ps(_)))
    }

    /// Is there something that folds can begin with?
    pub(crate) fn begins(&self, st: &State) -> bool {
        let started = |out: usize| st.sinks[out].direct || st.sinks[out].combine;
        let mut all = self.yields.place.iter().zip(&self.yields.identity);
        all.all(|((out, _), identity)| identity.is_some() || started(*out))
    }

    /// What a fold at these coordinates begins with: start values, else neutral elements; and the state for what comes of it, which
    /// has them in it
    pub(crate) fn begun(&mut self, st: &State) -> Done<(Vec<Value>, State)> {
        let mut first = Vec::new();
        for (n, (out, access)) in self.yields.place.iter().enumerate() {
            let sink = &st.sinks[*out];
            let started = sink.direct || sink.combine;
            let identity = self.yields.identity[n];
            if !started {
                let identity = identity.ok_or("a fold by an operator without identity or start value")?;
                first.push(scalar::constant(&mut self.b(st.at), identity));
                continue;
            }
            let start = self.start(st, *out, *access)?;
            let other = identity.filter(|_| start.beyond);
            let other = other.map(|identity| scalar::constant(&mut self.b(st.at), identity));
            let mut b = self.b(st.at);
            let read = Read::make(&mut b, start.memref, &start.access, other).id();
            first.push(b.read().result(read, 0));
        }
        let mut after = st.clone();
        for sink in &mut after.sinks {
            (sink.combine, sink.direct) = (false, false);
        }
        Ok((first, after))
    }
}
