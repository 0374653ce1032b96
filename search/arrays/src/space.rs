//! Numbers and levels as one space to explore.

use crate::mapping::{Mapping, open_names};
use crate::program::Program;
use num_bigint::BigUint;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use terrace_diag::Diagnostic;
use terrace_ir::{Ir, OpId};
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::{Blind, NoPoint, Space};
use terrace_search_mapping::{MapLevel, Mapping as Levels, codes, errors, function};
use terrace_search_solver::Var;
use terrace_support::Random;

/// Bound programs that are kept
const KEPT: usize = 32;
/// Numbers that are drawn for one point, where programs have no mapping
const MOST_DRAWS: usize = 200;
/// Levels that a search without a solver draws for one choice of numbers
const MOST_LEVELS: u64 = 500_000;

/// A program with numbers put in
pub struct Bound {
    /// The module; levels that are searched are open
    pub module: Box<Ir>,
    /// The op that holds the function
    pub slot: OpId,
    /// What its levels may be; none if no level is open
    pub mapping: Option<Mapping>,
}

/// Where draws without a solver fail
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Rejections {
    /// Draws of numbers, and those that satisfied all constraints
    pub numbers: (u64, u64),
    /// Draws of levels, and those that satisfied all constraints
    pub levels: (u64, u64),
    /// Draws that broke a rule first, by rule
    pub rules: BTreeMap<String, u64>,
}

/// Why drawn numbers are none
enum Unfit {
    /// A parameter has no value after those before it
    NoValue(String),
    /// A constraint is broken
    Broken(String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::NoValue(name) => write!(f, "@{name} has no value"),
            Unfit::Broken(reason) => f.write_str(reason),
        }
    }
}

/// What a caller's clock says, in seconds; stages are differences
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// Numbers and levels of a program
pub struct ArraySpace<'a> {
    program: &'a Program<'a>,
    clock: Clock<'a>,
    numbers: Vec<Var>,
    levels: Vec<String>,
    kept: RefCell<Vec<(Vec<i64>, Rc<Result<Bound, Diagnostic>>)>>,
    refused: RefCell<BTreeMap<String, usize>>,
    rejections: RefCell<Rejections>,
    spent: Cell<(f64, f64)>,
}

impl<'a> ArraySpace<'a> {
    /// The space of a program; refused if nothing is open, or the first programs have no mapping
    pub fn new(program: &'a Program<'a>, clock: Clock<'a>) -> Result<ArraySpace<'a>, Diagnostic> {
        let mut space = ArraySpace {
            program,
            clock,
            numbers: program.listed.choices(),
            levels: Vec::new(),
            kept: RefCell::new(Vec::new()),
            refused: RefCell::new(BTreeMap::new()),
            rejections: RefCell::new(Rejections::default()),
            spent: Cell::new((0.0, 0.0)),
        };
        let mut first = None;
        for n in 0..16 {
            let Some(choices) = program.listed.spread(n, 16) else { continue };
            let found = match program.bind(&choices) {
                Ok((module, slot)) => {
                    let names = module.child(slot).map(open_names).unwrap_or_default();
                    space.levels = if program.maps_levels() { names } else { Vec::new() };
                    space.bound(&choices).as_ref().as_ref().err().cloned()
                }
                Err(why) => Some(why),
            };
            match found {
                None => {
                    first = None;
                    break;
                }
                Some(why) => first = first.or(Some(why)),
            }
        }
        if let Some(why) = first {
            return Err(why);
        }
        if space.names().is_empty() {
            let error = Diagnostic::error(&errors::SPACE, "nothing is open in the program");
            return Err(error.help("maps without a level, `--levels=all`, or a `tune.space` of numbers"));
        }
        Ok(space)
    }

    /// How many choices are numbers
    pub fn num_numbers(&self) -> usize {
        self.numbers.len()
    }

    /// The program
    pub fn program(&self) -> &Program<'a> {
        self.program
    }

    /// A program with these numbers; kept for a while
    pub fn bound(&self, choices: &[i64]) -> Rc<Result<Bound, Diagnostic>> {
        if let Some((_, found)) = self.kept.borrow().iter().find(|(own, _)| own == choices) {
            return found.clone();
        }
        let made = Rc::new(self.make(choices));
        if let Err(why) = &*made {
            *self.refused.borrow_mut().entry(why.message.clone()).or_default() += 1;
        }
        let mut kept = self.kept.borrow_mut();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((choices.to_vec(), made.clone()));
        made
    }

    fn make(&self, choices: &[i64]) -> Result<Bound, Diagnostic> {
        let start = (self.clock)();
        let bound = self.program.bind(choices);
        let middle = (self.clock)();
        let (rewriting, solving) = self.spent.get();
        self.spent.set((rewriting + middle - start, solving));
        let (mut module, slot) = bound?;
        if self.levels.is_empty() {
            return Ok(Bound { module, slot, mapping: None });
        }
        let mapping = Mapping::of(&mut module, slot, &self.program.options, &self.program.fixes);
        let (rewriting, solving) = self.spent.get();
        self.spent.set((rewriting, solving + (self.clock)() - middle));
        let mapping = mapping?;
        if mapping.names != self.levels {
            let why = "with these numbers the program has other maps than with the first ones";
            return Err(Diagnostic::error(&errors::MAPPING, why));
        }
        Ok(Bound { module, slot, mapping: Some(mapping) })
    }

    /// Seconds of putting numbers in and of mapping problems since the last call
    pub fn take_spent(&self) -> (f64, f64) {
        self.spent.replace((0.0, 0.0))
    }

    /// Programs that could not be bound or mapped, by reason
    pub fn refusals(&self) -> BTreeMap<String, usize> {
        self.refused.borrow().clone()
    }

    /// Where draws without a solver failed
    pub fn rejections(&self) -> Rejections {
        self.rejections.borrow().clone()
    }

    /// Numbers of a point; `None` if they are none
    pub fn numbers_of(&self, point: &[Decision]) -> Option<Vec<i64>> {
        let numbers = point.get(..self.numbers.len())?;
        numbers.iter().zip(&self.numbers).map(|(choice, var)| self.number(*var, choice)).collect()
    }

    fn number(&self, var: Var, choice: &Decision) -> Option<i64> {
        match choice {
            Decision::Number(number) => Some(*number),
            Decision::Word(word) => {
                let mut words = self.program.choices.words.iter();
                let found = words.find(|((own, _), text)| *own == var.0 && *text == word);
                found.map(|((_, number), _)| *number)
            }
            _ => None,
        }
    }

    fn choice(&self, var: Var, number: i64) -> Decision {
        let word = self.program.choices.words.get(&(var.0, number));
        word.map_or(Decision::Number(number), |word| Decision::Word(word.clone()))
    }

    fn choices(&self, numbers: &[i64]) -> Point {
        self.numbers.iter().zip(numbers).map(|(var, number)| self.choice(*var, *number)).collect()
    }

    /// The point with these numbers and levels of open maps
    pub fn point_of(&self, numbers: &[i64], levels: &[MapLevel]) -> Point {
        let mut point = self.choices(numbers);
        point.extend(levels.iter().map(|level| choice(*level)));
        point
    }

    /// The mapped program of a point
    pub fn make_program(&self, point: &[Decision]) -> Result<Box<Ir>, Diagnostic> {
        let none = |why: NoPoint| Diagnostic::error(&errors::SPACE, why.to_string());
        terrace_search_explore::check(self, point).map_err(none)?;
        let numbers = self.numbers_of(point).unwrap_or_default();
        let bound = self.bound(&numbers);
        let bound = bound.as_ref().as_ref().map_err(Clone::clone)?;
        let levels: Levels = point[self.numbers.len()..].iter().filter_map(level).collect();
        Ok(mapped(bound, &levels))
    }

    /// The program with the numbers of a point and all open levels sequential: what results are compared with
    pub fn sequential(&self, point: &[Decision]) -> Result<Box<Ir>, Diagnostic> {
        let numbers = self.numbers_of(point).unwrap_or_default();
        let bound = self.bound(&numbers);
        let bound = bound.as_ref().as_ref().map_err(Clone::clone)?;
        Ok(mapped(bound, &vec![MapLevel::SEQ; self.levels.len()]))
    }

    /// How many numbers there are, and with the first of them how many mappings (but for what joins branches)
    pub fn counts(&self) -> (BigUint, Option<BigUint>) {
        let first = self.program.listed.spread(0, 1).unwrap_or_default();
        let bound = self.bound(&first);
        let mapping = bound.as_ref().as_ref().ok().and_then(|bound| bound.mapping.as_ref());
        (self.program.listed.count(), mapping.map(|mapping| mapping.space.count().clone()))
    }

    /// A draw of all numbers, each from its own values, which may depend on those before; the first constraint that fails
    fn blind_numbers(&self, random: &mut Random) -> Result<Vec<i64>, Unfit> {
        let numbers = &self.program.choices.numbers;
        let mut all = vec![0i64; numbers.params.len()];
        for (n, param) in numbers.params.iter().enumerate() {
            let values = numbers.of(&param.source, &all);
            let Some(value) = values.get(random.below(values.len() as u64) as usize) else {
                return Err(Unfit::NoValue(param.name.clone()));
            };
            all[n] = *value;
        }
        match numbers.violated(&all).first() {
            Some(id) => Err(Unfit::Broken(self.program.reasons.get(*id).cloned().unwrap_or_default())),
            None => Ok(self.numbers.iter().map(|var| all[var.index()]).collect()),
        }
    }
}

/// The choice of what a map is
fn choice(level: MapLevel) -> Decision {
    level.level().map_or(Decision::Merged, Decision::Level)
}

/// What a choice says that a map is
fn level(choice: &Decision) -> Option<MapLevel> {
    match choice {
        Decision::Level(level) => Some(MapLevel::At(*level)),
        Decision::Merged => Some(MapLevel::Fused),
        _ => None,
    }
}

/// A bound program with levels of its open maps
fn mapped(bound: &Bound, levels: &[MapLevel]) -> Box<Ir> {
    let mut module = bound.module.clone_unit();
    if let Some(mapping) = &bound.mapping
        && let (Some(all), Some(unit)) = (mapping.all(levels), module.child_mut(bound.slot))
    {
        function::apply(unit, &mapping.problem.tree, &all);
    }
    // What was open is decided: a program has no space.
    let spaces: Vec<OpId> =
        module.walk().filter(|op| terrace_dialect_tune::Space::cast(&module, *op).is_some()).collect();
    spaces.into_iter().for_each(|space| module.erase(space));
    module
}

impl Space for ArraySpace<'_> {
    fn names(&self) -> Vec<String> {
        let mut names = self.program.choice_names();
        names.extend(self.levels.iter().cloned());
        names
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        let count = self.numbers.len();
        if before.len() < count {
            let begin: Option<Vec<i64>> =
                before.iter().zip(&self.numbers).map(|(choice, var)| self.number(*var, choice)).collect();
            let Some(begin) = begin else { return Vec::new() };
            let var = self.numbers[before.len()];
            let values = self.program.listed.after(&begin).into_iter();
            return values.map(|value| self.choice(var, value)).collect();
        }
        let Some(numbers) = self.numbers_of(before) else { return Vec::new() };
        let bound = self.bound(&numbers);
        let Ok(Bound { mapping: Some(mapping), .. }) = bound.as_ref() else { return Vec::new() };
        let levels: Option<Levels> = before[count..].iter().map(level).collect();
        let Some(levels) = levels else { return Vec::new() };
        mapping.after(&levels).into_iter().map(choice).collect()
    }

    /// Numbers uniformly, then one of their mappings uniformly
    fn draw(&self, rng: &mut Random) -> Option<Option<Point>> {
        let mut random = Random::new(rng.next());
        for _ in 0..MOST_DRAWS {
            let Some(numbers) = self.program.listed.sample(&mut random) else { return Some(None) };
            if self.levels.is_empty() {
                return Some(Some(self.choices(&numbers)));
            }
            let bound = self.bound(&numbers);
            let Ok(Bound { mapping: Some(mapping), .. }) = bound.as_ref() else { continue };
            if let Some(all) = mapping.sample(&mut random) {
                return Some(Some(self.point_of(&numbers, &mapping.choices(&all))));
            }
        }
        Some(None)
    }

    /// Numbers until they satisfy all constraints, then levels of that program until these do
    fn blind(&self, rng: &mut Random, most: u64) -> Option<Blind> {
        let mut random = Random::new(rng.next());
        let mut rejected = 0;
        let mut tally = self.rejections.borrow_mut();
        while rejected <= most {
            tally.numbers.0 += 1;
            let choices = match self.blind_numbers(&mut random) {
                Ok(choices) => choices,
                Err(rule) => {
                    rejected += 1;
                    *tally.rules.entry(rule.to_string()).or_default() += 1;
                    continue;
                }
            };
            tally.numbers.1 += 1;
            if self.levels.is_empty() {
                return Some(Blind { point: Some(self.choices(&choices)), rejected });
            }
            let bound = self.bound(&choices);
            let Ok(Bound { mapping: Some(mapping), .. }) = bound.as_ref() else {
                rejected += 1;
                continue;
            };
            let domains = mapping.domains();
            for _ in 0..MOST_LEVELS {
                if rejected > most {
                    break;
                }
                tally.levels.0 += 1;
                let level = |values: &Levels| values[random.below(values.len() as u64) as usize];
                let levels: Levels = domains.iter().map(level).collect();
                let all = mapping.all(&levels).unwrap_or_default();
                let numbers = codes::numbers(&all);
                let at = |var: Var| numbers.get(var.index()).copied();
                let wrong =
                    mapping.model.constraints.iter().find(|each| each.formula.eval(&at) != Some(true));
                let rule = match wrong {
                    Some(wrong) => Some(mapping.problem.given[wrong.id].kind),
                    None => mapping.problem.broken(&all).first().map(|broken| broken.rule),
                };
                match rule {
                    Some(rule) => {
                        rejected += 1;
                        *tally.rules.entry(rule.to_string()).or_default() += 1;
                    }
                    None => {
                        tally.levels.1 += 1;
                        return Some(Blind { point: Some(self.point_of(&choices, &levels)), rejected });
                    }
                }
            }
        }
        Some(Blind { point: None, rejected })
    }
}
