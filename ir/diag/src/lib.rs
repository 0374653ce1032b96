//! Diagnostics: codes, spans, sources, rendering.
//!
//! A [`Diagnostic`] is data: severity, stable [`Code`], message, places ([`Span`] into [`Sources`]), notes, help.
//! Library code emits into [`Diags`] and returns `Result<T, Reported>`; only tools [`render`]. This crate knows
//! nothing of IR, reads no file, and writes to no stream.
//!
//! **Invariant:** no input text and no span, however wrong, makes anything here panic or take time or memory out of
//! proportion.
//!
//! # Numbers of codes
//!
//! | codes | about |
//! |---|---|
//! | E0001–E0099 | text: lexing, parsing |
//! | E0100–E0199 | verifier of the core |
//! | E0200–E0299 | passes and pipelines |
//! | E0300–E0399 | interpreter |
//! | E0400–E0499 | tools and files (E0490–E0499: expectations in test files, defined here) |
//! | E0500–E0599 | the `sched` dialect |
//! | E0600–E0699 | the `mdh` dialect |
//! | E0700–E0799 | lowering and back ends |
//! | E0800–E0899 | runtime |

mod code;
mod diagnostic;
mod diags;
pub mod expected;
mod nearest;
mod render;
mod sources;
mod span;
mod split;

pub use code::{Code, CodeInfo, Fault, Twice, check_unique, find};
pub use diagnostic::{Diagnostic, Label, Note, Severity};
pub use diags::{Diags, Reported};
pub use nearest::nearest;
pub use render::{render, render_all};
pub use sources::Sources;
pub use span::{SourceId, Span};
pub use split::{split_input, split_input_at};
