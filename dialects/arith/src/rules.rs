//! Rules of `arith`: sums, differences and products with constants are regrouped so that constants meet.
//!
//! Terminates: each application removes an op or moves a constant outward. Flags are dropped: a regrouped sum may overflow
//! where the old one did not.

use super::fold::ints;
use super::simplify::{ADD_NEGATIVE_LEFT, ADD_NEGATIVE_RIGHT, SUB_SUB_SAME};
use super::{AddI, MulI, SubI};
use terrace_ir::{Attr, Context, Type};
use terrace_rewrite::term::{Find, Put, TermRule};
use terrace_rewrite::{Canonicalize, Rule};

fn sum(cx: &Context, c: &[Attr], _: Type) -> Option<Attr> {
    ints(cx, c[0], c[1], |a, b, _| Some(a.wrapping_add(b)))
}

fn first_minus_second(cx: &Context, c: &[Attr], _: Type) -> Option<Attr> {
    ints(cx, c[0], c[1], |a, b, _| Some(a.wrapping_sub(b)))
}

fn second_minus_first(cx: &Context, c: &[Attr], _: Type) -> Option<Attr> {
    ints(cx, c[0], c[1], |a, b, _| Some(b.wrapping_sub(a)))
}

fn product(cx: &Context, c: &[Attr], _: Type) -> Option<Attr> {
    ints(cx, c[0], c[1], |a, b, _| Some(a.wrapping_mul(b)))
}

const X: Find = Find::Var(0);
const C: Find = Find::Const(0);
const D: Find = Find::Const(1);

/// (x + c) + d = x + (c + d)
static ADD_ADD: TermRule = TermRule {
    name: "add_add_const",
    find: Find::Op(AddI::DEF, &[Find::Op(AddI::DEF, &[X, C]), D]),
    put: Put::Op(AddI::DEF, &[Put::Var(0), Put::Const(sum)]),
};
/// (x − c) + d = x + (d − c)
static ADD_SUB_RIGHT: TermRule = TermRule {
    name: "add_sub_const_right",
    find: Find::Op(AddI::DEF, &[Find::Op(SubI::DEF, &[X, C]), D]),
    put: Put::Op(AddI::DEF, &[Put::Var(0), Put::Const(second_minus_first)]),
};
/// (c − x) + d = (c + d) − x
static ADD_SUB_LEFT: TermRule = TermRule {
    name: "add_sub_const_left",
    find: Find::Op(AddI::DEF, &[Find::Op(SubI::DEF, &[C, X]), D]),
    put: Put::Op(SubI::DEF, &[Put::Const(sum), Put::Var(0)]),
};
/// (x + c) − d = x + (c − d)
static SUB_ADD: TermRule = TermRule {
    name: "sub_add_const",
    find: Find::Op(SubI::DEF, &[Find::Op(AddI::DEF, &[X, C]), D]),
    put: Put::Op(AddI::DEF, &[Put::Var(0), Put::Const(first_minus_second)]),
};
/// c − (x + d) = (c − d) − x
static SUB_FROM_ADD: TermRule = TermRule {
    name: "sub_from_add_const",
    find: Find::Op(SubI::DEF, &[C, Find::Op(AddI::DEF, &[X, D])]),
    put: Put::Op(SubI::DEF, &[Put::Const(first_minus_second), Put::Var(0)]),
};
/// (x − c) − d = x − (c + d)
static SUB_SUB_RIGHT: TermRule = TermRule {
    name: "sub_sub_const_right",
    find: Find::Op(SubI::DEF, &[Find::Op(SubI::DEF, &[X, C]), D]),
    put: Put::Op(SubI::DEF, &[Put::Var(0), Put::Const(sum)]),
};
/// (c − x) − d = (c − d) − x
static SUB_SUB_LEFT: TermRule = TermRule {
    name: "sub_sub_const_left",
    find: Find::Op(SubI::DEF, &[Find::Op(SubI::DEF, &[C, X]), D]),
    put: Put::Op(SubI::DEF, &[Put::Const(first_minus_second), Put::Var(0)]),
};
/// c − (x − d) = (c + d) − x
static SUB_FROM_SUB_RIGHT: TermRule = TermRule {
    name: "sub_from_sub_const_right",
    find: Find::Op(SubI::DEF, &[C, Find::Op(SubI::DEF, &[X, D])]),
    put: Put::Op(SubI::DEF, &[Put::Const(sum), Put::Var(0)]),
};
/// c − (d − x) = x + (c − d)
static SUB_FROM_SUB_LEFT: TermRule = TermRule {
    name: "sub_from_sub_const_left",
    find: Find::Op(SubI::DEF, &[C, Find::Op(SubI::DEF, &[D, X])]),
    put: Put::Op(AddI::DEF, &[Put::Var(0), Put::Const(first_minus_second)]),
};
/// (x · c) · d = x · (c · d)
static MUL_MUL: TermRule = TermRule {
    name: "mul_mul_const",
    find: Find::Op(MulI::DEF, &[Find::Op(MulI::DEF, &[X, C]), D]),
    put: Put::Op(MulI::DEF, &[Put::Var(0), Put::Const(product)]),
};

impl Canonicalize for AddI {
    const RULES: &'static [&'static dyn Rule] =
        &[&ADD_ADD, &ADD_SUB_RIGHT, &ADD_SUB_LEFT, &ADD_NEGATIVE_LEFT, &ADD_NEGATIVE_RIGHT];
}

impl Canonicalize for SubI {
    const RULES: &'static [&'static dyn Rule] = &[
        &SUB_ADD,
        &SUB_FROM_ADD,
        &SUB_SUB_RIGHT,
        &SUB_SUB_LEFT,
        &SUB_FROM_SUB_RIGHT,
        &SUB_FROM_SUB_LEFT,
        &SUB_SUB_SAME,
    ];
}

impl Canonicalize for MulI {
    const RULES: &'static [&'static dyn Rule] = &[&MUL_MUL];
}
