//! Removes ops, many at once or one alone, and replaces their results by values of the same types.

use crate::edit::{Edit, Path, Tries, all_ops, halving, unit_mut, units};
use crate::stand_in::{First, stand_in};
use terrace_ir::{Ir, OpId, OpKind, Traits};
use terrace_rewrite::{Greedy, dead};

/// Erase an op, what stands in for its results being `first`; false if that cannot be
pub(super) fn remove(unit: &mut Ir, op: OpId, first: First) -> bool {
    if unit.block(op).is_none() || unit.kind(op) == OpKind::SLOT || unit.has(op, Traits::Terminator) {
        return false;
    }
    let results: Vec<_> = unit.results(op).collect();
    for result in results {
        if unit.is_used(result) {
            let Some(value) = stand_in(unit, op, unit.ty(result), first) else { return false };
            unit.replace_all_uses(result, value);
        }
    }
    unit.erase(op);
    true
}

fn removed(items: Vec<(Path, OpId)>, first: First) -> Edit {
    Box::new(move |module| {
        let mut any = false;
        for (path, op) in &items {
            let Some(unit) = unit_mut(module, path) else { continue };
            any |= unit.is_alive(*op) && remove(unit, *op, first);
        }
        any
    })
}

/// Users before what they use
fn from_the_end(module: &Ir) -> Vec<(Path, OpId)> {
    let mut all = all_ops(module);
    all.reverse();
    all
}

pub(super) fn erase(tries: &mut dyn Tries) -> bool {
    halving(tries, from_the_end, |items| removed(items, First::Nearby))
}

/// Constants in place of ops
pub(super) fn constants(tries: &mut dyn Tries) -> bool {
    let edits = from_the_end(tries.module()).into_iter().map(|item| removed(vec![item], First::Constant));
    let edits = edits.collect();
    tries.try_all(edits)
}

/// Dead ops go
pub(crate) fn sweep(module: &mut Ir) -> bool {
    let mut any = false;
    for path in units(module) {
        any |= unit_mut(module, &path).is_some_and(|unit| dead::sweep(unit) > 0);
    }
    any
}

/// What the rules of ops make of all units, or of one
pub(super) fn canonicalize(tries: &mut dyn Tries) -> bool {
    let edit = |paths: Vec<Path>| -> Edit {
        Box::new(move |module| {
            let greedy = Greedy::canonical(module.cx(), &[]);
            let mut any = false;
            for path in &paths {
                let Some(unit) = unit_mut(module, path) else { continue };
                any |= greedy.run(unit).changed;
            }
            any
        })
    };
    halving(tries, units, edit)
}
