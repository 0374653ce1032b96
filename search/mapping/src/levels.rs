//! What a map may be: a loop at a level, or one loop with the map around.

use std::fmt;
use terrace_devices::{Axis, Device, Level, Levels};

/// Threads of a block, also by way of the whole grid
pub const SPREAD: Levels = Levels::THREAD.or(Levels::GLOBAL);

/// Blocks of a grid, also by way of the whole grid
pub const OVER_BLOCKS: Levels = Levels::BLOCK.or(Levels::GLOBAL);

/// Iterations run at the same time on several units; lanes are part of one
pub const IN_PARALLEL: Levels = Levels::SEQUENTIAL.or(Levels::VECTOR).not();

/// What the sizes of a kernel follow from
pub const OF_KERNEL: Levels = SPREAD.or(Levels::BLOCK);

/// Those of the levels that are along an axis
pub fn along(levels: Levels, axis: usize) -> Levels {
    levels.iter().filter(|level| level.axis().map(Axis::number) == Some(axis)).collect()
}

/// What a map is
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MapLevel {
    /// A loop at a level
    At(Level),
    /// One loop with the map around
    Fused,
}

/// A level for each map
pub type Mapping = Vec<MapLevel>;

impl MapLevel {
    /// Iterations one after the other
    pub const SEQ: MapLevel = MapLevel::At(Level::Seq);

    /// The level of its own loop
    pub fn level(self) -> Option<Level> {
        match self {
            MapLevel::At(level) => Some(level),
            MapLevel::Fused => None,
        }
    }

    /// Is it a loop at one of these levels?
    pub fn is_at(self, levels: Levels) -> bool {
        self.level().is_some_and(|level| levels.contains(level))
    }

    /// The place of its axis: 0 for x
    pub fn axis(self) -> Option<usize> {
        self.level()?.axis().map(Axis::number)
    }
}

impl From<Level> for MapLevel {
    fn from(level: Level) -> MapLevel {
        MapLevel::At(level)
    }
}

/// The word behind `:` in a map
impl fmt::Display for MapLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapLevel::At(level) => level.fmt(f),
            MapLevel::Fused => f.write_str("fused"),
        }
    }
}

/// A set of what maps may be
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MapLevels {
    /// Levels of loops
    pub levels: Levels,
    /// One loop with the map around
    pub fused: bool,
}

impl MapLevels {
    /// None
    pub const NONE: MapLevels = MapLevels { levels: Levels::NONE, fused: false };

    /// Those of the paper's Table 2
    pub const OPENCL: MapLevels = MapLevels {
        levels: Levels::of(&[Level::Seq]).or(Levels::THREAD).or(Levels::BLOCK).or(Levels::GLOBAL),
        fused: true,
    };

    /// Those of a device
    pub fn of(device: &Device) -> MapLevels {
        MapLevels { levels: device.levels, fused: device.fused }
    }

    /// Is it one of them?
    pub fn contains(self, value: MapLevel) -> bool {
        match value {
            MapLevel::At(level) => self.levels.contains(level),
            MapLevel::Fused => self.fused,
        }
    }

    /// With one more
    pub fn with(self, value: MapLevel) -> MapLevels {
        match value {
            MapLevel::At(level) => MapLevels { levels: self.levels.with(level), ..self },
            MapLevel::Fused => MapLevels { fused: true, ..self },
        }
    }

    /// Without some levels
    pub fn without(self, levels: Levels) -> MapLevels {
        MapLevels { levels: self.levels.and(levels.not()), ..self }
    }

    /// May it be a loop at one of these levels?
    pub fn may_be_at(self, levels: Levels) -> bool {
        !self.levels.and(levels).is_empty()
    }

    /// How many there are
    pub fn len(self) -> usize {
        self.levels.len() + usize::from(self.fused)
    }

    /// Is there none?
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// In the order of the hardware, `fused` after `seq`
    pub fn iter(self) -> impl Iterator<Item = MapLevel> {
        const SEQ: Levels = Levels::of(&[Level::Seq]);
        let fused = self.fused.then_some(MapLevel::Fused);
        let (seq, others) = (self.levels.and(SEQ), self.levels.and(SEQ.not()));
        seq.iter().map(MapLevel::At).chain(fused).chain(others.iter().map(MapLevel::At))
    }

    /// Those for which something holds
    pub fn filter(self, holds: impl Fn(MapLevel) -> bool) -> MapLevels {
        self.iter().filter(|value| holds(*value)).collect()
    }
}

impl From<MapLevel> for MapLevels {
    fn from(value: MapLevel) -> MapLevels {
        MapLevels::NONE.with(value)
    }
}

impl From<Levels> for MapLevels {
    fn from(levels: Levels) -> MapLevels {
        MapLevels { levels, fused: false }
    }
}

impl FromIterator<MapLevel> for MapLevels {
    fn from_iter<I: IntoIterator<Item = MapLevel>>(all: I) -> MapLevels {
        all.into_iter().fold(MapLevels::NONE, MapLevels::with)
    }
}
