//! Parts of vectors and elements one by one: `extract_strided_slice insert_strided_slice from_elements to_elements
//! interleave deinterleave bitcast scalable.insert scalable.extract vscale`.

use super::{FixedVector, RankedVector, vector_shape};
use terrace_diag::Reported;
use terrace_ir::defs::InferCx;
use terrace_ir::rules::{AnyType, AnyVector, I64Attr, Index};
use terrace_ir::{
    Attr, AttrForm, AttrKind, Context, DenseData, Fold, FoldCx, Folded, Infer, Ir, Type, TypeKind, Verify,
    VerifyCx, codes,
};
use terrace_macros::op;

/// Values of `[1, 2]`
pub(super) fn numbers(cx: &Context, attr: Attr) -> Vec<i64> {
    attr.as_array(cx).map_or(Vec::new(), |all| all.iter().filter_map(|item| item.as_i64(cx)).collect())
}

fn is_i64_array(cx: &Context, attr: Attr) -> bool {
    let number = |item: &Attr| item.as_int(cx).is_some_and(|(_, ty)| ty == cx.common().i64);
    attr.as_array(cx).is_some_and(|all| all.iter().all(number))
}

terrace_ir::attr_rules! {
    /// `[1, 2]`
    I64Array "64-bit integer array attribute", AttrForm::Full, is_i64_array;
}

fn is_line(cx: &Context, ty: Type, scalable: bool) -> bool {
    match ty.kind(cx) {
        TypeKind::Vector { shape, scalable: flags, .. } => shape.len() == 1 && (!scalable || *flags == 1),
        _ => false,
    }
}

terrace_ir::type_rules! {
    /// Vector with one dimension
    LineVector "vector of any type values of ranks 1", |cx, ty| is_line(cx, ty, false);
    /// Vector with one, scalable dimension
    ScalableLine "scalable vector of any type values of ranks 1", |cx, ty| is_line(cx, ty, true);
}

/// Take a box of a vector; the strides are one so far
///
/// ```mlir
/// func.func @f(%v: vector<4x8x16xf32>) -> vector<2x4x16xf32> {
///   %r = vector.extract_strided_slice %v {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8x16xf32> to vector<2x4x16xf32>
///   return %r : vector<2x4x16xf32>
/// }
/// ```
#[op(
    "vector.extract_strided_slice",
    traits(Pure),
    relations(same_element(source, result)),
    interfaces(terrace_interp::Interpret),
    hooks(fold, verify)
)]
#[asm("$source attr-dict `:` type($source) `to` type(results)")]
pub struct ExtractStridedSlice {
    source: RankedVector,
    #[attr]
    offsets: I64Array,
    #[attr]
    sizes: I64Array,
    #[attr]
    strides: I64Array,
    #[result]
    result: RankedVector,
}

/// Put a vector into a box of another; the strides are one so far
///
/// ```mlir
/// func.func @f(%v: vector<2x4xf32>, %w: vector<16x4x8xf32>) -> vector<16x4x8xf32> {
///   %r = vector.insert_strided_slice %v, %w {offsets = [0, 2, 4], strides = [1, 1]} : vector<2x4xf32> into vector<16x4x8xf32>
///   return %r : vector<16x4x8xf32>
/// }
/// ```
#[op(
    "vector.insert_strided_slice",
    traits(Pure),
    relations(same(dest, result), same_element(value, result)),
    interfaces(terrace_interp::Interpret),
    hooks(fold, verify)
)]
#[asm("$value `,` $dest attr-dict `:` type($value) `into` type($dest)")]
pub struct InsertStridedSlice {
    value: RankedVector,
    dest: RankedVector,
    #[attr]
    offsets: I64Array,
    #[attr]
    strides: I64Array,
    #[result]
    result: RankedVector,
}

impl ExtractStridedSlice {
    /// Offsets and sizes of the leading dimensions
    pub fn part(self, ir: &Ir) -> (Vec<i64>, Vec<i64>) {
        (numbers(ir.cx(), self.offsets(ir)), numbers(ir.cx(), self.sizes(ir)))
    }
}

/// Each number at least `low` and at most the one of the shape plus `above`
fn confined(
    v: &VerifyCx<'_>,
    op: terrace_ir::OpId,
    what: &str,
    values: &[i64],
    shape: &[i64],
    (low, above): (i64, i64),
) -> Result<(), Reported> {
    for (n, (&value, &size)) in values.iter().zip(shape).enumerate() {
        let end = size.saturating_add(above);
        if !(low..end).contains(&value) {
            let message = format!("expected {what} dimension {n} to be confined to [{low}, {end})");
            return v.fail(op, &codes::OP_RULE, message);
        }
    }
    Ok(())
}

fn sums(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| a.saturating_add(*b)).collect()
}

impl Verify for ExtractStridedSlice {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let TypeKind::Vector { shape, scalable, elem } = ir.ty(self.source(ir)).kind(cx) else {
            return Ok(());
        };
        let (offsets, sizes) = self.part(ir);
        let strides = numbers(cx, self.strides(ir));
        if offsets.len() != sizes.len() || offsets.len() != strides.len() {
            return fail("expected offsets, sizes and strides attributes of same size".into());
        }
        if offsets.len() > shape.len() {
            return fail("expected offsets attribute of rank no greater than vector rank".into());
        }
        confined(v, self.0, "offsets", &offsets, shape, (0, 0))?;
        confined(v, self.0, "sizes", &sizes, shape, (1, 1))?;
        if strides.iter().any(|stride| *stride != 1) {
            return fail("expected strides to be confined to [1, 2)".into());
        }
        confined(v, self.0, "sum(offsets, sizes)", &sums(&offsets, &sizes), shape, (1, 1))?;
        for (n, (size, whole)) in sizes.iter().zip(shape).enumerate() {
            if scalable >> n & 1 == 1 && (size != whole || offsets[n] != 0) {
                return fail(format!(
                    "expected size at idx={n} to match the corresponding base size from the input vector"
                ));
            }
        }
        let wanted: Vec<i64> = sizes.iter().chain(&shape[sizes.len()..]).copied().collect();
        let wanted = cx.ty(TypeKind::Vector { shape: wanted.into(), scalable: *scalable, elem: *elem });
        if wanted != ir.ty(self.result(ir)) {
            return fail(format!("expected result type to be '{}'", v.show(wanted)));
        }
        Ok(())
    }
}

impl Verify for InsertStridedSlice {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let shape = |value| vector_shape(cx, ir.ty(value)).unwrap_or(&[]);
        let (from, to) = (shape(self.value(ir)), shape(self.dest(ir)));
        let (offsets, strides) = (numbers(cx, self.offsets(ir)), numbers(cx, self.strides(ir)));
        if offsets.len() != to.len() {
            return fail("expected offsets of same size as destination vector rank");
        }
        if strides.len() != from.len() {
            return fail("expected strides of same size as source vector rank");
        }
        let Some(lead) = to.len().checked_sub(from.len()) else {
            return fail("expected source rank to be no greater than destination rank");
        };
        confined(v, self.0, "offsets", &offsets, to, (0, 0))?;
        if strides.iter().any(|stride| *stride != 1) {
            return fail("expected strides to be confined to [1, 2)");
        }
        let sizes: Vec<i64> = vec![1; lead].into_iter().chain(from.iter().copied()).collect();
        confined(v, self.0, "sum(offsets, source vector shape)", &sums(&offsets, &sizes), to, (1, 1))
    }
}

impl Fold for ExtractStridedSlice {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let to = ir.ty(self.result(ir));
        if ir.ty(self.source(ir)) == to {
            return Folded::value(self.source(ir));
        }
        let Some(attr) = cx.constant(0) else { return Folded::No };
        match attr.kind(context) {
            AttrKind::Dense { data: data @ DenseData::Splat(_), .. } => {
                Folded::attr(context.attr(AttrKind::Dense { ty: to, data: data.clone() }))
            }
            _ if terrace_dialect_ub::is_poison(context, attr) => Folded::attr(attr),
            _ => Folded::No,
        }
    }
}

impl Fold for InsertStridedSlice {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ir = cx.ir;
        let (value, dest) = (self.value(ir), self.dest(ir));
        if ir.ty(value) == ir.ty(dest) {
            return Folded::value(value);
        }
        Folded::No
    }
}

/// A vector of these elements, row by row
///
/// ```mlir
/// func.func @f(%x: f32, %y: f32) -> vector<2x2xf32> {
///   %r = vector.from_elements %x, %y, %y, %x : vector<2x2xf32>
///   return %r : vector<2x2xf32>
/// }
/// ```
#[op(
    "vector.from_elements",
    traits(Pure),
    interfaces(terrace_rewrite::Canonicalize, terrace_text::CustomAsm, terrace_interp::Interpret),
    hooks(fold, verify)
)]
pub struct FromElements {
    elements: Variadic<AnyType>,
    #[result]
    dest: FixedVector,
}

/// All elements of a vector, row by row
///
/// ```mlir
/// func.func @f(%v: vector<2xf32>) -> f32 {
///   %a, %b = vector.to_elements %v : vector<2xf32>
///   return %b : f32
/// }
/// ```
#[op("vector.to_elements", traits(Pure), interfaces(terrace_interp::Interpret), hooks(fold, infer, verify))]
#[asm("$source attr-dict `:` type($source)")]
pub struct ToElements {
    source: AnyVector,
    #[result]
    elements: Variadic<AnyType>,
}

/// Most elements that an op may have as values
const VALUES: i64 = 1 << 16;

impl terrace_text::CustomAsm for FromElements {
    fn parse(p: &mut terrace_text::OpParser<'_, '_>) -> Result<(), Reported> {
        let elements = p.operands(terrace_text::Delim::None)?;
        p.attr_dict()?;
        let ty = p.colon_type()?;
        let cx = p.cx();
        let wanted = ty.num_elements(cx).unwrap_or(0);
        if wanted != elements.len() as i64 {
            let given = elements.len();
            let message =
                format!("number of operands and types do not match: got {given} operands and {wanted} types");
            let message = format!("custom op 'vector.from_elements' {message}");
            return Err(match elements.first() {
                Some(first) => p.error_at(first, message),
                None => p.error(message),
            });
        }
        let elem = ty.scalar(cx);
        elements.iter().try_for_each(|each| p.resolve(each, elem))?;
        p.add_result(ty);
        Ok(())
    }

    fn print(self, p: &mut terrace_text::OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operands(self.elements(ir));
        p.attr_dict(&[]);
        p.text(" : ");
        p.ty(ir.ty(self.dest(ir)));
    }
}

impl Infer for ToElements {
    fn infer(cx: &InferCx<'_>) -> Option<Vec<Type>> {
        let ty = *cx.operands.first()?;
        let count = ty.num_elements(cx.cx).filter(|count| *count <= VALUES)?;
        Some(vec![ty.scalar(cx.cx); usize::try_from(count).ok()?])
    }
}

fn check_elements(
    v: &VerifyCx<'_>,
    op: terrace_ir::OpId,
    vector: Type,
    elements: &[terrace_ir::Value],
    names: [&str; 2],
) -> Result<(), Reported> {
    let (ir, cx) = (v.ir, v.ir.cx());
    let elem = vector.scalar(cx);
    let fits = vector.num_elements(cx) == i64::try_from(elements.len()).ok()
        && elements.iter().all(|value| ir.ty(*value) == elem)
        && !super::fold::is_scalable(cx, vector);
    if fits {
        return Ok(());
    }
    let [vector, elements] = names;
    let message =
        format!("failed to verify that shaped type '{vector}' matches '{elements}' element count and types");
    v.fail(op, &codes::OP_RULE, message)
}

impl Verify for FromElements {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_elements(v, self.0, v.ir.ty(self.dest(v.ir)), &self.elements(v.ir), ["dest", "elements"])
    }
}

impl Verify for ToElements {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_elements(v, self.0, v.ir.ty(self.source(v.ir)), &self.elements(v.ir), ["source", "elements"])
    }
}

impl Fold for FromElements {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        use super::fold::{Elements, constant, elements};
        let (ir, context) = (cx.ir, cx.cx());
        let values = self.elements(ir);
        // All elements of one vector in order are the vector.
        if let Some(op) = values.first().and_then(|first| ir.defining_op(*first))
            && let Some(inner) = ToElements::cast(ir, op)
            && ir.ty(inner.source(ir)) == ir.ty(self.dest(ir))
            && inner.elements(ir) == values
        {
            return Folded::value(inner.source(ir));
        }
        let bytes: Option<Vec<Elements>> =
            (0..values.len()).map(|n| elements(context, cx.constant(n)?)).collect();
        let Some(bytes) = bytes else { return Folded::No };
        Folded::maybe(constant(context, bytes.iter().map(|each| each.get(0)), ir.ty(self.dest(ir))))
    }
}

impl Fold for ToElements {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        use super::fold::{elements, scalar};
        use terrace_ir::fold::FoldResult;
        let (ir, context) = (cx.ir, cx.cx());
        if let Some(op) = ir.defining_op(self.source(ir))
            && let Some(inner) = FromElements::cast(ir, op)
        {
            return Folded::Many(inner.elements(ir).into_iter().map(FoldResult::Value).collect());
        }
        let results = self.elements(ir);
        let attrs = || {
            let all = elements(context, cx.constant(0)?)?;
            let one = |(n, value)| Some(FoldResult::Attr(scalar(context, all.get(n)?, ir.ty(value))?));
            results.into_iter().enumerate().map(one).collect::<Option<Vec<_>>>()
        };
        attrs().map_or(Folded::No, Folded::Many)
    }
}

/// Type with the last dimension twice as long; a vector without dimensions gets one
fn doubled(cx: &Context, ty: Type) -> Option<Type> {
    let TypeKind::Vector { shape, scalable, elem } = ty.kind(cx) else { return None };
    let mut shape = shape.to_vec();
    match shape.last_mut() {
        Some(last) => *last = last.checked_mul(2)?,
        None => shape.push(2),
    }
    Some(cx.ty(TypeKind::Vector { shape: shape.into(), scalable: *scalable, elem: *elem }))
}

/// Elements of two vectors by turns, along the last dimension
///
/// ```mlir
/// func.func @f(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<8xf32> {
///   %r = vector.interleave %a, %b : vector<4xf32> -> vector<8xf32>
///   return %r : vector<8xf32>
/// }
/// ```
#[op(
    "vector.interleave",
    traits(Pure),
    relations(same(lhs, rhs)),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)")]
pub struct Interleave {
    lhs: AnyVector,
    rhs: AnyVector,
    #[result]
    result: RankedVector,
}

/// Every other element of a vector, along the last dimension: the even ones, the odd ones
///
/// ```mlir
/// func.func @f(%v: vector<8xf32>) -> (vector<4xf32>, vector<4xf32>) {
///   %a, %b = vector.deinterleave %v : vector<8xf32> -> vector<4xf32>
///   return %a, %b : vector<4xf32>, vector<4xf32>
/// }
/// ```
#[op(
    "vector.deinterleave",
    traits(Pure),
    relations(same(res1, res2)),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("$source attr-dict `:` type($source) `->` type($res1)")]
pub struct Deinterleave {
    source: RankedVector,
    #[result]
    res1: RankedVector,
    #[result]
    res2: RankedVector,
}

impl Verify for Interleave {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        if doubled(ir.cx(), ir.ty(self.lhs(ir))) == Some(ir.ty(self.result(ir))) {
            return Ok(());
        }
        let message = "failed to verify that type of 'result' is double the width of the inputs";
        v.fail(self.0, &codes::OP_RULE, message)
    }
}

impl Verify for Deinterleave {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.res1(ir)));
        let last = vector_shape(cx, from).and_then(|shape| shape.last().copied()).unwrap_or(0);
        if last % 2 != 0 {
            let message = "failed to verify that the trailing dimension of the source vector has an even number of elements";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        if doubled(cx, to) != Some(from) {
            let message = "failed to verify that the trailing dimension of the results is half the width of source trailing dimension";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}

/// The same bits as elements of another width; the last dimension changes
///
/// ```mlir
/// func.func @f(%v: vector<5x1x4x3xf32>) -> vector<5x1x4x6xi16> {
///   %r = vector.bitcast %v : vector<5x1x4x3xf32> to vector<5x1x4x6xi16>
///   return %r : vector<5x1x4x6xi16>
/// }
/// ```
#[op("vector.bitcast", traits(Pure), interfaces(terrace_interp::Interpret), hooks(fold, verify))]
#[asm("$source attr-dict `:` type($source) `to` type($result)")]
pub struct BitCast {
    source: AnyVector,
    #[result]
    result: AnyVector,
}

impl Verify for BitCast {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.result(ir)));
        let (Some(a), Some(b)) = (vector_shape(cx, from), vector_shape(cx, to)) else { return Ok(()) };
        if a.len() != b.len() {
            return fail("failed to verify that all of {source, result} have same rank".into());
        }
        let lead = a.len().saturating_sub(1);
        if let Some(n) = (0..lead).find(|n| a[*n] != b[*n]) {
            return fail(format!("dimension size mismatch at: {n}"));
        }
        let bits = |ty: Type, shape: &[i64]| {
            shape.last().copied().unwrap_or(1).checked_mul(ty.scalar(cx).bit_width(cx)?.into())
        };
        if bits(from, a) != bits(to, b) {
            let message = match a.is_empty() {
                true => "source/result bitwidth of the 0-D vector element types must be equal",
                false => "source/result bitwidth of the minor 1-D vectors must be equal",
            };
            return fail(message.into());
        }
        Ok(())
    }
}

impl Fold for BitCast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ir = cx.ir;
        let (source, to) = (self.source(ir), ir.ty(self.result(ir)));
        if ir.ty(source) == to {
            return Folded::value(source);
        }
        let inner = ir.defining_op(source).and_then(|op| BitCast::cast(ir, op));
        match inner {
            Some(inner) if ir.ty(inner.source(ir)) == to => Folded::value(inner.source(ir)),
            _ => Folded::No,
        }
    }
}

/// Put a vector into a scalable one, at a multiple of its length
///
/// ```mlir
/// func.func @f(%v: vector<4xf32>, %w: vector<[16]xf32>) -> vector<[16]xf32> {
///   %r = vector.scalable.insert %v, %w[8] : vector<4xf32> into vector<[16]xf32>
///   return %r : vector<[16]xf32>
/// }
/// ```
#[op(
    "vector.scalable.insert",
    traits(Pure),
    relations(same(dest, result), same_element(value, result)),
    hooks(verify)
)]
#[asm("$value `,` $dest `[` $pos `]` attr-dict `:` type($value) `into` type($dest)")]
pub struct ScalableInsert {
    value: LineVector,
    dest: ScalableLine,
    #[attr]
    pos: I64Attr,
    #[result]
    result: ScalableLine,
}

/// Take a vector out of a scalable one, at a multiple of its length
///
/// ```mlir
/// func.func @f(%w: vector<[8]xf32>) -> vector<4xf32> {
///   %r = vector.scalable.extract %w[4] : vector<4xf32> from vector<[8]xf32>
///   return %r : vector<4xf32>
/// }
/// ```
#[op("vector.scalable.extract", traits(Pure), relations(same_element(source, result)), hooks(verify))]
#[asm("$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)")]
pub struct ScalableExtract {
    source: ScalableLine,
    #[attr]
    pos: I64Attr,
    #[result]
    result: LineVector,
}

fn check_multiple(
    v: &VerifyCx<'_>,
    op: terrace_ir::OpId,
    pos: Attr,
    part: Type,
    whose: &str,
) -> Result<(), Reported> {
    let cx = v.ir.cx();
    let rest = pos.as_i64(cx).zip(part.num_elements(cx)).and_then(|(pos, len)| pos.checked_rem(len));
    if rest == Some(0) {
        return Ok(());
    }
    let message = format!("failed to verify that position is a multiple of the {whose} length.");
    v.fail(op, &codes::OP_RULE, message)
}

impl Verify for ScalableInsert {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_multiple(v, self.0, self.pos(v.ir), v.ir.ty(self.value(v.ir)), "source")
    }
}

impl Verify for ScalableExtract {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_multiple(v, self.0, self.pos(v.ir), v.ir.ty(self.result(v.ir)), "result")
    }
}

/// How many times a scalable dimension's size it has at run time
///
/// ```mlir
/// func.func @f() -> index {
///   %r = vector.vscale
///   return %r : index
/// }
/// ```
#[op("vector.vscale", traits(Pure))]
#[asm("attr-dict")]
pub struct VScale {
    #[result]
    res: Index,
}
