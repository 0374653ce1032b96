//! Edits, the interface of the engine that tries them, and paths to units.
//!
//! An edit names ops by their handles in the module that was current when it was planned. Handles of what is left stay as
//! they are when another edit is accepted; one that is gone makes the edit do nothing. One that stands for something else by
//! then makes another edit, which is judged like any.

use terrace_ir::{Ir, OpId};

/// Changes a copy of the module; false if there is nothing to change
pub(crate) type Edit = Box<dyn Fn(&mut Ir) -> bool + Send + Sync>;

/// The engine that tries edits
pub(crate) trait Tries {
    /// The smallest program so far
    fn module(&self) -> &Ir;
    /// Try edits in order, each on what the accepted ones before it have left; was any accepted?
    fn try_all(&mut self, edits: Vec<Edit>) -> bool;
}

/// Slots from the root down to a unit; none for the root
pub(crate) type Path = Vec<OpId>;

/// The ways to all units, outer ones first
pub(crate) fn units(module: &Ir) -> Vec<Path> {
    let mut paths: Vec<Path> = vec![Vec::new()];
    let mut at = 0;
    while let Some(path) = paths.get(at).cloned() {
        if let Some(unit) = unit(module, &path) {
            let slots = unit.walk().filter(|op| unit.child(*op).is_some());
            paths.extend(slots.map(|slot| [&path[..], &[slot]].concat()));
        }
        at += 1;
    }
    paths
}

/// The unit at the end of a way
pub(crate) fn unit<'a>(module: &'a Ir, path: &[OpId]) -> Option<&'a Ir> {
    path.iter().try_fold(module, |unit, slot| unit.child(*slot))
}

/// The unit at the end of a way, to change
pub(crate) fn unit_mut<'a>(module: &'a mut Ir, path: &[OpId]) -> Option<&'a mut Ir> {
    path.iter().try_fold(module, |unit, slot| unit.child_mut(*slot))
}

/// All ops with the ways to their units, in the order of the text, but for slots
pub(crate) fn all_ops(module: &Ir) -> Vec<(Path, OpId)> {
    let of = |path: Path| {
        let unit = unit(module, &path).into_iter();
        let ops =
            unit.flat_map(|unit| unit.walk().filter(|op| unit.child(*op).is_none()).collect::<Vec<_>>());
        ops.map(|op| (path.clone(), op)).collect::<Vec<_>>()
    };
    units(module).into_iter().flat_map(of).collect()
}

/// Try lists of items, all at first, then halves, at last each alone
pub(crate) fn halving<T: Clone>(
    tries: &mut dyn Tries,
    items: impl Fn(&Ir) -> Vec<T>,
    edit: impl Fn(Vec<T>) -> Edit,
) -> bool {
    let mut size = items(tries.module()).len();
    let mut any = false;
    while size > 0 {
        let list = items(tries.module());
        any |= tries.try_all(list.chunks(size).map(|chunk| edit(chunk.to_vec())).collect());
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    any
}
