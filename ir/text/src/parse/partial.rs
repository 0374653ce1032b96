//! Texts with mistakes: as much IR of them as there is, and what stands where.
//!
//! An op that is wrong has a placeholder in the IR, unregistered ops where it and its results would be, so that what is around
//! it can be verified. A unit with a mistake that is not within such an op is not verified: its blocks or uses may be none.

use super::notes::Record;
use super::state::Parser;
use super::{ParseOptions, begin, only_module};
use crate::places::Places;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, Severity, SourceId};
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::verify::{verify, verify_unit};
use terrace_ir::{Context, Ir, Traits};

/// What a text gave that may have mistakes
pub struct Partial {
    /// The module
    pub ir: Ir,
    /// What stands where
    pub places: Places,
    /// Offsets of mistakes
    wrong: Vec<u32>,
    /// All mistakes are among them
    complete: bool,
}

/// Parse a source of the context into a module, mistakes or not, and note what stands where
///
/// As [`parse`](super::parse), on one thread; `None` only if nothing could be read at all.
pub fn parse_partial(
    cx: &Arc<Context>,
    source: SourceId,
    options: &ParseOptions,
    diags: &mut Diags,
) -> Option<Partial> {
    let options = ParseOptions { threads: 1, ..options.clone() };
    let (module, block) = begin(cx, source, diags)?;
    let mut parser = Parser::new(cx, source, &options, module);
    parser.default_dialects.push("builtin");
    parser.record = Some(Box::default());
    parser.file(block);
    parser.settle();
    let empty = Ir::new_unit(cx, parser.ir.kind(parser.ir.root()), 1, terrace_ir::Loc::UNKNOWN);
    let module = std::mem::replace(&mut parser.ir, empty);
    let Record { mut places, .. } = parser.record.take().map_or_else(Record::default, |record| *record);
    places.sort();
    let errors = || parser.diags.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let wrong: Vec<u32> = errors().filter_map(|error| error.span).map(|span| span.start).collect();
    let complete = wrong.len() == parser.diags.errors();
    diags.append(parser.diags);
    let ir = only_module(module, block).unwrap_or_else(|whole| whole);
    Some(Partial { ir, places, wrong, complete })
}

impl Partial {
    /// Verify what can be: nothing is reported that may come of a mistake in the text
    pub fn verify(&self) -> Diags {
        if self.wrong.is_empty() && self.complete {
            return verify(&self.ir, 1);
        }
        let mut diags = Diags::default();
        let symbols = Symbols::read(&self.ir);
        let units = units_of(&self.ir, &symbols);
        let places = self.units();
        // The module around what is a list of ops stands nowhere.
        let implicit = units.len().checked_sub(places.len());
        let Some(implicit @ (0 | 1)) = implicit.filter(|_| self.complete) else { return diags };
        let broken = self.broken(&places);
        for (n, (unit, scope)) in units.into_iter().enumerate() {
            let whole = match n.checked_sub(implicit) {
                Some(n) => !broken[n] && self.places.ops[places[n]].kind == Some(unit.kind(unit.root())),
                None => true,
            };
            if whole {
                for error in verify_unit(unit, &symbols, scope).into_vec() {
                    if self.holds(&error) {
                        let _ = diags.emit(error);
                    }
                }
            }
        }
        diags
    }

    /// Indices of the units that the IR has, in order of the text
    fn units(&self) -> Vec<usize> {
        let cx = self.ir.cx();
        let ops = &self.places.ops;
        // Those around come first.
        let mut lost = vec![false; ops.len()];
        let mut units = Vec::new();
        for (n, op) in ops.iter().enumerate() {
            lost[n] = op.failed || op.parent.is_some_and(|parent| lost[parent as usize]);
            let is_unit = op.kind.is_some_and(|kind| cx.def(kind).traits.has(Traits::Unit));
            if is_unit && !lost[n] {
                units.push(n);
            }
        }
        units
    }

    /// Which of the units have mistakes that no op is to blame for
    fn broken(&self, units: &[usize]) -> Vec<bool> {
        let ops = &self.places.ops;
        let mut broken = vec![false; units.len()];
        for &at in &self.wrong {
            let mut next = self.places.op_at(at);
            while let Some(index) = next {
                if ops[index].failed {
                    break;
                }
                if let Ok(n) = units.binary_search(&index) {
                    broken[n] = true;
                    break;
                }
                next = ops[index].parent.map(|parent| parent as usize);
            }
        }
        broken
    }

    /// Is the error there whatever the text's mistakes mean?
    fn holds(&self, error: &Diagnostic) -> bool {
        let symbol = error.code.is_some_and(|code| code.id == terrace_ir::codes::SYMBOL.id);
        let at = error.span.and_then(|span| self.places.op_at(span.start));
        !symbol && at.is_some_and(|index| !self.places.has_failed(index))
    }
}

/// All units of a tree with their tables of symbols, in order of the text
fn units_of<'a>(root: &'a Ir, symbols: &Symbols) -> Vec<(&'a Ir, ScopeId)> {
    let mut units = Vec::new();
    let mut pending = vec![(root, symbols.root())];
    while let Some((ir, scope)) = pending.pop() {
        units.push((ir, scope));
        let inside = ir.walk().filter_map(|op| ir.child(op));
        let mut inside: Vec<_> = inside.map(|unit| (unit, symbols.child_scope(scope, unit))).collect();
        inside.reverse();
        pending.extend(inside);
    }
    units
}
