//! Reading the input.

use crate::codes;
use std::io::{ErrorKind, IsTerminal};
use terrace_diag::Diagnostic;
use terrace_ir::Loc;
use terrace_support::read;

/// Text of a file or of standard input (`-`)
pub fn read(file: &str) -> Result<String, Diagnostic> {
    let bytes = if file == "-" {
        if std::io::stdin().is_terminal() {
            crate::say("reading standard input, until Ctrl-D; `--help` shows what else there is\n");
        }
        read::up_to(&mut std::io::stdin().lock(), read::STREAM)
    } else {
        read::file(file)
    };
    let bytes = bytes.map_err(|error| {
        let code = if error.kind() == ErrorKind::FileTooLarge { &codes::TOO_LARGE } else { &codes::READ };
        Diagnostic::error(code, format!("cannot read `{file}`: {error}"))
    })?;
    if bytes.len() > Loc::MAX_OFFSET {
        return Err(Diagnostic::error(&codes::TOO_LARGE, format!("`{file}` has {} bytes", bytes.len())));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
        Diagnostic::error(&codes::UTF8, format!("`{file}` is not UTF-8: line {line}, byte {at} of the file"))
    })?;
    // Some editors begin a file with a mark of its byte order; it belongs to no language.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
