//! Codes of the edge from computations to scheduled loops, E064x.

terrace_diag::codes! {
    /// A schedule does not fit its computation: counts, labels, sizes, names of layers or regions. The message says which
    /// rule (S-…) and what would fit.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(mdh-to-sched)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<10xf32>) -> tensor<10xf32> {
    ///   %c = mdh.compute (i in 10) ins(%a = %A[i]) outs([i])
    ///        attributes {mdh.schedule = ["1: (4) (^ ; ^) (FOR.1)", "2: (1) (^ ; ^) (FOR.1)"]} {
    ///     mdh.yield %a : f32
    ///   } : (tensor<10xf32>) -> tensor<10xf32>
    ///   return %c : tensor<10xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: tensor<10xf32>) -> tensor<10xf32> {
    ///   %c = mdh.compute (i in 10) ins(%a = %A[i]) outs([i])
    ///        attributes {mdh.schedule = ["1: (5) (^ ; ^) (FOR.1)", "2: (1) (^ ; ^) (FOR.1)"]} {
    ///     mdh.yield %a : f32
    ///   } : (tensor<10xf32>) -> tensor<10xf32>
    ///   return %c : tensor<10xf32>
    /// }
    /// ```
    pub SCHEDULE: "E0641" Verifier "schedule does not fit";
    /// Tensors reach an op that has no form on buffers yet: loops in parallel, calls, `scf.execute_region`. Loops in order, `scf.while`
    /// and conditions may carry tensors, if `tensors-to-memory` runs before.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(mdh-to-sched)'`:
    ///
    /// ```mlir
    /// func.func private @g(%A: tensor<4xf32>) -> tensor<4xf32>
    /// func.func @f(%A: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = func.call @g(%A) : (tensor<4xf32>) -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func private @g(%A: memref<4xf32>)
    /// func.func @f(%A: memref<4xf32>) {
    ///   func.call @g(%A) : (memref<4xf32>) -> ()
    ///   return
    /// }
    /// ```
    pub NO_BUFFER: "E0642" Limit "no form on buffers";
    /// A computation has a form that schedules cannot carry out yet.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(mdh-schedule,mdh-to-sched)'`:
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<1xf32>) -> tensor<2199023255552xf32> {
    ///   %0 = mdh.compute (i in 2199023255552) ins(%a = %x[0]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<1xf32>) -> tensor<2199023255552xf32>
    ///   return %0 : tensor<2199023255552xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<1xf32>) -> tensor<1024xf32> {
    ///   %0 = mdh.compute (i in 1024) ins(%a = %x[0]) outs([i]) {
    ///     mdh.yield %a : f32
    ///   } : (tensor<1xf32>) -> tensor<1024xf32>
    ///   return %0 : tensor<1024xf32>
    /// }
    /// ```
    pub NO_NEST: "E0643" Limit "computation has no loop nest yet";
    /// An op of `linalg` or `tensor` has no form as a computation: its sizes are not numbers (L-DYN), its body is not `out ⊕ e`
    /// (L-BODY), its maps leave an iterator open (L-MAP), or it reads what it writes in memory (L-ALIAS).
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(linalg-to-mdh)'`:
    ///
    /// ```mlir
    /// func.func @f(%t: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
    ///   %s = tensor.expand_shape %t [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
    ///   return %s : tensor<?x4xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%t: tensor<8xf32>) -> tensor<2x4xf32> {
    ///   %s = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    ///   return %s : tensor<2x4xf32>
    /// }
    /// ```
    pub LINALG: "E0644" Limit "no form as a computation";
    /// An op of `stablehlo` or `chlo` has no road to computations: it sorts, draws random numbers, is a Fourier transform or a solver, works
    /// on complex numbers or on sizes that are values, passes data between devices, or calls what the program does not have.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='stablehlo-to-mdh'`:
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = stablehlo.custom_call @foo(%x) : (tensor<4xf32>) -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = stablehlo.tanh %x : tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    pub STABLEHLO: "E0645" Limit "no road for an op of StableHLO";
}
