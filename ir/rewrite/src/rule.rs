//! Rules: named rewrites with a match that only reads.

use crate::rewriter::Rewriter;
use std::fmt;
use terrace_ir::{Ir, OpDef, OpId};

/// Why a rule does not apply
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Miss(pub &'static str);

/// Turn absence into a reason
pub trait OrMiss {
    /// What is there if it is
    type Some;
    /// The reason if it is not
    fn or_miss(self, reason: &'static str) -> Result<Self::Some, Miss>;
}

impl<T> OrMiss for Option<T> {
    type Some = T;
    fn or_miss(self, reason: &'static str) -> Result<T, Miss> {
        self.ok_or(Miss(reason))
    }
}

impl OrMiss for bool {
    type Some = ();
    fn or_miss(self, reason: &'static str) -> Result<(), Miss> {
        if self { Ok(()) } else { Err(Miss(reason)) }
    }
}

/// A rule in its imperative form
///
/// `matches` sees the unit as it is and gives what it found; `rewrite` gets just that and cannot refuse any more.
pub trait Pattern: Send + Sync + 'static {
    /// Name in traces, statistics and `--disable-rule`: snake case, the equation in words
    const NAME: &'static str;
    /// The op it starts from; `None` for any op
    const ROOT: Option<&'static OpDef>;
    /// What matching finds
    type Found;
    /// Does it apply to this op?
    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss>;
    /// Apply it
    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, found: Self::Found);
}

/// A rule as the drivers see it; every `Pattern` is one
pub trait Rule: Send + Sync {
    /// Name in traces, statistics and `--disable-rule`
    fn name(&self) -> &'static str;
    /// The op it starts from; `None` for any op
    fn root(&self) -> Option<&'static OpDef>;
    /// Apply it to this op, or say why not having changed nothing
    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss>;
    /// Names of what stands in parentheses behind the rule in a strategy; those with `?` at the end may be left out
    fn parameters(&self) -> &'static [&'static str] {
        &[]
    }
    /// Are these texts values of the parameters? Their number has been checked
    fn check(&self, _args: &[String]) -> Result<(), BadValue> {
        Ok(())
    }
    /// The same as `apply`, with values for the parameters, which have been checked
    fn apply_with(&self, rw: &mut Rewriter<'_>, op: OpId, _args: &[String]) -> Result<(), Miss> {
        self.apply(rw, op)
    }
    /// What it does, in a line; empty for rules whose name says it
    fn law(&self) -> &'static str {
        ""
    }
}

/// A value that its parameter does not take
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadValue {
    /// The parameter
    pub parameter: &'static str,
    /// The value
    pub value: String,
    /// Why not
    pub why: String,
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` = `{}`: {}", self.parameter, self.value, self.why)
    }
}

impl std::error::Error for BadValue {}

/// Why a rule is not applied with these values
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgError {
    /// It takes another number of values
    Count {
        /// The rule
        rule: &'static str,
        /// Names of its parameters
        parameters: &'static [&'static str],
        /// Number of values
        given: usize,
    },
    /// One of them is none of its parameter
    Value {
        /// The rule
        rule: &'static str,
        /// The value
        why: BadValue,
    },
}

impl fmt::Display for ArgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgError::Count { rule, parameters: [], .. } => write!(f, "rule `{rule}` takes no parameters"),
            ArgError::Count { rule, parameters, given } => {
                write!(f, "rule `{rule}` takes ({}), not {given} values", parameters.join(", "))
            }
            ArgError::Value { rule, why } => write!(f, "rule `{rule}`: {why}"),
        }
    }
}

impl std::error::Error for ArgError {}

/// Check the number of values and the values of a rule's parameters
pub fn check_args(rule: &dyn Rule, args: &[String]) -> Result<(), ArgError> {
    let parameters = rule.parameters();
    let needed = parameters.iter().filter(|name| !name.ends_with('?')).count();
    if !(needed..=parameters.len()).contains(&args.len()) {
        return Err(ArgError::Count { rule: rule.name(), parameters, given: args.len() });
    }
    rule.check(args).map_err(|why| ArgError::Value { rule: rule.name(), why })
}

impl<P: Pattern> Rule for P {
    fn name(&self) -> &'static str {
        P::NAME
    }
    fn root(&self) -> Option<&'static OpDef> {
        P::ROOT
    }
    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        let found = self.matches(rw.ir(), op)?;
        self.rewrite(rw, op, found);
        Ok(())
    }
}

/// A rule built from two functions, for rules that are too small for a type
///
/// ```ignore
/// static NOT_NOT: FnRule<Value> = FnRule { name: "not_not", root: Some(XOrI::DEF), find: inner_of_not, put: replace_by };
/// ```
pub struct FnRule<F: 'static> {
    /// Name
    pub name: &'static str,
    /// The op it starts from
    pub root: Option<&'static OpDef>,
    /// Does it apply?
    pub find: fn(&Ir, OpId) -> Result<F, Miss>,
    /// Apply it
    pub put: fn(&mut Rewriter<'_>, OpId, F),
}

impl<F: 'static> Rule for FnRule<F> {
    fn name(&self) -> &'static str {
        self.name
    }
    fn root(&self) -> Option<&'static OpDef> {
        self.root
    }
    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        let found = (self.find)(rw.ir(), op)?;
        (self.put)(rw, op, found);
        Ok(())
    }
}

/// A named list of rules with the reason why applying them comes to an end
pub struct RuleSet {
    /// Name, kebab case
    pub name: &'static str,
    /// What falls with each application
    pub measure: &'static str,
    /// The rules, tried in this order
    pub rules: &'static [&'static dyn Rule],
}
