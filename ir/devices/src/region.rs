//! Regions: the words of schedules and of device files for where a buffer lies.
//!
//! Some regions have two words. Each is a value of its own, so that text prints as it was written; [`Region::space`] and the
//! tests of this module see what they share.

use crate::space::Space;
use std::fmt;
use std::str::FromStr;

/// Where a buffer lies
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Region {
    /// Main memory of a host
    Mm,
    /// Memory of a device
    Dm,
    /// Memory of a device, by its other word
    Dev,
    /// A cache of a host, from 1
    Cache(u8),
    /// Shared memory of a block
    Sm,
    /// Shared memory of a block, by its other word
    Shr,
    /// Private memory of a thread
    Rm,
    /// Registers
    Reg,
}

impl Region {
    /// First cache
    pub const L1: Region = Region::Cache(1);
    /// Second cache
    pub const L2: Region = Region::Cache(2);
    /// Third cache
    pub const L3: Region = Region::Cache(3);

    /// The words
    pub const WORDS: [(&'static str, Region); 10] = [
        ("MM", Region::Mm),
        ("DM", Region::Dm),
        ("DEV", Region::Dev),
        ("L1", Region::L1),
        ("L2", Region::L2),
        ("L3", Region::L3),
        ("SM", Region::Sm),
        ("SHR", Region::Shr),
        ("RM", Region::Rm),
        ("REG", Region::Reg),
    ];

    /// The word
    pub fn word(self) -> &'static str {
        Region::WORDS.iter().find(|(_, region)| *region == self).map_or("", |(word, _)| word)
    }

    /// The memory that the caller's buffers are in
    pub const fn is_global(self) -> bool {
        matches!(self, Region::Mm | Region::Dm | Region::Dev)
    }

    /// Memory that a block shares
    pub const fn is_shared(self) -> bool {
        matches!(self, Region::Sm | Region::Shr)
    }

    /// What a thread has for itself
    pub const fn is_private(self) -> bool {
        matches!(self, Region::Rm | Region::Reg)
    }

    /// The kind of memory: all that rules see
    pub const fn space(self) -> Space {
        match self {
            Region::Mm | Region::Cache(_) => Space::Main,
            Region::Dm | Region::Dev => Space::Device,
            Region::Sm | Region::Shr => Space::Shared,
            Region::Rm | Region::Reg => Space::Private,
        }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Region {
    type Err = ();

    fn from_str(text: &str) -> Result<Region, ()> {
        Region::WORDS.iter().find(|(word, _)| *word == text).map(|(_, region)| *region).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        for (word, region) in Region::WORDS {
            assert_eq!((region.word(), word.parse()), (word, Ok(region)));
        }
        assert_eq!("L9".parse::<Region>(), Err(()));
    }

    #[test]
    fn words_of_one_memory_agree() {
        for (one, other) in [(Region::Dm, Region::Dev), (Region::Sm, Region::Shr)] {
            assert_ne!(one, other);
            assert_eq!(one.space(), other.space());
            assert_eq!((one.is_global(), one.is_shared()), (other.is_global(), other.is_shared()));
        }
    }
}
