//! Writing the output: whole or not at all.

use crate::codes;
use std::io::Write;
use std::path::Path;
use terrace_diag::Diagnostic;

/// Write to a file, or to standard output
///
/// A file is written beside its place under another name and then moved there, unless the place is no regular file
/// (a pipe, a device).
pub fn write(file: Option<&str>, bytes: &[u8]) -> Result<(), Diagnostic> {
    let Some(file) = file else {
        let mut out = std::io::stdout().lock();
        return match out.write_all(bytes).and_then(|()| out.flush()) {
            // The reader has seen enough (`| head`).
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => {
                Err(Diagnostic::error(&codes::WRITE, format!("cannot write standard output: {error}")))
            }
            Ok(()) => Ok(()),
        };
    };
    let fail =
        |error: std::io::Error| Diagnostic::error(&codes::WRITE, format!("cannot write `{file}`: {error}"));
    let place = Path::new(file);
    match std::fs::metadata(place) {
        Ok(meta) if !meta.is_file() => return std::fs::write(place, bytes).map_err(fail),
        Ok(meta) if meta.permissions().readonly() => {
            return Err(fail(std::io::Error::from(std::io::ErrorKind::PermissionDenied)));
        }
        _ => {}
    }
    let beside = format!("{file}.{}.part", std::process::id());
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, place));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&beside);
        fail(error)
    })
}
