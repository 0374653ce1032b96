//! Expressions as index functions, conditions and scalar functions.

use crate::model::{Bin, Elem, Scalar};
use crate::syntax::{Expr, ExprKind};
use std::fmt;
use terrace_diag::Span;
use terrace_dialect_mdh::view::Condition;
use terrace_support::affine::{AffineExpr, AffineKind};

/// A sum over names; nothing if it is none
pub fn affine(e: &Expr, name: &dyn Fn(&str) -> Option<AffineExpr>) -> Option<AffineExpr> {
    match &e.kind {
        ExprKind::Int(value) => Some((*value).into()),
        ExprKind::Name(text) => name(text),
        ExprKind::Neg(inner) => affine(inner, name).map(AffineExpr::negated),
        ExprKind::Op(op, a, b) => {
            let (a, b) = (affine(a, name)?, affine(b, name)?);
            match *op {
                "+" => Some(AffineExpr::add(a, b)),
                "-" => Some(AffineExpr::sub(a, b)),
                "*" if b.as_constant().is_some() => Some(AffineExpr::mul(a, b)),
                "*" if a.as_constant().is_some() => Some(AffineExpr::mul(b, a)),
                "/" | "%" if b.as_constant().is_some_and(|b| b > 0) => {
                    let kind = if *op == "/" { AffineKind::FloorDiv } else { AffineKind::Mod };
                    Some(AffineExpr::binary(kind, a, b))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// A condition as bounds; nothing if a part compares something else
pub fn conditions(e: &Expr, name: &dyn Fn(&str) -> Option<AffineExpr>) -> Option<Vec<Condition>> {
    let mut parts = vec![e];
    let mut bounds: Vec<(Option<AffineExpr>, AffineExpr, Option<AffineExpr>)> = Vec::new();
    while let Some(e) = parts.pop() {
        let ExprKind::Op(op, a, b) = &e.kind else { return None };
        if *op == "&&" {
            parts.extend([&**b, &**a]);
            continue;
        }
        let (a, b) = (affine(a, name)?, affine(b, name)?);
        let swap = a.as_constant().is_some();
        let op = match (*op, swap) {
            ("<", true) => ">",
            ("<=", true) => ">=",
            (">", true) => "<",
            (">=", true) => "<=",
            (op, _) => op,
        };
        let (expr, other) = if swap { (b, a) } else { (a, b) };
        let next = |e: &AffineExpr| AffineExpr::add(e.clone(), 1.into());
        let (low, high) = match op {
            "<" => (None, Some(other)),
            "<=" => (None, Some(next(&other))),
            ">" => (Some(next(&other)), None),
            ">=" => (Some(other), None),
            "==" => (Some(other.clone()), Some(next(&other))),
            _ => return None,
        };
        let same = bounds.iter_mut().find(|(l, e, h)| {
            *e == expr && (l.is_none() || low.is_none()) && (h.is_none() || high.is_none())
        });
        match same {
            Some((l, _, h)) => {
                *l = l.take().or(low);
                *h = h.take().or(high);
            }
            None => bounds.push((low, expr, high)),
        }
    }
    let condition = |(low, expr, high): (Option<AffineExpr>, AffineExpr, Option<AffineExpr>)| match high {
        Some(high) => Condition { low, expr, high },
        None => Condition { low: None, expr: AffineExpr::sub(low.unwrap_or(0.into()), 1.into()), high: expr },
    };
    Some(bounds.into_iter().map(condition).collect())
}

/// A part of an expression that no scalar function has
pub struct NotScalar {
    /// Where it stands
    pub at: Span,
    /// What is wrong with it
    pub why: String,
    /// The value of a subscript is wrong, not a name
    pub subscript: bool,
}

impl NotScalar {
    pub fn new(at: Span, why: impl Into<String>) -> NotScalar {
        NotScalar { at, why: why.into(), subscript: false }
    }
}

/// What a part of a scalar function may be that is no arithmetic
pub type Leaf<'a> = dyn FnMut(&Expr) -> Result<Option<Scalar>, NotScalar> + 'a;

/// A scalar function of an expression
pub fn scalar(e: &Expr, leaf: &mut Leaf<'_>) -> Result<Scalar, NotScalar> {
    if let Some(found) = leaf(e)? {
        return Ok(found);
    }
    let wrong = |why: &str| Err(NotScalar::new(e.span, why));
    Ok(match &e.kind {
        ExprKind::Int(value) => Scalar::Int(*value),
        ExprKind::Float(value) => Scalar::Float(*value),
        ExprKind::Neg(inner) => Scalar::Neg(Box::new(scalar(inner, leaf)?)),
        ExprKind::Op(op, a, b) => binary(op, scalar(a, leaf)?, scalar(b, leaf)?),
        ExprKind::Call(name, args) => {
            let args = args.iter().map(|arg| scalar(arg, leaf)).collect::<Result<Vec<_>, _>>()?;
            return call(name, args).or_else(|error| wrong(&error.to_string()));
        }
        ExprKind::Cond(test, a, b) => Scalar::Select(
            Box::new(scalar(test, leaf)?),
            Box::new(scalar(a, leaf)?),
            Box::new(scalar(b, leaf)?),
        ),
        ExprKind::Iverson(inner) => {
            Scalar::Select(Box::new(scalar(inner, leaf)?), Box::new(Scalar::Int(1)), Box::new(Scalar::Int(0)))
        }
        ExprKind::Name(name) => return wrong(&format!("{name} is not known here")),
        ExprKind::Access(name, ..) => return wrong(&format!("{name} cannot be read here")),
        ExprKind::Tuple(_) => return wrong("a tuple is no number"),
    })
}

fn binary(op: &str, mut a: Scalar, mut b: Scalar) -> Scalar {
    let bin = match op {
        "+" => Bin::Add,
        "-" => Bin::Sub,
        "*" => Bin::Mul,
        "/" => Bin::Div,
        "%" => Bin::Rem,
        "<" => Bin::Lt,
        "<=" => Bin::Le,
        ">" => Bin::Gt,
        ">=" => Bin::Ge,
        "==" => Bin::Eq,
        "!=" => Bin::Ne,
        "&&" => Bin::And,
        _ => Bin::Or,
    };
    if matches!(bin, Bin::And | Bin::Or) {
        // Of truth values, whatever the operands are.
        let truth = |e| Scalar::Cast(Elem::Int(1), Box::new(e));
        (a, b) = (truth(a), truth(b));
    }
    Scalar::Op(bin, Box::new(a), Box::new(b))
}

/// Why a call has no value
#[derive(Clone, PartialEq, Eq, Debug)]
enum NotCallable {
    /// An extreme without operands
    OfNothing,
    /// A conversion of more than one number, or of none
    Conversion { name: String, given: usize },
    /// A function with another number of arguments
    Arity { name: String, arity: usize, given: usize },
    /// No function has this name
    Unknown(String),
}

impl fmt::Display for NotCallable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OfNothing => f.write_str("of nothing"),
            Self::Conversion { name, given } => write!(f, "{name} converts one number, not {given}"),
            Self::Arity { name, arity, given } => {
                let s = if *arity == 1 { "" } else { "s" };
                write!(f, "{name} takes {arity} argument{s}, not {given}")
            }
            Self::Unknown(name) => {
                write!(f, "{name} is no function known here")?;
                match terrace_diag::nearest(name, crate::values::function_names()) {
                    Some(near) => write!(f, "; did you mean `{near}`?"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for NotCallable {}

/// `min`, `max`, a conversion or a function of mathematics; the error names what would fit
fn call(name: &str, args: Vec<Scalar>) -> Result<Scalar, NotCallable> {
    let extreme = match name {
        "min" => Some(Bin::Min),
        "max" => Some(Bin::Max),
        _ => None,
    };
    if let Some(bin) = extreme {
        let all = args.into_iter().reduce(|a, b| Scalar::Op(bin, Box::new(a), Box::new(b)));
        return all.ok_or(NotCallable::OfNothing);
    }
    if let Some(to) = Elem::parse(name) {
        return match <[Scalar; 1]>::try_from(args) {
            Ok([only]) => Ok(Scalar::Cast(to, Box::new(only))),
            Err(args) => Err(NotCallable::Conversion { name: name.into(), given: args.len() }),
        };
    }
    match crate::values::math_arity(name) {
        Some(arity) if arity == args.len() => Ok(crate::values::function(name, args)),
        Some(arity) => Err(NotCallable::Arity { name: name.into(), arity, given: args.len() }),
        None => Err(NotCallable::Unknown(name.into())),
    }
}
