//! Running C text in a program of its own: the text goes through a compiler of the system.
//!
//! The program is the text and a `main` that is written here for the arguments at hand: it reads the arrays from standard
//! input, calls the packed form of the function, writes what it left, then the times of further calls. What the program itself
//! prints is passed on. A program that dies takes nothing along.

mod driver;

use crate::{
    Array, Failed, Form, Job, Outcome, Scratch, Signature, SlotId, codes, data_error, display, set_bits,
    text, worker,
};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use terrace_diag::Diagnostic;
use terrace_lowering_c::{Flavor, INVOKE, Options};
use terrace_native_client::Turn;
use terrace_native_client::codes::WORKER_TIMEOUT;
use terrace_native_client::protocol::is_slow;
use terrace_runtime_buffers::Buffer;

/// A language whose text becomes a program
#[derive(Clone, Copy, Debug)]
pub struct Compiled {
    /// The dialect of C
    pub flavor: Flavor,
    /// Its name in messages
    pub name: &'static str,
    /// The word for it in the compiler's option `-x`
    pub word: &'static str,
    /// The variable that names a compiler, and the one without it
    pub compiler: (&'static str, &'static str),
}

impl Compiled {
    /// The compiler
    pub fn compiler(&self) -> OsString {
        let (variable, usual) = self.compiler;
        std::env::var_os(variable).unwrap_or_else(|| OsString::from(usual))
    }

    /// Run a program, as [`Target::run`](crate::Target::run) does
    pub fn run(&self, job: &Job<'_>) -> Result<Outcome, Failed> {
        let signature = job.signature;
        let printed = text::print(job.ir, self.flavor, &Options { packed: true })?;
        let found = printed.signatures.iter().find(|found| found.symbol == signature.entry);
        let name = found.map_or(signature.entry.as_str(), |found| found.name.as_str());

        let mut given = Vec::new();
        for input in job.inputs {
            given.push(input.start()?);
        }
        let driver = driver::text(signature, &given, &format!("{INVOKE}{name}"), (job.bench, job.stop_ns));
        let folder =
            Scratch::new().map_err(|error| failed(format!("no folder for temporary files: {error}")))?;
        let late = |error: Diagnostic| worker::advised(vec![error]);
        let program = self.compile(&folder, &printed.text, &driver, job.limits.build).map_err(late)?;
        let _held = job.workers.turn().map(Turn::take);
        let bytes = execute(&folder, &program, job, given.clone()).map_err(late)?;
        Ok(outcome(signature, given, &bytes, job)?)
    }

    fn compile(
        &self,
        folder: &Scratch,
        text: &str,
        driver: &str,
        limit: Duration,
    ) -> Result<PathBuf, Diagnostic> {
        let (text, driver) = (write(folder, "text.c", text)?, write(folder, "driver.c", driver)?);
        let program = folder.path().join("program");
        let compiler = self.compiler();
        // Its own temporary files go with the folder.
        let mut command = folder.command(&compiler);
        command.env("TMPDIR", folder.path());
        command.args(["-O3", "-march=native", "-w"]).args(self.flavor.compile_flags());
        command.arg("-o").arg(&program);
        // One language for both: its flags may be none of C.
        command.args(["-x", self.word]).arg(&text).arg(&driver).arg("-lm");
        let compiler = compiler.to_string_lossy().into_owned();
        let Compiled { name, compiler: (variable, _), .. } = self;
        let what = format!("the {name} compiler `{compiler}`");
        let out = output(&mut command, &what, limit, Vec::new()).map_err(|error| match error.code {
            Some(code) if code.id == WORKER_TIMEOUT.id => error,
            _ => error.help(format!("install one, or name it in the environment variable {variable}")),
        })?;
        if out.status.success() {
            return Ok(program);
        }
        Err(failed(format!("the {name} compiler `{compiler}` refuses the text"))
            .note(first_lines(&out.stderr)))
    }
}

/// Why a program of another process gave nothing
pub fn failed(message: String) -> Diagnostic {
    Diagnostic::error(&codes::BACKEND, message)
}

/// The beginning of what a program has to say, for a note
pub fn first_lines(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.lines().take(20).collect::<Vec<_>>().join("\n")
}

/// What a program says until it ends; one that takes too long is ended
pub fn output(
    command: &mut Command,
    what: &str,
    limit: Duration,
    given: Vec<Buffer>,
) -> Result<Output, Diagnostic> {
    let cannot = |error: std::io::Error| failed(format!("{what} cannot be started: {error}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(cannot)?;
    let input = child.stdin.take();
    // Written while reading: it may write before it has read all.
    std::thread::spawn(move || {
        let Some(mut input) = input else { return };
        let _ = given.iter().try_for_each(|buffer| input.write_all(buffer.bytes()));
    });
    let (stdout, stderr) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let end = Instant::now() + limit;
    let left = || end.saturating_duration_since(Instant::now());
    let said = stdout.recv_timeout(left()).and_then(|out| Ok((out, stderr.recv_timeout(left())?)));
    while said.is_ok() && !left().is_zero() {
        match child.try_wait() {
            Ok(Some(status)) => {
                let (stdout, stderr) = said.unwrap_or_default();
                return Ok(Output { status, stdout, stderr });
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Err(error) => return Err(failed(format!("{what} cannot be read: {error}"))),
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    let message = format!("{what} did not end within {} s", limit.as_secs_f64());
    Err(Diagnostic::error(&WORKER_TIMEOUT, message))
}

/// All that comes from a pipe, when it closes
fn reader(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, all) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        send.send(bytes)
    });
    all
}

fn write(folder: &Scratch, name: &str, text: &str) -> Result<PathBuf, Diagnostic> {
    let path = folder.path().join(name);
    std::fs::write(&path, text)
        .map_err(|error| failed(format!("cannot write `{}`: {error}", path.display())))?;
    Ok(path)
}

fn execute(
    folder: &Scratch,
    program: &Path,
    job: &Job<'_>,
    given: Vec<Buffer>,
) -> Result<Vec<u8>, Diagnostic> {
    let mut command = folder.command(program);
    command.env("OMP_NUM_THREADS", job.threads.to_string());
    // Threads that spin for each other take ten times as long when the machine has other work.
    if std::env::var_os("OMP_WAIT_POLICY").is_none() {
        command.env("OMP_WAIT_POLICY", "passive");
    }
    let memory = job.signature.params.iter().map(|slot| slot.form == Form::MemRef);
    let given =
        given.into_iter().zip(memory).filter_map(|(buffer, memory)| memory.then_some(buffer)).collect();
    let out = output(&mut command, "the program", job.limits.run, given)?;
    if out.status.success() {
        // What the program prints; the reader may have seen enough.
        let _ = std::io::stdout().write_all(&out.stderr);
        return Ok(out.stdout);
    }
    let died = failed(format!("the program died: {}", out.status));
    let said = String::from_utf8_lossy(&out.stderr);
    Err(if said.trim().is_empty() { died } else { died.note(said.trim().to_string()) })
}

/// Bytes of the answer, taken from the front
struct Answer<'a>(&'a [u8]);

impl<'a> Answer<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Diagnostic> {
        let split = self.0.split_at_checked(length);
        let (front, rest) = split.ok_or_else(|| failed("the program wrote too little".into()))?;
        self.0 = rest;
        Ok(front)
    }

    fn word(&mut self) -> Result<u64, Diagnostic> {
        let mut word = [0; 8];
        word.copy_from_slice(self.take(8)?);
        Ok(u64::from_ne_bytes(word))
    }
}

fn outcome(
    signature: &Signature,
    given: Vec<Buffer>,
    bytes: &[u8],
    job: &Job<'_>,
) -> Result<Outcome, Diagnostic> {
    let mut answer = Answer(bytes);
    let mut after = Vec::new();
    for (n, (slot, mut buffer)) in signature.params.iter().zip(given).enumerate() {
        if slot.form == Form::MemRef {
            let length = buffer.bytes().len();
            buffer.bytes_mut().copy_from_slice(answer.take(length)?);
            let name = display(&signature.params, n);
            after.push(Array { name, slot: SlotId::Param(n), buffer, undefined: Vec::new() });
        }
    }
    let mut arrays = Vec::new();
    for (n, slot) in signature.results.iter().enumerate() {
        let mut shape = Vec::new();
        if slot.form == Form::MemRef {
            for _ in &slot.shape {
                shape.push(answer.word()?);
            }
        }
        let made = Buffer::zeros(slot.elem, &shape);
        let mut buffer = made.map_err(|error| data_error(&error))?;
        if slot.form == Form::MemRef {
            let length = buffer.bytes().len();
            buffer.bytes_mut().copy_from_slice(answer.take(length)?);
        } else {
            set_bits(&mut buffer, 0, answer.word()?);
        }
        let name = display(&signature.results, n);
        arrays.push(Array { name, slot: SlotId::Result(n), buffer, undefined: Vec::new() });
    }
    arrays.extend(after);
    let mut times_ns = Vec::new();
    for _ in 0..job.bench.unwrap_or(0) {
        times_ns.push(answer.word()?);
        if is_slow(&times_ns, job.stop_ns) {
            break;
        }
    }
    Ok(Outcome { arrays, times_ns, ..Outcome::default() })
}
