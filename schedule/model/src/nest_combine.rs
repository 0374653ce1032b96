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
        /// The same, where a product and its addition are rounded once
        Fused = "fused",
        /// Iterations `k` and `k + n/2` of `n` are merged, then the same of the first half, until one is left
        Tree = "tree",
        /// Any bracketing, the same in every run
        #[default]
        Fixed = "fixed",
        /// May differ from run to run
        Free = "free",
    }
}

impl Order {
    /// Is it one fold from the left, in the order of the source?
    pub fn is_left_fold(self) -> bool {
        matches!(self, Order::Source | Order::Fused)
    }

    /// Does it state every bracket, so that no loop merges its contributions in another way?
    pub fn states_brackets(self) -> bool {
        self.is_left_fold() || self == Order::Tree
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
