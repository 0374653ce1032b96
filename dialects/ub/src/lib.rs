//! `ub`: values that stand for undefined behaviour.

use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes};
use terrace_ir::rules::AnyType;
use terrace_ir::{Attr, AttrForm, Builder, Context, Loc, OpId, Type};
use terrace_macros::{dialect, dialect_attr, op};

/// The attribute that stands for poison as a constant
///
/// ```mlir
/// func.func @f() attributes {x = #ub.poison} {
///   return
/// }
/// ```
#[dialect_attr("ub.poison")]
pub struct PoisonValue {}

terrace_ir::attr_rules! {
    /// What a poison value is
    PoisonAttr "poison attribute", AttrForm::Full, |cx, attr| is_poison(cx, attr);
}

/// The attribute that folding gives for poison
pub fn poison(cx: &Context) -> Attr {
    PoisonValue::get(cx)
}

/// Is this the poison attribute?
pub fn is_poison(cx: &Context, attr: Attr) -> bool {
    attr == poison(cx)
}

/// Poison: using it for an address, a branch or an output is undefined
///
/// ```mlir
/// func.func @poison() -> i32 {
///   %a = ub.poison : i32
///   return %a : i32
/// }
/// ```
#[op("ub.poison", traits(Pure, ConstantLike), interfaces(Interpret))]
#[asm("attr-dict `:` type($result)")]
pub struct Poison {
    #[attr(default = poison)]
    value: PoisonAttr,
    #[result]
    result: AnyType,
}

impl Interpret for Poison {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        m.set_result(0, RtValue::Poison);
        Step::Next
    }
}

/// The place is never reached
///
/// ```mlir
/// func.func @never() {
///   ub.unreachable
/// }
/// ```
#[op("ub.unreachable", traits(Terminator), interfaces(Interpret))]
#[asm("attr-dict")]
pub struct Unreachable {}

impl Interpret for Unreachable {
    fn interpret(self, _: &mut Machine<'_>) -> Step {
        Step::Trap(Trap::new(&codes::UNREACHABLE, "a place that is never reached was reached"))
    }
}

/// Make a poison op if the attribute is poison
pub fn materialize(b: &mut Builder<'_>, attr: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    if !is_poison(b.cx(), attr) {
        return None;
    }
    b.set_loc(loc);
    let op = Poison::build(b, ty);
    op.set_value(b.ir(), attr);
    Some(op.id())
}

dialect! {
    /// Undefined behaviour: poison values, unreachable places
    pub UB = "ub" { ops: [Poison, Unreachable], attrs: [PoisonValue], materialize: materialize }
}
