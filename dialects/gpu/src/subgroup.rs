//! What threads of a block or a subgroup do together: barriers, shuffles, reductions.

use super::attrs::{
    AllReduceOperation, BroadcastType, IntOrFloat, IntOrFloatOrVector, NaturalAttr, PowerOf2Attr, ShuffleMode,
};
use terrace_diag::Reported;
use terrace_interp::combine::Combining;
use terrace_ir::rules::{AnyType, I1, I32, I32Attr, Index, UnitAttr};
use terrace_ir::{
    Attr, AttrForm, Context, Fold, FoldCx, Folded, Ir, Type, TypeKind, Verify, VerifyCx, codes,
};
use terrace_macros::op;
use terrace_text::names::NameSink;
use terrace_text::{CustomAsm, OpParser, OpPrinter, SuggestNames};

/// Wait for all threads of the block; what they wrote before can be read after
///
/// ```mlir
/// func.func @f() {
///   gpu.barrier
///   return
/// }
/// ```
#[op("gpu.barrier", interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize))]
#[asm("attr-dict")]
pub struct Barrier {}

/// Read a value of another lane of the subgroup
///
/// The second result says whether that lane is among the first `width`; if not, the first is poison.
///
/// ```mlir
/// func.func @f(%x: f32) -> f32 {
///   %offset = arith.constant 1 : i32
///   %width = arith.constant 32 : i32
///   %y, %valid = gpu.shuffle xor %x, %offset, %width : f32
///   return %y : f32
/// }
/// ```
#[op(
    "gpu.shuffle",
    traits(Pure),
    relations(same(value, shuffle_result)),
    interfaces(terrace_interp::Interpret, SuggestNames)
)]
#[asm("` ` $mode $value `,` $offset `,` $width attr-dict `:` type($value)")]
pub struct Shuffle {
    value: IntOrFloatOrVector,
    offset: I32,
    width: I32,
    #[attr]
    mode: ShuffleMode,
    #[result]
    shuffle_result: IntOrFloatOrVector,
    #[result]
    valid: I1,
}

impl SuggestNames for Shuffle {
    fn names(self, ir: &Ir, name: &mut NameSink<'_>) {
        name(self.shuffle_result(ir), "shuffleResult");
        name(self.valid(ir), "valid");
    }
}

/// Read the value of the lane `offset` further on, round and round among `width` lanes
///
/// ```mlir
/// func.func @f(%x: f32) -> f32 {
///   %y, %valid = gpu.rotate %x, 1, 16 : f32
///   return %y : f32
/// }
/// ```
#[op(
    "gpu.rotate",
    traits(Pure),
    relations(same(value, rotate_result)),
    interfaces(terrace_interp::Interpret, SuggestNames),
    hooks(verify)
)]
#[asm("$value `,` $offset `,` $width attr-dict `:` type($value)")]
pub struct Rotate {
    value: IntOrFloatOrVector,
    #[attr]
    offset: NaturalAttr,
    #[attr]
    width: PowerOf2Attr,
    #[result]
    rotate_result: IntOrFloatOrVector,
    #[result]
    valid: I1,
}

impl SuggestNames for Rotate {
    fn names(self, ir: &Ir, name: &mut NameSink<'_>) {
        name(self.rotate_result(ir), "rotateResult");
        name(self.valid(ir), "valid");
    }
}

impl Verify for Rotate {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let cx = v.ir.cx();
        let (offset, width) = (self.offset(v.ir).as_i64(cx), self.width(v.ir).as_i64(cx).unwrap_or(0));
        if offset.is_none_or(|offset| offset >= width) {
            return v.fail(self.0, &codes::OP_RULE, format!("offset must be in the range [0, {width})"));
        }
        Ok(())
    }
}

/// Give one lane's value to all lanes of the subgroup
///
/// ```mlir
/// func.func @f(%x: f32, %lane: i32) -> (f32, f32) {
///   %a = gpu.subgroup_broadcast %x, specific_lane %lane : f32
///   %b = gpu.subgroup_broadcast %x, first_active_lane : f32
///   return %a, %b : f32, f32
/// }
/// ```
#[op(
    "gpu.subgroup_broadcast",
    interfaces(terrace_interp::Interpret),
    traits(NoEffect, Elementwise),
    relations(same(src, result)),
    hooks(fold, verify)
)]
#[asm("$src `,` ` ` $broadcast_type ($lane^)? attr-dict `:` type($result)")]
pub struct SubgroupBroadcast {
    src: AnyType,
    lane: Optional<I32>,
    #[attr]
    broadcast_type: BroadcastType,
    #[result]
    result: AnyType,
}

impl SubgroupBroadcast {
    /// Is the lane an operand?
    pub fn is_specific(self, ir: &Ir) -> bool {
        self.broadcast_type(ir) == BroadcastType::SpecificLane
    }
}

impl Verify for SubgroupBroadcast {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        match (self.is_specific(v.ir), self.lane(v.ir)) {
            (true, None) => {
                v.fail(self.0, &codes::OP_RULE, "lane must be specified for `specific_lane` broadcast")
            }
            (false, Some(_)) => {
                v.fail(self.0, &codes::OP_RULE, "lane can only be specified for `specific_lane` broadcast")
            }
            _ => Ok(()),
        }
    }
}

impl Fold for SubgroupBroadcast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        // What was broadcast is the same in all lanes.
        let inner = cx.ir.defining_op(self.src(cx.ir)).and_then(|op| SubgroupBroadcast::cast(cx.ir, op));
        inner.map_or(Folded::No, |inner| Folded::value(inner.result(cx.ir)))
    }
}

/// Does the operator work on this scalar type?
fn fits(cx: &Context, operator: AllReduceOperation, ty: Type) -> bool {
    match Combining::from(operator) {
        Combining::Add | Combining::Mul => true,
        operator if operator.is_float() => ty.is_float(cx),
        _ => ty.is_int(cx),
    }
}

fn incompatible(
    v: &VerifyCx<'_>,
    op: terrace_ir::OpId,
    operator: AllReduceOperation,
    ty: Type,
) -> Result<(), Reported> {
    let name = operator.word();
    let message = format!("`{name}` reduction operation is not compatible with type '{}'", v.show(ty));
    v.fail(op, &codes::OP_RULE, message)
}

/// Combine the values of all threads of the block; all get the result
///
/// By an operator, or by a region of two arguments.
///
/// ```mlir
/// func.func @f(%x: f32) -> (f32, f32) {
///   %a = gpu.all_reduce add %x uniform {
///   } : (f32) -> f32
///   %b = gpu.all_reduce %x {
///   ^bb0(%l: f32, %r: f32):
///     %s = arith.addf %l, %r : f32
///     gpu.yield %s : f32
///   } : (f32) -> f32
///   return %a, %b : f32, f32
/// }
/// ```
#[op(
    "gpu.all_reduce",
    traits(IsolatedFromAbove),
    relations(same(value, result)),
    interfaces(terrace_interp::Interpret, CustomAsm, terrace_rewrite::Canonicalize),
    hooks(verify)
)]
pub struct AllReduce {
    value: IntOrFloat,
    #[attr(name = "op", optional)]
    operator: AllReduceOperation,
    #[attr(optional)]
    uniform: UnitAttr,
    #[result]
    result: IntOrFloat,
    #[region(may_be_empty)]
    body: Region,
}

/// `add`, if an operator comes next
fn operator(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    if !p.at_punct("%") {
        let operator = p.attr_in_form(AttrForm::Enum(AllReduceOperation::DEF))?;
        p.set_attr("op", operator);
    }
    Ok(())
}

fn print_operator(p: &mut OpPrinter<'_>, operator: Option<AllReduceOperation>) {
    p.text(" ");
    if let Some(operator) = operator {
        p.text(" ");
        p.text(operator.word());
    }
    p.text(" ");
}

fn uniform(p: &mut OpParser<'_, '_>) {
    if p.keyword_opt("uniform") {
        let unit = p.cx().common().unit;
        p.set_attr("uniform", unit);
    }
}

/// `: (f32) -> f32` for one operand that was read
fn reduced(p: &mut OpParser<'_, '_>, value: terrace_text::Unresolved) -> Result<(), Reported> {
    p.punct(":")?;
    let (inputs, results) = p.function_type()?;
    p.resolve_all(&[value], &inputs)?;
    p.add_results(&results);
    Ok(())
}

impl CustomAsm for AllReduce {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        operator(p)?;
        let value = p.operand()?;
        uniform(p);
        p.region(&[])?;
        p.attr_dict()?;
        reduced(p, value)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_operator(p, self.operator(ir));
        p.operand(self.value(ir));
        p.text(if self.uniform(ir).is_some() { " uniform " } else { " " });
        p.region(self.body(ir), true, true);
        p.attr_dict(&["op", "uniform"]);
        p.text(" : ");
        p.functional_type();
    }
}

impl Verify for AllReduce {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let (entry, ty) = (ir.entry(self.body(ir)), ir.ty(self.result(ir)));
        let entry = match (entry, self.operator(ir)) {
            (None, Some(operator)) if fits(cx, operator, ty) => return Ok(()),
            (None, Some(operator)) => return incompatible(v, self.0, operator, ty),
            (Some(entry), None) => entry,
            _ => return fail("expected either an op attribute or a non-empty body"),
        };
        let args = ir.block_args(entry);
        if args.len() != 2 {
            return fail("expected two region arguments");
        }
        if args.iter().any(|arg| ir.ty(*arg) != ty) {
            return fail("incorrect region argument type");
        }
        let mut yields = 0;
        for block in ir.blocks(self.body(ir)) {
            let Some(last) = ir.last_op(block).and_then(|last| Yield::cast(ir, last)) else { continue };
            match last.values(ir)[..] {
                [value] if ir.ty(value) == ty => yields += 1,
                [_] => return fail("incorrect gpu.yield type"),
                _ => return fail("expected one gpu.yield operand"),
            }
        }
        if yields == 0 { fail("expected gpu.yield op in region") } else { Ok(()) }
    }
}

/// Combine the values of the lanes of a subgroup, or of clusters of them; all get the result
///
/// ```mlir
/// func.func @f(%x: f32, %v: vector<4xf16>) {
///   %a = gpu.subgroup_reduce add %x : (f32) -> f32
///   %b = gpu.subgroup_reduce maxnumf %v uniform : (vector<4xf16>) -> vector<4xf16>
///   %c = gpu.subgroup_reduce add %x cluster(size = 4, stride = 2) : (f32) -> f32
///   return
/// }
/// ```
#[op(
    "gpu.subgroup_reduce",
    relations(same(value, result)),
    interfaces(terrace_interp::Interpret, CustomAsm, terrace_rewrite::Canonicalize),
    hooks(fold, verify)
)]
pub struct SubgroupReduce {
    value: IntOrFloatOrVector,
    #[attr(name = "op")]
    operator: AllReduceOperation,
    #[attr(optional)]
    uniform: UnitAttr,
    #[attr(optional)]
    cluster_size: I32Attr,
    #[attr(default = one)]
    cluster_stride: I32Attr,
    #[result]
    result: IntOrFloatOrVector,
}

fn one(cx: &Context) -> Attr {
    cx.int_attr(1, cx.common().i32)
}

impl CustomAsm for SubgroupReduce {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let i32 = p.cx().common().i32;
        operator(p)?;
        let value = p.operand()?;
        uniform(p);
        if p.keyword_opt("cluster") {
            p.punct("(")?;
            p.keyword("size")?;
            p.punct("=")?;
            let size = p.attr_of(i32)?;
            p.set_attr("cluster_size", size);
            if p.punct_opt(",") {
                p.keyword("stride")?;
                p.punct("=")?;
                let stride = p.attr_of(i32)?;
                p.set_attr("cluster_stride", stride);
            }
            p.punct(")")?;
        }
        p.attr_dict()?;
        reduced(p, value)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_operator(p, Some(self.operator(ir)));
        p.operand(self.value(ir));
        if self.uniform(ir).is_some() {
            p.text(" uniform");
        }
        if let Some(size) = self.cluster_size(ir) {
            p.text(" cluster(size = ");
            p.attr_value(size);
            let stride = self.cluster_stride(ir);
            if stride != one(ir.cx()) {
                p.text(", stride = ");
                p.attr_value(stride);
            }
            p.text(")");
        }
        p.attr_dict(&["op", "uniform", "cluster_size", "cluster_stride"]);
        p.text(" : ");
        p.functional_type();
    }
}

impl Verify for SubgroupReduce {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let ty = ir.ty(self.result(ir));
        if matches!(ty.kind(cx), TypeKind::Vector { scalable, .. } if *scalable != 0) {
            return fail("is not compatible with scalable vector types");
        }
        if !fits(cx, self.operator(ir), ty.scalar(cx)) {
            return incompatible(v, self.0, self.operator(ir), ty);
        }
        let power = |value: i64| value > 0 && value & (value - 1) == 0;
        let size = self.cluster_size(ir).and_then(|size| size.as_i64(cx));
        if let Some(size) = size.filter(|size| !power(*size)) {
            return fail(&format!("cluster size {size} is not a power of two"));
        }
        let stride = self.cluster_stride(ir).as_i64(cx).unwrap_or(0);
        if stride != 1 && size.is_none() {
            return fail("cluster stride can only be specified if cluster size is specified");
        }
        if !power(stride) {
            return fail(&format!("cluster stride {stride} is not a power of two"));
        }
        Ok(())
    }
}

impl Fold for SubgroupReduce {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        // A lane alone.
        let size = self.cluster_size(cx.ir).and_then(|size| size.as_i64(cx.cx()));
        if size == Some(1) { Folded::value(self.value(cx.ir)) } else { Folded::No }
    }
}

/// Ends a region of an op of this dialect
///
/// ```mlir
/// func.func @f(%x: f32) -> f32 {
///   %b = gpu.all_reduce %x {
///   ^bb0(%l: f32, %r: f32):
///     %s = arith.maximumf %l, %r : f32
///     gpu.yield %s : f32
///   } : (f32) -> f32
///   return %b : f32
/// }
/// ```
#[op("gpu.yield", interfaces(terrace_interp::Interpret), traits(Pure, Terminator, ReturnLike))]
#[asm("attr-dict ($values^ `:` type($values))?")]
pub struct Yield {
    values: Variadic<AnyType>,
}

/// Run a region on the first lane of a warp alone; values come and go spread over the lanes
///
/// ```mlir
/// func.func @f(%lane: index, %x: vector<4xi32>) {
///   gpu.warp_execute_on_lane_0(%lane)[32] {
///   }
///   %r = gpu.warp_execute_on_lane_0(%lane)[32] args(%x : vector<4xi32>) -> (vector<1xi32>) {
///   ^bb0(%all: vector<128xi32>):
///     %c = arith.constant dense<0> : vector<32xi32>
///     gpu.yield %c : vector<32xi32>
///   }
///   return
/// }
/// ```
#[op(
    "gpu.warp_execute_on_lane_0",
    traits(SingleBlock, RecursiveEffects),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(verify),
    implicit_terminator = "gpu.yield"
)]
pub struct WarpExecuteOnLane0 {
    laneid: Index,
    args: Variadic<AnyType>,
    #[attr]
    warp_size: terrace_ir::rules::I64Attr,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    region: Region,
}

impl CustomAsm for WarpExecuteOnLane0 {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let (index, i64) = (p.cx().common().index, p.cx().common().i64);
        p.punct("(")?;
        let lane = p.operand()?;
        p.resolve(&lane, index)?;
        p.punct(")")?;
        p.punct("[")?;
        let size = p.attr_of(i64)?;
        p.set_attr("warp_size", size);
        p.punct("]")?;
        if p.keyword_opt("args") {
            p.punct("(")?;
            let args = p.operands(terrace_text::Delim::None)?;
            let types = p.colon_types()?;
            p.resolve_all(&args, &types)?;
            p.punct(")")?;
        }
        let results = p.arrow_types_opt()?;
        p.add_results(&results);
        p.region(&[])?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text("(");
        p.operand(self.laneid(ir));
        p.text(")[");
        p.attr_value(self.warp_size(ir));
        p.text("]");
        let args = self.args(ir);
        if !args.is_empty() {
            p.text(" args(");
            p.operands(args.iter().copied());
            for (n, value) in args.into_iter().enumerate() {
                p.text(if n == 0 { " : " } else { ", " });
                p.ty(ir.ty(value));
            }
            p.text(")");
        }
        let results = self.results(ir);
        if !results.is_empty() {
            p.text(" -> (");
            p.result_types();
            p.text(")");
        }
        p.text(" ");
        p.region(self.region(ir), true, !results.is_empty());
        p.attr_dict(&["warp_size"]);
    }
}

impl Verify for WarpExecuteOnLane0 {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let Some(entry) = ir.entry(self.region(ir)) else { return Ok(()) };
        if self.args(ir).len() != ir.block_args(entry).len() {
            return fail("expected same number op arguments and block arguments.");
        }
        let Some(last) = ir.last_op(entry).and_then(|last| Yield::cast(ir, last)) else { return Ok(()) };
        if last.values(ir).len() != self.results(ir).len() {
            return fail("expected same number of yield operands and return values.");
        }
        let size = self.warp_size(ir).as_i64(cx).unwrap_or(0);
        let pairs = ir.block_args(entry).iter().copied().zip(self.args(ir));
        for (whole, part) in pairs.chain(last.values(ir).into_iter().zip(self.results(ir))) {
            distributed(v, self, ir.ty(whole), ir.ty(part), size)?;
        }
        Ok(())
    }
}

/// Is `part` what one of `size` lanes has of `whole`? One dimension is divided, or none
fn distributed(
    v: &VerifyCx<'_>,
    op: WarpExecuteOnLane0,
    whole: Type,
    part: Type,
    size: i64,
) -> Result<(), Reported> {
    let cx = v.ir.cx();
    let fail = |message: String| v.fail(op.0, &codes::OP_RULE, message);
    if whole == part {
        return Ok(());
    }
    let vectors = |ty: Type| matches!(ty.kind(cx), TypeKind::Vector { .. });
    let (Some(a), Some(b)) = (whole.shape(cx), part.shape(cx)) else {
        return fail("expected vector type for distributed operands.".into());
    };
    if !vectors(whole) || !vectors(part) {
        return fail("expected vector type for distributed operands.".into());
    }
    if a.len() != b.len() || whole.scalar(cx) != part.scalar(cx) {
        return fail("expected distributed vectors to have same rank and element type.".into());
    }
    let scales: i64 = a.iter().zip(b).map(|(a, b)| if *b > 0 && a % b == 0 { a / b } else { 0 }).product();
    if scales == 0 {
        return fail("expected expanded vector dimensions to be a multiple of the distributed ones".into());
    }
    if scales != size {
        return fail(format!(
            "incompatible distribution dimensions from '{}' to '{}' with warp size = {size}",
            v.show(whole),
            v.show(part)
        ));
    }
    Ok(())
}
