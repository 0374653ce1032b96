//! Ops under a mask, and what is for people: `mask yield print type_cast`.

use super::contract::Contract;
use super::transfer::Transfer;
use super::{
    Gather, Mask, MultiReduction, OuterProduct, Reduction, TransferRead, TransferWrite, vector_shape,
};
use terrace_diag::Reported;
use terrace_ir::rules::{AnyMemRef, AnyType, StrAttr};
use terrace_ir::verify::is_complete;
use terrace_ir::{Attr, AttrForm, Context, DYNAMIC, Ir, OpId, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_support::affine::AffineMap;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Run one op for the elements whose mask is set
///
/// ```mlir
/// func.func @f(%v: vector<8xf32>, %mask: vector<8xi1>) -> f32 {
///   %r = vector.mask %mask { vector.reduction <add>, %v : vector<8xf32> into f32 } : vector<8xi1> -> f32
///   return %r : f32
/// }
/// ```
#[op(
    "vector.mask",
    traits(SingleBlock, RecursiveEffects),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct MaskOp {
    mask: Mask,
    passthru: Optional<AnyType>,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    region: Region,
}

/// End a region of this dialect with what it gives
///
/// ```mlir
/// func.func @f(%v: vector<8xf32>, %mask: vector<8xi1>) -> f32 {
///   %r = vector.mask %mask {
///     %s = vector.reduction <add>, %v : vector<8xf32> into f32
///     vector.yield %s : f32
///   } : vector<8xi1> -> f32
///   return %r : f32
/// }
/// ```
#[op("vector.yield", traits(Pure, Terminator, ReturnLike), interfaces(terrace_interp::Interpret))]
#[asm("attr-dict ($operands^ `:` type($operands))?")]
pub struct Yield {
    operands: Variadic<AnyType>,
}

impl CustomAsm for MaskOp {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let mask = p.operand()?;
        let passthru = if p.punct_opt(",") { Some(p.operand()?) } else { None };
        p.region(&[])?;
        p.end_region_with(Yield::DEF);
        p.attr_dict()?;
        let ty = p.colon_type()?;
        let results = p.arrow_types_opt()?;
        p.resolve(&mask, ty)?;
        if let Some(passthru) = passthru {
            let Some(&first) = results.first() else {
                return Err(p.error_at(&passthru, "expects a result if passthru operand is provided"));
            };
            p.resolve(&passthru, first)?;
        }
        p.add_results(&results);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operands(ir.operands(self.0));
        p.text(" ");
        // A terminator that only yields the results of the op before it is not printed.
        p.region(self.region(ir), false, !self.ends_plainly(ir));
        p.attr_dict(&[]);
        p.text(" : ");
        p.ty(ir.ty(self.mask(ir)));
        let results = ir.num_results(self.0);
        if results > 0 {
            p.text(" -> ");
            p.wrapped_types(ir.results(self.0).map(|value| ir.ty(value)));
        }
    }
}

impl MaskOp {
    fn ends_plainly(self, ir: &Ir) -> bool {
        let end = ir.entry(self.region(ir)).and_then(|block| ir.last_op(block));
        let Some(end) = end.filter(|end| Yield::cast(ir, *end).is_some()) else { return false };
        let Some(op) = ir.prev(end) else { return false };
        ir.operands(end).eq(ir.results(op))
    }

    /// The op under the mask, if there is one
    pub fn masked(self, ir: &Ir) -> Option<OpId> {
        let first = ir.first_op(ir.entry(self.region(ir))?)?;
        Yield::cast(ir, first).is_none().then_some(first)
    }
}

/// The mask that an op takes; none if it takes no mask
fn mask_type(ir: &Ir, op: OpId) -> Option<Type> {
    let cx = ir.cx();
    let i1 = cx.common().i1;
    let like = |ty: Type| Some(ty.with_element(cx, i1));
    if let Some(op) = Reduction::cast(ir, op) {
        return like(ir.ty(op.vector(ir)));
    }
    if let Some(op) = MultiReduction::cast(ir, op) {
        return like(ir.ty(op.source(ir)));
    }
    if let Some(op) = OuterProduct::cast(ir, op) {
        return like(ir.ty(op.result(ir)));
    }
    if let Some(op) = Gather::cast(ir, op) {
        return like(ir.ty(op.result(ir)));
    }
    if let Some(op) = Contract::cast(ir, op) {
        let (sizes, flags) = op.space(ir);
        let scalable =
            flags.iter().enumerate().filter(|(_, flag)| **flag).fold(0, |bits, (n, _)| bits | 1 << n);
        return Some(cx.ty(TypeKind::Vector { shape: sizes.into(), scalable, elem: i1 }));
    }
    let transfer = Transfer::of(ir, op)?;
    super::transfer::mask_type(cx, transfer.vector, transfer.map.as_affine_map(cx)?)
}

impl Verify for MaskOp {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let block = ir.entry(self.region(ir));
        let Some(end) =
            block.and_then(|block| ir.last_op(block)).filter(|end| Yield::cast(ir, *end).is_some())
        else {
            return fail("expects a terminator within the mask region".into());
        };
        if block.is_some_and(|block| ir.block_ops(block).take(3).count() > 2) {
            return fail("expects only one operation to mask".into());
        }
        if ir.num_operands(end) != ir.num_results(self.0) {
            return fail("expects number of results to match mask region yielded values".into());
        }
        let Some(op) = self.masked(ir) else { return Ok(()) };
        if ir.op_name(op).starts_with("vector.") && !is_complete(ir, op) {
            // That op's own checks say what is wrong.
            return Ok(());
        }
        let Some(wanted) = mask_type(ir, op) else {
            return fail("expects a MaskableOpInterface within the mask region".into());
        };
        if ir.num_results(op) != ir.num_results(self.0) {
            return fail("expects number of results to match maskable operation number of results".into());
        }
        if ir.results(op).zip(ir.operands(end)).any(|(a, b)| a != b) {
            return fail("expects all the results from the MaskableOpInterface to match all the values returned by the terminator".into());
        }
        if ir.results(op).zip(ir.results(self.0)).any(|(a, b)| ir.ty(a) != ir.ty(b)) {
            return fail("expects result type to match maskable operation result type".into());
        }
        if ir.ty(self.mask(ir)) != wanted {
            return fail(format!("expects a '{}' mask for the maskable operation", v.show(wanted)));
        }
        if self.passthru(ir).is_none() {
            return Ok(());
        }
        if TransferRead::cast(ir, op).is_none() && TransferWrite::cast(ir, op).is_none() {
            return fail("doesn't expect a passthru argument for this maskable operation".into());
        }
        Ok(())
    }
}

terrace_ir::attr_enums! {
    /// What `print` puts between and around elements
    pub PrintPunctuation = "vector.punctuation", "Punctuation for separating vectors or vector elements", keyword {
        NoPunctuation "no_punctuation" 0, NewLine "newline" 1, Comma "comma" 2, Open "open" 3, Close "close" 4,
    }
}

fn newline(cx: &Context) -> Attr {
    PrintPunctuation::NewLine.attr(cx)
}

fn is_printable(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::Vector { .. }) || ty.is_int(cx) || ty.is_index(cx) || ty.is_float(cx)
}

terrace_ir::type_rules! {
    /// What can be printed
    Printable "vector of any type values or integer or index or floating-point", is_printable;
}

/// Show a vector, a number or a text, for tests
///
/// ```mlir
/// func.func @f(%v: vector<4xf32>, %x: f32) {
///   vector.print %v : vector<4xf32>
///   vector.print %x : f32 punctuation <comma>
///   vector.print str "text"
///   vector.print punctuation <open>
///   return
/// }
/// ```
#[op("vector.print", effects(write), interfaces(CustomAsm, terrace_interp::Interpret), hooks(verify))]
pub struct Print {
    source: Optional<Printable>,
    #[attr(default = newline)]
    punctuation: PrintPunctuation,
    #[attr(name = "stringLiteral", optional)]
    literal: StrAttr,
}

impl CustomAsm for Print {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        if let Some(source) = p.operand_opt()? {
            let ty = p.colon_type()?;
            p.resolve(&source, ty)?;
        }
        loop {
            if p.keyword_opt("str") {
                let text = p.string()?;
                p.set_attr("stringLiteral", p.cx().str_attr(&text));
            } else if p.keyword_opt("punctuation") {
                let attr = p.attr_in_form(AttrForm::Enum(PrintPunctuation::DEF))?;
                p.set_attr("punctuation", attr);
            } else {
                break;
            }
        }
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        if let Some(source) = self.source(ir) {
            p.text(" ");
            p.operand(source);
            p.text(" : ");
            p.ty(ir.ty(source));
        }
        if let Some(text) = self.literal(ir) {
            p.text(" str ");
            p.attr(text);
        }
        if self.punctuation(ir) != PrintPunctuation::NewLine {
            p.text(" punctuation <");
            p.text(self.punctuation(ir).word());
            p.text(">");
        }
        p.attr_dict(&["punctuation", "stringLiteral"]);
    }
}

impl Verify for Print {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let alone = self.source(ir).is_none() && self.punctuation(ir) == PrintPunctuation::NewLine;
        if self.literal(ir).is_some() && !alone {
            let message = "failed to verify that `source` or `punctuation` are not set when printing strings";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}

impl terrace_interp::Interpret for Print {
    fn interpret(self, _: &mut terrace_interp::Machine<'_>) -> terrace_interp::Step {
        // There is nowhere to show it.
        terrace_interp::Step::Next
    }
}

fn is_static(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::MemRef { shape, .. } if !shape.contains(&DYNAMIC))
}

terrace_ir::type_rules! {
    /// Memory whose sizes are known
    StaticMemRef "statically shaped memref of any type values", is_static;
}

/// A buffer of numbers as one of a single vector
///
/// ```mlir
/// func.func @f(%m: memref<5x4x3xf32>) -> memref<vector<5x4x3xf32>> {
///   %r = vector.type_cast %m : memref<5x4x3xf32> to memref<vector<5x4x3xf32>>
///   return %r : memref<vector<5x4x3xf32>>
/// }
/// ```
#[op("vector.type_cast", traits(Pure), hooks(verify))]
#[asm("$memref attr-dict `:` type($memref) `to` type($result)")]
pub struct TypeCast {
    memref: StaticMemRef,
    #[result]
    result: AnyMemRef,
}

impl Verify for TypeCast {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let (from, to) = (ir.ty(self.memref(ir)), ir.ty(self.result(ir)));
        let parts = |ty: Type| match ty.kind(cx) {
            TypeKind::MemRef { shape, elem, layout, space } => Some((shape, *elem, *layout, *space)),
            _ => None,
        };
        let (Some((shape, elem, layout, space)), Some((outer, inner, to_layout, to_space))) =
            (parts(from), parts(to))
        else {
            return Ok(());
        };
        let identity = |layout: Option<Attr>| {
            layout.is_none_or(|layout| layout.as_affine_map(cx).is_some_and(AffineMap::is_identity))
        };
        if !identity(layout) {
            return fail("expects operand to be a memref with identity layout".into());
        }
        if !identity(to_layout) {
            return fail("expects result to be a memref with identity layout".into());
        }
        if space != to_space {
            return fail("expects result in same memory space".into());
        }
        if elem.scalar(cx) != inner.scalar(cx) {
            let to = v.show(to);
            return fail(format!("expects result and operand with same underlying scalar type: '{to}'"));
        }
        let all = |shape: &[i64], elem: Type| -> Vec<i64> {
            shape.iter().chain(vector_shape(cx, elem).unwrap_or(&[])).copied().collect()
        };
        if all(shape, elem) != all(outer, inner) {
            let to = v.show(to);
            return fail(format!("expects concatenated result and operand shapes to be equal: '{to}'"));
        }
        Ok(())
    }
}
