//! Codes of the passes on scheduled loops, E053x.

terrace_diag::codes! {
    /// An argument that is to be packed ahead of time is not copied to panels in a way that could be done before.
    ///
    /// Wrong: `sched-pack-ahead{arguments=1}` where argument 1 is read element by element, or written.
    ///
    /// Right: An argument that is constant, and that the schedule copies to panels.
    pub PACK: "E0537" Verifier "argument cannot be packed ahead of time";
    /// A kernel says `sched.joins`, but cannot run in the blocks of the kernel in front of it: it stays a kernel of its own. It is a remark.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(sched-join-kernels)'`:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8x16xf32>, %B: memref<8x16xf32>) {
    ///   sched.kernel @a grid [8, 1, 1] block [1, 1, 1] {
    ///     sched.for (%i in 8 by 1 dim 0 : block.x) {
    ///       %a = sched.read %A[%i, 0] : memref<8x16xf32>
    ///       sched.write %a, %B[%i, 0] : memref<8x16xf32>
    ///     }
    ///   }
    ///   sched.kernel @b grid [8, 1, 1] block [1, 1, 1] {
    ///     sched.for (%i in 8 by 1 dim 0 : block.x) {
    ///       %a = sched.read %B[%i * -1 + 7, 0] : memref<8x16xf32>
    ///       sched.write %a, %A[%i, 1] : memref<8x16xf32>
    ///     }
    ///   } {sched.joins}
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%A: memref<8x16xf32>, %B: memref<8x16xf32>) {
    ///   sched.kernel @a grid [8, 1, 1] block [1, 1, 1] {
    ///     sched.for (%i in 8 by 1 dim 0 : block.x) {
    ///       %a = sched.read %A[%i, 0] : memref<8x16xf32>
    ///       sched.write %a, %B[%i, 0] : memref<8x16xf32>
    ///     }
    ///   }
    ///   sched.kernel @b grid [8, 1, 1] block [1, 1, 1] {
    ///     sched.for (%i in 8 by 1 dim 0 : block.x) {
    ///       %a = sched.read %B[%i, 0] : memref<8x16xf32>
    ///       sched.write %a, %A[%i, 1] : memref<8x16xf32>
    ///     }
    ///   } {sched.joins}
    ///   return
    /// }
    /// ```
    pub JOINS: "E0539" Verifier "kernel does not join the one in front of it";
}
