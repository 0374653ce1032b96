//! Truth of a formula over sets of levels: one evaluator for decided and for open nests.
//!
//! A decided loop has a set of one level. A formula is true or false only where each choice from the sets makes it so, as far
//! as the evaluator sees; else it is open. Answers of questions are kept.

use crate::formula::{Cmp, Formula, Term};
use crate::limits::Limits;
use crate::question::Question;
use std::cell::RefCell;
use std::fmt;
use terrace_devices::{Level, Levels};
use terrace_schedule_model::nest::{Launch, LaunchId, LoopId, Nest, Open};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_decided::{Decided, Values, trip};
use terrace_support::HashMap;

/// What is known of a statement
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// It holds, whatever is decided later
    True,
    /// It does not hold, whatever is decided later
    False,
    /// That depends on what is decided later
    Open,
}

impl From<bool> for Truth {
    fn from(known: bool) -> Truth {
        if known { Truth::True } else { Truth::False }
    }
}

impl std::ops::Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Open => Truth::Open,
        }
    }
}

impl Truth {
    /// Both
    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::True, Truth::True) => Truth::True,
            _ => Truth::Open,
        }
    }

    /// One of them
    pub fn or(self, other: Truth) -> Truth {
        !((!self).and(!other))
    }

    /// What holds of one choice and of another
    fn join(self, other: Truth) -> Truth {
        if self == other { self } else { Truth::Open }
    }
}

/// The levels that each loop may have
pub type LevelsOf<'a> = &'a dyn Fn(LoopId) -> Levels;

/// Analysis that answers a question about a decided nest
pub(crate) type Answer = fn(&Question, &Decided<'_>) -> bool;

/// Choices of levels that a question is evaluated for, at most
const MOST_CHOICES: usize = 64;

/// A nest with what may be decided of it
pub struct Cx<'n> {
    /// The nest
    pub nest: &'n Nest,
    /// What the device has at most
    pub limits: Limits,
    levels: Vec<Levels>,
    /// A completion; none while a size is open
    values: Option<Values>,
    answer: Answer,
    answers: RefCell<HashMap<Question, Truth>>,
}

impl<'n> Cx<'n> {
    /// A nest whose open levels may become those of a set; analysis answers its questions
    pub(crate) fn answered_by(nest: &'n Nest, open: LevelsOf<'_>, answer: Answer) -> Cx<'n> {
        let of = |id: LoopId| match nest.loops[id].level {
            Open::Is(level) => Levels::of(&[level]),
            Open::Hole(_) => open(id),
        };
        let levels: Vec<Levels> = nest.loops.ids().map(of).collect();
        let values = Values::complete(nest, |id| levels[id.index()].iter().next());
        Cx { nest, limits: Limits::ANY, levels, values, answer, answers: RefCell::default() }
    }

    /// The same nest on a device with these limits
    pub fn within(self, limits: Limits) -> Cx<'n> {
        Cx { limits, ..self }
    }

    /// The levels that a loop may have
    pub fn levels(&self, id: LoopId) -> Levels {
        self.levels[id.index()]
    }

    /// Iterations of a loop, if its sizes are decided
    pub fn trip(&self, id: LoopId) -> Option<i64> {
        let own = &self.nest.loops[id];
        Some(trip(own.extent.known()?, own.tile.known()?))
    }

    /// The loop has several iterations
    pub fn several(&self, id: LoopId) -> Formula {
        match self.trip(id) {
            Some(trip) if trip > 1 || !self.may_grow(id) => Formula::Known(trip > 1),
            _ => Formula::less(Term::Int(1), Term::Trip(id)),
        }
    }

    /// May loops inside become one with the loop, so that it has more iterations?
    fn may_grow(&self, id: LoopId) -> bool {
        let inside = self.nest.inside(id).filter(|inner| self.nest.parent(*inner) == Some(id));
        inside.into_iter().any(|inner| self.nest.loops[inner].merged != Open::Is(false))
    }

    /// The loop's iterations may run at the same time, and there are several
    pub fn parallel(&self, id: LoopId) -> Formula {
        self.several_at(id, Levels::SEQUENTIAL.not())
    }

    /// The loop is at one of these levels, and has several iterations
    pub fn several_at(&self, id: LoopId, levels: Levels) -> Formula {
        Formula::all([self.several(id), Formula::At(id, levels)])
    }

    /// The nest with one choice of what is open
    pub fn completion(&self) -> Option<Decided<'_>> {
        Some(Decided::new(self.nest, self.values.as_ref()?))
    }

    /// The level of a loop, for messages
    pub fn level(&self, id: LoopId) -> LevelName<'_> {
        LevelName { cx: self, id }
    }

    /// The trip count of a loop, for messages
    pub fn trip_count(&self, id: LoopId) -> i64 {
        self.trip(id).unwrap_or(0)
    }

    /// Is it true, false, or open?
    pub fn truth(&self, formula: &Formula) -> Truth {
        match formula {
            Formula::Known(known) => (*known).into(),
            Formula::At(id, levels) => {
                let own = self.levels(*id);
                match (own.is_subset(*levels), own.and(*levels).is_empty()) {
                    (true, _) => Truth::True,
                    (_, true) => Truth::False,
                    _ => Truth::Open,
                }
            }
            Formula::Pair(relation, a, b) => self.pair(&|a, b| relation.holds(a, b), *a, *b),
            Formula::Cmp(cmp, a, b) => self.compare(*cmp, self.range(a), self.range(b)),
            Formula::Query(question) => self.known_answer(question),
            Formula::And(all) => {
                let mut truth = Truth::True;
                for each in all {
                    truth = truth.and(self.truth(each));
                    if truth == Truth::False {
                        break;
                    }
                }
                truth
            }
            Formula::Or(all) => {
                let mut truth = Truth::False;
                for each in all {
                    truth = truth.or(self.truth(each));
                    if truth == Truth::True {
                        break;
                    }
                }
                truth
            }
            Formula::Not(inner) => !self.truth(inner),
        }
    }

    fn pair(&self, holds: &dyn Fn(Level, Level) -> bool, a: LoopId, b: LoopId) -> Truth {
        let mut all = None;
        for x in self.levels(a).iter() {
            for y in self.levels(b).iter() {
                let own = Truth::from(holds(x, y));
                all = Some(all.map_or(own, |all: Truth| all.join(own)));
                if all == Some(Truth::Open) {
                    return Truth::Open;
                }
            }
        }
        all.unwrap_or(Truth::Open)
    }

    fn compare(&self, cmp: Cmp, a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Truth {
        let (Some((a, most_a)), Some((b, most_b))) = (a, b) else { return Truth::Open };
        let (surely, never) = match cmp {
            Cmp::Equal => (a == most_a && b == most_b && a == b, most_a < b || most_b < a),
            Cmp::AtMost => (most_a <= b, a > most_b),
            Cmp::Less => (most_a < b, a >= most_b),
        };
        match (surely, never) {
            (true, _) => Truth::True,
            (_, true) => Truth::False,
            _ => Truth::Open,
        }
    }

    /// The least and the greatest value of a number, if both are known
    pub fn range(&self, term: &Term) -> Option<(i64, i64)> {
        let one = |value: i64| Some((value, value));
        let launch = |id: LaunchId, of: &dyn Fn(&Launch) -> i64, level: Level, global: Level| {
            let own = &self.nest.launches[id];
            if own.inferred { self.longest(id, level, global) } else { one(of(own)) }
        };
        match term {
            Term::Int(value) => one(*value),
            Term::Extent(id) => one(self.nest.loops[*id].extent.known()?),
            Term::Tile(id) => one(self.nest.loops[*id].tile.known()?),
            Term::Trip(id) if self.may_grow(*id) => Some((self.trip(*id)?, i64::MAX)),
            Term::Trip(id) => one(self.trip(*id)?),
            Term::Grid(id, axis) => {
                launch(*id, &|launch| launch.grid(*axis), Level::Block(*axis), Level::Global(*axis))
            }
            Term::Block(id, axis) => {
                launch(*id, &|launch| launch.block(*axis), Level::Thread(*axis), Level::Global(*axis))
            }
            Term::Bytes(id) => one(self.nest.buffers[*id].size()),
            Term::Mul(a, b) => {
                let ((a, most_a), (b, most_b)) = (self.range(a)?, self.range(b)?);
                let all = [(a, b), (a, most_b), (most_a, b), (most_a, most_b)];
                let all = all.map(|(a, b)| a.saturating_mul(b));
                Some((all.into_iter().min()?, all.into_iter().max()?))
            }
            Term::Rem(a, b) => match (self.range(a)?, self.range(b)?) {
                ((a, most_a), (b, most_b)) if a == most_a && b == most_b => one(a.checked_rem(b)?),
                ((0.., _), (1.., most)) => Some((0, most - 1)),
                _ => None,
            },
            Term::Sum(all) => all.iter().try_fold((0i64, 0i64), |(least, most), each| {
                let (own, own_most) = self.range(each)?;
                Some((least.saturating_add(own), most.saturating_add(own_most)))
            }),
            Term::If(condition, then, other) => match self.truth(condition) {
                Truth::True => self.range(then),
                Truth::False => self.range(other),
                Truth::Open => {
                    let ((a, most_a), (b, most_b)) = (self.range(then)?, self.range(other)?);
                    Some((a.min(b), most_a.max(most_b)))
                }
            },
        }
    }

    /// The largest trip count of a kernel's loops at a level; none where loops over the whole grid take part, since how they
    /// are divided into blocks and threads is not said
    fn longest(&self, launch: LaunchId, level: Level, global: Level) -> Option<(i64, i64)> {
        let (mut least, mut most) = (1, 1);
        for (id, _) in self.nest.loops.entries().filter(|(_, own)| own.around.launch == Some(launch)) {
            let levels = self.levels(id);
            if levels.contains(global) {
                return None;
            }
            if levels.contains(level) {
                let (own, own_most) = self.range(&Term::Trip(id))?;
                most = most.max(own_most);
                if levels.len() == 1 {
                    least = least.max(own);
                }
            }
        }
        Some((least, most))
    }

    /// The least value of a number, for messages
    pub fn number(&self, term: &Term) -> Option<i64> {
        self.range(term).map(|(least, _)| least)
    }

    fn known_answer(&self, question: &Question) -> Truth {
        if let Some(known) = self.answers.borrow().get(question) {
            return *known;
        }
        let found = self.ask(question).unwrap_or(Truth::Open);
        self.answers.borrow_mut().insert(*question, found);
        found
    }

    /// The answer for each choice of the levels that it depends on
    fn ask(&self, question: &Question) -> Option<Truth> {
        let values = self.values.as_ref()?;
        // Analysis reads the sizes of kernels, which have none while they follow from the loops.
        if question.is_about_kernels() && self.nest.launches.iter().any(|launch| launch.inferred) {
            return None;
        }
        let open: Vec<(LoopId, Vec<Level>)> = question
            .scope(self.nest)
            .into_iter()
            .filter(|id| self.levels(*id).len() != 1)
            .map(|id| (id, question.classes(self.levels(id))))
            .collect();
        let choices = open.iter().try_fold(1usize, |all, (_, own)| all.checked_mul(own.len()))?;
        if choices > MOST_CHOICES {
            return None;
        }
        if open.is_empty() {
            return Some((self.answer)(question, &Decided::new(self.nest, values)).into());
        }
        let mut truth = None;
        let mut values = values.clone();
        for choice in 0..choices {
            let mut n = choice;
            for (id, own) in &open {
                values.set_level(*id, own[n % own.len()]);
                n /= own.len();
            }
            let own = Truth::from((self.answer)(question, &Decided::new(self.nest, &values)));
            truth = Some(truth.map_or(own, |all: Truth| all.join(own)));
            if truth == Some(Truth::Open) {
                break;
            }
        }
        truth
    }
}

/// Writes a level, or the name of the hole that it will fill
pub struct LevelName<'a> {
    cx: &'a Cx<'a>,
    id: LoopId,
}

impl fmt::Display for LevelName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cx.nest.loops[self.id].level {
            Open::Is(level) => level.fmt(f),
            Open::Hole(hole) => match self.cx.levels(self.id) {
                one if one.len() == 1 => one.iter().try_for_each(|level| level.fmt(f)),
                _ => write!(f, "@{}", self.cx.nest.holes[hole].name),
            },
        }
    }
}
