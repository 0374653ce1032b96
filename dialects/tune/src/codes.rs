//! Codes of the rules of search spaces, E074x.

terrace_diag::codes! {
    /// A name is used twice in a space, or a name is used that the space does not have before this op.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// tune.space @s {
    ///   tune.param @theta in 1 to 8
    ///   tune.constraint "c" user : @thata <= 4
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// tune.space @s {
    ///   tune.param @theta in 1 to 8
    ///   tune.constraint "c" user : @theta <= 4
    /// }
    /// ```
    pub NAME: "E0740" Verifier "NAME: no such parameter, or two of a name";
    /// The values of a parameter are none, or not in ascending order, or a range runs backwards.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// tune.space @s {
    ///   tune.param @T in 8 to 1
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// tune.space @s {
    ///   tune.param @T in 1 to 8
    /// }
    /// ```
    pub DOMAIN: "E0741" Verifier "DOMAIN: a parameter has no values";
    /// A constraint asks for a value that the parameter cannot have, or compares what cannot be compared.
    ///
    /// Wrong, with `terrace-opt x.mlir`:
    ///
    /// ```mlir
    /// tune.space @s {
    ///   tune.param @T in 4 to 64 step 4
    ///   tune.constraint "c" user : @T in {4, 6}
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// tune.space @s {
    ///   tune.param @T in 4 to 64 step 4
    ///   tune.constraint "c" user : @T in {4, 8}
    /// }
    /// ```
    pub FORMULA: "E0742" Verifier "FORMULA: a statement that means nothing";
}
