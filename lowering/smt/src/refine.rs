//! Does one function refine another?

use crate::encode::{self, NotEncoded, Term, width};
use crate::solver::Solver;
use crate::table::table;
use easy_smt::Response;
use std::io;
use terrace_interp::RtValue;
use terrace_ir::Ir;

/// What the solver says
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It does, for all arguments
    Proven,
    /// It does not, with these arguments
    Refuted(Vec<RtValue>),
    /// Not known, and why
    Unknown(String),
}

/// Does the function `after` refine `before`? Both are units of functions with the same parameters and results.
///
/// # Errors
/// One of them has no formula.
pub fn refines(solver: &mut Solver, before: &Ir, after: &Ir) -> Result<Verdict, NotEncoded> {
    encode::check(table(), before)?;
    encode::check(table(), after)?;
    let unknown = |why: io::Error| Verdict::Unknown(format!("the solver ended: {why}"));
    Ok(ask(solver, before, after).unwrap_or_else(unknown))
}

fn ask(solver: &mut Solver, before: &Ir, after: &Ir) -> io::Result<Verdict> {
    solver.context.push()?;
    let verdict = in_a_level(solver, before, after);
    solver.context.pop()?;
    verdict
}

fn in_a_level(solver: &mut Solver, before: &Ir, after: &Ir) -> io::Result<Verdict> {
    let arguments = encode::arguments(solver, before)?;
    let source = encode::function(solver, table(), before, &arguments)?;
    let target = encode::function(solver, table(), after, &arguments)?;
    let cx = &mut solver.context;
    if source.results.len() != target.results.len() {
        return Ok(Verdict::Unknown("the functions have other numbers of results".into()));
    }
    let mut wanted = vec![cx.not(target.undefined)];
    for (old, new) in source.results.iter().zip(&target.results) {
        let equal = cx.and(cx.not(new.poison), cx.eq(old.bits, new.bits));
        wanted.push(cx.or(old.poison, equal));
    }
    let holds = cx.or(source.undefined, cx.and_many(wanted));
    cx.assert(cx.not(holds))?;
    match cx.check()? {
        Response::Unsat => Ok(Verdict::Proven),
        Response::Unknown => Ok(Verdict::Unknown("the solver found no answer in time".into())),
        Response::Sat => counterexample(solver, before, &arguments),
    }
}

fn counterexample(solver: &mut Solver, ir: &Ir, arguments: &[Term]) -> io::Result<Verdict> {
    let cx = &mut solver.context;
    let asked: Vec<_> = arguments.iter().flat_map(|term| [term.bits, term.poison]).collect();
    let answers = if asked.is_empty() { Vec::new() } else { cx.get_value(asked)? };
    let args =
        ir.regions(ir.root()).next().and_then(|region| ir.entry(region)).map(|block| ir.block_args(block));
    let mut values = Vec::new();
    for (pair, value) in answers.chunks(2).zip(args.unwrap_or_default()) {
        let [(_, bits), (_, poison)] = pair else { break };
        let width = width(ir, ir.ty(*value)).unwrap_or(1);
        let bits = cx.get_u128(*bits).ok_or_else(|| io::Error::other("an answer that is no number"))?;
        let poison = *poison == cx.true_();
        values.push(if poison { RtValue::Poison } else { RtValue::int(bits as i128, width) });
    }
    Ok(Verdict::Refuted(values))
}
