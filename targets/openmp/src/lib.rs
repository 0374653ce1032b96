//! Running on this CPU as C with OpenMP: the text goes through the system compiler into a program of its own.
//!
//! The program is the text and a `main` that is written here for the arguments at hand: it reads the arrays from standard
//! input, calls the packed form of the function, writes what it left, then the times of further calls. What the program itself
//! prints is passed on. A program that dies takes nothing along.

use crate::data::{Array, Input, bits, set_bits};
use crate::job::{Failed, Job, Outcome};
use crate::signature::{Form, Place, Signature, display};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Ir;
use terrace_lowering_c::{Flavor, INVOKE, Options};
use terrace_native_client::codes::WORKER_TIMEOUT;
use terrace_opt::{Scratch, codes};
use terrace_runtime_buffers::Buffer;

/// Run structured host code on these arguments
pub(crate) fn run(
    job: &Job<'_>,
    ir: &Ir,
    signature: &Signature,
    inputs: &[Input],
) -> Result<Outcome, Failed> {
    let mut diags = Diags::default();
    let printed = terrace_lowering_c::print(ir, Flavor::OpenMp, &Options { packed: true }, &mut diags);
    let Some(printed) = printed else { return Err(Failed(diags.into_vec())) };
    let found = printed.signatures.iter().find(|found| found.symbol == signature.entry);
    let name = found.map_or(signature.entry.as_str(), |found| found.name.as_str());

    let mut given = Vec::new();
    for input in inputs {
        given.push(input.start()?);
    }
    let driver = driver(signature, &given, &format!("{INVOKE}{name}"), job.bench);
    let folder = Scratch::new().map_err(|error| failed(format!("no folder for temporary files: {error}")))?;
    let late = |error: Diagnostic| crate::worker::advised(vec![error]);
    let program = compile(&folder, &printed.text, &driver, job.limit).map_err(late)?;
    let bytes = execute(&folder, &program, job, signature, given.clone()).map_err(late)?;
    Ok(outcome(signature, given, &bytes, job.bench)?)
}

fn failed(message: String) -> Diagnostic {
    Diagnostic::error(&codes::BACKEND, message)
}

/// What a program says until it ends; one that takes too long is ended
fn output(
    command: &mut Command,
    what: &str,
    limit: Duration,
    given: Vec<Buffer>,
) -> Result<Output, Diagnostic> {
    let cannot = |error: std::io::Error| failed(format!("{what} cannot be started: {error}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(cannot)?;
    let input = child.stdin.take();
    // Written beside reading: it may write before it has read all.
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

fn compile(folder: &Scratch, text: &str, driver: &str, limit: Duration) -> Result<PathBuf, Diagnostic> {
    let (text, driver) = (write(folder, "text.c", text)?, write(folder, "driver.c", driver)?);
    let program = folder.path().join("program");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| OsString::from("cc"));
    // Its own temporary files go with the folder.
    let mut command = folder.command(&compiler);
    command.env("TMPDIR", folder.path());
    command.args(["-O3", "-march=native", "-w"]).args(Flavor::OpenMp.compile_flags());
    command.arg("-o").arg(&program).args([&text, &driver]).arg("-lm");
    let compiler = compiler.to_string_lossy().into_owned();
    let what = format!("the C compiler `{compiler}`");
    let out = output(&mut command, &what, limit, Vec::new()).map_err(|error| match error.code {
        Some(code) if code.id == WORKER_TIMEOUT.id => error,
        _ => error.help("install one, or name it in the environment variable CC"),
    })?;
    if out.status.success() {
        return Ok(program);
    }
    let said = String::from_utf8_lossy(&out.stderr);
    let said: Vec<&str> = said.lines().take(20).collect();
    Err(failed(format!("the C compiler `{compiler}` refuses the text")).note(said.join("\n")))
}

fn execute(
    folder: &Scratch,
    program: &Path,
    job: &Job<'_>,
    signature: &Signature,
    given: Vec<Buffer>,
) -> Result<Vec<u8>, Diagnostic> {
    let mut command = folder.command(program);
    command.env("OMP_NUM_THREADS", job.threads.to_string());
    // Threads that spin for each other take ten times as long when the machine has other work.
    if std::env::var_os("OMP_WAIT_POLICY").is_none() {
        command.env("OMP_WAIT_POLICY", "passive");
    }
    let memory = signature.params.iter().map(|slot| slot.form == Form::MemRef);
    let given =
        given.into_iter().zip(memory).filter_map(|(buffer, memory)| memory.then_some(buffer)).collect();
    let out = output(&mut command, "the program", job.limit, given)?;
    if out.status.success() {
        // What the program prints; the reader may have seen enough.
        let _ = std::io::stdout().write_all(&out.stderr);
        return Ok(out.stdout);
    }
    let died = failed(format!("the program died: {}", out.status));
    let said = String::from_utf8_lossy(&out.stderr);
    Err(if said.trim().is_empty() { died } else { died.note(said.trim().to_string()) })
}

/// Slots of 8 bytes that a value takes when packed
fn slots(form: Form, rank: usize) -> usize {
    if form == Form::MemRef { 3 + 2 * rank } else { 1 }
}

/// The `main` for these arguments
fn driver(signature: &Signature, given: &[Buffer], invoke: &str, bench: Option<u32>) -> String {
    let mut set = String::new();
    let mut give = String::new();
    let mut at = 0;
    for (n, (slot, buffer)) in signature.params.iter().zip(given).enumerate() {
        if slot.form == Form::MemRef {
            let (shape, bytes) = (buffer.shape(), buffer.bytes().len());
            let room = bytes.next_multiple_of(64).max(64);
            set += &format!("  void *m{n} = take({bytes}, {room});\n");
            set += &format!("  args[{at}] = args[{}] = (int64_t)m{n};\n", at + 1);
            for (d, size) in shape.iter().enumerate() {
                let stride: u64 = shape[d + 1..].iter().product();
                set += &format!("  args[{}] = {size};\n", at + 3 + d);
                set += &format!("  args[{}] = {stride};\n", at + 3 + shape.len() + d);
            }
            give += &format!("  give(m{n}, {bytes});\n");
        } else {
            set += &format!("  args[{at}] = (int64_t){:#x}ull;\n", bits(buffer, 0));
        }
        at += slots(slot.form, buffer.shape().len());
    }
    let mut out = 0;
    for slot in &signature.results {
        let (rank, size) = (slot.shape.len(), slot.elem.size());
        give += &match slot.form {
            Form::MemRef => format!("  give_memory(results + {out}, {rank}, {size});\n"),
            _ => format!("  give(results + {out}, 8);\n"),
        };
        out += slots(slot.form, rank);
    }
    let (args, results, calls) = (at.max(1), out.max(1), bench.unwrap_or(0));
    format!(
        "\
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// What the program itself prints goes another way than its results.
static FILE *results_out;

extern void {invoke}(int64_t *args, int64_t *results);

static void fail(const char *what) {{
  fprintf(stderr, \"%s\\n\", what);
  exit(1);
}}

static void give(const void *from, size_t bytes) {{
  if (fwrite(from, 1, bytes, results_out) != bytes) fail(\"the results cannot be written\");
}}

static void *take(size_t bytes, size_t room) {{
  void *to = aligned_alloc(64, room);
  if (!to) fail(\"out of memory\");
  if (fread(to, 1, bytes, stdin) != bytes) fail(\"the arguments cannot be read\");
  return to;
}}

static void give_memory(const int64_t *all, int rank, size_t size) {{
  const char *start = (const char *)all[1] + all[2] * (int64_t)size;
  const int64_t *sizes = all + 3, *strides = all + 3 + rank;
  int64_t count = 1;
  give(sizes, 8 * rank);
  for (int d = 0; d < rank; d++) count *= sizes[d];
  for (int64_t n = 0; n < count; n++) {{
    int64_t rest = n, at = 0;
    for (int d = rank - 1; d >= 0; d--) at += rest % sizes[d] * strides[d], rest /= sizes[d];
    give(start + at * (int64_t)size, size);
  }}
}}

int main(void) {{
  static int64_t args[{args}], results[{results}];
  results_out = fdopen(dup(1), \"wb\");
  if (!results_out || dup2(2, 1) < 0) fail(\"the results cannot be written\");
{set}  {invoke}(args, results);
{give}  fflush(results_out);
  for (int n = 0; n < {calls}; n++) {{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    {invoke}(args, results);
    clock_gettime(CLOCK_MONOTONIC, &b);
    int64_t ns = (int64_t)(b.tv_sec - a.tv_sec) * 1000000000 + (b.tv_nsec - a.tv_nsec);
    give(&ns, 8);
  }}
  return 0;
}}
"
    )
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
    bench: Option<u32>,
) -> Result<Outcome, Diagnostic> {
    let mut answer = Answer(bytes);
    let mut after = Vec::new();
    for (n, (slot, mut buffer)) in signature.params.iter().zip(given).enumerate() {
        if slot.form == Form::MemRef {
            let length = buffer.bytes().len();
            buffer.bytes_mut().copy_from_slice(answer.take(length)?);
            let name = display(&signature.params, n);
            after.push(Array { name, place: Place::Param(n), buffer, undefined: Vec::new() });
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
        let mut buffer = made.map_err(|error| crate::data::data_error(&error))?;
        if slot.form == Form::MemRef {
            let length = buffer.bytes().len();
            buffer.bytes_mut().copy_from_slice(answer.take(length)?);
        } else {
            set_bits(&mut buffer, 0, answer.word()?);
        }
        let name = display(&signature.results, n);
        arrays.push(Array { name, place: Place::Result(n), buffer, undefined: Vec::new() });
    }
    arrays.extend(after);
    let times_ns = (0..bench.unwrap_or(0)).map(|_| answer.word()).collect::<Result<_, _>>()?;
    Ok(Outcome { arrays, times_ns, ..Outcome::default() })
}
