//! Arithmetic on whole vectors: `fma reduction multi_reduction outerproduct`.

use super::{CombiningKind, FloatVector, RankedVector, add_kind, vector_shape};
use terrace_diag::Reported;
use terrace_dialect_arith::FastMathFlags;
use terrace_interp::combine::Combining;
use terrace_ir::rules::{AnyType, AnyVectorLike, I64List};
use terrace_ir::{Context, Ir, OpId, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Product and sum of each element with one rounding
///
/// ```mlir
/// func.func @f(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) -> vector<4xf32> {
///   %r = vector.fma %a, %b, %c : vector<4xf32>
///   return %r : vector<4xf32>
/// }
/// ```
#[op(
    "vector.fma",
    traits(Pure, Elementwise),
    relations(same(lhs, rhs, acc, result)),
    interfaces(terrace_interp::Interpret)
)]
#[asm("$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)")]
pub struct Fma {
    lhs: FloatVector,
    rhs: FloatVector,
    acc: FloatVector,
    #[result]
    result: FloatVector,
}

/// Combine all elements of a vector, and an accumulator if there is one
///
/// Floats are combined from left to right unless `fastmath` allows to regroup.
///
/// ```mlir
/// func.func @f(%v: vector<16xf32>, %x: f32) -> f32 {
///   %r = vector.reduction <add>, %v, %x fastmath<reassoc> : vector<16xf32> into f32
///   return %r : f32
/// }
/// ```
#[op("vector.reduction", traits(Pure), relations(element_of(vector => dest), same(acc, dest)),
     interfaces(terrace_rewrite::Canonicalize, terrace_interp::Interpret), hooks(verify))]
#[asm(
    "` ` `<` $kind `>` `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) `into` type($dest)"
)]
pub struct Reduction {
    #[attr]
    kind: CombiningKind,
    vector: AnyVectorLike,
    acc: Optional<AnyType>,
    #[attr(default = FastMathFlags::none)]
    fastmath: FastMathFlags,
    #[result]
    dest: AnyType,
}

/// Can elements of this type be combined so?
pub(super) fn combines(cx: &Context, kind: CombiningKind, elem: Type) -> bool {
    let (float, int) = (elem.is_float(cx), elem.is_int(cx) || elem.is_index(cx));
    match Combining::from(kind) {
        Combining::Add | Combining::Mul => float || int,
        kind if kind.is_float() => float,
        _ => int,
    }
}

pub(super) fn check_kind(
    v: &VerifyCx<'_>,
    op: OpId,
    kind: CombiningKind,
    elem: Type,
) -> Result<(), Reported> {
    if combines(v.ir.cx(), kind, elem) {
        return Ok(());
    }
    let (ty, kind) = (v.show(elem), kind.word());
    v.fail(op, &codes::OP_RULE, format!("unsupported reduction type '{ty}' for kind '{kind}'"))
}

impl Verify for Reduction {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let rank = vector_shape(cx, ir.ty(self.vector(ir))).map_or(0, <[i64]>::len);
        if rank > 1 {
            return v.fail(self.0, &codes::OP_RULE, format!("unsupported reduction rank: {rank}"));
        }
        check_kind(v, self.0, self.kind(ir), ir.ty(self.dest(ir)))
    }
}

/// Combine all elements along some dimensions
///
/// ```mlir
/// func.func @f(%v: vector<4x8x2xf32>, %acc: vector<8xf32>) -> vector<8xf32> {
///   %r = vector.multi_reduction <add>, %v, %acc [0, 2] : vector<4x8x2xf32> to vector<8xf32>
///   return %r : vector<8xf32>
/// }
/// ```
#[op(
    "vector.multi_reduction",
    traits(Pure),
    relations(same(acc, dest), same_element(source, dest)),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("` ` `<` $kind `>` `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)")]
pub struct MultiReduction {
    #[attr]
    kind: CombiningKind,
    source: RankedVector,
    acc: AnyType,
    #[attr]
    reduction_dims: I64List,
    #[result]
    dest: AnyType,
}

impl MultiReduction {
    /// The dimensions that go
    pub fn dims(self, ir: &Ir) -> &[i64] {
        self.reduction_dims(ir).as_dense_array(ir.cx()).unwrap_or(&[])
    }
}

/// Type without some dimensions; none if one is named twice or is not there
fn without(cx: &Context, ty: Type, dims: &[i64]) -> Option<Type> {
    let TypeKind::Vector { shape, scalable, elem } = ty.kind(cx) else { return None };
    let mut gone = vec![false; shape.len()];
    for &dim in dims {
        let gone = gone.get_mut(usize::try_from(dim).ok()?)?;
        if std::mem::replace(gone, true) {
            return None;
        }
    }
    let kept: Vec<usize> = (0..shape.len()).filter(|n| !gone[*n]).collect();
    if kept.is_empty() {
        return Some(*elem);
    }
    let flags = kept.iter().enumerate().filter(|(_, n)| scalable >> **n & 1 == 1);
    let scalable = flags.fold(0, |bits, (to, _)| bits | 1 << to);
    Some(cx.ty(TypeKind::Vector { shape: kept.iter().map(|n| shape[*n]).collect(), scalable, elem: *elem }))
}

impl Verify for MultiReduction {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.dest(ir)));
        if without(cx, from, self.dims(ir)) == Some(to) {
            return Ok(());
        }
        let (from, to) = (v.show(from), v.show(to));
        let message = format!("destination type '{to}' is incompatible with source type '{from}'");
        v.fail(self.0, &codes::OP_RULE, message)
    }
}

/// Products of each element of one vector with each of another, or with a scalar; combined with an accumulator if given
///
/// With an accumulator and kind `add` floats are rounded once.
///
/// ```mlir
/// func.func @f(%a: vector<4xf32>, %b: vector<8xf32>, %x: f32, %acc: vector<4x8xf32>) -> (vector<4x8xf32>, vector<4xf32>) {
///   %r = vector.outerproduct %a, %b, %acc : vector<4xf32>, vector<8xf32>
///   %s = vector.outerproduct %a, %x : vector<4xf32>, f32
///   return %r, %s : vector<4x8xf32>, vector<4xf32>
/// }
/// ```
#[op(
    "vector.outerproduct",
    traits(Pure),
    relations(same_element(lhs, result), same_element(rhs, result)),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct OuterProduct {
    lhs: RankedVector,
    rhs: AnyType,
    acc: Optional<RankedVector>,
    #[attr(default = add_kind)]
    kind: CombiningKind,
    #[result]
    result: RankedVector,
}

impl CustomAsm for OuterProduct {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let lhs = p.operand()?;
        p.punct(",")?;
        let rhs = p.operand()?;
        let acc = if p.punct_opt(",") { Some(p.operand()?) } else { None };
        p.attr_dict()?;
        let left = p.colon_type()?;
        p.punct(",")?;
        let right = p.ty()?;
        let cx = p.cx();
        let TypeKind::Vector { shape, scalable, elem } = left.kind(cx) else {
            return Err(p.error("expected vector type for operand #1"));
        };
        let result = match right.kind(cx) {
            TypeKind::Vector { shape: other, scalable: flags, .. } => {
                let (Some(a), Some(b)) = (shape.first(), other.first()) else {
                    return Err(p.error("expected vectors with a dimension"));
                };
                let scalable = scalable & 1 | (flags & 1) << 1;
                cx.ty(TypeKind::Vector { shape: [*a, *b].into(), scalable, elem: *elem })
            }
            _ => left,
        };
        p.resolve(&lhs, left)?;
        p.resolve(&rhs, right)?;
        if let Some(acc) = acc {
            p.resolve(&acc, result)?;
        }
        p.add_result(result);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operands(ir.operands(self.0));
        let add = self.kind(ir) == CombiningKind::Add;
        p.attr_dict(if add { &["kind"] } else { &[] });
        p.text(" : ");
        p.types([self.lhs(ir), self.rhs(ir)].map(|value| ir.ty(value)));
    }
}

impl Verify for OuterProduct {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let parts = |ty: Type| match ty.kind(cx) {
            TypeKind::Vector { shape, scalable, .. } => (&shape[..], *scalable),
            _ => (&[][..], 0),
        };
        let result = ir.ty(self.result(ir));
        let ((left, left_flags), (to, flags)) = (parts(ir.ty(self.lhs(ir))), parts(result));
        let right = ir.ty(self.rhs(ir));
        if left.len() != 1 {
            return fail("expected 1-d vector for operand #1");
        }
        match vector_shape(cx, right) {
            Some(shape) => {
                if shape.len() != 1 {
                    return fail("expected 1-d vector for operand #2");
                }
                if to.len() != 2 {
                    return fail("expected 2-d vector result");
                }
                if left[0] != to[0] {
                    return fail("expected #1 operand dim to match result dim #1");
                }
                if shape[0] != to[1] {
                    return fail("expected #2 operand dim to match result dim #2");
                }
                let right_flags = parts(right).1;
                if left_flags != 0 && right_flags == 0 {
                    return fail("expected either both or only #2 operand dim to be scalable");
                }
                if flags != left_flags | right_flags << 1 {
                    return fail("expected the result to be scalable where the operands are");
                }
            }
            None => {
                if to.len() != 1 {
                    return fail("expected 1-d vector result");
                }
                if left[0] != to[0] || left_flags != flags {
                    return fail("expected #1 operand dim to match result dim #1");
                }
            }
        }
        if self.acc(ir).is_some_and(|acc| ir.ty(acc) != result) {
            return fail("expected operand #3 of same type as result type");
        }
        if !combines(cx, self.kind(ir), result.scalar(cx)) {
            return fail("unsupported outerproduct type");
        }
        Ok(())
    }
}
