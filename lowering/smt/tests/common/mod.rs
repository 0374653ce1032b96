//! Programs of two functions, and the solver if there is one.

use std::time::Duration;
use terrace_diag::Diags;
use terrace_interp::{Interpreter, Options, RtValue, Trap};
use terrace_ir::{Context, Ir};
use terrace_lowering_smt::{NotEncoded, Solver, Verdict, refines};
use terrace_text::ParseOptions;

/// A solver; without one the test of this name is skipped
pub fn solver(test: &str) -> Option<Solver> {
    let solver = Solver::start(None, Duration::from_secs(10)).ok();
    if solver.is_none() {
        println!("skipped: {test} (needs smt)");
    }
    solver
}

/// A module that must be valid
pub fn parse(text: &str) -> Box<Ir> {
    let cx = Context::new(terrace_dialect_upstream::ALL);
    let source = cx.sources().add("test.mlir", text.to_string());
    let mut diags = Diags::default();
    let module = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
    Box::new(module.unwrap_or_else(|| panic!("{text}\n{diags:?}")))
}

/// Does the module's second function refine its first?
pub fn second_refines_first(solver: &mut Solver, text: &str) -> Result<Verdict, NotEncoded> {
    let module = parse(text);
    let units: Vec<&Ir> = module.walk().filter_map(|op| module.child(op)).collect();
    refines(solver, units[0], units[1])
}

/// The same for two bodies of a function with these parameters and results
pub fn bodies(
    solver: &mut Solver,
    signature: &str,
    before: &str,
    after: &str,
) -> Result<Verdict, NotEncoded> {
    let text = format!("func.func @f{signature} {{\n{before}\n}}\nfunc.func @g{signature} {{\n{after}\n}}\n");
    second_refines_first(solver, &text)
}

/// Call the function `f` of a module
pub fn run(module: &Ir, args: Vec<RtValue>) -> Result<Vec<RtValue>, Trap> {
    Interpreter::new(module, Options::default()).call("f", args)
}
