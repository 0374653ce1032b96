//! Sparse matrices through the vendor's library: `create_*`, `destroy_*`, `sp*`, `sddmm*`, `set_csr_pointers`.
//!
//! All are asynchronous alike: `async [%dependencies]` first, a token last. Their syntax is a table, read and printed by
//! [`syntax`]. The interpreter does not know them.

mod syntax;

use super::attrs::Token;
use syntax::{ArgKind, Format, Tail};
use terrace_diag::Reported;
use terrace_ir::rules::{AnyMemRef, Index, TypeAttr};
use terrace_ir::{Attr, Context};
use terrace_macros::{dialect_type, op};
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// A dense tensor of the library
#[dialect_type("gpu.sparse.dntensor_handle")]
pub struct DnTensorHandle {}

/// A sparse matrix of the library
#[dialect_type("gpu.sparse.spmat_handle")]
pub struct SpMatHandle {}

/// A product of sparse matrices in progress
#[dialect_type("gpu.sparse.spgemmop_handle")]
pub struct SpGemmHandle {}

terrace_ir::attr_enums! {
    /// How a matrix is read
    pub TransposeMode = "gpu.mat_transpose_mode", "transpose mode of sparse matrix supported by sparse tensor ops", spaced {
        NonTranspose "NON_TRANSPOSE" 0, Transpose "TRANSPOSE" 1, ConjugateTranspose "CONJUGATE_TRANSPOSE" 2,
    }
    /// What is done to a matrix of which two of four elements stay
    pub PruneFlag = "gpu.prune_2to4_spmat_flag", "pruning strategy for 2:4 sparse matrix", spaced {
        None "NONE" 0, PruneOnly "PRUNE_ONLY" 1, PruneAndCheck "PRUNE_AND_CHECK" 2,
    }
    /// Step of a product of sparse matrices
    pub SpGemmKind = "gpu.spgemm_work_estimation_or_compute_kind",
    "choose whether spgemm_work_estimation_or_compute does work estimation or compute", spaced {
        WorkEstimation "WORK_ESTIMATION" 0, Compute "COMPUTE" 1,
    }
}

terrace_ir::type_rules! {
    /// Handle of a dense tensor
    DnTensor "dense tensor handle type", |cx, ty| DnTensorHandle::cast(cx, ty).is_some(), only DnTensorHandle::get;
    /// Handle of a sparse matrix
    SpMat "sparse matrix handle type", |cx, ty| SpMatHandle::cast(cx, ty).is_some(), only SpMatHandle::get;
    /// Handle of a product
    SpGemm "SpGEMM operation handle type", |cx, ty| SpGemmHandle::cast(cx, ty).is_some(), only SpGemmHandle::get;
}

fn not_transposed(cx: &Context) -> Attr {
    TransposeMode::NonTranspose.attr(cx)
}

/// Ops of the library: each waits for what it depends on, gives a token last, and is written as its table says
macro_rules! library_ops {
    ($($(#[doc = $docs:literal])* $name:literal $op:ident { $($fields:tt)* } written { $($parts:tt)* })*) => {$(
        $(#[doc = $docs])*
        #[op($name, interfaces(CustomAsm))]
        pub struct $op {
            async_dependencies: Variadic<Token>,
            $($fields)*
            #[result]
            async_token: Optional<Token>,
        }

        impl CustomAsm for $op {
            fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
                syntax::parse(p, &Format { $($parts)* })
            }

            fn print(self, p: &mut OpPrinter<'_>) {
                syntax::print(p, self.0, &Format { $($parts)* });
            }
        }
    )*};
}

library_ops! {
    /// A dense tensor of some sizes over a buffer
    ///
    /// ```mlir
    /// func.func @f(%i: index, %v: memref<?xf64>) {
    ///   %t = gpu.wait async
    ///   %x, %u = gpu.create_dn_tensor async [%t] %v, %i, %i : index, index into memref<?xf64>
    ///   return
    /// }
    /// ```
    "gpu.create_dn_tensor" CreateDnTensor {
        memref: AnyMemRef, dims: Variadic<Index>, #[result] created_tensor: DnTensor,
    } written {
        operands: &[(0, ArgKind::Memory, None), (1, ArgKind::Sizes, None)],
        flag: None, results: &[ArgKind::Tensor], tail: Tail::Dn,
    }

    /// Give a dense tensor up
    ///
    /// ```mlir
    /// func.func @f(%i: index, %v: memref<?xf64>) {
    ///   %x = gpu.create_dn_tensor %v, %i, %i : index, index into memref<?xf64>
    ///   gpu.destroy_dn_tensor %x
    ///   return
    /// }
    /// ```
    "gpu.destroy_dn_tensor" DestroyDnTensor {
        tensor: DnTensor,
    } written {
        operands: &[(0, ArgKind::Tensor, None)],
        flag: None, results: &[], tail: Tail::None,
    }

    /// A sparse matrix by the coordinates of its elements, rows and columns apart
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_coo %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   return
    /// }
    /// ```
    "gpu.create_coo" CreateCoo {
        rows: Index, cols: Index, count: Index,
        row_indices: AnyMemRef, col_indices: AnyMemRef, values: AnyMemRef,
        #[result] created_matrix: SpMat,
    } written {
        operands: &[
            (0, ArgKind::Index, None), (1, ArgKind::Index, None), (2, ArgKind::Index, None),
            (3, ArgKind::Memory, None), (4, ArgKind::Memory, None), (5, ArgKind::Memory, None),
        ],
        flag: None, results: &[ArgKind::Matrix], tail: Tail::Types,
    }

    /// A sparse matrix by the coordinates of its elements, rows and columns by turns
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_coo_aos %i, %i, %i, %ix, %v : memref<?xindex>, memref<?xf64>
    ///   return
    /// }
    /// ```
    "gpu.create_coo_aos" CreateCooAoS {
        rows: Index, cols: Index, count: Index,
        indices: AnyMemRef, values: AnyMemRef, #[result] created_matrix: SpMat,
    } written {
        operands: &[
            (0, ArgKind::Index, None), (1, ArgKind::Index, None), (2, ArgKind::Index, None),
            (3, ArgKind::Memory, None), (4, ArgKind::Memory, None),
        ],
        flag: None, results: &[ArgKind::Matrix], tail: Tail::Types,
    }

    /// A sparse matrix row by row: where each begins, and columns
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %t = gpu.wait async
    ///   %a, %u = gpu.create_csr async [%t] %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   return
    /// }
    /// ```
    "gpu.create_csr" CreateCsr {
        rows: Index, cols: Index, count: Index,
        row_positions: AnyMemRef, col_indices: AnyMemRef,
        values: AnyMemRef, #[result] created_matrix: SpMat,
    } written {
        operands: &[
            (0, ArgKind::Index, None), (1, ArgKind::Index, None), (2, ArgKind::Index, None),
            (3, ArgKind::Memory, None), (4, ArgKind::Memory, None), (5, ArgKind::Memory, None),
        ],
        flag: None, results: &[ArgKind::Matrix], tail: Tail::Types,
    }

    /// A sparse matrix column by column: where each begins, and rows
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_csc %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   return
    /// }
    /// ```
    "gpu.create_csc" CreateCsc {
        rows: Index, cols: Index, count: Index,
        col_positions: AnyMemRef, row_indices: AnyMemRef,
        values: AnyMemRef, #[result] created_matrix: SpMat,
    } written {
        operands: &[
            (0, ArgKind::Index, None), (1, ArgKind::Index, None), (2, ArgKind::Index, None),
            (3, ArgKind::Memory, None), (4, ArgKind::Memory, None), (5, ArgKind::Memory, None),
        ],
        flag: None, results: &[ArgKind::Matrix], tail: Tail::Types,
    }

    /// A sparse matrix of dense blocks, row by row
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_bsr %i, %i, %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   return
    /// }
    /// ```
    "gpu.create_bsr" CreateBsr {
        rows: Index, cols: Index, count: Index,
        block_rows: Index, block_cols: Index, row_positions: AnyMemRef,
        col_indices: AnyMemRef, values: AnyMemRef, #[result] created_matrix: SpMat,
    } written {
        operands: &[
            (0, ArgKind::Index, None), (1, ArgKind::Index, None), (2, ArgKind::Index, None), (3, ArgKind::Index, None),
            (4, ArgKind::Index, None), (5, ArgKind::Memory, None), (6, ArgKind::Memory, None),
            (7, ArgKind::Memory, None),
        ],
        flag: None, results: &[ArgKind::Matrix], tail: Tail::Types,
    }

    /// A matrix of whose every four neighbors two are kept
    ///
    /// ```mlir
    /// func.func @f(%i: index, %v: memref<?xf64>) {
    ///   %a = gpu.create_2to4_spmat {PRUNE_AND_CHECK} %i, %i, %v : memref<?xf64>
    ///   return
    /// }
    /// ```
    "gpu.create_2to4_spmat" Create2To4SpMat {
        rows: Index, cols: Index, memref: AnyMemRef,
        #[attr(name = "pruneFlag")] prune_flag: PruneFlag, #[result] created_matrix: SpMat,
    } written {
        operands: &[(0, ArgKind::Index, None), (1, ArgKind::Index, None), (2, ArgKind::Memory, None)],
        flag: Some(("pruneFlag", PruneFlag::DEF)), results: &[ArgKind::Matrix], tail: Tail::Types,
    }

    /// Give a sparse matrix up
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   gpu.destroy_sp_mat %a
    ///   return
    /// }
    /// ```
    "gpu.destroy_sp_mat" DestroySpMat {
        matrix: SpMat,
    } written {
        operands: &[(0, ArgKind::Matrix, None)],
        flag: None, results: &[], tail: Tail::None,
    }

    /// Bytes of memory that `spmv` needs
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   %x = gpu.create_dn_tensor %v, %i, %i : index, index into memref<?xf64>
    ///   %n = gpu.spmv_buffer_size %a{TRANSPOSE}, %x, %x into f64
    ///   return
    /// }
    /// ```
    "gpu.spmv_buffer_size" SpMvBufferSize {
        a: SpMat, x: DnTensor, y: DnTensor,
        #[attr(name = "modeA", default = not_transposed)] mode_a: TransposeMode,
        #[attr(name = "computeType")] compute_type: TypeAttr, #[result] needed: Index,
    } written {
        operands: &[(0, ArgKind::Matrix, Some("modeA")), (1, ArgKind::Tensor, None), (2, ArgKind::Tensor, None)],
        flag: None, results: &[ArgKind::Index], tail: Tail::Into,
    }

    /// A sparse matrix times a vector
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>, %b: memref<?xi8>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   %x = gpu.create_dn_tensor %v, %i, %i : index, index into memref<?xf64>
    ///   gpu.spmv %a, %x, %x, %b : memref<?xi8> into f64
    ///   return
    /// }
    /// ```
    "gpu.spmv" SpMv {
        a: SpMat, x: DnTensor, y: DnTensor, buffer: AnyMemRef,
        #[attr(name = "modeA", default = not_transposed)] mode_a: TransposeMode,
        #[attr(name = "computeType")] compute_type: TypeAttr,
    } written {
        operands: &[
            (0, ArgKind::Matrix, Some("modeA")), (1, ArgKind::Tensor, None), (2, ArgKind::Tensor, None),
            (3, ArgKind::Memory, None),
        ],
        flag: None, results: &[], tail: Tail::TypesInto,
    }

    /// Bytes of memory that `spmm` needs, for each of its buffers
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   %x = gpu.create_dn_tensor %v, %i, %i : index, index into memref<?xf64>
    ///   %n = gpu.spmm_buffer_size %a, %x{TRANSPOSE}, %x : index into f64
    ///   return
    /// }
    /// ```
    "gpu.spmm_buffer_size" SpMmBufferSize {
        a: SpMat, b: DnTensor, c: DnTensor,
        #[attr(name = "modeA", default = not_transposed)] mode_a: TransposeMode,
        #[attr(name = "modeB", default = not_transposed)] mode_b: TransposeMode,
        #[attr(name = "computeType")] compute_type: TypeAttr, #[result] sizes: Variadic<Index>,
    } written {
        operands: &[
            (0, ArgKind::Matrix, Some("modeA")), (1, ArgKind::Tensor, Some("modeB")), (2, ArgKind::Tensor, None),
        ],
        flag: None, results: &[ArgKind::Sizes], tail: Tail::ResultsInto,
    }

    /// A sparse matrix times a dense one
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>, %b: memref<?xi8>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   %x = gpu.create_dn_tensor %v, %i, %i : index, index into memref<?xf64>
    ///   gpu.spmm %a, %x{TRANSPOSE}, %x, %b : memref<?xi8> into f64
    ///   return
    /// }
    /// ```
    "gpu.spmm" SpMm {
        a: SpMat, b: DnTensor, c: DnTensor,
        buffers: Variadic<AnyMemRef>,
        #[attr(name = "modeA", default = not_transposed)] mode_a: TransposeMode,
        #[attr(name = "modeB", default = not_transposed)] mode_b: TransposeMode,
        #[attr(name = "computeType")] compute_type: TypeAttr,
    } written {
        operands: &[
            (0, ArgKind::Matrix, Some("modeA")), (1, ArgKind::Tensor, Some("modeB")), (2, ArgKind::Tensor, None),
            (3, ArgKind::Buffers, None),
        ],
        flag: None, results: &[], tail: Tail::TypesInto,
    }

    /// Bytes of memory that `sddmm` needs
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   %x = gpu.create_dn_tensor %v, %i, %i : index, index into memref<?xf64>
    ///   %n = gpu.sddmm_buffer_size %x, %x{TRANSPOSE}, %a into f64
    ///   return
    /// }
    /// ```
    "gpu.sddmm_buffer_size" SddmmBufferSize {
        a: DnTensor, b: DnTensor, c: SpMat,
        #[attr(name = "modeA", default = not_transposed)] mode_a: TransposeMode,
        #[attr(name = "modeB", default = not_transposed)] mode_b: TransposeMode,
        #[attr(name = "computeType")] compute_type: TypeAttr, #[result] needed: Index,
    } written {
        operands: &[
            (0, ArgKind::Tensor, Some("modeA")), (1, ArgKind::Tensor, Some("modeB")), (2, ArgKind::Matrix, None),
        ],
        flag: None, results: &[ArgKind::Index], tail: Tail::Into,
    }

    /// A dense matrix times another, at the places of a sparse one
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>, %b: memref<?xi8>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   %x = gpu.create_dn_tensor %v, %i, %i : index, index into memref<?xf64>
    ///   gpu.sddmm %x, %x{TRANSPOSE}, %a, %b : memref<?xi8> into f64
    ///   return
    /// }
    /// ```
    "gpu.sddmm" Sddmm {
        a: DnTensor, b: DnTensor, c: SpMat, buffer: AnyMemRef,
        #[attr(name = "modeA", default = not_transposed)] mode_a: TransposeMode,
        #[attr(name = "modeB", default = not_transposed)] mode_b: TransposeMode,
        #[attr(name = "computeType")] compute_type: TypeAttr,
    } written {
        operands: &[
            (0, ArgKind::Tensor, Some("modeA")), (1, ArgKind::Tensor, Some("modeB")), (2, ArgKind::Matrix, None),
            (3, ArgKind::Memory, None),
        ],
        flag: None, results: &[], tail: Tail::TypesInto,
    }

    /// What steps of a product of sparse matrices have in common
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %d = gpu.spgemm_create_descr
    ///   return
    /// }
    /// ```
    "gpu.spgemm_create_descr" SpGemmCreateDescr {
        #[result] descriptor: SpGemm,
    } written {
        operands: &[],
        flag: None, results: &[ArgKind::Descriptor], tail: Tail::None,
    }

    /// Give the descriptor of a product up
    ///
    /// ```mlir
    /// func.func @f() {
    ///   %d = gpu.spgemm_create_descr
    ///   gpu.spgemm_destroy_descr %d
    ///   return
    /// }
    /// ```
    "gpu.spgemm_destroy_descr" SpGemmDestroyDescr {
        desc: SpGemm,
    } written {
        operands: &[(0, ArgKind::Descriptor, None)],
        flag: None, results: &[], tail: Tail::None,
    }

    /// A step of a product of sparse matrices: how much memory it needs, or the product
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>, %b: memref<?xi8>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   %d = gpu.spgemm_create_descr
    ///   %n = gpu.spgemm_work_estimation_or_compute {COMPUTE} %a, %a{TRANSPOSE}, %a, %d, %i, %b : f64 into memref<?xi8>
    ///   return
    /// }
    /// ```
    "gpu.spgemm_work_estimation_or_compute" SpGemmWorkEstimationOrCompute {
        desc: SpGemm, a: SpMat, b: SpMat, c: SpMat,
        size: Index, buffer: AnyMemRef, #[attr] kind: SpGemmKind,
        #[attr(name = "modeA", default = not_transposed)] mode_a: TransposeMode,
        #[attr(name = "modeB", default = not_transposed)] mode_b: TransposeMode,
        #[attr(name = "computeType")] compute_type: TypeAttr, #[result] needed: Index,
    } written {
        operands: &[
            (1, ArgKind::Matrix, Some("modeA")), (2, ArgKind::Matrix, Some("modeB")), (3, ArgKind::Matrix, None),
            (0, ArgKind::Descriptor, None), (4, ArgKind::Index, None), (5, ArgKind::Memory, None),
        ],
        flag: Some(("kind", SpGemmKind::DEF)), results: &[ArgKind::Index], tail: Tail::ComputeIntoTypes,
    }

    /// Put the product of sparse matrices into the result's memory
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   %d = gpu.spgemm_create_descr
    ///   gpu.spgemm_copy %a, %a{TRANSPOSE}, %a, %d : f64
    ///   return
    /// }
    /// ```
    "gpu.spgemm_copy" SpGemmCopy {
        desc: SpGemm, a: SpMat, b: SpMat, c: SpMat,
        #[attr(name = "modeA", default = not_transposed)] mode_a: TransposeMode,
        #[attr(name = "modeB", default = not_transposed)] mode_b: TransposeMode,
        #[attr(name = "computeType")] compute_type: TypeAttr,
    } written {
        operands: &[
            (1, ArgKind::Matrix, Some("modeA")), (2, ArgKind::Matrix, Some("modeB")), (3, ArgKind::Matrix, None),
            (0, ArgKind::Descriptor, None),
        ],
        flag: None, results: &[], tail: Tail::Compute,
    }

    /// Rows, columns and number of elements of a sparse matrix
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   %r, %c, %n = gpu.spmat_get_size %a
    ///   return
    /// }
    /// ```
    "gpu.spmat_get_size" SpMatGetSize {
        matrix: SpMat, #[result] rows: Index, #[result] cols: Index, #[result] count: Index,
    } written {
        operands: &[(0, ArgKind::Matrix, None)],
        flag: None, results: &[ArgKind::Index, ArgKind::Index, ArgKind::Index], tail: Tail::None,
    }

    /// Give a sparse matrix other memory
    ///
    /// ```mlir
    /// func.func @f(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
    ///   %a = gpu.create_csr %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   gpu.set_csr_pointers %a, %ix, %ix, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
    ///   return
    /// }
    /// ```
    "gpu.set_csr_pointers" SetCsrPointers {
        matrix: SpMat, positions: AnyMemRef, coordinates: AnyMemRef,
        values: AnyMemRef,
    } written {
        operands: &[
            (0, ArgKind::Matrix, None), (1, ArgKind::Memory, None), (2, ArgKind::Memory, None),
            (3, ArgKind::Memory, None),
        ],
        flag: None, results: &[], tail: Tail::Types,
    }
}
