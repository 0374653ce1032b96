//! A language server for IR files: what is wrong as one types, what is what, where it comes from, and what may stand where.
//!
//! The editor starts it and speaks with it over standard input and output. It reads texts with the parser of
//! [`terrace_text`] and verifies them; it has no grammar of its own. A crate with dialects of its own gets its own server from
//! [`main`] with a [`Tool`].
//!
//! - `wire`: messages; `server`, `capabilities`: the session; `answers`: requests; `document`, `lines`, `change`: texts;
//!   `analysis`: what is known of one.
//! - `names`, `symbols`, `hover`, `outline`, `completion`, `reports`, `checks`, `format`, `pipelines`: what is shown of it.
//!
//! **Invariant:** no message, however wrong, ends the session but those after which no next one can be found.

mod analysis;
mod answers;
mod capabilities;
mod change;
mod checks;
mod completion;
mod document;
mod format;
mod hover;
mod lines;
mod names;
mod outline;
mod pipelines;
mod reports;
mod server;
mod symbols;
mod wire;

use server::{Ended, Event, Server};
use std::process::ExitCode;
use std::sync::mpsc::channel;
use terrace_opt::{Tool, say};
use wire::{Received, receive};

/// Command line of the server
#[derive(clap::Parser)]
#[command(version, about, long_about = None)]
struct Args {
    /// Speak over standard input and output, which is what the server does anyway
    #[arg(long)]
    stdio: bool,
    #[command(flatten)]
    dialects: terrace_opt::DialectArgs,
}

/// Serve on standard input and output until the client says so
///
/// Exit codes: 0; 1 where the session does not end as the protocol wants it; 2 for misuse of the command line.
pub fn main(tool: Tool) -> ExitCode {
    let args = match terrace_opt::command_line::<Args>() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let Some(tool) = args.dialects.loaded(tool) else { return ExitCode::from(1) };
    // What cannot be registered together is said before anything else.
    if let Err(code) = tool.start() {
        return code;
    }
    let (to, from) = channel();
    let events = to.clone();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        loop {
            let received = receive(&mut input);
            let last = matches!(received, Received::End(_));
            if events.send(Event::Received(received)).is_err() || last {
                return;
            }
        }
    });
    let ended = Server::new(tool, std::io::stdout().lock(), to).run(&from);
    match ended {
        Ok(Ended::Well) => ExitCode::SUCCESS,
        Ok(Ended::Early) => ExitCode::from(1),
        Ok(Ended::Broken(why)) => {
            say(&format!("{}: {why}\n", tool.name));
            ExitCode::from(1)
        }
        Err(error) => {
            say(&format!("{}: cannot write standard output: {error}\n", tool.name));
            ExitCode::from(1)
        }
    }
}
