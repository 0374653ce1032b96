//! Codes of the text back ends' diagnostics, E0750–E0759.

terrace_diag::codes! {
    /// An op has no spelling in the requested language. Nothing is printed. The help names the pass that lowers it, if
    /// there is one.
    ///
    /// Wrong, with `terrace-opt x.mlir --emit=opencl`:
    ///
    /// ```mlir
    /// gpu.module @m {
    ///   gpu.func @f(%n: index) kernel {
    ///     %m = memref.alloc(%n) : memref<?xf32>
    ///     gpu.return
    ///   }
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// gpu.module @m {
    ///   gpu.func @f(%m: memref<8xf32>, %x: f32) kernel {
    ///     %c0 = arith.constant 0 : index
    ///     memref.store %x, %m[%c0] : memref<8xf32>
    ///     gpu.return
    ///   }
    /// }
    /// ```
    pub OP: "E0750" Input "op has no spelling in this language";
    /// A value has a type that the requested language does not have, or not portably.
    ///
    /// Wrong, with `terrace-opt x.mlir --emit=openmp`:
    ///
    /// ```mlir
    /// func.func @f(%x: i7) -> i7 {
    ///   return %x : i7
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: i32) -> i32 {
    ///   return %x : i32
    /// }
    /// ```
    pub TYPE: "E0751" Input "type has no spelling in this language";
    /// The unit holds nothing that this language can express: OpenCL C and CUDA C are printed from `gpu.module`, C from
    /// functions.
    ///
    /// Wrong, with `terrace-opt x.mlir --emit=cuda`:
    ///
    /// ```mlir
    /// func.func @f() {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// gpu.module @m {
    ///   gpu.func @f() kernel {
    ///     gpu.return
    ///   }
    /// }
    /// ```
    pub NOTHING: "E0752" Input "nothing to print in this language";
    /// A function's body, or the body of a structured op, has branches between blocks. Text is printed from structured
    /// loops and conditions.
    ///
    /// Wrong, with `terrace-opt x.mlir --emit=openmp`:
    ///
    /// ```mlir
    /// func.func @f(%c: i1) {
    ///   cf.cond_br %c, ^a, ^b
    /// ^a:
    ///   return
    /// ^b:
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%c: i1) {
    ///   scf.if %c {
    ///   }
    ///   return
    /// }
    /// ```
    pub BLOCKS: "E0753" Input "body is not structured";
}
