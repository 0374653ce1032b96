//! Starting the worker and talking to it.
//!
//! The worker is another process, so that what it runs cannot hurt the caller: when it dies or takes too long, that is a
//! diagnostic, and the next request starts a new one.

use crate::codes;
use crate::protocol::{EmitKind, EmitOptions, Frame, Reply, Request, RunReply, RunRequest};
use crate::turn::Turn;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use terrace_diag::{Code, Diagnostic};

/// Time for each part of a request, unless the tool says another
pub const LIMIT: Duration = Duration::from_secs(600);

/// Longest times of the parts of a request
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Until the program is compiled
    pub build: Duration,
    /// All of its runs together
    pub run: Duration,
}

impl Limits {
    /// The same for each part
    pub fn each(limit: Duration) -> Limits {
        Limits { build: limit, run: limit }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::each(LIMIT)
    }
}

/// Time for what a worker does by itself: to greet, to read to the end what it has answered
const PATIENCE: Duration = Duration::from_secs(30);

/// Most that is kept of what the worker writes to standard error
const SAID: usize = 4096;

/// A running worker
pub struct Worker {
    path: PathBuf,
    running: Option<Running>,
    limits: Limits,
}

struct Running {
    child: Child,
    input: Option<ChildStdin>,
    frames: Receiver<std::io::Result<Option<Frame>>>,
    said: Receiver<String>,
}

impl Worker {
    /// Find the worker and start it
    pub fn start() -> Result<Worker, Diagnostic> {
        Worker::start_at(&find()?)
    }

    /// Find the worker that holds upstream MLIR and start it
    pub fn start_upstream() -> Result<Worker, Diagnostic> {
        Worker::start_at(&find_upstream()?)
    }

    /// Start the worker at this place
    pub fn start_at(path: &Path) -> Result<Worker, Diagnostic> {
        let mut worker = Worker { path: path.to_path_buf(), running: None, limits: Limits::default() };
        worker.running = Some(worker.spawn()?);
        Ok(worker)
    }

    /// From now on a request takes no longer than that
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Does its process serve another request?
    pub fn lives(&self) -> bool {
        self.running.is_some()
    }

    /// Code of a module given as text
    pub fn emit(
        &mut self,
        module_text: &str,
        kind: EmitKind,
        options: &EmitOptions,
    ) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let options = options.clone();
        match self.ask(&Request::Emit { module: module_text.to_owned(), kind, options }, None)? {
            Reply::Code(bytes) => Ok(bytes),
            _ => Err(vec![confused("it answered another question")]),
        }
    }

    /// Run a function of a module given as text
    pub fn run(&mut self, module_text: &str, run: &RunRequest) -> Result<RunReply, Vec<Diagnostic>> {
        self.run_in_turn(module_text, run, None)
    }

    /// The same; where there is a turn, the function is compiled at any time and runs when it has it
    pub fn run_in_turn(
        &mut self,
        module_text: &str,
        run: &RunRequest,
        turn: Option<&Turn>,
    ) -> Result<RunReply, Vec<Diagnostic>> {
        let run = RunRequest { waits: turn.is_some(), ..run.clone() };
        match self.ask(&Request::Run { module: module_text.to_owned(), run }, turn)? {
            Reply::Ran(reply) => Ok(reply),
            _ => Err(vec![confused("it answered another question")]),
        }
    }

    /// End the worker; gives an error if it has said that it does not know a CPU or a feature
    ///
    /// LLVM tells that to standard error and goes on without.
    pub fn finish(mut self) -> Result<(), Diagnostic> {
        let Some(mut running) = self.running.take() else { return Ok(()) };
        drop(running.input.take());
        running.wait(PATIENCE);
        running.end();
        let said = running.said.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
        unknown_target(&said).map_or(Ok(()), Err)
    }

    fn spawn(&self) -> Result<Running, Diagnostic> {
        let mut command = Command::new(&self.path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            let message = format!("`{}` cannot be started: {error}", self.path.display());
            Diagnostic::error(&codes::WORKER_MISSING, message)
        })?;
        let input = child.stdin.take();
        let (send, frames) = channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                loop {
                    let frame = Frame::read(&mut output);
                    let last = !matches!(frame, Ok(Some(_)));
                    if send.send(frame).is_err() || last {
                        return;
                    }
                }
            });
        }
        let (send, said) = channel();
        if let Some(mut errors) = child.stderr.take() {
            std::thread::spawn(move || {
                let mut kept = Vec::new();
                let mut chunk = [0; 1024];
                while let Ok(n @ 1..) = errors.read(&mut chunk) {
                    let room = SAID.saturating_sub(kept.len());
                    kept.extend_from_slice(&chunk[..n.min(room)]);
                }
                let _ = send.send(String::from_utf8_lossy(&kept).into_owned());
            });
        }
        let mut running = Running { child, input, frames, said };
        match running.frames.recv_timeout(PATIENCE) {
            Ok(Ok(Some(hello))) if hello.is_hello() => Ok(running),
            Err(RecvTimeoutError::Timeout) => {
                running.end();
                let (path, limit) = (self.path.display(), PATIENCE.as_secs());
                let message = format!("`{path}` says nothing within {limit} s: it is no worker, or it hangs");
                Err(Diagnostic::error(&codes::WORKER_TIMEOUT, message))
            }
            Ok(Ok(Some(_)) | Err(_)) => {
                running.end();
                let message = format!("`{}` does not speak this tool's protocol", self.path.display());
                Err(Diagnostic::error(&codes::PROTOCOL, message).help("build both from the same sources"))
            }
            _ => Err(running.died("when it was started")),
        }
    }

    fn ask(&mut self, request: &Request, turn: Option<&Turn>) -> Result<Reply, Vec<Diagnostic>> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.spawn().map_err(|error| vec![error])?,
        };
        // Written beside reading: a worker that fails early does not read the rest.
        let frame = request.encode();
        let Some(mut input) = running.input.take() else { return Err(vec![running.died("earlier")]) };
        let (send, written) = channel();
        std::thread::spawn(move || send.send(frame.write(&mut input).ok().map(|()| input)));
        let mut answer = running.frames.recv_timeout(self.limits.build);
        let is_built = matches!(&answer, Ok(Ok(Some(frame))) if frame.is_built());
        if is_built {
            let _held = turn.map(Turn::take);
            if turn.is_some() {
                running.input = written.recv_timeout(PATIENCE).ok().flatten();
                // Of a worker that is gone, the end is heard.
                let _ = running.input.as_mut().map(|input| Frame::go().write(input));
            }
            answer = running.frames.recv_timeout(self.limits.run);
        }
        match answer {
            Ok(Ok(Some(frame))) => {
                // One that answers before it has read all may never read the rest.
                if running.input.is_none() {
                    running.input = written.recv_timeout(PATIENCE).ok().flatten();
                }
                let reply =
                    Reply::decode(frame, &all_codes()).map_err(|error| vec![confused(&error.to_string())])?;
                self.running = running.input.is_some().then_some(running);
                match reply {
                    Reply::Failed(diags) => Err(diags),
                    reply => Ok(reply),
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                running.end();
                let message = match is_built {
                    true => format!("no answer within {} s", self.limits.run.as_secs_f64()),
                    false => format!("no code within {} s", self.limits.build.as_secs_f64()),
                };
                Err(vec![Diagnostic::error(&codes::WORKER_TIMEOUT, message)])
            }
            Ok(Ok(None) | Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                Err(vec![running.died("before it answered")])
            }
        }
    }
}

impl Running {
    /// Until it has ended by itself, or the time is over
    fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            let status = self.child.try_wait().ok().flatten();
            if status.is_some() || start.elapsed() > limit {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// It has closed its output: say how it ended
    fn died(mut self, when: &str) -> Diagnostic {
        // The output may be closed a moment before the process is gone; one that stays is ended.
        let status = self.wait(Duration::from_secs(1));
        self.end();
        let how = status.map_or_else(|| "its output was closed".to_owned(), |status| ending(&status));
        let message = format!("the worker died {when}: {how}");
        let diagnostic = Diagnostic::error(&codes::WORKER_DIED, message);
        let said = self.said.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
        if let Some(error) = unknown_target(&said) {
            return error;
        }
        match said.trim() {
            "" => diagnostic,
            said => diagnostic.note(format!("it said: {said}")),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// What LLVM says of CPUs and features that it does not know, as an error
fn unknown_target(said: &str) -> Option<Diagnostic> {
    let line = said.lines().find(|line| line.contains(" is not a recognized "))?;
    let what = line.split(" (").next().unwrap_or(line);
    Some(Diagnostic::error(&codes::TARGET, format!("LLVM: {what}")))
}

fn ending(status: &ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            let name = match signal {
                4 => " (illegal instruction)",
                6 => " (abort)",
                7 => " (bus error)",
                8 => " (arithmetic: division by zero or its kin)",
                9 => " (killed)",
                11 => " (access to an address that is not its own)",
                _ => "",
            };
            return format!("signal {signal}{name}");
        }
    }
    status.to_string()
}

fn confused(what: &str) -> Diagnostic {
    Diagnostic::error(&codes::PROTOCOL, format!("the worker's answer cannot be read: {what}"))
}

fn all_codes() -> [&'static [Code]; 2] {
    [codes::ALL, terrace_ir::codes::ALL]
}

/// Where the worker is
pub fn find() -> Result<PathBuf, Diagnostic> {
    find_named("terrace-native", "TERRACE_NATIVE", "LLVM 22", "llvm")
}

/// Where the worker that holds upstream MLIR is
pub fn find_upstream() -> Result<PathBuf, Diagnostic> {
    find_named("terrace-upstream", "TERRACE_UPSTREAM", "upstream MLIR 22", "mlir")
}

/// Where the worker that holds Calyx's compiler is
pub fn find_calyx() -> Result<PathBuf, Diagnostic> {
    find_named("terrace-calyx", "TERRACE_CALYX", "Calyx's compiler", "calyx")
}

fn find_named(program: &str, variable: &str, holds: &str, feature: &str) -> Result<PathBuf, Diagnostic> {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    if let Some(path) = std::env::var_os(variable) {
        return Ok(path.into());
    }
    let exe = std::env::current_exe().ok();
    // Test programs are one folder below the tools.
    let folders = exe.iter().flat_map(|exe| exe.ancestors().skip(1).take(2));
    folders.map(|folder| folder.join(&name)).find(|path| path.is_file()).ok_or_else(|| {
        let message = format!("the worker `{program}`, which holds {holds}, is not there");
        Diagnostic::error(&codes::WORKER_MISSING, message)
            .help(format!("build it next to the tools ({holds} is needed): `cargo xtask build`, or"))
            .help(format!("`cargo build [--release] -p {program} --features {feature}`"))
            .help(format!("or name one in the environment variable {variable}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_worker_is_refused() {
        let missing = Worker::start_at(Path::new("/nonexistent/worker")).err();
        assert_eq!(missing.and_then(|d| d.code).map(|c| c.id), Some("E0722"));
        let silent = Worker::start_at(Path::new("/bin/true")).err();
        assert_eq!(silent.and_then(|d| d.code).map(|c| c.id), Some("E0723"));
    }

    /// A worker that does what this script of a shell says after its greeting
    #[cfg(unix)]
    fn scripted(folder: &Path, script: &str) -> Worker {
        use std::os::unix::fs::PermissionsExt;
        let mut hello = Vec::new();
        Frame::hello().write(&mut hello).expect("memory takes bytes");
        std::fs::write(folder.join("hello"), hello).expect("a file");
        let path = folder.join("worker");
        std::fs::write(&path, format!("#!/bin/sh\ncd {}\ncat hello\n{script}\n", folder.display()))
            .expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
        Worker::start_at(&path).expect("it greets")
    }

    #[test]
    #[cfg(unix)]
    fn nothing_is_waited_for_without_limit() {
        let folder = std::env::temp_dir().join(format!("terrace-client-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let options = EmitOptions::default();
        let large = "x".repeat(1 << 20);
        // It neither reads nor answers.
        let mut worker = scripted(&folder, "exec sleep 1000");
        worker.set_limits(Limits { build: Duration::from_millis(200), run: LIMIT });
        let errors = worker.emit(&large, EmitKind::Asm, &options).expect_err("no answer");
        assert_eq!(errors[0].code.map(|code| code.id), Some("E0724"));
        assert_eq!(errors[0].message, "no code within 0.2 s");
        assert!(!worker.lives());
        // What is compiled has a time of its own.
        let mut built = Vec::new();
        Frame::built().write(&mut built).expect("memory takes bytes");
        std::fs::write(folder.join("built"), built).expect("a file");
        let mut worker = scripted(&folder, "cat built; exec sleep 1000");
        worker.set_limits(Limits { build: LIMIT, run: Duration::from_millis(200) });
        let errors = worker.run(&large, &RunRequest::default()).expect_err("no answer");
        assert_eq!(errors[0].message, "no answer within 0.2 s");
        // It has greeted, and does not end with its input.
        let start = Instant::now();
        drop(scripted(&folder, "exec sleep 1000"));
        assert!(start.elapsed() < Duration::from_secs(20));
        std::fs::remove_dir_all(folder).expect("made here");
    }
}
