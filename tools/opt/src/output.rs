//! Writing the output: whole or not at all.

use crate::codes;
use std::io::Write;
use std::path::Path;
use terrace_diag::Diagnostic;

/// Messages, to standard error; who reads them may have seen enough (`|& head`), which is no failure
pub fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Fail now where [`write`] would fail later: before long work whose result goes there
pub fn check(file: &str) -> Result<(), Diagnostic> {
    let there = std::fs::metadata(file);
    if there.as_ref().is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
        return Ok(());
    }
    let fail =
        |error: std::io::Error| Diagnostic::error(&codes::WRITE, format!("cannot write `{file}`: {error}"));
    match there {
        Ok(meta) if meta.is_dir() => return Err(fail(std::io::ErrorKind::IsADirectory.into())),
        Ok(meta) if meta.permissions().readonly() => {
            return Err(fail(std::io::ErrorKind::PermissionDenied.into()));
        }
        _ => {}
    }
    let beside = format!("{file}.{}.part", std::process::id());
    std::fs::write(&beside, b"").and_then(|()| std::fs::remove_file(&beside)).map_err(fail)
}

/// Do two names mean one place to write to? Whichever way each is spelled; places that keep nothing (`/dev/null`) are no matter
pub fn same_place(one: &str, other: &str) -> bool {
    let place = |file: &str| {
        let path = std::path::absolute(file).ok()?;
        let there = std::fs::metadata(&path);
        if there.as_ref().is_ok_and(|meta| !meta.is_file()) {
            return None;
        }
        // What is not there yet has a folder that is.
        match std::fs::canonicalize(&path) {
            Ok(found) => Some(found),
            Err(_) => Some(std::fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?)),
        }
    };
    place(one).is_some() && place(one) == place(other)
}

/// Write to a file, or to standard output
///
/// A file is written under a temporary name in its folder and then renamed, unless the target is no regular file
/// (a pipe, a device). Where a file was, the new one has its permissions; a link stays one.
pub fn write(file: Option<&str>, bytes: &[u8]) -> Result<(), Diagnostic> {
    let Some(file) = file else {
        let mut out = std::io::stdout().lock();
        return match crate::stdout::check().and_then(|()| out.write_all(bytes)).and_then(|()| out.flush()) {
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
    let place = std::fs::canonicalize(file).unwrap_or_else(|_| Path::new(file).to_path_buf());
    let old = std::fs::metadata(&place).ok();
    match &old {
        Some(meta) if !meta.is_file() => return std::fs::write(&place, bytes).map_err(fail),
        Some(meta) if meta.permissions().readonly() => {
            return Err(fail(std::io::Error::from(std::io::ErrorKind::PermissionDenied)));
        }
        _ => {}
    }
    let mut beside = place.clone().into_os_string();
    beside.push(format!(".{}.part", std::process::id()));
    let written = std::fs::write(&beside, bytes)
        .and_then(|()| old.map_or(Ok(()), |old| std::fs::set_permissions(&beside, old.permissions())))
        .and_then(|()| std::fs::rename(&beside, &place));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&beside);
        fail(error)
    })
}
