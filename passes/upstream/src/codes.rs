//! Codes of the passes on upstream's dialects, E05xx.

terrace_diag::codes! {
    /// Sizes that were promised do not fit the types, or what ops need of each other.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(bind-sizes{sizes=A=4x6})'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<?xf32>) {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<?x?xf32>) {
    ///   return
    /// }
    /// ```
    pub SIZES: "E0506" Verifier "sizes do not fit";
    /// A kernel keeps more in its block's memory than the device has for one block.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline=gpu-shared-to-dynamic`:
    ///
    /// ```mlir
    /// module attributes {gpu.container_module} {
    ///   func.func @f(%x: memref<32xf32>) {
    ///     %c1 = arith.constant 1 : index
    ///     gpu.launch_func @k::@g blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<32xf32>)
    ///     return
    ///   }
    ///   gpu.module @k {
    ///     gpu.func @g(%x: memref<32xf32>) workgroup(%a: memref<256x256xf32, #gpu.address_space<workgroup>>) kernel {
    ///       gpu.return
    ///     }
    ///   }
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// module attributes {gpu.container_module} {
    ///   func.func @f(%x: memref<32xf32>) {
    ///     %c1 = arith.constant 1 : index
    ///     gpu.launch_func @k::@g blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<32xf32>)
    ///     return
    ///   }
    ///   gpu.module @k {
    ///     gpu.func @g(%x: memref<32xf32>) workgroup(%a: memref<64x64xf32, #gpu.address_space<workgroup>>) kernel {
    ///       gpu.return
    ///     }
    ///   }
    /// }
    /// ```
    pub SHARED_MEMORY: "E0507" Verifier "too much memory of the block";
}
