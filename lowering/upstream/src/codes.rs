//! Codes of the edges between upstream dialects, E05xx.

terrace_diag::codes! {
    /// An op that holds exactly one block has structured control flow inside, and blocks may not stand there. Lower the
    /// op around it first.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(convert-scf-to-cf)'`:
    ///
    /// ```mlir
    /// func.func @f(%m: memref<4xi32>, %i: index, %c: i1) {
    ///   memref.alloca_scope {
    ///     scf.if %c {
    ///     }
    ///     memref.alloca_scope.return
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%m: memref<4xi32>, %i: index, %c: i1) {
    ///   scf.if %c {
    ///     memref.alloca_scope {
    ///       memref.alloca_scope.return
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    pub ONE_BLOCK: "E0501" Verifier "blocks do not fit here";
    /// A reduction over the threads of a block needs a buffer of the block: inside of `gpu.func` or `gpu.launch`, without
    /// private attributions, and with an operator of one block.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline=gpu-all-reduce-to-shared`:
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f32 {
    ///   %r = gpu.all_reduce add %x {} : (f32) -> f32
    ///   return %r : f32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: f32, %m: memref<32xf32>) {
    ///   %c1 = arith.constant 1 : index
    ///   %c32 = arith.constant 32 : index
    ///   gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
    ///              threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    ///     %r = gpu.all_reduce add %x {} : (f32) -> f32
    ///     memref.store %r, %m[%tx] : memref<32xf32>
    ///     gpu.terminator
    ///   }
    ///   return
    /// }
    /// ```
    pub NO_BLOCK_BUFFER: "E0503" Verifier "no buffer of the block";
    /// A reduction that keeps the last value has no value to start from. Let the loop store the value instead.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(lower-affine)'`:
    ///
    /// ```mlir
    /// func.func @f(%n: index, %x: f32) -> f32 {
    ///   %r = affine.parallel (%i) = (0) to (%n) reduce ("assign") -> (f32) {
    ///     affine.yield %x : f32
    ///   }
    ///   return %r : f32
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%n: index, %x: f32) -> f32 {
    ///   %r = affine.parallel (%i) = (0) to (%n) reduce ("addf") -> (f32) {
    ///     affine.yield %x : f32
    ///   }
    ///   return %r : f32
    /// }
    /// ```
    pub NO_IDENTITY: "E0502" Verifier "reduction without identity";
    /// An op combines, or looks into, values of a float that no target computes with. Widen them to f32 first, and narrow
    /// the result.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline=expand-floats`:
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f8E5M2 {
    ///   %r = arith.truncf %x downward : f32 to f8E5M2
    ///   return %r : f8E5M2
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: f32) -> f8E5M2 {
    ///   %r = arith.truncf %x : f32 to f8E5M2
    ///   return %r : f8E5M2
    /// }
    /// ```
    pub SMALL_FLOAT: "E0504" Verifier "no meaning on small floats";
    /// A kernel cannot be run as loops on the host: an op in it has no counterpart there, threads wait inside of an op that
    /// cannot be split, or keep what has no place in a buffer.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(gpu-launch-to-parallel)'`:
    ///
    /// ```mlir
    /// func.func @f(%n: index) {
    ///   %c0 = arith.constant 0 : index
    ///   %c1 = arith.constant 1 : index
    ///   gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
    ///              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    ///     scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    ///       gpu.barrier
    ///       scf.reduce
    ///     }
    ///     gpu.terminator
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%n: index) {
    ///   %c0 = arith.constant 0 : index
    ///   %c1 = arith.constant 1 : index
    ///   gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
    ///              threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    ///     scf.for %i = %c0 to %c1 step %c1 {
    ///       gpu.barrier
    ///     }
    ///     gpu.terminator
    ///   }
    ///   return
    /// }
    /// ```
    pub NOT_ON_HOST: "E0505" Verifier "kernel cannot run on the host";
}
