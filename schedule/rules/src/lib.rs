//! The rules of legality, each one formula over a nest
//!
//! - [`formula`]: the language; [`evaluate`]: its three truth values; [`question`]: what only analysis can tell;
//! - `tiles`, `levels`, `grid`, `memory`, `merge`, `bits`, `race`, `meetings`, `lanes`: the rules, by what they speak of;
//! - [`Limits`]: sizes of a device that the rules compare with;
//! - [`joins`]: between which accesses threads of a block wait for each other.
//!
//! **Invariant:** a rule is stated once. An open answer is never taken for true or false. No rule reads a level while it
//! builds its formula.

mod answers;
mod bits;
pub mod evaluate;
pub mod formula;
mod grid;
pub mod joins;
mod lanes;
mod levels;
mod limits;
mod meetings;
mod memory;
mod merge;
pub mod question;
mod race;
mod tiles;

pub use evaluate::{Cx, LevelsOf, Truth};
pub use formula::{Cmp, Formula, Relation, Term};
pub use grid::{GRID, exchanges};
pub use lanes::VEC;
pub use levels::{HW, NEST};
pub use limits::Limits;
pub use meetings::{branch_of, joins_in_branches};
pub use memory::{CAP, MEM, STRICTLY_HOME};
pub use question::Question;
pub use race::race_of;

use terrace_schedule_model::nest::{AccessId, BranchId, BufferId, LaunchId, LoopId};

/// What a claim is about, or what takes part in it
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A loop
    Loop(LoopId),
    /// A read, a write or a copy
    Access(AccessId),
    /// A buffer that the nest makes
    Buffer(BufferId),
    /// A kernel
    Launch(LaunchId),
    /// A condition
    Branch(BranchId),
}

/// Why a claim does not hold
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// What it is about
    pub about: Subject,
    /// What is wrong; follows the name of what it is about
    pub text: String,
    /// What else takes part, with what it is in this
    pub others: Vec<(Subject, &'static str)>,
    /// What would be accepted
    pub help: &'static str,
}

/// Who takes the claims of a rule
pub trait Claims {
    /// If the premise holds, so does the conclusion; both are closures, because most claims need neither conclusion nor reason
    fn claim(&mut self, premise: Formula, then: &dyn Fn() -> Formula, why: &dyn Fn() -> Reason);
}

/// A rule: a name, and what it claims of a nest
pub struct Rule {
    /// As in messages
    pub name: &'static str,
    /// Its claims
    pub claims: fn(&Cx<'_>, &mut dyn Claims),
}

/// All rules, in the order in which they are evaluated: what a later one takes for granted an earlier one has shown
pub static RULES: &[Rule] = &[
    tiles::STEP,
    tiles::COVER,
    levels::NEST,
    levels::HW,
    grid::GRID,
    tiles::TAIL,
    memory::HOME,
    memory::MEM,
    merge::MECH,
    merge::ORDER,
    bits::BITS,
    race::RACE,
    meetings::SYNC,
    lanes::VEC,
    memory::CAP,
];

/// The first claim that is false
struct FirstFalse<'a, 'n> {
    cx: &'a Cx<'n>,
    found: Option<Reason>,
}

impl Claims for FirstFalse<'_, '_> {
    fn claim(&mut self, premise: Formula, then: &dyn Fn() -> Formula, why: &dyn Fn() -> Reason) {
        if self.found.is_none()
            && self.cx.truth(&premise) == Truth::True
            && self.cx.truth(&then()) == Truth::False
        {
            self.found = Some(why());
        }
    }
}

/// The first claim of a rule that is false, whatever is decided later
pub fn broken(cx: &Cx<'_>, rule: &Rule) -> Option<Reason> {
    let mut first = FirstFalse { cx, found: None };
    (rule.claims)(cx, &mut first);
    first.found
}

/// The first rule that a nest breaks, whatever is decided later, and why
pub fn first_broken(cx: &Cx<'_>) -> Option<(&'static Rule, Reason)> {
    if cx.nest.has_open_structure() {
        return None;
    }
    RULES.iter().find_map(|rule| Some((rule, broken(cx, rule)?)))
}

/// What all claims of a rule together are
struct Together<'a, 'n> {
    cx: &'a Cx<'n>,
    truth: Truth,
}

impl Claims for Together<'_, '_> {
    fn claim(&mut self, premise: Formula, then: &dyn Fn() -> Formula, _: &dyn Fn() -> Reason) {
        if self.truth == Truth::False {
            return;
        }
        let own = match self.cx.truth(&premise) {
            Truth::False => Truth::True,
            Truth::True => self.cx.truth(&then()),
            Truth::Open => Truth::Open.or(self.cx.truth(&then())),
        };
        self.truth = self.truth.and(own);
    }
}

/// Does a rule hold of a nest, whatever is decided later?
pub fn truth_of(cx: &Cx<'_>, rule: &Rule) -> Truth {
    if cx.nest.has_open_structure() {
        return Truth::Open;
    }
    let mut all = Together { cx, truth: Truth::True };
    (rule.claims)(cx, &mut all);
    all.truth
}

/// Do all rules hold of a nest, whatever is decided later?
pub fn truth(cx: &Cx<'_>) -> Truth {
    let mut all = Truth::True;
    for rule in RULES {
        all = all.and(truth_of(cx, rule));
        if all == Truth::False {
            break;
        }
    }
    all
}
