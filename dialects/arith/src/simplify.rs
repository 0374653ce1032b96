//! Rules of `arith` that need new ops or other operands: comparisons, choices, casts, bits.
//!
//! Terminates: each application removes an op, makes a cast nearer to its source, or moves a constant to the right.

use super::compare::{CmpI, Select};
use super::{
    AddI, AddUIExtended, AndI, CmpIPredicate, DivF, ExtSI, ExtUI, IndexCast, IndexCastUI, MulF, MulI,
    MulSIExtended, MulUIExtended, NegF, OrI, SubI, TruncI, XOrI,
};
use crate::fold::{int_constant, uniform_int, width};
use crate::unordered::OR_UNORDERED;
use terrace_ir::fold::constant_of;
use terrace_ir::{Attr, Builder, Context, Ir, OpDef, OpId, Traits, Type, Value};
use terrace_rewrite::term::{Find, Put, TermRule};
use terrace_rewrite::{Canonicalize, FnRule, Miss, OrMiss, Rewriter, Rule};

fn int(ir: &Ir, value: Value) -> Option<i128> {
    uniform_int(ir.cx(), constant_of(ir, value)?)
}

/// The op that defines a value, if it is one of these
fn def_of(ir: &Ir, value: Value, def: &'static OpDef) -> Option<OpId> {
    ir.defining_op(value).filter(|op| ir.is(*op, def))
}

fn result_type(ir: &Ir, op: OpId) -> Type {
    ir.ty(ir.result(op, 0))
}

/// Is the type one bit, or one per element?
fn is_bool(ir: &Ir, ty: Type) -> bool {
    ty.scalar(ir.cx()) == ir.cx().common().i1
}

/// `x` of `x ^ 1`, for one bit
fn inverted(ir: &Ir, value: Value) -> Option<Value> {
    let op = def_of(ir, value, XOrI::DEF)?;
    let all = int(ir, ir.operand(op, 1))? == -1;
    (all && is_bool(ir, ir.ty(value))).then(|| ir.operand(op, 0))
}

/// The constant with all bits set, of one bit each
fn yes(b: &mut Builder<'_>, ty: Type) -> Option<Value> {
    let attr = int_constant(b.cx(), -1, ty)?;
    Some(super::Constant::build(b, attr).result(b.read()))
}

fn invert(b: &mut Builder<'_>, value: Value) -> Option<Value> {
    let ty = b.read().ty(value);
    let one = yes(b, ty)?;
    Some(XOrI::build(b, value, one).result(b.read()))
}

fn replace_by(rw: &mut Rewriter<'_>, op: OpId, build: impl FnOnce(&mut Builder<'_>) -> Option<Value>) {
    if let Some(value) = rw.build_before(op, build) {
        rw.replace(op, &[value]);
    }
}

// Comparisons

fn compare(b: &mut Builder<'_>, predicate: CmpIPredicate, lhs: Value, rhs: Value) -> Value {
    CmpI::build(b, lhs, rhs, predicate).result(b.read())
}

/// c < x is x > c
static CMP_CONST_RIGHT: FnRule<CmpIPredicate> = FnRule {
    name: "cmp_const_right",
    root: Some(CmpI::DEF),
    find: |ir, op| {
        constant_of(ir, ir.operand(op, 0)).or_miss("the left operand is no constant")?;
        constant_of(ir, ir.operand(op, 1)).is_none().or_miss("both operands are constants")?;
        Ok(CmpI(op).predicate(ir))
    },
    put: |rw, op, predicate| {
        let (lhs, rhs) = (rw.ir().operand(op, 0), rw.ir().operand(op, 1));
        replace_by(rw, op, |b| Some(compare(b, predicate.swapped(), rhs, lhs)));
    },
};

/// Comparing two values widened alike is comparing them, where both are read alike
static CMP_EXT: FnRule<(CmpIPredicate, Value, Value)> = FnRule {
    name: "cmp_of_ext",
    root: Some(CmpI::DEF),
    find: |ir, op| {
        let predicate = CmpI(op).predicate(ir);
        let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
        for (def, fits) in [(ExtSI::DEF, true), (ExtUI::DEF, false)] {
            if let (Some(a), Some(b)) = (def_of(ir, a, def), def_of(ir, b, def)) {
                let (a, b) = (ir.operand(a, 0), ir.operand(b, 0));
                (ir.ty(a) == ir.ty(b)).or_miss("they are widened from different types")?;
                // Zeros in front: signed and unsigned order are the unsigned one. Signs: the orders stay what they are.
                let predicate = if fits { predicate } else { predicate.unsigned() };
                return Ok((predicate, a, b));
            }
        }
        Err(Miss("the operands are not widened alike"))
    },
    put: |rw, op, (predicate, x, y)| replace_by(rw, op, |b| Some(compare(b, predicate, x, y))),
};

/// !(a < b) is a >= b
static NOT_CMP: FnRule<OpId> = FnRule {
    name: "not_cmp",
    root: Some(XOrI::DEF),
    find: |ir, op| {
        let inner = inverted(ir, ir.result(op, 0)).or_miss("not an inversion of one bit")?;
        def_of(ir, inner, CmpI::DEF).or_miss("what is inverted is no comparison")
    },
    put: |rw, op, cmp| {
        let ir = rw.ir();
        let (lhs, rhs, predicate) = (ir.operand(cmp, 0), ir.operand(cmp, 1), CmpI(cmp).predicate(ir));
        replace_by(rw, op, |b| Some(compare(b, predicate.inverse(), lhs, rhs)));
    },
};

// Bits

/// Bits of two values widened alike are the bits of the values, widened
fn widened_alike(ir: &Ir, op: OpId) -> Result<(bool, Value, Value), Miss> {
    for (def, signed) in [(ExtUI::DEF, false), (ExtSI::DEF, true)] {
        let sources = [0, 1].map(|n| def_of(ir, ir.operand(op, n), def).map(|ext| ir.operand(ext, 0)));
        if let [Some(a), Some(b)] = sources {
            (ir.ty(a) == ir.ty(b)).or_miss("they are widened from different types")?;
            return Ok((signed, a, b));
        }
    }
    Err(Miss("the operands are not widened alike"))
}

macro_rules! bits_of_ext {
    ($rule:ident $name:tt $op:ident) => {
        /// The op on two values widened alike is the widened op on the values
        static $rule: FnRule<(bool, Value, Value)> = FnRule {
            name: $name,
            root: Some($op::DEF),
            find: widened_alike,
            put: |rw, op, (signed, x, y)| {
                let ty = result_type(rw.ir(), op);
                replace_by(rw, op, |b| {
                    let narrow = $op::build(b, x, y).result(b.read());
                    Some(widen(b, signed, narrow, ty))
                });
            },
        };
    };
}

fn widen(b: &mut Builder<'_>, signed: bool, value: Value, ty: Type) -> Value {
    if signed { ExtSI::build(b, value, ty).out(b.read()) } else { ExtUI::build(b, value, ty).out(b.read()) }
}

bits_of_ext! { AND_EXT "and_of_ext" AndI }
bits_of_ext! { OR_EXT "or_of_ext" OrI }
bits_of_ext! { XOR_EXT "xor_of_ext" XOrI }

// Choices

/// A choice between no and yes is the inverted condition
static SELECT_NOT: FnRule<Value> = FnRule {
    name: "select_to_not",
    root: Some(Select::DEF),
    find: |ir, op| {
        let select = Select(op);
        let condition = select.condition(ir);
        (ir.ty(condition) == result_type(ir, op)).or_miss("not a choice of conditions")?;
        let values = (int(ir, select.true_value(ir)), int(ir, select.false_value(ir)));
        (values == (Some(0), Some(-1))).or_miss("not a choice between no and yes")?;
        Ok(condition)
    },
    put: |rw, op, condition| replace_by(rw, op, |b| invert(b, condition)),
};

/// An inverted condition exchanges the values
static SELECT_OF_NOT: FnRule<Value> = FnRule {
    name: "select_of_not",
    root: Some(Select::DEF),
    find: |ir, op| inverted(ir, Select(op).condition(ir)).or_miss("the condition is no inversion"),
    put: |rw, op, condition| {
        let (yes, no) = (rw.ir().operand(op, 1), rw.ir().operand(op, 2));
        rw.set_operands(op, &[condition, no, yes], &[]);
    },
};

/// A choice between 1 and 0 is the condition, widened
static SELECT_EXT: FnRule<(Value, bool)> = FnRule {
    name: "select_to_ext",
    root: Some(Select::DEF),
    find: |ir, op| {
        let (select, cx) = (Select(op), ir.cx());
        let (condition, ty) = (select.condition(ir), result_type(ir, op));
        (ty.with_element(cx, cx.common().i1) == ir.ty(condition)).or_miss("one condition for many values")?;
        (width(cx, ty).is_some_and(|width| width > 1) && ty.scalar(cx) != cx.common().index)
            .or_miss("not a choice of integers")?;
        match (int(ir, select.true_value(ir)), int(ir, select.false_value(ir))) {
            (Some(1), Some(0)) => Ok((condition, false)),
            (Some(0), Some(1)) => Ok((condition, true)),
            _ => Err(Miss("not a choice between 1 and 0")),
        }
    },
    put: |rw, op, (condition, invert_it)| {
        let ty = result_type(rw.ir(), op);
        replace_by(rw, op, |b| {
            let condition = if invert_it { invert(b, condition)? } else { condition };
            Some(widen(b, false, condition, ty))
        });
    },
};

/// A choice inside of a choice on the same condition is decided
static SELECT_SELECT: FnRule<(usize, Value)> = FnRule {
    name: "select_of_select",
    root: Some(Select::DEF),
    find: |ir, op| {
        let condition = ir.operand(op, 0);
        let decided = |n: usize| {
            let inner = def_of(ir, ir.operand(op, n), Select::DEF)?;
            (ir.operand(inner, 0) == condition).then(|| (n, ir.operand(inner, n)))
        };
        decided(1).or_else(|| decided(2)).or_miss("neither value is a choice on this condition")
    },
    put: |rw, op, (n, value)| rw.set_operand(op, n, value),
};

/// What is chosen needs no choice on the same condition among its own operands: a masked sum under its mask
static SELECT_THROUGH: FnRule<(OpId, usize, Value)> = FnRule {
    name: "select_of_masked_operand",
    root: Some(Select::DEF),
    find: |ir, op| {
        let condition = ir.operand(op, 0);
        let decided = |n: usize| {
            let value = ir.operand(op, n);
            let lanewise = Traits::Pure.and(Traits::Elementwise);
            let inner = ir.defining_op(value).filter(|inner| ir.has(*inner, lanewise))?;
            if !ir.has_one_use(value) || ir.num_regions(inner) > 0 {
                return None;
            }
            ir.operands(inner).enumerate().find_map(|(at, operand)| {
                let choice = def_of(ir, operand, Select::DEF)?;
                (ir.operand(choice, 0) == condition).then(|| (inner, at, ir.operand(choice, n)))
            })
        };
        decided(1)
            .or_else(|| decided(2))
            .or_miss("no operand of a chosen value is a choice on this condition")
    },
    put: |rw, op, (inner, at, value)| {
        rw.set_operand(inner, at, value);
        rw.touch(op);
    },
};

// Casts

/// The source of a cast and whether it widened with the sign
fn widened(ir: &Ir, value: Value) -> Option<(Value, bool)> {
    let source = |def| def_of(ir, value, def).map(|op| ir.operand(op, 0));
    source(ExtSI::DEF).map(|value| (value, true)).or_else(|| source(ExtUI::DEF).map(|value| (value, false)))
}

/// Widening what was widened is widening once
static EXT_EXT_SIGNED: FnRule<(Value, bool)> = FnRule {
    name: "extsi_of_ext",
    root: Some(ExtSI::DEF),
    find: |ir, op| widened(ir, ir.operand(op, 0)).or_miss("the operand is not widened"),
    put: |rw, op, (value, signed)| {
        let ty = result_type(rw.ir(), op);
        replace_by(rw, op, |b| Some(widen(b, signed, value, ty)));
    },
};

/// Widening what was widened with zeros is widening once
static EXT_EXT_UNSIGNED: FnRule<Value> = FnRule {
    name: "extui_of_extui",
    root: Some(ExtUI::DEF),
    find: |ir, op| {
        let (value, signed) = widened(ir, ir.operand(op, 0)).or_miss("the operand is not widened")?;
        (!signed).or_miss("the operand is widened with its sign")?;
        Ok(value)
    },
    put: |rw, op, value| {
        let ty = result_type(rw.ir(), op);
        replace_by(rw, op, |b| Some(widen(b, false, value, ty)));
    },
};

/// Narrowing what was widened or narrowed is one cast
static TRUNC_CAST: FnRule<(Value, bool)> = FnRule {
    name: "trunci_of_cast",
    root: Some(TruncI::DEF),
    find: |ir, op| {
        let input = ir.operand(op, 0);
        let narrowed = def_of(ir, input, TruncI::DEF).map(|op| (ir.operand(op, 0), false));
        narrowed.or_else(|| widened(ir, input)).or_miss("the operand is no cast")
    },
    put: |rw, op, (value, signed)| {
        let (ty, from) = (result_type(rw.ir(), op), rw.ir().ty(value));
        let (to, have) = (width(rw.ir().cx(), ty), width(rw.ir().cx(), from));
        replace_by(rw, op, |b| {
            Some(if to < have {
                TruncI::build(b, value, ty).out(b.read())
            } else {
                widen(b, signed, value, ty)
            })
        });
    },
};

macro_rules! index_of_ext {
    ($rule:ident $name:tt $cast:ident $ext:ident) => {
        /// A cast to index widens by itself
        static $rule: FnRule<Value> = FnRule {
            name: $name,
            root: Some($cast::DEF),
            find: |ir, op| {
                (result_type(ir, op).scalar(ir.cx()) == ir.cx().common().index)
                    .or_miss("not a cast to index")?;
                let ext =
                    def_of(ir, ir.operand(op, 0), $ext::DEF).or_miss("the operand is not widened so")?;
                let wide = width(ir.cx(), result_type(ir, ext)).is_some_and(|width| width <= 64);
                wide.or_miss("the operand is wider than index")?;
                Ok(ir.operand(ext, 0))
            },
            put: |rw, op, value| rw.set_operand(op, 0, value),
        };
    };
}

index_of_ext! { INDEX_EXT "index_cast_of_extsi" IndexCast ExtSI }
index_of_ext! { INDEX_EXT_UNSIGNED "index_castui_of_extui" IndexCastUI ExtUI }

// Sums and products

const X: Find = Find::Var(0);
const Y: Find = Find::Var(1);

fn zero(cx: &Context, _: &[Attr], ty: Type) -> Option<Attr> {
    int_constant(cx, 0, ty)
}

fn is_minus_one(cx: &Context, attr: Attr) -> bool {
    uniform_int(cx, attr) == Some(-1)
}

/// (x − y) − x = 0 − y
pub(super) static SUB_SUB_SAME: TermRule = TermRule {
    name: "sub_sub_same",
    find: Find::Op(SubI::DEF, &[Find::Op(SubI::DEF, &[X, Y]), X]),
    put: Put::Op(SubI::DEF, &[Put::Const(zero), Put::Var(1)]),
};
/// x · −1 + y = y − x
pub(super) static ADD_NEGATIVE_LEFT: TermRule = TermRule {
    name: "add_negative_left",
    find: Find::Op(AddI::DEF, &[Find::Op(MulI::DEF, &[X, Find::ConstIf(0, is_minus_one)]), Y]),
    put: Put::Op(SubI::DEF, &[Put::Var(1), Put::Var(0)]),
};
/// y + x · −1 = y − x
pub(super) static ADD_NEGATIVE_RIGHT: TermRule = TermRule {
    name: "add_negative_right",
    find: Find::Op(AddI::DEF, &[Y, Find::Op(MulI::DEF, &[X, Find::ConstIf(0, is_minus_one)])]),
    put: Put::Op(SubI::DEF, &[Put::Var(1), Put::Var(0)]),
};

/// Operands of which both are negated, without that
fn both_negated(ir: &Ir, op: OpId) -> Result<[Value; 2], Miss> {
    let inner = |n: usize| def_of(ir, ir.operand(op, n), NegF::DEF).map(|op| ir.operand(op, 0));
    match (inner(0), inner(1)) {
        (Some(a), Some(b)) => Ok([a, b]),
        _ => Err(Miss("not both operands are negated")),
    }
}

macro_rules! of_negated {
    ($rule:ident $name:tt $op:ident) => {
        /// Two negations cancel
        static $rule: FnRule<[Value; 2]> = FnRule {
            name: $name,
            root: Some($op::DEF),
            find: both_negated,
            put: |rw, op, values| rw.set_operands(op, &values, &[]),
        };
    };
}

of_negated! { MULF_NEGATED "mulf_of_negf" MulF }
of_negated! { DIVF_NEGATED "divf_of_negf" DivF }

/// The second result has no use
fn first_only(ir: &Ir, op: OpId) -> Result<(), Miss> {
    (!ir.is_used(ir.result(op, 1))).or_miss("both results are used")
}

fn replace_first(
    rw: &mut Rewriter<'_>,
    op: OpId,
    build: impl FnOnce(&mut Builder<'_>, Value, Value) -> Value,
) {
    let (x, y) = (rw.ir().operand(op, 0), rw.ir().operand(op, 1));
    let value = rw.build_before(op, |b| build(b, x, y));
    let old = rw.ir().result(op, 0);
    rw.replace_all_uses(old, value);
    rw.erase(op);
}

/// A sum without its carry is a sum
static SUM_ONLY: FnRule<()> = FnRule {
    name: "addui_extended_sum_only",
    root: Some(AddUIExtended::DEF),
    find: first_only,
    put: |rw, op, ()| replace_first(rw, op, |b, x, y| AddI::build(b, x, y).result(b.read())),
};
/// A product without its high half is a product
static LOW_ONLY_SIGNED: FnRule<()> = FnRule {
    name: "mulsi_extended_low_only",
    root: Some(MulSIExtended::DEF),
    find: first_only,
    put: |rw, op, ()| replace_first(rw, op, |b, x, y| MulI::build(b, x, y).result(b.read())),
};
/// A product without its high half is a product
static LOW_ONLY_UNSIGNED: FnRule<()> = FnRule {
    name: "mului_extended_low_only",
    root: Some(MulUIExtended::DEF),
    find: first_only,
    put: |rw, op, ()| replace_first(rw, op, |b, x, y| MulI::build(b, x, y).result(b.read())),
};

macro_rules! canonical {
    ($($op:ident: $($rule:ident),*;)*) => {$(
        impl Canonicalize for $op {
            const RULES: &'static [&'static dyn Rule] = &[$(&$rule),*];
        }
    )*};
}

canonical! {
    AddUIExtended: SUM_ONLY;
    AndI: AND_EXT;
    CmpI: CMP_CONST_RIGHT, CMP_EXT;
    DivF: DIVF_NEGATED;
    ExtSI: EXT_EXT_SIGNED;
    ExtUI: EXT_EXT_UNSIGNED;
    IndexCast: INDEX_EXT;
    IndexCastUI: INDEX_EXT_UNSIGNED;
    MulF: MULF_NEGATED;
    MulSIExtended: LOW_ONLY_SIGNED;
    MulUIExtended: LOW_ONLY_UNSIGNED;
    OrI: OR_EXT, OR_UNORDERED;
    Select: SELECT_NOT, SELECT_OF_NOT, SELECT_EXT, SELECT_SELECT, SELECT_THROUGH;
    TruncI: TRUNC_CAST;
    XOrI: NOT_CMP, XOR_EXT;
}
