//! AMD's public headers for high-level synthesis (`ap_int.h`, `ap_fixed.h`, `hls_stream.h`) out of the wheel of hls4ml, in a private Python
//! environment under the target folder: tests compile code for FPGAs with them

use super::wheels::{self, Wheel};
use crate::Fallible;
use crate::workspace::Workspace;
use std::path::PathBuf;

const WHEELS: [Wheel; 1] = [("hls4ml", "1.1.0")];

/// The folder of the headers
pub fn headers(ws: &Workspace) -> Option<PathBuf> {
    let packages = wheels::installed(&environment(ws), &WHEELS)?;
    let folder = packages.join("hls4ml/templates/vivado/ap_types");
    Some(folder).filter(|folder| folder.join("ap_int.h").is_file())
}

/// Bring them, unless they are there
pub fn install(ws: &Workspace) -> Fallible {
    if headers(ws).is_some() {
        say!("setup: headers for high-level synthesis are here ({} {})", WHEELS[0].0, WHEELS[0].1);
        return Ok(());
    }
    wheels::install(&environment(ws), &WHEELS, "headers for high-level synthesis (hls4ml, 9 MB unpacked)")?;
    headers(ws).map(|_| ()).ok_or_else(|| "the wheel was installed but lacks ap_int.h".into())
}

fn environment(ws: &Workspace) -> PathBuf {
    ws.state().join("hls")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_environment_has_no_headers() {
        let ws = Workspace { root: "absent".into(), target: "absent/target".into() };
        assert!(headers(&ws).is_none());
    }
}
