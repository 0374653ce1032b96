//! The parser of MLIR's textual grammar.
//!
//! One pass over the bytes, no tokens and no tree: each op is made as soon as it has been read. Ops in custom syntax are
//! read by interpreting their definition's format (`asm`) or by their own code through [`OpParser`].
//!
//! - `state`: what the parser knows; `alias_table`, `aliases`, `names`, `values`: names; `types`, `attrs`, `numbers`, `dense`, `affine`,
//!   `locs`: types and attributes; `ops`, `asm`, `regions`: ops; `recover`: after errors; `parallel`: threads; `partial`,
//!   `record`, `notes`: IR of texts with mistakes, and what stands where in them.
//!
//! Every mistake is reported: after one, reading goes on with the next op (`recover`). Nesting of regions costs memory
//! only (the stack grows), types and attributes nest to 1000. No input panics, and time is linear in the text.

mod affine;
mod alias_table;
mod aliases;
mod alone;
mod asm;
mod attrs;
mod dense;
mod locs;
mod memo;
mod metadata;
mod names;
mod notes;
mod numbers;
mod op_parser;
mod ops;
mod parallel;
mod partial;
mod record;
mod recover;
mod regions;
mod state;
mod taken;
mod types;
mod values;
mod workers;

pub use affine::OpenMap;
pub use alone::{parse_attr, parse_type};
pub use names::Unresolved;
pub use op_parser::{Argument, Delim, OpParser, Signature};
pub use partial::{Partial, parse_partial};
pub use taken::parse_each;
pub use workers::{Worker, Workers};

use crate::codes;
use state::Parser;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId};
use terrace_ir::{BlockId, Context, Ir, Loc};
use workers::Taken;

/// How to parse
#[derive(Clone, Debug)]
pub struct ParseOptions {
    /// Accept ops, types and attributes of dialects that are not registered
    pub allow_unregistered: bool,
    /// Threads to parse functions on
    pub threads: usize,
    /// Files below this many bytes are parsed on one thread
    pub parallel_from: usize,
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions { allow_unregistered: false, threads: 1, parallel_from: 1 << 16 }
    }
}

/// Parse a source of the context into a module; `None` if there were errors
///
/// Every mistake found is in `diags`. A file that is one `builtin.module` gives that module, any other is wrapped in one.
pub fn parse(cx: &Arc<Context>, source: SourceId, options: &ParseOptions, diags: &mut Diags) -> Option<Ir> {
    parse_with(cx, source, options, None, diags).map(|(module, _)| module)
}

/// Parse; the units inside of the module may be taken meanwhile
fn parse_with<'a>(
    cx: &'a Arc<Context>,
    source: SourceId,
    options: &'a ParseOptions,
    taken: Option<Taken<'a>>,
    diags: &mut Diags,
) -> Option<(Ir, Option<Taken<'a>>)> {
    let (module, block) = begin(cx, source, diags)?;
    let (kind, regions) = (module.kind(module.root()), module.num_regions(module.root()));
    let mut parser = Parser::new(cx, source, options, module);
    parser.default_dialects.push("builtin");
    parser.taken = taken;
    parser.file(block);
    let failed = parser.diags.has_errors();
    let module = std::mem::replace(&mut parser.ir, Ir::new_unit(cx, kind, regions, Loc::UNKNOWN));
    let taken = parser.taken.take();
    diags.append(parser.diags);
    if failed {
        return None;
    }
    let fits = |file_is_module| taken.as_ref().is_none_or(|taken| taken.fits(file_is_module));
    let (module, file_is_module) = match only_module(module, block) {
        Ok(unit) => (unit, true),
        Err(module) => (module, false),
    };
    fits(file_is_module).then_some((module, taken))
}

/// An empty module for what a source holds, and its block
fn begin(cx: &Arc<Context>, source: SourceId, diags: &mut Diags) -> Option<(Ir, BlockId)> {
    let Some(kind) = cx.kind_by_name("builtin.module") else {
        let message = "parsing needs `builtin.module`, which is not registered in this context";
        let _ = diags.emit(Diagnostic::error(&codes::NOT_REGISTERED, message));
        return None;
    };
    if cx.sources().text(source).len() > Loc::MAX_OFFSET {
        let message = format!("`{}` is larger than 2 GiB", cx.sources().name(source));
        let _ = diags.emit(Diagnostic::error(&codes::TOO_LARGE, message));
        return None;
    }
    let regions = cx.def(kind).regions.len().max(1);
    let mut module = Ir::new_unit(cx, kind, regions, Loc::UNKNOWN);
    module.set_source(Some(source));
    let body = module.region(module.root(), 0);
    let block = module.append_block(body);
    Some((module, block))
}

/// The module that is all that a block of a module has; else the module
pub fn only_module(mut module: Ir, block: BlockId) -> Result<Ir, Ir> {
    let kind = module.kind(module.root());
    let Some(slot) = module.first_op(block).filter(|op| module.next(*op).is_none()) else {
        return Err(module);
    };
    if module.child(slot).is_none_or(|unit| unit.kind(unit.root()) != kind) {
        return Err(module);
    }
    let resources = module.take_resources();
    let Some(mut unit) = module.disown(slot) else { return Err(module) };
    if let Some(resources) = resources {
        unit.set_resources(resources);
    }
    Ok(*unit)
}

impl Parser<'_> {
    /// The whole file: aliases, metadata, ops
    fn file(&mut self, block: BlockId) {
        self.labels.push(Default::default());
        while !self.lx.is_end() {
            match self.lx.peek() {
                b'#' | b'!' if self.at_alias_definition() => {
                    let (start, braces) = (self.lx.pos, self.lx.braces);
                    if self.alias_definition().is_err() {
                        self.synchronize(start, braces);
                    }
                }
                b'{' if self.lx.looking_at("{-#") => self.metadata(),
                b'}' => {
                    let _ = self.fail::<()>(&codes::EXPECTED, "this `}` closes nothing");
                    self.lx.bump(1);
                }
                _ if self.parallel
                    && self.lx.looking_at("func.func")
                    && self.functions_in_parallel(block) => {}
                _ => self.op_or_skip(block),
            }
        }
        self.close_labels();
        self.close_scope();
    }
}
