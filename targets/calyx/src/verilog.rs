//! Calyx to SystemVerilog, by the worker.

use std::path::{Path, PathBuf};
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_native_client::client;
use terrace_target_api::program::{failed, first_lines, output};
use terrace_target_api::{Limits, Scratch};

/// Longest time of Calyx's compiler where nothing else is given
const USUAL: Duration = Duration::from_secs(300);

/// The SystemVerilog of a text
pub(crate) fn text(calyx: &str) -> Result<Vec<u8>, Diagnostic> {
    let folder = scratch()?;
    let path = compile(&folder, calyx, Limits::each(USUAL).build)?;
    std::fs::read(&path).map_err(|error| failed(format!("cannot read `{}`: {error}", path.display())))
}

pub(crate) fn scratch() -> Result<Scratch, Diagnostic> {
    Scratch::new().map_err(|error| failed(format!("no folder for temporary files: {error}")))
}

/// Write a file
pub(crate) fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Diagnostic> {
    let path = folder.join(name);
    let written = std::fs::write(&path, text);
    written.map_err(|error| failed(format!("cannot write `{}`: {error}", path.display())))?;
    Ok(path)
}

/// The SystemVerilog of a text as a file
pub(crate) fn compile(folder: &Scratch, calyx: &str, limit: Duration) -> Result<PathBuf, Diagnostic> {
    write(folder.path(), "main.futil", calyx)?;
    let mut command = folder.command(client::find_calyx()?);
    command.arg(folder.path());
    let out = output(&mut command, "Calyx's compiler", limit, Vec::new())?;
    if out.status.success() {
        return Ok(folder.path().join("main.sv"));
    }
    Err(failed("Calyx's compiler refuses the text, which is a mistake of this back end".into())
        .note(first_lines(&out.stderr)))
}
