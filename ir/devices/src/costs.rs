//! What things cost on a device: the numbers of cost models, each with its unit in its key.
//!
//! One table per block of a device's file. A file that leaves a whole block out has the values of the table, which are assumed.

use crate::DeviceKind;
use std::fmt;

/// Where the numbers of a block come from
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Source {
    /// The file has no such block: a guess of this crate
    #[default]
    Missing,
    /// A guess, right to a factor
    Assumed,
    /// Measured on such a device, at a date
    Calibrated(String),
    /// The vendor's documents
    Vendor,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Missing | Source::Assumed => f.write_str("assumed"),
            Source::Calibrated(date) => write!(f, "calibrated {date}"),
            Source::Vendor => f.write_str("vendor"),
        }
    }
}

/// A number of a block
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Key {
    /// Name and unit, as files have them
    pub word: &'static str,
    /// Least value
    pub least: f64,
    /// Largest value
    pub most: f64,
}

/// Blocks of numbers: a struct, and the keys of its fields
macro_rules! blocks {
    ($(
        $(#[$doc:meta])*
        $block:ident = $name:literal {
            $($(#[$field_doc:meta])* $field:ident = $word:literal, $least:literal to $most:literal: $value:literal;)*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug)]
        pub struct $block {
            /// Where the numbers come from
            pub source: Source,
            $($(#[$field_doc])* pub $field: f64,)*
        }

        impl Default for $block {
            fn default() -> $block {
                $block { source: Source::default(), $($field: $value,)* }
            }
        }

        impl $block {
            /// Its name in files
            pub const NAME: &'static str = $name;
            /// Its numbers, in order
            pub const KEYS: &'static [Key] = &[$(Key { word: $word, least: $least, most: $most }),*];

            /// Its numbers, as [`Self::KEYS`] has them
            pub fn values(&self) -> Vec<f64> {
                vec![$(self.$field),*]
            }

            /// With the numbers of its keys
            pub(crate) fn read<E>(
                source: Source,
                mut number: impl FnMut(&Key) -> Result<f64, E>,
            ) -> Result<$block, E> {
                Ok($block { source, $($field: number(&Key { word: $word, least: $least, most: $most })?,)* })
            }
        }
    )*};
}

blocks! {
    /// Instructions of one core of a host
    Instructions = "instructions" {
        /// Operations on vectors that begin in a cycle
        operations = "operation.per_cycle", 0.01 to 64.0: 2.0;
        /// Loads that begin in a cycle, some of which wait
        loads = "load.per_cycle", 0.01 to 64.0: 1.5;
        /// Stores that begin in a cycle
        stores = "store.per_cycle", 0.01 to 64.0: 1.0;
        /// Cycles from a multiply-add to the next that needs it
        fma_latency = "fma_latency.cycles", 1.0 to 1000.0: 4.0;
        /// Operations that begin while a division or a root runs
        division = "division.operations", 1.0 to 10000.0: 8.0;
        /// Operations that begin while a function of a library runs
        call = "call.operations", 1.0 to 10000.0: 20.0;
        /// Loads that a value without a register costs
        spill = "spill.loads", 0.0 to 1000.0: 2.5;
        /// A loop's own bookkeeping in each iteration
        iteration = "loop.cycles", 0.0 to 1000.0: 1.0;
        /// Instructions of one body from which on compiling and fetching them is what takes time
        long_body = "long_body.instructions", 1.0 to 1e9: 2000.0;
    }

    /// Data between memories of a host
    Caches = "caches" {
        /// A cache's line
        line = "line.bytes", 1.0 to 65536.0: 64.0;
        /// Share of a cache that data can use
        usable = "usable.percent", 1.0 to 100.0: 75.0;
        /// What comes from the second cache
        from_l2 = "from_L2.bytes_per_cycle", 0.001 to 1e6: 48.0;
        /// What comes from the third cache
        from_l3 = "from_L3.bytes_per_cycle", 0.001 to 1e6: 14.0;
        /// What one core gets from memory
        from_memory = "from_memory.bytes_per_cycle", 0.001 to 1e6: 5.0;
        /// What all cores together get from memory
        from_memory_all = "from_memory_all_cores.bytes_per_cycle", 0.001 to 1e6: 10.0;
        /// From a store whose line is not in the first cache to the next such store: they wait for each other
        missed_store = "missed_store.cycles", 0.0 to 1000.0: 24.0;
        /// Neighbors that are read from memory in twice their time, as fewer are: processors read ahead along a run, and begin anew with each
        short_run = "short_run.bytes", 0.0 to 1e6: 4096.0;
    }

    /// Tiles in registers of a host, and the panels that they read
    RegisterTiles = "register_tiles" {
        /// A vector of a panel in the second cache, in each step of a reduction
        panel_vector = "panel_vector.cycles", 0.0 to 1000.0: 2.3;
        /// Something for each load of a step
        load = "load.cycles", 0.0 to 1000.0: 0.1;
        /// Another body, another loop: a tile of remaining rows, in each step
        remainder = "remainder.cycles", 0.0 to 1000.0: 2.0;
        /// How many times as long tiles take that have a tile of remaining columns next to them
        remaining_columns = "remaining_columns.factor", 1.0 to 1000.0: 1.01;
        /// An element that is copied into a panel
        panel_element = "panel_element.cycles", 0.0 to 1000.0: 0.3;
        /// Registers that a tile leaves to the compiler, which reads ahead
        spare = "spare.registers", 0.0 to 1000.0: 2.0;
    }

    /// Tiles of a host's matrix units
    MatrixTiles = "matrix_tiles" {
        /// One product of tiles after the other
        product = "product.cycles", 0.01 to 10000.0: 16.0;
        /// A tile that is loaded
        load = "load.cycles", 0.0 to 10000.0: 8.0;
        /// A tile that is stored
        store = "store.cycles", 0.0 to 10000.0: 16.0;
    }

    /// What compilers make of the loops of a host
    Code = "code" {
        /// Copies of a body up to which loops without a level are unrolled
        unrolled = "unrolled.copies", 1.0 to 1e6: 16.0;
        /// Sums that the compiler keeps where it makes lanes of a reduction
        interleaved = "interleaved.sums", 1.0 to 1000.0: 4.0;
        /// Entering and leaving an innermost loop
        inner_loop = "inner_loop.cycles", 0.0 to 1e6: 8.0;
        /// Merging the lanes of a vector of sums
        merged_lane = "merged_lanes.cycles", 0.0 to 1e6: 4.0;
        /// Instructions of an element of lanes that are more than a vector and no power of two
        uneven_lane = "uneven_lane.instructions", 1.0 to 1000.0: 3.0;
        /// Operations that test whether the element of a copy is replaced
        tested = "tested_copy.operations", 0.0 to 10000.0: 1.0;
        /// Most lanes that the compiler makes of copies some of which are tested
        tested_lanes = "tested_copies.lanes", 1.0 to 1000.0: 4.0;
        /// How many times as long a function of a library takes for one of several lanes, which the compiler takes apart
        wrapped = "lane_call.factor", 1.0 to 1000.0: 1.4;
        /// More operations that merge a float into the largest or smallest: NaN counts, and zeros are ordered
        ordered = "ordered_merge.operations", 0.0 to 10000.0: 4.0;
        /// Operations that begin while a function of a library runs for one element
        library_call = "library_call.operations", 1.0 to 10000.0: 60.0;
        /// Share of traffic that is hidden while instructions run, or of instructions while data moves
        hidden = "hidden_traffic.percent", 0.0 to 100.0: 70.0;
        /// Starting tasks on a single thread
        task = "task.cycles", 0.0 to 1e12: 40.0;
        /// More where tasks merge their results
        partials = "merged_tasks.cycles", 0.0 to 1e12: 300.0;
    }

    /// Threads of a host
    Threads = "threads" {
        /// Start tasks and wait for them
        fork = "fork.cycles", 0.0 to 1e12: 5000.0;
    }

    /// How much work a grid needs to hide waiting
    Occupancy = "occupancy" {
        /// Warps of a multiprocessor that hide each other's waiting
        warps = "warps.per_unit", 1.0 to 1e6: 8.0;
    }

    /// What a multiprocessor of a grid can do and hold
    Grid = "grid" {
        /// Its clock
        clock = "clock.gigahertz", 0.01 to 100.0: 1.0;
        /// Instructions that begin in a cycle
        schedulers = "schedulers.per_unit", 1.0 to 64.0: 4.0;
        /// Multiply-adds of a multiprocessor that begin in a cycle
        lanes = "fp32_lanes.per_unit", 1.0 to 4096.0: 128.0;
        /// Device memory
        memory = "memory.terabytes_per_second", 0.001 to 1000.0: 1.0;
        /// The second cache
        second_cache = "L2.terabytes_per_second", 0.001 to 1000.0: 3.0;
        /// Threads that it holds
        threads = "threads.per_unit", 32.0 to 65536.0: 2048.0;
        /// Blocks that it holds
        blocks = "blocks.per_unit", 1.0 to 1024.0: 32.0;
        /// Shared memory of its blocks
        shared_kibibytes = "shared.kibibytes_per_unit", 1.0 to 65536.0: 64.0;
        /// Shared memory that a block has besides its own
        reserved = "shared_reserved.bytes_per_block", 0.0 to 65536.0: 1024.0;
        /// Registers of its threads
        registers = "registers.per_unit", 1024.0 to 1e7: 65536.0;
        /// Registers of a warp are a multiple of
        register_unit = "register_unit.per_warp", 1.0 to 65536.0: 256.0;
    }

    /// What threads of a grid wait for
    GridLatency = "grid_latency" {
        /// Data of device memory or the second cache, before a block stores it
        staged = "staged_load.cycles", 0.0 to 100000.0: 450.0;
        /// Data that mostly is in caches
        cached = "cached_load.cycles", 0.0 to 100000.0: 300.0;
        /// Shared memory, an exchange between lanes, a barrier
        shared = "shared.cycles", 0.0 to 100000.0: 29.0;
        /// A multiply-add
        fma = "fma.cycles", 1.0 to 1000.0: 4.0;
        /// An atomic update of an element that others update too, where it is an instruction
        update = "update.cycles", 0.0 to 100000.0: 2.0;
        /// Registers of a thread for addresses
        addresses = "addresses.registers", 0.0 to 255.0: 24.0;
        /// Starting a kernel
        launch = "launch.microseconds", 0.0 to 1e6: 2.5;
    }
}

/// The numbers of cost models
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Costs {
    /// Instructions of one core
    pub instructions: Instructions,
    /// Data between memories
    pub caches: Caches,
    /// Tiles in registers
    pub tiles: RegisterTiles,
    /// Tiles of matrix units
    pub matrix: MatrixTiles,
    /// Loops as they are compiled
    pub code: Code,
    /// Threads
    pub threads: Threads,
    /// Work of a grid
    pub occupancy: Occupancy,
    /// A multiprocessor of a grid
    pub grid: Grid,
    /// What threads of a grid wait for
    pub latency: GridLatency,
}

impl Costs {
    /// Blocks of a host's file
    pub const HOST: &'static [&'static str] = &[
        Instructions::NAME,
        Caches::NAME,
        RegisterTiles::NAME,
        MatrixTiles::NAME,
        Code::NAME,
        Threads::NAME,
    ];
    /// Blocks of a grid's file
    pub const GRID: &'static [&'static str] = &[Occupancy::NAME, Grid::NAME, GridLatency::NAME];

    /// Blocks that a device's file should have and has not, in order; what tiles of matrix units cost is no part of most files
    pub fn missing(&self, kind: DeviceKind) -> Vec<&'static str> {
        let of_host = [
            (Instructions::NAME, &self.instructions.source),
            (Caches::NAME, &self.caches.source),
            (RegisterTiles::NAME, &self.tiles.source),
            (Code::NAME, &self.code.source),
            (Threads::NAME, &self.threads.source),
        ];
        let of_grid = [
            (Occupancy::NAME, &self.occupancy.source),
            (Grid::NAME, &self.grid.source),
            (GridLatency::NAME, &self.latency.source),
        ];
        let all = if kind == DeviceKind::Host { &of_host[..] } else { &of_grid[..] };
        all.iter().filter(|(_, source)| **source == Source::Missing).map(|(name, _)| *name).collect()
    }
}
