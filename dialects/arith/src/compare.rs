//! Comparisons and selection.

use super::fold::{map, signed, unsigned, width};
use super::{ExtSI, ExtUI, FastMathFlags};
use std::cmp::Ordering;
use terrace_diag::Reported;
use terrace_ir::rules::{AnyType, BoolLike, FloatLike, IntLike};
use terrace_ir::show::value_of_bits;
use terrace_ir::{Fold, FoldCx, Folded, TypeKind, Verify, VerifyCx};
use terrace_macros::op;

terrace_ir::attr_enums! {
    /// Integer predicates
    pub CmpIPredicate = "arith.cmpi_predicate", "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9",
    i64 {
        Eq "eq" 0, Ne "ne" 1, Slt "slt" 2, Sle "sle" 3, Sgt "sgt" 4, Sge "sge" 5, Ult "ult" 6, Ule "ule" 7, Ugt "ugt" 8,
        Uge "uge" 9,
    }
    /// Float predicates; `o` false and `u` true when an operand is NaN
    pub CmpFPredicate = "arith.cmpf_predicate",
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    i64 {
        AlwaysFalse "false" 0, Oeq "oeq" 1, Ogt "ogt" 2, Oge "oge" 3, Olt "olt" 4, Ole "ole" 5, One "one" 6, Ord "ord" 7,
        Ueq "ueq" 8, Ugt "ugt" 9, Uge "uge" 10, Ult "ult" 11, Ule "ule" 12, Une "une" 13, Uno "uno" 14,
        AlwaysTrue "true" 15,
    }
}

/// Outcomes of a comparison: a set of these is what a predicate holds for
pub(crate) mod outcome {
    use std::cmp::Ordering;

    pub(crate) const EQUAL: u8 = 1;
    pub(crate) const GREATER: u8 = 2;
    pub(crate) const LESS: u8 = 4;
    pub(crate) const UNORDERED: u8 = 8;

    /// The outcome of an order; unordered if there is none
    pub(crate) fn of(order: Option<Ordering>) -> u8 {
        match order {
            Some(Ordering::Equal) => EQUAL,
            Some(Ordering::Greater) => GREATER,
            Some(Ordering::Less) => LESS,
            None => UNORDERED,
        }
    }
}

impl CmpIPredicate {
    /// The predicate with its operands exchanged
    pub fn swapped(self) -> Self {
        use CmpIPredicate::*;
        match self {
            Eq | Ne => self,
            Slt => Sgt,
            Sle => Sge,
            Sgt => Slt,
            Sge => Sle,
            Ult => Ugt,
            Ule => Uge,
            Ugt => Ult,
            Uge => Ule,
        }
    }

    /// The predicate that holds exactly when this one does not
    pub fn inverse(self) -> Self {
        use CmpIPredicate::*;
        match self {
            Eq => Ne,
            Ne => Eq,
            Slt => Sge,
            Sle => Sgt,
            Sgt => Sle,
            Sge => Slt,
            Ult => Uge,
            Ule => Ugt,
            Ugt => Ule,
            Uge => Ult,
        }
    }

    /// The same order on unsigned readings
    pub fn unsigned(self) -> Self {
        use CmpIPredicate::*;
        match self {
            Slt => Ult,
            Sle => Ule,
            Sgt => Ugt,
            Sge => Uge,
            other => other,
        }
    }

    /// Does it order signed readings?
    pub fn is_signed(self) -> bool {
        self != self.unsigned()
    }

    /// Does it order unsigned readings?
    pub fn is_unsigned(self) -> bool {
        !self.is_signed() && !matches!(self, CmpIPredicate::Eq | CmpIPredicate::Ne)
    }

    /// Does it hold, given the orders of the signed and of the unsigned readings?
    pub fn holds(self, signed: Ordering, unsigned: Ordering) -> bool {
        use CmpIPredicate::*;
        match self {
            Eq => unsigned.is_eq(),
            Ne => unsigned.is_ne(),
            Slt => signed.is_lt(),
            Sle => signed.is_le(),
            Sgt => signed.is_gt(),
            Sge => signed.is_ge(),
            Ult => unsigned.is_lt(),
            Ule => unsigned.is_le(),
            Ugt => unsigned.is_gt(),
            Uge => unsigned.is_ge(),
        }
    }
}

impl CmpFPredicate {
    /// The outcomes it holds for, a set of bits of [`outcome`]
    pub(crate) fn outcomes(self) -> u8 {
        use CmpFPredicate::*;
        use outcome::{EQUAL, GREATER, LESS, UNORDERED};
        match self {
            AlwaysFalse => 0,
            Oeq => EQUAL,
            Ogt => GREATER,
            Oge => EQUAL | GREATER,
            Olt => LESS,
            Ole => EQUAL | LESS,
            One => GREATER | LESS,
            Ord => EQUAL | GREATER | LESS,
            Ueq => EQUAL | UNORDERED,
            Ugt => GREATER | UNORDERED,
            Uge => EQUAL | GREATER | UNORDERED,
            Ult => LESS | UNORDERED,
            Ule => EQUAL | LESS | UNORDERED,
            Une => GREATER | LESS | UNORDERED,
            Uno => UNORDERED,
            AlwaysTrue => EQUAL | GREATER | LESS | UNORDERED,
        }
    }

    /// Does it hold for two numbers?
    pub fn holds(self, a: f64, b: f64) -> bool {
        self.outcomes() & outcome::of(a.partial_cmp(&b)) != 0
    }
}

/// Compare integers
///
/// ```mlir
/// func.func @less(%a: i32, %b: i32) -> i1 {
///   %c = arith.cmpi slt, %a, %b : i32
///   return %c : i1
/// }
/// ```
#[op("arith.cmpi", traits(Pure, Elementwise), relations(same(lhs, rhs), bool_like(lhs => result)),
     hooks(fold), interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize, terrace_dataflow::InferInts))]
#[asm("$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)")]
pub struct CmpI {
    #[attr]
    predicate: CmpIPredicate,
    lhs: IntLike,
    rhs: IntLike,
    #[result]
    result: BoolLike,
}

/// Compare floats
///
/// ```mlir
/// func.func @less(%a: f32, %b: f32) -> i1 {
///   %c = arith.cmpf olt, %a, %b : f32
///   return %c : i1
/// }
/// ```
#[op("arith.cmpf", traits(Pure, Elementwise), relations(same(lhs, rhs), bool_like(lhs => result)),
     hooks(fold), interfaces(terrace_interp::Interpret))]
#[asm("$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)")]
pub struct CmpF {
    #[attr]
    predicate: CmpFPredicate,
    lhs: FloatLike,
    rhs: FloatLike,
    #[attr(default = FastMathFlags::none)]
    fastmath: FastMathFlags,
    #[result]
    result: BoolLike,
}

/// One of two values; the condition is one bit, or one per element
///
/// ```mlir
/// func.func @pick(%c: i1, %a: i32, %b: i32) -> i32 {
///   %r = arith.select %c, %a, %b : i32
///   return %r : i32
/// }
/// ```
#[op(
    "arith.select",
    traits(Pure, Elementwise),
    relations(same(true_value, false_value, result)),
    hooks(fold, verify),
    interfaces(
        terrace_text::CustomAsm,
        terrace_interp::Interpret,
        terrace_rewrite::Canonicalize,
        terrace_dataflow::InferInts
    )
)]
pub struct Select {
    condition: BoolLike,
    true_value: AnyType,
    false_value: AnyType,
    #[result]
    result: AnyType,
}

impl terrace_text::CustomAsm for Select {
    fn parse(p: &mut terrace_text::OpParser<'_, '_>) -> Result<(), Reported> {
        let operands = p.operands(terrace_text::Delim::None)?;
        p.attr_dict()?;
        let first = p.colon_type()?;
        let (condition, ty) = if p.punct_opt(",") { (first, p.ty()?) } else { (p.cx().common().i1, first) };
        p.resolve_all(&operands, &[condition, ty, ty])?;
        p.add_result(ty);
        Ok(())
    }

    fn print(self, p: &mut terrace_text::OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operands(ir.operands(self.0));
        p.attr_dict(&[]);
        p.text(" : ");
        let condition = ir.ty(self.condition(ir));
        if condition != ir.cx().common().i1 {
            p.ty(condition);
            p.text(", ");
        }
        p.ty(ir.ty(self.result(ir)));
    }
}

impl Verify for Select {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (condition, ty) = (ir.ty(self.condition(ir)), ir.ty(self.result(ir)));
        if condition == cx.common().i1 {
            return Ok(());
        }
        let is_shaped = matches!(
            ty.kind(cx),
            TypeKind::Vector { .. } | TypeKind::Tensor { .. } | TypeKind::UnrankedTensor(_)
        );
        if !is_shaped {
            let message = format!("expected condition to be a signless i1, but got '{}'", v.show(condition));
            return v.fail(self.0, &terrace_ir::codes::OP_RULE, message);
        }
        let wanted = ty.with_element(cx, cx.common().i1);
        if condition != wanted {
            let message = format!(
                "expected condition type to have the same shape as the result type, expected '{}', but got '{}'",
                v.show(wanted),
                v.show(condition)
            );
            return v.fail(self.0, &terrace_ir::codes::OP_RULE, message);
        }
        Ok(())
    }
}

impl CmpI {
    /// The bit that is compared with itself being set: `b == true`, `b != false`, `ext(b) != 0`
    fn is_operand(self, cx: &FoldCx<'_>, predicate: CmpIPredicate) -> Option<terrace_ir::Value> {
        let (ir, value) = (cx.ir, cx.operand(0));
        let constant = super::fold::uniform_int(cx.cx(), cx.constant(1)?)?;
        let to = ir.ty(self.result(ir));
        if ir.ty(value) == to {
            return matches!((predicate, constant), (CmpIPredicate::Eq, -1) | (CmpIPredicate::Ne, 0))
                .then_some(value);
        }
        let ext = ir.defining_op(value).filter(|op| ir.is(*op, ExtSI::DEF) || ir.is(*op, ExtUI::DEF))?;
        let bit = ir.operand(ext, 0);
        (ir.ty(bit) == to && (predicate, constant) == (CmpIPredicate::Ne, 0)).then_some(bit)
    }
}

impl Fold for CmpI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let predicate = self.predicate(ir);
        let to = ir.ty(self.result(ir));
        if cx.operand(0) == cx.operand(1) {
            let value = i128::from(predicate.holds(Ordering::Equal, Ordering::Equal));
            return Folded::maybe(super::fold::int_constant(context, value, to));
        }
        if let Some(value) = self.is_operand(cx, predicate) {
            return Folded::value(value);
        }
        let (Some(a), Some(b)) = (cx.constant(0), cx.constant(1)) else { return Folded::No };
        let Some(width) = width(context, ir.ty(cx.operand(0))) else { return Folded::No };
        let both = |bits: u128| (signed(bits as i128, width), unsigned(bits as i128, width));
        Folded::maybe(map(context, &[a, b], to, |bits| {
            let ((s, u), (t, v)) = (both(bits[0]), both(bits[1]));
            Some(u128::from(predicate.holds(s.cmp(&t), u.cmp(&v))))
        }))
    }
}

impl Fold for CmpF {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let predicate = self.predicate(ir);
        let to = ir.ty(self.result(ir));
        if matches!(predicate, CmpFPredicate::AlwaysFalse | CmpFPredicate::AlwaysTrue) {
            let always = i128::from(predicate == CmpFPredicate::AlwaysTrue);
            return Folded::maybe(super::fold::int_constant(context, always, to));
        }
        let (Some(a), Some(b)) = (cx.constant(0), cx.constant(1)) else { return Folded::No };
        let TypeKind::Float(kind) = *ir.ty(cx.operand(0)).scalar(context).kind(context) else {
            return Folded::No;
        };
        Folded::maybe(map(context, &[a, b], to, |bits| {
            let (a, b) = (value_of_bits(bits[0] as u64, kind)?, value_of_bits(bits[1] as u64, kind)?);
            Some(u128::from(predicate.holds(a, b)))
        }))
    }
}

impl Fold for Select {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (yes, no) = (cx.operand(1), cx.operand(2));
        if yes == no {
            return Folded::value(yes);
        }
        let condition = cx.constant(0).and_then(|attr| super::fold::uniform_int(cx.cx(), attr));
        match condition {
            Some(0) => return Folded::value(no),
            Some(_) => return Folded::value(yes),
            None => {}
        }
        // a == b ? a : b is b, a != b ? a : b is a; either way round
        let compared = cx.ir.defining_op(cx.operand(0)).and_then(|op| CmpI::cast(cx.ir, op));
        if let Some(cmp) = compared {
            let (a, b) = (cmp.lhs(cx.ir), cmp.rhs(cx.ir));
            if [(a, b), (b, a)].contains(&(yes, no)) {
                match cmp.predicate(cx.ir) {
                    CmpIPredicate::Eq => return Folded::value(no),
                    CmpIPredicate::Ne => return Folded::value(yes),
                    _ => {}
                }
            }
        }
        // select c, true, false
        let constant = |n: usize| cx.constant(n).and_then(|attr| super::fold::uniform_int(cx.cx(), attr));
        let is_bool =
            cx.ir.ty(yes) == cx.ir.ty(cx.operand(0)) && BOOL.contains(&cx.ir.ty(yes).bit_width(cx.cx()));
        if is_bool {
            // Where it is taken, the condition itself is known as well.
            let itself = |n: usize, known: bool| {
                if cx.operand(n) == cx.operand(0) { Some(known) } else { constant(n).map(|value| value != 0) }
            };
            match (itself(1, true), itself(2, false)) {
                (Some(true), Some(false)) => return Folded::value(cx.operand(0)),
                (Some(yes), Some(no)) if yes == no => {
                    let value = if yes { -1 } else { 0 };
                    return Folded::maybe(super::fold::int_constant(cx.cx(), value, cx.ir.ty(cx.operand(1))));
                }
                _ => {}
            }
        }
        Folded::No
    }
}

const BOOL: [Option<u32>; 1] = [Some(1)];
