//! Codes of passes on array patterns, E069x.

terrace_diag::codes! {
    /// Sizes were given numbers that a condition of an op, or a size itself, does not allow.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline='func.func(array-bind{sizes=n=10,m=4})'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@n / @m x @m x f32> {
    ///   %0 = array.split @m %x
    ///   return %0 : !array.of<@n / @m x @m x f32>
    /// }
    /// ```
    ///
    /// Right, with `terrace-opt x.mlir --pipeline='func.func(array-bind{sizes=n=12,m=4})'`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<@n x f32>) -> !array.of<@n / @m x @m x f32> {
    ///   %0 = array.split @m %x
    ///   return %0 : !array.of<@n / @m x @m x f32>
    /// }
    /// ```
    pub BOUND: "E0690" Verifier "sizes do not fit the numbers given";
    /// A call inside of an array pattern could not be inlined.
    ///
    /// Wrong, with `terrace-opt x.mlir --pipeline=array-inline`:
    ///
    /// ```mlir
    /// func.func private @g(%a: i32) -> i32
    /// func.func @f(%x: !array.of<@n x i32>) {
    ///   %0 = array.map @g %x
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func private @g(%a: i32) -> i32 {
    ///   return %a : i32
    /// }
    /// func.func @f(%x: !array.of<@n x i32>) {
    ///   %0 = array.map @g %x
    ///   return
    /// }
    /// ```
    pub CALL: "E0691" Verifier "CALL: a call stays inside of a pattern";
}
