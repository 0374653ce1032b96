//! Reductions of the same elements, spelled twice: one is enough.
//!
//! A mean and a variance each sum their rows. Once the variance's sum is joint with its squares, the mean can have it, too.

use super::terms::{Id, Terms};
use crate::inline::producer::{Written, plain};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Ir, Value};

/// Puts the first of equal reductions in the place of the others; how many there were
pub fn join(ir: &mut Ir, written: &Written, reductions: &[Compute]) -> u64 {
    let mut gone = vec![false; reductions.len()];
    for (n, first) in reductions.iter().enumerate() {
        if gone[n] {
            continue;
        }
        let Some(view) = plain(ir, *first) else { continue };
        let mut terms = Terms::over(&view);
        let at = terms.own_point();
        let Some(own) = terms.yields(ir, written, *first, &view, &at) else { continue };
        for (m, other) in reductions.iter().enumerate().skip(n + 1) {
            if !gone[m] && equal(ir, written, (*first, *other), &mut terms, &own) {
                let pairs: Vec<(Value, Value)> = ir.results(other.id()).zip(ir.results(first.id())).collect();
                for (old, new) in pairs {
                    ir.replace_all_uses(old, new);
                }
                ir.erase(other.id());
                gone[m] = true;
            }
        }
    }
    gone.into_iter().filter(|gone| *gone).count() as u64
}

fn equal(
    ir: &Ir,
    written: &Written,
    (first, other): (Compute, Compute),
    terms: &mut Terms,
    own: &[Id],
) -> bool {
    let same = first.sizes(ir) == other.sizes(ir)
        && first.combine(ir) == other.combine(ir)
        && first.outs(ir) == other.outs(ir)
        && first.conditions(ir) == other.conditions(ir)
        && first.inits(ir) == other.inits(ir)
        && first.intos(ir) == other.intos(ir)
        && ir.block(first.id()) == ir.block(other.id())
        && ir
            .results(first.id())
            .map(|value| ir.ty(value))
            .eq(ir.results(other.id()).map(|value| ir.ty(value)));
    let view = |op: Compute| -> Option<View> { plain(ir, op).filter(|_| same) };
    let Some(view) = view(other) else { return false };
    let at = terms.own_point();
    terms.yields(ir, written, other, &view, &at).is_some_and(|all| all == own)
}
