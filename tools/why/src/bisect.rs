//! From a pass to the single application that makes the mistake.

use crate::search::{Compared, Shown, differs};
use crate::steps::{Failure, Pass, Ran, run};
use terrace_ir::Ir;
use terrace_pass::Counted;
use terrace_refine::functions::functions;
use terrace_refine::{Call, Limits, Observations};

/// What is wrong after a pass
#[derive(Clone, Debug)]
pub enum Mistake {
    /// A call gives something else
    Meaning(Box<Shown>),
    /// The pass fails
    Fails(Failure),
}

/// A mistake with the application that makes it
pub struct Culprit {
    /// Where the mistake shows
    pub mistake: Mistake,
    /// The application, with its number in its unit; for a failure the last one before it. None where the program between
    /// two applications or passes cannot be run
    pub application: Option<Counted>,
    /// The module right before the application
    pub right: Box<Ir>,
    /// The module right after it
    pub wrong: Box<Ir>,
}

/// Whether a mistake is there
enum There {
    Yes(Mistake),
    No,
    /// The program cannot be run
    Unknown,
}

/// Is the mistake there in what a run left?
fn shows(ran: &Ran, mistake: &Mistake, limits: &Limits) -> There {
    match (mistake, &ran.failure) {
        (Mistake::Fails(wanted), Some(found)) if wanted.is_like(found) => {
            There::Yes(Mistake::Fails(found.clone()))
        }
        (Mistake::Fails(_), _) => There::No,
        (Mistake::Meaning(_), Some(_)) => There::Unknown,
        (Mistake::Meaning(shown), None) => {
            match compared(&shown.reference, &ran.module, &shown.call, limits) {
                Compared::Differs(shown) => There::Yes(Mistake::Meaning(shown)),
                Compared::Same(_) => There::No,
                Compared::NotRun(_) => There::Unknown,
            }
        }
    }
}

/// Compare a call, if the later program still takes it
fn compared(before: &Observations, after: &Ir, call: &Call, limits: &Limits) -> Compared {
    let all = functions(after);
    let function = all.iter().find(|function| function.name == call.function);
    match function.filter(|function| call.fits(after.cx(), &function.inputs)) {
        Some(_) => differs(before, after, call, limits),
        None => Compared::NotRun("it takes other arguments".into()),
    }
}

/// Find the application of a pass after which a mistake is there, and was not right before it
pub fn bisect(module: &Ir, pass: &Pass, mistake: &Mistake, limits: &Limits) -> Option<Culprit> {
    let full = run(module, pass, None);
    match shows(&full, mistake, limits) {
        There::Yes(found) => Some(located(module, pass, full, found, limits)),
        There::No | There::Unknown => None,
    }
}

/// The same, for the module after the whole pass, and the mistake in it
pub fn located(module: &Ir, pass: &Pass, full: Ran, mistake: Mistake, limits: &Limits) -> Culprit {
    let (mut right, mut wrong, mut found) = (0, full.total(), mistake);
    let (mut before, mut after) = (module.clone_unit(), full);
    if pass.is_range() {
        return Culprit { mistake: found, application: None, right: before, wrong: after.module };
    }
    // The limit may be reached before the pass fails in between two applications.
    if wrong > 0 && matches!(found, Mistake::Fails(_)) {
        let limited = run(module, pass, Some(wrong));
        match shows(&limited, &found, limits) {
            There::Yes(_) => after = limited,
            There::No | There::Unknown => {
                let application = last(&limited);
                return Culprit { mistake: found, application, right: limited.module, wrong: after.module };
            }
        }
    }
    let mut known = true;
    while wrong > right + 1 {
        let middle = right + (wrong - right) / 2;
        let ran = run(module, pass, Some(middle));
        let there = shows(&ran, &found, limits);
        if let There::Yes(mistake) = there {
            (wrong, after, found) = (middle, ran, mistake);
        } else {
            known = matches!(there, There::No);
            (right, before) = (middle, ran.module);
        }
    }
    let application = last(&after).filter(|_| known);
    Culprit { mistake: found, application, right: before, wrong: after.module }
}

fn last(ran: &Ran) -> Option<Counted> {
    ran.counted.iter().rev().find(|one| one.count > 0).cloned()
}

/// A mistake of the same kind in another module: one of these calls that gives something else, or the same failure; and
/// the module after the pass
pub fn again(
    module: &Ir,
    pass: &Pass,
    like: &Mistake,
    mut calls: impl Iterator<Item = Call>,
    limits: &Limits,
) -> Option<(Ran, Mistake)> {
    let ran = run(module, pass, None);
    let found = match like {
        Mistake::Fails(_) => match shows(&ran, like, limits) {
            There::Yes(found) => found,
            There::No | There::Unknown => return None,
        },
        Mistake::Meaning(_) if ran.failure.is_some() => return None,
        Mistake::Meaning(_) => calls.find_map(|call| {
            let before = Observations::of(module, &call, limits);
            match compared(&before, &ran.module, &call, limits) {
                Compared::Differs(shown) => Some(Mistake::Meaning(shown)),
                Compared::Same(_) | Compared::NotRun(_) => None,
            }
        })?,
    };
    Some((ran, found))
}
