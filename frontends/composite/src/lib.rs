//! Fused sub-graphs as MindSpore hands them to AKG: JSON (`.info`), read into `stablehlo`.
//!
//! ```text
//! { "op": NAME, "process": "cuda", "input_desc": [[TENSOR], …], "output_desc": [TENSOR, …], "op_desc": [OP, …] }
//! OP     := { "name": "ReduceSum", "attr": [{ "name": "axis", "value": [0] }, …], "input_desc": [[TENSOR, …], …],
//!             "output_desc": [TENSOR, …] }
//! TENSOR := { "tensor_name": NAME, "data_type": "float32", "shape": [2, 3] }     with "value": NUMBER it is a constant
//! ```
//!
//! Lines that begin with `//` are left out. Ops may stand in any order. Operands are broadcast to the shape of the result; a
//! result of one element may be of shape `[1]`. `InplaceAssign` gives one result more, with the attribute `composite.assigns`:
//! the new content of the input that it names.
//!
//! **Not done here.** What the ops mean; shapes that do not fit an op are refused by the rules of `stablehlo`, at the op.

pub mod codes;
mod emit;
mod graph;
mod json;
mod module;
mod ops;

use std::sync::Arc;
use terrace_diag::{Code, Diagnostic, Diags, SourceId, Span};
use terrace_ir::{Context, Ir};

/// What is wrong with a text, and where
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    /// Byte of the text
    pub at: u32,
    /// What kind of mistake
    pub code: Code,
    /// The message
    pub message: String,
    /// What was meant, perhaps
    pub near: Option<String>,
}

impl Wrong {
    pub fn new(at: u32, code: Code, message: impl Into<String>) -> Wrong {
        Wrong { at, code, message: message.into(), near: None }
    }
}

/// Read a sub-graph into a module of one function; nothing if that failed with a message
pub fn read(cx: &Arc<Context>, source: SourceId, _: &[(String, String)], diags: &mut Diags) -> Option<Ir> {
    let text = json::without_comments(cx.sources().text(source));
    let made = graph::Graph::read(&text).and_then(|graph| module::module(cx, source, &graph));
    match made {
        Ok(module) => Some(module),
        Err(wrong) => {
            let mut error = Diagnostic::error(wrong.code, wrong.message).at(Span::point(source, wrong.at));
            if let Some(near) = wrong.near {
                error = error.help(format!("did you mean `{near}`?"));
            }
            let _ = diags.emit(error);
            None
        }
    }
}
