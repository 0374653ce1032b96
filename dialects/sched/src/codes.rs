//! Codes of the rules of schedules, E065x; the names in messages (COVER, RACE, …) are those of the design.

terrace_diag::codes! {
    /// The loops of a dimension do not cover it: an extent is not the tile of another loop of the dimension, or a tile
    /// is walked by no loop and no copy.
    pub COVER: "E0650" Verifier "COVER: loops of a dimension do not fit together";
    /// A tile does not divide its extent, and nothing says what happens with the rest: give the innermost loop of the
    /// dimension a `limit`, or say `tail pad` and make reads and writes safe.
    pub TAIL: "E0651" Verifier "TAIL: a tile does not divide its extent";
    /// A parallel loop stands inside of one that is not wider than it: blocks hold threads, threads hold lanes.
    pub NEST: "E0652" Verifier "NEST: levels are nested in the wrong order";
    /// An effect of a kernel is not spread over all its blocks, or blocks would have to wait for each other.
    pub GRID: "E0653" Verifier "GRID: blocks repeat work or wait for each other";
    /// A loop does not fit the sizes of its kernel.
    pub HW: "E0654" Verifier "HW: loop and hardware sizes differ";
    /// A buffer is used across a parallel loop whose iterations cannot share that memory.
    pub MEM: "E0655" Verifier "MEM: memory is not shared by this level";
    /// A buffer is made where there is no memory of its kind.
    pub HOME: "E0656" Verifier "HOME: no memory of this kind here";
    /// Two iterations that may run at the same time use one element, and one of them writes it.
    pub RACE: "E0657" Verifier "RACE: iterations conflict";
    /// The mechanism that merges contributions does not work for this level or operator.
    pub MECH: "E0658" Verifier "MECH: mechanism does not fit";
    /// The order of the nest changes the order of a reduction whose operator does not commute.
    pub ORDER: "E0659" Verifier "ORDER: the order of a reduction would change";
    /// Threads meet at a point that not all of them reach equally often.
    pub SYNC: "E0660" Verifier "SYNC: not all threads arrive";
    /// The body of a vector loop has no form on vectors.
    pub VEC: "E0661" Verifier "VEC: loop cannot run on lanes";
    /// Buffers need more memory than there is.
    pub CAP: "E0662" Verifier "CAP: buffers are too large";
    /// Steps are not those of one schedule.
    pub STEP: "E0663" Verifier "STEP: layers and labels do not pair up";
}
