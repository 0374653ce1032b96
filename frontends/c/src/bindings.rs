//! What names stand for: scopes, arrays, loop variables, and constants of the file.

use crate::ast::{Elem, Expr, ExprKind, File, Object};
use crate::codes;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use std::collections::BTreeMap;
use terrace_diag::{Diagnostic, Span};
use terrace_ir::{DYNAMIC, Value};
use terrace_support::affine::AffineExpr;

/// Greatest size of an array: what subscripts of an unknown one reach at most
const MOST: i64 = crate::bindings::FAR;

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
    /// A pointer without a declared size
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

/// Stands for an unknown size in the first round
pub const FAR: i64 = 1 << 40;

/// What names stand for
pub struct Bindings<'a> {
    pub file: &'a File,
    /// Values of macros and parameters from outside
    pub sets: &'a BTreeMap<String, i64>,
    /// Innermost last
    pub scopes: Vec<Vec<(String, Slot)>>,
    /// Arrays by number
    pub arrays: Vec<Array>,
    /// Variables of the loops around the code in progress, outermost first
    pub ivs: Vec<Iv>,
}

impl Bindings<'_> {
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

    /// Does it use only numbers that are known when the function runs?
    fn later(&self, e: &Expr) -> bool {
        let mut found = true;
        e.walk(&mut |e| {
            found &= match &e.kind {
                ExprKind::Name(name) => {
                    self.constant(e).is_some()
                        || matches!(
                            self.lookup(name),
                            Some(Slot::Temp { elem: Elem::Int { .. }, .. } | Slot::Iv(_) | Slot::Number(..))
                        )
                        || matches!(self.lookup(name), Some(Slot::Cell(cell)) if matches!(cell.elem, Elem::Int { .. }))
                }
                ExprKind::Int(..)
                | ExprKind::Binary(..)
                | ExprKind::Cast(..)
                | ExprKind::Unary(..) => true,
                _ => false,
            };
        });
        found
    }

    /// Say how a parameter gets a value
    pub fn set_help(&self, diagnostic: Diagnostic, e: &Expr) -> Diagnostic {
        let mut names = Vec::new();
        e.walk(&mut |e| {
            if let ExprKind::Name(name) = &e.kind
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
        crate::ast::elem_text(elem, &self.file.structs)
    }

    /// Sizes of an array, of which its list of values may say the first
    pub fn listed(&self, object: &Object) -> Done<Vec<i64>> {
        let sizes = self.sizes(object)?;
        let count = match object.init.as_ref().map(|init| &init.kind) {
            Some(ExprKind::List(_, all)) => Some(all.len() as i64),
            _ => None,
        };
        let all: Option<Vec<i64>> =
            sizes.iter().enumerate().map(|(n, size)| size.or(count.filter(|_| n == 0))).collect();
        match all {
            Some(all) => Ok(all),
            None => {
                let message = format!(
                    "C-TYPE: it is not known what {} points to; a pointer is a place in an array: `= a`, `= a + i`, `= &a[i]`",
                    object.name
                );
                refuse(&codes::TYPE, object.span, message)
            }
        }
    }

    /// Fields of a structure; a number is one without a name
    pub fn field_elems(&self, elem: Elem) -> Vec<(String, Elem)> {
        match elem {
            Elem::Struct(n) => self.file.structs[n].fields.clone(),
            elem => vec![(String::new(), elem)],
        }
    }
}
