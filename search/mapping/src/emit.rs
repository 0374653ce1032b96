//! A mapping problem as IR: a `tune.space` with a parameter for each map and all constraints.
//!
//! Conditions on sizes that the program leaves open are there too (GPGPU'20 §5.2): with the op that asks for them, and why.

use crate::codes;
use crate::function::parameter;
use crate::levels::MapLevels;
use crate::problem::Problem;
use crate::rules::Tag;
use crate::whole::{self, Line};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_analysis::nat::{Nat, NatError};
use terrace_dialect_array::nat_text::nat_attr;
use terrace_dialect_array::obligations;
use terrace_dialect_array::size::{Relation, Verdict};
use terrace_dialect_tune::{
    Compare, Constraint, Derived, Domain, Formula as Statement, Param, Size, Value, cases_attr,
};
use terrace_ir::{Builder, Context, Ir, Loc, NewOp, OpId};
use terrace_search_solver::{Cmp, Formula, Term, Var};

/// A statement about numbers of levels as one about words
fn statement(problem: &Problem, formula: &Formula) -> Result<Statement, NatError> {
    let list =
        |all: &[Formula]| all.iter().map(|each| statement(problem, each)).collect::<Result<Vec<_>, _>>();
    Ok(match formula {
        Formula::Known(known) => Statement::Known(*known),
        Formula::Any(vars, values) => {
            // Values that none of them has are no words of the space.
            let domains: Vec<MapLevels> = vars.iter().map(|var| problem.domain(var.index())).collect();
            let values = values.iter().filter_map(|number| codes::read(*number));
            let possible = values.filter(|value| domains.iter().any(|domain| domain.contains(*value)));
            let words: Vec<Value> = possible.map(|value| Value::Word(value.to_string())).collect();
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

/// Writes the lines of a space
struct Writer<'a> {
    b: Builder<'a>,
    cx: Arc<Context>,
    /// Where maps stand
    locs: Vec<Loc>,
}

impl Writer<'_> {
    /// The lines that follow are about the first of these maps
    fn about(&mut self, maps: &[usize]) {
        if let Some(loc) = maps.first().and_then(|n| self.locs.get(*n)) {
            self.b.set_loc(*loc);
        }
    }

    fn size(&mut self, name: &str, value: Option<i64>) {
        let size = Size::build(&mut self.b, self.cx.str_attr(name));
        size.set_value(self.b.ir(), value.map(|value| nat_attr(&self.cx, &Nat::from(value))));
    }

    /// The parameter of a map
    fn map(&mut self, problem: &Problem, n: usize) {
        self.about(&[n]);
        let words = problem.domain(n).iter().map(|value| Value::Word(value.to_string())).collect();
        let domain = Domain::Values(words).to_attr(&self.cx);
        let param = Param::build(&mut self.b, self.cx.str_attr(&parameter(&problem.tree, n)), domain);
        param.set_label(self.b.ir(), Some(self.cx.str_attr(&problem.tree.loops[n].name)));
    }

    fn constraint(&mut self, rule: &str, tag: Tag, formula: &Statement, reason: &str) {
        let (rule, tag) = (self.cx.str_attr(rule), self.cx.str_attr(tag.word()));
        let constraint = Constraint::build(&mut self.b, rule, tag, formula.to_attr(&self.cx));
        constraint.set_reason(self.b.ir(), Some(self.cx.str_attr(reason)));
    }

    /// A rule of whole kernels, or a size that it compares
    fn line(&mut self, line: &Line) {
        match line {
            Line::Size(name, cases, otherwise) => {
                let otherwise = nat_attr(&self.cx, otherwise);
                let derived = Derived::build(&mut self.b, self.cx.str_attr(name), otherwise);
                if !cases.is_empty() {
                    derived.set_cases(self.b.ir(), Some(cases_attr(&self.cx, cases)));
                }
            }
            Line::Asked { rule, formula, about, reason } => {
                self.about(about);
                self.constraint(rule, Tag::Beyond, formula, reason);
            }
        }
    }
}

/// Put the space of a function's problem behind the function, into the unit that holds it; the function's ops give locations
pub fn space(
    module: &mut Ir,
    function: OpId,
    problem: &Problem,
    name: &str,
    device: &str,
) -> Result<OpId, NatError> {
    let (mut locs, mut open, mut sizes) = (Vec::new(), Vec::new(), BTreeMap::new());
    if let Some(unit) = module.child(function) {
        locs = problem.tree.loops.iter().map(|each| unit.loc(each.op)).collect();
        if problem.options.tags.contains(&Tag::Type) {
            let known = terrace_dialect_array::size::bound(unit);
            for (op, rule, statement, what) in types(unit) {
                sizes.extend(
                    statement.names().into_iter().map(|name| (name.clone(), known.get(&name).copied())),
                );
                open.push((unit.loc(op), rule, statement, what));
            }
        }
    }
    let given = problem.given.iter().filter(|given| problem.options.holds(given.rule, given.tag));
    let given = given.map(|given| Ok((given, statement(problem, &given.formula)?)));
    let given = given.collect::<Result<Vec<_>, NatError>>()?;
    let whole = whole::lines(problem)?;
    let mut b = Builder::after(module, function);
    let cx = b.read().cx_arc().clone();
    let kind = b.kind(terrace_dialect_tune::Space::DEF);
    let slots =
        [Some(cx.str_attr(&format!("{name}_levels"))), Some(cx.str_attr(name)), Some(cx.str_attr(device))];
    let op = b.insert(&NewOp { slots: &slots, regions: 1, ..NewOp::new(kind) });
    let region = b.ir().region(op, 0);
    let body = b.ir().append_block(region);
    let mut writer = Writer { b: Builder::at_end(module, body), cx, locs };
    sizes.iter().for_each(|(name, value)| writer.size(name, *value));
    (0..problem.tree.loops.len()).for_each(|n| writer.map(problem, n));
    for (given, formula) in given {
        writer.about(&given.about);
        writer.constraint(given.rule, given.tag, &formula, &given.reason);
    }
    whole.iter().for_each(|line| writer.line(line));
    for (loc, rule, statement, what) in open {
        writer.b.set_loc(loc);
        writer.constraint(&rule, Tag::Type, &statement, what);
    }
    Ok(op)
}
