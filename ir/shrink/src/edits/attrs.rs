//! Removes optional attributes.

use crate::edit::{Edit, Path, Tries, halving, unit, unit_mut, units};
use terrace_ir::{Ir, OpId};

/// What may go
#[derive(Clone, Copy)]
enum What {
    /// All attributes that the definition does not name
    Discardable,
    /// One that it names
    Slot(usize),
}

pub(super) fn drop(tries: &mut dyn Tries) -> bool {
    let edit = |items: Vec<(Path, OpId, What)>| -> Edit {
        Box::new(move |module| {
            let mut any = false;
            for (path, op, what) in &items {
                let Some(unit) = unit_mut(module, path).filter(|unit| unit.is_alive(*op)) else { continue };
                match what {
                    What::Discardable => {
                        any |= unit.dict(*op).is_some();
                        unit.set_dict(*op, None);
                    }
                    What::Slot(slot) if *slot < unit.def(*op).attrs.len() => {
                        any |= unit.slot(*op, *slot).is_some();
                        unit.set_slot(*op, *slot, None);
                    }
                    What::Slot(_) => {}
                }
            }
            any
        })
    };
    halving(tries, all, edit)
}

fn all(module: &Ir) -> Vec<(Path, OpId, What)> {
    let mut all = Vec::new();
    for path in units(module) {
        let Some(unit) = unit(module, &path) else { continue };
        for op in unit.walk().filter(|op| unit.child(*op).is_none()).chain([unit.root()]) {
            if unit.dict(op).is_some() {
                all.push((path.clone(), op, What::Discardable));
            }
            for (slot, spec) in unit.def(op).attrs.iter().enumerate() {
                if (spec.optional || spec.default.is_some()) && unit.slot(op, slot).is_some() {
                    all.push((path.clone(), op, What::Slot(slot)));
                }
            }
        }
    }
    all
}
