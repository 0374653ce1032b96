//! Levels: who runs the iterations of a loop; axes, and sets of levels.
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

impl FromStr for Axis {
    type Err = ();

    fn from_str(text: &str) -> Result<Axis, ()> {
        Axis::ALL.into_iter().find(|axis| axis.name() == text).ok_or(())
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

    /// Every level, in the order of the hardware
    pub const ALL: [Level; 27] = {
        let mut all = [Level::Seq; 27];
        let (mut n, mut axis) = (0, 0);
        let plain = [Level::Seq, Level::Unroll, Level::Vector, Level::Mma, Level::Task, Level::Pe];
        while n < plain.len() {
            all[plain[n].index() as usize] = plain[n];
            n += 1;
        }
        while axis < 3 {
            let along = Axis::ALL[axis];
            let own = [
                Level::Lane(along),
                Level::Warp(along),
                Level::Thread(along),
                Level::Block(along),
                Level::Global(along),
                Level::Cluster(along),
                Level::Device(along),
            ];
            n = 0;
            while n < own.len() {
                all[own[n].index() as usize] = own[n];
                n += 1;
            }
            axis += 1;
        }
        all
    };

    /// Position in [`Level::ALL`], and the bit in [`Levels`]
    pub const fn index(self) -> u32 {
        match self {
            Level::Seq => 0,
            Level::Unroll => 1,
            Level::Vector => 2,
            Level::Mma => 3,
            Level::Lane(axis) => 4 + axis as u32,
            Level::Warp(axis) => 7 + axis as u32,
            Level::Thread(axis) => 10 + axis as u32,
            Level::Task => 13,
            Level::Pe => 14,
            Level::Block(axis) => 15 + axis as u32,
            Level::Global(axis) => 18 + axis as u32,
            Level::Cluster(axis) => 21 + axis as u32,
            Level::Device(axis) => 24 + axis as u32,
        }
    }

    /// The words of levels for messages: lanes, warps, clusters and devices along x only, which is the usual case
    pub fn words() -> Vec<String> {
        let usual = |level: &&Level| {
            let along_x = matches!(level.axis(), None | Some(Axis::X));
            along_x || matches!(level, Level::Thread(_) | Level::Block(_) | Level::Global(_))
        };
        Level::ALL.iter().filter(usual).map(Level::to_string).collect()
    }
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
            Some((class, axis)) => (class, Some(axis.parse::<Axis>()?)),
            None => (text, None),
        };
        let named = |level: &&Level| {
            let axis = match level {
                Level::Lane(_) | Level::Warp(_) => Some(axis.unwrap_or(Axis::X)),
                _ => axis,
            };
            level.class() == class && level.axis() == axis
        };
        Level::ALL.iter().find(named).copied().ok_or(())
    }
}

/// A set of levels
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Levels(u32);

impl Levels {
    /// No level
    pub const NONE: Levels = Levels(0);
    /// Every level
    pub const ALL: Levels = Levels((1 << 27) - 1);
    /// One thread runs the iterations, one after the other
    pub const SEQUENTIAL: Levels = Levels::of(&[Level::Seq, Level::Unroll]);
    /// Lanes of a register
    pub const VECTOR: Levels = Levels::of(&[Level::Vector]);
    /// A matrix unit
    pub const MMA: Levels = Levels::of(&[Level::Mma]);
    /// Items of a subgroup, along any axis
    pub const LANE: Levels = Levels::along(Level::Lane(Axis::X));
    /// Subgroups of a block, along any axis
    pub const WARP: Levels = Levels::along(Level::Warp(Axis::X));
    /// Threads of a block, along any axis
    pub const THREAD: Levels = Levels::along(Level::Thread(Axis::X));
    /// Threads of a pool
    pub const TASK: Levels = Levels::of(&[Level::Task]);
    /// Replicated units of an FPGA
    pub const PE: Levels = Levels::of(&[Level::Pe]);
    /// Blocks of a grid, along any axis
    pub const BLOCK: Levels = Levels::along(Level::Block(Axis::X));
    /// Threads of the whole grid, along any axis
    pub const GLOBAL: Levels = Levels::along(Level::Global(Axis::X));
    /// Clusters of blocks, along any axis
    pub const CLUSTER: Levels = Levels::along(Level::Cluster(Axis::X));
    /// Devices, along any axis
    pub const DEVICE: Levels = Levels::along(Level::Device(Axis::X));
    /// Threads of a block and parts of them
    pub const IN_BLOCK: Levels = Levels::THREAD.or(Levels::WARP).or(Levels::LANE);
    /// What a grid spreads over its blocks
    pub const OVER_BLOCKS: Levels = Levels::BLOCK.or(Levels::GLOBAL).or(Levels::CLUSTER);
    /// Everything that only a kernel has
    pub const ON_GRID: Levels = Levels::IN_BLOCK.or(Levels::OVER_BLOCKS);

    /// The set of these
    pub const fn of(all: &[Level]) -> Levels {
        let (mut bits, mut n) = (0, 0);
        while n < all.len() {
            bits |= 1 << all[n].index();
            n += 1;
        }
        Levels(bits)
    }

    /// The three axes of a level, from the one along x
    const fn along(x: Level) -> Levels {
        Levels(0b111 << x.index())
    }

    /// Levels of either set
    pub const fn or(self, other: Levels) -> Levels {
        Levels(self.0 | other.0)
    }

    /// Levels of both sets
    pub const fn and(self, other: Levels) -> Levels {
        Levels(self.0 & other.0)
    }

    /// Levels that are not in the set
    pub const fn not(self) -> Levels {
        Levels(Levels::ALL.0 & !self.0)
    }

    /// With one level more
    pub const fn with(self, level: Level) -> Levels {
        Levels(self.0 | 1 << level.index())
    }

    /// Is the level in the set?
    pub const fn contains(self, level: Level) -> bool {
        self.0 & 1 << level.index() != 0
    }

    /// Is every level of the set in the other?
    pub const fn is_subset(self, other: Levels) -> bool {
        self.0 & !other.0 == 0
    }

    /// Is the set empty?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of levels
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The levels, in the order of the hardware
    pub fn iter(self) -> impl Iterator<Item = Level> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = left.trailing_zeros();
            left &= left.checked_sub(1)?;
            Level::ALL.get(first as usize).copied()
        })
    }
}

impl FromIterator<Level> for Levels {
    fn from_iter<I: IntoIterator<Item = Level>>(all: I) -> Levels {
        all.into_iter().fold(Levels::NONE, Levels::with)
    }
}

impl fmt::Debug for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|level| level.to_string())).finish()
    }
}

terrace_support::words! {
    /// A class of levels as written after `per`: `per block`
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Per {
        /// Once per warp
        Warp = "warp",
        /// Once per block
        Block = "block",
        /// Once per cluster
        Cluster = "cluster",
        /// Once per task
        Task = "task",
    }
}

impl Per {
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
    pub const fn members(self) -> Levels {
        let warp = Levels::VECTOR.or(Levels::MMA).or(Levels::LANE);
        let block = warp.or(Levels::THREAD).or(Levels::WARP).or(Levels::PE);
        match self {
            Per::Warp => warp,
            Per::Block | Per::Task => block,
            Per::Cluster => block.or(Levels::TASK).or(Levels::BLOCK).or(Levels::GLOBAL),
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
        for level in Level::ALL {
            for per in Per::ALL {
                let lower = level.rank().is_some_and(|rank| rank < per.rank());
                assert_eq!(per.members().contains(level), lower, "{level} {per}");
            }
        }
    }

    #[test]
    fn words_come_back() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!(Level::words().len(), 19);
        assert_eq!("thread".parse::<Level>(), Err(()));
        assert_eq!("seq.x".parse::<Level>(), Err(()));
        assert_eq!("warp.x".parse(), Ok(Level::Warp(Axis::X)));
        assert_eq!("warp.y".parse::<Level>().map(|level| level.to_string()), Ok("warp.y".into()));
    }

    #[test]
    fn a_level_is_a_bit() {
        for (n, level) in Level::ALL.into_iter().enumerate() {
            assert_eq!(level.index() as usize, n);
            assert_eq!(Levels::of(&[level]).iter().collect::<Vec<_>>(), [level]);
        }
        assert_eq!(Levels::ALL.len(), Level::ALL.len());
        for (set, class) in [
            (Levels::LANE, "lane"),
            (Levels::WARP, "warp"),
            (Levels::THREAD, "thread"),
            (Levels::BLOCK, "block"),
            (Levels::GLOBAL, "global"),
            (Levels::CLUSTER, "cluster"),
            (Levels::DEVICE, "device"),
        ] {
            assert!(set.len() == 3 && set.iter().all(|level| level.class() == class), "{set:?}");
        }
        assert!(Levels::ON_GRID.iter().all(|level| level.is_thread_like() || level.is_grid_like()));
        assert!(Levels::SEQUENTIAL.not().iter().all(Level::is_parallel));
    }
}
