//! Combine operators: the built-in ones, and what functions declare about themselves.
//!
//! A user's operator is a pure `func.func` with the discardable attribute
//! `sched.operator = {associative, commutative, exact, counted, identity = […]}`.

pub use terrace_dialect_sched::Builtin;
pub use terrace_dialect_sched::operator::NAME as DECLARED;
use terrace_ir::attrs::dict_get;
use terrace_ir::{Attr, Context, Str, Type, TypeKind};

/// Attribute of a declared operator: it has a form on lanes. A list of what it does: numbers of simple instructions on floats, divisions, calls
/// of functions of a library
pub const LANES: &str = "mdh.lanes";

/// Discardable attribute of a function or a computation: names of rules that may change how values are rounded
pub const APPROXIMATE: &str = "mdh.approximate";

/// A combine operator
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// One of ours
    Builtin(Builtin),
    /// A function by its symbol
    Func(Str),
    /// One of ours whose partial results are not of the type of the result; `mdh-accumulators` writes out how
    Accumulated(Accumulator),
}

/// How a built-in operator keeps partial results
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulator {
    /// The operator
    pub builtin: Builtin,
    /// `acc T`: the type of partial results, instead of that of the result
    pub ty: Option<Type>,
    /// `compensated`: partial results are a sum and its error
    pub compensated: bool,
}

/// Word of a [`compensated`](Accumulator::compensated) sum
pub const COMPENSATED: &str = "compensated";

/// What a function declares in `sched.operator`
#[derive(Clone, Default, Debug)]
pub struct Declared {
    /// `associative`
    pub associative: bool,
    /// `commutative`
    pub commutative: bool,
    /// `exact`: bracketing changes no bit
    pub exact: bool,
    /// `counted`: the first component is a number of elements, at least 1 but for the identity; the rest holds for such tuples
    pub counted: bool,
    /// `identity`: one constant per component
    pub identity: Option<Vec<Attr>>,
}

/// Does a built-in operator work on this element type?
pub fn takes(op: Builtin, cx: &Context, ty: Type) -> bool {
    op.allows(cx, ty) && (!ty.is_int(cx) || ty.is_signless_int(cx))
}

/// The constant e with e ⊕ x = x
///
/// Of float addition this is +0, equal for every x but −0 (and it gives +0 there): what a computation starts with is seen
/// where a place may have no points ([`View::may_be_empty`](crate::view::View::may_be_empty)). Elsewhere, and inside of a schedule,
/// it is −0, [`Builtin::identity`].
pub fn identity(op: Builtin, cx: &Context, ty: Type) -> Option<Attr> {
    match (op, ty.kind(cx)) {
        (Builtin::Add, TypeKind::Float(_)) => Some(cx.float_attr(0, ty)),
        _ => op.identity(cx, ty),
    }
}

impl Operator {
    /// Text: `add` or `@f`
    pub fn text(self, cx: &Context) -> String {
        match self {
            Operator::Builtin(op) => op.to_string(),
            Operator::Func(name) => format!("@{}", cx.str(name)),
            Operator::Accumulated(own) => {
                let ty = own
                    .ty
                    .map_or(String::new(), |ty| format!(" acc {}", terrace_ir::show::type_text(cx, ty)));
                let word = if own.compensated { format!(" {COMPENSATED}") } else { String::new() };
                format!("{}{ty}{word}", own.builtin)
            }
        }
    }

    /// As in the property `combine`: a string or a symbol
    pub fn attr(self, cx: &Context) -> Attr {
        match self {
            Operator::Builtin(op) => cx.str_attr(&op.to_string()),
            Operator::Func(name) => cx.symbol_attr(cx.str(name)),
            Operator::Accumulated(Accumulator { builtin, ty, compensated }) => {
                let name = cx.str_attr(&builtin.to_string());
                let word = compensated.then(|| cx.str_attr(COMPENSATED));
                let all: Vec<Attr> =
                    [name].into_iter().chain(ty.map(|ty| cx.type_attr(ty))).chain(word).collect();
                cx.array_attr(&all)
            }
        }
    }

    /// Read it back
    pub fn of_attr(cx: &Context, attr: Attr) -> Option<Operator> {
        if let Some(name) = attr.as_str(cx) {
            return name.parse().ok().map(Operator::Builtin);
        }
        if let Some([name, all @ ..]) = attr.as_array(cx) {
            let builtin = name.as_str(cx)?.parse().ok()?;
            let (ty, word) = match all {
                [word] if word.as_str(cx).is_some() => (None, Some(word)),
                [ty] => (Some(ty.as_type(cx)?), None),
                [ty, word] => (Some(ty.as_type(cx)?), Some(word)),
                _ => return None,
            };
            let compensated = word.is_some();
            let known = word.is_none_or(|word| word.as_str(cx) == Some(COMPENSATED));
            return known.then_some(Operator::Accumulated(Accumulator { builtin, ty, compensated }));
        }
        let (root, nested) = attr.as_symbol(cx)?;
        nested.is_empty().then_some(Operator::Func(root))
    }
}

/// What the discardable attributes of a function say of it as an operator
pub fn declared(cx: &Context, attrs: Option<Attr>) -> Option<Declared> {
    let entries = attrs?.as_dict(cx)?;
    let dict = dict_get(cx, entries, DECLARED)?.as_dict(cx)?;
    let has = |name: &str| dict_get(cx, dict, name).is_some_and(|attr| attr != cx.common().false_);
    Some(Declared {
        associative: has("associative"),
        commutative: has("commutative"),
        exact: has("exact"),
        counted: has("counted"),
        identity: dict_get(cx, dict, "identity").and_then(|attr| attr.as_array(cx)).map(<[Attr]>::to_vec),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_interp::RtValue;

    #[test]
    fn identities_are_neutral() {
        let cx = Context::new(&[]);
        for name in Builtin::WORDS {
            let op: Builtin = name.parse().expect("a word of the list");
            for ty in [cx.common().i8, cx.common().index, cx.common().f32] {
                let Some(neutral) = identity(op, &cx, ty) else { continue };
                let neutral = RtValue::of_attr(&cx, neutral).expect("a number");
                let x = match ty.kind(&cx) {
                    TypeKind::Float(_) => RtValue::f32(-2.5),
                    _ => RtValue::int(-7, ty.bit_width(&cx).unwrap_or(8)),
                };
                assert_eq!(op.apply(&neutral, &x).ok().as_ref(), Some(&x), "{name}");
            }
        }
    }
}
