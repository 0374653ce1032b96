//! Units taken from the parser one after the other, each worked on while it is in the cache.
//!
//! A guess, as parsing on threads is: whatever does not fit (a mistake, a warning, ops of the module that are no units, a
//! worker that can't do without the rest of the file) ends it without a message, and the caller reads the file as a whole.

use super::state::{Parse, Parser};
use super::workers::{Taken, Workers};
use super::{ParseOptions, parse_with};
use crate::codes;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId};
use terrace_ir::{Context, Ir, Traits};

/// Parse a module and hand each unit directly inside of it to a worker as soon as it has been read
///
/// Gives the module and the text that the workers wrote behind `before`, in order of the units, on any number of threads. A
/// unit in the module is what is left of it: its own op, and an empty block if it has a body. `None` if that can't be done;
/// then nothing is known of the file: [`parse`](super::parse) reports what is wrong with it, if anything is.
pub fn parse_each<'a>(
    cx: &'a Arc<Context>,
    source: SourceId,
    options: &'a ParseOptions,
    workers: &'a Workers<'a>,
    before: String,
) -> Option<(Ir, String)> {
    let mut diags = Diags::default();
    let taken = Taken { text: before, ..Taken::new(workers, None) };
    let (module, taken) = parse_with(cx, source, options, Some(taken), &mut diags)?;
    // A table of symbols was not taken.
    let was_taken = |unit: &Ir| !unit.has(unit.root(), Traits::SymbolTable);
    let only_units = module.walk().all(|op| module.child(op).is_some_and(was_taken));
    let whole = diags.is_empty() && module.resources().is_none() && only_units;
    taken.filter(|_| whole).map(|taken| (module, taken.text))
}

impl Parser<'_> {
    /// What is left of a unit that has been read, when the one around it is at hand again
    pub(super) fn take(&mut self, mut unit: Ir) -> Parse<Ir> {
        let level = self.outer.len();
        let Some(taken) = &mut self.taken else { return Ok(unit) };
        if unit.has(unit.root(), Traits::SymbolTable) {
            // The module around, or one inside, whose symbols other units may ask for.
            let around = level == 0 && taken.level != Some(0);
            return if around { Ok(unit) } else { self.give_up() };
        }
        // Units in a unit are worked on with it.
        let inside = taken.level.is_some_and(|taken| level > taken);
        if inside {
            return Ok(unit);
        }
        let fits = level <= 1 && taken.level.is_none_or(|taken| taken == level);
        taken.level = Some(level);
        if fits && (taken.worker)(&mut unit, &mut taken.text) { Ok(unit.shell()) } else { self.give_up() }
    }

    /// Read no further
    pub(super) fn give_up<T>(&mut self) -> Parse<T> {
        self.lx.end = self.lx.pos;
        // The file is then read as a whole, and this message is dropped.
        Err(self.emit(Diagnostic::error(&codes::EXPECTED, "units can't be taken one by one")))
    }
}
