//! ptxas and NVRTC out of NVIDIA's wheels, in a private Python environment under the target folder
//!
//! Tests start ptxas and open libnvrtc at run time.

use super::wheels::{self, Wheel};
use crate::Fallible;
use crate::workspace::Workspace;
use std::path::PathBuf;

const WHEELS: [Wheel; 2] = [("nvidia-cuda-nvcc-cu12", "12.9.86"), ("nvidia-cuda-nvrtc-cu12", "12.9.86")];

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
        let root = wheels::installed(&environment(ws), &WHEELS)?.join("nvidia");
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
    wheels::install(&environment(ws), &WHEELS, "ptxas and NVRTC (about 310 MB on disk)")?;
    Wheels::find(ws).map(|_| ()).ok_or_else(|| "the wheels were installed but lack ptxas or libnvrtc".into())
}

fn environment(ws: &Workspace) -> PathBuf {
    ws.state().join("nvidia")
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
