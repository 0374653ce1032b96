//! Intel's OpenCL for processors, out of Intel's wheels: it takes SPIR-V, and it runs on processors of others too
//!
//! It coexists with the system's drivers: a folder of its own lists both, the system's first, and only what runs SPIR-V reads it.

use super::wheels::{self, Wheel};
use crate::Fallible;
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

const WHEELS: [Wheel; 5] = [
    ("intel-opencl-rt", "2026.2.0"),
    ("intel-cmplr-lib-rt", "2026.2.0"),
    ("intel-cmplr-lic-rt", "2026.2.0"),
    ("tbb", "2023.2.0"),
    ("tcmlib", "1.6.0"),
];

/// The list of drivers on Debian
const SYSTEM: &str = "/etc/OpenCL/vendors";

const NOTICE: &str = "\
setup: Intel's OpenCL runtime is Intel's property, under the Intel End User License Agreement for Developer Tools
  (share/doc/opencl/licensing/EULA.txt in its folder). It is not part of Terrace and not under its licence; installing and
  using it means accepting that agreement.";

/// The folder that lists drivers, where the runtime is there
pub fn vendors(ws: &Workspace) -> Option<PathBuf> {
    wheels::installed(&environment(ws), &WHEELS)?;
    let folder = environment(ws).join("vendors");
    (driver(ws).is_file() && folder.is_dir()).then_some(folder)
}

/// Bring the wheels and list the drivers, unless they are there
pub fn install(ws: &Workspace) -> Fallible {
    if vendors(ws).is_some() {
        say!("setup: Intel's OpenCL {} is here", WHEELS[0].1);
        return Ok(());
    }
    say!("{NOTICE}");
    wheels::install(&environment(ws), &WHEELS, "Intel's OpenCL (about 830 MB on disk)")?;
    let folder = environment(ws).join("vendors");
    list(&folder, &driver(ws)).map_err(|error| format!("{}: {error}", folder.display()))?;
    vendors(ws).map(|_| ()).ok_or_else(|| "the wheels were installed but lack libintelocl.so".into())
}

/// The system's drivers, then this one: the loader offers them in the order of the files' names
fn list(folder: &Path, driver: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(SYSTEM).into_iter().flatten().flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    fs::write(folder.join("zz-intel.icd"), format!("{}\n", driver.display()))
}

fn driver(ws: &Workspace) -> PathBuf {
    environment(ws).join("lib/libintelocl.so")
}

fn environment(ws: &Workspace) -> PathBuf {
    ws.state().join("intel")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_environment_lists_nothing() {
        let ws = Workspace { root: "absent".into(), target: "absent/target".into() };
        assert!(vendors(&ws).is_none());
    }
}
