//! `target/terrace/setup.toml`: what set-up found, for the tools and tests that need a place
//!
//! Only keys of what is there are written; a reader takes an absent key for a missing component.

use super::nvidia::Wheels;
use super::{hls, hyperqueue, intel};
use crate::Fallible;
use crate::components;
use crate::workspace::Workspace;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// Write it, unless it says the same already
pub fn write(ws: &Workspace) -> Fallible {
    let path = ws.state().join("setup.toml");
    let text = render(&entries(ws));
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(ws.state()).map_err(|e| format!("{}: {e}", ws.state().display()))?;
    fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn entries(ws: &Workspace) -> Vec<(&'static str, PathBuf)> {
    let mut out = Vec::new();
    let bin = components::llvm().join("bin");
    for (key, program) in [("mlir_opt", "mlir-opt"), ("clang", "clang"), ("llvm_mca", "llvm-mca")] {
        out.extend(bin.join(program).is_file().then(|| (key, bin.join(program))));
    }
    out.extend(components::oclgrind().map(|path| ("oclgrind", path)));
    out.extend(components::python_with_numpy().map(|path| ("python", path)));
    if let Some(wheels) = Wheels::find(ws) {
        out.push(("ptxas", wheels.ptxas));
        out.push(("nvrtc_dir", wheels.nvrtc));
        out.push(("libdevice", wheels.libdevice));
        out.extend(wheels.nvdisasm.map(|path| ("nvdisasm", path)));
    }
    out.extend(hyperqueue::python(ws).map(|python| ("hyperqueue_python", python)));
    out.extend(hls::headers(ws).map(|folder| ("ap_types", folder)));
    out.extend(intel::vendors(ws).map(|folder| ("spirv_vendors", folder)));
    out
}

fn render(entries: &[(&str, PathBuf)]) -> String {
    let mut out =
        String::from("# Written by `cargo xtask setup`; a missing key is a missing component.\n[paths]\n");
    for (key, path) in entries {
        // A literal string needs no escapes; a path with a quote in it would need a basic one.
        let path = path.to_string_lossy();
        let quoted = if path.contains('\'') {
            format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
        } else {
            format!("'{path}'")
        };
        let _ = writeln!(out, "{key} = {quoted}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted() {
        let text = render(&[("a", "/x/y".into()), ("b", "/it's/\"q\"".into())]);
        assert!(text.contains("a = '/x/y'\n"));
        assert!(text.contains("b = \"/it's/\\\"q\\\"\"\n"));
    }
}
