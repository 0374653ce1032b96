//! Values of a script, and what primitives work on: arguments, the computation, the stages so far

use crate::refusal::Code;
use crate::stage::World;
use crate::syntax::{Expr, fail};
use crate::{Computation, ScriptError};
use std::ops::Range;

pub(crate) type Done<T> = Result<T, ScriptError>;

/// What an expression stands for
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Int(i64),
    Str(String),
    Word,
    /// A dimension by its name: the axis of it that the stage in question has
    Dim(usize),
    /// Axis of a stage
    Axis(usize, usize),
    Many(Vec<Value>),
    Tensor(usize),
    Op(usize),
    Schedule,
    Stage(usize),
    /// An axis of the grid by its tag
    Thread(String),
    /// `te`, `tvm.te`, …
    Module(String),
    Lambda(Vec<String>, Box<Expr>),
}

impl Value {
    pub(crate) fn what(&self) -> &'static str {
        match self {
            Value::Int(_) => "a number",
            Value::Str(_) => "a text",
            Value::Word => "True, False or None",
            Value::Dim(_) | Value::Axis(..) => "an axis",
            Value::Many(_) => "several things",
            Value::Tensor(_) => "a tensor",
            Value::Op(_) => "an op",
            Value::Schedule => "the schedule",
            Value::Stage(_) => "a stage",
            Value::Thread(_) => "a thread axis",
            Value::Module(_) => "a module",
            Value::Lambda(..) => "a function",
        }
    }
}

/// Arguments of a call
pub(crate) struct Args {
    pub positional: Vec<(Value, Range<usize>)>,
    pub keywords: Vec<(String, Value, Range<usize>)>,
    pub at: Range<usize>,
}

impl Args {
    /// An argument by position or by name
    pub(crate) fn find(&self, position: usize, name: &str) -> Option<(Value, Range<usize>)> {
        let keyword = self.keywords.iter().find(|(known, _, _)| known == name);
        keyword
            .map(|(_, value, at)| (value.clone(), at.clone()))
            .or_else(|| self.positional.get(position).cloned())
    }

    pub(crate) fn take(&self, position: usize, name: &str, missing: &str) -> Done<(Value, Range<usize>)> {
        match self.find(position, name) {
            Some(found) => Ok(found),
            None => fail(self.at.clone(), Code::Call.because(missing)),
        }
    }
}

/// A computation with the stages that a script gives it
pub(crate) struct Script<'a> {
    pub of: &'a Computation,
    pub world: World,
}
