//! What the verifiers of ops see, and how they report.

use super::symbols::{ScopeId, SymbolDef, Symbols};
use super::{Context, Ir, OpId};
use crate::handles::Attr;
use std::cell::RefCell;
use std::fmt;
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
    pub fn error(&self, op: OpId, code: Code, message: impl fmt::Display) -> Diagnostic {
        op_error(self.ir, op, code, message)
    }

    /// Report it
    pub fn emit(&self, diagnostic: Diagnostic) -> Reported {
        self.diags.borrow_mut().emit(diagnostic)
    }

    /// Report an error on an op
    pub fn fail<T>(&self, op: OpId, code: Code, message: impl fmt::Display) -> Result<T, Reported> {
        Err(self.emit(self.error(op, code, message)))
    }

    /// The symbol that a reference attribute in this unit means
    pub fn lookup(&self, reference: Attr) -> Option<&'a SymbolDef> {
        let (root, nested) = reference.as_symbol(self.ir.cx())?;
        self.symbols.lookup(self.scope, root, nested)
    }

    /// Number of errors so far
    pub(crate) fn errors(&self) -> usize {
        self.diags.borrow().errors()
    }

    /// What was reported
    pub(crate) fn into_diags(self) -> Diags {
        self.diags.into_inner()
    }
}

/// A diagnostic about an op: `'name' op message`, at the op
///
/// An op that was not read from text (from bytecode, say) has no place there: its location is a note.
pub fn op_error(ir: &Ir, op: OpId, code: Code, message: impl fmt::Display) -> Diagnostic {
    let error = Diagnostic::error(code, format!("'{}' op {message}", ir.op_name(op))).at(ir.span(op));
    let place = if ir.source().is_none() { ir.file_place(op) } else { None };
    match place {
        Some(place) => error.note(format!("the op is at {place}")),
        None => error,
    }
}
