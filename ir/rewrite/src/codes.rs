//! Codes of rewriting's diagnostics, E02xx.

terrace_diag::codes! {
    /// Greedy rewriting did not come to an end: some rules undo each other. The note lists the rules applied last;
    /// disable one of them with `--disable-rule` to find the culprit.
    ///
    /// Wrong: rules a + b = b + a and b + a = a + b, which `canonicalize` applies in turns
    ///
    /// Right: the first rule alone, or with a condition that holds in one direction only
    pub DIVERGES: "E0201" Bug "rewriting does not terminate";

    /// A name that stands for a rule is none that the registered dialects bring along. `dead` removes an op that no op
    /// needs; the others are those of `--list-rules`.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(rewrite{rules=add_nothing})'
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(rewrite{rules=dead})'
    /// ```
    pub UNKNOWN_RULE: "E0202" Input "unknown rule";

    /// A strategy was to be applied and could not be at any op: the message has the reason of the rule that was tried
    /// last. `s?` or `s*` never fail.
    ///
    /// Wrong:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(rewrite{strategy=dead})'
    /// ```
    ///
    /// Right:
    ///
    /// ```sh
    /// terrace-opt x.mlir --pipeline='func.func(rewrite{strategy=dead?})'
    /// ```
    pub FAILED: "E0203" Input "the strategy does not apply";

    /// Types were to be converted, and an op of the dialect that had to go is left, since no rule replaces it; or an op keeps
    /// a value of an old type.
    ///
    /// Wrong: no rule replaces `money.add`, and types of `money` are converted
    ///
    /// Right: a rule cast(money.add(cast(a), cast(b))) = arith.addi(a, b)
    pub UNCONVERTED: "E0204" Input "conversion of types is not complete";
}
