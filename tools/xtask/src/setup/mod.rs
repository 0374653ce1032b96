//! Set-up: find what is missing, install it where that is possible, else say exactly how
//!
//! Nothing here is needed to build the framework, the interpreter and the text back ends; so a
//! machine that cannot be served is no error, only a list of what will be skipped.

mod apt;
mod hls;
mod hyperqueue;
mod intel;
pub mod nvidia;
mod record;
mod wheels;

use crate::Fallible;
use crate::components::{Brought, COMPONENTS, Component};
use crate::workspace::Workspace;

/// What the machine has after set-up
pub struct Machine {
    missing: Vec<&'static Component>,
}

impl Machine {
    /// Whether it has this component
    pub fn has(&self, component: &Component) -> bool {
        self.missing.iter().all(|missing| missing.name != component.name)
    }
}

/// Which wheels are wanted
#[derive(Clone, Copy)]
pub struct Wanted {
    /// ptxas, nvdisasm and NVRTC
    pub nvidia: bool,
    /// OpenCL that takes SPIR-V
    pub intel: bool,
    /// HyperQueue
    pub hyperqueue: bool,
    /// Headers for high-level synthesis
    pub hls: bool,
    /// Verilator and Yosys
    pub fpga: bool,
}

/// `cargo xtask setup`
pub fn command(ws: &Workspace, wanted: Wanted, check: bool) -> Fallible {
    if check {
        return report(ws, wanted);
    }
    let (machine, failed) = install(true, wanted.fpga)?;
    if wanted.nvidia {
        nvidia::install(ws)?;
    }
    if wanted.intel {
        intel::install(ws)?;
    }
    if wanted.hyperqueue {
        hyperqueue::install(ws)?;
    }
    if wanted.hls {
        hls::install(ws)?;
    }
    record::write(ws)?;
    say_skipped(&machine, true);
    if failed { Err("the installation of packages failed (see above)".into()) } else { Ok(()) }
}

/// Set up on the way to something else: what cannot be had is named and skipped
pub fn ensure(ws: &Workspace, for_tests: bool) -> Fallible<Machine> {
    let (machine, _) = install(for_tests, false)?;
    record::write(ws)?;
    say_skipped(&machine, for_tests);
    Ok(machine)
}

/// Say what is here and what is not, and change nothing
fn report(ws: &Workspace, wanted: Wanted) -> Fallible {
    let mut missing: Vec<&str> = Vec::new();
    for component in COMPONENTS {
        let here = (component.probe)();
        say!("{:10} {:8} {}", component.name, if here { "here" } else { "missing" }, component.serves);
        let asked = component.brought != Brought::ForFpga || wanted.fpga;
        missing.extend((asked && !here).then_some(component.name));
    }
    let wheels = [
        ("nvidia", "ptxas, nvdisasm and NVRTC (setup --nvidia)", wanted.nvidia, nvidia::Wheels::complete(ws)),
        (
            "intel-opencl",
            "OpenCL that takes SPIR-V (setup --intel)",
            wanted.intel,
            intel::vendors(ws).is_some(),
        ),
        (
            "hyperqueue",
            "searches by tasks of HyperQueue (setup --hyperqueue)",
            wanted.hyperqueue,
            hyperqueue::python(ws).is_some(),
        ),
        (
            "ap-types",
            "code for FPGAs with AMD's headers (setup --hls)",
            wanted.hls,
            hls::headers(ws).is_some(),
        ),
    ];
    for (name, serves, wanted, here) in wheels {
        say!("{name:10} {:8} {serves}", if here { "here" } else { "missing" });
        missing.extend((wanted && !here).then_some(name));
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("missing: {}", missing.join(", "))) }
}

/// Install what is missing; true when an installation was tried and failed
fn install(for_tests: bool, fpga: bool) -> Fallible<(Machine, bool)> {
    let mut missing = probe();
    missing.retain(|component| match component.brought {
        Brought::Always => true,
        Brought::ForTests => for_tests,
        Brought::ForFpga => fpga,
    });
    if missing.is_empty() {
        say!("setup: everything is here");
        return Ok((Machine { missing: probe() }, false));
    }
    let names: Vec<&str> = missing.iter().map(|component| component.name).collect();
    say!("setup: missing {}", names.join(", "));
    let mut packages: Vec<&str> = missing.iter().flat_map(|component| component.packages).copied().collect();
    packages.sort_unstable();
    packages.dedup();

    let failed = match apt::situation() {
        apt::Situation::Root => match apt::install(&missing) {
            Ok(()) => false,
            Err(message) => {
                say!("setup: {message}");
                true
            }
        },
        apt::Situation::NoRoot => {
            say!("setup: not root; to install what is missing, run:\n");
            say!("    sudo apt-get update");
            say!("    sudo apt-get install -y --no-install-recommends {}\n", packages.join(" "));
            false
        }
        apt::Situation::NoApt => {
            say!("setup: no apt-get here; install what these Debian packages hold:\n");
            say!("    {}\n", packages.join(" "));
            say!(
                "  and set LLVM_SYS_221_PREFIX, MLIR_SYS_220_PREFIX, TABLEGEN_220_PREFIX to the folder of LLVM 22"
            );
            false
        }
    };
    Ok((Machine { missing: probe() }, failed))
}

fn probe() -> Vec<&'static Component> {
    COMPONENTS.iter().filter(|component| !(component.probe)()).collect()
}

fn say_skipped(machine: &Machine, for_tests: bool) {
    for component in &machine.missing {
        if for_tests || component.brought == Brought::Always {
            say!("setup: without {}, this is skipped: {}", component.name, component.serves);
        }
    }
}
