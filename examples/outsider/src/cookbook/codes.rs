//! Codes of the crate's own diagnostics. `--explain` shows them, since the dialect names the list.

terrace_diag::codes! {
    /// A discount takes off more than all, or less than nothing.
    ///
    /// Wrong:
    ///
    /// ```mlir
    /// func.func @f(%price: i64) -> i64 {
    ///   %p = shop.discount %price by 120
    ///   return %p : i64
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// func.func @f(%price: i64) -> i64 {
    ///   %p = shop.discount %price by 20
    ///   return %p : i64
    /// }
    /// ```
    pub DISCOUNT: "E9101" Verifier "discount of more than 100 %";
}
