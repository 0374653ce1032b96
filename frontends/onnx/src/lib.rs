//! ONNX models (`.onnx`), read into `stablehlo`.
//!
//! The file is a protocol buffer (`proto/onnx.proto`, ONNX's own), so messages point into a listing of the model: a line for each
//! input, output, initializer and node. What the graph takes are the function's first arguments. Initializers that are short (16 elements,
//! or one number for all) are constants. The others are more arguments, in the order in which they are read, with the attribute
//! `terrace.constant`; their elements are next to the module ([`Weight`]). Both kinds have their names in `terrace.name`.
//!
//! Shapes are known: those of arguments are in the model, or their names have values from outside. Operators follow from the
//! version that the model says, 7 to 28.
//!
//! **Not done here.** Anything for speed but what must happen before weights are arguments: factors of batch normalizations.

mod attributes;
mod call;
pub mod codes;
mod emit;
mod fold;
mod graph;
mod listing;
mod literal;
mod module;
mod ops;
mod proto;
mod tensors;
mod types;
mod wrong;

use bytes::Bytes;
use prost::Message;
use std::path::Path;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId, Span};
use terrace_ir::{Context, Ir};
use wrong::{Place, Wrong};

/// The elements of an argument that stands for an initializer
#[derive(Clone, Debug)]
pub struct Weight {
    /// The argument's `terrace.name`
    pub name: String,
    /// Elements of the argument's type, little-endian, row by row; truth values one byte each
    pub data: Bytes,
}

/// A model as a module
pub struct Model {
    /// The module: one function
    pub ir: Ir,
    /// The listing, which places in the module are in
    pub source: SourceId,
    /// For each argument with `terrace.constant` its elements
    pub weights: Vec<Weight>,
}

/// Read a model into a module of one function; nothing if that failed with a message
///
/// `name` is the file's name, for messages and for data in other files of its folder; sizes of the model may have values from outside, by their names.
pub fn read(
    cx: &Arc<Context>,
    name: &str,
    bytes: Vec<u8>,
    sets: &[(String, String)],
    diags: &mut Diags,
) -> Option<Model> {
    let mut source = None;
    match model(cx, name, bytes.into(), sets, &mut source) {
        Ok(model) => Some(model),
        Err(wrong) => {
            let source = source.unwrap_or_else(|| cx.sources().add(name, ""));
            let Place { start, end } = wrong.at.unwrap_or_default();
            let mut error = Diagnostic::error(wrong.code, wrong.message).at(Span::new(source, start, end));
            error = wrong.notes.into_iter().fold(error, Diagnostic::note);
            if let Some(help) = wrong.help {
                error = error.help(help);
            }
            let _ = diags.emit(error);
            None
        }
    }
}

fn model(
    cx: &Arc<Context>,
    name: &str,
    bytes: Bytes,
    sets: &[(String, String)],
    source: &mut Option<SourceId>,
) -> Result<Model, Wrong> {
    let size = bytes.len();
    let model = proto::ModelProto::decode(bytes).map_err(|error| {
        let message = format!("`{name}` is no ONNX model, or a damaged one of {size} bytes: {error}");
        Wrong::new(&codes::FORMAT, message)
    })?;
    if model.graph.is_none() {
        let message = format!("`{name}` is no ONNX model: it has no graph");
        return Err(Wrong::new(&codes::FORMAT, message));
    }
    let listing = listing::Listing::of(&model)
        .ok_or_else(|| Wrong::new(&codes::FORMAT, format!("`{name}` has too many nodes")))?;
    let source = *source.insert(cx.sources().add(name, listing.text.clone()));
    let graph = graph::graph(&model, &listing, sets)?;
    let folder = Path::new(name).parent().map(|folder| match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    });
    let (ir, weights) = module::module(cx, source, &graph, folder)?;
    Ok(Model { ir, source, weights })
}
