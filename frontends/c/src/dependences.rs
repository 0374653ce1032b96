//! Whether turns of a nest depend on each other, so that another order would leave other values.

use crate::codes;
use crate::computation::{First, Out, Source, Update, same_place};
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use terrace_analysis::{Across, may_conflict};
use terrace_diag::Diagnostic;

impl Lowering<'_> {
    /// Loops cut by others write a part of a box: the rest must stay as it was
    pub fn keeps_outside(&self, out: &Out, first: &First) -> Done<()> {
        let cut = self
            .nest
            .cut
            .iter()
            .find(|(n, _)| out.maps.iter().any(|m| m.iter().any(|e| e.uses_dim(*n as u32))));
        let (Some((n, span)), false) = (cut, matches!(first, First::Old)) else { return Ok(()) };
        let name = &out.place.name;
        let open = self.nest.ends.iter().any(|(end, ..)| end == n);
        let why = if open { "is known at run time only" } else { "depends on other loops" };
        let message = format!(
            "C-BOUND: the bound of {} {why}: only a part of {name} is written",
            self.names.ivs[*n].name
        );
        let diagnostic =
            Diagnostic::error(&codes::BOUND, message).at(*span).also(out.place.span, "written here");
        Err(Box::new(
            diagnostic.help(format!("say `inout({name})`: what lies outside keeps its old contents")),
        ))
    }

    /// Without a directive: does another order of the turns leave other values? Writes of one element are such
    pub fn unordered(&self, updates: &[Update], folds: bool) -> Done<()> {
        let ranges = self.names.turns_ranges();
        for (n, a) in updates.iter().enumerate() {
            for b in updates[n..].iter().filter(|b| same_place(&a.place, &b.place)) {
                let across: Vec<Across> = (0..self.names.ivs.len())
                    .map(|d| match updates.iter().any(|u| u.map.iter().any(|e| e.uses_dim(d as u32))) {
                        true => Across::Differ,
                        false if folds => Across::Free,
                        false => Across::Differ,
                    })
                    .collect();
                // No loop keeps its turns apart: all of them are combined.
                if !across.contains(&Across::Differ) {
                    continue;
                }
                if let Some(clash) = may_conflict(&a.map, &b.map, &ranges[..], &across) {
                    let message = format!(
                        "C-DEP: two turns write one element of {}{}",
                        a.place.name,
                        self.names.turns_text(&clash)
                    );
                    return refuse(&codes::DEP, b.span, message);
                }
            }
        }
        Ok(())
    }

    /// Reads of what is written: old values are what a computation sees
    pub fn reads(&self, updates: &[Update], folds: bool) -> Done<()> {
        let Some(body) = &self.body else { return Ok(()) };
        let ranges = self.names.turns_ranges();
        for input in &body.inputs {
            let whole = match (&input.source, &input.map) {
                (Source::Array(n, _), None) => updates.iter().find(|update| update.place.array == Some(*n)),
                _ => None,
            };
            if let Some(update) = whole {
                let message = format!("C-DEP: {} is gathered from while it is written", update.place.name);
                return refuse(&codes::DEP, input.span, message);
            }
            for update in updates {
                let (array, map) = match (&input.source, &input.map) {
                    (Source::Array(n, field), Some(map)) => {
                        let own = update.place.array == Some(*n)
                            && update.place.field.is_none_or(|other| other == *field);
                        (own, map.as_slice())
                    }
                    (Source::Cell(name), _) => {
                        (update.place.array.is_none() && update.place.name == *name, &[][..])
                    }
                    _ => (false, &[][..]),
                };
                if !array {
                    continue;
                }
                let name = &update.place.name;
                if folds {
                    let message = format!("C-DEP: {name} is read while it is being added up");
                    return refuse(&codes::DEP, input.span, message);
                }
                for n in 0..self.names.ivs.len() {
                    let across: Vec<Across> = (0..self.names.ivs.len())
                        .map(|m| match m.cmp(&n) {
                            std::cmp::Ordering::Less => Across::Same,
                            std::cmp::Ordering::Equal => Across::Before,
                            std::cmp::Ordering::Greater => Across::Free,
                        })
                        .collect();
                    if let Some(clash) = may_conflict(&update.map, map, &ranges[..], &across) {
                        let message = format!(
                            "C-DEP: an element of {name} that is read here is written by a turn before{}",
                            self.names.turns_text(&clash)
                        );
                        return refuse(&codes::DEP, input.span, message);
                    }
                }
            }
        }
        Ok(())
    }
}
