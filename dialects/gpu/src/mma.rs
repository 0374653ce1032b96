//! Matrices that the threads of a subgroup hold together: `subgroup_mma_*`.
//!
//! Which thread holds which elements is the hardware's matter; the interpreter chooses (`interp/mma.rs`).

use super::attrs::{IntOrFloat, MmaElementwiseOp};
use super::objects::{Read, Spell};
use terrace_diag::Reported;
use terrace_dialect_memref::layout::strided;
use terrace_ir::rules::{DenseI64Array, Index, IndexAttr, StrAttr, TypeAttr, UnitAttr};
use terrace_ir::show::Shower;
use terrace_ir::{Attr, Context, OpId, Sign, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::{dialect_type, op};
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// A matrix that a subgroup holds, as operand A, B or C of a product
///
/// `!gpu.mma_matrix<16x16xf16, "AOp">`
#[dialect_type("gpu.mma_matrix", hooks(verify), interfaces(Spell, Read))]
pub struct MmaMatrix {
    /// Rows and columns
    #[param]
    shape: DenseI64Array,
    /// Type of the elements
    #[param]
    elem: TypeAttr,
    /// `AOp`, `BOp` or `COp`
    #[param]
    operand: StrAttr,
}

impl Spell for MmaMatrix {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        let &[shape, elem, operand] = params else { return };
        w.out.push('<');
        for size in shape.as_dense_array(w.cx).unwrap_or(&[]) {
            w.out.push_str(&format!("{size}x"));
        }
        w.attr(elem);
        w.out.push_str(", ");
        w.attr(operand);
        w.out.push('>');
    }
}

impl Read for MmaMatrix {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        p.punct("<")?;
        let shape = p.shape()?;
        let elem = p.ty()?;
        p.punct(",")?;
        let operand = p.string()?;
        p.punct(">")?;
        let cx = p.cx();
        Ok(vec![cx.i64_array(&shape), cx.type_attr(elem), cx.str_attr(&operand)])
    }
}

impl MmaMatrix {
    fn verify(cx: &Context, params: &[Attr]) -> Result<(), String> {
        let &[shape, elem, operand] = params else { return Ok(()) };
        if !matches!(operand.as_str(cx), Some("AOp" | "BOp" | "COp")) {
            return Err("operand expected to be one of AOp, BOp or COp".into());
        }
        if shape.as_dense_array(cx).map(<[i64]>::len) != Some(2) {
            return Err("MMAMatrixType must have exactly two dimensions".into());
        }
        if !elem.as_type(cx).is_some_and(|elem| is_element(cx, elem, true, true)) {
            return Err("MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64".into());
        }
        Ok(())
    }
}

/// Sizes, element type and role of a matrix type
pub(super) fn parts(cx: &Context, ty: Type) -> Option<(&[i64], Type, &str)> {
    let TypeKind::Dialect { def, params } = ty.kind(cx) else { return None };
    let [shape, elem, operand] = params[..] else { return None };
    let ours = std::ptr::eq(*def, MmaMatrix::DEF);
    ours.then_some((shape.as_dense_array(cx)?, elem.as_type(cx)?, operand.as_str(cx)?))
}

fn is_element(cx: &Context, ty: Type, small: bool, int: bool) -> bool {
    let common = cx.common();
    match ty.kind(cx) {
        TypeKind::Int { width: 8, sign } => small && *sign != Sign::Signless,
        TypeKind::Int { .. } => int && ty == common.i32,
        _ => [common.f16, common.f32, common.f64].contains(&ty),
    }
}

fn is_matrix(cx: &Context, ty: Type, small: bool, int: bool) -> bool {
    parts(cx, ty).is_some_and(|(_, elem, _)| is_element(cx, elem, small, int))
}

fn is_memory(cx: &Context, ty: Type) -> bool {
    let TypeKind::MemRef { elem, .. } = ty.kind(cx) else { return false };
    let elem = match elem.kind(cx) {
        TypeKind::Vector { shape, elem, .. } if shape.len() == 1 => *elem,
        _ => *elem,
    };
    let common = cx.common();
    [common.i8, common.i32, common.f16, common.f32, common.f64].contains(&elem)
}

terrace_ir::type_rules! {
    /// A matrix
    Matrix "MMAMatrix type", |cx, ty| parts(cx, ty).is_some();
    /// A matrix that may be stored
    StoredMatrix "gpu.mma_matrix of 8-bit signed integer or 8-bit unsigned integer or 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float values",
        |cx, ty| is_matrix(cx, ty, true, true);
    /// A factor
    FactorMatrix "gpu.mma_matrix of 8-bit signed integer or 8-bit unsigned integer or 16-bit float or 32-bit float or 64-bit float values",
        |cx, ty| is_matrix(cx, ty, true, false);
    /// A sum
    SumMatrix "gpu.mma_matrix of 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float values",
        |cx, ty| is_matrix(cx, ty, false, true);
    /// Memory of matrix elements, or of vectors of them
    MatrixMemRef "memref of 8-bit signless integer or 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float or vector of 8-bit signless integer or 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float values of ranks 1 values",
        is_memory;
    /// A matrix element that all elements of a matrix get
    MatrixElement "8-bit signed integer or 8-bit unsigned integer or 32-bit signless integer or 16-bit float or 32-bit float",
        |cx, ty| is_element(cx, ty, true, true) && ty != cx.common().f64;
}

/// Read a matrix
///
/// ```mlir
/// func.func @f(%m: memref<32x32xf16, 3>, %i: index) {
///   %a = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
///   return
/// }
/// ```
#[op("gpu.subgroup_mma_load_matrix", effects(read), interfaces(terrace_interp::Interpret), hooks(verify))]
#[asm("$src `[` $indices `]` attr-dict `:` type($src) `->` type($res)")]
pub struct MmaLoad {
    src: MatrixMemRef,
    indices: Variadic<Index>,
    #[attr(name = "leadDimension")]
    lead_dimension: IndexAttr,
    #[attr(optional)]
    transpose: UnitAttr,
    #[result]
    res: Matrix,
}

/// Write a matrix
///
/// ```mlir
/// func.func @f(%m: memref<32x32xf32>, %i: index, %x: f32) {
///   %c = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf32, "COp">
///   gpu.subgroup_mma_store_matrix %c, %m[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32>
///   return
/// }
/// ```
#[op("gpu.subgroup_mma_store_matrix", effects(write), interfaces(terrace_interp::Interpret), hooks(verify))]
#[asm("$src `,` $dst `[` $indices `]` attr-dict `:` type($src) `,` type($dst)")]
pub struct MmaStore {
    src: StoredMatrix,
    dst: MatrixMemRef,
    indices: Variadic<Index>,
    #[attr(name = "leadDimension")]
    lead_dimension: IndexAttr,
    #[attr(optional)]
    transpose: UnitAttr,
}

/// A · B + C
///
/// ```mlir
/// func.func @f(%x: f16, %y: f32) {
///   %a = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf16, "AOp">
///   %b = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf16, "BOp">
///   %c = gpu.subgroup_mma_constant_matrix %y : !gpu.mma_matrix<16x16xf32, "COp">
///   %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
///   return
/// }
/// ```
#[op(
    "gpu.subgroup_mma_compute",
    traits(Pure),
    relations(same(c, res)),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `->` type($res)")]
pub struct MmaCompute {
    a: FactorMatrix,
    b: FactorMatrix,
    c: SumMatrix,
    #[attr(optional)]
    a_transpose: UnitAttr,
    #[attr(optional)]
    b_transpose: UnitAttr,
    #[result]
    res: Matrix,
}

/// A matrix with all elements the same
///
/// ```mlir
/// func.func @f(%x: f16) {
///   %c = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf16, "COp">
///   return
/// }
/// ```
#[op(
    "gpu.subgroup_mma_constant_matrix",
    traits(Pure),
    interfaces(terrace_interp::Interpret, CustomAsm),
    hooks(verify)
)]
pub struct MmaConstant {
    value: MatrixElement,
    #[result]
    res: Matrix,
}

/// One of the elements that this thread holds
///
/// ```mlir
/// func.func @f(%x: f16, %i: index) -> f16 {
///   %c = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf16, "COp">
///   %r = gpu.subgroup_mma_extract_thread_local %c[%i] : !gpu.mma_matrix<16x16xf16, "COp"> -> f16
///   return %r : f16
/// }
/// ```
#[op(
    "gpu.subgroup_mma_extract_thread_local",
    traits(Pure),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("$matrix `[` $indices `]` attr-dict `:` type($matrix) `->` type($res)")]
pub struct MmaExtract {
    matrix: Matrix,
    indices: Variadic<Index>,
    #[result]
    res: IntOrFloat,
}

/// A matrix with one of the elements that this thread holds changed
///
/// ```mlir
/// func.func @f(%x: f16, %i: index) {
///   %c = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf16, "COp">
///   %r = gpu.subgroup_mma_insert_thread_local %x, %c[%i] : f16, !gpu.mma_matrix<16x16xf16, "COp"> -> !gpu.mma_matrix<16x16xf16, "COp">
///   return
/// }
/// ```
#[op(
    "gpu.subgroup_mma_insert_thread_local",
    traits(Pure),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("$value `,` $matrix `[` $indices `]` attr-dict `:` type($value) `,` type($matrix) `->` type($res)")]
pub struct MmaInsert {
    value: IntOrFloat,
    matrix: Matrix,
    indices: Variadic<Index>,
    #[result]
    res: Matrix,
}

/// An operation on each element
///
/// ```mlir
/// func.func @f(%x: f16) {
///   %c = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf16, "COp">
///   %d = gpu.subgroup_mma_elementwise addf %c, %c : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
///   return
/// }
/// ```
#[op("gpu.subgroup_mma_elementwise", traits(Pure), interfaces(terrace_interp::Interpret), hooks(verify))]
#[asm("$kind $args attr-dict `:` functional-type(operands, results)")]
pub struct MmaElementwise {
    args: Variadic<Matrix>,
    #[attr(name = "opType")]
    kind: MmaElementwiseOp,
    #[result]
    res: Matrix,
}

/// Are neighbors in rows neighbors in memory?
fn has_unit_stride(cx: &Context, ty: Type) -> bool {
    strided(cx, ty).is_some_and(|layout| layout.strides.last().is_none_or(|stride| *stride == 1))
}

fn role(v: &VerifyCx<'_>, ty: Type) -> String {
    parts(v.ir.cx(), ty).map_or(String::new(), |(_, _, role)| role.into())
}

impl Verify for MmaLoad {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        if !has_unit_stride(ir.cx(), ir.ty(self.src(ir))) {
            let message = "expected source memref most minor dim must have unit stride";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}

impl Verify for MmaStore {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        if !has_unit_stride(ir.cx(), ir.ty(self.dst(ir))) {
            let message = "expected destination memref most minor dim must have unit stride";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        if role(v, ir.ty(self.src(ir))) != "COp" {
            let message = "expected the operand matrix being stored to have 'COp' operand type";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}

impl Verify for MmaCompute {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let types = [self.a(ir), self.b(ir), self.c(ir)].map(|value| ir.ty(value));
        let [Some((a, _, first)), Some((b, _, second)), Some((c, _, third))] = types.map(|ty| parts(cx, ty))
        else {
            return Ok(());
        };
        if [first, second, third] != ["AOp", "BOp", "COp"] {
            return v.fail(self.0, &codes::OP_RULE, "operands must be in the order AOp, BOp, COp");
        }
        if a[1] != b[0] || a[0] != c[0] || b[1] != c[1] {
            return v.fail(self.0, &codes::OP_RULE, "operand shapes do not fit a product");
        }
        Ok(())
    }
}

impl CustomAsm for MmaConstant {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let value = p.operand()?;
        p.attr_dict()?;
        p.punct(":")?;
        let at = p.here();
        let ty = p.ty()?;
        let Some((_, elem, _)) = parts(p.cx(), ty) else {
            return Err(p.error_in(at, "expected a gpu.mma_matrix"));
        };
        p.resolve(&value, elem)?;
        p.add_result(ty);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.value(ir));
        p.attr_dict(&[]);
        p.text(" : ");
        p.ty(ir.ty(self.res(ir)));
    }
}

fn check_element(v: &VerifyCx<'_>, op: OpId, value: Type, matrix: Type) -> Result<(), Reported> {
    if parts(v.ir.cx(), matrix).is_some_and(|(_, elem, _)| elem == value) {
        return Ok(());
    }
    let message = "failed to verify that value type matches element type of mma_matrix";
    v.fail(op, &codes::OP_RULE, message)
}

impl Verify for MmaConstant {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_element(v, self.0, v.ir.ty(self.value(v.ir)), v.ir.ty(self.res(v.ir)))
    }
}

impl Verify for MmaExtract {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_element(v, self.0, v.ir.ty(self.res(v.ir)), v.ir.ty(self.matrix(v.ir)))
    }
}

impl Verify for MmaInsert {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        check_element(v, self.0, v.ir.ty(self.value(v.ir)), v.ir.ty(self.matrix(v.ir)))
    }
}

impl Verify for MmaElementwise {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let mut types = self.args(ir).into_iter().map(|value| ir.ty(value));
        let first = types.next();
        if types.any(|ty| Some(ty) != first) {
            return v.fail(self.0, &codes::OP_RULE, "failed to verify that all of {args} have same type");
        }
        Ok(())
    }
}
