//! Comparisons and selection.

use super::fold::{map, signed, unsigned, width};
use super::{ExtSI, ExtUI, FastMathAttr, no_fastmath};
use terrace_diag::Reported;
use terrace_ir::rules::{AnyType, BoolLike, FloatLike, IntLike};
use terrace_ir::show::value_of_bits;
use terrace_ir::{AttrForm, EnumDef, Fold, FoldCx, Folded, TypeKind, Verify, VerifyCx};
use terrace_macros::op;

/// Integer predicates, upstream's numbers
pub static CMPI: EnumDef = EnumDef {
    name: "arith.cmpi_predicate",
    cases: &[
        ("eq", 0),
        ("ne", 1),
        ("slt", 2),
        ("sle", 3),
        ("sgt", 4),
        ("sge", 5),
        ("ult", 6),
        ("ule", 7),
        ("ugt", 8),
        ("uge", 9),
    ],
    flags: false,
    separator: "",
};

/// Float predicates, upstream's numbers; `o` false and `u` true when an operand is NaN
pub static CMPF: EnumDef = EnumDef {
    name: "arith.cmpf_predicate",
    cases: &[
        ("false", 0),
        ("oeq", 1),
        ("ogt", 2),
        ("oge", 3),
        ("olt", 4),
        ("ole", 5),
        ("one", 6),
        ("ord", 7),
        ("ueq", 8),
        ("ugt", 9),
        ("uge", 10),
        ("ult", 11),
        ("ule", 12),
        ("une", 13),
        ("uno", 14),
        ("true", 15),
    ],
    flags: false,
    separator: "",
};

fn is_case(cx: &terrace_ir::Context, attr: terrace_ir::Attr, cases: u64) -> bool {
    attr.as_int(cx)
        .is_some_and(|(value, ty)| ty == cx.common().i64 && (0..i128::from(cases)).contains(&value))
}

terrace_ir::attr_rules! {
    /// A predicate of `cmpi`
    CmpIPredicate "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9",
        AttrForm::IntEnum(&CMPI, |cx| cx.common().i64), |cx, attr| is_case(cx, attr, 10);
    /// A predicate of `cmpf`
    CmpFPredicate "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
        AttrForm::IntEnum(&CMPF, |cx| cx.common().i64), |cx, attr| is_case(cx, attr, 16);
}

/// Compare integers
///
/// ```mlir
/// func.func @less(%a: i32, %b: i32) -> i1 {
///   %c = arith.cmpi slt, %a, %b : i32
///   return %c : i1
/// }
/// ```
#[op("arith.cmpi", traits(Pure, Elementwise), relations(same(lhs, rhs), bool_like(lhs => result)), hooks(fold),
     interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize),
     asm = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)")]
pub struct CmpI {
    #[attr]
    predicate: CmpIPredicate,
    #[operand]
    lhs: IntLike,
    #[operand]
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
#[op("arith.cmpf", traits(Pure, Elementwise), relations(same(lhs, rhs), bool_like(lhs => result)), hooks(fold), interfaces(terrace_interp::Interpret),
     asm = "$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)")]
pub struct CmpF {
    #[attr]
    predicate: CmpFPredicate,
    #[operand]
    lhs: FloatLike,
    #[operand]
    rhs: FloatLike,
    #[attr(default = no_fastmath)]
    fastmath: FastMathAttr,
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
    interfaces(terrace_text::CustomAsm, terrace_interp::Interpret, terrace_rewrite::Canonicalize)
)]
pub struct Select {
    #[operand]
    condition: BoolLike,
    #[operand]
    true_value: AnyType,
    #[operand]
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
        if ty.shape(cx).is_none() {
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

/// Value of an integer comparison on signed and unsigned readings
pub fn compare_ints(predicate: u64, a: (i128, u128), b: (i128, u128)) -> bool {
    match predicate {
        0 => a.1 == b.1,
        1 => a.1 != b.1,
        2 => a.0 < b.0,
        3 => a.0 <= b.0,
        4 => a.0 > b.0,
        5 => a.0 >= b.0,
        6 => a.1 < b.1,
        7 => a.1 <= b.1,
        8 => a.1 > b.1,
        _ => a.1 >= b.1,
    }
}

/// Value of a float comparison
pub fn compare_floats(predicate: u64, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    let ordered = |holds: bool| !unordered && holds;
    match predicate {
        0 => false,
        1 => ordered(a == b),
        2 => ordered(a > b),
        3 => ordered(a >= b),
        4 => ordered(a < b),
        5 => ordered(a <= b),
        6 => ordered(a != b),
        7 => !unordered,
        8 => unordered || a == b,
        9 => unordered || a > b,
        10 => unordered || a >= b,
        11 => unordered || a < b,
        12 => unordered || a <= b,
        13 => unordered || a != b,
        14 => unordered,
        _ => true,
    }
}

impl CmpI {
    /// The bit that is compared with itself being set: `b == true`, `b != false`, `ext(b) != 0`
    fn is_operand(self, cx: &FoldCx<'_>, predicate: u64) -> Option<terrace_ir::Value> {
        let (ir, value) = (cx.ir, cx.operand(0));
        let constant = super::fold::uniform_int(cx.cx(), cx.constant(1)?)?;
        let to = ir.ty(self.result(ir));
        if ir.ty(value) == to {
            return matches!((predicate, constant), (0, -1) | (1, 0)).then_some(value);
        }
        let ext = ir.defining_op(value).filter(|op| ir.is(*op, ExtSI::DEF) || ir.is(*op, ExtUI::DEF))?;
        let bit = ir.operand(ext, 0);
        (ir.ty(bit) == to && (predicate, constant) == (1, 0)).then_some(bit)
    }
}

impl Fold for CmpI {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let Some(predicate) = self.predicate(ir).as_i64(context).map(|value| value as u64) else {
            return Folded::No;
        };
        let to = ir.ty(self.result(ir));
        if cx.operand(0) == cx.operand(1) {
            let value = i128::from(compare_ints(predicate, (0, 0), (0, 0)));
            return Folded::maybe(super::fold::int_constant(context, value, to));
        }
        if let Some(value) = self.is_operand(cx, predicate) {
            return Folded::value(value);
        }
        let (Some(a), Some(b)) = (cx.constant(0), cx.constant(1)) else { return Folded::No };
        let Some(width) = width(context, ir.ty(cx.operand(0))) else { return Folded::No };
        let both = |bits: u128| (signed(bits as i128, width), unsigned(bits as i128, width));
        Folded::maybe(map(context, &[a, b], to, |bits| {
            Some(u128::from(compare_ints(predicate, both(bits[0]), both(bits[1]))))
        }))
    }
}

impl Fold for CmpF {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let Some(predicate) = self.predicate(ir).as_i64(context).map(|value| value as u64) else {
            return Folded::No;
        };
        let to = ir.ty(self.result(ir));
        if predicate == 0 || predicate == 15 {
            return Folded::maybe(super::fold::int_constant(context, i128::from(predicate == 15), to));
        }
        let (Some(a), Some(b)) = (cx.constant(0), cx.constant(1)) else { return Folded::No };
        let TypeKind::Float(kind) = *ir.ty(cx.operand(0)).scalar(context).kind(context) else {
            return Folded::No;
        };
        Folded::maybe(map(context, &[a, b], to, |bits| {
            let (a, b) = (value_of_bits(bits[0] as u64, kind)?, value_of_bits(bits[1] as u64, kind)?);
            Some(u128::from(compare_floats(predicate, a, b)))
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
            let predicate = cmp.predicate(cx.ir).as_i64(cx.cx());
            if [(a, b), (b, a)].contains(&(yes, no)) {
                match predicate {
                    Some(0) => return Folded::value(no),
                    Some(1) => return Folded::value(yes),
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
