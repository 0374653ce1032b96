//! A worker process that runs: its streams, and its end.

use crate::stop::Stop;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsString;
use std::io::{BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use terrace_native_client::orphan::ENDS_WITH_INPUT;
use terrace_search_trials::{Input, LONGEST_ANSWER, lines};

/// Time between two looks at whether the user has requested the end
const TICK: Duration = Duration::from_millis(50);

/// Time in which a process whose output has ended has ended too
const ENDING: Duration = Duration::from_secs(1);

/// Most that is kept of what it writes to standard error
const SAID: usize = 4096;

/// What is heard of a worker
pub(crate) enum Heard {
    /// A line
    Line(String),
    /// Something that is none
    Wrong(String),
    /// Its output has ended; how it ended
    Ended(String),
    /// Nothing in this time
    Nothing,
    /// The user has requested the end
    Interrupted,
}

/// A worker process and all that it has started; they end with this
pub(crate) struct Running {
    child: Child,
    /// Another thread writes lines, since a worker that hangs reads none
    input: Option<Sender<String>>,
    said: Receiver<std::io::Result<Input>>,
    errors: Receiver<String>,
    /// Time that it has to end by itself, after a signal
    parting: Duration,
}

impl Running {
    pub(crate) fn start(
        program: &Path,
        args: &[OsString],
        variables: impl Iterator<Item = (&'static str, OsString)>,
    ) -> std::io::Result<Running> {
        let mut command = Command::new(program);
        // A group of its own: what it starts ends with it. When this process ends, so does its input, and then it does.
        command.args(args).envs(variables).env(ENDS_WITH_INPUT, "1").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (send, said) = channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                lines(BufReader::new(output), LONGEST_ANSWER).try_for_each(|line| send.send(line))
            });
        }
        let (send, errors) = channel();
        if let Some(output) = child.stderr.take() {
            std::thread::spawn(move || send.send(beginning(output)));
        }
        let input = child.stdin.take().map(writer);
        Ok(Running { child, input, said, errors, parting: Duration::ZERO })
    }

    /// What has processes elsewhere has so much time to end them
    pub(crate) fn with_time_to_end(mut self, parting: Duration) -> Running {
        self.parting = parting;
        self
    }

    /// Give it a line
    pub(crate) fn write(&mut self, line: String) {
        // Of one that has ended, the end is heard.
        let _ = self.input.as_ref().map(|input| input.send(line));
    }

    /// What it says next, within a time
    pub(crate) fn hear(&mut self, patience: Duration, stop: &Stop) -> Heard {
        let start = Instant::now();
        loop {
            if stop.interrupted() {
                return Heard::Interrupted;
            }
            let left = patience.saturating_sub(start.elapsed());
            match self.said.recv_timeout(left.min(TICK)) {
                Ok(Ok(Input::Line(line))) => return Heard::Line(line),
                Ok(Ok(Input::Wrong(wrong))) => return Heard::Wrong(wrong.to_string()),
                // Half a line is the end of one that was about to say something.
                Ok(Ok(Input::Half(_)) | Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                    return Heard::Ended(self.how());
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Heard::Nothing,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// How it ended, and what it said at last
    fn how(&mut self) -> String {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait() {
                Ok(None) if start.elapsed() < ENDING => std::thread::sleep(Duration::from_millis(2)),
                Ok(Some(status)) => break status.to_string(),
                _ => break "its output was closed".into(),
            }
        };
        self.end();
        let said = self.errors.recv_timeout(ENDING).unwrap_or_default();
        let said = said.lines().find(|line| !line.trim().is_empty()).map(|line| format!(": {}", line.trim()));
        format!("the worker ended: {status}{}", said.unwrap_or_default())
    }

    /// End it and all that it has started
    fn end(&mut self) {
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if !self.parting.is_zero()
            && group.is_some_and(|group| kill_process_group(group, Signal::TERM).is_ok())
        {
            let start = Instant::now();
            while matches!(self.child.try_wait(), Ok(None)) && start.elapsed() < self.parting {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        if let Some(group) = group {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Lines go to a stream until there are no more, or no process reads them
fn writer(mut input: ChildStdin) -> Sender<String> {
    let (send, receive) = channel::<String>();
    std::thread::spawn(move || {
        while let Ok(line) = receive.recv() {
            if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    send
}

/// The beginning of a stream; the rest is read and left, so that no process waits to write it
fn beginning(mut output: impl Read) -> String {
    let (mut kept, mut chunk) = (Vec::new(), [0; 1024]);
    while let Ok(n @ 1..) = output.read(&mut chunk) {
        let room = SAID.saturating_sub(kept.len());
        kept.extend_from_slice(&chunk[..n.min(room)]);
    }
    String::from_utf8_lossy(&kept).into_owned()
}
