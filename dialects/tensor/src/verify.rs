//! Rules and folds. Words are upstream's.

use super::{
    Cast, CollapseShape, Concat, Dim, Empty, ExpandShape, Extract, ExtractSlice, FromElements, Insert,
    InsertSlice, Pad, Splat, Yield,
};
use terrace_diag::Reported;
use terrace_dialect_shapes::reassociation::{check_groups, groups};
use terrace_dialect_shapes::{casts, slices};
use terrace_ir::{DYNAMIC, Fold, FoldCx, Folded, Ir, OpId, Type, Verify, VerifyCx, codes};

type Done = Result<(), Reported>;

fn shape(ir: &Ir, ty: Type) -> &[i64] {
    ty.shape(ir.cx()).unwrap_or(&[])
}

fn numbers<'a>(ir: &'a Ir, op: OpId, name: &str) -> &'a [i64] {
    ir.attr(op, name).and_then(|attr| attr.as_dense_array(ir.cx())).unwrap_or(&[])
}

/// One operand for each size that the type leaves open
fn check_dynamic_sizes(v: &VerifyCx<'_>, op: OpId, given: usize, ty: Type) -> Done {
    let wanted = shape(v.ir, ty).iter().filter(|size| **size == DYNAMIC).count();
    if given == wanted {
        return Ok(());
    }
    let message = format!("incorrect number of dynamic sizes, has {given}, expected {wanted}");
    v.fail(op, &codes::OP_RULE, message)
}

impl Verify for Empty {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        check_dynamic_sizes(v, self.0, self.dynamic_sizes(v.ir).len(), v.ir.ty(self.result(v.ir)))
    }
}

impl Verify for Splat {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        check_dynamic_sizes(v, self.0, self.dynamic_sizes(v.ir).len(), v.ir.ty(self.aggregate(v.ir)))
    }
}

impl Verify for Cast {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (a, b) = (ir.ty(self.source(ir)), ir.ty(self.dest(ir)));
        let (from, to) = (shape(ir, a), shape(ir, b));
        let fits = from.len() == to.len()
            && a.scalar(cx) == b.scalar(cx)
            && from.iter().zip(to).all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC);
        casts::check(v, self.0, fits)
    }
}

impl Fold for Cast {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        casts::fold(cx, self.0)
    }
}

impl Verify for Dim {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        match shape(v.ir, v.ir.ty(self.source(v.ir))).is_empty() {
            true => v.fail(self.0, &codes::OP_RULE, "operand #0 must be non-0-ranked or unranked tensor"),
            false => Ok(()),
        }
    }
}

impl Fold for Dim {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, context) = (cx.ir, cx.cx());
        let n = cx.constant(1).and_then(|attr| attr.as_i64(context)).and_then(|n| usize::try_from(n).ok());
        let Some(n) = n else { return Folded::No };
        let source = self.source(ir);
        match shape(ir, ir.ty(source)).get(n) {
            Some(size) if *size != DYNAMIC => Folded::attr(context.index_attr(*size)),
            Some(_) => {
                // Of what has just been made the size is an operand.
                let empty = ir.defining_op(source).and_then(|op| Empty::cast(ir, op));
                let before = shape(ir, ir.ty(source))[..n].iter().filter(|size| **size == DYNAMIC).count();
                let size = empty.and_then(|empty| empty.dynamic_sizes(ir).get(before).copied());
                size.map_or(Folded::No, Folded::value)
            }
            None => Folded::No,
        }
    }
}

fn indices(v: &VerifyCx<'_>, op: OpId, ty: Type, given: usize, what: &str) -> Done {
    match shape(v.ir, ty).len() == given {
        true => Ok(()),
        false => v.fail(op, &codes::OP_RULE, format!("incorrect number of indices for {what}")),
    }
}

impl Verify for Extract {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        let ir = v.ir;
        indices(v, self.0, ir.ty(self.tensor(ir)), self.indices(ir).len(), "extract_element")
    }
}

impl Verify for Insert {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        let ir = v.ir;
        match shape(ir, ir.ty(self.dest(ir))).len() == self.indices(ir).len() {
            true => Ok(()),
            false => v.fail(self.0, &codes::OP_RULE, "incorrect number of indices"),
        }
    }
}

impl Verify for FromElements {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        let ir = v.ir;
        let ty = ir.ty(self.result(ir));
        let elem = ty.scalar(ir.cx());
        let sizes = shape(ir, ty);
        let count = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
        if sizes.contains(&DYNAMIC) || count != Some(self.elements(ir).len() as i64) {
            return v.fail(
                self.0,
                &codes::OP_RULE,
                "expected as many elements as the static result type has",
            );
        }
        match self.elements(ir).iter().all(|value| ir.ty(*value) == elem) {
            true => Ok(()),
            false => v.fail(self.0, &codes::OP_RULE, "expected elements of the result's element type"),
        }
    }
}

impl Verify for Concat {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let inputs: Vec<Type> = self.inputs(ir).iter().map(|value| ir.ty(*value)).collect();
        let Some(first) = inputs.first() else { return fail("requires at least one input".into()) };
        let rank = shape(ir, *first).len();
        let dim = self.dim(ir).as_i64(cx).and_then(|dim| usize::try_from(dim).ok());
        let Some(dim) = dim.filter(|dim| *dim < rank) else {
            return fail("concatenation dim must be less than the tensor rank".into());
        };
        let result = ir.ty(self.result(ir));
        for (n, ty) in inputs.iter().enumerate() {
            let sizes = shape(ir, *ty);
            if sizes.len() != rank || ty.scalar(cx) != result.scalar(cx) {
                return fail(format!("rank or element type of input {n} differs"));
            }
            let odd = (0..rank).find(|at| *at != dim && sizes[*at] != shape(ir, *first)[*at]);
            if let Some(at) = odd {
                return fail(format!(
                    "static concatenation size mismatch along non-concatenated dimension {at}"
                ));
            }
        }
        let mut expected = shape(ir, *first).to_vec();
        let along: Vec<i64> = inputs.iter().map(|ty| shape(ir, *ty)[dim]).collect();
        expected[dim] = if along.contains(&DYNAMIC) { DYNAMIC } else { along.iter().sum() };
        let fits = shape(ir, result).len() == rank
            && shape(ir, result).iter().zip(&expected).all(|(a, b)| a == b || *b == DYNAMIC || *a == DYNAMIC);
        if fits {
            Ok(())
        } else {
            fail(format!("result type '{}' does not match the inputs", v.show(result)))
        }
    }
}

impl Verify for CollapseShape {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        let ir = v.ir;
        let (large, small) = (shape(ir, ir.ty(self.src(ir))), shape(ir, ir.ty(self.result(ir))));
        let groups = groups(ir.cx(), self.reassociation(ir)).unwrap_or_default();
        check_groups(v, self.0, &groups, small, large)?;
        same_elements(v, self.0, ir.ty(self.result(ir)), ir.ty(self.src(ir)))
    }
}

impl Verify for ExpandShape {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        let ir = v.ir;
        let (small, large) = (shape(ir, ir.ty(self.src(ir))), shape(ir, ir.ty(self.result(ir))));
        let groups = groups(ir.cx(), self.reassociation(ir)).unwrap_or_default();
        let sizes = numbers(ir, self.0, "static_output_shape");
        if sizes != large {
            return v.fail(self.0, &codes::OP_RULE, "expected output_shape to be the sizes of the result");
        }
        let dynamic = sizes.iter().filter(|size| **size == DYNAMIC).count();
        if dynamic != self.output_shape(ir).len() {
            return v.fail(
                self.0,
                &codes::OP_RULE,
                "mismatch in dynamic dims in output_shape and static_output_shape",
            );
        }
        check_groups(v, self.0, &groups, small, large)?;
        same_elements(v, self.0, ir.ty(self.src(ir)), ir.ty(self.result(ir)))
    }
}

/// A collapsed type has the elements of the expanded one
fn same_elements(v: &VerifyCx<'_>, op: OpId, collapsed: Type, expanded: Type) -> Done {
    let cx = v.ir.cx();
    let expected = collapsed.with_element(cx, expanded.scalar(cx));
    if expected == collapsed {
        return Ok(());
    }
    let text = |ty| terrace_ir::show::type_text(cx, ty);
    let message =
        format!("expected collapsed type to be '{}', but got '{}'", text(expected), text(collapsed));
    v.fail(op, &codes::OP_RULE, message)
}

/// The lists of a slice of a whole, whose operands start at a field, and the part's type
pub(super) fn slice(v: &VerifyCx<'_>, op: OpId, first: usize, whole: Type, part: Type) -> Done {
    let (ir, cx) = (v.ir, v.ir.cx());
    let fail = |message: String| v.fail(op, &codes::OP_RULE, message);
    let from = shape(ir, whole);
    slices::check(v, op, first, [from.len(); 3])?;
    let [_, sizes, _] = slices::lists(ir, op);
    if whole.scalar(cx) != part.scalar(cx) {
        return fail("expected one element type".into());
    }
    // The part has the sizes, ones left out or not.
    let kept = shape(ir, part);
    let mut at = 0;
    for size in sizes {
        if kept.get(at) == Some(size) {
            at += 1;
        } else if *size != 1 {
            at = usize::MAX;
            break;
        }
    }
    if at != kept.len() {
        let shown: Vec<String> = sizes
            .iter()
            .map(|size| if *size == DYNAMIC { "?x".into() } else { format!("{size}x") })
            .collect();
        let full = format!("tensor<{}{}>", shown.concat(), terrace_ir::show::type_text(cx, whole.scalar(cx)));
        return fail(format!("expected type to be '{full}' or a rank-reduced version. (size mismatch)"));
    }
    slices::inside(from, slices::lists(ir, op), true).or_else(|error| fail(error.to_string()))
}

impl Verify for ExtractSlice {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        let ir = v.ir;
        slice(v, self.0, 1, ir.ty(self.source(ir)), ir.ty(self.result(ir)))
    }
}

impl Fold for ExtractSlice {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        let (ir, source) = (cx.ir, self.source(cx.ir));
        let [offsets, sizes, steps] = slices::lists(ir, self.0);
        let ty = ir.ty(source);
        let whole = ty == ir.ty(self.result(ir))
            && shape(ir, ty) == sizes
            && !sizes.contains(&DYNAMIC)
            && offsets.iter().all(|at| *at == 0)
            && steps.iter().all(|step| *step == 1);
        if whole { Folded::value(source) } else { Folded::No }
    }
}

impl Verify for InsertSlice {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        let ir = v.ir;
        slice(v, self.0, 2, ir.ty(self.dest(ir)), ir.ty(self.source(ir)))
    }
}

impl Verify for Pad {
    fn verify(self, v: &VerifyCx<'_>) -> Done {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.result(ir)));
        let (low, high) = (numbers(ir, self.0, "static_low"), numbers(ir, self.0, "static_high"));
        let sizes = shape(ir, from);
        if low.len() != sizes.len() || high.len() != sizes.len() || shape(ir, to).len() != sizes.len() {
            return fail(format!("expected {} numbers low and high, and a result of this rank", sizes.len()));
        }
        let dynamic = |list: &[i64]| list.iter().filter(|number| **number == DYNAMIC).count();
        if dynamic(low) != self.low(ir).len() || dynamic(high) != self.high(ir).len() {
            return fail("expected one operand for each number that is not static".into());
        }
        for (n, size) in sizes.iter().enumerate() {
            let open = [*size, low[n], high[n]].contains(&DYNAMIC);
            let sum =
                if open { None } else { size.checked_add(low[n]).and_then(|sum| sum.checked_add(high[n])) };
            let is = shape(ir, to)[n];
            if !open && sum != Some(is) && is != DYNAMIC {
                let sum = sum.unwrap_or(-1);
                return fail(format!(
                    "specified type '{}' does not match the inferred size {sum} of dimension {n}",
                    v.show(to)
                ));
            }
            if sum.is_some_and(|sum| sum < 0) {
                return fail(format!("dimension {n} has less than no elements"));
            }
        }
        let Some(entry) = ir.entry(self.region(ir)) else { return Ok(()) };
        let args = ir.block_args(entry);
        if args.len() != sizes.len() || args.iter().any(|arg| !ir.ty(*arg).is_index(cx)) {
            return fail(format!("expected the block to have {} arguments of type 'index'", sizes.len()));
        }
        let given = ir.last_op(entry).and_then(|op| Yield::cast(ir, op)).map(|end| ir.ty(end.value(ir)));
        if given == Some(to.scalar(cx)) {
            Ok(())
        } else {
            fail("expected yield type to match shape element type".into())
        }
    }
}
