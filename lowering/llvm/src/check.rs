//! What the check of an op reads: the op in its unit, and the forms of its types.

use crate::form::{Form, MemForm, Spaces, form};
use terrace_diag::Diagnostic;
use terrace_ir::{Context, Ir, OpId, Type, TypeKind, Value};
use terrace_lowering_table::{Checked, Refusal};
use terrace_native_client::codes;

/// Nothing beyond known types
pub(crate) fn any(_: &Check<'_>, _: OpId) -> Checked {
    Ok(())
}

/// The op in its unit, with shorthands
pub(crate) struct Check<'a> {
    pub(crate) ir: &'a Ir,
    pub(crate) spaces: Spaces,
}

impl Check<'_> {
    pub(crate) fn cx(&self) -> &Context {
        self.ir.cx()
    }

    pub(crate) fn form(&self, value: Value) -> Result<Form, Refusal> {
        form(self.cx(), self.ir.ty(value), self.spaces)
    }

    pub(crate) fn mem(&self, value: Value) -> Result<MemForm, Refusal> {
        match self.form(value)? {
            Form::MemRef(mem) => Ok(mem),
            _ => Err("works on ranked memrefs only".into()),
        }
    }
}

/// A type that has no form
pub(crate) fn bad_type(cx: &Context, ty: Type, why: &str) -> Diagnostic {
    let text = terrace_ir::show::type_text(cx, ty);
    let error =
        Diagnostic::error(&codes::UNSUPPORTED_TYPE, format!("no LLVM value can hold a `{text}`: {why}"));
    match ty.scalar(cx).kind(cx) {
        TypeKind::Float(kind) if kind.width() < 32 => error.help("lower it first: `expand-floats`"),
        _ => error,
    }
}
