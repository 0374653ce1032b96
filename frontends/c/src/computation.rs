//! A computation in progress: what its body reads and contributes, and the outputs that follow.

use crate::ast::{BinaryOp, Elem, Expr};
use crate::places::Lvalue;
use crate::value::Val;
use terrace_diag::Span;
use terrace_dialect_mdh::view::Dim;
use terrace_ir::{Attr, BlockId, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A computation in progress
pub struct Body {
    /// Where its body is made
    pub block: BlockId,
    /// Scopes around it
    pub scopes: usize,
    /// What it is given
    pub inputs: Vec<Input>,
    /// At least 0 wherever code that is made now matters
    pub known: Vec<AffineExpr>,
    /// Contributions made now exist only if this holds
    pub guards: Vec<Value>,
    /// Contributions exist only where these hold
    pub conditions: Vec<Bound>,
    /// Contributions
    pub updates: Vec<Update>,
    /// Whether no turns are combined, if a directive says so
    pub all_kept: Option<bool>,
}

/// An argument of the body
#[derive(Clone, Debug)]
pub struct Input {
    /// What is read
    pub source: Source,
    /// Where; nothing for scalars
    pub map: Option<Vec<AffineExpr>>,
    /// Instead of elements outside
    pub other: Option<Attr>,
    /// The argument
    pub arg: Value,
    /// First read
    pub span: Span,
}

/// What the body reads
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// An array, and which field
    Array(usize, usize),
    /// A number in memory
    Cell(String),
    /// A number that is known before
    Scalar(Value),
}

/// A contribution
#[derive(Clone, Debug)]
pub struct Update {
    /// Where to
    pub place: Lvalue,
    /// As the author wrote it
    pub target: Expr,
    /// Subscripts
    pub map: Vec<AffineExpr>,
    /// Operator; nothing for `=`
    pub operator: Option<String>,
    /// What
    pub value: Val,
    /// The statement
    pub span: Span,
    /// Exists only if this holds
    pub guard: Option<Value>,
    /// What is assigned is a variable that is added to before: prefixes
    pub running: Option<String>,
}

/// `low <= expr < high`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Least value
    pub low: Option<AffineExpr>,
    /// What is compared
    pub expr: AffineExpr,
    /// First value that is too large
    pub high: Option<AffineExpr>,
}

impl Bound {
    /// Expressions that must be at least 0
    pub fn at_least_zero(&self) -> Vec<AffineExpr> {
        let above = self.low.clone().map(|low| AffineExpr::sub(self.expr.clone(), low));
        let below =
            self.high.clone().map(|high| AffineExpr::sub(AffineExpr::sub(high, self.expr.clone()), 1.into()));
        above.into_iter().chain(below).collect()
    }
}

/// A result in progress: one buffer
pub struct Out {
    pub place: Lvalue,
    pub field: usize,
    pub elem: Elem,
    pub maps: Vec<Vec<AffineExpr>>,
    pub values: Vec<Value>,
    pub operator: Option<String>,
}

/// What a result starts from
#[derive(Clone, Debug)]
pub enum First {
    Nothing,
    Old,
    Constant(Attr),
    Element(Source, Vec<AffineExpr>),
}

/// Everything that assembling needs
pub struct Plan {
    pub dims: Vec<Dim>,
    pub outs: Vec<(Out, First)>,
}

/// An operator over an extreme and what belongs to it
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Joint {
    /// Its symbol
    pub name: String,
    /// The right one is taken where this holds between its first component and the left one's
    pub op: BinaryOp,
    /// The extreme, and what belongs to it
    pub elems: Vec<Elem>,
}

/// `lv = c;` in front of the loops that add to `lv`
#[derive(Clone, Debug)]
pub struct Start {
    /// What is set
    pub target: Expr,
    /// To what
    pub value: Expr,
    /// Loops around it
    pub depth: usize,
}

pub fn same_place(a: &Lvalue, b: &Lvalue) -> bool {
    a.name == b.name && a.array == b.array && a.field == b.field
}

/// Sums over the first variables of a nest as a map
pub fn index_map(rank: usize, subs: &[AffineExpr]) -> Option<AffineMap> {
    AffineMap::new(rank as u32, 0, subs.to_vec())
}
