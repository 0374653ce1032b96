//! C as an input language: functions with loop nests become functions with computations.
//!
//! ```text
//! text ── parse (tree-sitter) ──► ast ── rewrite ──► ast           jumps, calls and pointers in simpler terms
//!      ast ── func, stmts, loops ──► memref + scf    straight code, and loops that stay loops (parallel: threads take the iterations)
//!          └─ nest, body, outputs, assemble ──► mdh  nests that are computations (distribute: one loop as several)
//! ```
//!
//! `Lowering` is a function in progress, in parts that own what they need; its module has the list.
//!
//! A function keeps its parameters in their order: arrays and pointers are memrefs (of structures with fields of one type, these
//! are a last dimension; of others, one memref each), numbers are numbers. `#pragma mdh(…)` above a nest says how its loops combine
//! (`parse/pragma.rs` has the grammar); without it, kinds follow from the body, reductions keep their order, and a nest whose turns
//! depend on each
//! other stays a nest of loops, with a remark that says why.
//!
//! **Invariants.** Every refusal has a code of [`codes`] and a span in the C file. No input panics. Constants come from
//! macros, `enum`, `static const` and from outside (`sets`).
//!
//! **Not done here.** No include is read; no pointers to pointers; no `switch`, no `goto`.

mod access;
mod affine;
mod arithmetic;
mod assemble;
mod ast;
mod bindings;
mod body;
pub mod codes;
mod computation;
mod conditions;
mod consts;
mod dependences;
mod distribute;
mod emitter;
mod expr;
mod extremes;
mod forwarding;
mod func;
mod globals;
mod heads;
mod inline;
mod inputs;
mod live;
mod loops;
mod lowering;
mod memory;
mod nest;
mod operators;
mod outputs;
mod overlaps;
mod parallel;
mod params;
mod parse;
mod places;
mod reach;
mod records;
mod refusal;
mod rewrite;
mod signature;
mod slices;
mod starts;
mod stmts;
mod subviews;
mod value;
mod versions;

use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId};
use terrace_ir::{Context, Ir};

/// Run with enough stack for what nests as deep as parsing allows
pub(crate) fn with_room<T>(act: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(256 << 10, 4 << 20, act)
}

/// Read a C file; nothing if that failed with messages
///
/// `sets` are values of macros and of parameters that are sizes, from outside. The context must know upstream's dialects
/// and `mdh`. The result still has to be verified.
pub fn read(cx: &Arc<Context>, source: SourceId, sets: &[(String, String)], diags: &mut Diags) -> Option<Ir> {
    let before = diags.errors();
    let mut numbers = Vec::new();
    for (name, value) in sets {
        match value.parse::<i64>() {
            Ok(value) => numbers.push((name.clone(), value)),
            Err(_) => {
                let message = format!("C-BOUND: {name} is set to {value}, which is no number");
                let _ = diags.emit(Diagnostic::error(&codes::BOUND, message));
                return None;
            }
        }
    }
    let text = cx.sources().text(source).to_string();
    let (mut file, sets) = parse::file(source, &text, &numbers, diags)?;
    rewrite::simplify(&mut file);
    let module = func::module(cx, source, &file, &sets, diags);
    (diags.errors() == before).then_some(module)
}
