//! Codes of code for FPGAs, E0560.

terrace_diag::codes! {
    /// The arrays or products of a program are more than the device has blocks of memory or multipliers for.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline=to-hls`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4096x4096xf32>, %x: tensor<4096xf32>) -> tensor<4096xf32> {
    ///   %y = mdh.compute (i in 4096, k in 4096 pw add) ins(%a = %A[i, k], %b = %x[k]) outs([i])
    ///        attributes {mdh.schedule = ["1: (2048,^) (L1,L1 ; L1) (FOR.1,^)", "2: (1,1) (^,^ ; ^) (FOR.2,FOR.1)"]} {
    ///     %p = arith.mulf %a, %b : f32
    ///     mdh.yield %p : f32
    ///   } : (tensor<4096x4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
    ///   return %y : tensor<4096xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<4096x4096xf32>, %x: tensor<4096xf32>) -> tensor<4096xf32> {
    ///   %y = mdh.compute (i in 4096, k in 4096 pw add) ins(%a = %A[i, k], %b = %x[k]) outs([i])
    ///        attributes {mdh.schedule = ["1: (64,^) (L1,L1 ; L1) (FOR.1,^)", "2: (1,1) (^,^ ; ^) (FOR.2,FOR.1)"]} {
    ///     %p = arith.mulf %a, %b : f32
    ///     mdh.yield %p : f32
    ///   } : (tensor<4096x4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
    ///   return %y : tensor<4096xf32>
    /// }
    /// ```
    pub ROOM: "E0560" Input "the device has no room for it";
}
