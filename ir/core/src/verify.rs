//! The verifier: linear in the size of the IR, every error with its rule and both ends.
//!
//! Checked, in this order, per unit (`verify_unit`):
//! - **structure** (`structure`): numbers of operands, results, attributes, regions, successors against the op's table;
//!   blocks end with a terminator, terminators end blocks; branch arguments match; parents; symbol names are unique.
//! - **types and attributes** (`structure`): each field's constraint, each relation between fields.
//! - **dominance** (`dominance`): each use is dominated by its definition; isolated regions use nothing from outside.
//! - **the op's own rules**: `hooks(verify)`, only if the tables hold, and dialect attributes.
//!
//! Not checked here: that symbols exist (ops that use them ask `VerifyCx::lookup`), meaning of unregistered ops.

mod complete;
mod dominance;
mod structure;

use crate::codes;
use crate::ir::Ir;
pub use crate::ir::verify_cx::{VerifyCx, op_error};
use crate::symbols::{ScopeId, Symbols};
use crate::types::Type;
pub use complete::is_complete;
use terrace_diag::{Diagnostic, Diags};

impl VerifyCx<'_> {
    /// Text of a type, for messages
    pub fn show(&self, ty: Type) -> String {
        crate::show::type_text(self.ir.cx(), ty)
    }
}

/// Verify one unit, not the units inside
pub fn verify_unit(ir: &Ir, symbols: &Symbols, scope: ScopeId) -> Diags {
    let cx = VerifyCx::new(ir, symbols, scope);
    if ir.has(ir.root(), crate::traits::Traits::SymbolTable) {
        for (first, second) in symbols.clashes(scope) {
            let name = ir.cx().str(first.name);
            let error = Diagnostic::error(&codes::SYMBOL_TWICE, format!("symbol `@{name}` is defined twice"));
            let _ = cx.emit(error.at(second).note_at(first.span, "first defined here"));
        }
    }
    structure::check(&cx);
    dominance::check(&cx);
    cx.into_diags()
}

/// Verify a whole tree of units; diagnostics come in order of the text whatever the number of threads
pub fn verify(root: &Ir, threads: usize) -> Diags {
    let symbols = Symbols::read(root);
    let mut units: Vec<(&Ir, ScopeId)> = Vec::new();
    let mut pending = vec![(root, symbols.root())];
    while let Some((ir, scope)) = pending.pop() {
        units.push((ir, scope));
        if !ir.has_children() {
            continue;
        }
        let mut inside: Vec<_> = ir
            .walk()
            .filter_map(|op| ir.child(op))
            .map(|unit| (unit, symbols.child_scope(scope, unit)))
            .collect();
        inside.reverse();
        pending.extend(inside);
    }
    let mut diags = Diags::default();
    if threads <= 1 || units.len() < 2 * threads {
        for (ir, scope) in units {
            diags.append(verify_unit(ir, &symbols, scope));
        }
        return diags;
    }
    let share = units.len().div_ceil(threads);
    let parts: Vec<Diags> = std::thread::scope(|scope| {
        let runs: Vec<_> = units
            .chunks(share)
            .map(|part| {
                let symbols = &symbols;
                scope.spawn(move || {
                    let mut diags = Diags::default();
                    for (ir, scope) in part {
                        diags.append(verify_unit(ir, symbols, *scope));
                    }
                    diags
                })
            })
            .collect();
        runs.into_iter()
            .map(|run| run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    for part in parts {
        diags.append(part);
    }
    diags
}
