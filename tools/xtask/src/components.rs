//! What a machine may have in addition to Rust: the one table
//!
//! Each component says how it is found (files and one or two quick programs, so that a set-up with
//! nothing to do is instant), which Debian packages bring it, which cargo features need it, and what
//! is skipped without it. A feature is switched on only where the package declares it.

use crate::process;
use crate::workspace::Package;
use std::path::{Path, PathBuf};
use std::process::Command;

/// When set-up brings a component
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brought {
    /// Always
    Always,
    /// For tests: the demo does without
    ForTests,
    /// Only with `--fpga`
    ForFpga,
}

/// One thing that the build or the tests can use
pub struct Component {
    /// Its name, as skipped tests give it: `needs NAME`
    pub name: &'static str,
    /// What is skipped without it
    pub serves: &'static str,
    /// Debian and Ubuntu packages that bring it
    pub packages: &'static [&'static str],
    /// (package, feature) pairs that need it
    pub features: &'static [(&'static str, &'static str)],
    /// When set-up brings it
    pub brought: Brought,
    /// Whether it is here
    pub probe: fn() -> bool,
}

/// All of them; LLVM before MLIR, which is built on it
pub const COMPONENTS: &[Component] = &[
    Component {
        name: "llvm",
        serves: "machine code for this CPU and PTX (LLVM 22)",
        packages: &[
            "llvm-22-dev",
            "clang-22",
            "lld-22",
            "libpolly-22-dev",
            "zlib1g-dev",
            "libzstd-dev",
            "libxml2-dev",
            "libffi-dev",
        ],
        features: &[("terrace-lowering-llvm", "llvm"), ("terrace-native", "llvm")],
        brought: Brought::Always,
        probe: || has_all(&llvm(), &["bin/llvm-config", "bin/clang", "lib/libLLVM.so|lib/libLLVM-22.so"]),
    },
    Component {
        name: "mlir",
        serves: "checks against upstream MLIR 22: mlir-opt and its lowerings",
        packages: &["libmlir-22-dev", "mlir-22-tools", "libclang-22-dev", "llvm-22-dev", "g++"],
        features: &[("terrace-lowering-mlir", "mlir"), ("terrace-upstream", "mlir")],
        brought: Brought::Always,
        probe: || {
            let parts = ["bin/mlir-opt", "lib/libMLIR.so", "lib/libMLIRCAPIIR.a", "lib/libclang.so"];
            has_all(&llvm(), &parts) && process::in_path("c++")
        },
    },
    Component {
        name: "cc-openmp",
        serves: "C with OpenMP through the system compiler",
        packages: &["gcc", "libc6-dev"],
        features: &[],
        brought: Brought::Always,
        probe: openmp,
    },
    Component {
        name: "c++",
        serves: "code for FPGAs through the system compiler",
        packages: &["g++"],
        features: &[],
        brought: Brought::Always,
        probe: || process::in_path("c++"),
    },
    Component {
        name: "verilator",
        serves: "hardware that is simulated cycle by cycle (Verilator, with Calyx's compiler)",
        packages: &["verilator", "g++", "make"],
        features: &[("terrace-calyx", "calyx")],
        brought: Brought::ForFpga,
        probe: || process::in_path("verilator") && process::in_path("c++") && process::in_path("make"),
    },
    Component {
        name: "yosys",
        serves: "resources of hardware, counted by synthesis (Yosys)",
        packages: &["yosys"],
        features: &[],
        brought: Brought::ForFpga,
        probe: || process::in_path("yosys"),
    },
    Component {
        name: "opencl",
        serves: "OpenCL of any kind (the loader)",
        packages: &["ocl-icd-libopencl1", "ocl-icd-opencl-dev", "clinfo"],
        features: &[],
        brought: Brought::Always,
        probe: || library("libOpenCL.so.1").is_some(),
    },
    Component {
        name: "pocl",
        serves: "OpenCL C run on this CPU (PoCL)",
        packages: &["pocl-opencl-icd"],
        features: &[],
        brought: Brought::Always,
        probe: || Path::new("/etc/OpenCL/vendors/pocl.icd").is_file(),
    },
    Component {
        name: "oclgrind",
        serves: "race detection of OpenCL kernels (oclgrind)",
        packages: &["oclgrind"],
        features: &[],
        brought: Brought::Always,
        probe: || oclgrind().is_some(),
    },
    Component {
        name: "numpy",
        serves: "numpy's speed beside ours in the demo (numpy with OpenBLAS)",
        packages: &["python3-numpy", "libopenblas0-pthread"],
        features: &[],
        brought: Brought::Always,
        probe: || python_with_numpy().is_some(),
    },
    Component {
        name: "smt",
        serves: "proofs that passes keep the meaning of functions (the SMT solvers z3 and cvc5)",
        packages: &["z3", "cvc5"],
        features: &[],
        brought: Brought::ForTests,
        probe: || process::in_path("z3") && process::in_path("cvc5"),
    },
    Component {
        name: "slurm",
        serves: "the test of searches by steps of Slurm (a cluster of one node, as root)",
        packages: &["munge", "slurmctld", "slurmd", "slurm-client"],
        features: &[],
        brought: Brought::ForTests,
        probe: || {
            let names = ["munged", "slurmctld-wlm", "slurmd-wlm"];
            names.iter().all(|name| Path::new("/usr/sbin").join(name).is_file()) && process::in_path("srun")
        },
    },
    Component {
        name: "chromium",
        serves: "the test of schedules that are edited in a page (a browser)",
        packages: &["chromium"],
        features: &[],
        brought: Brought::ForTests,
        probe: || {
            let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
            names.iter().any(|name| process::in_path(name))
        },
    },
];

/// The features of the workspace that need one of the components here, each as `package/feature`
pub fn features(packages: &[Package], here: impl Fn(&Component) -> bool) -> Vec<String> {
    let declared = |package: &str, feature: &str| {
        packages.iter().any(|p| p.name == package && p.features.iter().any(|f| f == feature))
    };
    let wanted =
        COMPONENTS.iter().filter(|component| here(component)).flat_map(|component| component.features);
    wanted.filter(|(package, feature)| declared(package, feature)).map(|(p, f)| format!("{p}/{f}")).collect()
}

/// Where LLVM and MLIR 22 are installed
pub fn llvm() -> PathBuf {
    std::env::var_os("MLIR_SYS_220_PREFIX").map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from)
}

/// oclgrind's library, which takes the place of the OpenCL loader
pub fn oclgrind() -> Option<PathBuf> {
    let direct = ["/usr/lib/oclgrind/liboclgrind-rt.so", "/usr/local/lib/oclgrind/liboclgrind-rt.so"];
    direct.iter().map(PathBuf::from).find(|path| path.is_file()).or_else(|| library("liboclgrind-rt.so"))
}

/// A python that can import numpy; the system's own first, since that is the one apt serves
pub fn python_with_numpy() -> Option<PathBuf> {
    let system = Path::new("/usr/bin/python3");
    if system.is_file() && Path::new("/usr/lib/python3/dist-packages/numpy").is_dir() {
        return Some(system.into());
    }
    let mut python = Command::new("python3");
    python.args(["-c", "import importlib.util as u; exit(not u.find_spec('numpy'))"]);
    process::capture(&mut python).is_ok_and(|out| out.status.success()).then(|| "python3".into())
}

/// Each part exists under the folder; `a|b` is satisfied by either
fn has_all(prefix: &Path, parts: &[&str]) -> bool {
    parts.iter().all(|part| part.split('|').any(|name| prefix.join(name).exists()))
}

/// A shared library in the places where the loader looks
fn library(name: &str) -> Option<PathBuf> {
    let listed = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let usual = [
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/lib",
        "/opt/homebrew/lib",
    ];
    let dirs = std::env::split_paths(&listed).chain(usual.iter().map(PathBuf::from));
    dirs.map(|dir| dir.join(name)).find(|path| path.exists())
}

/// The system compiler answers with a full path when it has the file, with the bare name when not
fn openmp() -> bool {
    ["libgomp.so", "libomp.so"].iter().any(|name| {
        let mut cc = Command::new("cc");
        let said = process::text(cc.arg(format!("-print-file-name={name}")));
        said.is_ok_and(|path| Path::new(path.trim()).is_absolute())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, features: &[&str]) -> Package {
        let features = features.iter().map(|f| f.to_string()).collect();
        Package {
            name: name.into(),
            folder: String::new(),
            features,
            dependencies: Vec::new(),
            published: false,
            described: true,
        }
    }

    #[test]
    fn only_declared_features_are_switched_on() {
        let packages = [package("terrace-lowering-llvm", &["llvm"]), package("terrace-native", &[])];
        assert_eq!(features(&packages, |_| true), ["terrace-lowering-llvm/llvm"]);
    }

    #[test]
    fn a_missing_component_takes_its_features_along() {
        let packages = [package("terrace-native", &["llvm"]), package("terrace-upstream", &["mlir"])];
        assert_eq!(features(&packages, |component| component.name != "mlir"), ["terrace-native/llvm"]);
    }

    #[test]
    fn names_are_unique_and_each_component_can_be_installed() {
        for (index, component) in COMPONENTS.iter().enumerate() {
            assert!(!component.packages.is_empty(), "{} has no package", component.name);
            assert!(COMPONENTS[..index].iter().all(|other| other.name != component.name));
        }
    }

    #[test]
    fn either_of_two_parts_is_enough() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(has_all(here, &["Cargo.toml", "absent|src"]));
        assert!(!has_all(here, &["Cargo.toml", "absent"]));
    }
}
