//! Codes of dialects that are loaded, E0040 to E0044.

terrace_diag::codes! {
    /// The file of `--dialect` is no dump of records.
    ///
    /// Wrong: A compilation database, or a dump that was cut off.
    ///
    /// Right: What `llvm-tblgen --dump-json -I include MyOps.td` prints.
    pub DUMP: "E0040" Input "no dump of records";
    /// A dialect cannot be loaded: its name is taken, it has two ops of one name, or a file has no new dialect.
    ///
    /// Wrong, with `terrace-opt /dev/null --irdl-file x.mlir`:
    ///
    /// ```mlir
    /// irdl.dialect @arith {
    ///   irdl.operation @nothing
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// irdl.dialect @mine {
    ///   irdl.operation @nothing
    /// }
    /// ```
    pub DIALECT: "E0041" Input "dialect cannot be loaded";
    /// The file of `--irdl-file` defines nothing that can be loaded: an unknown reference, a constraint that is part
    /// of itself, a wrong number of parameters.
    ///
    /// Wrong, with `terrace-opt /dev/null --irdl-file x.mlir`:
    ///
    /// ```mlir
    /// irdl.dialect @d {
    ///   irdl.type @t {
    ///     %0 = irdl.base @d::@other
    ///     irdl.parameters(elem: %0)
    ///   }
    /// }
    /// ```
    ///
    /// Right:
    ///
    /// ```mlir
    /// irdl.dialect @d {
    ///   irdl.type @other
    ///   irdl.type @t {
    ///     %0 = irdl.base @d::@other
    ///     irdl.parameters(elem: %0)
    ///   }
    /// }
    /// ```
    pub IRDL: "E0042" Input "IRDL cannot be loaded";
    /// Constraints of an op have so many alternatives that the search for one that fits was given up.
    ///
    /// Wrong: An `irdl.operation` with dozens of operands that are each `any_of` many constraints, which share others.
    ///
    /// Right: One constraint that is used for all operands that have one type.
    pub STEPS: "E0043" Limit "constraints were not checked";
    /// A part of a dialect that was loaded is C++ code, which is not run: what it checks is not checked.
    ///
    /// Wrong: An op with `hasVerifier`, or a predicate of a project's own.
    ///
    /// Right: The same, if one knows. `--dialect-details` lists every place.
    pub LEFT: "E0044" Input "known to C++ code only";
}
