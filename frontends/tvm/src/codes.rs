//! Codes of schedule scripts, E0840; the names in messages (T-…) are the crate's.

terrace_diag::codes! {
    /// A script in the manner of `tvm.te` says something that steps of its computation cannot be. The message names the rule.
    pub SCRIPT: "E0840" Input "T-…: schedule script is refused";
}
