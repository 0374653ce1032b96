//! The first pass that makes a difference, and the call that shows it.

use crate::proofs::Proofs;
use crate::steps::{Failure, Pass, run};
use std::ops::Range;
use std::time::Instant;
use terrace_interp::{Options, codes};
use terrace_ir::Ir;
use terrace_refine::functions::{Numbers, functions, numbers};
use terrace_refine::{
    Call, Function, Limits, ORDER, Observation, Observations, Refinement, check_with, inputs,
};

/// Steps that a call may take after a pass in any case: one op of a higher level may be many of a lower one
const PATIENCE: u64 = 20_000_000;

/// Elements allocated in a call
const ELEMENTS: usize = 1 << 20;

/// Limits of a call that may take so many steps in the input
pub fn limits(steps: u64) -> Limits {
    let options = Options { fuel: steps, elements: ELEMENTS, ..Options::default() };
    Limits { options, orders: 8, slower: 100, more: PATIENCE }
}

/// A program at one place of the pipeline
pub struct Level {
    /// The module
    pub module: Box<Ir>,
    /// The module as it is run, if an op of it stands for others
    written_out: Option<Box<Ir>>,
    functions: Vec<Function>,
}

impl Level {
    fn of(module: Box<Ir>) -> Level {
        let (written_out, functions) = (terrace_ir::expand::expanded(&module), functions(&module));
        Level { module, written_out, functions }
    }

    fn to_run(&self) -> &Ir {
        self.written_out.as_deref().unwrap_or(&self.module)
    }

    fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|one| one.name == name)
    }
}

/// A program after each pass
pub struct Levels {
    /// The input, then what each pass left
    pub all: Vec<Level>,
    /// The pass that failed, and how
    pub failed: Option<(usize, Failure)>,
}

/// Run all passes, up to the first one that fails
pub fn levels(module: &Ir, passes: &[Pass]) -> Levels {
    let mut all = vec![Level::of(module.clone_unit())];
    for (n, pass) in passes.iter().enumerate() {
        let ran = run(&all[n].module, pass, None);
        if let Some(failure) = ran.failure {
            return Levels { all, failed: Some((n, failure)) };
        }
        all.push(Level::of(ran.module));
    }
    Levels { all, failed: None }
}

/// A call that gives something else after a pass
#[derive(Clone, Debug)]
pub struct Shown {
    /// The call
    pub call: Call,
    /// What it did before, in all orders
    pub reference: Observations,
    /// What it did before, in the order that shows the difference
    pub before: Observation,
    /// What it does now
    pub after: Observation,
    /// What differs
    pub how: String,
}

/// What a search has tried
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Tried {
    /// Calls
    pub calls: u64,
    /// Those that trapped on the input, which decides nothing
    pub trapped: u64,
    /// Those that took too many steps or too much memory on the input
    pub long: u64,
    /// Those that gave something else in another order of parallel parts on the input
    pub dependent: u64,
    /// Functions whose parameters are of types of which no value is known
    pub skipped: u64,
    /// What a solver says of the functions that passes change, if one was asked
    pub proofs: Option<Proofs>,
    /// Passes (from 0) after which a call could not be run, and why
    pub not_run: Vec<(usize, String)>,
}

impl Tried {
    fn cannot_run(&mut self, pass: usize, why: &str) {
        if self.not_run.iter().all(|(other, _)| *other != pass) {
            self.not_run.push((pass, why.into()));
            self.not_run.sort();
        }
    }
}

/// Does a later program do something else than an earlier one in a call?
pub fn differs(before: &Observations, after: &Ir, call: &Call, limits: &Limits) -> Compared {
    if let Err(trap) = &before.first().end {
        return Compared::NotRun(trap.message.clone());
    }
    let checked = check_with(before, after, call, limits);
    if let Some(trap) = checked.after.as_ref().and_then(|after| after.first().not_run()) {
        return Compared::NotRun(trap.message.clone());
    }
    let pair = checked.pair(before);
    match (checked.verdict, checked.after, pair) {
        (Refinement::Same, Some(after), _) => Compared::Same(after),
        (Refinement::Broken(how), _, Some((was, is))) => {
            let (call, reference) = (call.clone(), before.clone());
            Compared::Differs(Box::new(Shown { call, reference, before: was, after: is, how }))
        }
        (Refinement::Undefined(ORDER), ..) => {
            Compared::NotRun("it depends on the order of parallel parts".into())
        }
        _ => Compared::NotRun("it needs too much memory".into()),
    }
}

/// How a call before and after some passes compares
pub enum Compared {
    /// It does the same
    Same(Observations),
    /// It cannot be run afterwards: why
    NotRun(String),
    /// It does something else
    Differs(Box<Shown>),
}

/// Passes that make a difference: one, or several where the program cannot be run in between
pub struct Found {
    /// Numbers of the passes, from 0
    pub passes: Range<usize>,
    /// Why the call cannot be run after the first of them, if there are several
    pub between: Option<String>,
    /// The call that shows it
    pub shown: Box<Shown>,
}

/// The first level that differs from the last one before it that can be run, in a call
fn first_level(levels: &Levels, call: &Call, limits: &Limits, tried: &mut Tried) -> Option<Found> {
    tried.calls += 1;
    let input = &levels.all[0];
    let mut before = Observations::of(input.to_run(), call, limits);
    if let Err(trap) = &before.first().end {
        let limit = [codes::FUEL.id, codes::LIMIT.id].contains(&trap.code.id);
        *(if limit { &mut tried.long } else { &mut tried.trapped }) += 1;
        return None;
    }
    if before.order_dependent().is_some() {
        tried.dependent += 1;
        return None;
    }
    let inputs = &input.function(&call.function)?.inputs;
    let (mut start, mut between) = (0, None);
    for (n, level) in levels.all.iter().enumerate().skip(1) {
        // A pass may change how a function is called.
        let compared = match level.function(&call.function) {
            Some(function) if function.inputs == *inputs => differs(&before, level.to_run(), call, limits),
            Some(_) => Compared::NotRun(format!("@{} takes other arguments", call.function)),
            None => Compared::NotRun(format!("@{} is not there", call.function)),
        };
        match compared {
            Compared::Differs(shown) => return Some(Found { passes: start..n, between, shown }),
            Compared::NotRun(why) => {
                tried.cannot_run(n - 1, &why);
                between.get_or_insert(why);
            }
            Compared::Same(after) => {
                (start, between) = (n, None);
                // Steps are counted from a call that is not slow, or every level might take a hundred times as many.
                if after.first().steps <= limits.options.fuel {
                    before = after;
                }
            }
        }
    }
    None
}

/// Search in given calls, or in calls made here until a time
pub fn search(
    levels: &Levels,
    given: &[Call],
    limits: &Limits,
    until: Instant,
    tried: &mut Tried,
) -> Option<Found> {
    if !given.is_empty() {
        return given.iter().find_map(|call| first_level(levels, call, limits, tried));
    }
    let input = &levels.all[0];
    let (module, numbers) = (&input.module, numbers(&input.module));
    let mut all = input.functions.clone();
    let known = |function: &Function| inputs::call(module.cx(), function, &numbers, 0).is_some();
    all.retain(known);
    tried.skipped = (input.functions.len() - all.len()) as u64;
    // A function without parameters has one call.
    let mut n = 0;
    while !all.is_empty() && Instant::now() < until {
        for function in &all {
            let Some(call) = inputs::call(module.cx(), function, &numbers, n) else { continue };
            if let Some(found) = first_level(levels, &call, limits, tried) {
                return Some(found);
            }
            if Instant::now() > until {
                break;
            }
        }
        all.retain(|function| !function.inputs.is_empty());
        n += 1;
    }
    None
}

/// A few calls of a module: those that are known and still fit, then new ones
pub fn some_calls<'a>(
    module: &'a Ir,
    known: &'a [Call],
    numbers: &'a Numbers,
    each: u64,
) -> impl Iterator<Item = Call> + 'a {
    let functions = functions(module);
    let cx = module.cx();
    let all = functions.clone();
    // A smaller program may have other types.
    let fits = move |call: &&Call| {
        all.iter().any(|function| function.name == call.function && call.fits(cx, &function.inputs))
    };
    let made = (0..each).flat_map(move |n| {
        let of = |function: &Function| inputs::call(cx, function, numbers, n);
        functions
            .iter()
            .filter(|function| n == 0 || !function.inputs.is_empty())
            .filter_map(of)
            .collect::<Vec<_>>()
    });
    known.iter().filter(fits).cloned().chain(made)
}
