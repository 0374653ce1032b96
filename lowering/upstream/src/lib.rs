//! Edges between upstream's own dialects, one file each: `a_to_b.rs`.
//!
//! - [`expand_floats`]: floats of at most 8 bits become integers.
//! - [`gpu_all_reduce_to_shared`]: values of all threads of a block are merged in its shared memory.
//! - [`gpu_inline_kernels`]: kernels of device modules become launched regions again.
//! - [`gpu_kernel_outlining`]: launched regions become kernels of device modules.
//! - [`gpu_launch_sink_index_computations`]: what launched regions can make themselves is made there.
//! - [`gpu_launch_to_parallel`]: launched regions become parallel loops on the host, cut where threads wait.
//! - [`gpu_tree`]: no pass: the tree by which values of threads are merged in shared memory.
//! - [`linalg_generalize_named_ops`]: named ops of `linalg` become `linalg.generic`.
//! - [`linalg_to_loops`]: structured ops on memory become loops, in order, parallel or affine.
//! - [`lower_affine`]: affine loops, conditions and maps become index arithmetic and structured control flow.
//! - [`scf_forall_to_for`]: loops over boxes become loops in order, shared tensors are carried.
//! - [`scf_forall_to_parallel`]: loops over boxes on memory become parallel loops.
//! - [`scf_parallel_for_to_nested_fors`]: parallel loops become loops in order.
//! - [`scf_parallel_to_calls`]: outermost parallel loops become calls that may be cut into pieces.
//! - [`tensor_constants_to_globals`]: constant tensors of different elements become buffers of the module.
//! - [`scf_to_cf`]: structured loops and conditions become blocks and branches.
//!
//! An edge deletes the dialect it starts from, or says at which op it could not. Codes: E05xx.

pub mod codes;
pub mod expand_floats;
pub mod gpu_all_reduce_to_shared;
pub mod gpu_inline_kernels;
pub mod gpu_kernel_outlining;
pub mod gpu_launch_on_devices;
pub mod gpu_launch_sink_index_computations;
pub mod gpu_launch_to_parallel;
pub mod gpu_tree;
pub mod linalg_generalize_named_ops;
pub mod linalg_to_loops;
pub mod lower_affine;
mod parallel_to_for;
pub mod scf_forall_to_for;
pub mod scf_forall_to_parallel;
pub mod scf_parallel_for_to_nested_fors;
pub mod scf_parallel_to_calls;
pub mod scf_to_cf;
pub mod tensor_constants_to_globals;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[
    scf_to_cf::ScfToCf::INFO,
    expand_floats::ExpandFloats::INFO,
    gpu_all_reduce_to_shared::GpuAllReduceToShared::INFO,
    gpu_inline_kernels::GpuInlineKernels::INFO,
    gpu_kernel_outlining::GpuKernelOutlining::INFO,
    gpu_launch_on_devices::GpuLaunchOnDevices::INFO,
    gpu_launch_sink_index_computations::GpuLaunchSinkIndexComputations::INFO,
    gpu_launch_to_parallel::GpuLaunchToParallel::INFO,
    linalg_generalize_named_ops::LinalgGeneralizeNamedOps::INFO,
    linalg_to_loops::ConvertLinalgToAffineLoops::INFO,
    linalg_to_loops::ConvertLinalgToLoops::INFO,
    linalg_to_loops::ConvertLinalgToParallelLoops::INFO,
    lower_affine::LowerAffine::INFO,
    scf_forall_to_for::ScfForallToFor::INFO,
    scf_forall_to_parallel::ScfForallToParallel::INFO,
    scf_parallel_for_to_nested_fors::ScfParallelForToNestedFors::INFO,
    scf_parallel_to_calls::ScfParallelToCalls::INFO,
    tensor_constants_to_globals::TensorConstantsToGlobals::INFO,
];
