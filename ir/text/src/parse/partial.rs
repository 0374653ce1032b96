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
use terrace_ir::symbols::Symbols;
use terrace_ir::verify::{verify, verify_unit};
use terrace_ir::{Context, Ir, Traits};
use terrace_support::HashSet;

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
        let scope = |around, unit: &Ir| symbols.child_scope(around, unit);
        let Some(units) = self.units_with(symbols.root(), scope).filter(|_| self.complete) else {
            return diags;
        };
        let broken = self.broken(units.iter().filter_map(|(_, _, op)| *op).collect());
        for (unit, scope, op) in units {
            let whole = op.is_none_or(|op| {
                !broken.contains(&op) && self.places.ops[op].kind == Some(unit.kind(unit.root()))
            });
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

    /// The units in order of the text, each with the index of its op among the places
    ///
    /// The module around what is a list of ops has no such op. `None` if mistakes leave it open which op is which unit.
    pub fn units(&self) -> Option<Vec<(&Ir, Option<usize>)>> {
        let units = self.units_with((), |(), _| ())?;
        Some(units.into_iter().map(|(unit, (), op)| (unit, op)).collect())
    }

    /// The same with something of each, which is computed from that of the unit around
    fn units_with<S: Copy>(
        &self,
        root: S,
        inside: impl Fn(S, &Ir) -> S,
    ) -> Option<Vec<(&Ir, S, Option<usize>)>> {
        let ops = self.unit_ops();
        let mut units = Vec::new();
        let mut pending = vec![(&self.ir, root)];
        while let Some((ir, own)) = pending.pop() {
            units.push((ir, own));
            let first = pending.len();
            pending.extend(ir.walk().filter_map(|op| ir.child(op)).map(|unit| (unit, inside(own, unit))));
            pending[first..].reverse();
        }
        let implicit = units.len().checked_sub(ops.len()).filter(|implicit| *implicit <= 1)?;
        let op = |n: usize| n.checked_sub(implicit).map(|n| ops[n]);
        Some(units.into_iter().enumerate().map(|(n, (unit, own))| (unit, own, op(n))).collect())
    }

    /// Indices of the ops that are units of the IR, in order of the text
    fn unit_ops(&self) -> Vec<usize> {
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

    /// Which of the units, given as ops in order of the text, have mistakes that no op is to blame for
    fn broken(&self, units: Vec<usize>) -> HashSet<usize> {
        let ops = &self.places.ops;
        let mut broken = HashSet::default();
        for &at in &self.wrong {
            let mut next = self.places.op_at(at);
            while let Some(index) = next {
                if ops[index].failed {
                    break;
                }
                if units.binary_search(&index).is_ok() {
                    broken.insert(index);
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
