//! What the hashes of a record are of, besides the program.

use crate::record::Hash;
use std::fmt::Write;
use terrace_devices::machine::Machine;
use terrace_devices::{Device, DeviceKind};

/// Version of how schedules are written: one of a newer version may not be read as it was meant
pub const SPACE: u32 = 1;

/// The manifest of all crates, which a link brings into the package: its feature of inkwell is the one place that names the version of LLVM
const MANIFEST: &str = include_str!("../manifest.toml");

/// `22.1` of `features = ["llvm22-1-force-dynamic", …]`
fn llvm_of(manifest: &str) -> Option<String> {
    let (_, features) = manifest.lines().find(|line| line.starts_with("inkwell "))?.split_once("\"llvm")?;
    let (version, _) = features.split_once(|c: char| c != '-' && !c.is_ascii_digit())?;
    Some(version.trim_end_matches('-').replace('-', "."))
}

/// What a schedule is for
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// The device
    pub device: Device,
    /// The back end
    pub on: String,
    /// Threads that the program runs with; of no importance on grids
    pub threads: u32,
}

impl Target {
    /// By the numbers of the device's file, not by its name. Matrix units are the machine's and the rules': a back end may leave them out
    pub fn hash(&self) -> Hash {
        let device = Device { matrix_units: Vec::new(), ..self.device.clone() };
        let text = format!("terrace-target/1\n{}\n{}\n{}", self.on, self.count(), device.text(""));
        Hash::of(text)
    }

    fn count(&self) -> u32 {
        if self.device.kind == DeviceKind::Grid { 0 } else { self.threads }
    }

    /// In words
    pub fn words(&self) -> String {
        let mut text = format!("{} on {}", self.device.name, self.on);
        match self.count() {
            0 => {}
            1 => text.push_str(", 1 thread"),
            threads => _ = write!(text, ", {threads} threads"),
        }
        text
    }
}

/// What compiles
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiler {
    /// Version of this repository
    pub version: String,
    /// Version of what makes machine code
    pub llvm: String,
}

impl Compiler {
    /// The one that this is a part of
    pub fn here() -> Compiler {
        Compiler { version: env!("CARGO_PKG_VERSION").into(), llvm: llvm_of(MANIFEST).unwrap_or_default() }
    }

    /// By versions alone: builds of one version are one compiler
    pub fn hash(&self) -> Hash {
        Hash::of(format!("terrace-compiler/1\n{}\n{SPACE}\n{}", self.version, self.llvm))
    }

    /// In words
    pub fn words(&self) -> String {
        format!("terrace {}, LLVM {}", self.version, self.llvm)
    }
}

/// Hash of a machine
pub fn of_machine(machine: &Machine) -> Hash {
    let Machine { processor, cores, features } = machine;
    Hash::of(format!("terrace-machine/1\n{processor}\n{cores}\n{features}"))
}

/// A machine in words
pub fn machine_words(machine: &Machine) -> String {
    match machine.cores {
        1 => format!("{}, 1 core", machine.processor),
        cores => format!("{}, {cores} cores", machine.processor),
    }
}

/// This machine and this compiler, read once
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Here {
    /// The machine
    pub machine: Machine,
    /// The compiler
    pub compiler: Compiler,
}

impl Here {
    /// This process's
    pub fn now() -> Here {
        Here { machine: Machine::here(), compiler: Compiler::here() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(device: &str, on: &str, threads: u32) -> Target {
        Target { device: Device::find(device).expect("it is known"), on: on.into(), threads }
    }

    #[test]
    fn each_part_of_a_target_tells_it_from_others() {
        let one = target("x86-64-v3", "host", 2);
        assert_eq!(one.hash(), target("x86-64-v3", "host", 2).hash());
        for other in
            [target("x86-64-v4", "host", 2), target("x86-64-v3", "openmp", 2), target("x86-64-v3", "host", 1)]
        {
            assert_ne!(one.hash(), other.hash(), "{}", other.words());
        }
        assert_eq!(one.words(), "x86-64-v3 on host, 2 threads");
        assert_eq!(target("cuda", "ptx", 2).hash(), target("cuda", "ptx", 7).hash());
        assert_eq!(target("cuda", "ptx", 2).words(), "cuda-sm90 on ptx");
    }

    #[test]
    fn the_version_of_llvm_is_that_of_the_manifest() {
        let line =
            "inkwell = { version = \"0.11.0\", features = [\"llvm23-0-force-dynamic\", \"target-x86\"] }";
        assert_eq!(llvm_of(&format!("[a]\nb = \"llvm1-1\"\n{line}\n")).as_deref(), Some("23.0"));
        let here = Compiler::here().llvm;
        let (major, minor) = here.split_once('.').expect("two numbers");
        assert!(major.parse::<u32>().is_ok() && minor.parse::<u32>().is_ok(), "{here}");
    }

    #[test]
    fn each_part_of_a_machine_tells_it_from_others() {
        let one = Machine { processor: "P".into(), cores: 2, features: "avx2".into() };
        let others = [
            Machine { processor: "Q".into(), ..one.clone() },
            Machine { cores: 4, ..one.clone() },
            Machine { features: "avx512f".into(), ..one.clone() },
        ];
        assert!(others.iter().all(|other| of_machine(other) != of_machine(&one)));
        assert_eq!(machine_words(&one), "P, 2 cores");
    }
}
