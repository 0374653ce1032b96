//! Elements in another order or shape: `shuffle shape_cast transpose`.

use super::{FixedVector, RankedVector, vector_shape};
use terrace_diag::Reported;
use terrace_dialect_shapes::lists;
use terrace_ir::defs::InferCx;
use terrace_ir::rules::{AnyVector, DenseI64Array};
use terrace_ir::{Context, Infer, Ir, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Choose from the leading dimensions of two vectors, put behind each other; -1 for poison
///
/// ```mlir
/// func.func @f(%a: vector<2xf32>, %b: vector<2xf32>) -> vector<3xf32> {
///   %r = vector.shuffle %a, %b [0, 3, 1] : vector<2xf32>, vector<2xf32>
///   return %r : vector<3xf32>
/// }
/// ```
#[op(
    "vector.shuffle",
    traits(Pure),
    relations(same_element(v1, vector), same_element(v2, vector)),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(fold, infer, verify)
)]
pub struct Shuffle {
    v1: FixedVector,
    v2: FixedVector,
    #[attr]
    mask: DenseI64Array,
    #[result]
    vector: RankedVector,
}

impl Shuffle {
    /// Where each element of the leading dimension comes from
    pub fn places(self, ir: &Ir) -> &[i64] {
        self.mask(ir).as_dense_array(ir.cx()).unwrap_or(&[])
    }
}

fn shuffled(cx: &Context, first: Type, len: usize) -> Option<Type> {
    let TypeKind::Vector { shape, elem, .. } = first.kind(cx) else { return None };
    let lead = i64::try_from(len).ok().filter(|len| *len > 0)?;
    let shape: Vec<i64> = [lead].into_iter().chain(shape.iter().skip(1).copied()).collect();
    Some(cx.vector(&shape, *elem))
}

impl Infer for Shuffle {
    fn infer(cx: &InferCx<'_>) -> Option<Vec<Type>> {
        let mask = cx.attrs.first().copied()??.as_dense_array(cx.cx)?;
        Some(vec![shuffled(cx.cx, *cx.operands.first()?, mask.len())?])
    }
}

impl CustomAsm for Shuffle {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let first = p.operand()?;
        p.punct(",")?;
        let second = p.operand()?;
        let mask = lists::parse_numbers(p)?;
        let len = mask.as_dense_array(p.cx()).map_or(0, <[i64]>::len);
        if len == 0 {
            return Err(p.error("'vector.shuffle' op invalid mask length"));
        }
        p.attr_dict()?;
        let from = p.colon_type()?;
        p.punct(",")?;
        let to = p.ty()?;
        p.resolve(&first, from)?;
        p.resolve(&second, to)?;
        p.set_attr("mask", mask);
        match shuffled(p.cx(), from, len) {
            Some(ty) => p.add_result(ty),
            None => return Err(p.error("'vector.shuffle' op needs vectors")),
        }
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operands([self.v1(ir), self.v2(ir)]);
        p.text(" ");
        p.attr_value(self.mask(ir));
        p.attr_dict(&["mask"]);
        p.text(" : ");
        p.types([self.v1(ir), self.v2(ir)].map(|value| ir.ty(value)));
    }
}

impl Verify for Shuffle {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let shape = |value| vector_shape(cx, ir.ty(value)).unwrap_or(&[]);
        let (a, b, result) = (shape(self.v1(ir)), shape(self.v2(ir)), shape(self.vector(ir)));
        let scalars = a.is_empty() && b.is_empty() && result.len() == 1;
        if !scalars && (a.len() != result.len() || b.len() != result.len()) {
            return fail("rank mismatch".into());
        }
        let rest = |shape: &'_ [i64]| shape.iter().skip(1).copied().collect::<Vec<_>>();
        if rest(a) != rest(result) || rest(b) != rest(result) {
            return fail("dimension mismatch".into());
        }
        let mask = self.places(ir);
        if mask.is_empty() {
            return fail("invalid mask length".into());
        }
        if result.first().copied() != i64::try_from(mask.len()).ok() {
            return fail("mask length mismatch".into());
        }
        let all = a.first().unwrap_or(&1) + b.first().unwrap_or(&1);
        match mask.iter().position(|at| !(-1..all).contains(at)) {
            Some(n) => fail(format!("mask index #{} out of range", n + 1)),
            None => Ok(()),
        }
    }
}

/// The same elements in row order in another shape
///
/// ```mlir
/// func.func @f(%v: vector<4x2xf32>) -> vector<8xf32> {
///   %r = vector.shape_cast %v : vector<4x2xf32> to vector<8xf32>
///   return %r : vector<8xf32>
/// }
/// ```
#[op(
    "vector.shape_cast",
    traits(Pure),
    interfaces(terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(fold, verify)
)]
#[asm("$source attr-dict `:` type($source) `to` type($result)")]
pub struct ShapeCast {
    source: AnyVector,
    #[result]
    result: AnyVector,
}

impl Verify for ShapeCast {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.result(ir)));
        if from.scalar(cx) != to.scalar(cx) {
            return v.fail(self.0, &codes::OP_RULE, "has different source and result element types");
        }
        let scalable = |ty: Type| match ty.kind(cx) {
            TypeKind::Vector { scalable, .. } => scalable.count_ones(),
            _ => 0,
        };
        if from.num_elements(cx) != to.num_elements(cx) {
            let count = |ty: Type| ty.num_elements(cx).map_or("?".into(), |count| count.to_string());
            let message = format!(
                "has different number of elements at source ({}) and result ({})",
                count(from),
                count(to)
            );
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        let (a, b) = (scalable(from), scalable(to));
        if a != b {
            let message = format!("has different number of scalable dims at source ({a}) and result ({b})");
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}

/// Dimensions in another order: the n-th of the result is the `permutation[n]`-th of the operand
///
/// ```mlir
/// func.func @f(%v: vector<2x3x4xf32>) -> vector<4x2x3xf32> {
///   %r = vector.transpose %v, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
///   return %r : vector<4x2x3xf32>
/// }
/// ```
#[op(
    "vector.transpose",
    traits(Pure),
    relations(same_element(vector, result)),
    interfaces(terrace_rewrite::Canonicalize, CustomAsm, terrace_interp::Interpret),
    hooks(fold, verify)
)]
pub struct Transpose {
    vector: AnyVector,
    #[attr]
    permutation: DenseI64Array,
    #[result]
    result: AnyVector,
}

impl Transpose {
    /// The dimension of the operand that each of the result is
    pub fn order(self, ir: &Ir) -> &[i64] {
        self.permutation(ir).as_dense_array(ir.cx()).unwrap_or(&[])
    }
}

impl CustomAsm for Transpose {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let vector = p.operand()?;
        p.punct(",")?;
        let order = lists::parse_numbers(p)?;
        p.attr_dict()?;
        let from = p.colon_type()?;
        p.keyword("to")?;
        let to = p.ty()?;
        p.resolve(&vector, from)?;
        p.set_attr("permutation", order);
        p.add_result(to);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.vector(ir));
        p.text(", ");
        p.attr_value(self.permutation(ir));
        p.attr_dict(&["permutation"]);
        p.text(" : ");
        p.ty(ir.ty(self.vector(ir)));
        p.text(" to ");
        p.ty(ir.ty(self.result(ir)));
    }
}

impl Verify for Transpose {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let shape = |value| vector_shape(cx, ir.ty(value)).unwrap_or(&[]);
        let (from, to, order) = (shape(self.vector(ir)), shape(self.result(ir)), self.order(ir));
        if from.len() != to.len() {
            return fail(format!("vector result rank mismatch: {}", to.len()));
        }
        if from.len() != order.len() {
            return fail(format!("transposition length mismatch: {}", order.len()));
        }
        let mut seen = vec![false; from.len()];
        for (n, &dim) in order.iter().enumerate() {
            let place = usize::try_from(dim).ok().filter(|dim| *dim < from.len());
            let Some(place) = place else {
                return fail(format!("transposition index out of range: {dim}"));
            };
            if std::mem::replace(&mut seen[place], true) {
                return fail(format!("duplicate position index: {dim}"));
            }
            if to[n] != from[place] {
                return fail(format!("dimension size mismatch at: {dim}"));
            }
        }
        Ok(())
    }
}
