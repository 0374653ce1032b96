//! The printer of one function's body: values, statements, C blocks.
//!
//! Ops are visited in order with an explicit stack of C blocks. A result that is used once, in its own block, waits as an
//! expression for its user; all others become variables. What reads memory is written down at the latest before the next
//! thing that may write. Variables that are assigned more than once (carried values) have numbers, so that assignments at
//! the end of a block can be put in order. Errors are collected; the text of a function with an error is thrown away.

use crate::buffer::Shape;
use crate::codes;
use crate::expr::Expr;
use crate::frame::{Block, End, Frame, Returns};
use crate::functions::Functions;
use crate::helpers::Helpers;
use crate::language::Lang;
use crate::names::identifier;
use crate::refusal::{Done, Refused};
use crate::text::{Slot, Text};
use crate::types::Scalar;
use crate::values::{Val, Values};
use crate::vector_type::{MOST, Vector};
use terrace_diag::{Code, Diags};
use terrace_dialect_scf as scf;
use terrace_ir::verify::op_error;
use terrace_ir::{BlockId, Context, Ir, OpId, RegionId, Type, TypeKind, Value, ValueDef};
use terrace_lowering_table::{Checked, Row, Table};

/// Longest expression that waits for its user
const INLINE: usize = 72;

/// An op with what it becomes
pub(crate) type Lowering = Row<fn(&Check<'_>, OpId) -> Checked, fn(&mut Emit<'_>, OpId) -> Done>;

/// The table of a language
pub(crate) type Lowerings = Table<fn(&Check<'_>, OpId) -> Checked, fn(&mut Emit<'_>, OpId) -> Done>;

/// What a check reads
pub(crate) struct Check<'a> {
    pub ir: &'a Ir,
    pub lang: Lang,
}

impl Check<'_> {
    pub fn cx(&self) -> &Context {
        self.ir.cx()
    }
}

/// Nothing beyond types
pub(crate) fn any(_: &Check<'_>, _: OpId) -> Checked {
    Ok(())
}

/// The printer of one function
pub(crate) struct Emit<'a> {
    pub ir: &'a Ir,
    pub lang: Lang,
    /// What each op becomes; ops that contain others are printed through it
    pub table: &'static Lowerings,
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
        (lang, table): (Lang, &'static Lowerings),
        functions: &'a Functions,
        helpers: &'a mut Helpers,
        diags: &'a mut Diags,
    ) -> Self {
        let text = Text::new(lang, functions.names());
        let frame = Frame {
            blocks: Vec::new(),
            parallel: 0,
            shares: false,
            arrays: false,
            returns: Returns::Nothing,
        };
        Emit { ir, lang, table, functions, helpers, diags, text, values: Values::default(), frame }
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

    /// Report an op that the language cannot express; without a reason there is no spelling
    pub fn no_op<T>(&mut self, op: OpId, why: &str, help: &str) -> Done<T> {
        let why = if why.is_empty() { "it has no spelling there" } else { why };
        let message = format!("cannot be printed as {}: {why}", self.lang.name());
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
            self.lang.name()
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

    /// An op that the language has no row for, or that its row cannot say after all
    pub fn unknown<T>(&mut self, op: OpId) -> Done<T> {
        let gap = self.table.gap_of(self.ir, op);
        self.no_op(op, gap.map_or("", |gap| gap.why), gap.map_or("", |gap| gap.help))
    }

    /// The C type of a value that is no buffer
    pub fn c_type(&mut self, op: OpId, ty: Type) -> Done<String> {
        if matches!(ty.kind(self.ir.cx()), TypeKind::Vector { .. }) && self.values.lanes.is_none() {
            let vector = self.vector(op, ty)?;
            return Ok(self.helpers.vector_type(&vector));
        }
        self.scalar(op, ty).map(|scalar| self.lang.scalar(scalar).to_string())
    }

    /// The vector that a type is, or an error at the op
    pub fn vector(&mut self, op: OpId, ty: Type) -> Done<Vector> {
        if let Some(vector) = Vector::of(self.ir.cx(), ty) {
            return Ok(vector);
        }
        let message = format!(
            "has a value of type '{}', which {} cannot say",
            terrace_ir::show::type_text(self.ir.cx(), ty),
            self.lang.name()
        );
        let help = format!("vectors have fixed sizes, at most {MOST} lanes, of numbers");
        self.refuse(op, &codes::TYPE, &message, &help)
    }

    /// What the type of a memref says, or an error at the op
    pub fn shape(&mut self, op: OpId, ty: Type) -> Done<Shape> {
        if let Some(shape) = Shape::of(self.ir.cx(), ty) {
            return Ok(shape);
        }
        let message = format!(
            "has a buffer of type '{}', which {} cannot say",
            terrace_ir::show::type_text(self.ir.cx(), ty),
            self.lang.name()
        );
        self.refuse(op, &codes::TYPE, &message, "elements are numbers, layouts are strided")
    }

    // C blocks

    /// Go on with the ops of a block
    pub fn enter(&mut self, block: BlockId, end: End) {
        let waiting = self.values.waiting();
        self.frame.blocks.push(Block { next: self.ir.first_op(block), end, waiting });
    }

    /// The only block of a region, or an error
    pub fn only_block(&mut self, op: OpId, region: RegionId) -> Done<BlockId> {
        match self.ir.single_block(region) {
            Some(block) => Ok(block),
            None => self.refuse(
                op,
                &codes::BLOCKS,
                "has branches between blocks",
                "print before `convert-scf-to-cf`: text comes from structured loops",
            ),
        }
    }

    /// Types of values that variables will hold
    pub fn types_of(&mut self, op: OpId, values: &[Value]) -> Done<Vec<String>> {
        let mut types = Vec::new();
        for value in values {
            types.push(self.c_type(op, self.ir.ty(*value))?);
        }
        Ok(types)
    }

    /// A variable for each value, with its first value if it has one
    pub fn declare(&mut self, op: OpId, named: &[Value], inits: &[Value]) -> Done<Vec<Slot>> {
        let types = self.types_of(op, named)?;
        let inits: Vec<Expr> = inits.iter().map(|init| self.values.expr(*init)).collect();
        let mut slots = Vec::new();
        for (n, (value, c_type)) in named.iter().zip(types).enumerate() {
            let slot = self.slot(*value);
            match inits.get(n) {
                Some(init) => self.text.line(&format!("{c_type} {} = {};", slot.name, init.text)),
                None => self.text.line(&format!("{c_type} {};", slot.name)),
            }
            slots.push(slot);
        }
        Ok(slots)
    }

    /// An operand that the header of a loop reads again and again
    pub fn bound(&mut self, value: Value) -> Expr {
        let e = self.values.expr_peek(value);
        if e.is_some_and(|e| e.reads || e.text.contains('(')) {
            self.leaf(value)
        } else {
            self.values.expr(value)
        }
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
    /// Else the variables of a tile would all be assigned at the loop's end, and their operands kept until there.
    fn carried(&self, op: OpId, value: Value) -> Option<Slot> {
        let ir = self.ir;
        if !self.lang.is_host() || !ir.has_one_use(value) || Vector::of(self.ir.cx(), ir.ty(value)).is_none()
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
            let first = self.text.variable(self.lang.scalar(ty), "first", &expr);
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
            (Some(ty), _) => self.lang.scalar(ty).to_string(),
            (_, Some(vector)) => self.helpers.vector_type(&vector),
            _ => return,
        };
        let name = self.name(value);
        self.define(value, &c_type, &name, &expr);
    }

    /// Let a value be a new variable of this name, which holds the expression
    pub fn define(&mut self, value: Value, c_type: &str, name: &str, expr: &Expr) {
        // Devices compute with 32 bits where these are enough.
        let narrow = expr.narrow && self.lang.prefers_int() && self.fits_int(value);
        let c_type = if narrow { self.lang.scalar(Scalar::Int(32)) } else { c_type };
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
