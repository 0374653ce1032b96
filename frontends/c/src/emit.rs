//! Where code goes: the unit in progress, names in scope, and one way to make an op.

use crate::ast::{Elem, Expr, File, Object};
use crate::value::Val;
use std::collections::{BTreeMap, BTreeSet};
use terrace_diag::{Code, Diagnostic, Diags, Span};
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_ir::{Attr, BlockId, Builder, DYNAMIC, Ir, Loc, Name, NewOp, OpDef, OpId, Type, Value};
use terrace_support::affine::AffineExpr;

/// Why something cannot be made; boxed, since it is rare and large
pub type Done<T> = Result<T, Box<Diagnostic>>;

/// A refusal at a place
pub fn refuse<T>(code: Code, span: Span, message: impl Into<String>) -> Done<T> {
    Err(Box::new(Diagnostic::error(code, message).at(span)))
}

/// Greatest size of an array: what subscripts of an unknown one reach at most
const MOST: i64 = crate::places::FAR;

/// What a name stands for
#[derive(Clone, Debug)]
pub enum Slot {
    /// A value that has no place in memory; nothing before the first assignment
    Temp {
        /// Content
        value: Option<Val>,
        /// The same as a sum over loop variables
        affine: Option<AffineExpr>,
        /// Type
        elem: Elem,
    },
    /// A number in memory
    Cell(Cell),
    /// An array, or a structure in memory, by number
    Array(usize),
    /// A loop variable by number
    Iv(usize),
    /// A constant
    Number(i64, Elem),
}

/// A number in memory
#[derive(Clone, Debug)]
pub struct Cell {
    /// `memref<T>`
    pub memref: Value,
    /// Its type
    pub elem: Elem,
    /// Its content, where that is known while compiling
    pub known: Option<Expr>,
}

/// An array in memory
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name
    pub name: String,
    /// Elements
    pub elem: Elem,
    /// Sizes; the first one of a bare pointer is what subscripts reach
    pub dims: Vec<i64>,
    /// One buffer per field; of numbers, one
    pub fields: Vec<Value>,
    /// Is a parameter, or of the whole file: others may have its address
    pub param: bool,
    /// Is of the whole file
    pub global: bool,
    /// Declared `restrict`
    pub restrict: bool,
    /// A pointer whose size nobody wrote
    pub open: bool,
    /// The array that it is a part of, or itself
    pub root: usize,
}

/// A loop variable
#[derive(Clone, Debug)]
pub struct Iv {
    /// Its name
    pub name: String,
    /// Its type
    pub elem: Elem,
    /// First value, step and number of turns, where known
    pub range: Option<(i64, i64, i64)>,
    /// As a value, where loops are loops; computations count turns
    pub value: Option<Val>,
    /// As an index
    pub index: Option<Value>,
    /// Where it is declared
    pub span: Span,
}

/// What the size of a bare pointer has to be
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hull {
    /// At least so many elements
    Least(i64),
    /// Not known
    Open,
}

/// A function in progress
pub struct Gen<'a> {
    pub ir: &'a mut Ir,
    pub block: BlockId,
    pub loc: Loc,
    pub file: &'a File,
    pub sets: &'a BTreeMap<String, i64>,
    pub diags: &'a mut Diags,
    pub scopes: Vec<Vec<(String, Slot)>>,
    pub arrays: Vec<Array>,
    pub ivs: Vec<Iv>,
    /// Arrays that the nest in progress may read at places that depend on data
    pub gather: Vec<String>,
    /// Loops of the nest in progress whose bounds follow from the loops around them
    pub cut: Vec<(usize, Span)>,
    /// Sizes of bare pointers: of an earlier round, and what this one finds
    pub hulls: BTreeMap<String, Hull>,
    pub found: BTreeMap<String, Hull>,
    /// The computation in progress
    pub body: Option<crate::body::Body>,
    /// Functions in progress, against recursion
    pub calls: Vec<String>,
    /// Calls that were replaced by what they compute
    pub inlined: usize,
    /// Operators of the file that are used
    pub operators: Vec<String>,
    /// Operators over an extreme and what belongs to it
    pub joints: Vec<crate::extremes::Joint>,
    /// Arrays that the author says overlap nothing
    pub disjoint: Vec<Vec<String>>,
    /// All nests stay in order
    pub ordered: bool,
    /// Result of the function
    pub result: Option<Elem>,
    pub returned: bool,
    /// Buffers to be freed at the end
    pub frees: Vec<Value>,
    /// Conditions around the code in progress
    pub branches: usize,
    /// Pairs of arrays that may overlap
    pub overlaps: Vec<(usize, usize)>,
    /// The nest that was refused is one, if what is set between its loops is set by nests in front of it
    pub split: bool,
    /// Variables of the loops in order around the nest
    pub around: Vec<String>,
    /// Why the loops around stay in order, by the code that has been told
    pub told: Option<&'static str>,
    /// Arguments that are bytes, with what they hold
    pub records: Vec<(usize, terrace_ir::Attr)>,
    /// Names whose content is read behind the statement in progress
    pub live: BTreeSet<String>,
    /// Names that the function declares more than once
    pub twice: BTreeSet<String>,
    /// Arrays that were made in place of numbers
    pub made: usize,
}

impl Gen<'_> {
    /// Code comes from here
    pub fn set_loc(&mut self, span: Span) {
        self.loc = Loc::offset(span.start);
    }

    /// Make an op by its name
    ///
    /// # Panics
    /// If its dialect is not registered: front ends need the upstream dialects.
    pub fn op_id(&mut self, def: &'static OpDef, operands: &[Value], results: &[Type]) -> OpId {
        // Ops with several varying fields are made here without operands only.
        let segments = if def.operand_segments() { vec![0; def.operands.len()] } else { Vec::new() };
        let mut b = self.b();
        let kind = b.kind(def);
        b.insert(&NewOp {
            operands,
            segments: &segments,
            results,
            regions: def.regions.len(),
            ..NewOp::new(kind)
        })
    }

    /// Make an op of one result and without attributes
    pub fn op(&mut self, def: &'static OpDef, operands: &[Value], result: Type) -> Value {
        let op = self.op_id(def, operands, &[result]);
        self.ir.result(op, 0)
    }

    /// A constant of the attribute's type
    pub fn constant_value(&mut self, attr: Attr) -> Value {
        let mut b = self.b();
        arith::Constant::build(&mut b, attr).result(b.read())
    }

    /// A comparison of integers
    pub fn compare_ints(&mut self, predicate: CmpIPredicate, a: Value, b: Value) -> Value {
        let mut builder = self.b();
        arith::CmpI::build(&mut builder, a, b, predicate).result(builder.read())
    }

    /// At the end of the block in progress
    pub fn b(&mut self) -> Builder<'_> {
        let (block, loc) = (self.block, self.loc);
        let mut b = Builder::at_end(self.ir, block);
        b.set_loc(loc);
        b
    }

    /// An index constant
    pub fn index(&mut self, value: i64) -> Value {
        let attr = self.ir.cx().index_attr(value);
        self.constant_value(attr)
    }

    /// Give a value the name that its author gave it
    pub fn name(&mut self, value: Value, name: &str) {
        let name = Name::Str(self.ir.cx().intern(name));
        self.ir.set_value_name(value, name);
    }

    /// What a name stands for
    pub fn lookup(&self, name: &str) -> Option<&Slot> {
        self.scopes.iter().flatten().rev().find(|(other, _)| other == name).map(|(_, slot)| slot)
    }

    /// Change what a name stands for
    pub fn slot_mut(&mut self, name: &str) -> Option<&mut Slot> {
        let all = self.scopes.iter_mut().rev().flat_map(|scope| scope.iter_mut().rev());
        all.filter(|(other, _)| other == name).map(|(_, slot)| slot).next()
    }

    /// A new name in the innermost scope
    pub fn declare(&mut self, name: &str, slot: Slot) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name.to_string(), slot));
        }
    }

    /// A constant integer, if the expression is one
    pub fn constant(&self, e: &Expr) -> Option<i64> {
        let value = crate::consts::fold(e, &|name| self.named_constant(name))?;
        i64::try_from(value).ok()
    }

    fn named_constant(&self, name: &str) -> Option<i128> {
        match self.lookup(name) {
            Some(Slot::Number(value, _)) => return Some((*value).into()),
            Some(Slot::Temp { affine: Some(e), .. }) => return e.as_constant().map(i128::from),
            Some(_) => return None,
            None => {}
        }
        self.constant_before(name, self.file.constants.len())
    }

    /// A constant of the file among the first ones: each may use those before it only
    fn constant_before(&self, name: &str, end: usize) -> Option<i128> {
        let at = self.file.constants[..end].iter().rposition(|(other, _)| other == name)?;
        crate::consts::fold(&self.file.constants[at].1, &|inner| self.constant_before(inner, at))
    }

    /// Sizes of a declaration; an error names the size that is not known
    ///
    /// Of parameters and local arrays a size may be known only when the function runs: it is [`DYNAMIC`] then.
    pub fn sizes(&self, object: &Object) -> Done<Vec<Option<i64>>> {
        let mut all = Vec::new();
        for dim in &object.dims {
            all.push(match dim {
                None => None,
                Some(e) => match self.constant(e) {
                    Some(size @ 1..=MOST) => Some(size),
                    Some(size) => {
                        let message = format!(
                            "C-BOUND: a size of {} is {size}; it must be from 1 to 2^40",
                            object.name
                        );
                        return Err(Box::new(Diagnostic::error(&crate::codes::BOUND, message).at(e.span)));
                    }
                    None if self.later(e) => Some(DYNAMIC),
                    None => {
                        let message = format!("C-BOUND: a size of {} is not known here", object.name);
                        let diagnostic = Diagnostic::error(&crate::codes::BOUND, message).at(e.span);
                        return Err(Box::new(self.set_help(diagnostic, e)));
                    }
                },
            });
        }
        Ok(all)
    }

    /// Is it made of numbers that are there when the function runs?
    fn later(&self, e: &Expr) -> bool {
        let mut found = true;
        e.walk(&mut |e| {
            found &= match &e.kind {
                crate::ast::ExprKind::Name(name) => {
                    self.constant(e).is_some()
                        || matches!(
                            self.lookup(name),
                            Some(Slot::Temp { elem: Elem::Int { .. }, .. } | Slot::Iv(_) | Slot::Number(..))
                        )
                        || matches!(self.lookup(name), Some(Slot::Cell(cell)) if matches!(cell.elem, Elem::Int { .. }))
                }
                crate::ast::ExprKind::Int(..)
                | crate::ast::ExprKind::Binary(..)
                | crate::ast::ExprKind::Cast(..)
                | crate::ast::ExprKind::Unary(..) => true,
                _ => false,
            };
        });
        found
    }

    /// Say how a parameter gets a value
    pub fn set_help(&self, diagnostic: Diagnostic, e: &Expr) -> Diagnostic {
        let mut names = Vec::new();
        e.walk(&mut |e| {
            if let crate::ast::ExprKind::Name(name) = &e.kind
                && self.named_constant(name).is_none()
                && !names.contains(name)
            {
                names.push(name.clone());
            }
        });
        match names.is_empty() {
            true => diagnostic,
            false => {
                let all: Vec<String> = names.iter().map(|name| format!("--set {name}=…")).collect();
                diagnostic.help(format!("give sizes that are parameters: {}", all.join(" ")))
            }
        }
    }

    /// Words for a type
    pub fn show(&self, elem: Elem) -> String {
        crate::parse::elem_text(elem, &self.file.structs)
    }
}
