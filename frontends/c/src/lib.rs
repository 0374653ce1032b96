//! C as an input language: functions with loop nests become functions with computations.
//!
//! ```text
//! text ── parse (tree-sitter) ──► ast ── flow, calls, pointers ──► ast        jumps, calls and pointers in other terms
//!      ast ── func, stmts ──► memref + scf        straight code, and loops that stay loops (at_once: threads take their turns)
//!          └─ nest, body, compute ──► mdh         nests that are computations (spread: a loop as several)
//! ```
//!
//! A function keeps its parameters in their order: arrays and pointers are memrefs (of structures with fields of one type, these
//! are a last dimension; of others, one memref each), numbers are numbers. `#pragma mdh(…)` above a nest says how its loops combine
//! ([`pragma`]); without it, kinds follow from the body, reductions keep their order, and a nest whose turns depend on each
//! other stays a nest of loops, with a remark that says why.
//!
//! **Invariants.** Every refusal has a code of [`codes`] and a span in the C file. No input panics. Constants come from
//! macros, `enum`, `static const` and from outside (`sets`).
//!
//! **Not done here.** No include is read; no pointers to pointers; no `switch`, no `goto`.

mod access;
mod assemble;
mod ast;
mod at_once;
mod body;
mod calls;
pub mod codes;
mod compute;
mod consts;
mod emit;
mod expr;
mod extremes;
mod flow;
mod func;
mod globals;
mod inline;
mod live;
mod nest;
mod parse;
mod parts;
mod places;
mod pointers;
pub mod pragma;
mod records;
mod rows;
mod signature;
mod spread;
mod starts;
mod stmts;
mod turn;
mod value;

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
/// and `mdh`. What is given back still has to be verified.
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
    globals::lifted(&mut file);
    flow::plain(&mut file, 0);
    calls::replaced(&mut file);
    pointers::gone(&mut file);
    flow::plain(&mut file, 1);
    let module = func::module(cx, source, &file, &sets, diags);
    (diags.errors() == before).then_some(module)
}
