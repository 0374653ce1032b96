//! Codes of the edges from `sched`, E053x.

terrace_diag::codes! {
    /// A loop at this level cannot be lowered for the place it stands at: a kernel's level outside of a kernel, a level
    /// of other hardware.
    pub LEVEL: "E0530" Verifier "level has no meaning here";
    /// Iterations that run at the same time merge into one place, and the schedule does not say how.
    pub MECHANISM: "E0531" Verifier "iterations merge without a mechanism";
    /// An op of the body has no form on the lanes of a vector.
    pub LANES: "E0532" Verifier "op cannot run on vector lanes";
    /// A reduction without initial value and without neutral element may have no iterations.
    pub IDENTITY: "E0533" Verifier "reduction without a neutral element";
    /// A copy is still there: `sched-legalize` makes it loops.
    pub COPY: "E0534" Verifier "copy must become loops before";
    /// A copy that several threads run together stands where there is no block.
    pub COLLECTIVE: "E0535" Verifier "collective copy outside of a kernel";
    /// A value of an open parameter asks for a change of the nest that has not been shown to keep its meaning, or is none.
    pub DECISION: "E0536" Verifier "value of an open parameter refused";
    /// The copies that unrolled loops make of their bodies are more ops than a program of any use has; a sequential loop around
    /// fewer copies is as fast.
    pub COPIES: "E0538" Limit "unrolled body is too large";
    /// An argument that is to be packed ahead of time is not copied to panels in a way that could be done before.
    pub PACK: "E0537" Verifier "argument cannot be packed ahead of time";
}
