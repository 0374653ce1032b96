//! ptxas, nvdisasm and NVRTC out of NVIDIA's wheels, in a private Python environment under the target folder
//!
//! Tests start ptxas and nvdisasm and open libnvrtc at run time.

use super::wheels::{self, Wheel};
use crate::Fallible;
use crate::workspace::Workspace;
use std::path::PathBuf;

const WHEELS: [Wheel; 2] = [("nvidia-cuda-nvcc-cu12", "12.9.86"), ("nvidia-cuda-nvrtc-cu12", "12.9.86")];

/// There is no wheel of nvdisasm 12; this one reads what ptxas 12.9 writes for sm_75 and later
const DISASSEMBLER: [Wheel; 1] = [("nvidia-cuda-nvdisasm", "13.5.37")];

const NOTICE: &str = "\
setup: NVIDIA's ptxas, nvdisasm, libdevice and NVRTC are NVIDIA's property, under the CUDA Toolkit End User License
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
    /// The disassembler of machine code; environments from before lack it
    pub nvdisasm: Option<PathBuf>,
}

impl Wheels {
    /// In the private environment, of the pinned version
    pub fn find(ws: &Workspace) -> Option<Wheels> {
        let root = wheels::installed(&environment(ws), &WHEELS)?.join("nvidia");
        let wheels = Wheels {
            ptxas: root.join("cuda_nvcc/bin/ptxas"),
            nvrtc: root.join("cuda_nvrtc/lib"),
            libdevice: root.join("cuda_nvcc/nvvm/libdevice/libdevice.10.bc"),
            nvdisasm: disassembler(ws),
        };
        let complete = wheels.ptxas.is_file()
            && wheels.nvrtc.join("libnvrtc.so.12").is_file()
            && wheels.libdevice.is_file();
        complete.then_some(wheels)
    }

    /// Is everything here that set-up brings?
    pub fn complete(ws: &Workspace) -> bool {
        Wheels::find(ws).is_some_and(|wheels| wheels.nvdisasm.is_some())
    }
}

/// Bring the wheels, unless they are there
pub fn install(ws: &Workspace) -> Fallible {
    if Wheels::complete(ws) {
        say!("setup: ptxas and NVRTC {}, nvdisasm {} are here", WHEELS[0].1, DISASSEMBLER[0].1);
        return Ok(());
    }
    say!("{NOTICE}");
    if Wheels::find(ws).is_none() {
        wheels::install(&environment(ws), &WHEELS, "ptxas and NVRTC (about 310 MB on disk)")?;
    }
    wheels::install(&environment(ws), &DISASSEMBLER, "nvdisasm (about 6 MB on disk)")?;
    if Wheels::complete(ws) {
        Ok(())
    } else {
        Err("the wheels were installed but lack ptxas, nvdisasm or libnvrtc".into())
    }
}

/// nvdisasm, of the pinned version
fn disassembler(ws: &Workspace) -> Option<PathBuf> {
    let root = wheels::installed(&environment(ws), &DISASSEMBLER)?;
    Some(root.join("nvidia/cu13/bin/nvdisasm")).filter(|path| path.is_file())
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
