//! Prefixes whose dimension is tiled: loops over tiles carry what comes before, from one tile to the next.
//!
//! A dimension of prefixes runs in its own order: larger tiles outside, by loops one after the other, and what stands between
//! them is of the same point only (buffers of inputs, loops of one iteration). The other shapes are refused by name. A
//! dimension that is one loop needs none of this ([`Nest::prefixes`]).

use crate::nest::{Done, Nest, State};
use crate::scalar;
use terrace_dialect_mdh::view::CombineKind;
use terrace_dialect_sched::{self as sched, Yield};
use terrace_ir::Value;
use terrace_schedule_model::apply::geometry::Geometry;
use terrace_schedule_model::apply::{Item, Loop, Plan};
use terrace_schedule_model::broken::Rule;

impl Nest<'_> {
    /// Is there more to a loop over prefixes than values inside of it?
    pub(crate) fn prefix_in_parts(&self, n: usize, one: &Loop, st: &State) -> bool {
        n + 1 < self.ssa || Geometry::inexact(&st.pos.sizes[one.dim]).is_some()
    }

    /// The first of several loops over prefixes, and all that is inside
    pub(crate) fn prefix_parts(&mut self, n: usize, one: &Loop, st: State) -> Done<()> {
        let identity: Option<Vec<_>> = self.yields.identity.iter().copied().collect();
        let Some(identity) = identity else {
            return Err("prefixes by an operator without identity".into());
        };
        let mut b = self.b(st.at);
        let start = identity.into_iter().map(|attr| scalar::constant(&mut b, attr)).collect();
        self.prefix_loop(n, one, st, start)?;
        Ok(())
    }

    /// A loop that carries the prefix; gives the one behind it
    fn prefix_loop(&mut self, n: usize, one: &Loop, st: State, before: Vec<Value>) -> Done<Vec<Value>> {
        let mut so_far = before;
        for piece in self.pieces(n, one, st)? {
            if piece.guard.is_some() {
                return Err(Rule::Div.broken(format!(
                    "`~peel` of dimension {} inside of tiles of prefixes; `~limit` may be",
                    one.dim + 1
                )));
            }
            if piece.once() {
                so_far = self.prefix_inside(n + 1, one, piece.st, so_far)?;
                continue;
            }
            let (inits, results) = (so_far, self.yields.types.clone());
            let (inner, inside) = self.open_loop(n, one, piece, |spec| {
                // What comes before is carried as it is: a loop of `ps` would add its tiles twice.
                spec.kind = sched::Combination::Ordered;
                spec.ops = Vec::new();
                (spec.inits, spec.results) = (inits, results);
            })?;
            let at = inside.at;
            let block = self.ir.entry(inner.body(self.ir)).expect("just built with a block");
            let carried = self.ir.block_args(block)[1..].to_vec();
            let values = self.prefix_inside(n + 1, one, inside, carried)?;
            Yield::build(&mut self.b(at), &values);
            so_far = self.ir.results(inner.id()).collect();
        }
        Ok(so_far)
    }

    /// What is inside of a loop over prefixes; gives the prefix behind it
    fn prefix_inside(
        &mut self,
        n: usize,
        around: &Loop,
        mut st: State,
        before: Vec<Value>,
    ) -> Done<Vec<Value>> {
        if n >= self.ssa {
            let (st, values) = self.values(n, st)?;
            let yields = self.yields;
            let all = yields.apply(&mut self.b(st.at), &before, &values);
            let seen = self.seen(&st, all.clone());
            self.store(&st, &seen)?;
            return Ok(all);
        }
        let (dim, name) = (around.dim + 1, self.view.dims[around.dim].name.clone());
        match self.plan.items[n].clone() {
            Item::Loop(one) if Plan::trip(&st.pos.sizes[one.dim], one.layer) == 1 => {
                self.prefix_inside(n + 1, around, st, before)
            }
            Item::Loop(one) if one.dim == around.dim && one.layer < around.layer => Err(Rule::Order.broken(format!(
                "step {} of dimension {dim} ({name}) stands inside of step {}, whose tiles are smaller; prefixes run in \
                 order: label larger tiles first",
                one.layer, around.layer
            ))),
            Item::Loop(one) if one.dim == around.dim => self.prefix_loop(n, &one, st, before),
            Item::Loop(one) => {
                let kind = match self.view.dims[one.dim].kind {
                    CombineKind::Cc => "label or number it before",
                    _ => "label it after the last step of the prefixes",
                };
                Err(Rule::Order.broken(format!(
                    "dimension {} ({}) in step {} stands inside of prefixes over dimension {dim} ({name}), which are carried \
                     from point to point; {kind}",
                    one.dim + 1,
                    self.view.dims[one.dim].name,
                    one.layer
                )))
            }
            Item::Owner(layer) if self.plan.steps[layer - 1].outs.iter().any(Option::is_some) => {
                Err(Rule::Region.broken(format!(
                    "a buffer of results in step {layer}, inside of prefixes over dimension {dim} ({name}); say it before"
                )))
            }
            Item::Owner(layer) => {
                self.inputs_of(n, layer, &mut st)?;
                self.prefix_inside(n + 1, around, st, before)
            }
            Item::Guard(bound) if self.passes(n, &st, &bound) => {
                self.prefix_inside(n + 1, around, st, before)
            }
            Item::Guard(_) => Err(Rule::Order.broken(format!(
                "a condition inside of prefixes over dimension {dim} ({name}); label what it mentions before"
            ))),
        }
    }
}
