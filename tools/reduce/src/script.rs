//! A user's script as a judge: a folder, a process group and a time limit for each run.

use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use terrace_ir::Ir;
use terrace_shrink::Judge;

/// How often a run is looked at
const TICK: Duration = Duration::from_millis(1);

/// A script that is given the name of a file
pub struct Script {
    program: PathBuf,
    args: Vec<OsString>,
    timeout: Duration,
    /// Does success mean interesting?
    success: bool,
    problem: Mutex<Option<std::io::Error>>,
    timeouts: Mutex<u64>,
}

impl Script {
    /// A script with what it is given before the file's name; a name without a folder that is no file here is looked up as a command
    pub fn new(program: &str, args: &[String], timeout: Duration, success: bool) -> Script {
        // Each run has its own folder: names of files here must not depend on it.
        let absolute = |word: &str| {
            let path = Path::new(word);
            path.exists().then(|| std::path::absolute(path).ok()).flatten()
        };
        let program = absolute(program).unwrap_or_else(|| program.into());
        let args = args.iter().map(|arg| absolute(arg).map_or_else(|| arg.into(), PathBuf::into_os_string));
        let args = args.collect();
        Script { program, args, timeout, success, problem: Mutex::new(None), timeouts: Mutex::new(0) }
    }

    /// Why it could not be run, if so
    pub fn problem(&self) -> Option<std::io::Error> {
        self.problem.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }

    /// Runs that were ended since they took too long
    pub fn timeouts(&self) -> u64 {
        *self.timeouts.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn run(&self, text: &str) -> std::io::Result<bool> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("case.mlir");
        std::fs::write(&file, text)?;
        let mut command = Command::new(&self.program);
        command.args(&self.args).arg(&file).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // A group of its own: what it starts ends with it.
        let mut child = command.process_group(0).spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let start = Instant::now();
        let mut wait = TICK;
        let status = loop {
            match child.try_wait()? {
                Some(status) => break Some(status),
                None if start.elapsed() > self.timeout => break None,
                None => std::thread::sleep(wait),
            }
            wait = (wait * 2).min(TICK * 16);
        };
        if let Some(group) = group {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let Some(status) = status else {
            let _ = child.wait();
            *self.timeouts.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) += 1;
            return Ok(false);
        };
        Ok(status.success() == self.success)
    }
}

impl Judge for Script {
    fn is_interesting(&self, _: &Ir, text: &str) -> bool {
        self.run(text).unwrap_or_else(|error| {
            *self.problem.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error);
            false
        })
    }
}
