//! Codes of the edges from `sched`, E053x.

terrace_diag::codes! {
    /// A loop at this level cannot be lowered for the place it stands at: a kernel's level outside of a kernel, a level
    /// of other hardware.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(sched-legalize,sched-to-scf)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
    ///   sched.for (%i in 8 by 1 : pe) {
    ///     %a = sched.read %A[%i] : memref<8xf32>
    ///     sched.write %a, %B[%i] : memref<8xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
    ///   sched.for (%i in 8 by 1 : task) {
    ///     %a = sched.read %A[%i] : memref<8xf32>
    ///     sched.write %a, %B[%i] : memref<8xf32>
    ///   }
    ///   return
    /// }
    /// ```
    pub LEVEL: "E0530" Verifier "level has no meaning here";
    /// Iterations that run at the same time merge into one place, and the schedule does not say how.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(sched-legalize,sched-to-scf)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %s: memref<65xf32>) {
    ///   sched.for (%i in 64 by 1 : task pw add) {
    ///     %a = sched.read %A[%i] : memref<64xf32>
    ///     %b = sched.read %s[64] : memref<65xf32>
    ///     %c = arith.addf %a, %b : f32
    ///     sched.write %c, %s[0] combine add : memref<65xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %s: memref<65xf32>) {
    ///   %b = sched.read %s[64] : memref<65xf32>
    ///   %r = sched.for (%i in 64 by 1 : task pw add) -> f32 {
    ///     %a = sched.read %A[%i] : memref<64xf32>
    ///     %c = arith.addf %a, %b : f32
    ///     sched.yield %c : f32
    ///   }
    ///   sched.write %r, %s[0] combine add : memref<65xf32>
    ///   return
    /// }
    /// ```
    pub MECHANISM: "E0531" Verifier "iterations merge without a mechanism";
    /// An op of the body has no form on the lanes of a vector.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(sched-legalize,sched-to-scf)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.for (%i in 64 by 16, %l in 16 by 1 : vector) {
    ///     %a = sched.read %A[%i + %l] : memref<64xf32>
    ///     %c0 = arith.constant 0.0 : f32
    ///     %p = arith.cmpf ogt, %a, %c0 : f32
    ///     %b = scf.if %p -> (f32) {
    ///       scf.yield %a : f32
    ///     } else {
    ///       scf.yield %c0 : f32
    ///     }
    ///     sched.write %b, %B[%i + %l] : memref<64xf32>
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
    ///   sched.for (%i in 64 by 16, %l in 16 by 1 : vector) {
    ///     %a = sched.read %A[%i + %l] : memref<64xf32>
    ///     %c0 = arith.constant 0.0 : f32
    ///     %p = arith.cmpf ogt, %a, %c0 : f32
    ///     %b = arith.select %p, %a, %c0 : f32
    ///     sched.write %b, %B[%i + %l] : memref<64xf32>
    ///   }
    ///   return
    /// }
    /// ```
    pub LANES: "E0532" Verifier "op cannot run on vector lanes";
    /// A reduction without initial value and without neutral element may have no iterations.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(sched-legalize,sched-to-scf)'`:
    ///
    /// ```mlir
    /// func.func private @f(f32, f32) -> f32 attributes {sched.operator = {associative}}
    /// func.func @g(%A: memref<64xf32>, %s: memref<1xf32>) {
    ///   %r = sched.for (%i in 64 by 1 pw @f) -> f32 {
    ///     %a = sched.read %A[%i] : memref<64xf32>
    ///     sched.yield %a : f32
    ///   }
    ///   sched.write %r, %s[0] : memref<1xf32>
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func private @f(f32, f32) -> f32 attributes {sched.operator = {associative}}
    /// func.func @g(%A: memref<64xf32>, %s: memref<1xf32>) {
    ///   %one = arith.constant 1.0 : f32
    ///   %r = sched.for (%i in 64 by 1 pw @f init(%one)) -> f32 {
    ///     %a = sched.read %A[%i] : memref<64xf32>
    ///     sched.yield %a : f32
    ///   }
    ///   sched.write %r, %s[0] : memref<1xf32>
    ///   return
    /// }
    /// ```
    pub IDENTITY: "E0533" Verifier "reduction without a neutral element";
    /// A copy is still there: `sched-legalize` makes it loops.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(sched-to-scf)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
    ///   sched.copy (%d) in (8) %A[%d] to %B[%d] : memref<8xf32> to memref<8xf32>
    ///   return
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --pipeline='func.func(sched-legalize,sched-to-scf)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
    ///   sched.copy (%d) in (8) %A[%d] to %B[%d] : memref<8xf32> to memref<8xf32>
    ///   return
    /// }
    /// ```
    pub COPY: "E0534" Verifier "copy must become loops before";
    /// A copy that several threads run together stands where there is no block.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(sched-legalize,sched-to-scf)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
    ///   sched.copy per block (%d) in (8) %A[%d] to %B[%d] : memref<8xf32> to memref<8xf32>
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
    ///   sched.copy (%d) in (8) %A[%d] to %B[%d] : memref<8xf32> to memref<8xf32>
    ///   return
    /// }
    /// ```
    pub COLLECTIVE: "E0535" Verifier "collective copy outside of a kernel";
    /// The copies that unrolled loops make of their bodies are more ops than a program of any use has; a sequential loop around
    /// fewer copies is as fast.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(sched-to-scf)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<1048576xf32>, %B: memref<1048576xf32>) {
    ///   sched.for (%i in 1048576 by 64 dim 0 : unroll) {
    ///     sched.for (%j in 64 by 1 dim 0 : unroll) {
    ///       %a = sched.read %A[%i + %j] : memref<1048576xf32>
    ///       sched.write %a, %B[%i + %j] : memref<1048576xf32>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<1048576xf32>, %B: memref<1048576xf32>) {
    ///   sched.for (%i in 1048576 by 64 dim 0) {
    ///     sched.for (%j in 64 by 1 dim 0 : unroll) {
    ///       %a = sched.read %A[%i + %j] : memref<1048576xf32>
    ///       sched.write %a, %B[%i + %j] : memref<1048576xf32>
    ///     }
    ///   }
    ///   return
    /// }
    /// ```
    pub COPIES: "E0538" Limit "unrolled body is too large";
}
