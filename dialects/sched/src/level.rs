//! Levels: who runs the iterations of a loop (sched.md §2).
//!
//! Ranks order nesting: a parallel loop stands inside of one of greater rank only. `seq` and `unroll` have none.

use std::fmt;
use std::str::FromStr;

/// Axis of a grid or block
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    /// All, x first
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// 0 for x, 1 for y, 2 for z
    pub fn number(self) -> usize {
        self as usize
    }

    /// `x`
    pub fn name(self) -> &'static str {
        ["x", "y", "z"][self as usize]
    }
}

/// Who runs the iterations of a loop
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Level {
    /// One after the other
    #[default]
    Seq,
    /// One after the other, as copies of the body
    Unroll,
    /// Lanes of a SIMD register
    Vector,
    /// A matrix unit
    Mma,
    /// Items of a subgroup
    Lane(Axis),
    /// Subgroups of a block
    Warp(Axis),
    /// Threads of a block, work-items of a group
    Thread(Axis),
    /// Threads of a pool; adjacent ones count as one loop
    Task,
    /// Replicated units of an FPGA
    Pe,
    /// Blocks of a grid, work-groups
    Block(Axis),
    /// Threads of the whole grid: block and thread of one axis
    Global(Axis),
    /// Clusters of blocks
    Cluster(Axis),
    /// Devices
    Device(Axis),
}

impl Level {
    /// Not `seq` or `unroll`: iterations may run at the same time
    pub fn is_parallel(self) -> bool {
        !matches!(self, Level::Seq | Level::Unroll)
    }

    /// Order of nesting; `None` for `seq` and `unroll`, which may stand anywhere
    pub fn rank(self) -> Option<u8> {
        Some(match self {
            Level::Seq | Level::Unroll => return None,
            Level::Vector => 1,
            Level::Mma | Level::Lane(_) => 2,
            Level::Thread(_) | Level::Warp(_) | Level::Pe => 3,
            Level::Task | Level::Block(_) | Level::Global(_) => 5,
            Level::Cluster(_) => 6,
            Level::Device(_) => 7,
        })
    }

    /// The axis, of those that have one
    pub fn axis(self) -> Option<Axis> {
        match self {
            Level::Lane(axis)
            | Level::Warp(axis)
            | Level::Thread(axis)
            | Level::Block(axis)
            | Level::Global(axis)
            | Level::Cluster(axis)
            | Level::Device(axis) => Some(axis),
            _ => None,
        }
    }

    /// A thread of a block or a part of one
    pub fn is_thread_like(self) -> bool {
        matches!(self, Level::Thread(_) | Level::Warp(_) | Level::Lane(_))
    }

    /// Spread over the grid
    pub fn is_grid_like(self) -> bool {
        matches!(self, Level::Block(_) | Level::Global(_) | Level::Cluster(_))
    }

    /// The word without its axis
    pub fn class(self) -> &'static str {
        match self {
            Level::Seq => "seq",
            Level::Unroll => "unroll",
            Level::Vector => "vector",
            Level::Mma => "mma",
            Level::Lane(_) => "lane",
            Level::Warp(_) => "warp",
            Level::Thread(_) => "thread",
            Level::Task => "task",
            Level::Pe => "pe",
            Level::Block(_) => "block",
            Level::Global(_) => "global",
            Level::Cluster(_) => "cluster",
            Level::Device(_) => "device",
        }
    }

    /// The words that stand for levels, for messages
    pub const WORDS: &'static [&'static str] = &[
        "seq",
        "unroll",
        "vector",
        "mma",
        "lane",
        "warp",
        "thread.x",
        "thread.y",
        "thread.z",
        "task",
        "pe",
        "block.x",
        "block.y",
        "block.z",
        "global.x",
        "global.y",
        "global.z",
        "cluster.x",
        "device.x",
    ];
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.class())?;
        match (self, self.axis()) {
            // One axis is the usual case for these two.
            (Level::Lane(Axis::X) | Level::Warp(Axis::X), _) | (_, None) => Ok(()),
            (_, Some(axis)) => write!(f, ".{}", axis.name()),
        }
    }
}

impl FromStr for Level {
    type Err = ();

    fn from_str(text: &str) -> Result<Level, ()> {
        let (class, axis) = match text.split_once('.') {
            Some((class, axis)) => (class, Some(axis)),
            None => (text, None),
        };
        let axis = match axis {
            None => None,
            Some("x") => Some(Axis::X),
            Some("y") => Some(Axis::Y),
            Some("z") => Some(Axis::Z),
            Some(_) => return Err(()),
        };
        Ok(match (class, axis) {
            ("seq", None) => Level::Seq,
            ("unroll", None) => Level::Unroll,
            ("vector", None) => Level::Vector,
            ("mma", None) => Level::Mma,
            ("task", None) => Level::Task,
            ("pe", None) => Level::Pe,
            ("lane", axis) => Level::Lane(axis.unwrap_or(Axis::X)),
            ("warp", axis) => Level::Warp(axis.unwrap_or(Axis::X)),
            ("thread", Some(axis)) => Level::Thread(axis),
            ("block", Some(axis)) => Level::Block(axis),
            ("global", Some(axis)) => Level::Global(axis),
            ("cluster", Some(axis)) => Level::Cluster(axis),
            ("device", Some(axis)) => Level::Device(axis),
            _ => return Err(()),
        })
    }
}

/// A class of levels as it stands after `per`: `per block`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Per {
    /// Once per warp
    Warp,
    /// Once per block
    Block,
    /// Once per cluster
    Cluster,
    /// Once per task
    Task,
}

impl Per {
    /// Words in order
    pub const WORDS: [&'static str; 4] = ["warp", "block", "cluster", "task"];

    /// From its word
    pub fn from_word(word: &str) -> Option<Per> {
        Some(match word {
            "warp" => Per::Warp,
            "block" => Per::Block,
            "cluster" => Per::Cluster,
            "task" => Per::Task,
            _ => return None,
        })
    }

    /// Is an iteration of a loop at this level what `per` names?
    pub fn owns(self, level: Level) -> bool {
        match self {
            Per::Warp => matches!(level, Level::Warp(_)),
            Per::Block => matches!(level, Level::Block(_)),
            Per::Cluster => matches!(level, Level::Cluster(_)),
            Per::Task => matches!(level, Level::Task),
        }
    }

    /// Levels whose iterations are members: those of a lower rank
    pub fn members(self) -> &'static [&'static str] {
        match self {
            Per::Warp => &["vector", "mma", "lane"],
            Per::Block | Per::Task => &["vector", "mma", "lane", "thread", "warp", "pe"],
            Per::Cluster => &["vector", "mma", "lane", "thread", "warp", "pe", "task", "block", "global"],
        }
    }

    /// Rank of the levels whose iterations are members: those below it share
    pub fn rank(self) -> u8 {
        match self {
            Per::Warp => 3,
            Per::Block | Per::Task => 5,
            Per::Cluster => 6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_those_of_a_lower_rank() {
        for word in Level::WORDS {
            let level: Level = word.parse().expect("a word of the list");
            for per in Per::WORDS.iter().filter_map(|word| Per::from_word(word)) {
                let lower = level.rank().is_some_and(|rank| rank < per.rank());
                assert_eq!(per.members().contains(&level.class()), lower, "{word}");
            }
        }
    }

    #[test]
    fn words_come_back() {
        for word in Level::WORDS {
            let level: Level = word.parse().expect("a word of the list");
            assert_eq!(level.to_string(), *word);
        }
        assert_eq!("thread".parse::<Level>(), Err(()));
        assert_eq!("seq.x".parse::<Level>(), Err(()));
        assert_eq!("warp.y".parse::<Level>().map(|level| level.to_string()), Ok("warp.y".into()));
    }
}
