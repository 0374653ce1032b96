//! Libraries that programs load: an object and the runtime, put together by the C compiler.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use terrace_diag::Diagnostic;
use terrace_target_api::program::first_lines;
use terrace_target_api::{Scratch, codes};

/// The runtime as a static library
const RUNTIME: &str = "libterrace_runtime_abi.a";

/// The bytes of a library with this object and what it calls of the runtime
///
/// The library shows the object's public functions only.
pub(crate) fn shared(object: &[u8]) -> Result<Vec<u8>, Vec<Diagnostic>> {
    link(object).map_err(|error| vec![error])
}

fn link(object: &[u8]) -> Result<Vec<u8>, Diagnostic> {
    let failed = |error: std::io::Error| Diagnostic::error(&codes::EMIT, format!("cannot link: {error}"));
    let folder = Scratch::new().map_err(failed)?;
    let (from, to) = (folder.path().join("module.o"), folder.path().join("module.so"));
    std::fs::write(&from, object).map_err(failed)?;
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = folder.command(&compiler);
    command.args(["-shared", "-o"]).arg(&to).arg(&from);
    if object.windows(8).any(|part| part == b"terrace_") {
        command.arg(runtime()?);
    }
    // Nothing of the runtime or of its language is seen from outside, and what is missing is reported now.
    command.args(["-Wl,--exclude-libs,ALL", "-Wl,--gc-sections", "-Wl,-z,defs", "-lpthread", "-ldl", "-lm"]);
    command.stdin(Stdio::null()).env("TMPDIR", folder.path());
    let name = compiler.to_string_lossy().into_owned();
    let out = command.output().map_err(|error| {
        Diagnostic::error(
            &codes::EMIT,
            format!("the C compiler `{name}`, which links, cannot be started: {error}"),
        )
        .help("install one, or name it in the environment variable CC")
    })?;
    if !out.status.success() {
        return Err(Diagnostic::error(&codes::EMIT, format!("`{name}` cannot link the library"))
            .note(first_lines(&out.stderr)));
    }
    std::fs::read(&to).map_err(failed)
}

/// Where the runtime is: as the environment says, next to the running program, or in the folder above that
fn runtime() -> Result<PathBuf, Diagnostic> {
    if let Some(path) = std::env::var_os("TERRACE_RUNTIME") {
        return Ok(path.into());
    }
    let exe = std::env::current_exe().ok();
    let folders = exe.iter().flat_map(|exe| exe.ancestors().skip(1).take(2));
    let found = folders.map(|folder: &Path| folder.join(RUNTIME)).find(|path| path.is_file());
    found.ok_or_else(|| {
        Diagnostic::error(
            &codes::EMIT,
            format!("the runtime `{RUNTIME}`, which the library needs, is not there"),
        )
        .help("build it next to the tools: `cargo xtask build`, or")
        .help("`cargo build [--release] -p terrace-runtime-abi`")
        .help("or name one in the environment variable TERRACE_RUNTIME")
    })
}
