//! Passes on upstream's dialects that stay on their level.
//!
//! - [`affine_loop_unroll`]: bodies of affine loops, several times in a row.
//! - [`arith_expand`]: rounding divisions, larger and smaller of two in simpler ops.
//! - [`arith_unsigned_when_equivalent`]: unsigned ops where nothing is negative.
//! - [`bind_sizes`]: constant sizes in place of dynamic ones.
//! - [`disjoint_arguments`]: which buffers among arguments do not alias, and which are only read.
//! - [`func_multi_version`]: one version of a function per level of the processor.
//! - [`gpu_last_block`]: two launches in one, the second by the last block of the first.
//! - [`gpu_shared_to_dynamic`]: shared memory beyond 48 KiB becomes dynamic.
//! - [`int_range_optimizations`]: what ranges of integers decide.
//! - [`promote_buffers_to_stack`]: small buffers that stay within their scope.
//! - [`scf_align_stores`]: non-temporal stores write whole lines, wherever rows begin.
//! - [`scf_ascending_places`]: comparisons of places that loops carry with those of iterations are known.
//! - [`scf_for_to_while`]: loops from a bound to another become loops with a condition.
//! - [`scf_order_floats`]: the largest and smallest of many floats are those of integers.
//! - [`scf_parallel_loop_tiling`]: parallel loops in tiles.
//! - [`scf_peel_first`]: accumulating loops start with their first product in place of zero.
//! - [`scf_stream_copies`]: non-temporal copies write rows that follow each other as one, in whole lines.
//! - [`scf_transpose_copies`]: copies that exchange rows and columns go through registers.
//! - [`scf_unmask_stores`]: stores whose lanes all lie within are plain stores.
//! - [`vector_split_bools`]: vectors of booleans in memory, element by element.
//!
//! **Invariant:** no pass here deletes a dialect; those that do are edges, in `lowering/upstream`. Codes: E05xx.

pub mod affine_loop_unroll;
pub mod arith_expand;
pub mod arith_unsigned_when_equivalent;
pub mod bind_sizes;
pub mod codes;
pub mod disjoint_arguments;
pub mod func_multi_version;
pub mod gpu_last_block;
pub mod gpu_shared_to_dynamic;
pub mod int_range_optimizations;
mod origin;
pub mod promote_buffers_to_stack;
pub mod scf_align_stores;
pub mod scf_ascending_places;
pub mod scf_for_to_while;
pub mod scf_order_floats;
pub mod scf_parallel_loop_tiling;
pub mod scf_peel_first;
pub mod scf_stream_copies;
pub mod scf_transpose_copies;
pub mod scf_unmask_stores;
pub mod vector_split_bools;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[
    affine_loop_unroll::AffineLoopUnroll::INFO,
    arith_expand::ArithExpand::INFO,
    arith_unsigned_when_equivalent::ArithUnsignedWhenEquivalent::INFO,
    bind_sizes::BindSizes::INFO,
    disjoint_arguments::DisjointArguments::INFO,
    func_multi_version::FuncMultiVersion::INFO,
    gpu_last_block::GpuLastBlock::INFO,
    gpu_shared_to_dynamic::GpuSharedToDynamic::INFO,
    int_range_optimizations::IntRangeOptimizations::INFO,
    promote_buffers_to_stack::PromoteBuffersToStack::INFO,
    scf_align_stores::ScfAlignStores::INFO,
    scf_ascending_places::ScfAscendingPlaces::INFO,
    scf_for_to_while::ScfForToWhile::INFO,
    scf_order_floats::ScfOrderFloats::INFO,
    scf_parallel_loop_tiling::ScfParallelLoopTiling::INFO,
    scf_peel_first::ScfPeelFirst::INFO,
    scf_stream_copies::ScfStreamCopies::INFO,
    scf_transpose_copies::ScfTransposeCopies::INFO,
    scf_unmask_stores::ScfUnmaskStores::INFO,
    vector_split_bools::VectorSplitBools::INFO,
];
