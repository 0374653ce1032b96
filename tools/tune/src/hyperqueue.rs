//! Trials as tasks of HyperQueue: a process in Python moves the lines, which is started again where it ends.

use crate::args::Farm;
use crate::engine::running::{Heard, Running};
use crate::errors::environment;
use crate::stop::Stop;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use terrace_diag::Diagnostic;
use terrace_search_explore::fingerprint;
use terrace_search_trials::{About, Answer, Backoff, Down, Executor, Said, Status, Trial};

/// The adapter
const ADAPTER: &str = include_str!("hyperqueue.py");

/// The Python that has the package
const PYTHON: &str = "TERRACE_PYTHON";

/// Time in which the adapter has reached or started a server
const GREETS: Duration = Duration::from_secs(60);

/// Time in which the adapter stops its server
const PARTING: Duration = Duration::from_secs(2);

/// Tasks of HyperQueue
pub(crate) struct HyperQueue {
    python: PathBuf,
    args: Vec<OsString>,
    /// Folder for answers of tasks; each adapter has one of its own in it
    folder: PathBuf,
    adapters: u32,
    running: Option<Running>,
    /// Trials without an answer, as lines
    open: BTreeMap<String, String>,
    backoff: Backoff,
    again: Option<Instant>,
    /// Why it was given up, where there were answers to return first
    down: Option<Down>,
    about: Arc<OnceLock<About>>,
    stop: Stop,
}

/// A new folder in this one, which other machines may have as well: their process numbers say nothing
fn unique(folder: &Path) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    loop {
        let seed = (host.trim(), std::process::id(), std::time::SystemTime::now());
        let path = folder.join(&fingerprint(&format!("{seed:?}"))[..12]);
        match std::fs::create_dir(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path),
        }
    }
}

impl HyperQueue {
    /// With a server of its own, or one that runs
    pub(crate) fn new(farm: &Farm, folder: &Path, stop: &Stop) -> Result<HyperQueue, Diagnostic> {
        let fail = |error: std::io::Error| environment(format!("no folder for answers of tasks: {error}"));
        let own = std::env::current_exe()
            .map_err(|error| environment(format!("this program is not found: {error}")))?;
        let server = farm.hyperqueue.clone().unwrap_or_default();
        // A running server's tasks are on other machines: what they write is to be seen here.
        let folder = match server.is_empty() {
            true => folder.to_path_buf(),
            false if Path::new(&server).is_dir() => Path::new(&server).join("terrace"),
            false => return Err(environment(format!("`{server}` is no folder of a HyperQueue server"))),
        };
        let folder = unique(&folder).map_err(fail)?;
        let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
        let args = vec!["-c".into(), ADAPTER.into(), own.into(), server.into(), farm.jobs.to_string().into()];
        Ok(HyperQueue {
            python: python.into(),
            args,
            folder,
            adapters: 0,
            running: None,
            open: BTreeMap::new(),
            backoff: Backoff::new(farm.patience),
            again: None,
            down: None,
            about: farm.about.clone(),
            stop: stop.clone(),
        })
    }

    /// An adapter, with all trials that have no answer
    fn start(&mut self) -> Result<Running, String> {
        self.adapters += 1;
        let spool = self.folder.join(self.adapters.to_string());
        std::fs::create_dir_all(&spool).map_err(|error| error.to_string())?;
        let mut args = self.args.clone();
        args.insert(3, spool.into());
        let started = Running::start(&self.python, &args, std::iter::empty());
        let started = started.map_err(|error| format!("`{}`: {error}", self.python.display()))?;
        let mut running = started.with_time_to_end(PARTING);
        match running.hear(GREETS, &self.stop) {
            Heard::Line(line) if matches!(Said::read(&line), Some(Said::Greeting(_))) => {}
            Heard::Ended(how) => return Err(how),
            _ => return Err("it does not greet".into()),
        }
        for line in self.open.values() {
            running.write(line.clone());
        }
        Ok(running)
    }

    /// It is gone: with it the server, perhaps
    fn failed(&mut self, why: &str) -> Result<(), Down> {
        self.running = None;
        let why = format!("HyperQueue: {why}");
        if self.adapters == 1 && self.about.get().is_none() {
            return Err(Down::Never(why));
        }
        self.again = Some(Instant::now() + self.backoff.failed(&why)?);
        Ok(())
    }

    /// It is gone, but these answers came before: they are returned first
    fn failed_after(&mut self, found: Vec<Answer>, why: &str) -> Result<Vec<Answer>, Down> {
        match self.failed(why) {
            Err(down) if found.is_empty() => return Err(down),
            Err(down) => self.down = Some(down),
            Ok(()) => {}
        }
        Ok(found)
    }

    /// An answer of a trial that has none yet; where it was not measured like the others it is lost
    fn take(&mut self, answer: Answer) -> Answer {
        self.backoff.works();
        let Some(id) = answer.id.clone().filter(|id| self.open.remove(id).is_some()) else { return answer };
        let (Some(machine), Some(compiler)) = (answer.machine.clone(), answer.compiler.clone()) else {
            return answer;
        };
        let found = About { machine, compiler };
        let wanted = self.about.get_or_init(|| found.clone());
        match *wanted == found {
            true => answer,
            false => {
                let why = format!("it was measured on {}, not on {}", found.machine, wanted.machine);
                Answer::failed(Some(id), Status::Lost, why)
            }
        }
    }
}

impl Executor for HyperQueue {
    fn submit(&mut self, trial: &Trial) -> Result<(), Down> {
        let line = trial.line().map_err(|why| Down::Never(format!("a trial cannot be written: {why}")))?;
        self.open.insert(trial.id.clone(), line.clone());
        if let Some(running) = &mut self.running {
            running.write(line);
        }
        Ok(())
    }

    fn poll(&mut self, wait: Duration) -> Result<Vec<Answer>, Down> {
        if let Some(down) = self.down.take() {
            return Err(down);
        }
        let Some(mut running) = self.running.take() else {
            let left =
                self.again.map_or(Duration::ZERO, |again| again.saturating_duration_since(Instant::now()));
            if !left.is_zero() {
                std::thread::sleep(left.min(wait));
                return Ok(Vec::new());
            }
            match self.start() {
                Ok(running) => self.running = Some(running),
                Err(why) => self.failed(&why)?,
            }
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        let mut patience = wait;
        loop {
            match running.hear(patience, &self.stop) {
                Heard::Line(line) => match Said::read(&line) {
                    Some(Said::Answer(answer)) => found.push(self.take(*answer)),
                    _ => return self.failed_after(found, "the adapter's answer cannot be read"),
                },
                Heard::Nothing | Heard::Interrupted => break,
                Heard::Ended(why) | Heard::Wrong(why) => return self.failed_after(found, &why),
            }
            patience = Duration::ZERO;
        }
        self.running = Some(running);
        Ok(found)
    }
}

impl Drop for HyperQueue {
    fn drop(&mut self) {
        self.running = None;
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
