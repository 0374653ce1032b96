//! Ops that stand for other ops: one definition for the pass that writes them out and for the interpreter.

use crate::interface::Interface;
use crate::ir::{Ir, OpId};

/// Table behind [`Expand`]
pub struct ExpandTable {
    /// Put what the op stands for in its place
    pub expand: fn(&mut Ir, OpId) -> Result<(), String>,
}

/// `interfaces(terrace_ir::expand::Expand)`: what the op stands for
pub trait Expand: From<OpId> + 'static {
    /// Put other ops in its place; the error says why there are none, and nothing has changed
    fn expand(self, ir: &mut Ir) -> Result<(), String>;

    /// Entry for the op's interfaces
    const ENTRY: Interface =
        Interface::new(const { &ExpandTable { expand: |ir, op| Self::from(op).expand(ir) } });
}

fn table(ir: &Ir, op: OpId) -> Option<&'static ExpandTable> {
    ir.def(op).interface::<ExpandTable>()
}

/// Write out all ops of a unit that stand for others, inner ones first; how many there were
pub fn expand_unit(ir: &mut Ir) -> Result<u64, (OpId, String)> {
    let mut count = 0;
    // What stands for an op may be such ops again.
    loop {
        let found: Vec<OpId> = ir.walk_post(ir.root()).filter(|op| table(ir, *op).is_some()).collect();
        if found.is_empty() {
            return Ok(count);
        }
        for op in found {
            if let Some(table) = table(ir, op) {
                (table.expand)(ir, op).map_err(|why| (op, why))?;
                count += 1;
            }
        }
    }
}

/// A copy of a unit with those inside, all written out; `None` if there is nothing to write out
pub fn expanded(root: &Ir) -> Option<Box<Ir>> {
    let mut pending = vec![root];
    let mut found = false;
    while let Some(unit) = pending.pop() {
        for op in unit.walk() {
            found |= table(unit, op).is_some();
            pending.extend(unit.child(op));
        }
    }
    if !found {
        return None;
    }
    let mut copy = root.clone_unit();
    let mut pending: Vec<&mut Ir> = vec![&mut copy];
    while let Some(unit) = pending.pop() {
        // What does not verify stays, and whoever runs it says so.
        let _ = expand_unit(unit);
        pending.extend(unit.children_mut());
    }
    Some(copy)
}
