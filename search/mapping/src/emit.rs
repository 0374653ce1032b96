//! A mapping problem as IR: a `tune.space` with a parameter for each map and all constraints.
//!
//! Conditions on sizes that the program leaves open are there too (GPGPU'20 §5.2): with the op that asks for them, and why.

use crate::codes;
use crate::function::parameter;
use crate::problem::Problem;
use crate::rules::Tag;
use crate::whole::{self, Line};
use std::collections::BTreeMap;
use terrace_analysis::nat::{Nat, NatError};
use terrace_dialect_array::nat_text::nat_attr;
use terrace_dialect_array::obligations;
use terrace_dialect_array::size::{Relation, Verdict};
use terrace_dialect_tune::{
    Compare, Constraint, Derived, Domain, Formula as Statement, Param, Size, Value, cases_attr,
};
use terrace_ir::{Builder, Ir, NewOp, OpId};
use terrace_search_solver::{Cmp, Formula, Term, Var};

/// A statement about numbers of levels as one about words
fn statement(problem: &Problem, formula: &Formula) -> Result<Statement, NatError> {
    let list =
        |all: &[Formula]| all.iter().map(|each| statement(problem, each)).collect::<Result<Vec<_>, _>>();
    Ok(match formula {
        Formula::Known(known) => Statement::Known(*known),
        Formula::Any(vars, values) => {
            // Values that none of them has are no words of the space.
            let domains: Vec<Vec<i64>> = vars.iter().map(|var| problem.domain(var.index())).collect();
            let possible = values.iter().filter(|value| domains.iter().any(|domain| domain.contains(value)));
            let words: Vec<Value> = possible.map(|value| Value::Word(codes::word(*value))).collect();
            if words.is_empty() {
                return Ok(Statement::Known(false));
            }
            Statement::Any(vars.iter().map(|var| parameter(&problem.tree, var.index())).collect(), words)
        }
        Formula::Cmp(cmp, a, b) => {
            let cmp = match cmp {
                Cmp::Eq => Compare::Eq,
                Cmp::Ne => Compare::Ne,
                Cmp::Lt => Compare::Lt,
                Cmp::Le => Compare::Le,
                Cmp::Gt => Compare::Gt,
                Cmp::Ge => Compare::Ge,
            };
            Statement::Compare(cmp, size(problem, a)?, size(problem, b)?)
        }
        Formula::And(all) => Statement::And(list(all)?),
        Formula::Or(all) => Statement::Or(list(all)?),
        Formula::Not(inner) => Statement::Not(Box::new(statement(problem, inner)?)),
    })
}

fn size(problem: &Problem, term: &Term) -> Result<Nat, NatError> {
    let of = |term: &Term| size(problem, term);
    match term {
        Term::Int(value) => Ok(Nat::from(*value)),
        Term::Var(Var(n)) => Ok(Nat::symbol(&parameter(&problem.tree, *n as usize))),
        Term::Add(a, b) => of(a)?.plus(&of(b)?),
        Term::Sub(a, b) => of(a)?.minus(&of(b)?),
        Term::Mul(a, b) => of(a)?.times(&of(b)?),
        Term::Div(a, b) => of(a)?.floor_div(&of(b)?),
        Term::Rem(a, b) => of(a)?.modulo(&of(b)?),
        Term::Min(a, b) => Ok(Nat::min(&[of(a)?, of(b)?])?.unwrap_or(Nat::from(0))),
        Term::Max(a, b) => Ok(Nat::max(&[of(a)?, of(b)?])?.unwrap_or(Nat::from(0))),
        // Rules of paths have none.
        Term::If(..) => Err(NatError::Inexact),
    }
}

/// What is open of the sizes of a function: op, its name as a rule, the statement, what it is about
fn types(unit: &Ir) -> Vec<(OpId, String, Statement, &'static str)> {
    let mut out: Vec<(OpId, String, Statement, &'static str)> = Vec::new();
    for op in unit.walk() {
        for (open, verdict) in obligations::of_op(unit, op) {
            let inner = |nat: &Nat| nat.names().iter().any(|name| name.starts_with('$'));
            if verdict != Verdict::Undecided || inner(&open.a) || inner(&open.b) {
                continue;
            }
            let compare = match open.relation {
                Relation::AtMost => Compare::Le,
                Relation::Divides => Compare::Divides,
                Relation::Equal => Compare::Eq,
            };
            let statement = Statement::Compare(compare, open.a, open.b);
            if !out.iter().any(|(_, _, other, _)| *other == statement) {
                out.push((
                    op,
                    unit.op_name(op).trim_start_matches("array.").to_string(),
                    statement,
                    open.what,
                ));
            }
        }
    }
    out
}

/// Put the space of a function's problem behind the function, into the unit that holds it; the function's ops give locations
pub fn space(
    module: &mut Ir,
    function: OpId,
    problem: &Problem,
    name: &str,
    device: &str,
) -> Result<OpId, String> {
    let mut locs = Vec::new();
    if let Some(unit) = module.child(function) {
        locs = problem.tree.loops.iter().map(|each| unit.loc(each.op)).collect();
    }
    let (mut open, mut sizes) = (Vec::new(), BTreeMap::new());
    if let Some(unit) = module.child(function).filter(|_| problem.options.tags.contains(&Tag::Type)) {
        let known = terrace_dialect_array::size::bound(unit);
        for (op, rule, statement, what) in types(unit) {
            for name in statement.names() {
                sizes.insert(name.clone(), known.get(&name).copied());
            }
            open.push((unit.loc(op), rule, statement, what));
        }
    }
    let mut statements = Vec::new();
    for given in problem.given.iter().filter(|given| problem.options.holds(given.rule, given.tag)) {
        let formula = statement(problem, &given.formula).map_err(|error| error.to_string())?;
        statements.push((given, formula));
    }
    let whole = whole::lines(problem).map_err(|error| error.to_string())?;
    let mut b = Builder::after(module, function);
    let cx = b.read().cx_arc().clone();
    let kind = b.kind(terrace_dialect_tune::Space::DEF);
    let slots =
        [Some(cx.str_attr(&format!("{name}_levels"))), Some(cx.str_attr(name)), Some(cx.str_attr(device))];
    let op = b.insert(&NewOp { slots: &slots, regions: 1, ..NewOp::new(kind) });
    let region = b.ir().region(op, 0);
    let body = b.ir().append_block(region);
    let mut b = Builder::at_end(module, body);
    for (name, value) in sizes {
        let size = Size::build(&mut b, cx.str_attr(&name));
        size.set_value(b.ir(), value.map(|value| nat_attr(&cx, &Nat::from(value))));
    }
    for (n, each) in problem.tree.loops.iter().enumerate() {
        if let Some(loc) = locs.get(n) {
            b.set_loc(*loc);
        }
        let words = problem.domain(n).iter().map(|value| Value::Word(codes::word(*value))).collect();
        let domain = Domain::Values(words).to_attr(&cx);
        let param = Param::build(&mut b, cx.str_attr(&parameter(&problem.tree, n)), domain);
        param.set_label(b.ir(), Some(cx.str_attr(&each.name)));
    }
    for (given, formula) in statements {
        if let Some(loc) = given.about.first().and_then(|n| locs.get(*n)) {
            b.set_loc(*loc);
        }
        let (rule, tag) = (cx.str_attr(given.rule), cx.str_attr(given.tag.word()));
        let constraint = Constraint::build(&mut b, rule, tag, formula.to_attr(&cx));
        constraint.set_reason(b.ir(), Some(cx.str_attr(&given.reason)));
    }
    for line in whole {
        let (rule, formula, about, reason) = match line {
            Line::Size(name, cases, otherwise) => {
                let derived = Derived::build(&mut b, cx.str_attr(&name), nat_attr(&cx, &otherwise));
                if !cases.is_empty() {
                    derived.set_cases(b.ir(), Some(cases_attr(&cx, &cases)));
                }
                continue;
            }
            Line::Asked { rule, formula, about, reason } => (rule, formula, about, reason),
        };
        if let Some(loc) = about.first().and_then(|n| locs.get(*n)) {
            b.set_loc(*loc);
        }
        let (rule, tag) = (cx.str_attr(rule), cx.str_attr(Tag::Beyond.word()));
        let constraint = Constraint::build(&mut b, rule, tag, formula.to_attr(&cx));
        constraint.set_reason(b.ir(), Some(cx.str_attr(&reason)));
    }
    for (loc, rule, statement, what) in open {
        b.set_loc(loc);
        let (rule, tag) = (cx.str_attr(&rule), cx.str_attr(Tag::Type.word()));
        let constraint = Constraint::build(&mut b, rule, tag, statement.to_attr(&cx));
        constraint.set_reason(b.ir(), Some(cx.str_attr(what)));
    }
    Ok(op)
}
