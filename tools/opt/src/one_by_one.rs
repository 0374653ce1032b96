//! A file read, verified, changed and printed function by function, each while it is in the cache.
//!
//! For texts of many functions that have nothing to do with each other, and pipelines of passes on functions: a function is
//! gone before the next one is read, so that memory is that of the texts. Wherever that does not do (any message at all,
//! symbols that are looked up, aliases, what is printed on the way) the file is read as a whole, so that one place
//! alone decides what is reported (`docs/decisions/0100`).

use crate::args::Args;
use crate::emit::print_options;
use std::sync::Arc;
use terrace_diag::SourceId;
use terrace_ir::symbols::{Symbols, symbol_name};
use terrace_ir::verify::verify_unit;
use terrace_ir::{Context, Ir};
use terrace_pass::{Instrument, Pipeline, is_by_unit, run_on_unit};
use terrace_text::{Apart, ParseOptions, PrintOptions, Worker, parse_each};

/// The output; `None` if the file has to be read as a whole
pub(crate) fn run(
    args: &Args,
    cx: &Arc<Context>,
    pipeline: &Pipeline,
    source: SourceId,
    options: &ParseOptions,
    instrument: &Instrument,
) -> Option<Vec<u8>> {
    let text = cx.sources().text(source);
    // One function gains nothing, and keeps the parser's tables until it is printed.
    let several = text.match_indices("func.func").nth(1).is_some();
    let large = several && text.len() >= options.parallel_from;
    if !large || !is_plain(args) || !is_by_unit(pipeline) || asks(text) {
        return None;
    }
    let apart = Apart::new(cx, &PrintOptions { threads: 1, ..print_options(args) });
    let worker = || -> Worker<'_> {
        let (mut printer, symbols, mut count) = (apart.printer(cx), Symbols::unread(), 0u32);
        Box::new(move |unit, out| {
            count += 1;
            if !work(unit, pipeline, instrument, &symbols) {
                return false;
            }
            printer.print(unit, out);
            // Else it is seen at the end.
            !(count.is_power_of_two() && Apart::may_have_aliases(cx))
        })
    };
    let guess = if args.emit == "generic" { "\"builtin.module\"() ({\n" } else { "module {\n" };
    let (module, lines) = parse_each(cx, source, options, &worker, guess.to_string())?;
    let symbols = Symbols::read(&module);
    if !verify_unit(&module, &symbols, symbols.root()).is_empty() || Apart::may_have_aliases(cx) {
        return None;
    }
    let (before, after) = apart.around(&module);
    let mut out = lines.into_bytes();
    if before != guess {
        out.splice(..guess.len(), before.into_bytes());
    }
    out.extend(after.into_bytes());
    if args.leave_memory {
        std::mem::forget(module);
    }
    Some(out)
}

/// Verify, run passes, verify; false if there is anything to say of the unit, or anything it would know of others
fn work(unit: &mut Ir, pipeline: &Pipeline, instrument: &Instrument, symbols: &Symbols) -> bool {
    let name = symbol_name(unit, unit.root());
    let valid = |unit: &Ir| verify_unit(unit, symbols, symbols.root()).is_empty();
    if unit.has_children() || !valid(unit) || symbols.was_missed() {
        return false;
    }
    if pipeline.steps.is_empty() {
        return true;
    }
    let (report, result) = run_on_unit(unit, pipeline, instrument, symbols);
    result.is_ok()
        && report.diags.is_empty()
        && valid(unit)
        && !symbols.was_missed()
        && symbol_name(unit, unit.root()) == name
}

/// Is text all that is wanted, and nothing on the way?
fn is_plain(args: &Args) -> bool {
    let observed = args.rewrite_limit.is_some()
        || args.print_debuginfo
        || args.print_changed
        || args.timing
        || args.stats
        || args.verify_each;
    let printed = !args.print_before.is_empty() || !args.print_after.is_empty();
    let explained = args.explain_miss.is_some()
        || args.explain_mapping.is_some()
        || args.explain_schedule.is_some()
        || args.verify_diagnostics;
    matches!(args.emit.as_str(), "mlir" | "generic") && !observed && !printed && !explained
}

/// A quick look at a text: does a function name another symbol, or an attribute that has an alias?
fn asks(text: &str) -> bool {
    const DEFINES: [&str; 4] = ["func.func @", "private @", "public @", "nested @"];
    let names = |(at, _): (usize, &str)| !DEFINES.iter().any(|word| text[..=at].ends_with(word));
    text.match_indices('@').any(names) || text.contains("affine") || text.contains("loc(")
}
