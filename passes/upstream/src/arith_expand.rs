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
use terrace_dialect_arith::{
    AddI, AndI, Bitcast, CeilDivSI, CeilDivUI, CmpF, CmpFPredicate, CmpI, CmpIPredicate, Constant, DivSI,
    DivUI, FastMathFlags, FloorDivSI, MaxNumF, MaxSI, MaxUI, MaximumF, MinNumF, MinSI, MinUI, MinimumF, MulI,
    OrI, Select, SubI,
};
use terrace_ir::{Builder, Ir, OpDef, OpId, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Write rounding divisions, larger and smaller of two in simpler ops
///
/// For numbers, and for vectors and tensors of them with a known shape. Floats of other widths than a machine's stay what
/// they are: `expand-floats` follows.
#[pass("arith-expand", stats("ops expanded"))]
pub struct ArithExpand;

impl Pass for ArithExpand {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut count = 0;
        for op in unit.walk().collect::<Vec<_>>() {
            if let Some((_, expand)) = EXPANSIONS.iter().find(|(def, _)| unit.is(op, def)) {
                let [a, b] = [unit.operand(op, 0), unit.operand(op, 1)];
                let Some(value) = expand(&mut Builder::before(unit, op), op, a, b) else { continue };
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

type Expansion = fn(&mut Builder<'_>, OpId, Value, Value) -> Option<Value>;

const EXPANSIONS: &[(&OpDef, Expansion)] = &[
    (CeilDivSI::DEF, |b, _, x, y| round(b, x, y, true)),
    (CeilDivUI::DEF, |b, _, x, y| divide_up(b, x, y)),
    (FloorDivSI::DEF, |b, _, x, y| round(b, x, y, false)),
    (MaxSI::DEF, |b, _, x, y| Some(pick(b, x, y, CmpIPredicate::Sgt))),
    (MaxUI::DEF, |b, _, x, y| Some(pick(b, x, y, CmpIPredicate::Ugt))),
    (MinSI::DEF, |b, _, x, y| Some(pick(b, x, y, CmpIPredicate::Slt))),
    (MinUI::DEF, |b, _, x, y| Some(pick(b, x, y, CmpIPredicate::Ult))),
    (MaximumF::DEF, |b, op, x, y| extreme(b, op, x, y, true, true)),
    (MinimumF::DEF, |b, op, x, y| extreme(b, op, x, y, false, true)),
    (MaxNumF::DEF, |b, op, x, y| extreme(b, op, x, y, true, false)),
    (MinNumF::DEF, |b, op, x, y| extreme(b, op, x, y, false, false)),
];

/// An integer of a type, or one for each element
fn constant(b: &mut Builder<'_>, value: i128, ty: Type) -> Option<Value> {
    let attr = terrace_dialect_arith::fold::int_constant(b.cx(), value, ty)?;
    Some(Constant::build(b, attr).result(b.read()))
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

fn divide_up(b: &mut Builder<'_>, x: Value, y: Value) -> Option<Value> {
    let ty = b.read().ty(x);
    let zero = constant(b, 0, ty)?;
    let nothing = compare(b, x, zero, CmpIPredicate::Eq);
    let one = constant(b, 1, ty)?;
    let less = SubI::build(b, x, one).result(b.read());
    let quotient = DivUI::build(b, less, y).result(b.read());
    let more = AddI::build(b, quotient, one).result(b.read());
    Some(select(b, nothing, zero, more))
}

/// Signed division rounded up or down
fn round(b: &mut Builder<'_>, x: Value, y: Value, up: bool) -> Option<Value> {
    let ty = b.read().ty(x);
    let early = if up { Some([constant(b, 0, ty)?, constant(b, 1, ty)?]) } else { None };
    let quotient = DivSI::build(b, x, y).result(b.read());
    let product = MulI::build(b, quotient, y).result(b.read());
    let inexact = compare(b, x, product, CmpIPredicate::Ne);
    let zero = match early {
        Some([zero, _]) => zero,
        None => constant(b, 0, ty)?,
    };
    let below = compare(b, x, zero, CmpIPredicate::Slt);
    let by_below = compare(b, y, zero, CmpIPredicate::Slt);
    let signs = compare(b, below, by_below, if up { CmpIPredicate::Eq } else { CmpIPredicate::Ne });
    let off = AndI::build(b, inexact, signs).result(b.read());
    let by = match early {
        Some([_, one]) => one,
        None => constant(b, -1, ty)?,
    };
    let next = AddI::build(b, quotient, by).result(b.read());
    Some(select(b, off, next, quotient))
}

/// The larger or smaller of two floats; NaN if one is, or the other one
fn extreme(b: &mut Builder<'_>, op: OpId, x: Value, y: Value, largest: bool, nan: bool) -> Option<Value> {
    let ir = b.read();
    let (ty, flags) = (ir.ty(x), ir.attr(op, "fastmath"));
    let flags = flags.and_then(|attr| <FastMathFlags as terrace_ir::rules::AttrRule>::read(ir.cx(), attr));
    let signs = !flags.is_some_and(|flags| flags.has(FastMathFlags::NSZ));
    let predicate = if largest { CmpFPredicate::Ugt } else { CmpFPredicate::Ult };
    let first = CmpF::build(b, x, y, predicate).result(b.read());
    let mut value = select(b, first, x, y);
    if signs {
        let equal = CmpF::build(b, x, y, CmpFPredicate::Oeq).result(b.read());
        let bits = same_width(b, ty)?;
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
    Some(select(b, is_nan, y, value))
}

/// The integer type of a float's bits, or of those of each element
fn same_width(b: &Builder<'_>, ty: Type) -> Option<Type> {
    let cx = b.cx();
    let bits = cx.int(ty.scalar(cx).bit_width(cx)?);
    Some(match ty.kind(cx) {
        TypeKind::Vector { shape, scalable, .. } => {
            cx.ty(TypeKind::Vector { shape: shape.clone(), scalable: *scalable, elem: bits })
        }
        TypeKind::Tensor { shape, encoding, .. } => {
            cx.ty(TypeKind::Tensor { shape: shape.clone(), elem: bits, encoding: *encoding })
        }
        _ => bits,
    })
}
