//! Elements within one turn of a nest: what has been written is what is read afterwards.
//!
//! Where every turn has elements of its own, an element is a value that statements replace one after the other; a condition keeps
//! the value before. Where turns are combined, statements are contributions, and nothing reads their sums.

use crate::ast::{Comb, Elem, Expr};
use crate::codes;
use crate::computation::Update;
use crate::lowering::Lowering;
use crate::places::Lvalue;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_analysis::{Across, may_conflict};
use terrace_diag::Span;
use terrace_support::affine::AffineExpr;

impl Lowering<'_> {
    /// Does each turn have an element of its own here, that no other turn combines with?
    pub fn elementwise(&mut self, target: &Expr) -> bool {
        let Ok(Some(place)) = self.names.place(target) else { return false };
        if let Some(kept) = self.body.as_ref().and_then(|body| body.all_kept) {
            return kept;
        }
        let Ok(map) = (match place.array {
            Some(_) => self.subscripts(&place),
            None => Ok(Vec::new()),
        }) else {
            return false;
        };
        let one_turn = |n: usize| self.names.ivs[n].range.is_some_and(|(_, _, turns)| turns == 1);
        (0..self.names.ivs.len()).all(|n| one_turn(n) || map.iter().any(|e| e.uses_dim(n as u32)))
    }

    /// What is at a place now: what this turn has put there, else what was there before the nest
    pub fn current(&mut self, place: &Lvalue) -> Done<Val> {
        let map = match place.array.map(|_| self.subscripts(place)) {
            Some(Ok(map)) => map,
            None => Vec::new(),
            // Places that depend on data: the whole array is read, and nothing of it may be written.
            Some(Err(_)) => return self.read_input(place),
        };
        let Elem::Struct(n) = self.names.place_elem(place) else {
            return match self.written(place, &map)? {
                Some(value) => Ok(value),
                None => self.read_input(place),
            };
        };
        let count = self.names.file.structs[n].fields.len();
        let mut values = Vec::new();
        for field in 0..count {
            let part = Lvalue { field: Some(field), ..place.clone() };
            let elem = self.names.place_elem(&part);
            let value = match self.written(&part, &map)? {
                Some(value) => value,
                None => self.read_input(&part)?,
            };
            values.push(self.emit.to(&value, elem));
        }
        Ok(Val::Record(n, values))
    }

    /// What this turn has put at the place of a number
    fn written(&self, place: &Lvalue, map: &[AffineExpr]) -> Done<Option<Val>> {
        let Some(body) = &self.body else { return Ok(None) };
        for update in body.updates.iter().rev().filter(|update| touches(&update.place, place)) {
            if update.map != map {
                self.clash(update, map, place.span)?;
                continue;
            }
            if update.operator.is_some() || update.guard.is_some() || update.running.is_some() {
                // Iterations are combined: a read of the sum is refused later.
                return Ok(None);
            }
            return Ok(Some(match (&update.value, update.place.field) {
                (Val::Record(n, values), None) => {
                    let field = place.field.unwrap_or(0);
                    Val::One(values[field], self.names.file.structs[*n].fields[field].1)
                }
                (value, _) => value.clone(),
            }));
        }
        Ok(None)
    }

    /// Another element than what this turn has written before, or the same one
    pub fn unmixed(&self, place: &Lvalue, map: &[AffineExpr], span: Span) -> Done<()> {
        let Some(body) = &self.body else { return Ok(()) };
        for update in body.updates.iter().filter(|update| touches(&update.place, place)) {
            if update.map != map {
                self.clash(update, map, span)?;
            }
        }
        Ok(())
    }

    /// Two elements of one array that may be the same one in some turns only
    fn clash(&self, update: &Update, map: &[AffineExpr], span: Span) -> Done<()> {
        let ranges = self.names.turns_ranges();
        let same = vec![Across::Same; self.names.ivs.len()];
        let Some(clash) = may_conflict(&update.map, map, &ranges[..], &same) else { return Ok(()) };
        let message = format!(
            "C-DEP: an element of {} that the same turn has written before is meant here in some turns{}",
            update.place.name,
            self.names.turns_text(&clash)
        );
        refuse(&codes::DEP, span, message)
    }
}

/// May the two be parts of one element, if they are at one place?
fn touches(update: &Lvalue, place: &Lvalue) -> bool {
    let same = match (update.array, place.array) {
        (Some(a), Some(b)) => a == b,
        (None, None) => update.name == place.name,
        _ => false,
    };
    same && (update.field.is_none() || place.field.is_none() || update.field == place.field)
}

/// What a directive's operators say of [`Lowering::elementwise`]
pub fn all_kept(combs: &[(Comb, Span)]) -> Option<bool> {
    (!combs.is_empty()).then(|| combs.iter().all(|(comb, _)| matches!(comb, Comb::Keep)))
}
