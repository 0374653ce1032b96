//! Diagnostic codes.

terrace_diag::codes! {
    /// Equality saturation works on functions of pure ops whose regions are functions of array patterns, with macros written out.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(array-saturate)'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<8 x i32>, %m: memref<i32>, %v: i32) -> !array.of<8 x i32> {
    ///   %y = array.split 4 %x
    ///   %z = array.join %y
    ///   memref.store %v, %m[] : memref<i32>
    ///   return %z : !array.of<8 x i32>
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<8 x i32>) -> !array.of<8 x i32> {
    ///   %y = array.split 4 %x
    ///   %z = array.join %y
    ///   return %z : !array.of<8 x i32>
    /// }
    /// ```
    pub TERM: "E0768" Verifier "a function is no term";
    /// Rules for equality saturation are rules with values for their parameters, `splitJoin(4) | mapFusion`.
    ///
    /// Wrong: rules that name no number, `array-saturate{rules="splitJoin(four)"}`
    ///
    /// Right: rules with values, `array-saturate{rules="splitJoin(4) | mapFusion"}`
    pub RULES: "E0769" Usage "rules for equality saturation are not understood";
}
