//! The worker: reads requests from standard input, writes replies to standard output (`terrace_native_client::protocol`).
//!
//! It serves one tool until its input ends. What it runs may take it down; the tool says so.

use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use terrace_diag::{Diagnostic, Diags, Sources, Span};
use terrace_ir::{Context, Ir};
use terrace_native_client::codes;
use terrace_native_client::protocol::{Frame, Reply, Request};
use terrace_text::ParseOptions;

fn main() -> ExitCode {
    let first = std::env::args().nth(1);
    if let Some(text) = terrace_native_client::told_by_hand("terrace-native", "LLVM", first.as_deref()) {
        let written = writeln!(std::io::stdout(), "{text}");
        // The reader may have seen enough (`| head`).
        let failed = written.is_err_and(|error| error.kind() != ErrorKind::BrokenPipe);
        return ExitCode::from(u8::from(failed));
    }
    terrace_native_client::orphan::end_with_reader();
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut output = BufWriter::new(std::io::stdout().lock());
    match serve(&mut input, &mut output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "terrace-native: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(input: &mut impl std::io::Read, output: &mut impl Write) -> std::io::Result<()> {
    Frame::hello().write(output)?;
    while let Some(frame) = Frame::read(input)? {
        let reply = match Request::decode(&frame) {
            // Who no longer listens is found when the reply is written.
            Ok(request) => answer(&request, &mut || {
                let _ = Frame::built().write(output);
                if request.waits() {
                    let _ = Frame::read(input);
                }
            }),
            Err(error) => {
                Reply::Failed(vec![Diagnostic::error(&codes::PROTOCOL, format!("bad request: {error}"))])
            }
        };
        reply.encode().write(output)?;
    }
    Ok(())
}

fn answer(request: &Request, built: &mut dyn FnMut()) -> Reply {
    let (Request::Emit { module: text, .. } | Request::Run { module: text, .. }) = request;
    let mut diags = Diags::default();
    let dialects = [terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL].concat();
    let cx = Context::new(&dialects);
    let sources = cx.sources();
    let source = sources.add("<lowered module>", text.as_str());
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let parsed = terrace_text::parse(&cx, source, &options, &mut diags);
    let reply = match parsed {
        Some(ir) if !diags.has_errors() => carry_out(&ir, request, built, &mut diags),
        _ => None,
    };
    reply.unwrap_or_else(|| {
        let errors = diags.into_vec().into_iter().map(|error| placed(unlowered(error), sources)).collect();
        Reply::Failed(errors)
    })
}

/// An op of a level above `sched` cannot even be read here: it is to be lowered first
fn unlowered(error: Diagnostic) -> Diagnostic {
    let unknown = error.code.is_some_and(|code| code.id == terrace_text::codes::UNKNOWN_OP.id);
    let name = error.message.split('`').nth(1).filter(|_| unknown);
    let Some(name) = name else { return error };
    let message = format!("`{name}` cannot be lowered to LLVM: it is of a level above");
    Diagnostic::error(&codes::UNSUPPORTED_OP, message).at(error.span)
}

fn carry_out(ir: &Ir, request: &Request, built: &mut dyn FnMut(), diags: &mut Diags) -> Option<Reply> {
    match request {
        Request::Emit { kind, options, .. } => {
            terrace_lowering_llvm::emit(ir, *kind, options, libdevice().as_deref(), diags).map(Reply::Code)
        }
        Request::Run { run, .. } => {
            // None means the machine's number, also after a run that wanted another.
            terrace_runtime_abi::terrace_set_threads(run.threads.unwrap_or(0).into());
            let symbols: Vec<_> = terrace_runtime_abi::symbols()
                .into_iter()
                .map(|symbol| (symbol.name, symbol.address as usize))
                .collect();
            terrace_lowering_llvm::run(ir, run, &symbols, built, diags).map(Reply::Ran)
        }
    }
}

/// NVIDIA's library of mathematical functions: where the environment says, or where the set-up of the sources puts it
fn libdevice() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("TERRACE_LIBDEVICE") {
        return Some(path.into());
    }
    let exe = std::env::current_exe().ok()?;
    let record = exe.ancestors().skip(1).take(3).map(|folder| folder.join("terrace/setup.toml"));
    let text = record.into_iter().find_map(|path| std::fs::read_to_string(path).ok())?;
    let line = text.lines().find_map(|line| line.strip_prefix("libdevice = "))?;
    Some(PathBuf::from(line.trim().trim_matches(['\'', '"']))).filter(|path| path.is_file())
}

/// The line that a span means as a note: the tool has not the text that the span counts in
fn placed(mut error: Diagnostic, sources: &Sources) -> Diagnostic {
    let Some(span) = error.span.take() else { return error };
    let (line, _) = sources.line_col(span.source, span.start);
    let text = line_of(sources, span);
    error.note(format!("line {line} of the lowered module: `{}`", text.trim()))
}

fn line_of(sources: &Sources, span: Span) -> &str {
    let text = sources.text(span.source);
    let at = (span.start as usize).min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let end = text[at..].find('\n').map_or(text.len(), |n| at + n);
    &text[start..end]
}
