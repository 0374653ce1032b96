//! How iterations of a loop combine, and what happens at the end of a loop whose tile does not divide its extent.

terrace_support::words! {
    /// Kind of combination
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Combination {
        /// Iterations touch disjoint locations
        #[default]
        Cc = "cc",
        /// Contributions are merged by an operator
        Pw = "pw",
        /// Prefix sums
        Ps = "ps",
        /// Any dependence: body yields the next value
        Ordered = "ordered",
    }
}

terrace_support::words! {
    /// What order a `pw` loop promises
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Order {
        /// A left fold in the order of the source
        Source = "source",
        /// Any bracketing, the same in every run
        #[default]
        Fixed = "fixed",
        /// May differ from run to run
        Free = "free",
    }
}

terrace_support::words! {
    /// What happens where a tile does not divide its extent
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Tail {
        /// Iterations outside are masked
        Mask = "mask",
        /// The last tile is a loop of its own
        Peel = "peel",
        /// Reads are padded, writes clipped
        Pad = "pad",
    }
}
