//! Other shapes of the same elements: `expand_shape collapse_shape transpose reshape view realloc`.

use super::layout::{Strided, row_major, strided, with_strides};
use super::rules::{AlignmentAttr, StridedMemRef};
use terrace_diag::Reported;
use terrace_dialect_shapes::numbers::times;
use terrace_dialect_shapes::reassociation::{
    Reassociation, check_groups, groups, parse_expand, print_expand,
};
use terrace_ir::rules::{AffineMapAttr, AnyMemRef, AnyRankedOrUnrankedMemRef, DenseI64Array, Index};
use terrace_ir::{Context, DYNAMIC, Fold, FoldCx, Folded, Ir, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_support::affine::AffineMap;
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter};

fn is_vector_memref(cx: &Context, ty: Type, test: fn(&Context, Type) -> bool) -> bool {
    matches!(ty.kind(cx), TypeKind::MemRef { shape, elem, .. } if shape.len() == 1 && test(cx, *elem))
}

terrace_ir::type_rules! {
    /// Sizes in memory
    ShapeMemRef "1D memref of signless integer or index values",
        |cx, ty| is_vector_memref(cx, ty, |cx, elem| elem.is_signless_int(cx) || elem.is_index(cx));
    /// Bytes in memory
    BytesMemRef "1D memref of 8-bit signless integer values", |cx, ty| is_vector_memref(cx, ty, |cx, elem| elem == cx.common().i8);
    /// Memory of one dimension
    LineMemRef "1D memref of any type values", |cx, ty| is_vector_memref(cx, ty, |_, _| true);
}

/// The same elements with dimensions cut in parts
///
/// ```mlir
/// func.func @f(%m: memref<?x32xf32>, %n: index) -> memref<?x4x32xf32> {
///   %r = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 4, 32] : memref<?x32xf32> into memref<?x4x32xf32>
///   return %r : memref<?x4x32xf32>
/// }
/// ```
#[op(
    "memref.expand_shape",
    traits(Pure, ViewLike),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(fold, verify)
)]
pub struct ExpandShape {
    src: StridedMemRef,
    output_shape: Variadic<Index>,
    #[attr]
    reassociation: Reassociation,
    #[attr]
    static_output_shape: DenseI64Array,
    #[result]
    result: StridedMemRef,
}

/// The same elements with neighboring dimensions joined
///
/// ```mlir
/// func.func @f(%m: memref<?x4x32xf32>) -> memref<?x32xf32> {
///   %r = memref.collapse_shape %m [[0, 1], [2]] : memref<?x4x32xf32> into memref<?x32xf32>
///   return %r : memref<?x32xf32>
/// }
/// ```
#[op(
    "memref.collapse_shape",
    traits(Pure, ViewLike),
    interfaces(terrace_interp::Interpret),
    hooks(fold, verify)
)]
#[asm("$src $reassociation attr-dict `:` type($src) `into` type($result)")]
pub struct CollapseShape {
    src: StridedMemRef,
    #[attr]
    reassociation: Reassociation,
    #[result]
    result: StridedMemRef,
}

impl ExpandShape {
    /// Dimensions of the result for each of the operand
    pub fn groups(self, ir: &Ir) -> Vec<Vec<i64>> {
        groups(ir.cx(), self.reassociation(ir)).unwrap_or_default()
    }

    /// Sizes; [`DYNAMIC`] where the next operand is the size
    pub fn sizes(self, ir: &Ir) -> &[i64] {
        self.static_output_shape(ir).as_dense_array(ir.cx()).unwrap_or(&[])
    }
}

impl CollapseShape {
    /// Dimensions of the operand for each of the result
    pub fn groups(self, ir: &Ir) -> Vec<Vec<i64>> {
        groups(ir.cx(), self.reassociation(ir)).unwrap_or_default()
    }
}

impl CustomAsm for ExpandShape {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        parse_expand(p)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_expand(p);
    }
}

/// Strides of the parts of each dimension
fn expanded(from: &Strided, groups: &[Vec<i64>], shape: &[i64]) -> Strided {
    let mut strides = vec![1; shape.len()];
    for (group, stride) in groups.iter().zip(&from.strides) {
        let mut stride = *stride;
        for dim in group.iter().rev() {
            strides[*dim as usize] = stride;
            stride = times(stride, shape[*dim as usize]);
        }
    }
    Strided { offset: from.offset, strides }
}

/// Strides of joined dimensions; `None` if those of one surely do not join
fn collapsed(from: &Strided, groups: &[Vec<i64>], shape: &[i64]) -> Option<Strided> {
    let mut strides = Vec::new();
    for group in groups {
        // Dimensions of size one lie anywhere.
        let real: Vec<usize> = group.iter().map(|dim| *dim as usize).filter(|dim| shape[*dim] != 1).collect();
        let last = real.last().copied().or_else(|| group.last().map(|dim| *dim as usize))?;
        for pair in real.windows(2) {
            let (outer, inner) = (pair[0], pair[1]);
            let expected = times(from.strides[inner], shape[inner]);
            if expected != DYNAMIC && from.strides[outer] != DYNAMIC && from.strides[outer] != expected {
                return None;
            }
        }
        strides.push(from.strides[last]);
    }
    Some(Strided { offset: from.offset, strides })
}

fn is_plain(cx: &Context, ty: Type) -> bool {
    match ty.kind(cx) {
        TypeKind::MemRef { layout: None, .. } => true,
        TypeKind::MemRef { layout: Some(layout), .. } => {
            layout.as_affine_map(cx).is_some_and(AffineMap::is_identity)
        }
        _ => false,
    }
}

/// The type of a shape and strides, in the space and with the elements of another; row after row stays without a layout
fn typed(cx: &Context, like: Type, shape: &[i64], layout: &Strided) -> Type {
    if is_plain(cx, like) {
        let TypeKind::MemRef { elem, space, .. } = like.kind(cx) else { return like };
        return cx.ty(TypeKind::MemRef { shape: shape.into(), elem: *elem, layout: None, space: *space });
    }
    with_strides(cx, like, shape, layout)
}

/// Equal, whatever the spelling of the layout
fn same_layout(cx: &Context, a: Type, b: Type) -> bool {
    let parts = |ty: Type| match ty.kind(cx) {
        TypeKind::MemRef { shape, elem, space, .. } => Some((shape.clone(), *elem, *space)),
        _ => None,
    };
    a == b || parts(a) == parts(b) && strided(cx, a) == strided(cx, b)
}

impl Verify for ExpandShape {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let (from, to) = (ir.ty(self.src(ir)), ir.ty(self.result(ir)));
        let (Some(small), Some(large)) = (from.shape(cx), to.shape(cx)) else { return Ok(()) };
        if small.len() > large.len() {
            return fail(format!(
                "has source rank {} and result rank {}. This is not an expansion ({} > {}).",
                small.len(),
                large.len(),
                small.len(),
                large.len()
            ));
        }
        let groups = self.groups(ir);
        check_groups(v, self.0, &groups, small, large)?;
        let sizes = self.sizes(ir);
        if sizes.len() != large.len() {
            return fail(format!(
                "expected number of static shape dims to be equal to the output rank ({})",
                large.len()
            ));
        }
        if let Some(at) = sizes.iter().zip(large).position(|(a, b)| a != b) {
            return fail(format!("invalid output shape provided at pos {at}"));
        }
        let dynamic = sizes.iter().filter(|size| **size == DYNAMIC).count();
        if dynamic != self.output_shape(ir).len() {
            return fail(format!(
                "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has {dynamic} \
                 dynamic dims while output_shape has {} values",
                self.output_shape(ir).len()
            ));
        }
        let Some(layout) = strided(cx, from) else { return Ok(()) };
        let expected = typed(cx, from, large, &expanded(&layout, &groups, large));
        if !same_layout(cx, expected, to) {
            return fail(format!(
                "expected expanded type to be '{}' but found '{}'",
                v.show(expected),
                v.show(to)
            ));
        }
        Ok(())
    }
}

impl Verify for CollapseShape {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let (from, to) = (ir.ty(self.src(ir)), ir.ty(self.result(ir)));
        let (Some(large), Some(small)) = (from.shape(cx), to.shape(cx)) else { return Ok(()) };
        if small.len() > large.len() {
            return fail(format!(
                "has source rank {} and result rank {}. This is not a collapse ({} < {}).",
                large.len(),
                small.len(),
                large.len(),
                small.len()
            ));
        }
        let groups = self.groups(ir);
        check_groups(v, self.0, &groups, small, large)?;
        let Some(layout) = strided(cx, from) else { return Ok(()) };
        let Some(layout) = collapsed(&layout, &groups, large) else {
            return fail("invalid source layout map or collapsing non-contiguous dims".into());
        };
        let expected = typed(cx, from, small, &layout);
        if !same_layout(cx, expected, to) {
            return fail(format!(
                "expected collapsed type to be '{}' but found '{}'",
                v.show(expected),
                v.show(to)
            ));
        }
        Ok(())
    }
}

impl Fold for ExpandShape {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ir = cx.ir;
        let (source, to) = (self.src(ir), ir.ty(self.result(ir)));
        if ir.ty(source) == to && !to.shape(cx.cx()).is_none_or(|shape| shape.contains(&DYNAMIC)) {
            return Folded::value(source);
        }
        // What was joined is cut again.
        let inner = ir.defining_op(source).and_then(|op| CollapseShape::cast(ir, op));
        match inner {
            Some(inner)
                if ir.ty(inner.src(ir)) == to
                    && !to.shape(cx.cx()).is_none_or(|shape| shape.contains(&DYNAMIC)) =>
            {
                Folded::value(inner.src(ir))
            }
            _ => Folded::No,
        }
    }
}

impl Fold for CollapseShape {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ir = cx.ir;
        let (source, to) = (self.src(ir), ir.ty(self.result(ir)));
        if ir.ty(source) == to {
            return Folded::value(source);
        }
        let inner = ir.defining_op(source).and_then(|op| ExpandShape::cast(ir, op));
        match inner {
            Some(inner) if ir.ty(inner.src(ir)) == to && inner.groups(ir) == self.groups(ir) => {
                Folded::value(inner.src(ir))
            }
            _ => Folded::No,
        }
    }
}

/// Dimensions in another order; nothing moves
///
/// ```mlir
/// func.func @f(%m: memref<8x16xf32>) -> memref<16x8xf32, strided<[1, 16]>> {
///   %t = memref.transpose %m (d0, d1) -> (d1, d0) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
///   return %t : memref<16x8xf32, strided<[1, 16]>>
/// }
/// ```
#[op(
    "memref.transpose",
    traits(Pure, ViewLike),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(fold, verify)
)]
pub struct Transpose {
    source: StridedMemRef,
    #[attr]
    permutation: AffineMapAttr,
    #[result]
    result: StridedMemRef,
}

impl Transpose {
    /// The dimension of the operand that each of the result is
    pub fn order(self, ir: &Ir) -> Option<Vec<usize>> {
        let map = self.permutation(ir).as_affine_map(ir.cx())?;
        map.is_permutation()
            .then(|| map.result_dims())?
            .map(|dims| dims.into_iter().map(|dim| dim as usize).collect())
    }
}

impl CustomAsm for Transpose {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let source = p.operand()?;
        let map = p.affine_map_inline()?;
        p.attr_dict()?;
        let from = p.colon_type()?;
        p.keyword("to")?;
        let to = p.ty()?;
        p.set_attr("permutation", map);
        p.resolve(&source, from)?;
        p.add_result(to);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.source(ir));
        p.text(" ");
        if let Some(map) = self.permutation(ir).as_affine_map(ir.cx()) {
            p.text(&map.to_string());
        }
        p.attr_dict(&["permutation"]);
        p.text(" : ");
        p.ty(ir.ty(self.source(ir)));
        p.text(" to ");
        p.ty(ir.ty(self.result(ir)));
    }
}

impl Verify for Transpose {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let Some(order) = self.order(ir) else { return fail("expected a permutation map".into()) };
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.result(ir)));
        let (Some(shape), Some(layout)) = (from.shape(cx), strided(cx, from)) else { return Ok(()) };
        if order.len() != shape.len() {
            return fail("expected a permutation map of same rank as the input".into());
        }
        let sizes: Vec<i64> = order.iter().map(|dim| shape[*dim]).collect();
        let strides = order.iter().map(|dim| layout.strides[*dim]).collect();
        let expected = with_strides(cx, from, &sizes, &Strided { offset: layout.offset, strides });
        if !same_layout(cx, expected, to) {
            let (to, from) = (v.show(to), v.show(from));
            return fail(format!(
                "result type '{to}' is not equivalent to the canonical transposed input type '{from}'"
            ));
        }
        Ok(())
    }
}

impl Fold for Transpose {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let ir = cx.ir;
        let source = self.source(ir);
        let identity =
            self.order(ir).is_some_and(|order| order.into_iter().enumerate().all(|(n, dim)| n == dim));
        if identity && ir.ty(source) == ir.ty(self.result(ir)) { Folded::value(source) } else { Folded::No }
    }
}

/// The same elements, row after row, in a shape that is read from memory
///
/// ```mlir
/// func.func @f(%m: memref<4x1xf32>, %shape: memref<2xi32>) -> memref<2x2xf32> {
///   %r = memref.reshape %m(%shape) : (memref<4x1xf32>, memref<2xi32>) -> memref<2x2xf32>
///   return %r : memref<2x2xf32>
/// }
/// ```
#[op("memref.reshape", effects(read), interfaces(terrace_interp::Interpret), hooks(verify))]
#[asm("$source `(` $shape `)` attr-dict `:` functional-type(operands, results)")]
pub struct Reshape {
    source: AnyRankedOrUnrankedMemRef,
    shape: ShapeMemRef,
    #[result]
    result: AnyRankedOrUnrankedMemRef,
}

impl Verify for Reshape {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.result(ir)));
        if from.scalar(cx) != to.scalar(cx) {
            return fail("element types of source and destination memref types should be the same");
        }
        let ranked = |ty: Type| matches!(ty.kind(cx), TypeKind::MemRef { .. });
        if ranked(from) && !is_plain(cx, from) {
            return fail("source memref type should have identity affine map");
        }
        let count = ir.ty(self.shape(ir)).shape(cx).and_then(|shape| shape.first().copied());
        if let Some(shape) = to.shape(cx).filter(|_| ranked(to)) {
            if !is_plain(cx, to) {
                return fail("result memref type should have identity affine map");
            }
            if count == Some(DYNAMIC) {
                return fail(
                    "cannot use shape operand with dynamic length to reshape to statically-ranked memref type",
                );
            }
            if count != Some(shape.len() as i64) {
                return fail("length of shape operand differs from the result's memref rank");
            }
        }
        Ok(())
    }
}

/// Elements of any type in a buffer of bytes
///
/// ```mlir
/// func.func @f(%m: memref<2048xi8>, %at: index, %n: index) -> memref<?x4xf32> {
///   %v = memref.view %m[%at][%n] : memref<2048xi8> to memref<?x4xf32>
///   return %v : memref<?x4xf32>
/// }
/// ```
#[op("memref.view", traits(Pure, ViewLike), interfaces(terrace_interp::Interpret), hooks(verify))]
#[asm("$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type(results)")]
pub struct View {
    source: BytesMemRef,
    byte_shift: Index,
    sizes: Variadic<Index>,
    #[result]
    result: AnyMemRef,
}

impl Verify for View {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.result(ir)));
        if !is_plain(cx, from) {
            return fail(format!("unsupported map for base memref type '{}'", v.show(from)));
        }
        if !is_plain(cx, to) {
            return fail(format!("unsupported map for result memref type '{}'", v.show(to)));
        }
        let space = |ty: Type| match ty.kind(cx) {
            TypeKind::MemRef { space, .. } => *space,
            _ => None,
        };
        if space(from) != space(to) {
            let (a, b) = (v.show(from), v.show(to));
            return fail(format!(
                "different memory spaces specified for base memref type '{a}' and view memref type '{b}'"
            ));
        }
        let dynamic = to.shape(cx).unwrap_or(&[]).iter().filter(|size| **size == DYNAMIC).count();
        if dynamic != self.sizes(ir).len() {
            let given = self.sizes(ir).len();
            return fail(format!("incorrect number of dynamic sizes, has {given}, expected {dynamic}"));
        }
        Ok(())
    }
}

/// A buffer of another size that begins with the same elements; the old one is gone
///
/// ```mlir
/// func.func @f(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
///   %r = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
///   return %r : memref<?xf32>
/// }
/// ```
#[op(
    "memref.realloc",
    effects(read, write, alloc, free),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct Realloc {
    source: LineMemRef,
    size: Optional<Index>,
    #[attr(optional)]
    alignment: AlignmentAttr,
    #[result]
    result: LineMemRef,
}

impl CustomAsm for Realloc {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let source = p.operand()?;
        let size = p.operands(Delim::OptionalParen)?;
        p.attr_dict()?;
        let from = p.colon_type()?;
        p.keyword("to")?;
        let to = p.ty()?;
        p.resolve(&source, from)?;
        let index = p.cx().common().index;
        size.iter().try_for_each(|size| p.resolve(size, index))?;
        p.add_result(to);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.source(ir));
        if let Some(size) = self.size(ir) {
            p.text("(");
            p.operand(size);
            p.text(")");
        }
        p.attr_dict(&[]);
        p.text(" : ");
        p.ty(ir.ty(self.source(ir)));
        p.text(" to ");
        p.ty(ir.ty(self.result(ir)));
    }
}

impl Verify for Realloc {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.result(ir)));
        for (ty, which) in [(from, "source"), (to, "result")] {
            if !is_plain(cx, ty) {
                return fail(format!("unsupported layout for {which} memref type '{}'", v.show(ty)));
            }
        }
        let space = |ty: Type| match ty.kind(cx) {
            TypeKind::MemRef { space, .. } => *space,
            _ => None,
        };
        if space(from) != space(to) {
            let (a, b) = (v.show(from), v.show(to));
            let message = format!(
                "different memory spaces specified for source memref type '{a}' and result memref type '{b}'"
            );
            return fail(message);
        }
        if from.scalar(cx) != to.scalar(cx) {
            let (a, b) = (v.show(from), v.show(to));
            let message = format!(
                "different element types specified for source memref type '{a}' and result memref type '{b}'"
            );
            return fail(message);
        }
        let dynamic = to.shape(cx).is_some_and(|shape| shape.contains(&DYNAMIC));
        match (dynamic, self.size(ir)) {
            (true, None) => fail(format!("missing dimension operand for result type '{}'", v.show(to))),
            (false, Some(_)) => {
                fail(format!("unnecessary dimension operand for result type '{}'", v.show(to)))
            }
            _ => Ok(()),
        }
    }
}

/// Strides of a shape that is row after row
pub(super) fn rows(sizes: &[i64]) -> Vec<i64> {
    row_major(sizes)
}
