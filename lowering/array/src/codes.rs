//! Codes of the edge from array patterns to scheduled loops, E070x.

terrace_diag::codes! {
    /// A size is still a symbol: loops and buffers need numbers. `array-bind` puts them in.
    pub OPEN: "E0700" Verifier "a size is no number yet";
    /// A computed value is used where it would have to be computed again, or by several: it needs memory. The message names
    /// the op that reads it; a `place` between both makes a buffer.
    pub NO_PLACE: "E0701" Verifier "a computed value has no place";
    /// What is computed goes through a layout op on its way to memory that has no inverse: several of its elements
    /// are one, or which one depends on data.
    pub NO_WRITE: "E0702" Verifier "layout has no inverse to write through";
    /// A pattern has a form that loops cannot carry out.
    pub NO_LOOP: "E0703" Limit "no form as loops";
    /// A level stands where it has no meaning: on a map that only changes the layout, or on a scan.
    pub LEVEL: "E0704" Verifier "level has no meaning here";
    /// A place stands where there is no memory of its kind.
    pub PLACE: "E0705" Verifier "no memory of this kind here";
}
