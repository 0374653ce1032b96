//! Masks, and memory under a mask: `create_mask constant_mask step maskedload maskedstore`.

use super::memory::{check_indices, check_pass_thru, last_stride_is_one};
use super::{AlignmentAttr, AnyMask, IndexVector, Mask, RankedVector, vector_shape};
use terrace_diag::Reported;
use terrace_dialect_shapes::lists;
use terrace_ir::rules::{AnyMemRef, DenseI64Array, Index};
use terrace_ir::{Ir, OpId, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// A mask that is set below a bound in each dimension
///
/// ```mlir
/// func.func @f(%n: index, %m: index) -> vector<4x8xi1> {
///   %mask = vector.create_mask %n, %m : vector<4x8xi1>
///   return %mask : vector<4x8xi1>
/// }
/// ```
#[op(
    "vector.create_mask",
    traits(Pure),
    interfaces(terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("$operands attr-dict `:` type(results)")]
pub struct CreateMask {
    operands: Variadic<Index>,
    #[result]
    mask: AnyMask,
}

impl Verify for CreateMask {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let given = ir.num_operands(self.0);
        match vector_shape(cx, ir.ty(self.mask(ir))).map_or(0, <[i64]>::len) {
            0 if given != 1 => {
                v.fail(self.0, &codes::OP_RULE, "must specify exactly one operand for 0-D create_mask")
            }
            rank if rank > 0 && given != rank => {
                v.fail(self.0, &codes::OP_RULE, "must specify an operand for each result vector dimension")
            }
            _ => Ok(()),
        }
    }
}

/// The same with constant bounds
///
/// ```mlir
/// func.func @f() -> vector<4x8xi1> {
///   %mask = vector.constant_mask [3, 2] : vector<4x8xi1>
///   return %mask : vector<4x8xi1>
/// }
/// ```
#[op(
    "vector.constant_mask",
    traits(Pure),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(fold, verify)
)]
pub struct ConstantMask {
    #[attr]
    mask_dim_sizes: DenseI64Array,
    #[result]
    mask: AnyMask,
}

impl ConstantMask {
    /// The bounds
    pub fn bounds(self, ir: &Ir) -> &[i64] {
        self.mask_dim_sizes(ir).as_dense_array(ir.cx()).unwrap_or(&[])
    }
}

impl CustomAsm for ConstantMask {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let bounds = lists::parse_numbers(p)?;
        p.attr_dict()?;
        let ty = p.colon_type()?;
        p.set_attr("mask_dim_sizes", bounds);
        p.add_result(ty);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.attr_value(self.mask_dim_sizes(ir));
        p.attr_dict(&["mask_dim_sizes"]);
        p.text(" : ");
        p.ty(ir.ty(self.mask(ir)));
    }
}

impl Verify for ConstantMask {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let TypeKind::Vector { shape, scalable, .. } = ir.ty(self.mask(ir)).kind(cx) else { return Ok(()) };
        let bounds = self.bounds(ir);
        if shape.is_empty() {
            return match bounds {
                [0 | 1] => Ok(()),
                [_] => fail("mask dim size must be either 0 or 1 for 0-D vectors"),
                _ => fail("array attr must have length 1 for 0-D vectors"),
            };
        }
        if bounds.len() != shape.len() {
            return fail("must specify array attr of size equal vector result rank");
        }
        for (n, (&bound, &size)) in bounds.iter().zip(shape).enumerate() {
            if !(0..=size).contains(&bound) {
                return fail("array attr of size out of bounds of vector result dimension size");
            }
            if scalable >> n & 1 == 1 && bound != 0 && bound != size {
                return fail("only supports 'none set' or 'all set' scalable dimensions");
            }
        }
        if bounds.contains(&0) && bounds.iter().any(|bound| *bound != 0) {
            return fail(
                "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim",
            );
        }
        Ok(())
    }
}

/// 0, 1, 2, … up to the length
///
/// ```mlir
/// func.func @f() -> vector<4xindex> {
///   %v = vector.step : vector<4xindex>
///   return %v : vector<4xindex>
/// }
/// ```
#[op("vector.step", traits(Pure), interfaces(terrace_interp::Interpret))]
#[asm("attr-dict `:` type($result)")]
pub struct Step {
    #[result]
    result: IndexVector,
}

/// Read elements whose mask is set, take the others from a vector
///
/// ```mlir
/// func.func @f(%m: memref<8xf32>, %i: index, %mask: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32> {
///   %r = vector.maskedload %m[%i], %mask, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
///   return %r : vector<4xf32>
/// }
/// ```
#[op(
    "vector.maskedload",
    effects(read),
    interfaces(terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
#[asm(
    "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"
)]
pub struct MaskedLoad {
    base: AnyMemRef,
    indices: Variadic<Index>,
    mask: Mask,
    pass_thru: RankedVector,
    #[attr(optional)]
    alignment: AlignmentAttr,
    #[result]
    result: RankedVector,
}

/// Write elements whose mask is set
///
/// ```mlir
/// func.func @f(%m: memref<8xf32>, %i: index, %mask: vector<4xi1>, %v: vector<4xf32>) {
///   vector.maskedstore %m[%i], %mask, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>
///   return
/// }
/// ```
#[op(
    "vector.maskedstore",
    effects(write),
    interfaces(terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(verify)
)]
#[asm(
    "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base) `,` type($mask) `,` type($value_to_store)"
)]
pub struct MaskedStore {
    base: AnyMemRef,
    indices: Variadic<Index>,
    mask: Mask,
    value_to_store: RankedVector,
    #[attr(optional)]
    alignment: AlignmentAttr,
}

/// The same vector type with `i1`
pub(super) fn mask_of(ir: &Ir, ty: Type) -> Type {
    ty.with_element(ir.cx(), ir.cx().common().i1)
}

fn check(
    v: &VerifyCx<'_>,
    op: OpId,
    (base, mask, vector): (Type, Type, Type),
    indices: usize,
    words: [&str; 2],
) -> Result<(), Reported> {
    let (ir, cx) = (v.ir, v.ir.cx());
    if vector.num_elements(cx) != Some(1) && !last_stride_is_one(v, base) {
        return v.fail(op, &codes::OP_RULE, "most minor memref dim must have unit stride");
    }
    if base.scalar(cx) != vector.scalar(cx) {
        return v.fail(op, &codes::OP_RULE, words[0]);
    }
    let rank = base.shape(cx).map_or(0, <[i64]>::len);
    check_indices(v, op, rank, indices)?;
    if mask_of(ir, vector) != mask {
        return v.fail(op, &codes::OP_RULE, words[1]);
    }
    if vector_shape(cx, vector).is_some_and(|shape| shape.len() > rank) {
        return v.fail(op, &codes::OP_RULE, "the memref has lower rank than the vector");
    }
    Ok(())
}

impl Verify for MaskedLoad {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let ty = ir.ty(self.result(ir));
        let types = (ir.ty(self.base(ir)), ir.ty(self.mask(ir)), ty);
        let words =
            ["base and result element type should match", "expected result shape to match mask shape"];
        check(v, self.0, types, self.indices(ir).len(), words)?;
        check_pass_thru(v, self.0, self.pass_thru(ir), self.result(ir))
    }
}

impl Verify for MaskedStore {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let types = (ir.ty(self.base(ir)), ir.ty(self.mask(ir)), ir.ty(self.value_to_store(ir)));
        let words = [
            "base and valueToStore element type should match",
            "expected valueToStore shape to match mask shape",
        ];
        check(v, self.0, types, self.indices(ir).len(), words)
    }
}
