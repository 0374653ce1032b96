//! Codes of the rules of array patterns, E068x.

terrace_diag::codes! {
    /// A condition on sizes does not hold: a size does not divide another, two that must be equal are not, or a part is
    /// larger than the whole. Sizes in the message are simplified.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<4 * @n + 2 x f32>) {
    ///   %0 = array.split 4 %x
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<4 * @n x f32>) {
    ///   %0 = array.split 4 %x
    ///   return
    /// }
    /// ```
    pub SIZE: "E0680" Verifier "SIZE: sizes do not fit";
    /// An array pattern got operands, or its function has arguments or results, of types that it cannot work on.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<@n x 2 x f32>) {
    ///   %0 = "array.join"(%x) : (!array.of<@n x 2 x f32>) -> !array.of<@n x f32>
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<@n x 2 x f32>) {
    ///   %0 = array.join %x
    ///   return
    /// }
    /// ```
    pub TYPE: "E0681" Verifier "TYPE: types do not fit the pattern";
    /// An operator is not one for the type, is no function of it, or is not declared associative.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<8 x f32>) {
    ///   %0 = array.reduce xor %x as %a {
    ///     array.yield %a
    ///   }
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%x: !array.of<8 x f32>) {
    ///   %0 = array.reduce add %x as %a {
    ///     array.yield %a
    ///   }
    ///   return
    /// }
    /// ```
    pub OPERATOR: "E0682" Verifier "OPERATOR: no operator for this type";
    /// `array.bind` is no dictionary of sizes.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// func.func @f() attributes {array.bind = {n = -1}} {
    ///   return
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f() attributes {array.bind = {n = 4}} {
    ///   return
    /// }
    /// ```
    pub BIND: "E0683" Verifier "BIND: symbols are bound to no sizes";
    /// A size whose symbols have no value, or values whose lengths contradict their types, while interpreting.
    ///
    /// Wrong: `array.gather %x by 0 size @m`, interpreted while `@m` has no value.
    ///
    /// Right: `array.bind = {m = 4}` at the function, or the pass `array-bind{sizes=m=4}` before.
    pub UNBOUND: "E0684" Usage "a size is not known";
}
