//! What an FPGA has, from its file. Every key is required, and unknown ones are refused.

use serde::Deserialize;
use std::fmt;

/// An FPGA
#[derive(Clone, PartialEq, Debug)]
pub struct Fpga {
    /// Slices that multiply
    pub dsp: i64,
    /// Of these for a product and its addition
    pub dsp_per_mac: i64,
    /// Blocks of memory
    pub bram_blocks: i64,
    /// Bits of a block
    pub bram_bits: i64,
    /// Accesses of a block in a cycle
    pub ports: i64,
    /// Cycles in a microsecond
    pub mhz: f64,
    /// Bytes that its main memory gives or takes in a cycle
    pub bytes_per_cycle: f64,
    /// Bytes of one access of main memory
    pub burst: i64,
    /// Cycles from a product's operands to its sum
    pub latency: i64,
    /// Cycles from a sum that is read until the one with a product more can be read
    pub sum_latency: i64,
}

/// A file that is no FPGA
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceError(String);

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DeviceError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kind: String,
    dsp: i64,
    dsp_per_mac: i64,
    bram_blocks: i64,
    bram_bits: i64,
    ports: i64,
    clock: Clock,
    ddr_bandwidth: Bandwidth,
    burst: Bytes,
    mac_latency: Cycles,
    sum_latency: Cycles,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Clock {
    mhz: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bandwidth {
    bytes_per_cycle: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bytes {
    bytes: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cycles {
    cycles: i64,
}

impl Fpga {
    /// The paper's device
    pub fn vu9p() -> Fpga {
        // A test reads it.
        Fpga::read(include_str!("../vu9p.toml")).unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// The paper's device with the hardware that `lowering/calyx` writes
    pub fn calyx() -> Fpga {
        // A test reads it.
        Fpga::read(include_str!("../calyx.toml")).unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// By name, or from a file by its path (`….toml`)
    pub fn find(name: &str) -> Result<Fpga, DeviceError> {
        match name {
            "vu9p" => Ok(Fpga::vu9p()),
            "calyx" => Ok(Fpga::calyx()),
            _ if name.ends_with(".toml") => {
                let text = std::fs::read_to_string(name)
                    .map_err(|error| DeviceError(format!("device file `{name}`: {error}")))?;
                Fpga::read(&text)
            }
            _ => Err(DeviceError(format!(
                "there is no FPGA `{name}`; there are vu9p, calyx, and a path that ends in .toml"
            ))),
        }
    }

    /// From the text of a file
    pub fn read(text: &str) -> Result<Fpga, DeviceError> {
        let file: File = toml::from_str(text).map_err(|error| DeviceError(error.to_string()))?;
        if file.kind != "fpga" {
            return Err(DeviceError(format!("kind is `{}`; here it is `fpga`", file.kind)));
        }
        for (key, value) in [
            ("dsp", file.dsp),
            ("dsp_per_mac", file.dsp_per_mac),
            ("bram_blocks", file.bram_blocks),
            ("bram_bits", file.bram_bits),
            ("ports", file.ports),
            ("burst.bytes", file.burst.bytes),
            ("mac_latency.cycles", file.mac_latency.cycles),
            ("sum_latency.cycles", file.sum_latency.cycles),
        ] {
            if !(1..=1 << 40).contains(&value) {
                return Err(DeviceError(format!("{key} is {value}, which is no number from 1 to 2^40")));
            }
        }
        for (key, value) in [
            ("clock.mhz", file.clock.mhz),
            ("ddr_bandwidth.bytes_per_cycle", file.ddr_bandwidth.bytes_per_cycle),
        ] {
            if !(value > 0.0 && value <= 1e9) {
                return Err(DeviceError(format!("{key} is {value}, which is no number above 0, up to 10^9")));
            }
        }
        Ok(Fpga {
            dsp: file.dsp,
            dsp_per_mac: file.dsp_per_mac,
            bram_blocks: file.bram_blocks,
            bram_bits: file.bram_bits,
            ports: file.ports,
            mhz: file.clock.mhz,
            bytes_per_cycle: file.ddr_bandwidth.bytes_per_cycle,
            burst: file.burst.bytes,
            latency: file.mac_latency.cycles,
            sum_latency: file.sum_latency.cycles,
        })
    }
}
