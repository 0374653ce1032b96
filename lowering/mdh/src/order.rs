//! Computations that keep the order of their source ([`View::in_order`]): one left fold over all points, start values first.
//!
//! What a schedule may not do with them is said here, by name: no level of which several iterations run at once, no
//! reduced loop around one that comes before it, no buffer that holds the sums of a part. The rest is left to make no parts: values
//! are carried through all reduced loops (see `carry`), or each contribution goes to memory at once.

use crate::nest::{Done, Nest, State};
use crate::plan::{Item, Loop, Plan};
use crate::scalar;
use terrace_dialect_mdh::schedule::Schedule;
use terrace_dialect_mdh::view::{Kind, View};
use terrace_dialect_sched::Read;
use terrace_ir::Value;

/// Does the plan fold every result from the left? The error names what does not
pub(crate) fn check(plan: &Plan, view: &View, schedule: &Schedule) -> Result<(), String> {
    let reduced: Vec<bool> = view.dims.iter().map(|dim| matches!(dim.kind, Kind::Pw(..))).collect();
    schedule.folds_in_order(&view.sizes(), &reduced, &view.names())?;
    let at =
        |one: &Loop| format!("dimension {} ({}) in step {}", one.dim + 1, view.dims[one.dim].name, one.layer);
    let mut around: Option<&Loop> = None;
    for item in &plan.items {
        match item {
            Item::Loop(one) if !plan.is_loop(one) => {}
            Item::Loop(one) if reduced[one.dim] => {
                if let Some(outer) = around.filter(|outer| (outer.dim, outer.layer) > (one.dim, one.layer)) {
                    return Err(format!(
                        "S-SOURCE: {} stands inside of {}, so that contributions come in another order than the source's; number and \
                         label loops of reduced dimensions in their order, larger tiles first",
                        at(one),
                        at(outer)
                    ));
                }
                around = Some(one);
            }
            Item::Loop(one) if matches!(view.dims[one.dim].kind, Kind::Ps(_)) => {
                if let Some(outer) = around {
                    return Err(format!(
                        "S-SOURCE: {} stands inside of {}: prefixes of parts would be summed, in another order than the source's; \
                         label the prefixes first",
                        at(one),
                        at(outer)
                    ));
                }
            }
            Item::Owner(layer) => {
                let place = plan.steps[layer - 1].outs.iter().flatten().next();
                if let (Some(outer), Some(place)) = (around, place) {
                    return Err(format!(
                        "S-SOURCE: {place} in step {layer} holds results inside of {}: each would be the sum of a part, and parts round \
                         otherwise than the whole in the order of the source; say the buffer before that step",
                        at(outer)
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

impl Nest<'_> {
    /// Do loops over reduced dimensions stand outside of this item?
    pub(crate) fn reduces_before(&self, n: usize) -> bool {
        let reduced = |item: &Item| matches!(item, Item::Loop(one) if !self.view.dims[one.dim].kind.kept() && self.plan.is_loop(one));
        self.plan.items[..n].iter().any(reduced)
    }

    /// Do folds begin with start values? Prefixes take them in front of what is folded
    pub(crate) fn starts_first(&self) -> bool {
        self.in_order && !self.view.dims.iter().any(|dim| matches!(dim.kind, Kind::Ps(_)))
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
