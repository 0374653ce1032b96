//! Mechanisms: how the iterations of a reduction's loop combine their contributions.

use crate::words::by_words;

/// How a level's iterations combine their contributions
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub enum Mechanism {
    /// The level's default
    #[default]
    Auto,
    /// One after the other
    Chain,
    /// Lanes of a vector
    Vector,
    /// Shuffles of a subgroup
    Shuffle,
    /// A tree in shared memory
    Shared,
    /// Atomic updates
    Atomic,
    /// A second kernel
    Kernel,
    /// Partial results per iteration, merged in order
    Partials,
}

impl Mechanism {
    /// The words
    pub const WORDS: [(&'static str, Mechanism); 8] = [
        ("auto", Mechanism::Auto),
        ("chain", Mechanism::Chain),
        ("vector", Mechanism::Vector),
        ("shuffle", Mechanism::Shuffle),
        ("shared", Mechanism::Shared),
        ("atomic", Mechanism::Atomic),
        ("kernel", Mechanism::Kernel),
        ("partials", Mechanism::Partials),
    ];

    /// Those that a schedule may name; the others are what a level does by itself
    pub const OF_SCHEDULES: [Mechanism; 5] =
        [Mechanism::Atomic, Mechanism::Kernel, Mechanism::Shared, Mechanism::Shuffle, Mechanism::Partials];

    /// The word
    pub const fn word(self) -> &'static str {
        Mechanism::WORDS[self as usize].0
    }
}

by_words!(Mechanism);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        for (word, mechanism) in Mechanism::WORDS {
            assert_eq!((mechanism.word(), word.parse()), (word, Ok(mechanism)));
        }
    }
}
