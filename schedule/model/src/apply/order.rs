//! Computations that keep the order of their source: one left fold over all points, start values first.
//!
//! The rules name what a schedule may not do with them: no level of which several iterations run at once, no
//! reduced loop around one that comes before it, no buffer that holds the sums of a part. Lowering makes no parts either: values
//! are carried through all reduced loops, or each contribution goes to memory at once.

use super::loops::{Item, Loop, Plan};
use crate::broken::{Broken, Rule};
use crate::computation::{Computation, DimKind};
use crate::schedule::Schedule;

/// Does the plan fold every result from the left? The error names what does not
pub fn check(plan: &Plan, c: &Computation, schedule: &Schedule) -> Result<(), Broken> {
    let reduced = c.reduced();
    schedule.folds_in_order(&c.extents(), &reduced, &c.names())?;
    let at =
        |one: &Loop| format!("dimension {} ({}) in step {}", one.dim + 1, c.dims[one.dim].name, one.layer);
    let mut around: Option<&Loop> = None;
    for item in &plan.items {
        match item {
            Item::Loop(one) if !plan.is_loop(one) => {}
            Item::Loop(one) if reduced[one.dim] => {
                if let Some(outer) = around.filter(|outer| (outer.dim, outer.layer) > (one.dim, one.layer)) {
                    return Err(Rule::Source.broken(format!(
                        "{} stands inside of {}, so that contributions come in another order than the source's; number and \
                         label loops of reduced dimensions in their order, larger tiles first",
                        at(one),
                        at(outer)
                    )));
                }
                around = Some(one);
            }
            Item::Loop(one) if matches!(c.dims[one.dim].kind, DimKind::Prefixes) => {
                if let Some(outer) = around {
                    return Err(Rule::Source.broken(format!(
                        "{} stands inside of {}: prefixes of parts would be summed, in another order than the source's; \
                         label the prefixes first",
                        at(one),
                        at(outer)
                    )));
                }
            }
            Item::Owner(layer) => {
                let place = plan.steps[layer - 1].outs.iter().flatten().next();
                if let (Some(outer), Some(place)) = (around, place) {
                    return Err(Rule::Source.broken(format!(
                        "{place} in step {layer} holds results inside of {}: each would be the sum of a part, and parts round \
                         otherwise than the whole in the order of the source; say the buffer before that step",
                        at(outer)
                    )));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
