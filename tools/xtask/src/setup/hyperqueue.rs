//! HyperQueue out of its wheel, in a private Python environment under the target folder: a test measures by it

use super::wheels::{self, Wheel};
use crate::Fallible;
use crate::workspace::Workspace;
use std::path::PathBuf;

const WHEELS: [Wheel; 3] = [("hyperqueue", "0.27.0"), ("cloudpickle", "3.1.3"), ("tqdm", "4.70.1")];

/// The Python that has it
pub fn python(ws: &Workspace) -> Option<PathBuf> {
    wheels::installed(&environment(ws), &WHEELS)?;
    Some(environment(ws).join("bin/python")).filter(|python| python.is_file())
}

/// Bring it, unless it is there
pub fn install(ws: &Workspace) -> Fallible {
    if python(ws).is_some() {
        say!("setup: HyperQueue {} is here", WHEELS[0].1);
        return Ok(());
    }
    wheels::install(&environment(ws), &WHEELS, "HyperQueue (about 40 MB on disk)")?;
    python(ws).map(|_| ()).ok_or_else(|| "the wheels were installed but lack HyperQueue".into())
}

fn environment(ws: &Workspace) -> PathBuf {
    ws.state().join("hyperqueue")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_environment_has_no_python() {
        let ws = Workspace { root: "absent".into(), target: "absent/target".into() };
        assert!(python(&ws).is_none());
    }
}
