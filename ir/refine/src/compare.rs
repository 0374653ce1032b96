//! Refinement of one call.

use crate::agree::agrees;
use crate::observe::{Contents, Observation, Place, Seen};
use terrace_interp::text::value_text;
use terrace_interp::{RtValue, codes};

/// How a call of the original and the same call after a pass compare
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// The results agree
    Same,
    /// Nothing is decided, for the reason given as a code: the original traps or does not end, a run needs too much
    /// memory, or [`ORDER`]
    Undefined(&'static str),
    /// They differ: how
    Broken(String),
}

/// Reason of [`Refinement::Undefined`] where the results of the original depend on the order of parallel members
pub const ORDER: &str = "order";

/// Does the second observation refine the first?
pub fn compare(before: &Observation, after: &Observation) -> Refinement {
    let expected = match &before.end {
        Ok(seen) => seen,
        // An op without meaning says nothing of the pass: a broken test, not a broken pass.
        Err(trap) if trap.code.id == codes::NO_MEANING.id => {
            return Refinement::Broken(trap.message.clone());
        }
        Err(trap) => return Refinement::Undefined(trap.code.id),
    };
    let found = match &after.end {
        Ok(seen) => seen,
        Err(trap) if trap.code.id == codes::FUEL.id => {
            let (was, is) = (before.steps, after.steps);
            return Refinement::Broken(format!(
                "does not end any more: it took {was} steps and takes over {is}"
            ));
        }
        Err(_) if after.too_deep => {
            return Refinement::Broken("does not end any more: its calls nest ever deeper".into());
        }
        Err(trap) if trap.code.id == codes::LIMIT.id => return Refinement::Undefined(trap.code.id),
        Err(trap) => return Refinement::Broken(format!("traps now: {}", trap.message)),
    };
    let results =
        |all: &[(Place, Seen)]| all.iter().filter(|(place, _)| matches!(place, Place::Result(_))).count();
    if results(expected) != results(found) {
        return Refinement::Broken("another number of results".into());
    }
    for (place, before) in expected {
        let Some((_, after)) = found.iter().find(|(other, _)| other == place) else {
            return Refinement::Broken(format!("{place} is gone"));
        };
        if let Some(how) = difference(before, after) {
            return Refinement::Broken(format!("{place}{how}"));
        }
    }
    Refinement::Same
}

fn difference(before: &Seen, after: &Seen) -> Option<String> {
    match (before, after) {
        // Poison may become anything, whatever its type.
        (Seen::Hidden | Seen::Value(RtValue::Poison), _) => None,
        (Seen::Value(before), Seen::Value(after)) => {
            let (was, is) = (value_text(before), value_text(after));
            (!agrees(before, after)).then(|| format!(" was {was} and is {is}"))
        }
        (Seen::Buffer(before), Seen::Buffer(after)) => elements(before, after),
        (Seen::Buffer(_), Seen::Hidden) => Some(" was a buffer and cannot be read any more".into()),
        (Seen::Buffer(_), Seen::Value(after)) => Some(format!(" was a buffer and is {}", value_text(after))),
        (Seen::Value(before), Seen::Buffer(_) | Seen::Hidden) => {
            Some(format!(" was {} and is a buffer", value_text(before)))
        }
    }
}

fn elements(before: &Contents, after: &Contents) -> Option<String> {
    if before.sizes != after.sizes {
        return Some(format!(" had sizes {:?} and has {:?}", before.sizes, after.sizes));
    }
    for (n, (before, after)) in before.elements.iter().zip(&after.elements).enumerate() {
        let Some(before) = before else { continue };
        let agree = match after {
            Some(after) => agrees(before, after),
            None => *before == RtValue::Poison,
        };
        if !agree {
            let is =
                after.as_ref().map_or("is not written".into(), |after| format!("is {}", value_text(after)));
            return Some(format!(", element {n}, was {} and {is}", value_text(before)));
        }
    }
    None
}
