//! Parts of a buffer and other readings of it: `subview reinterpret_cast`.

use super::layout::{Strided, strided, with_strides};
use super::rules::StridedMemRef;
use terrace_diag::Reported;
use terrace_dialect_shapes::numbers::{plus, times};
use terrace_dialect_shapes::slices::{self, lists};
use terrace_ir::rules::{AnyMemRef, AnyRankedOrUnrankedMemRef, DenseI64Array, Index};
use terrace_ir::{Context, DYNAMIC, Fold, FoldCx, Folded, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

terrace_dialect_shapes::sliced! {
    /// A rectangular part of a buffer: offsets, sizes and steps per dimension
    ///
    /// Dimensions of static size 1 may be dropped from the result.
    ///
    /// ```mlir
    /// func.func @f(%m: memref<8x8xf32>, %i: index) -> memref<4xf32, strided<[16], offset: ?>> {
    ///   %s = memref.subview %m[0, %i] [4, 1] [2, 1] : memref<8x8xf32> to memref<4xf32, strided<[16], offset: ?>>
    ///   return %s : memref<4xf32, strided<[16], offset: ?>>
    /// }
    /// ```
    #[op(
        "memref.subview",
        traits(Pure, ViewLike),
        interfaces(CustomAsm, terrace_interp::Interpret, terrace_rewrite::Canonicalize),
        hooks(fold, verify)
    )]
    pub struct SubView {
        source: AnyMemRef,
        ..slice,
        #[result]
        result: AnyMemRef
    }
}

terrace_dialect_shapes::sliced! {
    /// The memory of a buffer read with another offset, other sizes and strides
    ///
    /// ```mlir
    /// func.func @f(%m: memref<*xf32>, %n: index) -> memref<?x4xf32, strided<[4, 1], offset: 2>> {
    ///   %r = memref.reinterpret_cast %m to offset: [2], sizes: [%n, 4], strides: [4, 1] : memref<*xf32> to memref<?x4xf32, strided<[4, 1], offset: 2>>
    ///   return %r : memref<?x4xf32, strided<[4, 1], offset: 2>>
    /// }
    /// ```
    #[op(
        "memref.reinterpret_cast",
        traits(Pure, ViewLike),
        interfaces(CustomAsm, terrace_interp::Interpret, terrace_rewrite::Canonicalize),
        hooks(fold, verify)
    )]
    pub struct ReinterpretCast {
        source: AnyRankedOrUnrankedMemRef,
        ..slice,
        #[result]
        result: StridedMemRef
    }
}

impl CustomAsm for SubView {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        slices::parse_op(p, [&[], &[], &[]])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        slices::print_op(p, ["", " ", " "]);
    }
}

impl CustomAsm for ReinterpretCast {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        slices::parse_op(p, [&["to", "offset", ":"], &[",", "sizes", ":"], &[",", "strides", ":"]])
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        slices::print_op(p, [" to offset: ", ", sizes: ", ", strides: "]);
    }
}

/// Type of the part before dimensions are dropped; `None` if the source has no strides
pub fn subview_type(cx: &Context, source: Type, lists: [&[i64]; 3]) -> Option<Type> {
    let from = strided(cx, source)?;
    let [offsets, sizes, steps] = lists;
    let pairs = from.strides.iter().zip(steps);
    let strides = pairs.map(|(stride, step)| times(*stride, *step)).collect();
    let offset = from
        .strides
        .iter()
        .zip(offsets)
        .fold(from.offset, |sum, (stride, at)| plus(sum, times(*stride, *at)));
    Some(with_strides(cx, source, sizes, &Strided { offset, strides }))
}

/// Dimensions that are kept when one type is the other without some of its dimensions of size 1; `layout` compares
/// strides too
pub(super) fn kept_dims(
    full: &[i64],
    full_strides: &[i64],
    reduced: &[i64],
    strides: Option<&[i64]>,
) -> Option<Vec<bool>> {
    let mut kept = Vec::with_capacity(full.len());
    let mut at = 0;
    for (n, size) in full.iter().enumerate() {
        let matches =
            reduced.get(at) == Some(size) && strides.is_none_or(|strides| strides[at] == full_strides[n]);
        if !matches && *size != 1 {
            return None;
        }
        at += usize::from(matches);
        kept.push(matches);
    }
    (at == reduced.len()).then_some(kept)
}

impl Verify for SubView {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx, op) = (v.ir, v.ir.cx(), self.0);
        let fail = |message: String| v.fail(op, &codes::OP_RULE, message);
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.result(ir)));
        let all @ [offsets, sizes, steps] = lists(ir, op);
        if offsets.len() != sizes.len() || sizes.len() != steps.len() {
            let [a, b, what] = if offsets.len() != sizes.len() {
                [offsets.len(), sizes.len(), 0]
            } else {
                [sizes.len(), steps.len(), 1]
            };
            let (one, other) = [("offsets", "sizes"), ("sizes", "strides")][what];
            return fail(format!(
                "expected mixed {one} rank to match mixed {other} rank ({a} vs {b}) so the rank of the result type is well-formed"
            ));
        }
        let (from_shape, to_shape) = (from.shape(cx).unwrap_or(&[]), to.shape(cx).unwrap_or(&[]));
        slices::check(v, op, 1, [from_shape.len(); 3])?;
        let parts = |ty: Type| match ty.kind(cx) {
            TypeKind::MemRef { elem, space, .. } => (Some(*elem), *space),
            _ => (None, None),
        };
        if parts(from).1 != parts(to).1 {
            return fail(format!(
                "different memory spaces specified for base memref type '{}' and subview memref type '{}'",
                v.show(from),
                v.show(to)
            ));
        }
        let Some(full) = subview_type(cx, from, all) else {
            return fail(format!("base type '{}' is not strided", v.show(from)));
        };
        if parts(from).0 != parts(to).0 {
            let elem = parts(from).0.map_or(String::new(), |elem| v.show(elem));
            return fail(format!("expected result element type to be '{elem}', but got '{}'", v.show(to)));
        }
        if to_shape.len() > from_shape.len() {
            return fail(format!(
                "expected result rank to be smaller or equal to the source rank, but got '{}'",
                v.show(to)
            ));
        }
        let mismatch = |what: &str| {
            fail(format!(
                "expected result type to be '{}' or a rank-reduced version (mismatch of result {what}), but got '{}'",
                v.show(full),
                v.show(to)
            ))
        };
        if kept_dims(sizes, &[], to_shape, None).is_none() {
            return mismatch("sizes");
        }
        let (wanted, given) = (strided(cx, full), strided(cx, to));
        let same = wanted.zip(given).is_some_and(|(wanted, given)| {
            wanted.offset == given.offset
                && kept_dims(sizes, &wanted.strides, to_shape, Some(&given.strides)).is_some()
        });
        if !same {
            return mismatch("layout");
        }
        slices::inside(from_shape, all, false).or_else(|error| fail(error.to_string()))
    }
}

impl Verify for ReinterpretCast {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx, op) = (v.ir, v.ir.cx(), self.0);
        let fail = |message: String| v.fail(op, &codes::OP_RULE, message);
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.result(ir)));
        let shape = to.shape(cx).unwrap_or(&[]);
        slices::check(v, op, 1, [1, shape.len(), shape.len()])?;
        let parts = |ty: Type| match ty.kind(cx) {
            TypeKind::MemRef { elem, space, .. } | TypeKind::UnrankedMemRef { elem, space } => {
                (Some(*elem), *space)
            }
            _ => (None, None),
        };
        if parts(from).1 != parts(to).1 {
            return fail(format!(
                "different memory spaces specified for source type '{}' and result memref type '{}'",
                v.show(from),
                v.show(to)
            ));
        }
        if parts(from).0 != parts(to).0 {
            return fail(format!(
                "different element types specified for source type '{}' and result memref type '{}'",
                v.show(from),
                v.show(to)
            ));
        }
        let [offsets, sizes, steps] = lists(ir, op);
        let show = |number: i64| if number == DYNAMIC { "dynamic".to_string() } else { number.to_string() };
        // A type that says less than the op is fine; one that says something else is not.
        let differs = |said: i64, in_type: i64| in_type != DYNAMIC && said != in_type;
        if let Some(n) = (0..shape.len()).find(|n| differs(sizes[*n], shape[*n])) {
            return fail(format!(
                "expected result type with size = {} instead of {} in dim = {n}",
                show(sizes[n]),
                show(shape[n])
            ));
        }
        let Some(layout) = strided(cx, to) else { return Ok(()) };
        if differs(offsets[0], layout.offset) {
            return fail(format!(
                "expected result type with offset = {} instead of {}",
                show(offsets[0]),
                show(layout.offset)
            ));
        }
        if let Some(n) = (0..shape.len()).find(|n| differs(steps[*n], layout.strides[*n])) {
            return fail(format!(
                "expected result type with stride = {} instead of {} in dim = {n}",
                show(steps[n]),
                show(layout.strides[n])
            ));
        }
        Ok(())
    }
}

impl Fold for SubView {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, source) = (cx.ir, self.source(cx.ir));
        let [offsets, sizes, steps] = lists(ir, self.0);
        let ty = ir.ty(source);
        let whole = ty == ir.ty(self.result(ir))
            && ty.shape(cx.cx()) == Some(sizes)
            && !sizes.contains(&DYNAMIC)
            && offsets.iter().all(|at| *at == 0)
            && steps.iter().all(|step| *step == 1);
        if whole || self.repeats(ir) { Folded::value(source) } else { Folded::No }
    }
}

impl SubView {
    /// Is it all of its source, which is a part with the same sizes?
    fn repeats(self, ir: &terrace_ir::Ir) -> bool {
        let Some(inner) = ir.defining_op(self.source(ir)).and_then(|op| SubView::cast(ir, op)) else {
            return false;
        };
        let [offsets, sizes, steps] = lists(ir, self.0);
        ir.ty(self.source(ir)) == ir.ty(self.result(ir))
            && offsets.iter().all(|at| *at == 0)
            && steps.iter().all(|step| *step == 1)
            && lists(ir, inner.0)[1] == sizes
            && inner.sizes(ir) == self.sizes(ir)
    }
}

impl Fold for ReinterpretCast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, source) = (cx.ir, self.source(cx.ir));
        let ty = ir.ty(source);
        // The same type with nothing left open says the same.
        let known = strided(cx.cx(), ty).is_some_and(|strided| strided.dynamic() == 0)
            && ty.shape(cx.cx()).is_some_and(|shape| !shape.contains(&DYNAMIC));
        if known && ty == ir.ty(self.result(ir)) { Folded::value(source) } else { Folded::No }
    }
}
