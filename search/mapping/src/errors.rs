//! Codes of mappings, E076x. Rules of schedules have their own, E065x.

terrace_diag::codes! {
    /// A mapping breaks one of the rules (1) to (7) of parallel mapping: memory belongs to threads and groups, nested maps
    /// share no dimension, dimensions of threads and groups agree on all chains.
    pub PRINTED: "E0760" Verifier "a mapping breaks a rule of nested parallelism";
    /// Two perfectly nested maps are both sequential; fused, they are one. Advice, no matter of being right.
    pub ADVICE: "E0761" Verifier "a mapping goes against advice";
    /// `fused` makes a map part of the loop around, which needs to be the only one in it.
    pub FUSED: "E0762" Verifier "a map is not the only one in the map around";
    /// A map has no loop of its own, and is mapped to a parallel level.
    pub INLINED: "E0763" Verifier "a map without a loop is mapped to a level";
    /// No assignment satisfies all constraints; the ones shown contradict each other, and without any of them there is one.
    pub NO_MAPPING: "E0764" Verifier "no mapping satisfies the constraints";
    /// A mapping names a map that the function does not have, or a level that the device does not have.
    pub MAPPING: "E0765" Usage "a mapping does not fit the function or device";
    /// A user's condition does not hold.
    pub USER: "E0766" Verifier "a mapping breaks a condition of the user";
    /// A search space has no point, or a given point is none of it: which constraints say so is in the message.
    pub SPACE: "E0767" Verifier "a point is not in the search space";
}
