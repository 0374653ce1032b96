//! A user's script as a judge: a folder, a process group and a time limit for each run.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use terrace_ir::Ir;
use terrace_shrink::{Judge, Verdict};

/// How often a run is looked at
const TICK: Duration = Duration::from_millis(1);

/// A script that is given the name of a file
pub struct Script {
    program: PathBuf,
    args: Vec<OsString>,
    timeout: Duration,
    /// Does success mean interesting?
    success: bool,
    /// Runs end when this is set
    stop: Arc<AtomicBool>,
    problem: Mutex<Option<std::io::Error>>,
    timeouts: AtomicU64,
}

/// How a run of the script ended
enum End {
    Exit(ExitStatus),
    TooLong,
    Stopped,
}

impl Script {
    /// A script with what it is given before the file's name; a name without a folder that is no file here is looked up as a command
    pub fn new(
        program: &str,
        args: &[String],
        timeout: Duration,
        success: bool,
        stop: Arc<AtomicBool>,
    ) -> Script {
        // Each run has its own folder: names of files here must not depend on it.
        let absolute = |word: &str| {
            let path = Path::new(word);
            path.exists().then(|| std::path::absolute(path).ok()).flatten()
        };
        let program = absolute(program).unwrap_or_else(|| program.into());
        let args = args.iter().map(|arg| absolute(arg).map_or_else(|| arg.into(), PathBuf::into_os_string));
        let args = args.collect();
        let (problem, timeouts) = (Mutex::new(None), AtomicU64::new(0));
        Script { program, args, timeout, success, stop, problem, timeouts }
    }

    /// Why it could not be run, if so
    pub fn problem(&self) -> Option<std::io::Error> {
        self.problem.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }

    /// Runs that were ended since they took too long
    pub fn timeouts(&self) -> u64 {
        self.timeouts.load(Ordering::Relaxed)
    }

    fn run(&self, text: &str) -> std::io::Result<Verdict> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("case.mlir");
        std::fs::write(&file, text)?;
        let mut command = Command::new(&self.program);
        command.args(&self.args).arg(&file).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // A group of its own: what it starts ends with it.
        let mut child = command.process_group(0).spawn()?;
        Ok(match self.end(&mut child)? {
            End::Exit(status) if status.success() == self.success => Verdict::Interesting,
            End::Exit(_) => Verdict::Uninteresting,
            End::TooLong => {
                self.timeouts.fetch_add(1, Ordering::Relaxed);
                Verdict::Unknown
            }
            End::Stopped => Verdict::Stop,
        })
    }

    /// Wait for the end of a run, and end all that it has started
    fn end(&self, child: &mut Child) -> std::io::Result<End> {
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let group = group.ok_or_else(|| std::io::Error::other("the script has no process id"))?;
        let start = Instant::now();
        let mut wait = TICK;
        // The child is not reaped before its group has ended: until then its number stays its own.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let early = loop {
            match waitid(WaitId::Pid(group), options) {
                Ok(None) if self.stop.load(Ordering::Relaxed) => break Some(End::Stopped),
                Ok(None) if start.elapsed() > self.timeout => break Some(End::TooLong),
                Ok(None) | Err(rustix::io::Errno::INTR) => std::thread::sleep(wait),
                Ok(Some(_)) | Err(_) => break None,
            }
            wait = (wait * 2).min(TICK * 16);
        };
        let _ = kill_process_group(group, Signal::KILL);
        let status = child.wait()?;
        Ok(early.unwrap_or(End::Exit(status)))
    }
}

impl Judge for Script {
    fn judge(&self, _: &Ir, text: &str) -> Verdict {
        if self.stop.load(Ordering::Relaxed) {
            return Verdict::Stop;
        }
        self.run(text).unwrap_or_else(|error| {
            *self.problem.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error);
            Verdict::Stop
        })
    }
}
