//! Codes of passes and pipelines, E02xx.

terrace_diag::codes! {
    /// The pipeline's text is not of the form `op(pass{option=value},op(pass))`.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(cse'
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(cse)'
    /// ```
    pub SYNTAX: "E0210" Usage "malformed pipeline";
    /// No pass, named pipeline or op of this name is registered. `--list-passes` shows all.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(cze)'
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(cse)'
    /// ```
    pub UNKNOWN_PASS: "E0211" Usage "unknown pass";
    /// The pass has no such option, or the value is not of the option's kind.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(rewrite{rule=dead})'
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(rewrite{rules=dead})'
    /// ```
    pub OPTION: "E0212" Usage "wrong pass option";
    /// The pass works on another kind of op than the one its pipeline is nested in.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='mdh-schedule'
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(mdh-schedule)'
    /// ```
    pub ANCHOR: "E0213" Usage "pass in the wrong nest";
    /// A pass left IR that the verifier refuses. This is a bug in the pass.
    ///
    /// Wrong: A pass that changes the type of a value, and not the ops that use it.
    ///
    /// Right: One that gives the users a cast of the value; `--verify-each` shows the pass that does otherwise.
    pub BROKEN: "E0214" Bug "pass left invalid IR";
    /// A pass panicked. This is a bug in the pass.
    ///
    /// Wrong: A pass that takes `unit.block_args(entry)[0]` of a function without arguments.
    ///
    /// Right: One that asks `unit.block_args(entry).first()`.
    pub PANIC: "E0215" Bug "pass panicked";
}
