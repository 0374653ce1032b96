//! Rules on a graph of equal programs.
//!
//! A rule is code that rewrites an op of a program. So a program is taken out of the graph for it: a term with one way to choose
//! each part, as the body of a function; the rule is applied to it; what comes back is put into the graph next to the term. Parts
//! are the cheapest there are, but for one path down from the root, along which each choice is tried: what rules look at
//! stands on such a path. Everything goes in order and nothing asks the clock: the same program gives the same.

use crate::build::Writer;
use crate::cost::{Goal, Model};
use crate::lang::{Label, Labels, NoTerm, Node, Reader};
use egg::{EGraph, Extractor, Id};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_dialect_array::obligations::obligations;
use terrace_dialect_func::{Func, Return};
use terrace_ir::{Builder, Context, Ir, Loc, NewOp, OpId, Value};
use terrace_passes_array::rules::outside::may_trap;
use terrace_rewrite::{Asks, Rewriter, Rule};
use terrace_support::{HashMap, HashSet};

/// A rule with values for its parameters
#[derive(Clone)]
pub struct Use {
    /// The rule
    pub rule: &'static dyn Rule,
    /// Values of its parameters
    pub args: Vec<String>,
}

/// How far to go
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Rounds over the whole graph
    pub iterations: usize,
    /// Terms in the graph
    pub nodes: usize,
    /// Times that a rule is tried
    pub tries: usize,
    /// How far down choices are tried
    pub depth: usize,
}

/// What came of it
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Found {
    /// How often each rule gave something new
    pub applied: BTreeMap<&'static str, u64>,
    /// Rounds
    pub iterations: usize,
    /// Rules tried
    pub tries: usize,
    /// Sets of equal terms
    pub classes: usize,
    /// Terms
    pub nodes: usize,
    /// Programs left alone since they may trap
    pub trapping: usize,
    /// No rule gives anything new
    pub saturated: bool,
    /// Cost of the program as it was, and of the cheapest
    pub cost: (f64, f64),
}

/// What programs cost
#[derive(Clone, PartialEq, Debug)]
pub struct Costs {
    /// What is to be small
    pub goal: Goal,
    /// Numbers of symbols
    pub known: BTreeMap<String, i64>,
    /// Number for a size that is not known
    pub size: f64,
}

/// Equal programs
pub struct Space<'a> {
    cx: Arc<Context>,
    function: &'a Ir,
    graph: EGraph<Node, ()>,
    labels: Labels,
    root: Id,
    asks: Asks<'a>,
    costs: Costs,
}

/// Most other choices for one part
const CHOICES: usize = 6;

/// The cheapest term of each set, and all terms of it, the cheapest first: as they were when the round began, with the numbers
/// that sets had then
struct Snapshot {
    best: HashMap<Id, Node>,
    all: BTreeMap<Id, Vec<Node>>,
}

/// Choices along a path: which part, and what it is
type Path = Vec<(usize, Node)>;

impl<'a> Space<'a> {
    /// With one program
    pub fn new(function: &'a Ir, asks: Asks<'a>, costs: Costs) -> Result<Space<'a>, NoTerm> {
        let no = |why: &str| NoTerm { op: function.root(), why: why.into() };
        let func = Func::cast(function, function.root()).ok_or_else(|| no("it is no function"))?;
        let region = func.body(function);
        let block = function.single_block(region).ok_or_else(|| no("it is not one block"))?;
        let end = function.last_op(block).filter(|end| function.is(*end, Return::DEF));
        let end = end.ok_or_else(|| no("it does not end in a return"))?;
        let other = |op: &OpId| *op != end && !terrace_rewrite::dead::is_removable(function, *op);
        if let Some(op) = function.block_ops(block).find(other) {
            return Err(NoTerm { op, why: "it does more than give a value".into() });
        }
        let args: HashMap<Value, Label> = function
            .block_args(block)
            .iter()
            .enumerate()
            .map(|(n, arg)| (*arg, Label::Arg(n as u32, function.ty(*arg))))
            .collect();
        let (mut graph, mut labels) = (EGraph::default(), Labels::default());
        let mut reader = Reader::new(function, region, args);
        let mut parts = Vec::new();
        for value in function.operands(end) {
            parts.push(reader.term(value, &mut labels, &mut |node| graph.add(node))?);
        }
        let root = graph.add(Node { label: labels.number(Label::Program), parts });
        graph.rebuild();
        Ok(Space { cx: function.cx_arc().clone(), function, graph, labels, root, asks, costs })
    }

    fn model(&self) -> Model<'_> {
        let Costs { goal, known, size } = &self.costs;
        Model { labels: &self.labels, cx: &self.cx, known, size: *size, goal: *goal }
    }

    /// Cost of the cheapest program
    pub fn cost(&self) -> f64 {
        Extractor::new(&self.graph, self.model()).find_best_cost(self.root).total()
    }

    /// Rules, until none gives anything new or a limit is met
    pub fn saturate(&mut self, rules: &[Use], limits: Limits) -> Found {
        let first = self.cost();
        let mut found = Found { cost: (first, first), ..Found::default() };
        let mut tried: HashSet<u64> = HashSet::default();
        while found.iterations < limits.iterations && !found.saturated {
            found.iterations += 1;
            let (changed, whole) = self.round(rules, limits, &mut found, &mut tried);
            self.graph.rebuild();
            found.saturated = !changed && whole;
            if !whole {
                break;
            }
        }
        (found.classes, found.nodes) = (self.graph.number_of_classes(), self.graph.total_size());
        found.cost.1 = self.cost();
        found
    }

    fn snapshot(&self) -> Snapshot {
        let extractor = Extractor::new(&self.graph, self.model());
        let (mut best, mut all) = (HashMap::default(), BTreeMap::new());
        for class in self.graph.classes() {
            let node = extractor.find_best_node(class.id).clone();
            let mut nodes = vec![node.clone()];
            nodes.extend(class.nodes.iter().filter(|other| **other != node).cloned());
            all.insert(class.id, nodes);
            best.insert(class.id, node);
        }
        Snapshot { best, all }
    }

    /// Is there anything new, and was everything tried?
    fn round(
        &mut self,
        rules: &[Use],
        limits: Limits,
        found: &mut Found,
        tried: &mut HashSet<u64>,
    ) -> (bool, bool) {
        let snapshot = self.snapshot();
        let mut changed = false;
        for (class, nodes) in &snapshot.all {
            for node in nodes {
                let Label::Op(op) = self.labels.label(node.label) else { continue };
                let def = self.cx.def(op.kind);
                let fits = |each: &&Use| each.rule.root().is_none_or(|root| std::ptr::eq(root, def));
                let fitting: Vec<&Use> = rules.iter().filter(fits).collect();
                if fitting.is_empty() {
                    continue;
                }
                for path in paths(&snapshot, node, limits.depth) {
                    let terms = taken_out(&snapshot, node, &path);
                    let trial = Trial { class: *class, terms: &terms, limits };
                    match self.apply(&fitting, &trial, found, tried) {
                        Some(new) => changed |= new,
                        None => return (changed, false),
                    }
                }
            }
        }
        (changed, true)
    }

    /// Rules on one term; nothing if a limit is met
    fn apply(
        &mut self,
        rules: &[&Use],
        trial: &Trial<'_>,
        found: &mut Found,
        tried: &mut HashSet<u64>,
    ) -> Option<bool> {
        let mut changed = false;
        let mut program: Option<Program> = None;
        for each in rules {
            if !tried.insert(terrace_support::hash_one(&(each.rule.name(), &each.args, trial.terms))) {
                continue;
            }
            let Limits { tries, nodes, .. } = trial.limits;
            if found.tries >= tries || self.graph.total_size() >= nodes {
                return None;
            }
            found.tries += 1;
            let now = match program.take() {
                Some(program) => program,
                None => match self.program(trial.terms) {
                    Some(program) => program,
                    None => return Some(changed),
                },
            };
            if now.traps {
                found.trapping += 1;
                return Some(changed);
            }
            let Program { mut unit, end, args, .. } = now;
            let op = unit.defining_op(unit.operand(end, 0))?;
            let applied = {
                let mut rw = Rewriter::new(&mut unit);
                rw.asks = self.asks;
                match each.args.is_empty() {
                    true => each.rule.apply(&mut rw, op),
                    false => each.rule.apply_with(&mut rw, op, &each.args),
                }
            };
            if applied.is_err() {
                program = Some(Program { unit, end, args, traps: false });
                continue;
            }
            let (graph, labels) = (&mut self.graph, &mut self.labels);
            let body = unit.block(end).and_then(|block| unit.block_region(block))?;
            let mut reader = Reader::new(&unit, body, args);
            if let Ok(new) = reader.term(unit.operand(end, 0), labels, &mut |node| graph.add(node))
                && graph.find(new) != graph.find(trial.class)
            {
                graph.union(trial.class, new);
                *found.applied.entry(each.rule.name()).or_default() += 1;
                changed = true;
            }
        }
        Some(changed)
    }

    /// A term as the body of a function; the last term is the root
    fn program(&self, terms: &[Node]) -> Option<Program> {
        let root = terms.len().checked_sub(1)?;
        let kind = self.cx.kind_of(Func::DEF)?;
        let mut unit = Ir::new_unit(&self.cx, kind, 1, Loc::UNKNOWN);
        let top = unit.root();
        unit.set_dict(top, self.function.dict(self.function.root()));
        let block = unit.append_block(unit.region(top, 0));
        let mut args: HashMap<Value, Label> = HashMap::default();
        let mut outside: HashMap<(bool, u32), Value> = HashMap::default();
        let numbers = crate::build::free(terms, &self.labels).pop()?;
        let variables = numbers.into_iter().map(|(number, ty)| Label::Var(number, ty));
        let given = terms.iter().map(|term| self.labels.label(term.label).clone());
        for label in variables.chain(given.filter(|label| matches!(label, Label::Arg(..)))) {
            let (Label::Var(_, ty) | Label::Arg(_, ty)) = label else { continue };
            let Some(key) = place_of(&label) else { continue };
            if !outside.contains_key(&key) {
                let arg = unit.add_block_arg(block, ty);
                outside.insert(key, arg);
                args.insert(arg, label);
            }
        }
        let find = |label: &Label| outside.get(&place_of(label)?).copied();
        let values = Writer::new(&mut unit, (block, None), &self.labels, terms, &find).values(&[root])?;
        let mut b = Builder::at_end(&mut unit, block);
        let kind = b.kind(Return::DEF);
        let end = b.insert(&NewOp { operands: &values, ..NewOp::new(kind) });
        let traps = unit.walk().any(|op| op != end && may_trap(&unit, op)) || !obligations(&unit).is_empty();
        Some(Program { unit, end, args, traps })
    }

    /// The cheapest program, in place of the function's body; nothing if it cannot be written
    pub fn write(&self, into: &mut Ir) -> Option<()> {
        let (_, expression) = Extractor::new(&self.graph, self.model()).find_best(self.root);
        let terms: &[Node] = &expression;
        let parts: Vec<usize> = terms.last()?.parts.iter().map(|part| usize::from(*part)).collect();
        let body = Func::cast(into, into.root())?.body(into);
        let block = into.single_block(body)?;
        let end = into.last_op(block)?;
        let old: Vec<OpId> = into.block_ops(block).filter(|op| *op != end).collect();
        let args: Vec<Value> = into.block_args(block).to_vec();
        let find = |label: &Label| match label {
            Label::Arg(n, _) => args.get(*n as usize).copied(),
            _ => None,
        };
        let values = Writer::new(into, (block, Some(end)), &self.labels, terms, &find).values(&parts)?;
        into.set_operands(end, &values, &[]);
        for op in old.into_iter().rev() {
            into.erase(op);
        }
        Some(())
    }
}

/// A term to try rules on
struct Trial<'a> {
    class: Id,
    terms: &'a [Node],
    limits: Limits,
}

/// A term as a program
struct Program {
    unit: Ir,
    end: OpId,
    args: HashMap<Value, Label>,
    traps: bool,
}

/// Variables and arguments by number: a term may not know the type
fn place_of(label: &Label) -> Option<(bool, u32)> {
    match label {
        Label::Arg(n, _) => Some((true, *n)),
        Label::Var(number, _) => Some((false, *number)),
        _ => None,
    }
}

/// Ways to choose parts of a node: the cheapest throughout, and every other choice at the end of a path
fn paths(snapshot: &Snapshot, node: &Node, depth: usize) -> Vec<Path> {
    let mut all: Vec<Path> = vec![Vec::new()];
    let mut pending: Vec<(Path, Node)> = vec![(Vec::new(), node.clone())];
    while let Some((path, at)) = pending.pop() {
        if path.len() >= depth {
            continue;
        }
        for (n, part) in at.parts.iter().enumerate() {
            let choices = snapshot.all.get(part).map_or(&[][..], Vec::as_slice);
            for (m, choice) in choices.iter().take(CHOICES).enumerate() {
                let mut longer = path.clone();
                longer.push((n, choice.clone()));
                // The first is the cheapest, which all paths have where they end.
                if m > 0 {
                    all.push(longer.clone());
                }
                pending.push((longer, choice.clone()));
            }
        }
    }
    all
}

/// The term of a node with the choices of a path; parts stand before what they are parts of
fn taken_out(snapshot: &Snapshot, node: &Node, path: &[(usize, Node)]) -> Vec<Node> {
    let (mut terms, mut done): (Vec<Node>, HashMap<Id, usize>) = (Vec::new(), HashMap::default());
    // From the end of the path: what is below is the cheapest.
    let mut below: Option<(usize, usize)> = None;
    for at in (0..=path.len()).rev() {
        let node = if at == 0 { node } else { &path[at - 1].1 };
        let mut parts = Vec::new();
        for (n, part) in node.parts.iter().enumerate() {
            let term = match below {
                Some((chosen, term)) if chosen == n => term,
                _ => cheapest(snapshot, *part, &mut terms, &mut done),
            };
            parts.push(Id::from(term));
        }
        terms.push(Node { label: node.label, parts });
        below = (at > 0).then(|| (path[at - 1].0, terms.len() - 1));
    }
    terms
}

fn cheapest(snapshot: &Snapshot, class: Id, terms: &mut Vec<Node>, done: &mut HashMap<Id, usize>) -> usize {
    let mut pending = vec![class];
    while let Some(class) = pending.last().copied() {
        if done.contains_key(&class) {
            pending.pop();
            continue;
        }
        let Some(node) = snapshot.best.get(&class) else {
            // A set that is newer than the snapshot is part of no node of it.
            pending.pop();
            continue;
        };
        let missing: Vec<Id> = node.parts.iter().filter(|part| !done.contains_key(*part)).copied().collect();
        if missing.is_empty() {
            let parts = node.parts.iter().map(|part| Id::from(done[part])).collect();
            terms.push(Node { label: node.label, parts });
            done.insert(class, terms.len() - 1);
            pending.pop();
        } else {
            pending.extend(missing);
        }
    }
    done.get(&class).copied().unwrap_or(0)
}
