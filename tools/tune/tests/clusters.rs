//! Searches on real clusters of one node: HyperQueue and Slurm, whose parts are killed meanwhile.
//!
//! Times differ from run to run, so the searches draw at random: the points are those of a search by one worker.

use crate::search::{OPEN, PROGRAM, fresh, killed, scratch, text};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Points of these searches
const POINTS: usize = 30;

/// Options of these searches; a trial takes long enough to be met
fn options(name: &str) -> Vec<String> {
    let wide = OPEN.replace("(?,4,?)", "(?,?,?)");
    let program = scratch(&format!("cluster-{name}.mlir"), PROGRAM);
    let schedule = format!("--schedule={}", scratch(&format!("cluster-{name}.txt"), &wide));
    let fixed = ["--on=interp", "--technique=random", "--prune=1", "--bench=100", "--stop=never", "--seed=3"];
    let all = [program, schedule, format!("--budget={POINTS}")].into_iter();
    all.chain(fixed.map(String::from)).collect()
}

fn lines(log: &str) -> usize {
    if Path::new(log).exists() { killed(log).lines().count().saturating_sub(1) } else { 0 }
}

/// The points of a log, all of which ran
fn points(log: &str) -> Vec<Value> {
    let text = killed(log);
    let entries = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let ran = |entry: Value| {
        assert!(entry["seconds"].is_f64(), "{entry}");
        entry["point"].clone()
    };
    entries.map(ran).collect()
}

/// Those of a search by one worker of this machine
fn serial(name: &str) -> Vec<Value> {
    let log = fresh(&format!("cluster-{name}-serial.jsonl"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-tune"));
    let output = command.args(options(name)).args([&format!("--log={log}"), "--lag=2"]).output();
    let output = output.expect("the tool runs");
    assert!(output.status.success(), "{}", text(&output).1);
    points(&log)
}

fn kill(process: u32, signal: Signal) -> bool {
    let pid = i32::try_from(process).ok().and_then(Pid::from_raw).expect("a process");
    kill_process(pid, signal).is_ok()
}

/// Processes whose command line or environment has such words
fn processes(matches: impl Fn(&str, &str) -> bool) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").expect("Linux").flatten();
    let all = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let read = |process: u32, what: &str| {
        let bytes = std::fs::read(format!("/proc/{process}/{what}")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).replace('\0', " ")
    };
    all.filter(|process| matches(&read(*process, "cmdline"), &read(*process, "environ"))).collect()
}

/// A search that runs
struct Searching {
    child: Child,
    log: String,
}

impl Searching {
    fn start(mut command: Command, name: &str, log: &str) -> Searching {
        command.args(options(name)).arg(format!("--log={log}"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        Searching { child, log: log.into() }
    }

    /// Until the log has so many points
    fn until(&mut self, points: usize) {
        let start = Instant::now();
        while lines(&self.log) < points {
            assert!(start.elapsed() < Duration::from_secs(200), "{} points", lines(&self.log));
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                let mut said = String::new();
                let errors = self.child.stderr.as_mut().expect("a pipe");
                std::io::Read::read_to_string(errors, &mut said).expect("text");
                panic!("it has ended with {} of {points} points: {status}: {said}", lines(&self.log));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Until there is such a process, which is killed
    fn kill(&mut self, signal: Signal, matches: impl Fn(&str, &str) -> bool) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(process) = processes(&matches).into_iter().find(|process| kill(*process, signal)) {
                return process;
            }
            assert!(start.elapsed() < Duration::from_secs(100), "there is no such process");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn ended(self) -> Output {
        self.child.wait_with_output().expect("it is ours")
    }
}

/// The Python that has HyperQueue
fn python() -> Option<PathBuf> {
    if let Some(python) = std::env::var_os("TERRACE_PYTHON") {
        return Some(python.into());
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/terrace/setup.toml");
    let table: toml::Table = std::fs::read_to_string(file).ok()?.parse().ok()?;
    table["paths"].get("hyperqueue_python")?.as_str().map(PathBuf::from)
}

/// A trial, the process that keeps workers, and the adapter with the server in it
#[test]
fn a_search_by_hyperqueue_survives_its_parts() {
    let Some(python) = python() else {
        return println!("skipped: a_search_by_hyperqueue_survives_its_parts (needs hyperqueue)");
    };
    let wanted = serial("hyperqueue");
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_str().expect("UTF-8").to_owned();
    let log = fresh("cluster-hyperqueue.jsonl");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-tune"));
    command.args(["--hyperqueue", "--jobs=2"]).env("TMPDIR", folder.path()).env("TERRACE_PYTHON", python);
    let mut search = Searching::start(command, "hyperqueue", &log);
    let here = format!("TMPDIR={place} ");
    search.until(4);
    search.kill(Signal::KILL, |line, environ| line.contains(" trial --warm") && environ.contains(&here));
    search.until(9);
    let first =
        search.kill(Signal::KILL, |line, environ| line.contains(" --stays ") && environ.contains(&here));
    search.until(14);
    search
        .kill(Signal::KILL, |line, environ| line.contains("tasks of HyperQueue") && environ.contains(&here));
    search.until(19);
    // One that stops is replaced as well.
    let second =
        search.kill(Signal::STOP, |line, environ| line.contains(" --stays ") && environ.contains(&here));
    assert_ne!(first, second);
    let output = search.ended();
    assert!(output.status.success(), "{}", text(&output).1);
    assert_eq!(points(&log), wanted);
    // What stays would end by itself, a minute later.
    for process in processes(|line, environ| line.contains(" --stays ") && environ.contains(&here)) {
        kill(process, Signal::KILL);
    }
    let head = std::fs::read_to_string(&log).expect("it is there");
    assert!(head.lines().next().is_some_and(|line| line.contains(r#""lag":2"#)), "{head}");
}

/// Without the package nothing is measured, and the error names it
#[test]
fn hyperqueue_that_is_not_there_is_named() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-tune"));
    command.args(options("absent")).arg("--hyperqueue").env("TERRACE_PYTHON", "/nonexistent/python");
    let log = format!("--log={}", fresh("cluster-absent.jsonl"));
    let output = command.arg(log).output().expect("the tool runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).1.contains("HyperQueue: `/nonexistent/python`: "), "{}", text(&output).1);
}

/// A Slurm of one node, with all that it writes in one folder
struct Slurm {
    folder: tempfile::TempDir,
    /// Authentication, controller, node
    parts: Vec<Child>,
}

fn has(program: &str) -> bool {
    ["/usr/sbin", "/usr/bin"].iter().any(|folder| Path::new(folder).join(program).is_file())
}

/// A port without a listener now; another program may take it before Slurm does
fn port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("it is bound").port()
}

impl Slurm {
    /// `None`: what is missing has been said
    fn start(test: &str) -> Option<Slurm> {
        if !["munged", "slurmctld-wlm", "slurmd-wlm", "srun"].into_iter().all(has) {
            println!("skipped: {test} (needs slurm)");
            return None;
        }
        if !rustix::process::geteuid().is_root() {
            println!("skipped: {test} (needs root)");
            return None;
        }
        let mut failures = Vec::new();
        for _ in 0..3 {
            match Slurm::with_new_ports() {
                Ok(slurm) => return Some(slurm),
                Err(why) => failures.push(why),
            }
        }
        panic!("the node is not ready: {failures:#?}");
    }

    /// An error: the logs of controller and node
    fn with_new_ports() -> Result<Slurm, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| format!("{}/{name}", folder.path().display());
        let mut key = vec![0; 1024];
        std::io::Read::read_exact(&mut std::fs::File::open("/dev/urandom").expect("Linux"), &mut key)
            .expect("enough");
        std::fs::write(at("key"), key).expect("a file");
        let owner = std::os::unix::fs::PermissionsExt::from_mode(0o400);
        std::fs::set_permissions(at("key"), owner).expect("it is ours");
        for name in ["state", "spool"] {
            std::fs::create_dir(at(name)).expect("a folder");
        }
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("Linux");
        let name = name.trim().split('.').next().expect("a name");
        let (control, node) = (port(), port());
        let place = folder.path().display();
        let conf = format!(
            "ClusterName=terrace\nSlurmctldHost={name}(127.0.0.1)\nSlurmctldPort={control}\nSlurmdPort={node}\n\
             SlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nCryptoType=crypto/munge\n\
             AuthInfo=socket={place}/munge\nMpiDefault=none\nSlurmctldTimeout=5\nMessageTimeout=5\nProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nReturnToService=2\n\
             StateSaveLocation={place}/state\nSlurmdSpoolDir={place}/spool\n\
             SlurmctldPidFile={place}/slurmctld.pid\nSlurmdPidFile={place}/slurmd.pid\n\
             SlurmctldLogFile={place}/slurmctld.log\nSlurmdLogFile={place}/slurmd.log\n\
             NodeName={name} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
        );
        std::fs::write(at("slurm.conf"), conf).expect("a file");
        let mut slurm = Slurm { folder, parts: Vec::new() };
        let at = |name: &str| format!("{}/{name}", slurm.folder.path().display());
        let option = |name: &str, file: &str| format!("--{name}={}", at(file));
        let mut munge = Command::new("/usr/sbin/munged");
        munge.args(["--foreground", "--force"]).args([
            option("socket", "munge"),
            option("key-file", "key"),
            option("pid-file", "munge.pid"),
            option("seed-file", "seed"),
            option("log-file", "munge.log"),
        ]);
        let socket = PathBuf::from(at("munge"));
        slurm.parts.push(quiet(&mut munge));
        let start = Instant::now();
        while !socket.exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "munged does not start");
            std::thread::sleep(Duration::from_millis(5));
        }
        let control = slurm.control();
        slurm.parts.push(control);
        let node = quiet(slurm.command("/usr/sbin/slurmd-wlm").arg("-D"));
        slurm.parts.push(node);
        let is_idle = |slurm: &Slurm| {
            let said = slurm.command("sinfo").args(["-h", "-o", "%t"]).output().expect("it is there");
            String::from_utf8_lossy(&said.stdout).trim() == "idle"
        };
        while !is_idle(&slurm) {
            // A part without its port ends.
            let ended = slurm.parts.iter_mut().any(|part| !matches!(part.try_wait(), Ok(None)));
            if ended || start.elapsed() > Duration::from_secs(60) {
                let log = |name| std::fs::read_to_string(slurm.folder.path().join(name)).unwrap_or_default();
                return Err(log("slurmctld.log") + &log("slurmd.log"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(slurm)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.path().join("slurm.conf")).env("TMPDIR", self.folder.path());
        command
    }

    fn control(&self) -> Child {
        quiet(self.command("/usr/sbin/slurmctld-wlm").arg("-D"))
    }
}

fn quiet(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it is there")
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for part in self.parts.iter_mut().rev() {
            let _ = part.kill();
            let _ = part.wait();
        }
    }
}

/// Steps of an allocation: one is killed, one is stopped, and one is killed while the controller is gone
#[test]
fn a_search_by_slurm_survives_its_parts() {
    let Some(mut slurm) = Slurm::start("a_search_by_slurm_survives_its_parts") else { return };
    let wanted = serial("slurm");
    let log = fresh("cluster-slurm.jsonl");
    let mut command = slurm.command("salloc");
    command.args(["-Q", "-N1", "-n2", env!("CARGO_BIN_EXE_terrace-tune")]);
    command.args(["--jobs=2", "--through=srun --overlap -u -N1 -n1"]);
    let mut search = Searching::start(command, "slurm", &log);
    let here = format!("SLURM_CONF={}", slurm.folder.path().display());
    // Tasks of steps have a number.
    let step = |line: &str, environ: &str| {
        line.contains("worker --about") && environ.contains(&here) && environ.contains(" SLURM_PROCID=")
    };
    let task = |line: &str, environ: &str| step(line, environ) && !line.starts_with("srun ");
    search.until(4);
    search.kill(Signal::KILL, task);
    search.until(9);
    search.kill(Signal::STOP, task);
    search.until(14);
    slurm.parts[1].kill().expect("it is ours");
    slurm.parts[1].wait().expect("it is ours");
    // Slurm has no step in its place for a minute, and the other one goes on.
    search.kill(Signal::KILL, task);
    search.until(20);
    slurm.parts[1] = slurm.control();
    let output = search.ended();
    assert!(output.status.success(), "{}", text(&output).1);
    assert_eq!(points(&log), wanted);
}
