//! A function as a formula: walks over its ops in order, each value a named constant.

use crate::solver::Solver;
use easy_smt::{Context, SExpr};
use std::fmt;
use std::io;
use terrace_dialect_func as func;
use terrace_dialect_scf as scf;
use terrace_ir::{BlockId, Ir, OpDef, OpId, Type, Value};
use terrace_lowering_table::{Checked, Row, Table};
use terrace_support::HashMap;

/// Widest integers that are encoded, as the interpreter's
const WIDEST: u32 = 128;

/// Is there a formula of this op, given that its types have one?
pub(crate) type Check = fn(&Ir, OpId) -> Checked;

/// Encode it
pub(crate) type Emit = fn(&mut Encoder<'_>, OpId) -> io::Result<()>;

/// A row
pub(crate) type Encoding = Row<Check, Emit>;

/// All rows and gaps
pub(crate) type Encodings = Table<Check, Emit>;

/// No condition beyond the types
pub(crate) fn any(_: &Ir, _: OpId) -> Checked {
    Ok(())
}

/// A row without a condition
pub(crate) const fn row(op: &'static OpDef, emit: Emit) -> Encoding {
    Row { op, check: any, emit }
}

/// Where a function's body or a region ends
pub(crate) fn is_end(ir: &Ir, op: OpId) -> bool {
    ir.is(op, func::Return::DEF) || ir.is(op, scf::Yield::DEF)
}

/// A value: its bits, and whether it is poison
#[derive(Clone, Copy)]
pub(crate) struct Term {
    pub bits: SExpr,
    pub poison: SExpr,
}

/// Why a function has no formula
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotEncoded {
    /// The op, or what else is meant
    pub op: String,
    /// The reason, as the rest of a sentence
    pub why: String,
}

impl fmt::Display for NotEncoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.op, self.why)
    }
}

/// Bits of a type that has a formula
pub(crate) fn width(ir: &Ir, ty: Type) -> Option<u32> {
    let cx = ir.cx();
    ty.bit_width(cx).filter(|width| !ty.is_float(cx) && (1..=WIDEST).contains(width))
}

/// The only block of a unit's body
fn body(ir: &Ir) -> Result<BlockId, NotEncoded> {
    let refused = |why: &str| NotEncoded { op: ir.op_name(ir.root()).into(), why: why.into() };
    let mut regions = ir.regions(ir.root());
    let region = regions.next().ok_or_else(|| refused("has no body"))?;
    let mut blocks = ir.blocks(region);
    match (blocks.next(), blocks.next()) {
        (Some(block), None) => Ok(block),
        (None, _) => Err(refused("has no body")),
        _ => Err(refused("has several blocks, which proofs do not cover")),
    }
}

/// Does the function have a formula?
pub(crate) fn check(table: &Encodings, ir: &Ir) -> Result<(), NotEncoded> {
    let block = body(ir)?;
    let of_type = |op: &str, ty: Type| match width(ir, ty) {
        Some(_) => Ok(()),
        None => {
            let ty = terrace_ir::show::type_text(ir.cx(), ty);
            Err(NotEncoded {
                op: op.into(),
                why: format!("has a value of type `{ty}`, which proofs do not cover"),
            })
        }
    };
    for value in ir.block_args(block) {
        of_type(ir.op_name(ir.root()), ir.ty(*value))?;
    }
    for op in ir.walk().filter(|op| !is_end(ir, *op) && *op != ir.root()) {
        let refused = |why: String| NotEncoded { op: ir.op_name(op).into(), why };
        let Some(row) = table.row_of(ir, op) else {
            let why = table.gap_of(ir, op).map_or("is not known to proofs", |gap| gap.why);
            return Err(refused(why.into()));
        };
        for value in ir.operands(op).chain(ir.results(op)) {
            of_type(ir.op_name(op), ir.ty(value))?;
        }
        (row.check)(ir, op).map_err(|refusal| refused(refusal.why))?;
    }
    Ok(())
}

/// A formula in the making
pub(crate) struct Encoder<'a> {
    pub ir: &'a Ir,
    pub cx: &'a mut Context,
    table: &'a Encodings,
    names: &'a mut u64,
    values: HashMap<Value, Term>,
    /// What holds where the current region runs
    guards: Vec<SExpr>,
    /// Conditions under which the call is undefined
    undefined: Vec<SExpr>,
}

/// A function as a formula
pub(crate) struct Function {
    pub results: Vec<Term>,
    pub undefined: SExpr,
}

/// Arguments of a function, as constants that the solver chooses
pub(crate) fn arguments(solver: &mut Solver, ir: &Ir) -> io::Result<Vec<Term>> {
    let Ok(block) = body(ir) else { return Ok(Vec::new()) };
    let Solver { context: cx, names, .. } = solver;
    let mut terms = Vec::new();
    for value in ir.block_args(block) {
        let width = width(ir, ir.ty(*value)).unwrap_or(1);
        *names += 1;
        let sort = cx.bit_vec_sort(cx.numeral(width));
        let bits = cx.declare_const(format!("a{names}"), sort)?;
        let poison = cx.declare_const(format!("p{names}"), cx.bool_sort())?;
        terms.push(Term { bits, poison });
    }
    Ok(terms)
}

/// The formula of a function that [`check`] accepts, on these arguments
pub(crate) fn function(
    solver: &mut Solver,
    table: &Encodings,
    ir: &Ir,
    arguments: &[Term],
) -> io::Result<Function> {
    let Ok(block) = body(ir) else {
        return Ok(Function { results: Vec::new(), undefined: solver.context.true_() });
    };
    let values = ir.block_args(block).iter().copied().zip(arguments.iter().copied()).collect();
    let Solver { context: cx, names, .. } = solver;
    let mut e = Encoder { ir, cx, table, names, values, guards: Vec::new(), undefined: Vec::new() };
    let results = e.block(block)?;
    let undefined = e.any_of(e.undefined.clone());
    Ok(Function { results, undefined })
}

impl Encoder<'_> {
    /// Encode the ops of a block; what its end hands over
    pub fn block(&mut self, block: BlockId) -> io::Result<Vec<Term>> {
        let ir = self.ir;
        for op in ir.block_ops(block) {
            if is_end(ir, op) {
                return Ok(ir.operands(op).map(|value| self.value(value)).collect());
            }
            if let Some(row) = self.table.row_of(ir, op) {
                (row.emit)(self, op)?;
            }
        }
        Ok(Vec::new())
    }

    /// The same where a condition holds
    pub fn block_if(&mut self, condition: SExpr, block: BlockId) -> io::Result<Vec<Term>> {
        self.guards.push(condition);
        let results = self.block(block);
        self.guards.pop();
        results
    }

    /// The term of a value
    pub fn value(&self, value: Value) -> Term {
        // The check has been here: every value is defined by an op with a row.
        self.values.get(&value).copied().unwrap_or(Term { bits: self.cx.false_(), poison: self.cx.true_() })
    }

    /// The terms of an op's operands
    pub fn operands(&self, op: OpId) -> Vec<Term> {
        self.ir.operands(op).map(|value| self.value(value)).collect()
    }

    /// Bits of an op's result
    pub fn result_width(&self, op: OpId, n: usize) -> u32 {
        width(self.ir, self.ir.ty(self.ir.result(op, n))).unwrap_or(1)
    }

    /// Give a result its bits and poison
    pub fn set(&mut self, op: OpId, n: usize, bits: SExpr, poison: SExpr) -> io::Result<()> {
        let width = self.result_width(op, n);
        *self.names += 1;
        let sort = self.cx.bit_vec_sort(self.cx.numeral(width));
        let bits = self.cx.define_const(format!("v{}", self.names), sort, bits)?;
        let poison = self.cx.define_const(format!("q{}", self.names), self.cx.bool_sort(), poison)?;
        self.values.insert(self.ir.result(op, n), Term { bits, poison });
        Ok(())
    }

    /// The call is undefined where this holds
    pub fn undefined_if(&mut self, condition: SExpr) {
        let all = self.guards.iter().copied().chain([condition]).collect::<Vec<_>>();
        let all = self.cx.and_many(all);
        self.undefined.push(all);
    }

    /// Is one of these true?
    pub fn any_of(&self, all: Vec<SExpr>) -> SExpr {
        if all.is_empty() { self.cx.false_() } else { self.cx.or_many(all) }
    }

    /// Is one of these values poison?
    pub fn any_poison(&self, terms: &[Term]) -> SExpr {
        self.any_of(terms.iter().map(|term| term.poison).collect())
    }

    /// An integer of so many bits
    pub fn number(&self, value: i128, width: u32) -> SExpr {
        number(self.cx, value, width)
    }

    /// Is this a true `i1`?
    pub fn holds(&self, bits: SExpr) -> SExpr {
        self.cx.eq(bits, self.number(1, 1))
    }

    /// A condition as an `i1`
    pub fn bit(&self, condition: SExpr) -> SExpr {
        self.cx.ite(condition, self.number(1, 1), self.number(0, 1))
    }

    /// More bits, of the sign or of zeros
    pub fn extended(&self, bits: SExpr, by: u32, signed: bool) -> SExpr {
        if by == 0 {
            return bits;
        }
        let word = if signed { "sign_extend" } else { "zero_extend" };
        let how = self.cx.list(vec![self.cx.atom("_"), self.cx.atom(word), self.cx.numeral(by)]);
        self.cx.list(vec![how, bits])
    }

    /// The bits from `low` on
    pub fn part(&self, bits: SExpr, low: u32, width: u32) -> SExpr {
        self.cx.extract((low + width - 1) as i32, low as i32, bits)
    }
}

/// An integer of so many bits
pub(crate) fn number(cx: &Context, value: i128, width: u32) -> SExpr {
    let bits = value as u128 & (u128::MAX >> (128 - width));
    cx.atom(format!("#b{bits:0width$b}", width = width as usize))
}
