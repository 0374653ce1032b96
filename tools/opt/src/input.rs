//! Reading the input.

use crate::codes;
use crate::language::{Content, binary};
use std::io::{ErrorKind, IsTerminal};
use terrace_diag::Diagnostic;
use terrace_ir::Loc;
use terrace_support::read;

/// A program of a file or of standard input (`-`): a text, bytecode, or bytes of the language that is requested or that the file's name says
pub fn read_program(file: &str, input: Option<&str>) -> Result<Content, Diagnostic> {
    if let Some(binary) = binary(file, input) {
        return Ok(Content::Bytes(binary, bytes(file)?));
    }
    let bytes = bytes(file)?;
    if terrace_bytecode::is_bytecode(&bytes) && input.is_none_or(|input| input == "mlir") {
        return Ok(Content::Bytecode(bytes));
    }
    text(file, bytes).map(Content::Text)
}

fn bytes(file: &str) -> Result<Vec<u8>, Diagnostic> {
    let bytes = if file == "-" {
        if std::io::stdin().is_terminal() {
            crate::say("reading standard input, until Ctrl-D; `--help` shows what else there is\n");
        }
        read::up_to(&mut std::io::stdin().lock(), read::STREAM)
    } else {
        read::file(file)
    };
    bytes.map_err(|error| {
        let code = if error.kind() == ErrorKind::FileTooLarge { &codes::TOO_LARGE } else { &codes::READ };
        Diagnostic::error(code, format!("cannot read `{file}`: {error}"))
    })
}

/// Text of a file or of standard input (`-`)
pub fn read(file: &str) -> Result<String, Diagnostic> {
    text(file, bytes(file)?)
}

fn text(file: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
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
