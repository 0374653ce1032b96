//! Parse, verify, transform, print: the driver behind `terrace-opt`, for anyone's dialects and passes.
//!
//! A crate with dialects of its own gets its own tool from [`main`] with a [`Tool`]: ten lines. Exit codes: 0; 1 for a
//! diagnosed error; 2 for misuse of the command line. Links no vendor library. Output files are written
//! whole or not at all.
//!
//! Without the feature `full` it knows what `terrace` has by default, and is built in a fraction of the time.

mod args;
// What the feature `full` adds; `plain` has the same names without it.
#[cfg_attr(feature = "full", path = "full/mod.rs")]
#[cfg_attr(not(feature = "full"), path = "plain.rs")]
mod beyond;
mod cases;
pub mod codes;
mod emit;
mod forms;
mod input;
pub mod language;
mod limit;
mod lists;
mod loaded;
mod manual;
mod mlir_opt;
mod new_dialect;
mod one_by_one;
mod output;
pub mod reference;
pub mod stdout;

pub use beyond::RecordArgs;
pub use forms::missing;
pub use input::{read as read_input, read_program};
pub use loaded::DialectArgs;
pub use output::{check as check_output, same_place, say, write as write_output};
pub use terrace::{REGISTRY, standard_dialects as all_dialects};

use args::Args;
use clap::Parser;
use language::Content;
use std::fmt;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::sync::Arc;
use terrace_diag::{Code, Diagnostic, Diags, Sources, Twice, render_all};
use terrace_ir::{Context, Dialect};
use terrace_pass::{Dump, Registry};

/// All codes of the features that are on, and those of the tools
pub fn all_codes() -> Vec<&'static [Code]> {
    let own = vec![
        codes::ALL,
        terrace_irdl::codes::ALL,
        #[cfg(not(feature = "full"))]
        beyond::codes::ALL,
    ];
    [terrace::codes(), own].concat()
}

/// What a tool knows
#[derive(Clone, Copy)]
pub struct Tool {
    /// Name in messages
    pub name: &'static str,
    /// Dialects to register
    pub dialects: fn() -> Vec<&'static Dialect>,
    /// Passes and named pipelines
    pub registry: Registry,
    /// Dialects that a command line has loaded; none to begin with
    pub loaded: &'static [&'static Dialect],
}

impl Tool {
    /// `terrace-opt`: every dialect and pass of this repository
    pub const OPT: Tool =
        Tool { name: "terrace-opt", dialects: all_dialects, registry: REGISTRY, loaded: &[] };

    /// The tool's own dialects and those that were loaded
    pub fn all_dialects(self) -> Vec<&'static Dialect> {
        let mut all = (self.dialects)();
        all.extend(self.loaded);
        all
    }

    /// The context of a run, or what cannot be registered together (E0116)
    pub fn context(self) -> Result<Arc<Context>, Box<Diagnostic>> {
        let cx = Context::try_new(&self.all_dialects())?;
        self.registry.check()?;
        terrace_rewrite::strategy::check_rules(&cx)?;
        let twice =
            |twice: Twice| Box::new(Diagnostic::error(&terrace_ir::codes::REGISTRATION, twice.to_string()));
        terrace_diag::check_unique(&self.codes()).map_err(twice)?;
        Ok(cx)
    }

    /// All codes that the tool explains: those of this repository, and those of other dialects
    pub fn codes(self) -> Vec<&'static [Code]> {
        let mut all = all_codes();
        let own =
            (self.dialects)().into_iter().map(|dialect| dialect.codes).filter(|codes| !codes.is_empty());
        all.extend(own);
        all
    }

    /// Run on the process's arguments; messages and the error are shown, and give the exit code
    pub fn drive<A: Parser>(
        self,
        run: impl FnOnce(&A, &Arc<Context>, &mut Diags) -> Result<(), Diagnostic>,
    ) -> ExitCode {
        let args = match command_line::<A>() {
            Ok(args) => args,
            Err(code) => return code,
        };
        let cx = match self.start() {
            Ok(cx) => cx,
            Err(code) => return code,
        };
        let mut diags = Diags::default();
        if let Err(error) = run(&args, &cx, &mut diags) {
            let _ = diags.emit(error);
        }
        finish(&cx, &diags)
    }

    /// The context of a run; where dialects, passes or rules do not go together, that is shown, and this is the exit code
    pub fn start(self) -> Result<Arc<Context>, ExitCode> {
        self.context().map_err(|error| {
            let _ = show_plain(&error);
            ExitCode::from(1)
        })
    }
}

/// Why a run ended early
pub(crate) enum Stop {
    /// Misuse of the command line: exit code 2
    Usage(String),
    /// Diagnosed: exit code 1; the diagnostics have been shown
    Failed,
}

/// Run the tool on the process's arguments
///
/// A tool whose name begins with `mlir-opt`, or that is run with `--as=mlir-opt` first, takes the command line of MLIR's tool.
pub fn main(tool: Tool) -> ExitCode {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    if let Some((program, words)) = mlir_opt::addressed(words) {
        return mlir_opt::main(tool, &program, words);
    }
    let args = match command_line::<Args>() {
        Ok(args) => Args { leave_memory: true, ..args },
        Err(code) => return code,
    };
    match run(tool, &args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::Failed) => ExitCode::from(1),
        Err(Stop::Usage(message)) => {
            say(&format!("{}: {message}\nTry `{} --help`.\n", tool.name, tool.name));
            ExitCode::from(2)
        }
    }
}

/// The process's arguments; where they are not meant or not right, help or the mistake is shown, and this is the exit code
pub fn command_line<A: Parser>() -> Result<A, ExitCode> {
    let mut command = manual::with_options(A::command());
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    if let Some(text) = matches.as_ref().ok().and_then(|matches| manual::requested(&mut command, matches)) {
        let written = output::write(None, &text).map_err(|error| show_plain(&error));
        return Err(ExitCode::from(u8::from(written.is_err())));
    }
    let args =
        matches.and_then(|matches| A::from_arg_matches(&matches).map_err(|error| error.format(&mut command)));
    args.map_err(|error| {
        if error.use_stderr() {
            let _ = error.print();
            return ExitCode::from(2);
        }
        // The reader may have seen enough (`| head`); a full disk is another matter.
        let printed = stdout::check().and_then(|()| error.print()).and_then(|()| std::io::stdout().flush());
        ExitCode::from(u8::from(printed.is_err_and(|error| error.kind() != ErrorKind::BrokenPipe)))
    })
}

/// Show all messages; the exit code that they give
pub fn finish(cx: &Context, diags: &Diags) -> ExitCode {
    say(&render_all(diags.iter(), cx.sources(), false));
    ExitCode::from(u8::from(diags.has_errors()))
}

/// What a run on a text gave
#[derive(Default, Debug)]
pub struct Finished {
    /// Output; `None` if the run failed or only diagnostics were compared
    pub out: Option<Vec<u8>>,
    /// Diagnostics, printed IR, tables: what goes to standard error
    pub messages: String,
    /// IR printed on the way (`--print-before`, `--print-after`, `--print-changed`), in order
    pub dumps: Vec<Dump>,
    /// The run failed (exit code 1)
    pub failed: bool,
}

/// Why nothing was run: misuse, as with exit code 2
#[derive(Debug)]
pub enum Misuse {
    /// The arguments are none of the command line
    Arguments(Box<clap::Error>),
    /// Dialects, passes or rules do not go together (E0116)
    Registration(Box<Diagnostic>),
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misuse::Arguments(error) => error.fmt(f),
            Misuse::Registration(diagnostic) => f.write_str(&diagnostic.message),
        }
    }
}

impl std::error::Error for Misuse {}

/// Run the tool on a text, as `args` on the command line would (without the program's name)
///
/// For test runners: nothing is read or written but a reproducer that the arguments ask for.
pub fn run_on(tool: Tool, args: &[String], name: &str, text: &str) -> Result<Finished, Misuse> {
    let words = std::iter::once(tool.name).chain(args.iter().map(String::as_str));
    let args = Args::try_parse_from(words).map_err(|error| Misuse::Arguments(Box::new(error)))?;
    let mut finished = Finished::default();
    let tool = match args.dialects.load(tool) {
        Ok((tool, warnings)) => {
            finished.messages.push_str(&warnings);
            tool
        }
        Err(messages) => {
            finished.messages.push_str(&messages);
            finished.failed = true;
            return Ok(finished);
        }
    };
    let cx = tool.context().map_err(Misuse::Registration)?;
    match cases::pipeline(tool, &args, &cx) {
        Ok(pipeline) => {
            cases::run_all(&args, &cx, &pipeline, name, Content::Text(text.to_string()), &mut finished)
        }
        Err(diags) => fail(&mut finished, &cx, &diags),
    }
    Ok(finished)
}

fn fail(finished: &mut Finished, cx: &Arc<Context>, diags: &Diags) {
    finished.messages.push_str(&rendered(cx, diags, false));
    finished.failed = true;
}

fn run(tool: Tool, args: &Args) -> Result<(), Stop> {
    let tool = args.dialects.loaded(tool).ok_or(Stop::Failed)?;
    let cx = tool.context().map_err(|error| show_plain(&error))?;
    if let Some(text) = lists::requested(tool, args, &cx)? {
        return output::write(None, text.as_bytes()).map_err(|error| show_plain(&error));
    }
    if let Some(text) = new_dialect::write(tool, &args.new).map_err(|error| show_plain(&error))? {
        return output::write(None, text.as_bytes()).map_err(|error| show_plain(&error));
    }
    if let Some(folder) = &args.reference {
        return reference::write(tool, folder).map_err(|error| show_plain(&error));
    }
    let mut finished = Finished::default();
    match cases::pipeline(tool, args, &cx) {
        Ok(pipeline) => {
            let content =
                read_program(&args.file, args.input.as_deref()).map_err(|error| show_plain(&error))?;
            let name = if args.file == "-" { "<stdin>" } else { &args.file };
            cases::run_all(args, &cx, &pipeline, name, content, &mut finished);
        }
        Err(diags) => fail(&mut finished, &cx, &diags),
    }
    say(&finished.messages);
    if let Some(bytes) = finished.out.filter(|_| !finished.failed) {
        let file = args.output.as_deref().filter(|file| *file != "-");
        output::write(file, &bytes).map_err(|error| show_plain(&error))?;
    }
    // The process ends soon, and freeing a million ops takes time.
    std::mem::forget(cx);
    if finished.failed { Err(Stop::Failed) } else { Ok(()) }
}

/// Diagnostics as text
pub(crate) fn rendered(cx: &Arc<Context>, diags: &Diags, color: bool) -> String {
    let mut text = render_all(diags.iter(), cx.sources(), color);
    if diags.dropped() > 0 {
        text.push_str(&format!("({} more not shown)\n", diags.dropped()));
    }
    text
}

/// Show a diagnostic that has no place in a source
pub(crate) fn show_plain(diagnostic: &Diagnostic) -> Stop {
    say(&render_all(std::iter::once(diagnostic), &Sources::new(), false));
    Stop::Failed
}
