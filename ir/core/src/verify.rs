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
use crate::context::Context;
use crate::ir::{Ir, OpId};
use crate::symbols::{ScopeId, SymbolDef, Symbols};
pub use complete::is_complete;
use std::cell::RefCell;
use terrace_diag::{Code, Diagnostic, Diags, Reported};

/// What an op's own verifier sees
pub struct VerifyCx<'a> {
    /// The unit
    pub ir: &'a Ir,
    /// Symbol tables of the whole tree
    pub symbols: &'a Symbols,
    /// The table the unit is in
    pub scope: ScopeId,
    diags: RefCell<Diags>,
}

impl<'a> VerifyCx<'a> {
    /// For who asks rules of ops without a verifier's run; what is reported is dropped
    pub fn new(ir: &'a Ir, symbols: &'a Symbols, scope: ScopeId) -> VerifyCx<'a> {
        VerifyCx { ir, symbols, scope, diags: RefCell::new(Diags::default()) }
    }

    /// The unit
    pub fn ir(&self) -> &'a Ir {
        self.ir
    }

    /// The context
    pub fn cx(&self) -> &'a Context {
        self.ir.cx()
    }

    /// A diagnostic on an op with the customary beginning; emit it with `emit`
    pub fn error(&self, op: OpId, code: Code, message: impl AsRef<str>) -> Diagnostic {
        op_error(self.ir, op, code, message)
    }

    /// Report it
    pub fn emit(&self, diagnostic: Diagnostic) -> Reported {
        self.diags.borrow_mut().emit(diagnostic)
    }

    /// Report an error on an op
    pub fn fail<T>(&self, op: OpId, code: Code, message: impl AsRef<str>) -> Result<T, Reported> {
        Err(self.emit(self.error(op, code, message)))
    }

    /// The symbol that a reference attribute in this unit means
    pub fn lookup(&self, reference: crate::attrs::Attr) -> Option<&'a SymbolDef> {
        let (root, nested) = reference.as_symbol(self.ir.cx())?;
        self.symbols.lookup(self.scope, root, nested)
    }

    /// Text of a type, for messages
    pub fn show(&self, ty: crate::types::Type) -> String {
        crate::show::type_text(self.ir.cx(), ty)
    }
}

/// A diagnostic about an op: `'name' op message`, at the op
pub fn op_error(ir: &Ir, op: OpId, code: Code, message: impl AsRef<str>) -> Diagnostic {
    Diagnostic::error(code, format!("'{}' op {}", ir.op_name(op), message.as_ref())).at(ir.span(op))
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
    cx.diags.into_inner()
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
