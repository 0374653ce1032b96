//! The printer of one function's body: values, statements, C blocks.
//!
//! Ops are visited in order with an explicit stack of C blocks. A result that is used once, in its own block, waits as an
//! expression for its user; all others become variables. What reads memory is written down at the latest before the next
//! thing that may write. Variables that are assigned more than once (carried values) have numbers, so that assignments at
//! the end of a block can be put in order. Errors are collected; the text of a function with an error is thrown away.

use crate::expr::Expr;
use crate::func::Returns;
use crate::helpers::Helpers;
use crate::lanes::Vector;
use crate::memref::View;
use crate::module::Functions;
use crate::names::identifier;
use crate::scf::Block;
use crate::text::Text;
use crate::types::Scalar;
use crate::values::Values;
use crate::{Flavor, codes};
use terrace_diag::{Code, Diags};
use terrace_dialect_scf as scf;
use terrace_ir::verify::op_error;
use terrace_ir::{Ir, OpId, Type, Value, ValueDef};

/// Longest expression that waits for its user
const INLINE: usize = 72;

/// The op was reported; nothing of it is printed
#[derive(Debug)]
pub(crate) struct Refused;

pub(crate) type Done<T = ()> = Result<T, Refused>;

/// What stands for an IR value
#[derive(Clone, Debug)]
pub(crate) enum Val {
    Expr(Expr),
    View(View),
}

/// A variable that is assigned more than once
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub name: String,
    pub number: u32,
}

/// Where the printer is in a function
pub(crate) struct Frame {
    /// C blocks that are being printed, innermost last
    pub blocks: Vec<Block>,
    /// Around this many parallel loops
    pub parallel: usize,
    /// The kernel has memory of its workgroup
    pub shares: bool,
    /// What returns from the function give
    pub returns: Returns,
}

/// The printer of one function
pub(crate) struct Emit<'a> {
    pub ir: &'a Ir,
    pub flavor: Flavor,
    pub functions: &'a Functions,
    pub helpers: &'a mut Helpers,
    pub diags: &'a mut Diags,
    pub text: Text,
    pub values: Values,
    pub frame: Frame,
}

impl<'a> Emit<'a> {
    pub fn new(
        ir: &'a Ir,
        flavor: Flavor,
        functions: &'a Functions,
        helpers: &'a mut Helpers,
        diags: &'a mut Diags,
    ) -> Self {
        let text = Text::new(flavor, functions.names());
        let frame = Frame { blocks: Vec::new(), parallel: 0, shares: false, returns: Returns::Nothing };
        Emit { ir, flavor, functions, helpers, diags, text, values: Values::default(), frame }
    }

    // Errors

    /// Report an op
    pub fn refuse<T>(&mut self, op: OpId, code: Code, message: &str, help: &str) -> Done<T> {
        let mut error = op_error(self.ir, op, code, message);
        if !help.is_empty() {
            error = error.help(help);
        }
        let _ = self.diags.emit(error);
        Err(Refused)
    }

    /// Report an op that the language has no way to say; without a reason nobody knows a spelling
    pub fn no_op<T>(&mut self, op: OpId, why: &str, help: &str) -> Done<T> {
        let why = if why.is_empty() { "it has no spelling there" } else { why };
        let message = format!("cannot be printed as {}: {why}", self.flavor.name());
        self.refuse(op, &codes::OP, &message, help)
    }

    /// The scalar that a type is, or an error at the op
    pub fn scalar(&mut self, op: OpId, ty: Type) -> Done<Scalar> {
        let ty = if self.values.lanes.is_some() { ty.scalar(self.ir.cx()) } else { ty };
        if let Some(scalar) = Scalar::of(self.ir.cx(), ty) {
            return Ok(scalar);
        }
        let message = format!(
            "has a value of type '{}', which {} cannot say",
            terrace_ir::show::type_text(self.ir.cx(), ty),
            self.flavor.name()
        );
        self.refuse(
            op,
            &codes::TYPE,
            &message,
            "these are known: i1, i8, i16, i32, i64, index, f16, bf16, f32, f64; `expand-floats` makes integers \
             of floats of at most 8 bits",
        )
    }

    /// The scalar that a value is
    pub fn scalar_of(&mut self, op: OpId, value: Value) -> Done<Scalar> {
        self.scalar(op, self.ir.ty(value))
    }

    // Names

    /// A free name for a value: its author's, or a number
    pub fn name(&mut self, value: Value) -> String {
        // Results of one op may have one name, that of the first, and their numbers.
        let (named, number) = match self.ir.value_def(value) {
            Some(ValueDef::Result(op, n)) if self.ir.num_results(op) > 1 => {
                match self.ir.value_name(self.ir.result(op, 1)) {
                    Some(_) => (value, String::new()),
                    None => (self.ir.result(op, 0), n.to_string()),
                }
            }
            _ => (value, String::new()),
        };
        match self.ir.value_name(named).and_then(identifier) {
            Some(name) => self.text.names.fresh(&(name + &number)),
            None => self.text.names.numbered("v"),
        }
    }

    /// A variable that will be assigned again, with a name like this value's
    pub fn slot(&mut self, value: Value) -> Slot {
        let name = self.name(value);
        self.values.slots += 1;
        Slot { name, number: self.values.slots }
    }

    // Ops

    /// All operands of an op that has `N`
    pub fn operands<const N: usize>(&self, op: OpId) -> [Value; N] {
        std::array::from_fn(|n| self.ir.operand(op, n))
    }

    /// The op's name without its dialect
    pub fn mnemonic(&self, op: OpId) -> &'static str {
        let name = self.ir.def(op).name;
        name.split_once('.').map_or(name, |(_, mnemonic)| mnemonic)
    }

    // Values

    /// The value as a name or number, which may be written twice
    pub fn leaf(&mut self, value: Value) -> Expr {
        if self.values.lanes.is_none()
            && let Some(Val::Expr(expr)) = self.values.get(value)
            && !expr.is_leaf()
        {
            self.settle(value);
        }
        self.values.expr(value)
    }

    /// A result that is this expression: it waits for its only user, or becomes a variable
    pub fn bind(&mut self, op: OpId, value: Value, expr: Expr) -> Done {
        if let Some(lanes) = &mut self.values.lanes {
            lanes.results.push((value, expr));
            return Ok(());
        }
        if !self.ir.is_used(value) {
            return Ok(());
        }
        let leaf = expr.is_leaf();
        let short = expr.text.len() <= INLINE;
        if let Some(slot) = self.carried(op, value) {
            return self.update(value, &slot, &expr);
        }
        self.values.set(value, Val::Expr(expr));
        if leaf {
            return Ok(());
        }
        let mut uses = self.ir.uses(value);
        let user = uses.next().map(|(user, _)| user);
        let here = uses.next().is_none() && user.and_then(|user| self.ir.block(user)) == self.ir.block(op);
        self.values.pending.push(value);
        if !(here && short) {
            self.settle(value);
        }
        Ok(())
    }

    /// The variable that a loop carries to its next iteration with a vector, if what it holds is not used from here on
    ///
    /// Else the variables of a tile would all be assigned at the loop's end, and what they are made of kept until there.
    fn carried(&self, op: OpId, value: Value) -> Option<Slot> {
        let ir = self.ir;
        if self.flavor != Flavor::OpenMp
            || !ir.has_one_use(value)
            || Vector::of(self.ir.cx(), ir.ty(value)).is_none()
        {
            return None;
        }
        let (end, n) = ir.uses(value).next()?;
        let block = ir.block(op)?;
        let in_loop = ir.block_parent(block).is_some_and(|around| ir.is(around, scf::For::DEF));
        if !in_loop || !ir.is(end, scf::Yield::DEF) || ir.block(end) != Some(block) {
            return None;
        }
        // The first argument counts iterations.
        let arg = *ir.block_args(block).get(n + 1)?;
        let over = |user: OpId| ir.block(user) == Some(block) && (user == op || ir.is_before(user, op));
        if !ir.uses(arg).all(|(user, _)| over(user)) {
            return None;
        }
        self.values.slot_of(arg)
    }

    /// Assign to a variable here
    fn update(&mut self, value: Value, slot: &Slot, expr: &Expr) -> Done {
        let waiting = self.values.pending.clone();
        for other in waiting {
            if matches!(self.values.get(other), Some(Val::Expr(other)) if other.vars.contains(&slot.number)) {
                self.settle(other);
            }
        }
        if expr.text != slot.name {
            self.text.line(&format!("{} = {};", slot.name, expr.text));
        }
        self.values.set_slot(value, slot);
        Ok(())
    }

    /// A result that has to be evaluated here and once
    pub fn bind_now(&mut self, value: Value, expr: Expr) {
        if self.values.lanes.is_some() {
            let ty =
                Scalar::of(self.ir.cx(), self.ir.ty(value).scalar(self.ir.cx())).unwrap_or(Scalar::Int(64));
            let first = self.text.variable(self.flavor.scalar(ty), "first", &expr);
            if let Some(lanes) = &mut self.values.lanes {
                lanes.values.push((value, first.clone()));
                lanes.results.push((value, first));
            }
            return;
        }
        self.values.set(value, Val::Expr(expr));
        self.settle(value);
    }

    /// Write an expression down as a variable
    fn settle(&mut self, value: Value) {
        self.values.pending.retain(|other| *other != value);
        let Some(Val::Expr(expr)) = self.values.get(value).cloned() else { return };
        let ty = self.ir.ty(value);
        let c_type = match (Scalar::of(self.ir.cx(), ty), Vector::of(self.ir.cx(), ty)) {
            (Some(ty), _) => self.flavor.scalar(ty).to_string(),
            (_, Some(vector)) => self.helpers.vector_type(&vector),
            _ => return,
        };
        let name = self.name(value);
        self.define(value, &c_type, &name, &expr);
    }

    /// Let a value be a new variable of this name, which holds the expression
    pub fn define(&mut self, value: Value, c_type: &str, name: &str, expr: &Expr) {
        // Devices compute with 32 bits where these are enough.
        let narrow = expr.narrow && self.flavor != Flavor::OpenMp && self.fits_int(value);
        let c_type = if narrow { self.flavor.scalar(Scalar::Int(32)) } else { c_type };
        self.text.line(&format!("{c_type} {name} = {};", expr.text));
        self.values.set(value, Val::Expr(Expr { narrow, ..Expr::atom(name) }));
    }

    /// Is a value of 64 bits always one of 32?
    pub fn fits_int(&self, value: Value) -> bool {
        let wide = Scalar::of(self.ir.cx(), self.ir.ty(value)) == Some(Scalar::Int(64));
        let (low, high) = self.range(value);
        wide && low >= i128::from(i32::MIN) && high <= i128::from(i32::MAX)
    }

    /// Bounds that hold for an integer
    pub fn range(&self, value: Value) -> (i128, i128) {
        self.values.range(self.ir, value)
    }

    /// Write down all that waits and reads memory: something is about to be written
    pub fn flush(&mut self) {
        let waiting = self.values.pending.clone();
        for value in waiting {
            if matches!(self.values.get(value), Some(Val::Expr(expr)) if expr.reads) {
                self.settle(value);
            }
        }
    }
}
