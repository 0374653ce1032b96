//! Codes of the passes on scheduled loops, E053x.

terrace_diag::codes! {
    /// An argument that is to be packed ahead of time is not copied to panels in a way that could be done before.
    ///
    /// Wrong: `sched-pack-ahead{arguments=1}` where argument 1 is read element by element, or written.
    ///
    /// Right: An argument that is constant, and that the schedule copies to panels.
    pub PACK: "E0537" Verifier "argument cannot be packed ahead of time";
}
