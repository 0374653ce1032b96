//! What is known of the values of one function: their expressions, views and ranges, and which of them wait.

use crate::buffer::View;
use crate::expr::{Expr, prec};
use crate::refusal::{Done, Refused};
use crate::text::Slot;
use crate::types::Scalar;
use terrace_ir::{Ir, Value};
use terrace_support::HashMap;

/// What stands for an IR value
#[derive(Clone, Debug)]
pub(crate) enum Val {
    Expr(Expr),
    View(View),
}

/// Values of which a lane is meant, while the body of a helper is printed
#[derive(Default)]
pub(crate) struct Lanes {
    pub values: Vec<(Value, Expr)>,
    pub results: Vec<(Value, Expr)>,
}

/// Values of the IR as the text has them
#[derive(Default)]
pub(crate) struct Values {
    known: HashMap<Value, Val>,
    /// Bounds of integers
    ranges: HashMap<Value, (i128, i128)>,
    /// Upper bounds of induction variables
    pub below: HashMap<Value, Value>,
    /// Expressions that wait for their user, in order
    pub pending: Vec<Value>,
    /// Number of variables that are assigned more than once
    pub slots: u32,
    /// A value that was read and has no text
    pub lost: Option<Value>,
    /// Which values mean one of their lanes, in the body of a helper
    pub lanes: Option<Lanes>,
}

impl Values {
    /// What stands for a value, if something does
    pub fn get(&self, value: Value) -> Option<&Val> {
        self.known.get(&value)
    }

    /// The expression of a value; whoever asks writes it down now
    pub fn expr(&mut self, value: Value) -> Expr {
        let lane =
            self.lanes.as_ref().and_then(|lanes| lanes.values.iter().find(|(other, _)| *other == value));
        if let Some((_, lane)) = lane {
            return lane.clone();
        }
        if let Some(at) = self.pending.iter().position(|other| *other == value) {
            self.pending.remove(at);
        }
        match self.known.get(&value) {
            Some(Val::Expr(expr)) => expr.clone(),
            // Of an op that was refused; if none was, the function is.
            _ => {
                self.lost = self.lost.or(Some(value));
                Expr::atom("0")
            }
        }
    }

    /// The expression of a value as far as it is one, without writing it down
    pub fn expr_peek(&self, value: Value) -> Option<&Expr> {
        match self.known.get(&value) {
            Some(Val::Expr(expr)) => Some(expr),
            _ => None,
        }
    }

    /// The buffer that a value is
    pub fn view(&mut self, value: Value) -> Done<View> {
        match self.known.get(&value) {
            Some(Val::View(view)) => Ok(view.clone()),
            _ => Err(Refused),
        }
    }

    /// Let a value be this from now on
    pub fn set(&mut self, value: Value, what: Val) {
        self.known.insert(value, what);
    }

    /// The variable that a value is, if it is one that is assigned more than once
    pub fn slot_of(&self, value: Value) -> Option<Slot> {
        match self.known.get(&value) {
            Some(Val::Expr(Expr { text, prec: prec::ATOM, vars, .. })) if vars.len() == 1 => {
                let name = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
                name.then(|| Slot { name: text.clone(), number: vars[0] })
            }
            _ => None,
        }
    }

    /// Let a value be this variable
    pub fn set_slot(&mut self, value: Value, slot: &Slot) {
        self.set(value, Val::Expr(Expr::var(&slot.name, slot.number)));
    }

    /// Number of expressions that wait
    pub fn waiting(&self) -> usize {
        self.pending.len()
    }

    /// Forget what has waited since: its users were refused
    pub fn forget(&mut self, waiting: usize) {
        self.pending.truncate(waiting);
    }

    /// Bounds that hold for an integer, from its type if nothing better is known
    pub fn range(&self, ir: &Ir, value: Value) -> (i128, i128) {
        if self.lanes.is_some() {
            let scalar = Scalar::of(ir.cx(), ir.ty(value).scalar(ir.cx()));
            return scalar.map_or((i128::MIN, i128::MAX), Scalar::bounds);
        }
        if let Some(range) = self.ranges.get(&value) {
            return *range;
        }
        let attr = terrace_ir::fold::constant_of(ir, value).and_then(|attr| attr.as_int(ir.cx()));
        if let Some((value, _)) = attr {
            return (value, value);
        }
        Scalar::of(ir.cx(), ir.ty(value)).map_or((i128::MIN, i128::MAX), Scalar::bounds)
    }

    /// Note bounds of an integer
    pub fn set_range(&mut self, value: Value, range: (i128, i128)) {
        if self.lanes.is_none() {
            self.ranges.insert(value, range);
        }
    }
}
