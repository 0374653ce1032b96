//! Device descriptions: sizes of registers, caches, grids; data in `devices/*.toml`, read here.
//!
//! No device's name means anything to a pass: what differs between devices is a number in its file. The files of this
//! repository are built in; anyone's own file is read by [`Device::parse`]. Unknown keys are refused, so that a misspelt
//! one is not a default in silence.

use std::fmt::Write;
use toml::{Table, Value};

/// How work is spread
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A pool of threads with caches and vectors
    Host,
    /// A grid of blocks of threads with memory of their own
    Grid,
}

/// A cache, or a block's memory
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Region in schedules
    pub region: String,
    /// Size
    pub bytes: i64,
    /// Ways, of caches
    pub ways: i64,
}

/// A device
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    /// Name of the file
    pub name: String,
    /// How work is spread
    pub kind: Kind,
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
    /// Threads that run in step
    pub warp: i64,
}

const FILES: &[(&str, &str)] = &[
    ("cuda-sm90", include_str!("../../../devices/cuda-sm90.toml")),
    ("opencl-cpu", include_str!("../../../devices/opencl-cpu.toml")),
    ("openmp", include_str!("../../../devices/openmp.toml")),
    ("x86-64-v3", include_str!("../../../devices/x86-64-v3.toml")),
    ("x86-64-v4", include_str!("../../../devices/x86-64-v4.toml")),
];

/// Names that stand for one of the files
const ALIASES: &[(&str, &str)] =
    &[("cuda", "cuda-sm90"), ("gpu", "cuda-sm90"), ("opencl", "opencl-cpu"), ("ptx", "cuda-sm90")];

impl Device {
    /// Names of what is built in
    pub fn names() -> Vec<&'static str> {
        ["host"].into_iter().chain(FILES.iter().chain(ALIASES).map(|(name, _)| *name)).collect()
    }

    /// By name: a built-in file, or `host` for this machine
    pub fn find(name: &str) -> Result<Device, String> {
        if name == "host" {
            return Ok(Device::host());
        }
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, file)| file);
        match FILES.iter().find(|(file, _)| *file == name) {
            Some((_, text)) => Device::parse(name, text),
            None => {
                let mut known = String::new();
                for name in Device::names() {
                    let _ = write!(known, " {name}");
                }
                Err(format!("there is no device `{name}`; there are{known}"))
            }
        }
    }

    /// This machine: the file of its vector extension. What is asked is the processor alone, so that two machines of one
    /// kind give the same schedules.
    pub fn host() -> Device {
        #[cfg(target_arch = "x86_64")]
        let name = if std::is_x86_feature_detected!("avx512f") { "x86-64-v4" } else { "x86-64-v3" };
        #[cfg(not(target_arch = "x86_64"))]
        let name = "openmp";
        let text = FILES.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| text);
        Device::parse(name, text).unwrap_or_else(|why| panic!("a built-in file is well formed: {why}"))
    }

    /// From a file's text
    pub fn parse(name: &str, text: &str) -> Result<Device, String> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| error.message().to_string())?;
        let known =
            ["kind", "units", "vector_bytes", "registers", "memory", "block_threads", "warp", "description"];
        if let Some(key) = table.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(format!("`{key}` is not known; a device has {}", known.join(", ")));
        }
        let int = |table: &Table, key: &str, default: Option<i64>| match table.get(key) {
            Some(value) => {
                value.as_integer().filter(|n| *n >= 0).ok_or_else(|| format!("`{key}` is no number ≥ 0"))
            }
            None => default.ok_or_else(|| format!("`{key}` is missing")),
        };
        let kind = match table.get("kind").and_then(Value::as_str) {
            Some("host") => Kind::Host,
            Some("grid") => Kind::Grid,
            _ => return Err("`kind` is \"host\" or \"grid\"".into()),
        };
        let mut memories = Vec::new();
        for memory in table.get("memory").and_then(Value::as_array).into_iter().flatten() {
            let memory = memory.as_table().ok_or("`memory` is a list of tables")?;
            let region = memory.get("region").and_then(Value::as_str).ok_or("a memory has a `region`")?;
            memories.push(Memory {
                region: region.into(),
                bytes: int(memory, "bytes", None)?,
                ways: int(memory, "ways", Some(8))?,
            });
        }
        Ok(Device {
            name: name.into(),
            kind,
            units: int(&table, "units", None)?.max(1),
            vector_bytes: int(&table, "vector_bytes", Some(0))?,
            registers: int(&table, "registers", None)?,
            memories,
            block_threads: int(&table, "block_threads", Some(1))?,
            warp: int(&table, "warp", Some(1))?,
        })
    }

    /// Bytes of a region; 0 if there is none
    pub fn bytes(&self, region: &str) -> i64 {
        self.memories.iter().find(|memory| memory.region == region).map_or(0, |memory| memory.bytes)
    }

    /// Ways of a region; 1 if there is none
    pub fn ways(&self, region: &str) -> i64 {
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
    fn mistakes_are_named() {
        let wrong = |text: &str| Device::parse("x", text).expect_err("malformed");
        assert_eq!(wrong("kind = \"fast\""), "`kind` is \"host\" or \"grid\"");
        assert!(wrong("kind = \"host\"\nlanes = 4").starts_with("`lanes` is not known"));
        assert_eq!(wrong("kind = \"host\"\nunits = -1"), "`units` is no number ≥ 0");
        assert!(Device::find("abacus").expect_err("unknown").contains("there are host"));
    }
}
