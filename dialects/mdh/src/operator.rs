//! Combine operators: the built-in ones, and what functions declare about themselves.
//!
//! A user's operator is a pure `func.func` with the discardable attribute
//! `sched.operator = {associative, commutative, exact, identity = […]}`.

use terrace_interp::RtValue;
use terrace_ir::attrs::dict_get;
use terrace_ir::show::round_to_bits;
use terrace_ir::{Attr, Context, Str, Type, TypeKind};

/// A built-in operator; minimum and maximum are signed, and of floats those that keep NaN
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Builtin {
    Add,
    Mul,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// A combine operator
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// One of ours
    Builtin(Builtin),
    /// A function by its symbol
    Func(Str),
}

/// What a function declares in `sched.operator`
#[derive(Clone, Default, Debug)]
pub struct Declared {
    /// `associative`
    pub associative: bool,
    /// `commutative`
    pub commutative: bool,
    /// `exact`: bracketing changes no bit
    pub exact: bool,
    /// `identity`: one constant per component
    pub identity: Option<Vec<Attr>>,
}

impl Builtin {
    /// All, with their names
    pub const ALL: [(&'static str, Builtin); 7] = [
        ("add", Builtin::Add),
        ("mul", Builtin::Mul),
        ("min", Builtin::Min),
        ("max", Builtin::Max),
        ("and", Builtin::And),
        ("or", Builtin::Or),
        ("xor", Builtin::Xor),
    ];

    /// By name
    pub fn parse(name: &str) -> Option<Builtin> {
        Builtin::ALL.iter().find(|(text, _)| *text == name).map(|(_, op)| *op)
    }

    /// Name in text
    pub fn name(self) -> &'static str {
        Builtin::ALL.iter().find(|(_, op)| *op == self).map_or("", |(text, _)| text)
    }

    /// Does it work on this element type?
    pub fn takes(self, cx: &Context, ty: Type) -> bool {
        let bits = matches!(self, Builtin::And | Builtin::Or | Builtin::Xor);
        ty.is_signless_int(cx) || ty.is_index(cx) || ty.is_float(cx) && !bits
    }

    /// The constant e with e ⊕ x = x
    ///
    /// Of float addition this is +0, equal for every x but −0 (and it gives +0 there).
    pub fn identity(self, cx: &Context, ty: Type) -> Option<Attr> {
        if let TypeKind::Float(kind) = ty.kind(cx) {
            let value = match self {
                Builtin::Add => 0.0,
                Builtin::Mul => 1.0,
                Builtin::Min => f64::INFINITY,
                Builtin::Max => f64::NEG_INFINITY,
                _ => return None,
            };
            return Some(cx.float_attr(round_to_bits(value, *kind)?, ty));
        }
        let width = ty.bit_width(cx).filter(|width| (1..=128).contains(width))?;
        let value = match self {
            Builtin::Add | Builtin::Or | Builtin::Xor => 0,
            Builtin::Mul => 1,
            Builtin::And => -1,
            Builtin::Min => i128::MAX >> (128 - width),
            Builtin::Max => i128::MIN >> (128 - width),
        };
        Some(cx.int_attr(value, ty))
    }

    /// a ⊕ b; poison if either is, `None` if they are no numbers of one type
    pub fn apply(self, a: &RtValue, b: &RtValue) -> Option<RtValue> {
        let float = matches!((a, b), (RtValue::Float { .. }, _) | (_, RtValue::Float { .. }));
        let name = match (self, float) {
            (Builtin::Min, true) => "minimumf",
            (Builtin::Max, true) => "maximumf",
            (Builtin::Min, false) => "minsi",
            (Builtin::Max, false) => "maxsi",
            (other, _) => other.name(),
        };
        terrace_interp::combine::combine(name, a, b).ok()
    }
}

impl Operator {
    /// Text: `add` or `@f`
    pub fn text(self, cx: &Context) -> String {
        match self {
            Operator::Builtin(op) => op.name().into(),
            Operator::Func(name) => format!("@{}", cx.str(name)),
        }
    }

    /// As in the property `combine`: a string or a symbol
    pub fn attr(self, cx: &Context) -> Attr {
        match self {
            Operator::Builtin(op) => cx.str_attr(op.name()),
            Operator::Func(name) => cx.symbol_attr(cx.str(name)),
        }
    }

    /// Read it back
    pub fn of_attr(cx: &Context, attr: Attr) -> Option<Operator> {
        if let Some(name) = attr.as_str(cx) {
            return Builtin::parse(name).map(Operator::Builtin);
        }
        let (root, nested) = attr.as_symbol(cx)?;
        nested.is_empty().then_some(Operator::Func(root))
    }
}

/// What the discardable attributes of a function say of it as an operator
pub fn declared(cx: &Context, attrs: Option<Attr>) -> Option<Declared> {
    let entries = attrs?.as_dict(cx)?;
    let dict = dict_get(cx, entries, "sched.operator")?.as_dict(cx)?;
    let has = |name: &str| dict_get(cx, dict, name).is_some_and(|attr| attr != cx.common().false_);
    Some(Declared {
        associative: has("associative"),
        commutative: has("commutative"),
        exact: has("exact"),
        identity: dict_get(cx, dict, "identity").and_then(|attr| attr.as_array(cx)).map(<[Attr]>::to_vec),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_neutral() {
        let cx = Context::new(&[]);
        for (name, op) in Builtin::ALL {
            for ty in [cx.common().i8, cx.common().index, cx.common().f32] {
                let Some(identity) = op.identity(&cx, ty) else { continue };
                let identity = RtValue::of_attr(&cx, identity).expect("a number");
                let x = match ty.kind(&cx) {
                    TypeKind::Float(_) => RtValue::f32(-2.5),
                    _ => RtValue::int(-7, ty.bit_width(&cx).unwrap_or(8)),
                };
                assert_eq!(op.apply(&identity, &x).as_ref(), Some(&x), "{name}");
            }
        }
    }
}
