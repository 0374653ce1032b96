//! How iterations of a loop combine: kind, operators, order word, mechanism.

use std::fmt;
use std::sync::Arc;
use terrace_devices::{Element, Update};
use terrace_dialect_arith as arith;
use terrace_interp::combine::Combining;
use terrace_interp::{RtValue, Trap};
use terrace_ir::show::round_to_bits;
use terrace_ir::{Attr, Context, OpDef, Type, TypeKind};

terrace_support::words! {
    /// Operators that need no function; meaning by type: floats `addf mulf minimumf maximumf`, integers `addi muli minsi
    /// maxsi andi ori xori minui maxui`
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[allow(missing_docs)]
    pub enum Builtin {
        Add = "add", Mul = "mul", Min = "min", Max = "max", And = "and",
        Or = "or", Xor = "xor", MinU = "minui", MaxU = "maxui",
    }
}

/// The type as tables of atomic updates have it
fn element(cx: &Context, ty: Type) -> Option<Element> {
    match ty.kind(cx) {
        TypeKind::Index => Some(Element::I64),
        TypeKind::Int { width, .. } => format!("i{width}").parse().ok(),
        TypeKind::Float(kind) => kind.word().parse().ok(),
        _ => None,
    }
}

/// A combine operator
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operator {
    /// One of the known ones
    Builtin(Builtin),
    /// A pure function `(T, T) -> T` that declares its algebra in `sched.operator`
    Function(Arc<str>),
}

impl Operator {
    /// From `"add"` or `@f`
    pub fn from_attr(cx: &Context, attr: Attr) -> Option<Operator> {
        if let Some(word) = attr.as_str(cx) {
            return word.parse().ok().map(Operator::Builtin);
        }
        let (root, nested) = attr.as_symbol(cx)?;
        nested.is_empty().then(|| Operator::Function(cx.str(root).into()))
    }

    /// As an attribute
    pub fn to_attr(&self, cx: &Context) -> Attr {
        match self {
            Operator::Builtin(builtin) => cx.str_attr(&builtin.to_string()),
            Operator::Function(name) => cx.symbol_attr(name),
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operator::Builtin(builtin) => builtin.fmt(f),
            Operator::Function(name) => write!(f, "@{name}"),
        }
    }
}

/// Results of a loop, or other values next to each other, that one operator merges together
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group<'a> {
    /// What merges them
    pub operator: &'a Operator,
    /// The first of them
    pub first: usize,
    /// How many they are
    pub len: usize,
}

impl Group<'_> {
    /// Their numbers
    pub fn values(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.len
    }
}

/// Which operator merges which of so many values: one function for several is on tuples, else each value has its own
pub fn groups(operators: &[Operator], values: usize) -> Vec<Group<'_>> {
    match operators {
        [operator @ Operator::Function(_)] if values > 1 => vec![Group { operator, first: 0, len: values }],
        _ => {
            let each = operators.iter().take(values).enumerate();
            each.map(|(first, operator)| Group { operator, first, len: 1 }).collect()
        }
    }
}

/// What is known of an operator on a type
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Algebra {
    /// Any bracketing gives the same, up to rounding
    pub associative: bool,
    /// Any order gives the same
    pub commutative: bool,
    /// No rounding: bracketing and order never show
    pub exact: bool,
    /// Neutral element, as a constant of the type; of an operator on tuples an array of them
    pub identity: Option<Attr>,
}

impl Algebra {
    /// The neutral element's component of this number
    pub fn neutral(&self, cx: &Context, component: usize) -> Option<Attr> {
        let identity = self.identity?;
        match identity.as_array(cx) {
            Some(all) => all.get(component).copied(),
            None => (component == 0).then_some(identity),
        }
    }
}

impl Builtin {
    /// Does the operator exist on this type?
    pub fn allows(self, cx: &Context, ty: Type) -> bool {
        match ty.kind(cx) {
            TypeKind::Float(_) => {
                matches!(self, Builtin::Add | Builtin::Mul | Builtin::Min | Builtin::Max)
            }
            TypeKind::Int { .. } | TypeKind::Index => true,
            _ => false,
        }
    }

    /// The atomic update that it is on a type
    pub fn update(self, cx: &Context, ty: Type) -> Option<(Update, Element)> {
        let (update, element) = (self.word().parse::<Update>().ok()?, element(cx, ty)?);
        update.is_of(element).then_some((update, element))
    }

    /// Does it find the largest or smallest of floats? NaN counts, and zeros are ordered
    pub fn is_ordered(self, cx: &Context, ty: Type) -> bool {
        matches!(self, Builtin::Min | Builtin::Max) && ty.is_float(cx)
    }

    /// Its algebra
    pub fn algebra(self, cx: &Context, ty: Type) -> Algebra {
        let float = ty.is_float(cx);
        let exact = !float || matches!(self, Builtin::Min | Builtin::Max);
        Algebra { associative: true, commutative: true, exact, identity: self.identity(cx, ty) }
    }

    /// The neutral element: −0.0 for float sums, infinities for float min and max, else as usual
    pub fn identity(self, cx: &Context, ty: Type) -> Option<Attr> {
        if let TypeKind::Float(kind) = ty.kind(cx) {
            let value = match self {
                Builtin::Add => -0.0,
                Builtin::Mul => 1.0,
                Builtin::Min => f64::INFINITY,
                Builtin::Max => f64::NEG_INFINITY,
                _ => return None,
            };
            return Some(cx.float_attr(round_to_bits(value, *kind)?, ty));
        }
        let width = ty.bit_width(cx).filter(|width| (1..=128).contains(width))?;
        let value = match self {
            Builtin::Add | Builtin::Or | Builtin::Xor | Builtin::MaxU => 0,
            Builtin::Mul => 1,
            Builtin::And | Builtin::MinU => -1,
            Builtin::Min => i128::MAX >> (128 - width),
            Builtin::Max => i128::MIN >> (128 - width),
        };
        Some(cx.int_attr(value, ty))
    }

    /// How it combines two numbers: floats, or integers
    pub fn combining(self, float: bool) -> Combining {
        match (self, float) {
            (Builtin::Add, _) => Combining::Add,
            (Builtin::Mul, _) => Combining::Mul,
            (Builtin::Min, true) => Combining::MinimumF,
            (Builtin::Max, true) => Combining::MaximumF,
            (Builtin::Min, false) => Combining::MinSI,
            (Builtin::Max, false) => Combining::MaxSI,
            (Builtin::And, _) => Combining::And,
            (Builtin::Or, _) => Combining::Or,
            (Builtin::Xor, _) => Combining::Xor,
            (Builtin::MinU, _) => Combining::MinUI,
            (Builtin::MaxU, _) => Combining::MaxUI,
        }
    }

    /// `a ⊕ b` of two numbers; poison if either is
    pub fn apply(self, a: &RtValue, b: &RtValue) -> Result<RtValue, Trap> {
        let float = matches!((a, b), (RtValue::Float { .. }, _) | (_, RtValue::Float { .. }));
        terrace_interp::combine::combine(self.combining(float), a, b)
    }

    /// The op that computes it on a type, of upstream's arithmetic
    pub fn op(self, float: bool) -> Option<&'static OpDef> {
        Some(match (self, float) {
            (Builtin::Add, true) => arith::AddF::DEF,
            (Builtin::Mul, true) => arith::MulF::DEF,
            (Builtin::Min, true) => arith::MinimumF::DEF,
            (Builtin::Max, true) => arith::MaximumF::DEF,
            (_, true) => return None,
            (Builtin::Add, false) => arith::AddI::DEF,
            (Builtin::Mul, false) => arith::MulI::DEF,
            (Builtin::Min, false) => arith::MinSI::DEF,
            (Builtin::Max, false) => arith::MaxSI::DEF,
            (Builtin::And, false) => arith::AndI::DEF,
            (Builtin::Or, false) => arith::OrI::DEF,
            (Builtin::Xor, false) => arith::XOrI::DEF,
            (Builtin::MinU, false) => arith::MinUI::DEF,
            (Builtin::MaxU, false) => arith::MaxUI::DEF,
        })
    }
}
