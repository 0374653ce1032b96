//! Codes of hardware, E0561.

terrace_diag::codes! {
    /// The program has something that has no hardware: floats, loops whose bounds are no numbers, memory that is chosen at run time.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline=to-calyx --emit=calyx`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
    ///   affine.for %i = 0 to 8 {
    ///     %a = affine.load %A[%i] : memref<8xf32>
    ///     %b = arith.addf %a, %a : f32
    ///     affine.store %b, %B[%i] : memref<8xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8xi32>, %B: memref<8xi32>) {
    ///   affine.for %i = 0 to 8 {
    ///     %a = affine.load %A[%i] : memref<8xi32>
    ///     %b = arith.addi %a, %a : i32
    ///     affine.store %b, %B[%i] : memref<8xi32>
    ///   }
    ///   return
    /// }
    /// ```
    pub HARDWARE: "E0561" Input "there is no hardware for it";
}
