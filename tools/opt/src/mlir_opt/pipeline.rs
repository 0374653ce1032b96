//! Pipelines of `mlir-opt`, as data and as text.
//!
//! Built from flags or from `--pass-pipeline`, printed as `--dump-pass-pipeline` and reproducers have them. What the
//! passes mean here is looked up later ([`steps`](super::steps)).

use super::passes::{self, Known};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write;
use terrace_pass::{PassInfo, Registry};

/// A pass that a pipeline names
#[derive(Clone, Copy)]
pub enum Named {
    /// One of MLIR's
    Upstream(&'static Known),
    /// One that only this tool has
    Own(&'static PassInfo),
}

impl Named {
    /// A pass by name: MLIR's first
    pub fn find(name: &str, registry: &Registry) -> Option<Named> {
        let own = || registry.find(name).map(Named::Own);
        passes::find(name).map(Named::Upstream).or_else(own)
    }

    /// As the command line has it
    pub fn name(self) -> &'static str {
        match self {
            Named::Upstream(known) => known.name,
            Named::Own(info) => info.name,
        }
    }

    /// One name for all that a pass has, here and in MLIR
    pub fn resolved(self, registry: &Registry) -> &'static str {
        registry.find(self.name()).map_or(self.name(), |info| info.name)
    }

    /// As headers of printed IR have it
    pub fn class(self) -> &'static str {
        match self {
            Named::Upstream(known) => known.class,
            Named::Own(info) => info.name,
        }
    }

    /// The op that it runs on, if only on one kind
    pub fn op(self) -> Option<&'static str> {
        match self {
            Named::Upstream(known) => known.op(),
            Named::Own(info) => info.anchor,
        }
    }

    /// Can it run on this kind of op at all?
    pub fn runs_on(self, anchor: &str) -> bool {
        match self {
            Named::Upstream(known) if known.any() => true,
            Named::Upstream(known) if known.op().is_none() => anchor == "func.func",
            named => named.op().is_none_or(|op| op == anchor),
        }
    }
}

/// A pass with its options
#[derive(Clone)]
pub struct Use {
    /// Which
    pub pass: Named,
    /// Options as they were given
    pub given: Vec<(String, String)>,
}

/// A step of a pipeline
#[derive(Clone)]
pub enum Node {
    /// A pass
    Pass(Use),
    /// Steps on each op of a kind directly inside
    Nest(Nest),
}

/// Steps for ops of one kind
#[derive(Clone)]
pub struct Nest {
    /// Name of the op
    pub anchor: String,
    /// Steps, in order
    pub steps: Vec<Node>,
}

impl Nest {
    /// Steps on an op, none yet
    pub fn new(anchor: &str) -> Nest {
        Nest { anchor: anchor.to_string(), steps: Vec::new() }
    }

    /// Add a pass; one that runs on another kind of op is nested in that, as flags do it
    pub fn add_implicitly(&mut self, used: Use) {
        match used.pass.op().filter(|op| *op != self.anchor) {
            None => self.steps.push(Node::Pass(used)),
            Some(op) => {
                let steps = vec![Node::Pass(used)];
                self.steps.push(Node::Nest(Nest { anchor: op.to_string(), steps }));
            }
        }
    }

    /// Nests on one kind of op, one after the other, become one: they run op by op
    pub fn join_nests(&mut self) {
        let mut joined: Vec<Node> = Vec::new();
        for step in self.steps.drain(..) {
            match (joined.last_mut(), step) {
                (Some(Node::Nest(last)), Node::Nest(next)) if last.anchor == next.anchor => {
                    last.steps.extend(next.steps);
                }
                (_, step) => joined.push(step),
            }
        }
        for step in &mut joined {
            if let Node::Nest(inner) = step {
                inner.join_nests();
            }
        }
        self.steps = joined;
    }

    /// The steps ahead of one, by number, and that one alone
    pub fn divided(&self, step: usize) -> (Nest, Nest) {
        self.divide(&mut 0, step)
    }

    fn divide(&self, next: &mut usize, step: usize) -> (Nest, Nest) {
        let (mut ahead, mut only) = (Nest::new(&self.anchor), Nest::new(&self.anchor));
        for node in &self.steps {
            match node {
                Node::Pass(_) => {
                    match (*next).cmp(&step) {
                        Ordering::Less => ahead.steps.push(node.clone()),
                        Ordering::Equal => only.steps.push(node.clone()),
                        Ordering::Greater => {}
                    }
                    *next += 1;
                }
                Node::Nest(inner) => {
                    let (before, found) = inner.divide(next, step);
                    let kept = |nest: Nest| (!nest.steps.is_empty()).then_some(Node::Nest(nest));
                    ahead.steps.extend(kept(before));
                    only.steps.extend(kept(found));
                }
            }
        }
        (ahead, only)
    }

    /// The first pass that cannot run where it stands, and where that is
    pub fn misplaced(&self) -> Option<(Named, &str)> {
        self.steps.iter().find_map(|step| match step {
            Node::Pass(used) => (!used.pass.runs_on(&self.anchor)).then_some((used.pass, &*self.anchor)),
            Node::Nest(inner) => inner.misplaced(),
        })
    }

    /// `builtin.module(cse,canonicalize{…})` with all options; `comma` separates passes
    pub fn to_text(&self, comma: &str) -> String {
        let steps: Vec<String> = self
            .steps
            .iter()
            .map(|step| match step {
                Node::Pass(used) => used.to_text(),
                Node::Nest(inner) => inner.to_text(comma),
            })
            .collect();
        format!("{}({})", self.anchor, steps.join(comma))
    }

    /// As `--dump-pass-pipeline` prints it
    pub fn dump(&self) -> String {
        let mut out = format!("Pass Manager with {} passes:\n", self.steps.len());
        self.dump_into(&mut out, 0);
        out.push_str("\n\n");
        out
    }

    fn dump_into(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        let _ = writeln!(out, "{indent}{}(", self.anchor);
        for (n, step) in self.steps.iter().enumerate() {
            match step {
                Node::Pass(used) => {
                    let _ = write!(out, "{indent}  {}", used.to_text());
                }
                Node::Nest(inner) => inner.dump_into(out, depth + 1),
            }
            out.push_str(if n + 1 < self.steps.len() { ",\n" } else { "" });
        }
        let _ = write!(out, "\n{indent})");
    }
}

impl Use {
    /// Value of an option: as given, or the default
    pub fn value(&self, name: &str) -> Option<&str> {
        let given = self.given.iter().rev().find(|(other, _)| other == name);
        let default = || match self.pass {
            Named::Upstream(known) => known.option(name)?.default,
            Named::Own(_) => None,
        };
        given.map(|(_, value)| value.as_str()).or_else(default)
    }

    fn to_text(&self) -> String {
        let options: Vec<String> = match self.pass {
            Named::Upstream(known) if known.options.is_empty() => return known.name.to_string(),
            Named::Upstream(known) => {
                let text = |option: &passes::KnownOption| match (self.value(option.name), option.kind) {
                    (Some(value), "bool") if option.default.is_some() => {
                        format!("{}={}", option.name, super::words::truth("", Some(value)).unwrap_or(true))
                    }
                    (Some(value), _) if option.default.is_none() => {
                        format!("{}={{{}}}", option.name, braced(value))
                    }
                    (Some(value), _) => format!("{}={}", option.name, braced(value)),
                    (None, _) => String::new(),
                };
                known.options.iter().map(text).collect()
            }
            Named::Own(info) if self.given.is_empty() => return info.name.to_string(),
            Named::Own(_) => {
                self.given.iter().map(|(name, value)| format!("{name}={}", braced(value))).collect()
            }
        };
        format!("{}{{{}}}", self.pass.name(), options.join(" "))
    }
}

/// A value as it can be read again: in braces if it has blanks outside of such
fn braced(value: &str) -> Cow<'_, str> {
    let mut depth = 0i32;
    let blank = value.chars().any(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ' ' && depth <= 0
    });
    if blank { Cow::Owned(format!("{{{value}}}")) } else { Cow::Borrowed(value) }
}
