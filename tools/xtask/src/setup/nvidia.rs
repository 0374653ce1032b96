//! ptxas and NVRTC out of NVIDIA's wheels, in a private Python environment under the target folder
//!
//! Nothing of it is linked or shipped: tests start ptxas and open libnvrtc at run time, and skip by
//! name where they are absent.

use super::apt;
use crate::progress::Step;
use crate::workspace::Workspace;
use crate::{Fallible, process};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pinned: (package, version)
const WHEELS: [(&str, &str); 2] =
    [("nvidia-cuda-nvcc-cu12", "12.9.86"), ("nvidia-cuda-nvrtc-cu12", "12.9.86")];

const NOTICE: &str = "\
setup: NVIDIA's ptxas, libdevice and NVRTC are NVIDIA's property, under the CUDA Toolkit End User License
  Agreement: https://docs.nvidia.com/cuda/eula/index.html. They are not part of Terrace and are not under its
  licence; installing and using them means accepting that agreement.";

/// Where the parts lie
pub struct Wheels {
    /// The assembler of PTX
    pub ptxas: PathBuf,
    /// The folder of libnvrtc.so.12
    pub nvrtc: PathBuf,
    /// The math library as bitcode
    pub libdevice: PathBuf,
}

impl Wheels {
    /// In the private environment, complete and of the pinned version
    pub fn find(ws: &Workspace) -> Option<Wheels> {
        let packages = site_packages(&environment(ws))?;
        for (name, version) in WHEELS {
            let info = format!("{}-{version}.dist-info", name.replace('-', "_"));
            packages.join(info).is_dir().then_some(())?;
        }
        let root = packages.join("nvidia");
        let wheels = Wheels {
            ptxas: root.join("cuda_nvcc/bin/ptxas"),
            nvrtc: root.join("cuda_nvrtc/lib"),
            libdevice: root.join("cuda_nvcc/nvvm/libdevice/libdevice.10.bc"),
        };
        let complete = wheels.ptxas.is_file()
            && wheels.nvrtc.join("libnvrtc.so.12").is_file()
            && wheels.libdevice.is_file();
        complete.then_some(wheels)
    }
}

/// Bring the wheels, unless they are there
pub fn install(ws: &Workspace) -> Fallible {
    if Wheels::find(ws).is_some() {
        println!("setup: ptxas and NVRTC {} are here", WHEELS[0].1);
        return Ok(());
    }
    println!("{NOTICE}");
    let environment = environment(ws);
    make_environment(&environment)?;
    let step = Step::start("setup: pip install ptxas and NVRTC (about 310 MB on disk)");
    let mut pip = Command::new(environment.join("bin/python"));
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-cache-dir",
    ]);
    pip.args(WHEELS.map(|(name, version)| format!("{name}=={version}")));
    let outcome = process::text(&mut pip);
    step.end(&outcome);
    outcome?;
    Wheels::find(ws).map(|_| ()).ok_or_else(|| "the wheels were installed but lack ptxas or libnvrtc".into())
}

/// A virtual environment with pip, made with what the system has
fn make_environment(environment: &Path) -> Fallible {
    if environment.join("bin/pip").is_file() {
        return Ok(());
    }
    let create = || {
        // What a broken earlier attempt left would be taken for a whole one.
        let _ = fs::remove_dir_all(environment);
        let system = Path::new("/usr/bin/python3");
        let python = if system.is_file() { system } else { Path::new("python3") };
        process::text(Command::new(python).args(["-m", "venv"]).arg(environment))
    };
    if create().is_ok() {
        return Ok(());
    }
    match apt::situation() {
        apt::Situation::Root => apt::bring(&["python3-venv"])?,
        apt::Situation::NoRoot => {
            return Err("Python's venv is missing; run: sudo apt-get install -y python3-venv".into());
        }
        apt::Situation::NoApt => return Err("Python 3 with venv and pip is missing; install it".into()),
    }
    create().map(|_| ())
}

fn environment(ws: &Workspace) -> PathBuf {
    ws.state().join("nvidia")
}

/// `lib/python3.N/site-packages`, whichever N
fn site_packages(environment: &Path) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(environment.join("lib")).ok()?.flatten().map(|entry| entry.path()).collect();
    found.sort();
    found.into_iter().map(|python| python.join("site-packages")).find(|path| path.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_environment_has_no_wheels() {
        let ws = Workspace { root: "absent".into(), target: "absent/target".into() };
        assert!(Wheels::find(&ws).is_none());
    }
}
