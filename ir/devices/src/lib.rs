//! A machine's vocabulary and its numbers.
//!
//! The vocabulary is types: layers and regions of schedules, levels and spaces of nests, mechanisms of reductions. Each enum has one
//! table of words. The numbers are device descriptions: sizes of registers, caches, grids; data in `devices/*.toml`, read here.
//! Nothing here knows programs.
//!
//! No device's name means anything to a pass: what differs between devices is a number in its file. The files of this
//! repository are built in; anyone's own file is found by its path, or by its name in [`named::folder`]. Unknown keys are refused, so
//! that a misspelt one is not a default in silence; mistakes are shown in their line ([`read`]). [`Device::text`] writes a file.

pub mod atomics;
pub mod costs;
mod keys;
pub mod layer;
pub mod level;
pub mod machine;
pub mod matrix;
pub mod mechanism;
pub mod named;
pub mod read;
mod read_atomics;
mod read_costs;
pub mod region;
pub mod space;
mod write;

pub use atomics::{Atomics, Element, Support, Update, Updated, Updates};
pub use costs::Costs;
pub use layer::Layer;
pub use level::{Axis, Level, Levels, Per};
pub use matrix::{MatrixUnit, Products};
pub use mechanism::Mechanism;
pub use region::Region;
pub use space::Space;

use std::fmt;

/// How work is spread
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeviceKind {
    /// A pool of threads with caches and vectors
    Host,
    /// A grid of blocks of threads with memory of their own
    Grid,
}

/// A cache, or a block's memory
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Region in schedules
    pub region: Region,
    /// Size
    pub bytes: i64,
    /// Ways, of caches
    pub ways: i64,
    /// Bytes that a block has if its launch asks; as many as without where the file says nothing
    pub opt_in: i64,
}

/// A device
#[derive(Clone, PartialEq, Debug)]
pub struct Device {
    /// Name of the file
    pub name: String,
    /// How work is spread
    pub kind: DeviceKind,
    /// Threads of the pool, or multiprocessors
    pub units: i64,
    /// Bytes of a vector register; 0: no vectors
    pub vector_bytes: i64,
    /// Vector registers, or registers of a thread
    pub registers: i64,
    /// Caches from small to large, or a block's memory
    pub memories: Vec<Memory>,
    /// Most threads of a block
    pub block_threads: i64,
    /// Most threads of a block along x, y, z
    pub block_max: [i64; 3],
    /// Most blocks of a grid along x, y, z
    pub grid_max: [i64; 3],
    /// Threads that run in step
    pub warp: i64,
    /// Levels that maps may have
    pub levels: Levels,
    /// May a map be one loop with the map around?
    pub fused: bool,
    /// Who can wait for each other
    pub barriers: Vec<String>,
    /// Does a fence order memory between blocks?
    pub fences: bool,
    /// Lanes that vector types may have
    pub vector_widths: Vec<i64>,
    /// May code have vectors of any number of lanes? Its compiler computes them in the next larger registers
    pub partial_vectors: bool,
    /// What adds products of narrow types in groups
    pub matrix_units: Vec<MatrixUnit>,
    /// Floats of 16 bits with arithmetic of their own; others are computed in a wider type
    pub narrow_floats: Vec<String>,
    /// Memory of one thread; 0: not known
    pub private_bytes: i64,
    /// Atomic updates of its memories
    pub atomics: Atomics,
    /// What things cost
    pub costs: Costs,
}

/// Why there is no device
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeviceError {
    /// No device has this name
    Unknown(String),
    /// Its file cannot be read
    Unreadable {
        /// The file
        file: String,
        /// What the system says
        why: String,
    },
    /// Its file says no device
    Malformed {
        /// What is wrong
        what: String,
        /// The line with a caret below
        excerpt: String,
    },
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceError::Unknown(name) => {
                write!(f, "there is no device `{name}`; there are {}", Device::names().join(" "))?;
                match named::words() {
                    own if own.is_empty() => Ok(()),
                    own => write!(f, ", and of your own {}", own.join(" ")),
                }
            }
            DeviceError::Unreadable { file, why } => write!(f, "device file `{file}`: {why}"),
            DeviceError::Malformed { what, excerpt } => write!(f, "{what}\n{excerpt}"),
        }
    }
}

impl std::error::Error for DeviceError {}

/// The files of `devices/` by name, in order: the build script lists the folder
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Names that stand for one of the files
const ALIASES: &[(&str, &str)] = &[
    ("cuda", "cuda-sm90"),
    ("gpu", "cuda-sm90"),
    ("h100", "cuda-sm90"),
    ("opencl", "opencl-cpu"),
    ("ptx", "cuda-sm90"),
];

impl Device {
    /// Names of what is built in
    pub fn names() -> Vec<&'static str> {
        ["host"].into_iter().chain(FILES.iter().chain(ALIASES).map(|(name, _)| *name)).collect()
    }

    /// By name: `host` for this machine, a built-in file, a file of this name in [`named::folder`], or a path that ends in `.toml`
    pub fn find(name: &str) -> Result<Device, DeviceError> {
        if name == "host" {
            return Ok(Device::host());
        }
        if name.ends_with(".toml") {
            return Device::at(name);
        }
        let file = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, file)| file);
        if let Some((_, text)) = FILES.iter().find(|(known, _)| *known == file) {
            return Device::parse(file, text);
        }
        match named::path(name).filter(|path| path.is_file()) {
            Some(path) => Device::at(&path.to_string_lossy()),
            None => Err(DeviceError::Unknown(name.into())),
        }
    }

    /// From a file by its path
    fn at(path: &str) -> Result<Device, DeviceError> {
        let text = terrace_support::read::text(path)
            .map_err(|error| DeviceError::Unreadable { file: path.into(), why: error.to_string() })?;
        Device::parse(path.trim_end_matches(".toml"), &text)
    }

    /// This machine: the file of its vector extension, and the matrix units that it has. Only the processor determines it, so that two machines of one
    /// kind give the same schedules.
    pub fn host() -> Device {
        #[cfg(target_arch = "x86_64")]
        let name = {
            use std::is_x86_feature_detected as has;
            match () {
                () if has!("avx512f") => "x86-64-v4",
                () if has!("avx2") && has!("fma") => "x86-64-v3",
                () => "x86-64-v2",
            }
        };
        #[cfg(target_arch = "aarch64")]
        let name = "aarch64";
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let name = "openmp";
        let text = FILES.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| text);
        let device =
            Device::parse(name, text).unwrap_or_else(|why| panic!("a built-in file is well formed: {why}"));
        #[cfg(target_arch = "x86_64")]
        let halves = std::is_x86_feature_detected!("avx512fp16");
        #[cfg(target_arch = "aarch64")]
        let halves = std::arch::is_aarch64_feature_detected!("fp16");
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let halves = false;
        let narrow_floats = if halves { vec!["f16".to_owned()] } else { Vec::new() };
        Device { matrix_units: MatrixUnit::present(), narrow_floats, ..device }
    }

    /// From a file's text
    pub fn parse(name: &str, text: &str) -> Result<Device, DeviceError> {
        read::parse(name, text)
    }

    /// The unit that adds these products, the largest one where there are several
    pub fn unit_for(&self, products: Products) -> Option<MatrixUnit> {
        self.matrix_units.iter().copied().filter(|unit| unit.adds(products)).min()
    }

    /// Bytes of a region; 0 if there is none
    pub fn bytes(&self, region: Region) -> i64 {
        self.memories.iter().find(|memory| memory.region == region).map_or(0, |memory| memory.bytes)
    }

    /// Bytes of a region that a launch may ask for; 0 if there is none
    pub fn opt_in(&self, region: Region) -> i64 {
        self.memories.iter().find(|memory| memory.region == region).map_or(0, |memory| memory.opt_in)
    }

    /// Ways of a region; 1 if there is none
    pub fn ways(&self, region: Region) -> i64 {
        self.memories.iter().find(|memory| memory.region == region).map_or(1, |memory| memory.ways)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_files_are_well_formed() {
        for name in Device::names() {
            let device = Device::find(name).expect("well formed");
            assert!(device.registers > 0, "{name}");
        }
    }

    #[test]
    fn mistakes_are_named_and_shown() {
        let wrong = |text: &str| Device::parse("x", text).expect_err("malformed").to_string();
        assert!(wrong("kind = \"fast\"").starts_with("`kind` is \"host\" or \"grid\"\n"));
        assert!(wrong("kind = \"host\"\nunits = -1").starts_with("`units` is no number ≥ 1"));
        assert!(Device::find("abacus").expect_err("unknown").to_string().contains("there are host"));
        let text = "kind = \"host\"\nunits = 4\nregisters = 16\nlanes = 4\n";
        let expected = "`lanes` is not known; there are description, kind, units, vector_bytes, registers, memory, \
                        block_threads, block_max, grid_max, warp, levels, barriers, fences, vector_widths, partial_vectors, matrix_units, narrow_floats, private_bytes, atomics, instructions, caches, \
                        register_tiles, matrix_tiles, code, threads, occupancy, grid, grid_latency\n --> x.toml:4:1\n  |\n4 | lanes = 4\n  | ^^^^^";
        assert_eq!(wrong(text), expected);
    }

    #[test]
    fn nonsense_is_refused() {
        let base = "kind = \"grid\"\nunits = 4\nregisters = 16\nblock_threads = 256\n";
        let wrong = |more: &str| {
            let error = Device::parse("x", &format!("{base}{more}")).expect_err("malformed").to_string();
            error.lines().next().unwrap_or("").to_string()
        };
        assert_eq!(
            wrong("levels = [\"seq\", \"thread.w\"]").split(" of ").next(),
            Some("`thread.w` is not one")
        );
        assert_eq!(wrong("levels = [\"seq\", \"seq\"]"), "`seq` stands twice");
        assert_eq!(wrong("levels = [\"task\"]"), "loops can always be `seq`: put it first");
        assert_eq!(wrong("block_max = [512, 1, 1]"), "a block has 256 threads at most: `block_threads`");
        assert_eq!(wrong("block_max = [512, 1]"), "`block_max` has three numbers: x, y, z");
        assert!(
            wrong("memory = [{ region = \"L9\", bytes = 1 }]")
                .starts_with("`L9` is not one of MM, DM, DEV, L1")
        );
        assert_eq!(wrong("memory = [{ region = \"SM\", bytes = 0 }]"), "`bytes` is no number ≥ 1");
        assert_eq!(
            wrong("memory = [{ region = \"SM\", bytes = 1 }, { region = \"SM\", bytes = 2 }]"),
            "there are two memories `SM`"
        );
        assert_eq!(wrong("units = 5"), "duplicate key");
        assert_eq!(wrong("barriers = [\"world\"]"), "`world` is not one of subgroup, block, cluster, grid");
        let host = "kind = \"host\"\nunits = 4\nregisters = 16\nlevels = [\"seq\", \"block.x\"]";
        let error = Device::parse("x", host).expect_err("malformed").to_string();
        assert!(error.starts_with("a host has no grid"), "{error}");
    }

    #[test]
    fn levels_are_those_of_the_kind() {
        let opencl = Device::find("opencl").expect("built in");
        assert_eq!(opencl.levels.len(), 10);
        let openmp = Device::find("openmp").expect("built in");
        assert_eq!(openmp.levels, Levels::of(&[Level::Seq, Level::Task]));
        assert!(openmp.fused);
        assert_eq!(Device::find("mali-g72").expect("built in").block_threads, 384);
    }
}
