//! The worker that holds upstream MLIR: reads requests from standard input, writes replies to standard output (see
//! `terrace_native_client::protocol`). Ends with its input.

use std::io::{BufReader, ErrorKind, Write, stdin, stdout};
use std::process::ExitCode;
use terrace_diag::Diagnostic;
use terrace_native_client::codes;
use terrace_native_client::protocol::{Frame, Reply, Request};

fn main() -> ExitCode {
    let first = std::env::args().nth(1);
    if let Some(text) =
        terrace_native_client::told_by_hand("terrace-upstream", "upstream MLIR", first.as_deref())
    {
        let written = writeln!(stdout(), "{text}");
        // The reader may have seen enough (`| head`).
        let failed = written.is_err_and(|error| error.kind() != ErrorKind::BrokenPipe);
        return ExitCode::from(u8::from(failed));
    }
    terrace_native_client::orphan::end_with_reader();
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("terrace-upstream: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> std::io::Result<()> {
    let mut out = stdout().lock();
    Frame::hello().write(&mut out)?;
    let mut input = BufReader::new(stdin().lock());
    while let Some(frame) = Frame::read(&mut input)? {
        let reply = match Request::decode(&frame) {
            // Who no longer listens is found when the reply is written.
            Ok(request) => terrace_lowering_mlir::answer(&request, &mut || {
                let _ = Frame::built().write(&mut out);
                if request.waits() {
                    let _ = Frame::read(&mut input);
                }
            }),
            Err(why) => {
                let message = format!("the request cannot be read: {why}");
                Reply::Failed(vec![Diagnostic::error(&codes::PROTOCOL, message)])
            }
        };
        reply.encode().write(&mut out)?;
    }
    Ok(())
}
