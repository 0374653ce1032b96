//! From text to text, part by part of the input, as `mlir-opt` does it.
//!
//! With `--split-input-file` the parts that succeed are printed even if others fail; a file is written only if
//! all do.

use super::chunk;
use super::outcome::Outcome;
use super::request::Request;
use crate::language::Content;
use crate::{DialectArgs, Tool, output, say};
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use terrace_diag::split_input_at;
use terrace_ir::{Context, Loc};

/// Run a request; reads and writes files
pub fn run(tool: Tool, request: &Request) -> ExitCode {
    let files = DialectArgs { irdl_file: request.irdl_files.clone(), ..DialectArgs::default() };
    let Some(tool) = files.loaded(tool) else { return ExitCode::from(1) };
    let cx = match tool.start() {
        Ok(cx) => cx,
        Err(code) => return code,
    };
    let content = match read(&request.file) {
        Ok(content) => content,
        Err(why) => {
            say(&format!("cannot open input file '{}': {why}\n", request.file));
            return ExitCode::from(1);
        }
    };
    let file = Some(&*request.output).filter(|file| *file != "-");
    if let Some(file) = file
        && let Err(error) = output::check(file)
    {
        let why = error.message.rsplit_once("`: ").map_or(&*error.message, |(_, why)| why);
        say(&format!("cannot open output file '{file}': {}\n", system(why)));
        return ExitCode::from(1);
    }
    let name = if request.file == "-" { "<stdin>" } else { &request.file };
    let outcome = run_on(tool, &cx, request, name, content);
    say(&outcome.messages);
    // What succeeded goes to standard output in any case.
    let written = match file {
        Some(_) if outcome.failed => Ok(()),
        file => output::write(file, &outcome.out),
    };
    if let Err(error) = &written {
        say(&format!("{}: {}\n", request.program, error.message));
    }
    std::mem::forget(cx);
    ExitCode::from(u8::from(outcome.failed || written.is_err()))
}

/// Run a request on a text, or on bytecode, which is one part
fn run_on(tool: Tool, cx: &Arc<Context>, request: &Request, name: &str, content: Content) -> Outcome {
    let (text, bytecode) = match content {
        Content::Text(text) => (text, None),
        Content::Bytecode(bytes) | Content::Bytes(_, bytes) => (String::new(), Some(bytes)),
    };
    let ranges = match &request.split {
        Some(marker) => split_input_at(&text, marker),
        None => std::iter::once(0..text.len()).collect(),
    };
    let whole = cx.sources().add(name, text);
    let several = ranges.len() > 1;
    let mut outcome = Outcome::default();
    for (n, range) in ranges.into_iter().enumerate() {
        if n > 0 {
            let _ = writeln!(outcome.out, "{}", request.joint);
        }
        let source = if several { cx.sources().add_chunk(whole, range) } else { whole };
        chunk::run(tool, cx, request, source, bytecode.as_deref(), &mut outcome);
    }
    outcome
}

/// The content of a file or of standard input
fn read(file: &str) -> Result<Content, String> {
    let bytes = if file == "-" {
        terrace_support::read::up_to(&mut std::io::stdin().lock(), terrace_support::read::STREAM)
    } else {
        terrace_support::read::file(file)
    };
    let bytes = bytes.map_err(|error| system(&error.to_string()).to_string())?;
    if bytes.len() > Loc::MAX_OFFSET {
        return Err(format!("{} bytes are more than {}", bytes.len(), Loc::MAX_OFFSET));
    }
    if terrace_bytecode::is_bytecode(&bytes) {
        return Ok(Content::Bytecode(bytes));
    }
    String::from_utf8(bytes)
        .map(Content::Text)
        .map_err(|error| format!("not UTF-8 from byte {}", error.utf8_error().valid_up_to()))
}

/// A message of the system without the number of the error
fn system(why: &str) -> &str {
    why.split_once(" (os error").map_or(why, |(why, _)| why)
}
