//! `gpu`: kernels, where a thread is, what threads do together, memory of devices.
//!
//! Upstream's vocabulary and syntax. A kernel runs in the interpreter as well (`interp`).

mod asm;
mod attrs;
pub mod format;
mod func;
mod ids;
mod interp;
mod launch;
mod memory;
mod misc;
mod mma;
mod objects;
mod parts;
mod rules;
mod sparse;
mod subgroup;

pub use attrs::*;
pub use func::*;
pub use ids::*;
pub use launch::*;
pub use memory::*;
pub use misc::*;
pub use mma::*;
pub use objects::{Mask, Object, ObjectsAttr, SelectObject};
pub use parts::LaunchParts;
pub use sparse::*;
pub use subgroup::*;

use terrace_macros::dialect;

/// Of a module with device modules: it may launch kernels
pub const CONTAINER_MODULE: &str = "gpu.container_module";
/// Of a function: it is a kernel
pub const KERNEL: &str = "gpu.kernel";

dialect! {
    /// Kernels and devices
    pub GPU = "gpu" {
        ops: [
            AllReduce, Alloc, Barrier, Binary, BlockDim, BlockId, ClusterBlockId, ClusterDim, ClusterDimBlocks,
            ClusterId, Create2To4SpMat, CreateBsr, CreateCoo, CreateCooAoS, CreateCsc, CreateCsr, CreateDnTensor,
            Dealloc, DestroyDnTensor, DestroySpMat, DynamicSharedMemory, Func, GlobalId, GridDim, HostRegister,
            HostUnregister, LaneId, Launch, LaunchFunc, Memcpy, Memset, MmaCompute, MmaConstant, MmaElementwise,
            MmaExtract, MmaInsert, MmaLoad, MmaStore, Module, NumSubgroups, Printf, Return, Rotate, Sddmm,
            SddmmBufferSize, SetCsrPointers, SetDefaultDevice, Shuffle, SpGemmCopy, SpGemmCreateDescr,
            SpGemmDestroyDescr, SpGemmWorkEstimationOrCompute, SpMatGetSize, SpMm, SpMmBufferSize, SpMv,
            SpMvBufferSize, SubgroupBroadcast, SubgroupId, SubgroupReduce, SubgroupSize, Terminator, ThreadId,
            Wait, WarpExecuteOnLane0, Yield,
        ],
        types: [AsyncToken, DnTensorHandle, MmaMatrix, SpGemmHandle, SpMatHandle],
        attrs: [Mask, Object, SelectObject],
        enums: [
            Dimension::DEF, ShuffleMode::DEF, AllReduceOperation::DEF, BroadcastType::DEF, MmaElementwiseOp::DEF,
            AddressSpace::DEF, &MAP_BLOCK, &MAP_WARPGROUP,
            &MAP_WARP, &MAP_THREAD, &MAP_LANE, &MAP_MEMORY, TransposeMode::DEF, PruneFlag::DEF, SpGemmKind::DEF,
        ]
    }
}
