//! What is measured, and for which number of the device's file.

use std::fmt;

use super::programs::{Program, Shape, Tile};
use super::system::System;

/// A program that is timed
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// Cycles
    Clock,
    /// Multiply-adds next to each other
    Peak,
    /// Multiply-adds one after the other
    Latency,
    /// Loads from the first cache
    Loads,
    /// Stores to the first cache
    Stores,
    /// Divisions of vectors
    Divisions,
    /// Roots of vectors
    Roots,
    /// A function of vectors
    Function(&'static str),
    /// So many vectors more than there are registers
    Spills(i64),
    /// Short loops
    Loops,
    /// A long body
    Long(i64),
    /// Working sets of so many bytes
    Reads(i64),
    /// A working set that no cache holds, by so many threads
    Memory(i64),
    /// The same in short runs
    Runs,
    /// Register tiles in so many steps
    Tiles(Tiles, i64),
    /// Copies into a panel
    Panel,
    /// Parallel regions
    Forks,
}

/// Register tiles one below the other
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tiles {
    /// A whole one
    Whole,
    /// Two rows
    Rows,
    /// One vector wide
    Columns,
    /// A whole one and remaining rows
    WithRows,
    /// A whole one and remaining columns
    WithColumns,
}

/// Functions whose mean time is that of a call
pub const FUNCTIONS: [&str; 4] = ["exp", "log", "sin", "tanh"];

/// Vectors more than registers: of fewer, most find one
pub const SPILLS: [i64; 2] = [4, 8];

/// Lengths of long bodies
pub const LONG: [i64; 2] = [4096, 8192];

/// Parts of a cache that are read, in eighths
pub const EIGHTHS: [i64; 8] = [4, 5, 6, 7, 8, 10, 12, 24];

/// Bytes of short runs: a processor reads ahead along a part of them
pub const RUN: i64 = 16 << 10;

/// Steps of tiles whose remainders are measured
pub const BLOCK: i64 = 256;

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Probe::Clock => f.write_str("the clock"),
            Probe::Peak => f.write_str("independent multiply-adds"),
            Probe::Latency => f.write_str("dependent multiply-adds"),
            Probe::Loads => f.write_str("loads"),
            Probe::Stores => f.write_str("stores"),
            Probe::Divisions => f.write_str("divisions"),
            Probe::Roots => f.write_str("roots"),
            Probe::Function(name) => write!(f, "math.{name}"),
            Probe::Spills(more) => write!(f, "{more} vectors more than registers"),
            Probe::Loops => f.write_str("short loops"),
            Probe::Long(length) => write!(f, "a body of {length} multiply-adds"),
            Probe::Reads(bytes) => write!(f, "a working set of {} KiB", bytes / 1024),
            Probe::Memory(1) => f.write_str("memory, one core"),
            Probe::Memory(_) => f.write_str("memory, all cores"),
            Probe::Runs => write!(f, "memory in runs of {} KiB", RUN / 1024),
            Probe::Tiles(tiles, steps) => write!(f, "register tiles ({tiles:?}, {steps} steps)"),
            Probe::Panel => f.write_str("copies into panels"),
            Probe::Forks => f.write_str("parallel regions"),
        }
    }
}

impl Probe {
    /// Does it take so long that it runs only once in each third?
    pub fn is_slow(self) -> bool {
        matches!(self, Probe::Memory(_) | Probe::Runs | Probe::Long(_))
    }

    /// Its program
    pub fn program(self, shape: &Shape, system: &System) -> Program {
        let whole = shape.tile();
        let rows = Tile { rows: 2, ..whole };
        let columns = Tile { vectors: 1, ..whole };
        match self {
            Probe::Clock => shape.clock(),
            Probe::Peak => shape.peak(),
            Probe::Latency => shape.multiply_adds(1),
            Probe::Loads => shape.loads(system.bytes(0) / 2),
            Probe::Stores => shape.stores(system.bytes(0) / 2),
            Probe::Divisions => shape.divisions(),
            Probe::Roots => shape.roots(),
            Probe::Function(name) => shape.function(name),
            Probe::Spills(more) => shape.multiply_adds(shape.sums(more)),
            Probe::Loops => shape.loops(),
            Probe::Long(length) => shape.long(length),
            Probe::Reads(bytes) => shape.reads(bytes),
            Probe::Memory(threads) => shape.reads_memory(system.beyond(), threads, None),
            Probe::Runs => shape.reads_memory(system.beyond(), 1, Some(RUN)),
            Probe::Tiles(Tiles::Whole, steps) => shape.tiles(&[whole], steps),
            Probe::Tiles(Tiles::Rows, steps) => shape.tiles(&[rows], steps),
            Probe::Tiles(Tiles::Columns, steps) => shape.tiles(&[columns], steps),
            Probe::Tiles(Tiles::WithRows, steps) => shape.tiles(&[whole, rows], steps),
            Probe::Tiles(Tiles::WithColumns, steps) => shape.tiles(&[whole, columns], steps),
            Probe::Panel => shape.panel(whole.vectors, BLOCK, panels(shape, system)),
            Probe::Forks => shape.forks(),
        }
    }
}

/// Panels of a matrix that is four times as large as the second cache
fn panels(shape: &Shape, system: &System) -> i64 {
    (4 * system.bytes(1) / (shape.tile().vectors * shape.vector_bytes() * BLOCK)).max(1)
}

/// Everything that is measured, the clock first
pub fn plan(shape: &Shape, system: &System) -> Vec<Probe> {
    let mut all = vec![Probe::Clock, Probe::Peak, Probe::Latency, Probe::Loads, Probe::Stores];
    all.extend([Probe::Divisions, Probe::Roots, Probe::Loops, Probe::Panel, Probe::Forks]);
    all.extend(FUNCTIONS.map(Probe::Function));
    all.extend(SPILLS.map(Probe::Spills));
    all.extend(LONG.map(Probe::Long));
    all.extend((0..2).flat_map(|cache| EIGHTHS.map(|part| Probe::Reads(system.bytes(cache) * part / 8))));
    all.push(Probe::Reads(system.within_third()));
    all.extend(
        [Tiles::Whole, Tiles::Rows]
            .iter()
            .zip([near(shape, system), far(shape, system)])
            .map(|(tiles, steps)| Probe::Tiles(*tiles, steps)),
    );
    let tiles = [Tiles::Whole, Tiles::Rows, Tiles::Columns, Tiles::WithRows, Tiles::WithColumns];
    all.extend(tiles.map(|tiles| Probe::Tiles(tiles, BLOCK)));
    all.extend([Probe::Memory(1), Probe::Memory(shape.units), Probe::Runs]);
    let mut distinct: Vec<Probe> = Vec::new();
    all.into_iter().for_each(|probe| {
        if !distinct.contains(&probe) {
            distinct.push(probe)
        }
    });
    distinct
}

/// Steps of a tile whose panel the first cache has
pub fn near(shape: &Shape, system: &System) -> i64 {
    (system.bytes(0) / 3 / (shape.tile().vectors * shape.vector_bytes())).max(8)
}

/// Steps of a tile whose panel the second cache has, but not the first
pub fn far(shape: &Shape, system: &System) -> i64 {
    (system.bytes(1) / 2 / (shape.tile().vectors * shape.vector_bytes())).max(8)
}
