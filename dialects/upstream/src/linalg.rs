//! `linalg`: computations over indexed spaces, on tensors.
//!
//! Tier 2: syntax and tables; what the ops mean is what `linalg-to-mdh` makes of them. Named ops have the body that upstream
//! gives them. Files: here definitions, `syntax` their text.

mod syntax;

use terrace_ir::rules::{
    AnyAttr, AnyRankedTensor, AnyType, ArrayAttr, DenseI64Array, I64Attr, Index as IndexType, StrAttr,
};
use terrace_ir::{AttrForm, EnumDef};
use terrace_macros::{dialect, op};

/// What an iterator of a generic op is
pub static ITERATOR: EnumDef = EnumDef {
    name: "linalg.iterator_type",
    cases: &[("parallel", 0), ("reduction", 1), ("window", 2)],
    flags: false,
    separator: "",
};

terrace_ir::attr_rules! {
    /// `[#linalg.iterator_type<parallel>]`
    Iterators "Iterator type should be an enum.", AttrForm::Full, |cx, attr| attr.as_array(cx).is_some_and(|all| {
        all.iter().all(|item| item.as_enum(cx, &ITERATOR).is_some())
    });
}

/// Any computation over an indexed space: maps from iterations into operands, and a body on elements
///
/// ```mlir
/// #id = affine_map<(d0, d1) -> (d0, d1)>
/// #row = affine_map<(d0, d1) -> (d0)>
/// func.func @f(%a: tensor<4x5xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
///   %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x5xf32>) outs(%o : tensor<4xf32>) {
///   ^bb0(%x: f32, %s: f32):
///     %0 = arith.addf %s, %x : f32
///     linalg.yield %0 : f32
///   } -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("linalg.generic", traits(Pure), interfaces(terrace_text::CustomAsm))]
pub struct Generic {
    #[operand]
    inputs: Variadic<AnyType>,
    #[operand]
    outputs: Variadic<AnyRankedTensor>,
    #[attr]
    indexing_maps: ArrayAttr,
    #[attr]
    iterator_types: Iterators,
    #[attr(optional)]
    doc: StrAttr,
    #[attr(optional)]
    library_call: StrAttr,
    #[result]
    results: Variadic<AnyRankedTensor>,
    #[region(single_block)]
    body: Region,
}

/// Ops with operands in `ins` and `outs`, and nothing else to say
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident $text:literal { $($(#[$attr:meta])* $field:ident : $rule:ident),* })*) => {$(
        $(#[$doc])*
        #[op($text, traits(Pure), interfaces(terrace_text::CustomAsm))]
        pub struct $name {
            #[operand]
            inputs: Variadic<AnyType>,
            #[operand]
            outputs: Variadic<AnyRankedTensor>,
            $($(#[$attr])* $field: $rule,)*
            #[result]
            results: Variadic<AnyRankedTensor>,
            #[region(single_block)]
            body: Region,
        }

        impl terrace_text::CustomAsm for $name {
            fn parse(p: &mut terrace_text::OpParser<'_, '_>) -> Result<(), terrace_diag::Reported> {
                syntax::parse_named(p, $text)
            }

            fn print(self, p: &mut terrace_text::OpPrinter<'_>) {
                syntax::print_named(p);
            }
        }
    )*};
}

named! {
    /// All elements of the outputs are one value
    ///
    /// ```mlir
    /// func.func @f(%x: f32, %o: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = linalg.fill ins(%x : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Fill "linalg.fill" {}
    /// Product of two matrices, added to a third
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
    ///   %r = linalg.matmul ins(%a, %b : tensor<4x6xf32>, tensor<6x5xf32>) outs(%o : tensor<4x5xf32>) -> tensor<4x5xf32>
    ///   return %r : tensor<4x5xf32>
    /// }
    /// ```
    Matmul "linalg.matmul" { #[attr(optional)] indexing_maps: ArrayAttr }
    /// Products of matrices, one for each element of a batch
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x4x6xf32>, %b: tensor<2x6x5xf32>, %o: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
    ///   %r = linalg.batch_matmul ins(%a, %b : tensor<2x4x6xf32>, tensor<2x6x5xf32>) outs(%o : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
    ///   return %r : tensor<2x4x5xf32>
    /// }
    /// ```
    BatchMatmul "linalg.batch_matmul" { #[attr(optional)] indexing_maps: ArrayAttr }
    /// Product of a matrix and a vector
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<4x6xf32>, %b: tensor<6xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = linalg.matvec ins(%a, %b : tensor<4x6xf32>, tensor<6xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Matvec "linalg.matvec" {}
    /// Product of two vectors
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<6xf32>, %b: tensor<6xf32>, %o: tensor<f32>) -> tensor<f32> {
    ///   %r = linalg.dot ins(%a, %b : tensor<6xf32>, tensor<6xf32>) outs(%o : tensor<f32>) -> tensor<f32>
    ///   return %r : tensor<f32>
    /// }
    /// ```
    Dot "linalg.dot" {}
    /// Convolution of planes with channels last
    ///
    /// ```mlir
    /// func.func @f(%i: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x2xf32>, %o: tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> {
    ///   %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%i, %k : tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>) outs(%o : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
    ///   return %r : tensor<1x3x3x2xf32>
    /// }
    /// ```
    Conv2DNhwcHwcf "linalg.conv_2d_nhwc_hwcf" { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes with channels first
    ///
    /// ```mlir
    /// func.func @f(%i: tensor<1x3x8x8xf32>, %k: tensor<2x3x3x3xf32>, %o: tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32> {
    ///   %r = linalg.conv_2d_nchw_fchw ins(%i, %k : tensor<1x3x8x8xf32>, tensor<2x3x3x3xf32>) outs(%o : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
    ///   return %r : tensor<1x2x6x6xf32>
    /// }
    /// ```
    Conv2DNchwFchw "linalg.conv_2d_nchw_fchw" { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
}

/// Another order of dimensions
///
/// ```mlir
/// func.func @f(%a: tensor<4x5xf32>, %o: tensor<5x4xf32>) -> tensor<5x4xf32> {
///   %r = linalg.transpose ins(%a : tensor<4x5xf32>) outs(%o : tensor<5x4xf32>) permutation = [1, 0]
///   return %r : tensor<5x4xf32>
/// }
/// ```
#[op("linalg.transpose", traits(Pure), interfaces(terrace_text::CustomAsm))]
pub struct Transpose {
    #[operand]
    input: AnyRankedTensor,
    #[operand]
    init: AnyRankedTensor,
    #[attr]
    permutation: DenseI64Array,
    #[result]
    result: AnyRankedTensor,
    #[region(single_block)]
    body: Region,
}

/// The same elements along more dimensions
///
/// ```mlir
/// func.func @f(%a: tensor<5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
///   %r = linalg.broadcast ins(%a : tensor<5xf32>) outs(%o : tensor<4x5xf32>) dimensions = [0]
///   return %r : tensor<4x5xf32>
/// }
/// ```
#[op("linalg.broadcast", traits(Pure), interfaces(terrace_text::CustomAsm))]
pub struct Broadcast {
    #[operand]
    input: AnyRankedTensor,
    #[operand]
    init: AnyRankedTensor,
    #[attr]
    dimensions: DenseI64Array,
    #[result]
    result: AnyRankedTensor,
    #[region(single_block)]
    body: Region,
}

/// Fold dimensions by a body; inputs, then as many values to start with
///
/// ```mlir
/// func.func @f(%a: tensor<4x5xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
///   %r = linalg.reduce ins(%a : tensor<4x5xf32>) outs(%o : tensor<4xf32>) dimensions = [1]
///     (%in: f32, %init: f32) {
///       %0 = arith.addf %in, %init : f32
///       linalg.yield %0 : f32
///     }
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("linalg.reduce", traits(Pure), interfaces(terrace_text::CustomAsm))]
pub struct Reduce {
    #[operand]
    tensors: Variadic<AnyRankedTensor>,
    #[attr]
    dimensions: DenseI64Array,
    #[result]
    results: Variadic<AnyRankedTensor>,
    #[region(single_block)]
    body: Region,
}

/// Ends a body: the elements of the outputs
///
/// ```mlir
/// func.func @f(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
///   %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
///   ^bb0(%x: f32, %s: f32):
///     linalg.yield %x : f32
///   } -> tensor<4xf32>
///   return %r : tensor<4xf32>
/// }
/// ```
#[op("linalg.yield", traits(Pure, Terminator, ReturnLike), asm = "attr-dict ($values^ `:` type($values))?")]
pub struct Yield {
    #[operand]
    values: Variadic<AnyType>,
}

/// Number of the iteration in a dimension
///
/// ```mlir
/// func.func @f(%o: tensor<4xindex>) -> tensor<4xindex> {
///   %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : tensor<4xindex>) {
///   ^bb0(%s: index):
///     %i = linalg.index 0 : index
///     linalg.yield %i : index
///   } -> tensor<4xindex>
///   return %r : tensor<4xindex>
/// }
/// ```
#[op("linalg.index", traits(Pure), asm = "$dim attr-dict `:` type($result)")]
pub struct Index {
    #[attr]
    dim: I64Attr,
    #[result]
    result: IndexType,
}

dialect! {
    /// Computations over indexed spaces, on tensors
    pub LINALG = "linalg" {
        ops: [
            BatchMatmul, Broadcast, Conv2DNchwFchw, Conv2DNhwcHwcf, Dot, Fill, Generic, Index, Matmul, Matvec, Reduce, Transpose,
            Yield,
        ],
        enums: [&ITERATOR],
    }
}
