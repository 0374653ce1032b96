//! Symbols become private but for those that are named.

use terrace_diag::Reported;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Ir, OpId};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Make the symbols of a table private
///
/// Only those that are directly in it. `symbol-dce` and `inline` then remove what nothing refers to.
#[pass("symbol-privatize", scope = tree, stats("symbols made private"))]
pub struct SymbolPrivatize {
    /// names of symbols that stay as they are
    #[option]
    exclude: Vec<String>,
}

impl Pass for SymbolPrivatize {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let private = unit.cx().str_attr("private");
        let ops: Vec<OpId> = unit
            .regions(unit.root())
            .flat_map(|region| unit.blocks(region))
            .flat_map(|block| unit.block_ops(block))
            .collect();
        let mut changed = 0;
        for op in ops {
            let Some(name) = symbol_name(unit, op).map(|name| unit.cx().str(name)) else { continue };
            if self.exclude.iter().any(|other| other == name) {
                continue;
            }
            let (ir, at) = match unit.child(op) {
                Some(_) => {
                    let child = unit.child_mut(op).expect("asked above");
                    let root = child.root();
                    (child, root)
                }
                None => (&mut *unit, op),
            };
            if ir.attr(at, "sym_visibility") != Some(private) {
                ir.set_attr(at, "sym_visibility", Some(private));
                changed += 1;
            }
        }
        cx.count("symbols made private", changed);
        cx.set_changed(changed > 0);
        Ok(())
    }
}
