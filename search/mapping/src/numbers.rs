//! Parameters of a `tune.space` as numbers to search, and what is wanted of them.
//!
//! Words are numbered in order, so that a parameter of words is one of numbers; words that are levels have the numbers of
//! levels. Sizes of the program are parameters of one value.

use crate::codes;
use crate::function::parameter;
use crate::problem::Problem;
use crate::rules::{Given, Tag};
use std::collections::BTreeMap;
use std::fmt;
use terrace_analysis::nat::Nat;
use terrace_dialect_array::nat_text::nat_of;
use terrace_dialect_tune::{
    Compare, Constraint, Derived, Domain, Formula as Statement, Objective, Param, Size, Space, Value,
};
use terrace_ir::{Attr, Ir, OpId};
use terrace_search_solver::{Cmp, Formula, Numbers, Source, Term, Var};

/// Why a space is none of numbers
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// A size of the program without a number
    Open(String),
    /// A name of no parameter
    Unknown(String),
    /// An attribute that is none of its op: what is wrong with it
    Malformed(&'static str),
    /// A size without a form as a number
    Size(String),
    /// A size that the reader does not know: what is wrong with it
    Part(&'static str),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Open(name) => write!(f, "@{name} has no value"),
            Unread::Unknown(name) => write!(f, "@{name} is not known"),
            Unread::Size(text) => write!(f, "`{text}` has no form as a number"),
            Unread::Malformed(what) | Unread::Part(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Unread {}

const NO_SIZE: Unread = Unread::Malformed("a value is no size");
const NO_DOMAIN: Unread = Unread::Malformed("a domain is malformed");
const NO_STATEMENT: Unread = Unread::Malformed("a statement is malformed");
const UNCLOSED: Unread = Unread::Part("`)` is missing");

/// A space as numbers
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Parameters and constraints, in order of text
    pub numbers: Numbers,
    /// Ops of the constraints
    pub constraints: Vec<OpId>,
    /// What is wanted: terms to make small
    pub objectives: Vec<Term>,
    /// What these are, and whether the least or the greatest is wanted
    pub wanted: Vec<(String, bool)>,
    /// Words of parameters of words, by number
    pub words: BTreeMap<(u32, i64), String>,
    by_name: BTreeMap<String, Var>,
}

impl Choices {
    /// The parameters of a space; values for sizes that have none come from `sizes`
    pub fn of(ir: &Ir, space: Space, sizes: &BTreeMap<String, i64>) -> Result<Choices, Unread> {
        let mut all = Choices::default();
        let cx = ir.cx();
        let text = |attr: Attr| attr.as_str(cx).unwrap_or("").to_string();
        let Some(entry) = ir.entry(space.body(ir)) else { return Ok(all) };
        for op in ir.block_ops(entry) {
            if let Some(size) = Size::cast(ir, op) {
                let name = text(size.name(ir));
                let value = match size.value(ir).and_then(|value| nat_of(cx, value)) {
                    Some(nat) => all.names().term(&nat)?,
                    None => Term::Int(*sizes.get(&name).ok_or_else(|| Unread::Open(name.clone()))?),
                };
                all.add(&name, Source::Derived(value));
            } else if let Some(derived) = Derived::cast(ir, op) {
                let nat = nat_of(cx, derived.value(ir)).ok_or(NO_SIZE)?;
                let mut value = all.names().term(&nat)?;
                for (holds, size) in derived.by_cases(ir).iter().rev() {
                    let names = all.names();
                    let (holds, size) = (names.statement(holds)?, names.term(size)?);
                    value = Term::If(Box::new(holds), Box::new(size), Box::new(value));
                }
                all.add(&text(derived.name(ir)), Source::Derived(value));
            } else if let Some(param) = Param::cast(ir, op) {
                let domain = Domain::from_attr(cx, param.domain(ir)).ok_or(NO_DOMAIN)?;
                all.param(&text(param.name(ir)), &domain)?;
            } else if let Some(constraint) = Constraint::cast(ir, op) {
                let formula = Statement::from_attr(cx, constraint.formula(ir)).ok_or(NO_STATEMENT)?;
                let formula = all.names().statement(&formula)?;
                all.numbers.require(formula);
                all.constraints.push(op);
            } else if let Some(objective) = Objective::cast(ir, op) {
                let nat = nat_of(cx, objective.value(ir)).ok_or(NO_SIZE)?;
                let term = all.names().term(&nat)?;
                let least = objective.goal(ir).as_str(cx) == Some("minimize");
                all.objectives.push(if least { term } else { Term::Int(0).sub(term) });
                all.wanted.push((text(objective.what(ir)), least));
            }
        }
        Ok(all)
    }

    fn add(&mut self, name: &str, source: Source) -> Var {
        let var = self.numbers.param(name, source);
        self.by_name.insert(name.to_string(), var);
        var
    }

    fn param(&mut self, name: &str, domain: &Domain) -> Result<(), Unread> {
        let source = match domain {
            Domain::Range(first, last, step) => {
                Source::Range(self.names().term(first)?, self.names().term(last)?, self.names().term(step)?)
            }
            Domain::Divisors(size) => Source::Divisors(self.names().term(size)?),
            Domain::Values(values) => {
                let mut numbers = Vec::new();
                let next = Var(self.numbers.params.len() as u32);
                for (n, value) in values.iter().enumerate() {
                    let number = match value {
                        Value::Int(value) => *value,
                        Value::Word(word) => {
                            let number = codes::parse(word).map_or(n as i64, codes::number);
                            self.words.insert((next.0, number), word.clone());
                            number
                        }
                    };
                    numbers.push(number);
                }
                numbers.sort_unstable();
                Source::Values(numbers)
            }
        };
        self.add(name, source);
        Ok(())
    }

    /// Add what a program asks of its sizes, with the next number of a constraint; the error names a symbol that is no parameter
    pub fn ask(&mut self, statement: &Statement) -> Result<usize, Unread> {
        let formula = self.names().statement(statement)?;
        self.numbers.require(formula);
        Ok(self.numbers.constraints.len() - 1)
    }

    /// A parameter by name
    pub fn var(&self, name: &str) -> Option<Var> {
        self.by_name.get(name).copied()
    }

    /// A value as it is written: a word, or the number
    pub fn value_text(&self, var: Var, value: i64) -> String {
        self.words.get(&(var.0, value)).cloned().unwrap_or_else(|| value.to_string())
    }

    fn names(&self) -> Names<'_> {
        Names {
            var: &self.by_name,
            word: Box::new(|var, word| {
                let own = self.words.iter().find(|((own, _), text)| *own == var.0 && *text == word);
                own.map(|((_, number), _)| *number)
            }),
        }
    }
}

/// What names and words of statements stand for
pub struct Names<'a> {
    /// Variables by name
    pub var: &'a BTreeMap<String, Var>,
    /// Numbers of a variable's words
    pub word: Box<dyn Fn(Var, &str) -> Option<i64> + 'a>,
}

impl Names<'_> {
    fn var(&self, name: &str) -> Result<Var, Unread> {
        self.var.get(name).copied().ok_or_else(|| Unread::Unknown(name.into()))
    }

    /// A statement as a formula
    pub fn statement(&self, formula: &Statement) -> Result<Formula, Unread> {
        let list =
            |all: &[Statement]| all.iter().map(|each| self.statement(each)).collect::<Result<Vec<_>, _>>();
        Ok(match formula {
            Statement::Known(known) => Formula::Known(*known),
            Statement::And(all) => Formula::and(list(all)?),
            Statement::Or(all) => Formula::or(list(all)?),
            Statement::Not(inner) => self.statement(inner)?.not(),
            Statement::Any(names, values) => {
                let one = |name: &String| {
                    let var = self.var(name)?;
                    let number = |value: &Value| match value {
                        Value::Int(value) => Some(*value),
                        Value::Word(word) => (self.word)(var, word),
                    };
                    Ok::<_, Unread>(Formula::is_in(var, values.iter().filter_map(number)))
                };
                Formula::or(names.iter().map(one).collect::<Result<Vec<_>, _>>()?)
            }
            Statement::Compare(cmp, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let cmp = match cmp {
                    Compare::Divides => return Ok(Formula::cmp(Cmp::Eq, b.rem(a), 0)),
                    Compare::Eq => Cmp::Eq,
                    Compare::Ne => Cmp::Ne,
                    Compare::Le => Cmp::Le,
                    Compare::Lt => Cmp::Lt,
                    Compare::Ge => Cmp::Ge,
                    Compare::Gt => Cmp::Gt,
                };
                Formula::cmp(cmp, a, b)
            }
        })
    }

    /// A size as a term: its text read again, in which exact quotients are quotients
    fn term(&self, nat: &Nat) -> Result<Term, Unread> {
        let text = nat.to_string();
        let mut read = Reader { text: text.as_bytes(), at: 0, names: self };
        let term = read.sum(0)?;
        read.blanks();
        if read.at < read.text.len() {
            return Err(Unread::Size(text));
        }
        Ok(term)
    }
}

/// The user's constraints on the maps of a function: those of its spaces with the tag `user`, in the unit that holds both
pub fn of_user(module: &Ir, function: &str, problem: &Problem) -> Result<Vec<Given>, Unread> {
    let cx = module.cx();
    let tree = &problem.tree;
    let vars: BTreeMap<String, Var> =
        (0..tree.loops.len()).map(|n| (parameter(tree, n), Var(n as u32))).collect();
    let names = Names { var: &vars, word: Box::new(|_, word| codes::parse(word).map(codes::number)) };
    let mut out = Vec::new();
    for space in module.walk().filter_map(|op| Space::cast(module, op)) {
        if space.of(module).and_then(|of| of.as_str(cx)) != Some(function) {
            continue;
        }
        let body = module.entry(space.body(module));
        for op in body.into_iter().flat_map(|body| module.block_ops(body)) {
            let Some(constraint) = Constraint::cast(module, op) else { continue };
            if constraint.tag(module).as_str(cx) != Some("user") {
                continue;
            }
            let statement = Statement::from_attr(cx, constraint.formula(module)).ok_or(NO_STATEMENT)?;
            // What only numbers are asked is no matter of levels.
            let asked = statement.names();
            if !asked.is_empty() && asked.iter().all(|name| !name.starts_with("m.")) {
                continue;
            }
            let formula = names.statement(&statement)?;
            let about = formula.scope().into_iter().map(Var::index).collect();
            let text = |attr: Attr| attr.as_str(cx).unwrap_or("").to_string();
            let rule = text(constraint.rule(module));
            let reason = constraint.reason(module).map(text).unwrap_or_default();
            let reason = if reason.is_empty() { rule } else { format!("{rule}: {reason}") };
            out.push(Given { rule: "user", kind: "user", tag: Tag::User, formula, about, reason });
        }
    }
    Ok(out)
}

/// Reads canonical text of sizes
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    names: &'a Names<'a>,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    fn take(&mut self, word: &str) -> bool {
        self.blanks();
        let found = self.text[self.at..].starts_with(word.as_bytes());
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn sum(&mut self, depth: usize) -> Result<Term, Unread> {
        if depth > 200 {
            return Err(Unread::Part("nested too deep"));
        }
        let mut sum =
            if self.take("-") { Term::Int(0).sub(self.product(depth)?) } else { self.product(depth)? };
        loop {
            if self.take("+") {
                sum = sum.add(self.product(depth)?);
            } else if self.take("-") {
                sum = sum.sub(self.product(depth)?);
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Result<Term, Unread> {
        let mut product = self.power(depth)?;
        loop {
            if self.take("*") {
                product = product.mul(self.power(depth)?);
            } else if self.take("/") || self.take("floordiv") {
                product = product.div(self.power(depth)?);
            } else if self.take("mod") {
                product = product.rem(self.power(depth)?);
            } else if self.take("ceildiv") {
                let by = self.power(depth)?;
                product = product.add(by.clone()).sub(1).div(by);
            } else {
                return Ok(product);
            }
        }
    }

    fn power(&mut self, depth: usize) -> Result<Term, Unread> {
        let base = self.primary(depth)?;
        if !self.take("^") {
            return Ok(base);
        }
        match self.primary(depth)? {
            Term::Int(times @ 1..=16) => {
                Ok((1..times).fold(base.clone(), |power, _| power.mul(base.clone())))
            }
            _ => Err(Unread::Part("a power is a number up to 16")),
        }
    }

    fn primary(&mut self, depth: usize) -> Result<Term, Unread> {
        if self.take("(") {
            let inner = self.sum(depth + 1)?;
            return if self.take(")") { Ok(inner) } else { Err(UNCLOSED) };
        }
        for (word, least) in [("min(", true), ("max(", false)] {
            if !self.take(word) {
                continue;
            }
            let mut all = self.sum(depth + 1)?;
            while self.take(",") {
                let next = self.sum(depth + 1)?;
                all = if least { all.min(next) } else { all.max(next) };
            }
            return if self.take(")") { Ok(all) } else { Err(UNCLOSED) };
        }
        let word = |from: usize, text: &[u8]| {
            let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
            let end = text[from..].iter().position(|byte| !name(byte)).map_or(text.len(), |n| from + n);
            String::from_utf8_lossy(&text[from..end]).into_owned()
        };
        if self.take("@") {
            let name = word(self.at, self.text);
            self.at += name.len();
            return self.names.var(&name).map(Term::Var);
        }
        self.blanks();
        let digits = word(self.at, self.text);
        self.at += digits.len();
        digits.parse().map(Term::Int).map_err(|_| Unread::Part("a size that is no number"))
    }
}
