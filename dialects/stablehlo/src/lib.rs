//! `stablehlo` and `chlo`: graphs of tensors, as JAX and PyTorch export them.
//!
//! Names, attributes, text and messages are upstream's; meanings are those of the StableHLO specification, whose sections are
//! named as the ops. Ops for which there is no road down are here too, so that no program is refused for its text. Files:
//! ops by kind, `types` and `attrs` what they consist of, `syntax`, `regions`, `fields` and `windows` their text, `verify`
//! their rules, `interp` what they mean.

pub mod attrs;
mod chlo;
mod contractions;
mod control;
mod distributed;
mod dynamic;
mod elementwise;
mod fields;
mod interp;
mod moves;
mod reductions;
mod regions;
mod syntax;
pub mod types;
mod verify;
pub mod windows;

pub use attrs::*;
pub use chlo::*;
pub use contractions::*;
pub use control::*;
pub use distributed::*;
pub use dynamic::*;
pub use elementwise::*;
pub use moves::*;
pub use reductions::*;
pub use regions::applied;

pub(crate) use moves::no;

use terrace_ir::{Attr, AttrKind, Builder, Dialect, Fold, FoldCx, Folded, Loc, OpId, Type};
use terrace_macros::dialect;

/// Both dialects
pub static ALL: &[&Dialect] = &[&STABLEHLO, &CHLO];

impl Fold for Constant {
    fn fold(self, cx: &FoldCx<'_>) -> Folded {
        Folded::attr(self.value(cx.ir))
    }
}

/// A constant of the dialect for what folding found; elements of another type are not one
fn materialize(b: &mut Builder<'_>, attr: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    if !matches!(attr.kind(b.cx()), AttrKind::Dense { ty: own, .. } if *own == ty) {
        return None;
    }
    b.set_loc(loc);
    Some(Constant::build(b, attr).id())
}

dialect! {
    /// Graphs of tensors
    pub STABLEHLO = "stablehlo" {
        ops: [
            Abs, Add, AfterAll, AllGather, AllReduce, AllToAll, And, AsyncDone, AsyncStart, Atan2, BatchNormGrad,
            BatchNormInference, BatchNormTraining, BitcastConvert, Broadcast, BroadcastInDim, Case, Cbrt, Ceil, Cholesky,
            Clamp, CollectiveBroadcast, CollectivePermute, CollectiveReduce, Compare, Complex, Composite, Concatenate,
            Constant, Convert, Convolution, Cosine, CountLeadingZeros, CreateToken, CrossReplicaSum, CustomCall, Divide, Dot,
            DotGeneral, DynamicBroadcastInDim, DynamicConv, DynamicGather, DynamicIota, DynamicPad, DynamicReshape,
            DynamicSlice, DynamicUpdateSlice, Einsum, Exponential, ExponentialMinusOne, Fft, Floor, Gather, GetDimensionSize,
            GetTupleElement, If, Imag, Infeed, Iota, IsFinite, Log, LogPlusOne, Logistic, Map, Maximum, Minimum, Multiply,
            Negate, Not, OptimizationBarrier, Or, Outfeed, Pad, PartitionId, PopulationCount, Power, Real, RealDynamicSlice,
            Recv, Reduce, ReducePrecision, ReduceScatter, ReduceWindow, Remainder, ReplicaId, Reshape, Return, Reverse, Rng,
            RngBitGenerator, RoundNearestAfz, RoundNearestEven, Rsqrt, Scatter, Select, SelectAndScatter, Send,
            SetDimensionSize, ShiftLeft, ShiftRightArithmetic, ShiftRightLogical, Sign, Sine, Slice, Sort, Sqrt, Subtract,
            Tan, Tanh, TorchIndexSelect, Transpose, TriangularSolve, Tuple, UnaryEinsum, UniformDequantize, UniformQuantize,
            While, Xor,
        ],
        types: [Token, Future],
        attrs: [
            Bounds, ChannelHandle, ConvDimensionNumbers, DotAlgorithm, DotDimensionNumbers, GatherDimensionNumbers,
            OutputOperandAlias, ResultAccuracy, ScatterDimensionNumbers,
        ],
        enums: [
            ComparisonDirection::DEF, ComparisonType::DEF, FftType::DEF, Precision::DEF, ResultAccuracyMode::DEF,
            RngAlgorithm::DEF, RngDistribution::DEF, Transposition::DEF,
        ],
        materialize: materialize,
    }
}

use types::{Future, Token};
