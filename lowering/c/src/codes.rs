//! Codes of the text back ends' diagnostics, E0750–E0759.

terrace_diag::codes! {
    /// An op has no spelling in the language asked for. Nothing is printed. The help names the pass that lowers it, if
    /// there is one.
    pub OP: "E0750" Input "op has no spelling in this language";
    /// A value has a type that the language asked for does not have, or not portably.
    pub TYPE: "E0751" Input "type has no spelling in this language";
    /// The unit holds nothing that this language can express: OpenCL C and CUDA C are printed from `gpu.module`, C from
    /// functions.
    pub NOTHING: "E0752" Input "nothing to print in this language";
    /// A function's body, or the body of a structured op, has branches between blocks. Text is printed from structured
    /// loops and conditions.
    pub BLOCKS: "E0753" Input "body is not structured";
}
