//! Programs of ours and the same computations by libraries, in alternating blocks.
//!
//! Blocks alternate: some runs of each peer, some of Terrace, and again; a block gives one median, two blocks next
//! to each other give one ratio, the table shows the median ratio to the fastest peer. Before the first block our result is
//! compared with the reference of the peers' process.
//!
//! **What `terrace-run` does.** With `--bench=N` it runs the entry N times after warming up, without
//! compiling, reading or writing anything inside the clock, and prints one JSON object on a line of its own:
//!
//! ```json
//! {"entry":"main","on":"host","runs":20,"median_ns":9600000,"min_ns":9500000,"max_ns":9900000}
//! ```
//!
//! Only `median_ns` is read, from the last line that has it, so other lines and members may be there. Threads are
//! limited by processor affinity, which everybody's pool must obey; the libraries' process is started anew for each number.

mod ours;
pub(crate) mod peers;
mod timed;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::bound::{Bound, Demand};
use crate::machine::Facts;
use crate::process::Affinity;
use crate::{Done, opt};
use ours::Ours;
pub(crate) use ours::median_in;
use peers::Peers;
pub(crate) use timed::{Timed, Times};

/// The beginning of no library's name
const NONE: &str = "none";

/// Options of every contest
#[derive(clap::Args)]
#[group(id = "contest")]
pub(crate) struct Options {
    /// Numbers of threads, or `all`
    #[arg(long, default_value = "1,all", value_delimiter = ',', value_parser = crate::threads_from_text)]
    pub(crate) threads: Vec<usize>,
    /// Blocks of each contender per case
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    blocks: u32,
    /// Most runs per block; fewer where a run takes long
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Few blocks and runs: rough figures
    #[arg(long)]
    quick: bool,
    /// Peers by the beginning of their names; all if absent
    #[arg(long, value_delimiter = ',')]
    peers: Vec<String>,
    /// Terrace's tool: a name or a path
    #[arg(long, default_value = "terrace-run")]
    pub(crate) terrace: String,
    /// Another version of Terrace's tool, as a contender named `before`; libraries only take part if `--peers` names them
    #[arg(long, value_name = "TOOL")]
    against: Option<String>,
    /// Passed on to Terrace's tool as `--pipeline`
    #[arg(long)]
    pipeline: Option<String>,
    /// Folder of the Python environment; next to the build profiles if absent
    #[arg(long)]
    venv: Option<PathBuf>,
    /// Write every figure to this file too
    #[arg(long)]
    json: Option<PathBuf>,
    /// Where both sides run
    #[arg(skip)]
    pub(crate) placement: Placement,
}

impl Options {
    /// Do libraries take part?
    fn libraries(&self) -> bool {
        self.against.is_none() || !self.peers.is_empty()
    }

    /// Blocks of each program
    pub(crate) fn blocks(&self) -> u32 {
        if self.quick { 2 } else { self.blocks }
    }

    /// Few blocks and runs?
    pub(crate) fn is_quick(&self) -> bool {
        self.quick
    }

    /// The folder of the Python environment that is named
    pub(crate) fn venv(&self) -> Option<&Path> {
        self.venv.as_deref()
    }

    /// Peers by the beginning of their names; none means all
    fn wanted(&self) -> Vec<String> {
        if self.libraries() { self.peers.clone() } else { vec![NONE.to_owned()] }
    }
}

/// Where a program and its peers run
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    /// Terrace's back end
    pub on: String,
    /// What torch calls the device
    pub device: String,
}

impl Placement {
    /// This processor, through LLVM
    pub fn is_host(&self) -> bool {
        self.on == "host"
    }
}

impl Default for Placement {
    fn default() -> Self {
        Self { on: "host".into(), device: "cpu".into() }
    }
}

/// What Terrace runs
pub(crate) struct Program {
    /// The file
    pub file: PathBuf,
    /// Further words of the command line
    pub arguments: Vec<String>,
    /// Names of the results
    pub outputs: Vec<String>,
}

/// The least time that the processor could take, in nanoseconds, measured once per block
pub(crate) type Limit = Box<dyn Fn() -> f64>;

/// Runs of a limit, in a block
const LIMIT_RUNS: u32 = 15;

/// Of a computation with this demand, on as many threads as everybody is limited to
pub(crate) fn limit(demand: Demand) -> Option<Limit> {
    let bound = Bound::of(demand)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Some(Box::new(move || bound.least(threads, LIMIT_RUNS)))
}

/// One computation that all sides do
pub(crate) trait Subject {
    /// As the table shows it
    fn name(&self) -> String;
    /// What the peers' process prepares it from
    fn request(&self) -> Value;
    /// Our program, written to `folder` if it is not a file yet
    fn program(&self, folder: &Path) -> Done<Program>;
    /// Further programs of ours for the same computation on so many threads, by name: timed in the same blocks, and no peers
    fn further(&self, folder: &Path, threads: usize) -> Done<Vec<(String, Program)>> {
        let _ = (folder, threads);
        Ok(vec![])
    }
    /// How its limit is measured, if there is one
    fn limit(&self) -> Option<Limit>;
    /// Its line of the table
    fn line(&self, timed: &Timed) -> String;
    /// Every figure
    fn json(&self, timed: &Timed) -> Value;
}

/// The programs that take part
struct Tools {
    python: PathBuf,
    now: PathBuf,
    before: Option<PathBuf>,
}

/// What a contest gave
pub(crate) struct Outcome {
    facts: Facts,
    /// Subjects by number, with their times
    pub rows: Vec<(usize, Timed)>,
    /// What did not run or was left out, with the reason
    pub failures: Vec<String>,
}

/// Measures; prints facts, `header` of what the second column holds, and a line for each row when it is there
pub(crate) fn run<S: Subject>(
    options: &Options,
    subjects: &[S],
    header: impl Fn(&str) -> String,
) -> Done<Outcome> {
    // Inputs and the reference are numpy's.
    let packages = if options.libraries() { &peers::PACKAGES[..] } else { &peers::PACKAGES[..1] };
    let python = peers::environment(&environment_folder(options.venv.as_deref()), packages, &[])?;
    let find = |name: &String| opt::find(name).ok_or_else(|| format!("`{name}` was not found"));
    let tools = Tools {
        python,
        now: find(&options.terrace)?,
        before: options.against.as_ref().map(find).transpose()?,
    };
    let mut facts = Facts::gather();
    facts.add("terrace", crate::machine::version(&tools.now));
    if let Some(before) = &tools.before {
        facts.add("before", format!("{} ({})", crate::machine::version(before), before.display()));
    }
    let folder = std::env::temp_dir().join(format!("terrace-benches-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut outcome = Outcome { facts, rows: vec![], failures: vec![] };
    let done = measure(options, subjects, header, (&tools, &folder), &mut outcome);
    std::fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    done.map(|()| outcome)
}

fn measure<S: Subject>(
    options: &Options,
    subjects: &[S],
    header: impl Fn(&str) -> String,
    (tools, folder): (&Tools, &Path),
    outcome: &mut Outcome,
) -> Done {
    let on_host = options.placement.is_host();
    let wanted = options.wanted();
    for (n, &threads) in options.threads.iter().enumerate() {
        let _limit = Affinity::limit(threads);
        let mut peers = Peers::start(&tools.python, &[], &options.placement.device)?;
        if n == 0 {
            outcome.facts.add("peers", peers.version.clone());
            say!("{}\n{}", outcome.facts.markdown(), header(if on_host { "threads" } else { "on" }));
        }
        for (number, subject) in subjects.iter().enumerate() {
            let prepared = match peers.prepare(&subject.request(), folder, &wanted) {
                Ok(prepared) => prepared,
                Err(why) => {
                    outcome.failures.push(format!("{}: {why}", subject.name()));
                    continue;
                }
            };
            let left_out = prepared.left_out.iter().map(|why| format!("{}: {why}", subject.name()));
            outcome.failures.extend(left_out);
            let side = |program| {
                let ours = Ours::new(program, &prepared, tools, folder, options);
                if on_host { ours.on_threads(threads) } else { ours }
            };
            let ours = side(subject.program(folder)?);
            let further = subject.further(folder, threads).unwrap_or_else(|why| {
                outcome.failures.push(format!("{}: {why}", subject.name()));
                vec![]
            });
            let further: Vec<(String, Ours)> =
                further.into_iter().map(|(name, program)| (name, side(program))).collect();
            let place = if on_host { threads.to_string() } else { options.placement.on.clone() };
            let mut timed = Timed::at(place);
            let limit = on_host.then(|| subject.limit()).flatten();
            if let Err(why) = ours.alternate(&further, (&mut peers, &prepared), options, limit, &mut timed) {
                outcome.failures.push(format!("{}: {why}", subject.name()));
            }
            say!("{}", subject.line(&timed));
            outcome.rows.push((number, timed));
        }
    }
    Ok(())
}

impl Outcome {
    /// Print what did not run, and write every figure to the file that `options` name
    pub fn finish<S: Subject>(&self, options: &Options, subjects: &[S]) -> Done {
        for message in &self.failures {
            say!("\n{message}");
        }
        let Some(path) = &options.json else { return Ok(()) };
        let rows = self.rows.iter().filter_map(|(number, timed)| Some(subjects.get(*number)?.json(timed)));
        let rows: Vec<Value> = rows.collect();
        let figures = json!({ "facts": self.facts.json(), "rows": rows, "failures": self.failures });
        let text = serde_json::to_string_pretty(&figures)?;
        std::fs::write(path, text + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(())
    }
}

/// The folder of the Python environment: the one that `--venv` names, else one next to the build profiles
pub(crate) fn environment_folder(named: Option<&Path>) -> PathBuf {
    let default = || Some(std::env::current_exe().ok()?.parent()?.parent()?.join("benches-venv"));
    named
        .map(Path::to_path_buf)
        .or_else(default)
        .unwrap_or_else(|| std::env::temp_dir().join("terrace-benches-venv"))
}
