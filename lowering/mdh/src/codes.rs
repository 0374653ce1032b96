//! Codes of the edge from computations to scheduled loops, E064x.

terrace_diag::codes! {
    /// A schedule does not fit its computation: counts, labels, sizes, names of layers or regions. The message says which
    /// rule (S-…) and what would fit.
    pub SCHEDULE: "E0641" Verifier "schedule does not fit";
    /// Tensors reach an op that has no form on buffers yet: loops in parallel, calls, `scf.execute_region`. Loops in order, `scf.while`
    /// and conditions may carry tensors, if `tensors-to-memory` runs before.
    pub NO_BUFFER: "E0642" Limit "no form on buffers";
    /// A computation has a form that schedules cannot carry out yet.
    pub NO_NEST: "E0643" Limit "computation has no loop nest yet";
    /// An op of `linalg` or `tensor` has no form as a computation: its sizes are not numbers (L-DYN), its body is not `out ⊕ e`
    /// (L-BODY), its maps leave an iterator open (L-MAP), or it reads what it writes in memory (L-ALIAS).
    pub LINALG: "E0644" Limit "no form as a computation";
}
