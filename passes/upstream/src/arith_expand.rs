//! Ops of `arith` that few processors have, in terms of those that most have.
//!
//! | op | becomes |
//! |---|---|
//! | `ceildivui` | `a == 0 ? 0 : (a − 1) / b + 1` |
//! | `ceildivsi`, `floordivsi` | the quotient toward zero, and one more or less where it is not exact and the signs say so |
//! | `maxsi` … `minui` | a comparison and a selection |
//! | `maximumf` … `minnumf` | the same, with NaN and, unless `nsz` is set, the sign of zero put right |
//!
//! −0 and +0 compare as equal, so the sign of a zero that wins is taken from the bits of both
//! (`docs/decisions/0106`).

use terrace_diag::Reported;
use terrace_dialect_arith::fold::int_constant;
use terrace_dialect_arith::{
    AddI, AndI, Bitcast, CeilDivSI, CeilDivUI, CmpF, CmpFPredicate, CmpI, CmpIPredicate, Constant, DivSI,
    DivUI, FastMathFlags, FloorDivSI, MaxNumF, MaxSI, MaxUI, MaximumF, MinNumF, MinSI, MinUI, MinimumF, MulI,
    OrI, Select, SubI,
};
use terrace_ir::rules::AttrRule;
use terrace_ir::{Attr, Builder, Context, Ir, OpDef, OpId, Type, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Write rounding divisions, larger and smaller of two in simpler ops
///
/// For numbers, and for vectors and tensors of them. Divisions of tensors whose shape is not known stay. Floats of other
/// widths than a machine's stay what they are: `expand-floats` follows.
#[pass("arith-expand", stats("ops expanded"))]
pub struct ArithExpand;

impl Pass for ArithExpand {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut count = 0;
        for op in unit.walk().collect::<Vec<_>>() {
            if let Some((_, expansion)) = EXPANSIONS.iter().find(|(def, _)| unit.is(op, def)) {
                let Some(value) = expand(unit, op, expansion) else { continue };
                let old = unit.result(op, 0);
                unit.copy_value_name(old, value);
                unit.replace_all_uses(old, value);
                unit.erase(op);
                count += 1;
            }
        }
        cx.count("ops expanded", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// What stands for an op on two values
enum Expansion {
    /// With constants of the same type
    Divide(fn(&mut Builder<'_>, Value, Value, &Numbers) -> Value),
    /// The first, where it compares so with the second
    Pick(CmpIPredicate),
    /// The larger or smaller of two floats; NaN if one is, or the other one
    Extreme { largest: bool, nan: bool },
}

use Expansion::{Divide, Extreme, Pick};

const EXPANSIONS: &[(&OpDef, Expansion)] = &[
    (CeilDivSI::DEF, Divide(|b, x, y, numbers| round(b, x, y, numbers, true))),
    (CeilDivUI::DEF, Divide(divide_up)),
    (FloorDivSI::DEF, Divide(|b, x, y, numbers| round(b, x, y, numbers, false))),
    (MaxSI::DEF, Pick(CmpIPredicate::Sgt)),
    (MaxUI::DEF, Pick(CmpIPredicate::Ugt)),
    (MinSI::DEF, Pick(CmpIPredicate::Slt)),
    (MinUI::DEF, Pick(CmpIPredicate::Ult)),
    (MaximumF::DEF, Extreme { largest: true, nan: true }),
    (MinimumF::DEF, Extreme { largest: false, nan: true }),
    (MaxNumF::DEF, Extreme { largest: true, nan: false }),
    (MinNumF::DEF, Extreme { largest: false, nan: false }),
];

/// Write an op in simpler ones; none, and nothing is changed, if its type has not what they need
fn expand(ir: &mut Ir, op: OpId, expansion: &Expansion) -> Option<Value> {
    let [x, y] = [ir.operand(op, 0), ir.operand(op, 1)];
    let ty = ir.ty(x);
    match *expansion {
        Divide(divide) => {
            let numbers = Numbers::of(ir.cx(), ty)?;
            Some(divide(&mut Builder::before(ir, op), x, y, &numbers))
        }
        Pick(predicate) => Some(pick(&mut Builder::before(ir, op), x, y, predicate)),
        Extreme { largest, nan } => {
            // The integer type of a float's bits, or of those of each element.
            let bits = ir.cx().int(ty.scalar(ir.cx()).bit_width(ir.cx())?);
            let bits = Some(ty.with_element(ir.cx(), bits)).filter(|_| !is_nsz(ir, op));
            Some(extreme(&mut Builder::before(ir, op), x, y, bits, (largest, nan)))
        }
    }
}

/// Constants of an integer type, or with that for each element
struct Numbers {
    zero: Attr,
    one: Attr,
    minus_one: Attr,
}

impl Numbers {
    /// None of a tensor whose shape is not known
    fn of(cx: &Context, ty: Type) -> Option<Numbers> {
        let number = |value| int_constant(cx, value, ty);
        Some(Numbers { zero: number(0)?, one: number(1)?, minus_one: number(-1)? })
    }
}

fn constant(b: &mut Builder<'_>, attr: Attr) -> Value {
    Constant::build(b, attr).result(b.read())
}

fn compare(b: &mut Builder<'_>, x: Value, y: Value, predicate: CmpIPredicate) -> Value {
    CmpI::build(b, x, y, predicate).result(b.read())
}

fn select(b: &mut Builder<'_>, condition: Value, yes: Value, no: Value) -> Value {
    Select::build(b, condition, yes, no).result(b.read())
}

fn pick(b: &mut Builder<'_>, x: Value, y: Value, predicate: CmpIPredicate) -> Value {
    let first = compare(b, x, y, predicate);
    select(b, first, x, y)
}

fn divide_up(b: &mut Builder<'_>, x: Value, y: Value, numbers: &Numbers) -> Value {
    let zero = constant(b, numbers.zero);
    let nothing = compare(b, x, zero, CmpIPredicate::Eq);
    let one = constant(b, numbers.one);
    let less = SubI::build(b, x, one).result(b.read());
    let quotient = DivUI::build(b, less, y).result(b.read());
    let more = AddI::build(b, quotient, one).result(b.read());
    select(b, nothing, zero, more)
}

/// Signed division rounded up or down
fn round(b: &mut Builder<'_>, x: Value, y: Value, numbers: &Numbers, up: bool) -> Value {
    let early = up.then(|| [constant(b, numbers.zero), constant(b, numbers.one)]);
    let quotient = DivSI::build(b, x, y).result(b.read());
    let product = MulI::build(b, quotient, y).result(b.read());
    let inexact = compare(b, x, product, CmpIPredicate::Ne);
    let zero = early.map_or_else(|| constant(b, numbers.zero), |[zero, _]| zero);
    let below = compare(b, x, zero, CmpIPredicate::Slt);
    let by_below = compare(b, y, zero, CmpIPredicate::Slt);
    let signs = compare(b, below, by_below, if up { CmpIPredicate::Eq } else { CmpIPredicate::Ne });
    let off = AndI::build(b, inexact, signs).result(b.read());
    let by = early.map_or_else(|| constant(b, numbers.minus_one), |[_, one]| one);
    let next = AddI::build(b, quotient, by).result(b.read());
    select(b, off, next, quotient)
}

/// Does the sign of a zero not count?
fn is_nsz(ir: &Ir, op: OpId) -> bool {
    let flags = ir.attr(op, "fastmath").and_then(|attr| FastMathFlags::read(ir.cx(), attr));
    flags.is_some_and(|flags| flags.has(FastMathFlags::NSZ))
}

/// The larger or smaller of two floats, with `bits` for the type of their bits if the sign of a zero counts
fn extreme(
    b: &mut Builder<'_>,
    x: Value,
    y: Value,
    bits: Option<Type>,
    (largest, nan): (bool, bool),
) -> Value {
    let ty = b.read().ty(x);
    let predicate = if largest { CmpFPredicate::Ugt } else { CmpFPredicate::Ult };
    let first = CmpF::build(b, x, y, predicate).result(b.read());
    let mut value = select(b, first, x, y);
    if let Some(bits) = bits {
        let equal = CmpF::build(b, x, y, CmpFPredicate::Oeq).result(b.read());
        let [p, q] = [x, y].map(|value| Bitcast::build(b, value, bits).out(b.read()));
        // The sign bit is the first: both negative, or one of them.
        let merged = match largest {
            true => AndI::build(b, p, q).result(b.read()),
            false => OrI::build(b, p, q).result(b.read()),
        };
        let merged = Bitcast::build(b, merged, ty).out(b.read());
        value = select(b, equal, merged, value);
    }
    let asked = if nan { y } else { x };
    let is_nan = CmpF::build(b, asked, asked, CmpFPredicate::Uno).result(b.read());
    select(b, is_nan, y, value)
}
