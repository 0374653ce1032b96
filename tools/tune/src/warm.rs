//! Workers that stay on a machine for whoever comes next: a process that keeps them, and the way to it.
//!
//! A task of a farm ends with its trial, and a worker would with it. So the task passes its lines on to a process that stays for a while, and
//! starts it where there is none. A lock elects who does.

use crate::engine::running::{Heard, Running};
use crate::engine::user_turn;
use crate::errors::environment;
use crate::stop::Stop;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use terrace_diag::Diagnostic;
use terrace_native_client::orphan;
use terrace_search_explore::fingerprint;
use terrace_search_trials::{Input, LONGEST_TRIAL, Said, lines};

/// Time without a trial after which the process that stays ends
const IDLE: Duration = Duration::from_secs(60);
/// Time in which it shows that it does not hang
const LIVES: Duration = Duration::from_secs(5);
/// Time in which a worker of it has greeted: longer than it waits for a new one itself
const GREETS: Duration = SILENCE.saturating_add(Duration::from_secs(2));
/// Connections that are tried
const TRIES: u32 = 3;
/// Time in which one that was started can be reached
const BEGINS: Duration = Duration::from_secs(10);
/// Time without a sign of life of a worker
const SILENCE: Duration = Duration::from_secs(10);

fn unreachable(error: &std::io::Error) -> Diagnostic {
    environment(format!("the worker that stays on this machine cannot be reached: {error}"))
}

/// Where it listens: another user, or another build of this program, has another one
fn place(own: &Path) -> PathBuf {
    let file = std::fs::metadata(own).ok().map(|file| (file.len(), file.modified().ok()));
    let build = fingerprint(&format!("{own:?} {file:?}"));
    std::env::temp_dir().join(format!("{}-{}", user_turn(), &build[..12]))
}

/// Pass lines of standard input on to the process that stays, and what it says to standard output
pub(crate) fn relay() -> Result<(), Diagnostic> {
    let own = std::env::current_exe().map_err(|error| unreachable(&error))?;
    let place = place(&own);
    let (stream, greeting) = reach(&own, &place).map_err(|error| unreachable(&error))?;
    let mut output = std::io::stdout().lock();
    let mut said = BufReader::new(stream.try_clone().map_err(|error| unreachable(&error))?);
    std::thread::spawn(move || {
        let mut stream = stream;
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut stream);
        orphan::end_group_if_asked();
        let _ = stream.shutdown(std::net::Shutdown::Write);
    });
    let written = output.write_all(greeting.as_bytes()).and_then(|()| output.flush());
    let mut line = String::new();
    while written.is_ok() && said.read_line(&mut line).is_ok_and(|length| length > 0) {
        if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
            break;
        }
        line.clear();
    }
    Ok(())
}

/// A way to the process that stays, and the greeting of a worker; a process that hangs is replaced
fn reach(own: &Path, place: &Path) -> std::io::Result<(UnixStream, String)> {
    for _ in 0..TRIES {
        let process = process(place);
        let stream = connect(own, place)?;
        match greeting(&stream) {
            Ok(Some(greeting)) => {
                stream.set_read_timeout(None)?;
                return Ok((stream, greeting));
            }
            // It has ended, or a worker of it has.
            Ok(None) => {}
            Err(_) => replace(place, &process)?,
        }
    }
    Err(std::io::Error::other("it does not greet"))
}

/// The number of the process that stays
fn process(place: &Path) -> String {
    std::fs::read_to_string(place.with_extension("pid")).unwrap_or_default()
}

/// End the process that hangs; another one that has taken its place is left alone
fn replace(place: &Path, hangs: &str) -> std::io::Result<()> {
    let _lock = lock(place)?;
    if process(place) != hangs {
        return Ok(());
    }
    if let Some(group) = hangs.trim().parse().ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = std::fs::remove_file(place);
    Ok(())
}

/// `None`: the connection ended first. An error: nothing came in time
fn greeting(stream: &UnixStream) -> std::io::Result<Option<String>> {
    match first_line(stream, LIVES)? {
        Some(_) => first_line(stream, GREETS),
        None => Ok(None),
    }
}

/// Byte by byte, so that nothing behind the line is lost
fn first_line(mut stream: &UnixStream, patience: Duration) -> std::io::Result<Option<String>> {
    stream.set_read_timeout(Some(patience))?;
    let (mut line, mut byte) = (String::new(), [0]);
    loop {
        match std::io::Read::read(&mut stream, &mut byte) {
            Ok(1) => line.push(char::from(byte[0])),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(error);
            }
            _ => return Ok(None),
        }
        if byte[0] == b'\n' {
            return Ok(Some(line));
        }
    }
}

fn lock(place: &Path) -> std::io::Result<std::fs::File> {
    let file =
        OpenOptions::new().create(true).truncate(false).write(true).open(place.with_extension("lock"))?;
    file.lock()?;
    Ok(file)
}

fn connect(own: &Path, place: &Path) -> std::io::Result<UnixStream> {
    if let Ok(stream) = UnixStream::connect(place) {
        return Ok(stream);
    }
    let _lock = lock(place)?;
    if let Ok(stream) = UnixStream::connect(place) {
        return Ok(stream);
    }
    let _ = std::fs::remove_file(place);
    let mut command = Command::new(own);
    command.args(["worker", "--stays"]).arg(place).process_group(0).env_remove(orphan::ENDS_WITH_INPUT);
    // The lock is closed there: a program that is started has no file of this one.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let start = Instant::now();
    loop {
        match UnixStream::connect(place) {
            Err(_) if start.elapsed() < BEGINS => std::thread::sleep(Duration::from_millis(5)),
            reached => return reached,
        }
    }
}

/// Workers that have nothing to do
type Pool = Arc<Mutex<Vec<(Running, String)>>>;

/// Serve all who come, each by a worker of its own, until none has come for a while
pub(crate) fn stay(place: &Path, stop: &Stop) -> Result<(), Diagnostic> {
    let fail = |error: std::io::Error| unreachable(&error);
    std::fs::write(place.with_extension("pid"), std::process::id().to_string()).map_err(fail)?;
    let own = std::env::current_exe().map_err(fail)?;
    let listener = UnixListener::bind(place).map_err(fail)?;
    listener.set_nonblocking(true).map_err(fail)?;
    let (pool, busy): (Pool, Arc<()>) = (Arc::default(), Arc::default());
    let mut last = Instant::now();
    while last.elapsed() < IDLE {
        if Arc::strong_count(&busy) > 1 {
            last = Instant::now();
        }
        let Ok((stream, _)) = listener.accept() else {
            std::thread::sleep(Duration::from_millis(2));
            continue;
        };
        let (own, pool, busy, stop) = (own.clone(), pool.clone(), busy.clone(), stop.clone());
        std::thread::spawn(move || {
            let _busy = busy;
            // Who does not get on ends the connection, and the other side notices.
            let _ = stream.set_nonblocking(false).and_then(|()| serve(&stream, &own, &pool, &stop));
        });
    }
    let _ = std::fs::remove_file(place);
    Ok(())
}

fn serve(stream: &UnixStream, own: &Path, pool: &Pool, stop: &Stop) -> std::io::Result<()> {
    let mut output = stream;
    // An empty line: this process lives, however long a new worker takes.
    output.write_all(b"\n")?;
    let idle = pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let (mut running, greeting) = match idle {
        Some(idle) => idle,
        None => {
            let args = ["worker", "--about", "--turn"].map(Into::into);
            let args = [&args[..], &[user_turn().into()]].concat();
            let mut running = Running::start(own, &args, std::iter::empty())?;
            match running.hear(SILENCE, stop) {
                Heard::Line(line) => (running, line),
                _ => return Err(std::io::Error::other("it does not greet")),
            }
        }
    };
    output.write_all(greeting.as_bytes())?;
    for line in lines(BufReader::new(stream), LONGEST_TRIAL) {
        let Input::Line(line) = line? else { break };
        running.write(line);
        loop {
            let Heard::Line(line) = running.hear(SILENCE, stop) else { return Ok(()) };
            // One whose reader is gone is left to its end.
            let _ = output.write_all(line.as_bytes());
            match Said::read(&line) {
                Some(Said::Answer(answer)) if answer.worker.is_some_and(|worker| worker.ends) => {
                    return Ok(());
                }
                Some(Said::Answer(_)) => break,
                _ => {}
            }
        }
    }
    pool.lock().unwrap_or_else(PoisonError::into_inner).push((running, greeting));
    Ok(())
}
