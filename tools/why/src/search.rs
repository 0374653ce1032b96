//! The first pass that makes a difference, and the call that shows it.

use crate::steps::{Failure, Pass, run};
use std::time::Instant;
use terrace_interp::{Options, Order, codes};
use terrace_ir::Ir;
use terrace_refine::functions::{Numbers, functions, numbers};
use terrace_refine::{Call, Function, Observation, Refinement, compare, inputs, observe};

/// Steps of a call before a pass; afterwards it may take four times as many
const FUEL: u64 = 2_000_000;

/// Steps after which a call that ended before counts as one without an end, and a hundred for each of those before
const PATIENCE: u64 = 20_000_000;

/// Elements allocated in a call
const ELEMENTS: usize = 1 << 20;

/// Limits of a call
pub fn limits() -> Options {
    Options { fuel: FUEL, elements: ELEMENTS, ..Options::default() }
}

/// A program after each pass
pub struct Levels {
    /// The input, then what each pass left
    pub modules: Vec<Box<Ir>>,
    /// The pass that failed, and how
    pub failed: Option<(usize, Failure)>,
}

/// Run all passes, up to the first one that fails
pub fn levels(module: &Ir, passes: &[Pass]) -> Levels {
    let mut modules = vec![module.clone_unit()];
    for (n, pass) in passes.iter().enumerate() {
        let ran = run(&modules[n], pass, None);
        if let Some(failure) = ran.failure {
            return Levels { modules, failed: Some((n, failure)) };
        }
        modules.push(ran.module);
    }
    Levels { modules, failed: None }
}

/// A call that gives something else after a pass
#[derive(Clone, Debug)]
pub struct Shown {
    /// The call
    pub call: Call,
    /// What it did before
    pub before: Observation,
    /// What it does now
    pub after: Observation,
    /// What differs
    pub how: String,
}

/// What a search has tried
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tried {
    /// Calls
    pub calls: u64,
    /// Those that trapped on the input, which decides nothing
    pub trapped: u64,
    /// Functions whose parameters are of types of which no value is known
    pub skipped: u64,
}

/// May the call be made in both? Else nothing is compared: a pass may change how a function is called
fn same_function(before: &[Function], after: &[Function], name: &str) -> bool {
    let find = |all: &[Function]| all.iter().find(|one| one.name == name).cloned();
    match (find(before), find(after)) {
        (Some(before), Some(after)) => before.inputs == after.inputs,
        _ => false,
    }
}

/// Does a later program do something else than an earlier one in a call? `before` is what the earlier one does
pub fn differs(before: &Observation, after: &Ir, call: &Call) -> Option<Shown> {
    if before.end.is_err() {
        return None;
    }
    let options = limits();
    let options = Options { fuel: (before.steps.saturating_mul(4) + 100_000).max(options.fuel), ..options };
    let mut orders = vec![Order::Forward];
    let mut at = 0;
    while let Some(order) = orders.get(at).copied() {
        at += 1;
        let mut found = observe(after, call, Options { order, ..options });
        if found.end.as_ref().is_err_and(|trap| trap.code.id == codes::FUEL.id) {
            // One op of a higher level may be many of a lower one: what is only slower ends within this.
            let fuel = before.steps.saturating_mul(100) + PATIENCE;
            found = observe(after, call, Options { order, fuel, ..options });
        }
        if found.end.as_ref().is_err_and(|trap| trap.code.id == codes::NO_MEANING.id) {
            return None;
        }
        if let Refinement::Broken(how) = compare(before, &found) {
            return Some(Shown { call: call.clone(), before: before.clone(), after: found, how });
        }
        if found.parallel && orders.len() == 1 {
            orders.extend([Order::Reverse].into_iter().chain((1..=7).map(Order::Seed)));
        }
    }
    None
}

/// The first level that differs from the one before it in a call
fn first_level(
    levels: &Levels,
    functions: &[Vec<Function>],
    call: &Call,
    tried: &mut Tried,
) -> Option<(usize, Shown)> {
    tried.calls += 1;
    let mut before = observe(&levels.modules[0], call, limits());
    if before.end.is_err() {
        tried.trapped += 1;
        return None;
    }
    for (n, module) in levels.modules.iter().enumerate().skip(1) {
        if !same_function(&functions[n - 1], &functions[n], &call.function) {
            return None;
        }
        if let Some(shown) = differs(&before, module, call) {
            return Some((n - 1, shown));
        }
        let after = observe(module, call, limits());
        // What cannot be run here may be run at the next level.
        if after.end.is_ok() {
            before = after;
        }
    }
    None
}

/// Search in given calls, or in calls made here until a time: number of the pass, and the call that shows it
pub fn search(levels: &Levels, given: &[Call], until: Instant, tried: &mut Tried) -> Option<(usize, Shown)> {
    let of_levels: Vec<Vec<Function>> = levels.modules.iter().map(|module| functions(module)).collect();
    if !given.is_empty() {
        return given.iter().find_map(|call| first_level(levels, &of_levels, call, tried));
    }
    let module = &levels.modules[0];
    let (mut all, numbers) = (of_levels[0].clone(), numbers(module));
    let known = |function: &Function| inputs::call(module.cx(), function, &numbers, 0).is_some();
    let before = all.len();
    all.retain(known);
    tried.skipped = (before - all.len()) as u64;
    // A function without parameters has one call.
    let mut n = 0;
    while !all.is_empty() && Instant::now() < until {
        for function in &all {
            let Some(call) = inputs::call(module.cx(), function, &numbers, n) else { continue };
            if let Some(found) = first_level(levels, &of_levels, &call, tried) {
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

/// A few calls of a module: those that are known, then new ones
pub fn some_calls<'a>(
    module: &'a Ir,
    known: &'a [Call],
    numbers: &'a Numbers,
    each: u64,
) -> impl Iterator<Item = Call> + 'a {
    let functions = functions(module);
    let cx = module.cx();
    let all = functions.clone();
    let fits = move |call: &&Call| {
        all.iter().any(|function| function.name == call.function && function.inputs.len() == call.args.len())
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
