//! Strategies: values over named rules that say where and how often to apply them.
//!
//! After ELEVATE (ICFP 2020): `seq`, `first`, `try`, `repeat`, `topdown`, `bottomup`, `somewhere`. A strategy fails with the
//! reason of the rule that did; it never leaves half of a rule behind, since rules don't. Recursion is over the strategy,
//! whose depth its text limits, never over the program. Their text form: [`text`].
//!
//! Nothing happens besides the rules: no folding, no removal of dead ops (there is a rule `dead` for that).

mod text;

pub use text::ParseStrategyError;

use crate::canonicalize::{CanonicalRules, DialectRules};
use crate::codes;
use crate::dead::is_dead;
use crate::greedy::Outcome;
use crate::rewriter::{Asks, Rewriter};
use crate::rule::{FnRule, Miss, OrMiss, Rule};
use terrace_diag::Diagnostic;
use terrace_ir::{Context, Ir, OpId, OpKind};

/// How often `repeat` without a number applies at most: beyond, the run counts as endless
pub const FUEL: usize = 10_000;

/// How to apply rules
///
/// With rules themselves, or, as read from a text, with their names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Strategy<R = &'static dyn Rule> {
    /// One rule at this op
    Rule(R),
    /// One rule at this op, with values for its parameters
    With(R, Vec<String>),
    /// At every op below that is called so, outer ones first: its `name`, or the name of its first result
    At(String, Box<Strategy<R>>),
    /// All in order; fails with the first that fails
    Seq(Vec<Strategy<R>>),
    /// The first that applies
    First(Vec<Strategy<R>>),
    /// Once if it applies; never fails
    Try(Box<Strategy<R>>),
    /// As often as it applies, at most this many times; never fails. Without a number it has to end within [`FUEL`]
    Repeat(Box<Strategy<R>>, Option<usize>),
    /// At the first op below, in order of the text, where it applies
    Somewhere(Box<Strategy<R>>),
    /// At every op below where it applies, outer ones first
    TopDown(Box<Strategy<R>>),
    /// At every op below where it applies, inner ones first
    BottomUp(Box<Strategy<R>>),
}

impl<R> Strategy<R> {
    /// The same with other rules; the first error ends it
    pub fn resolve<S, E>(
        &self,
        rule: &mut dyn FnMut(&R, &[String]) -> Result<Strategy<S>, E>,
    ) -> Result<Strategy<S>, E> {
        let all = |parts: &[Strategy<R>], rule: &mut dyn FnMut(&R, &[String]) -> Result<Strategy<S>, E>| {
            parts.iter().map(|part| part.resolve(rule)).collect::<Result<Vec<_>, E>>()
        };
        Ok(match self {
            Strategy::Rule(name) => rule(name, &[])?,
            Strategy::With(name, args) => rule(name, args)?,
            Strategy::At(name, part) => Strategy::At(name.clone(), part.resolve(rule)?.into()),
            Strategy::Seq(parts) => Strategy::Seq(all(parts, rule)?),
            Strategy::First(parts) => Strategy::First(all(parts, rule)?),
            Strategy::Try(part) => Strategy::Try(part.resolve(rule)?.into()),
            Strategy::Repeat(part, times) => Strategy::Repeat(part.resolve(rule)?.into(), *times),
            Strategy::Somewhere(part) => Strategy::Somewhere(part.resolve(rule)?.into()),
            Strategy::TopDown(part) => Strategy::TopDown(part.resolve(rule)?.into()),
            Strategy::BottomUp(part) => Strategy::BottomUp(part.resolve(rule)?.into()),
        })
    }
}

/// Erase an unused op: named in strategies, built into the greedy driver
static DEAD: FnRule<()> = FnRule {
    name: "dead",
    root: None,
    find: |ir, op| is_dead(ir, op).or_miss("the op is used or has effects"),
    put: |rw, op, ()| rw.erase(op),
};

/// Is each rule once in the list that brings it? The error is E0116
pub fn check_rules(cx: &Context) -> Result<(), Box<Diagnostic>> {
    let ops = (2..cx.num_kinds()).map(|kind| cx.def(OpKind(kind as u16)));
    let of_ops =
        ops.filter_map(|def| Some((format!("op `{}`", def.name), def.interface::<CanonicalRules>()?.0)));
    let dialects = cx.dialects().iter();
    let of_dialects = dialects
        .filter_map(|one| Some((format!("dialect `{}`", one.name), one.interface::<DialectRules>()?.0)));
    for (whose, rules) in of_ops.chain(of_dialects) {
        let rules = rules();
        for (n, rule) in rules.iter().enumerate() {
            if rules[..n].iter().any(|other| same_rule(*other, *rule)) {
                let message = format!("{whose} brings rule `{}` twice", rule.name());
                return Err(Box::new(Diagnostic::error(&terrace_ir::codes::REGISTRATION, message)));
            }
        }
    }
    Ok(())
}

fn same_rule(a: &'static dyn Rule, b: &'static dyn Rule) -> bool {
    a.name() == b.name() && a.root() == b.root()
}

/// All rules by name that a context knows: `dead`, those that its ops bring along in their order, then those of its dialects
pub fn known_rules(cx: &Context) -> Vec<&'static dyn Rule> {
    let mut all: Vec<&'static dyn Rule> = vec![&DEAD];
    for kind in 2..cx.num_kinds() {
        let rules = cx.def(OpKind(kind as u16)).interface::<CanonicalRules>();
        all.extend(rules.map_or(&[][..], |rules| (rules.0)()).iter().copied());
    }
    for rules in cx.dialects().iter().filter_map(|dialect| dialect.interface::<DialectRules>()) {
        // One that `canonicalize` applies may be in the list as well.
        let more = (rules.0)().iter().copied();
        let new: Vec<_> = more.filter(|rule| !all.iter().any(|other| same_rule(*other, *rule))).collect();
        all.extend(new);
    }
    all
}

/// What a run of a strategy keeps to
#[derive(Clone, Copy, Default)]
pub struct Limits<'a> {
    /// Rules that must not be applied, by name
    pub disabled: &'a [String],
    /// Remark why this rule does not apply, wherever it is tried
    pub explain: Option<&'a str>,
    /// What rules may ask beyond the unit
    pub asks: Asks<'a>,
}

const NO_OP: Miss = Miss("no op below");

/// Is it the op of this name: its attribute `name`, or its first result's name?
fn is_called(ir: &Ir, op: OpId, name: &str) -> bool {
    let own = || ir.attr(op, "name").and_then(|attr| attr.as_str(ir.cx())) == Some(name);
    let result = || ir.num_results(op) > 0 && ir.value_name(ir.result(op, 0)) == Some(name);
    result() || own()
}

struct Run<'a> {
    limits: Limits<'a>,
    outcome: Outcome,
}

impl Strategy {
    /// Apply to a unit, from its own op; `Err` with the reason if the strategy fails
    ///
    /// A failure comes with the values that it was about, if there are some, in `Outcome::because`.
    pub fn run<'a>(&self, ir: &'a mut Ir, limits: Limits<'a>) -> (Outcome, Result<(), Miss>) {
        let mut run = Run { limits, outcome: Outcome::default() };
        let root = ir.root();
        let mut rw = Rewriter::new(ir);
        rw.asks = limits.asks;
        let result = run.apply(self, &mut rw, root);
        run.outcome.changed = rw.changed();
        run.outcome.because = rw.take_because().filter(|_| result.is_err());
        (run.outcome, result)
    }
}

impl Run<'_> {
    fn apply(&mut self, strategy: &Strategy, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        if self.outcome.diverged.is_some() {
            return Err(Miss("the run has been stopped"));
        }
        match strategy {
            Strategy::Rule(rule) => self.rule(*rule, &[], rw, op),
            Strategy::With(rule, args) => self.rule(*rule, args, rw, op),
            Strategy::At(name, part) => {
                let below = rw.ir().walk_below(op).filter(|op| is_called(rw.ir(), *op, name)).collect();
                self.everywhere(part, rw, below).map_err(|miss| match miss == NO_OP {
                    true => {
                        rw.because(name.as_str());
                        Miss("no op below has this name")
                    }
                    false => miss,
                })
            }
            Strategy::Seq(parts) => parts.iter().try_for_each(|part| {
                rw.ir().is_alive(op).or_miss("the op was replaced by the part before")?;
                self.apply(part, rw, op)
            }),
            Strategy::First(parts) => {
                let mut reason = Miss("no alternative");
                for part in parts {
                    match self.apply(part, rw, op) {
                        Ok(()) => return Ok(()),
                        Err(miss) => reason = miss,
                    }
                }
                Err(reason)
            }
            Strategy::Try(part) => {
                let _ = self.apply(part, rw, op);
                Ok(())
            }
            Strategy::Repeat(part, times) => {
                let mut count = 0;
                while count < times.unwrap_or(FUEL) {
                    if !rw.ir().is_alive(op) || self.apply(part, rw, op).is_err() {
                        return Ok(());
                    }
                    count += 1;
                }
                if times.is_none() {
                    self.stop(rw.ir());
                }
                Ok(())
            }
            Strategy::Somewhere(part) => {
                let mut reason = Miss("no op below");
                for inner in rw.ir().walk_below(op).collect::<Vec<_>>() {
                    match self.apply(part, rw, inner) {
                        Ok(()) => return Ok(()),
                        Err(miss) => reason = miss,
                    }
                }
                Err(reason)
            }
            Strategy::TopDown(part) => {
                let ops = rw.ir().walk_below(op).collect();
                self.everywhere(part, rw, ops)
            }
            Strategy::BottomUp(part) => {
                let ops = rw.ir().walk_post(op).collect();
                self.everywhere(part, rw, ops)
            }
        }
    }

    fn everywhere(&mut self, part: &Strategy, rw: &mut Rewriter<'_>, ops: Vec<OpId>) -> Result<(), Miss> {
        let mut reason = NO_OP;
        let mut any = false;
        for op in ops {
            if !rw.ir().is_alive(op) {
                continue;
            }
            match self.apply(part, rw, op) {
                Ok(()) => any = true,
                Err(miss) => reason = miss,
            }
        }
        if any { Ok(()) } else { Err(reason) }
    }

    fn rule(
        &mut self,
        rule: &'static dyn Rule,
        args: &[String],
        rw: &mut Rewriter<'_>,
        op: OpId,
    ) -> Result<(), Miss> {
        let name = rule.name();
        rw.take_because();
        // Rules start from one kind of op: another one is no miss worth telling.
        if rule.root().is_some_and(|root| !rw.ir().is(op, root)) {
            return Err(Miss("the rule starts from another op"));
        }
        if rw.ir().block(op).is_none() {
            return Err(Miss("rules apply to ops in blocks"));
        }
        if self.limits.disabled.iter().any(|disabled| disabled == name) {
            return Err(Miss("the rule is disabled"));
        }
        if rw.is_spent() {
            return Err(Miss("the limit of rewrites is reached"));
        }
        let kind = rw.ir().kind(op);
        let applied = if args.is_empty() { rule.apply(rw, op) } else { rule.apply_with(rw, op, args) };
        match applied {
            Ok(()) => {
                rw.applied(name, kind);
                *self.outcome.applied.entry(name).or_default() += 1;
            }
            Err(miss) if self.limits.explain == Some(name) => {
                // Kept for whoever fails with it.
                let because = rw.take_because();
                match &because {
                    Some(values) => {
                        self.outcome.miss(rw.ir(), op, name, &format!("{}: {values}", miss.0));
                        rw.because(values);
                    }
                    None => self.outcome.miss(rw.ir(), op, name, miss.0),
                }
            }
            Err(_) => {}
        }
        applied
    }

    fn stop(&mut self, ir: &Ir) {
        let counts = self.outcome.applied.iter().map(|(rule, count)| format!("`{rule}` {count} times"));
        let error = Diagnostic::error(&codes::DIVERGES, "the strategy does not come to an end; stopped")
            .at(ir.span(ir.root()))
            .note(format!(
                "`repeat` went on for {FUEL} rounds; applied: {}",
                counts.collect::<Vec<_>>().join(", ")
            ))
            .help("give `repeat` a number of rounds, as in `repeat(a, 3)`, or disable a rule");
        self.outcome.diverged = Some(Box::new(error));
    }
}
