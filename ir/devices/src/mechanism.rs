//! Mechanisms: how the iterations of a reduction's loop combine their contributions.

terrace_support::words! {
    /// How a level's iterations combine their contributions
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
    pub enum Mechanism {
        /// The level's default
        #[default]
        Auto = "auto",
        /// One after the other
        Chain = "chain",
        /// Lanes of a vector
        Vector = "vector",
        /// Shuffles of a subgroup
        Shuffle = "shuffle",
        /// A tree in shared memory
        Shared = "shared",
        /// Atomic updates
        Atomic = "atomic",
        /// A second kernel
        Kernel = "kernel",
        /// Partial results, merged in order by the last block to arrive
        Last = "last",
        /// Partial results per iteration, merged in order
        Partials = "partials",
    }
}

impl Mechanism {
    /// Those that a schedule may name; the others are what a level does by itself
    pub const OF_SCHEDULES: [Mechanism; 6] = [
        Mechanism::Atomic,
        Mechanism::Kernel,
        Mechanism::Last,
        Mechanism::Shared,
        Mechanism::Shuffle,
        Mechanism::Partials,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        for mechanism in Mechanism::ALL {
            assert_eq!(mechanism.word().parse(), Ok(*mechanism));
        }
    }
}
