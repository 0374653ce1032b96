//! Coverage: can everything in a module be emitted? Asked of all of it before anything is.
//!
//! Each dialect's file lists its ops as [`Lowering`]s, with what they need beyond types that have a [`form`]. The emitter
//! relies on it: what it finds unchecked is our mistake.

use crate::emit::Emitter;
use crate::form::{Form, MemForm, Spaces, form};
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::{Context, Ir, OpDef, OpId, Type, TypeKind, Value};
use terrace_native_client::codes;
use terrace_support::HashMap;

/// An op with what it becomes
pub(crate) struct Lowering {
    /// The op
    pub(crate) def: &'static OpDef,
    /// What must hold of it, beyond known types; the error completes "`op` …"
    pub(crate) check: fn(&Check<'_>, OpId) -> Result<(), String>,
    /// Emit it
    pub(crate) emit: fn(&mut Emitter<'_>, OpId),
}

/// Nothing beyond known types
pub(crate) fn any(_: &Check<'_>, _: OpId) -> Result<(), String> {
    Ok(())
}

/// Every op that can be emitted, by name
pub(crate) type Table = HashMap<&'static str, &'static Lowering>;

/// Make the table
pub(crate) fn table() -> Table {
    let lists: &[&'static [Lowering]] = &[
        crate::arith::OPS,
        crate::casts::OPS,
        crate::cf::OPS,
        crate::func::OPS,
        crate::gpu::OPS,
        crate::math::OPS,
        crate::memref::OPS,
        crate::mma::OPS,
        crate::printf::OPS,
        crate::reshapes::OPS,
        crate::ub::OPS,
        crate::vector::OPS,
        crate::vector_memory::OPS,
        crate::vector_more::OPS,
        crate::vector_shape::OPS,
        crate::views::OPS,
    ];
    lists.iter().flat_map(|list| list.iter()).map(|lowering| (lowering.def.name, lowering)).collect()
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

    pub(crate) fn form(&self, value: Value) -> Result<Form, String> {
        form(self.cx(), self.ir.ty(value), self.spaces)
    }

    pub(crate) fn mem(&self, value: Value) -> Result<MemForm, String> {
        match self.form(value)? {
            Form::MemRef(mem) => Ok(mem),
            _ => Err("works on ranked memrefs only".into()),
        }
    }

    /// Report each op of a function that cannot be emitted
    pub(crate) fn function(&self, table: &Table, diags: &mut Diags) {
        let (ir, cx) = (self.ir, self.ir.cx());
        for op in ir.walk() {
            let name = ir.op_name(op);
            let Some(lowering) = table.get(name).filter(|lowering| ir.is(op, lowering.def)) else {
                // What is inside of it is the business of the pass that lowers it.
                let known = |parent: OpId| table.contains_key(ir.op_name(parent));
                if ir.parent(op).is_none_or(known) {
                    let _ = diags.emit(unsupported(ir, op));
                }
                continue;
            };
            let operands = ir.operands(op).map(|value| ir.ty(value));
            let types: Vec<Type> = operands.chain(ir.results(op).map(|value| ir.ty(value))).collect();
            if let Some((ty, why)) =
                types.iter().find_map(|ty| form(cx, *ty, self.spaces).err().map(|why| (*ty, why)))
            {
                let _ = diags.emit(bad_type(cx, ty, &why).at(ir.span(op)));
            } else if let Err(why) = (lowering.check)(self, op) {
                let message = format!("`{name}` {why}");
                let _ = diags.emit(Diagnostic::error(&codes::UNSUPPORTED_OP, message).at(ir.span(op)));
            }
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

/// An op that has no lowering, with the pass that gets rid of it
pub(crate) fn unsupported(ir: &Ir, op: OpId) -> Diagnostic {
    let name = ir.op_name(op);
    let message = format!("`{name}` cannot be lowered to LLVM");
    let diagnostic = Diagnostic::error(&codes::UNSUPPORTED_OP, message).at(ir.span(op));
    match name.split_once('.').map(|(dialect, _)| dialect) {
        Some("arith") => diagnostic.help("lower it first: `expand-floats`"),
        Some("scf") => diagnostic
            .help("lower it first: `scf-parallel-to-calls` for `scf.parallel`, then `convert-scf-to-cf`"),
        Some("affine") => diagnostic.help("lower it first: `lower-affine`, then `convert-scf-to-cf`"),
        Some("mdh") => diagnostic.help("lower it first, from `mdh` to `sched` to `scf`"),
        Some("sched") => diagnostic.help("lower it first: `sched-to-scf`, then `convert-scf-to-cf`"),
        Some("gpu") => diagnostic.help("device functions are lowered with `--emit=ptx`"),
        _ => diagnostic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_dialect_upstream::{arith, cf, func, math, memref, ub, vector};

    /// Ops that passes lower first, or that this back end has no counterpart for
    const OTHERS: &[&str] = &[
        "arith.scaling_extf",
        "arith.scaling_truncf",
        "memref.dma_start",
        "memref.dma_wait",
        "memref.global",
        "vector.print",
        "vector.scalable.extract",
        "vector.scalable.insert",
        "vector.vscale",
    ];

    #[test]
    fn every_op_is_lowered_or_listed() {
        let table = table();
        let dialects =
            [&arith::ARITH, &cf::CF, &func::FUNC, &math::MATH, &memref::MEMREF, &ub::UB, &vector::VECTOR];
        let ops = dialects.into_iter().flat_map(|dialect| dialect.ops);
        let missing: Vec<&str> = ops.map(|def| def.name).filter(|name| !table.contains_key(name)).collect();
        assert_eq!(missing, OTHERS);
    }
}
