//! Does what came later refine what was there before?

use crate::agree::agrees;
use crate::call::Call;
use crate::observe::{Contents, Observation, Place, Seen, observe};
use terrace_interp::text::value_text;
use terrace_interp::{Options, Order, RtValue, codes};
use terrace_ir::Ir;

/// How one call of the original and of its result after a pass compare
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// The results agree
    Same,
    /// Nothing is decided, for the reason given as a code: the original traps, or memory ends
    Undefined(&'static str),
    /// They differ: how
    Broken(String),
}

/// Orders of parallel members in which a later program is run again
const ORDERS: [Order; 3] = [Order::Reverse, Order::Seed(1), Order::Seed(2)];

/// Call `name` in both with the same arguments, which hold no memory
pub fn refines(before: &Ir, after: &Ir, name: &str, args: &[RtValue]) -> Refinement {
    check(before, after, &Call::of(name, args), Options::default())
}

/// Make the same call in both; where the later one has parallel parts, in several orders of their members
///
/// The later program may run for as many steps as the options say, or four times as long as the earlier one.
pub fn check(before: &Ir, after: &Ir, call: &Call, options: Options) -> Refinement {
    let first = observe(before, call, options);
    let options = Options { fuel: options.fuel.max(first.steps.saturating_mul(4)), ..options };
    let second = observe(after, call, options);
    let mut verdict = compare(&first, &second);
    for order in ORDERS {
        if verdict != Refinement::Same || !second.parallel {
            break;
        }
        verdict = compare(&first, &observe(after, call, Options { order, ..options }));
    }
    verdict
}

/// May the second observation stand for the first?
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
        Err(trap) if trap.code.id == codes::LIMIT.id => return Refinement::Undefined(trap.code.id),
        Err(trap) => return Refinement::Broken(format!("traps now: {}", trap.message)),
    };
    let results =
        |all: &[(Place, Seen)]| all.iter().filter(|(place, _)| matches!(place, Place::Result(_))).count();
    if results(expected) != results(found) {
        return Refinement::Broken("another number of results".into());
    }
    for (place, before) in expected {
        // A global that no function uses may be gone.
        let Some((_, after)) = found.iter().find(|(other, _)| other == place) else { continue };
        if let Some(how) = difference(before, after) {
            return Refinement::Broken(format!("{place}{how}"));
        }
    }
    Refinement::Same
}

fn difference(before: &Seen, after: &Seen) -> Option<String> {
    match (before, after) {
        (Seen::Hidden, _) => None,
        (Seen::Value(before), Seen::Value(after)) => {
            let (was, is) = (value_text(before), value_text(after));
            (!agrees(before, after)).then(|| format!(" was {was} and is {is}"))
        }
        (Seen::Buffer(before), Seen::Buffer(after)) => elements(before, after),
        _ => Some(" is of another kind".into()),
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
