//! Attributes: words, and numbers of dimensions.

// The macro's `get` takes each parameter of an attribute.
#![allow(clippy::too_many_arguments)]

use super::fields::{self, Field};
use terrace_diag::Reported;
use terrace_ir::interface::Interface;
use terrace_ir::rules::{AnyAttr, BoolAttr, DenseI64Array, I64Attr, TypeAttr};
use terrace_ir::show::{CustomText, Shower};
use terrace_ir::{Attr, AttrForm, AttrKind, Context};
use terrace_macros::dialect_attr;
use terrace_text::{CustomParams, OpParser};

terrace_ir::attr_enums! {
    /// How exact operands of products are
    pub Precision = "stablehlo.precision", "XLA precision for an operand. Has backend specific meaning.", spaced {
        Default "DEFAULT" 0, High "HIGH" 1, Highest "HIGHEST" 2,
    }
    /// Direction of a comparison
    pub ComparisonDirection = "stablehlo.comparison_direction", "Which comparison operation to perform.", spaced {
        Eq "EQ" 0, Ne "NE" 1, Ge "GE" 2, Gt "GT" 3, Le "LE" 4, Lt "LT" 5,
    }
    /// How elements are compared
    pub ComparisonType = "stablehlo.comparison_type", "Which comparison type to use.", spaced {
        NoType "NOTYPE" 0, Float "FLOAT" 1, TotalOrder "TOTALORDER" 2, Signed "SIGNED" 3, Unsigned "UNSIGNED" 4,
    }
    /// Which Fourier transform
    pub FftType = "stablehlo.fft_type", "XLA fast fourier transform type.", spaced {
        Fft "FFT" 0, Ifft "IFFT" 1, Rfft "RFFT" 2, Irfft "IRFFT" 3,
    }
    /// How a matrix is turned before it is solved for
    pub Transposition = "stablehlo.transpose", "Transpose options", spaced {
        Invalid "TRANSPOSE_INVALID" 0, No "NO_TRANSPOSE" 1, Transpose "TRANSPOSE" 2, Adjoint "ADJOINT" 3,
    }
    /// Distribution of random numbers
    pub RngDistribution = "stablehlo.rng_distribution", "XLA PRNG distribution to be used.", spaced {
        Uniform "UNIFORM" 1, Normal "NORMAL" 2,
    }
    /// Algorithm of random bits
    pub RngAlgorithm = "stablehlo.rng_algorithm", "XLA PRNG algorithm to be used.", spaced {
        Default "DEFAULT" 0, ThreeFry "THREE_FRY" 1, Philox "PHILOX" 2,
    }
    /// How exact a function is
    pub ResultAccuracyMode = "stablehlo.result_accuracy_mode", "XLA result accuracy mode.", keyword {
        Default "DEFAULT" 0, Highest "HIGHEST" 1, Tolerance "TOLERANCE" 2,
    }
    /// Convention of a custom call
    pub CustomCallApiVersion = "stablehlo.custom_call_api_version", "Custom call API version", i32 {
        Unspecified "API_VERSION_UNSPECIFIED" 0, Original "API_VERSION_ORIGINAL" 1,
        StatusReturning "API_VERSION_STATUS_RETURNING" 2,
        StatusReturningUnified "API_VERSION_STATUS_RETURNING_UNIFIED" 3, TypedFfi "API_VERSION_TYPED_FFI" 4,
    }
}

/// How the parameters of an attribute are printed
pub(crate) trait Spell {
    /// Print what follows the mnemonic
    fn spell(w: &mut Shower<'_>, params: &[Attr]);
    const ENTRY: Interface = Interface::new(const { &CustomText { print: Self::spell } });
}

/// How they are read
pub(crate) trait Read {
    /// Read what follows the mnemonic
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported>;
    const ENTRY: Interface = Interface::new(const { &CustomParams { parse: Self::read } });
}

/// Attributes of named fields, of which those that are empty or zero are left out
macro_rules! fields {
    ($($name:ident [$($text:literal $kind:ident),*])*) => {$(
        impl Spell for $name {
            fn spell(w: &mut Shower<'_>, params: &[Attr]) {
                fields::spell(w, &[$(Field::$kind($text)),*], params);
            }
        }

        impl Read for $name {
            fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
                fields::read(p, &[$(Field::$kind($text)),*])
            }
        }
    )*};
}

/// Which dimensions of two operands a product sums over, and which they share
#[dialect_attr("stablehlo.dot", interfaces(Spell, Read))]
pub struct DotDimensionNumbers {
    #[param]
    lhs_batching_dimensions: DenseI64Array,
    #[param]
    rhs_batching_dimensions: DenseI64Array,
    #[param]
    lhs_contracting_dimensions: DenseI64Array,
    #[param]
    rhs_contracting_dimensions: DenseI64Array,
}

/// Which dimensions of a gather's operand, indices and result belong to each other
#[dialect_attr("stablehlo.gather", interfaces(Spell, Read))]
pub struct GatherDimensionNumbers {
    #[param]
    offset_dims: DenseI64Array,
    #[param]
    collapsed_slice_dims: DenseI64Array,
    #[param]
    operand_batching_dims: DenseI64Array,
    #[param]
    start_indices_batching_dims: DenseI64Array,
    #[param]
    start_index_map: DenseI64Array,
    #[param]
    index_vector_dim: I64Attr,
}

/// Which dimensions of a scatter's inputs, indices and updates belong to each other
#[dialect_attr("stablehlo.scatter", interfaces(Spell, Read))]
pub struct ScatterDimensionNumbers {
    #[param]
    update_window_dims: DenseI64Array,
    #[param]
    inserted_window_dims: DenseI64Array,
    #[param]
    input_batching_dims: DenseI64Array,
    #[param]
    scatter_indices_batching_dims: DenseI64Array,
    #[param]
    scatter_dims_to_operand_dims: DenseI64Array,
    #[param]
    index_vector_dim: I64Attr,
}

fields! {
    DotDimensionNumbers ["lhs_batching_dimensions" List, "rhs_batching_dimensions" List,
        "lhs_contracting_dimensions" List, "rhs_contracting_dimensions" List]
    GatherDimensionNumbers ["offset_dims" List, "collapsed_slice_dims" List, "operand_batching_dims" List,
        "start_indices_batching_dims" List, "start_index_map" List, "index_vector_dim" Number]
    ScatterDimensionNumbers ["update_window_dims" List, "inserted_window_dims" List, "input_batching_dims" List,
        "scatter_indices_batching_dims" List, "scatter_dims_to_operand_dims" List, "index_vector_dim" Number]
}

/// Which dimensions of a convolution are batch, features and space
///
/// `#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`
#[dialect_attr("stablehlo.conv", hooks(verify), interfaces(Spell, Read))]
pub struct ConvDimensionNumbers {
    #[param]
    input_batch_dimension: I64Attr,
    #[param]
    input_feature_dimension: I64Attr,
    #[param]
    input_spatial_dimensions: DenseI64Array,
    #[param]
    kernel_input_feature_dimension: I64Attr,
    #[param]
    kernel_output_feature_dimension: I64Attr,
    #[param]
    kernel_spatial_dimensions: DenseI64Array,
    #[param]
    output_batch_dimension: I64Attr,
    #[param]
    output_feature_dimension: I64Attr,
    #[param]
    output_spatial_dimensions: DenseI64Array,
}

/// How a product is to be computed
#[dialect_attr("stablehlo.dot_algorithm", interfaces(Spell, Read))]
pub struct DotAlgorithm {
    #[param]
    lhs_precision_type: TypeAttr,
    #[param]
    rhs_precision_type: TypeAttr,
    #[param]
    accumulation_type: TypeAttr,
    #[param]
    lhs_component_count: I64Attr,
    #[param]
    rhs_component_count: I64Attr,
    #[param]
    num_primitive_operations: I64Attr,
    #[param]
    allow_imprecise_accumulation: BoolAttr,
}

/// Part of a result that is the memory of an operand
#[dialect_attr("stablehlo.output_operand_alias", interfaces(Spell, Read))]
pub struct OutputOperandAlias {
    #[param]
    output_tuple_indices: DenseI64Array,
    #[param]
    operand_index: I64Attr,
    #[param]
    operand_tuple_indices: DenseI64Array,
}

/// A channel between processes
#[dialect_attr("stablehlo.channel_handle", interfaces(Spell, Read))]
pub struct ChannelHandle {
    #[param]
    number: I64Attr,
    #[param]
    kind: I64Attr,
}

/// Accuracy that a function must have
#[dialect_attr("stablehlo.result_accuracy", interfaces(Spell, Read))]
pub struct ResultAccuracy {
    #[param]
    atol: AnyAttr,
    #[param]
    rtol: AnyAttr,
    #[param]
    ulps: I64Attr,
    #[param]
    mode: ResultAccuracyMode,
}

/// Largest sizes of dimensions that are known at run time only: the encoding of a tensor
#[dialect_attr("stablehlo.bounds", interfaces(Spell, Read))]
pub struct Bounds {
    #[param]
    bounds: DenseI64Array,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident $name:ident $what:literal)*) => {
        terrace_ir::attr_rules! {$(
            $(#[$doc])*
            $rule $what, AttrForm::Full, |cx, attr| $name::cast(cx, attr).is_some();
        )*}
    };
}

rules! {
    /// Numbers of a product's dimensions
    DotDimensions DotDimensionNumbers "Attribute that models the dimension information for dot."
    /// Numbers of a gather's dimensions
    GatherDimensions GatherDimensionNumbers "Attribute that models the dimension information for gather"
    /// Numbers of a scatter's dimensions
    ScatterDimensions ScatterDimensionNumbers "Attribute that models the dimension information for scatter"
    /// Numbers of a convolution's dimensions
    ConvDimensions ConvDimensionNumbers "Structure of dimension information for conv op"
    /// Algorithm of a product
    DotAlgorithmRule DotAlgorithm "Attribute that models the algorithm constraints to use for computing dot."
    /// A channel
    Channel ChannelHandle "two 64-bit integers 'handle' and 'type'"
    /// Accuracy of a function
    ResultAccuracyRule ResultAccuracy "The requested accuracy for transcendental unary ops."
}

terrace_ir::attr_rules! {
    /// `[#stablehlo<precision DEFAULT>, …]`
    PrecisionConfig "Precision Config attribute", AttrForm::Full, |cx, attr| {
        attr.as_array(cx).is_some_and(|all| all.iter().all(|attr| Precision::of(cx, *attr).is_some()))
    };
    /// `dense<…> : tensor<…xi64>`
    I64Elements "64-bit signless integer elements attribute", AttrForm::Full,
        |cx, attr| matches!(attr.kind(cx), AttrKind::Dense { ty, .. } if ty.scalar(cx) == cx.common().i64);
    /// Text that a colon may follow
    Text "string attribute", AttrForm::Bare(|cx| cx.common().none), |cx, attr| attr.as_str(cx).is_some();
    /// Text or a dictionary
    StrOrDict "string attribute or dictionary of named attribute values", AttrForm::Full,
        |cx, attr| attr.as_str(cx).is_some() || attr.as_dict(cx).is_some();
    /// `1.0 : f32`
    F32Attr "32-bit float attribute", AttrForm::Full, |cx, attr| attr.as_float(cx).is_some_and(|(_, ty)| ty == cx.common().f32);
}

impl Spell for Bounds {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        let all = params.first().and_then(|attr| attr.as_dense_array(w.cx)).unwrap_or(&[]);
        w.out.push('<');
        for (n, bound) in all.iter().enumerate() {
            w.out.push_str(if n > 0 { ", " } else { "" });
            fields::size(w, *bound);
        }
        w.out.push('>');
    }
}

impl Read for Bounds {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        let all = fields::sizes(p, terrace_text::Delim::Angle)?;
        Ok(vec![p.cx().i64_array(&all)])
    }
}

impl Spell for DotAlgorithm {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        fields::spell_all(w, fields::ALGORITHM, params);
    }
}

impl Read for DotAlgorithm {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        fields::read_all(p, fields::ALGORITHM)
    }
}

impl Spell for OutputOperandAlias {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        fields::spell_all(w, fields::ALIAS, params);
    }
}

impl Read for OutputOperandAlias {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        fields::read_all(p, fields::ALIAS)
    }
}

impl Spell for ChannelHandle {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        fields::spell_all(w, fields::CHANNEL, params);
    }
}

impl Read for ChannelHandle {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        fields::read_all(p, fields::CHANNEL)
    }
}

impl Spell for ResultAccuracy {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        fields::spell_accuracy(w, params);
    }
}

impl Read for ResultAccuracy {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        fields::read_accuracy(p)
    }
}

impl ConvDimensionNumbers {
    fn verify(cx: &Context, params: &[Attr]) -> Result<(), String> {
        super::windows::verify_dimensions(cx, params).map_err(|wrong| wrong.to_string())
    }
}

impl Spell for ConvDimensionNumbers {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        w.out.push('<');
        super::windows::spell_dimensions(w.cx, params, &mut w.out);
        w.out.push('>');
    }
}

impl Read for ConvDimensionNumbers {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        p.punct("<")?;
        if p.keyword_opt("raw") {
            return fields::read_rest(p, fields::CONVOLUTION);
        }
        let params = super::windows::read_dimensions(p)?;
        p.punct(">")?;
        Ok(params)
    }
}

/// Numbers of a list parameter
pub(crate) fn list(cx: &Context, attr: Attr) -> &[i64] {
    attr.as_dense_array(cx).unwrap_or(&[])
}

/// Numbers of a product's dimensions, read
#[derive(Clone, Copy, Debug)]
pub struct DotDims<'a> {
    /// Shared dimensions of the lhs
    pub lhs_batching: &'a [i64],
    /// Shared dimensions of the rhs
    pub rhs_batching: &'a [i64],
    /// Summed dimensions of the lhs
    pub lhs_contracting: &'a [i64],
    /// Summed dimensions of the rhs
    pub rhs_contracting: &'a [i64],
}

impl DotDimensionNumbers {
    /// All numbers
    pub fn dims(self, cx: &Context) -> DotDims<'_> {
        DotDims {
            lhs_batching: list(cx, self.lhs_batching_dimensions(cx)),
            rhs_batching: list(cx, self.rhs_batching_dimensions(cx)),
            lhs_contracting: list(cx, self.lhs_contracting_dimensions(cx)),
            rhs_contracting: list(cx, self.rhs_contracting_dimensions(cx)),
        }
    }
}

/// Numbers of a gather's or scatter's dimensions, read; the names are those of gather
#[derive(Clone, Copy, Debug)]
pub struct GatherDims<'a> {
    /// Dimensions of the result (of updates) that go through a slice
    pub offset: &'a [i64],
    /// Dimensions of the operand of which a slice has one element, left out
    pub collapsed: &'a [i64],
    /// Dimensions of the operand that are walked with those of the indices
    pub operand_batching: &'a [i64],
    /// Dimensions of the indices that are walked with those of the operand
    pub indices_batching: &'a [i64],
    /// Dimension of the operand that each number of an index is for
    pub index_map: &'a [i64],
    /// Dimension of the indices that holds the numbers of one index
    pub index_vector: i64,
}

impl GatherDimensionNumbers {
    /// All numbers
    pub fn dims(self, cx: &Context) -> GatherDims<'_> {
        GatherDims {
            offset: list(cx, self.offset_dims(cx)),
            collapsed: list(cx, self.collapsed_slice_dims(cx)),
            operand_batching: list(cx, self.operand_batching_dims(cx)),
            indices_batching: list(cx, self.start_indices_batching_dims(cx)),
            index_map: list(cx, self.start_index_map(cx)),
            index_vector: self.index_vector_dim(cx).as_i64(cx).unwrap_or(0),
        }
    }
}

impl ScatterDimensionNumbers {
    /// All numbers
    pub fn dims(self, cx: &Context) -> GatherDims<'_> {
        GatherDims {
            offset: list(cx, self.update_window_dims(cx)),
            collapsed: list(cx, self.inserted_window_dims(cx)),
            operand_batching: list(cx, self.input_batching_dims(cx)),
            indices_batching: list(cx, self.scatter_indices_batching_dims(cx)),
            index_map: list(cx, self.scatter_dims_to_operand_dims(cx)),
            index_vector: self.index_vector_dim(cx).as_i64(cx).unwrap_or(0),
        }
    }
}

/// Numbers of the dimensions of one of a convolution's three tensors, read
#[derive(Clone, Copy, Debug)]
pub struct ConvDims<'a> {
    /// Batch; input features of the kernel
    pub first: i64,
    /// Features; output features of the kernel
    pub second: i64,
    /// Dimensions of space
    pub spatial: &'a [i64],
}

impl ConvDimensionNumbers {
    /// Those of input, kernel and output
    pub fn dims(self, cx: &Context) -> [ConvDims<'_>; 3] {
        let number = |attr: Attr| attr.as_i64(cx).unwrap_or(0);
        [
            ConvDims {
                first: number(self.input_batch_dimension(cx)),
                second: number(self.input_feature_dimension(cx)),
                spatial: list(cx, self.input_spatial_dimensions(cx)),
            },
            ConvDims {
                first: number(self.kernel_input_feature_dimension(cx)),
                second: number(self.kernel_output_feature_dimension(cx)),
                spatial: list(cx, self.kernel_spatial_dimensions(cx)),
            },
            ConvDims {
                first: number(self.output_batch_dimension(cx)),
                second: number(self.output_feature_dimension(cx)),
                spatial: list(cx, self.output_spatial_dimensions(cx)),
            },
        ]
    }
}
