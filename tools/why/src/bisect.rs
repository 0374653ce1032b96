//! From a pass to the single application that makes the mistake.

use crate::search::{Shown, differs, limits};
use crate::steps::{Failure, Pass, Ran, run};
use terrace_ir::Ir;
use terrace_pass::Counted;
use terrace_refine::{Call, observe};

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
    /// The application, with its number in its unit; for a failure the last one before it
    pub application: Option<Counted>,
    /// The module right before the application
    pub right: Box<Ir>,
    /// The module right after it
    pub wrong: Box<Ir>,
}

/// Is the mistake there in what a run left?
fn shows(ran: &Ran, mistake: &Mistake) -> Option<Mistake> {
    match (mistake, &ran.failure) {
        (Mistake::Fails(wanted), Some(found)) => {
            (wanted.code == found.code).then(|| Mistake::Fails(found.clone()))
        }
        (Mistake::Meaning(shown), None) => {
            differs(&shown.before, &ran.module, &shown.call).map(|shown| Mistake::Meaning(Box::new(shown)))
        }
        _ => None,
    }
}

/// Find the application of a pass after which a mistake is there, and was not right before it
pub fn bisect(module: &Ir, pass: &Pass, mistake: &Mistake) -> Option<Culprit> {
    let full = run(module, pass, None);
    let mut found = shows(&full, mistake)?;
    let (mut right, mut wrong) = (0, full.total());
    let (mut before, mut after) = (run(module, pass, Some(0)), full);
    // The limit may be reached before the pass fails in between two applications.
    if wrong > 0 && matches!(mistake, Mistake::Fails(_)) {
        let limited = run(module, pass, Some(wrong));
        match shows(&limited, mistake) {
            Some(_) => after = limited,
            None => {
                let application = last(&limited);
                return Some(Culprit {
                    mistake: found,
                    application,
                    right: limited.module,
                    wrong: after.module,
                });
            }
        }
    }
    while wrong > right + 1 {
        let middle = right + (wrong - right) / 2;
        let ran = run(module, pass, Some(middle));
        match shows(&ran, mistake) {
            Some(mistake) => (wrong, after, found) = (middle, ran, mistake),
            None => (right, before) = (middle, ran),
        }
    }
    let application = last(&after);
    Some(Culprit { mistake: found, application, right: before.module, wrong: after.module })
}

fn last(ran: &Ran) -> Option<Counted> {
    ran.counted.iter().rev().find(|one| one.count > 0).cloned()
}

/// A mistake of the same kind in another module: one of these calls that gives something else, or the same failure
pub fn again(module: &Ir, pass: &Pass, like: &Mistake, calls: impl Iterator<Item = Call>) -> Option<Mistake> {
    let ran = run(module, pass, None);
    if let Mistake::Fails(_) = like {
        return shows(&ran, like);
    }
    if ran.failure.is_some() {
        return None;
    }
    for call in calls {
        let before = observe(module, &call, limits());
        if let Some(shown) = differs(&before, &ran.module, &call) {
            return Some(Mistake::Meaning(Box::new(shown)));
        }
    }
    None
}
