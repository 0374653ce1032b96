//! Where a thread is: its ids, and the sizes of what it is in.

use super::attrs::Dimension;
use terrace_dataflow::Ints;
use terrace_ir::rules::{Index, IndexAttr};
use terrace_ir::{Ir, OpId};
use terrace_macros::op;
use terrace_text::SuggestNames;
use terrace_text::names::NameSink;

/// Sizes are at least one, and ids below them; no size exceeds 32 bits, but that of the whole grid may
fn range(mnemonic: &str, upper_bound: Option<i64>) -> Ints {
    let widest = if mnemonic.starts_with("global") { i128::from(i64::MAX) } else { i128::from(u32::MAX) };
    let most = upper_bound.map_or(widest, i128::from);
    if mnemonic.ends_with("_id") {
        Ints::from_unsigned(64, 0, most - 1)
    } else {
        Ints::from_unsigned(64, 1, most)
    }
}

/// Ops with a dimension and an upper bound
macro_rules! indices {
    ($($(#[doc = $doc:literal])* $name:ident $op:literal;)*) => {$(
        $(#[doc = $doc])*
        #[op($op, traits(Pure), interfaces(SuggestNames, terrace_interp::Interpret, terrace_dataflow::InferInts))]
        #[asm("` ` $dimension (`upper_bound` $upper_bound^)? attr-dict")]
        pub struct $name {
            #[attr]
            dimension: Dimension,
            #[attr(optional)]
            upper_bound: IndexAttr,
            #[result]
            result: Index,
        }

        impl terrace_dataflow::InferInts for $name {
            fn infer_ints(ir: &Ir, op: OpId, _: &[Option<Ints>]) -> Vec<Option<Ints>> {
                vec![Some(range(Self::DEF.mnemonic(), $name(op).upper_bound(ir).and_then(|attr| attr.as_i64(ir.cx()))))]
            }
        }

        impl SuggestNames for $name {
            fn names(self, ir: &Ir, name: &mut NameSink<'_>) {
                let dim = self.dimension(ir).word();
                name(self.result(ir), &format!("{}_{dim}", Self::DEF.mnemonic()));
            }
        }
    )*};
}

indices! {
    /// Number of the thread in its block
    ///
    /// ```mlir
    /// func.func @f() -> index {
    ///   %x = gpu.thread_id x upper_bound 128
    ///   return %x : index
    /// }
    /// ```
    ThreadId "gpu.thread_id";
    /// Number of the block in the grid
    ///
    /// ```mlir
    /// func.func @f() -> index {
    ///   %x = gpu.block_id y
    ///   return %x : index
    /// }
    /// ```
    BlockId "gpu.block_id";
    /// Threads in a block
    ///
    /// ```mlir
    /// func.func @f() -> index {
    ///   %x = gpu.block_dim x
    ///   return %x : index
    /// }
    /// ```
    BlockDim "gpu.block_dim";
    /// Blocks in the grid
    ///
    /// ```mlir
    /// func.func @f() -> index {
    ///   %x = gpu.grid_dim z
    ///   return %x : index
    /// }
    /// ```
    GridDim "gpu.grid_dim";
    /// Number of the thread in the grid
    ///
    /// ```mlir
    /// func.func @f() -> index {
    ///   %x = gpu.global_id x upper_bound 65536
    ///   return %x : index
    /// }
    /// ```
    GlobalId "gpu.global_id";
    /// Number of the cluster in the grid
    ///
    /// ```mlir
    /// func.func @f() -> index {
    ///   %x = gpu.cluster_id x
    ///   return %x : index
    /// }
    /// ```
    ClusterId "gpu.cluster_id";
    /// Clusters in the grid
    ///
    /// ```mlir
    /// func.func @f() -> index {
    ///   %x = gpu.cluster_dim x
    ///   return %x : index
    /// }
    /// ```
    ClusterDim "gpu.cluster_dim";
    /// Number of the block in its cluster
    ///
    /// ```mlir
    /// func.func @f() -> index {
    ///   %x = gpu.cluster_block_id x
    ///   return %x : index
    /// }
    /// ```
    ClusterBlockId "gpu.cluster_block_id";
    /// Blocks in a cluster
    ///
    /// ```mlir
    /// func.func @f() -> index {
    ///   %x = gpu.cluster_dim_blocks x
    ///   return %x : index
    /// }
    /// ```
    ClusterDimBlocks "gpu.cluster_dim_blocks";
}

/// Number of the thread in its subgroup
///
/// ```mlir
/// func.func @f() -> index {
///   %x = gpu.lane_id upper_bound 32
///   return %x : index
/// }
/// ```
#[op("gpu.lane_id", interfaces(terrace_interp::Interpret), traits(Pure))]
#[asm("(`upper_bound` $upper_bound^)? attr-dict")]
pub struct LaneId {
    #[attr(optional)]
    upper_bound: IndexAttr,
    #[result]
    result: Index,
}

/// Number of the subgroup in its block
///
/// ```mlir
/// func.func @f() -> index {
///   %x = gpu.subgroup_id : index
///   return %x : index
/// }
/// ```
#[op("gpu.subgroup_id", interfaces(terrace_interp::Interpret), traits(Pure))]
#[asm("(`upper_bound` $upper_bound^)? attr-dict `:` type($result)")]
pub struct SubgroupId {
    #[attr(optional)]
    upper_bound: IndexAttr,
    #[result]
    result: Index,
}

/// Subgroups in a block
///
/// ```mlir
/// func.func @f() -> index {
///   %x = gpu.num_subgroups : index
///   return %x : index
/// }
/// ```
#[op("gpu.num_subgroups", interfaces(terrace_interp::Interpret), traits(Pure))]
#[asm("(`upper_bound` $upper_bound^)? attr-dict `:` type($result)")]
pub struct NumSubgroups {
    #[attr(optional)]
    upper_bound: IndexAttr,
    #[result]
    result: Index,
}

/// Threads in a subgroup
///
/// ```mlir
/// func.func @f() -> index {
///   %x = gpu.subgroup_size upper_bound 64 : index
///   return %x : index
/// }
/// ```
#[op("gpu.subgroup_size", interfaces(terrace_interp::Interpret), traits(Pure))]
#[asm("(`upper_bound` $upper_bound^)? attr-dict `:` type($result)")]
pub struct SubgroupSize {
    #[attr(optional)]
    upper_bound: IndexAttr,
    #[result]
    result: Index,
}
