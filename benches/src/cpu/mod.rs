//! `terrace-benches cpu`: generated code against the libraries that people use, on this processor.
//!
//! Blocks alternate: some runs of each peer, some of Terrace, and again; a block gives one median, two blocks next
//! to each other give one ratio, the table shows the median ratio to the fastest peer. At a block's end it is measured what the processor
//! can do at most ([`bound`]): multiply-adds, or a stream of as many bytes as the case has to move. Before the first block our result is
//! compared with the peers' process's reference.
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

mod bound;
pub(crate) mod cases;
pub(crate) mod peers;
mod table;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::Done;
use crate::machine::Facts;
use crate::opt;
use crate::process::{Affinity, shown};
use bound::Bound;
use cases::Case;
use peers::{Peers, Prepared};
use table::{Row, Times};

/// Time of a block, in nanoseconds
const BLOCK: f64 = 2e8;

/// Runs of what the processor can do at most, in a block
const BOUND_RUNS: u32 = 15;

/// The contender that `--against` names
const BEFORE: &str = "before";

/// The beginning of no library's name
const NONE: &str = "none";

/// Options of `cpu`
#[derive(clap::Args)]
#[group(id = "times")]
pub struct Options {
    /// Rows: matmul, vgg, yolo, resnet, mobilenet, softmax, fused, gauss, dot, stream, ccsdt, prl, histogram, scan, mbbs; or a
    /// part of a case's name
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Numbers of threads
    #[arg(long, default_value = "1,4", value_delimiter = ',', value_parser = crate::threads_from_text)]
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
    /// List the cases, run none
    #[arg(long)]
    list: bool,
    /// Write the programs to this folder, run none
    #[arg(long)]
    programs: Option<PathBuf>,
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
}

/// Where a program and its peers run
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    /// Terrace's back end
    pub on: String,
    /// What torch calls the device
    pub device: String,
}

impl Default for Placement {
    fn default() -> Self {
        Self { on: "host".into(), device: "cpu".into() }
    }
}

/// Measures and prints
pub fn run(options: &Options) -> Done {
    let cases: Vec<Case> = cases::all().into_iter().filter(|case| case.named_by(&options.only)).collect();
    if cases.is_empty() {
        return Err(format!("no case is named by `{}`; --list shows them", options.only.join(",")).into());
    }
    if options.list {
        cases.iter().for_each(|case| println!("{}: {}", case.row, case.name));
        return Ok(());
    }
    if let Some(folder) = &options.programs {
        return write_programs(&cases, folder);
    }
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
    let done = measure(options, &cases, (&tools, &folder), &mut facts);
    std::fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let (rows, failures) = done?;
    for message in &failures {
        println!("\n{message}");
    }
    let Some(path) = &options.json else { return Ok(()) };
    let rows: Vec<Value> = rows.iter().map(Row::json).collect();
    let figures = json!({ "facts": facts.json(), "rows": rows, "failures": failures });
    let text = serde_json::to_string_pretty(&figures)?;
    std::fs::write(path, text + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(())
}

pub(crate) fn write_programs(cases: &[Case], folder: &Path) -> Done {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for (n, case) in cases.iter().enumerate() {
        let path = folder.join(format!("{n:02}-{}.mlir", case.kind));
        let text = format!("// {}\n{}", case.name, case.program());
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("{} {}", path.display(), case.name);
    }
    Ok(())
}

fn measure(
    options: &Options,
    cases: &[Case],
    (tools, folder): (&Tools, &Path),
    facts: &mut Facts,
) -> Done<(Vec<Row>, Vec<String>)> {
    let (mut rows, mut failures) = (vec![], vec![]);
    for (n, &threads) in options.threads.iter().enumerate() {
        let _limit = Affinity::limit(threads);
        let mut peers = Peers::start(&tools.python, &[], &options.placement.device)?;
        let on_host = options.placement.on == "host";
        if n == 0 {
            facts.add("peers", peers.version.clone());
            println!("{}\n{}", facts.markdown(), table::header(if on_host { "threads" } else { "on" }));
        }
        for case in cases {
            let none = [NONE.to_owned()];
            let only = if options.libraries() { &options.peers[..] } else { &none[..] };
            let prepared = match peers.prepare(case, folder, only) {
                Ok(prepared) => prepared,
                Err(why) => {
                    failures.push(format!("{}: {why}", case.name));
                    continue;
                }
            };
            let mut ours = Ours::new(case, &prepared, tools, folder, options)?;
            let place = if on_host { threads.to_string() } else { options.placement.on.clone() };
            let mut row = Row {
                case: case.clone(),
                place,
                terrace: vec![],
                peers: vec![],
                bound: vec![],
                values: "–".into(),
            };
            if let Err(why) = ours.alternate(&mut peers, &prepared, options, &mut row) {
                failures.push(format!("{}: {why}", case.name));
            }
            println!("{}", row.markdown());
            rows.push(row);
        }
    }
    Ok((rows, failures))
}

/// The programs that take part
struct Tools {
    python: PathBuf,
    now: PathBuf,
    before: Option<PathBuf>,
}

/// A case as a file, and the command that runs it
struct Ours {
    command: Vec<String>,
    tool: PathBuf,
    before: Option<PathBuf>,
    outputs: Vec<PathBuf>,
}

impl Ours {
    fn new(case: &Case, prepared: &Prepared, tools: &Tools, folder: &Path, options: &Options) -> Done<Self> {
        let file = folder.join("program.mlir");
        let text = case.program();
        std::fs::write(&file, &text).map_err(|e| format!("{}: {e}", file.display()))?;
        let mut command = vec![file.display().to_string(), "--entry=@main".into()];
        command.push(format!("--on={}", options.placement.on));
        for name in &prepared.inputs {
            command.push(format!("--in={name}={}", folder.join(format!("{name}.npy")).display()));
        }
        command.extend(options.pipeline.as_ref().map(|p| format!("--pipeline={p}")));
        let outputs = (0..text.matches("terrace.name = \"out").count())
            .map(|n| folder.join(if n == 0 { "out.npy".to_owned() } else { format!("out{n}.npy") }))
            .collect();
        Ok(Self { command, tool: tools.now.clone(), before: tools.before.clone(), outputs })
    }

    /// Blocks of all sides, alternating; the first of ours is compared with the reference
    fn alternate(
        &mut self,
        peers: &mut Peers,
        prepared: &Prepared,
        options: &Options,
        row: &mut Row,
    ) -> Done {
        let blocks = if options.quick { 2 } else { options.blocks };
        let block = if options.quick { BLOCK / 4.0 } else { BLOCK };
        let runs = |ns: f64| ((block / ns.max(1.0)) as u32).clamp(3, options.runs.max(3));
        let first = self.median_ns(&self.tool, 3, true)?;
        let (right, worst) = peers.check(&self.outputs)?;
        row.values = format!("{} {worst:.0e}", if right { "right" } else { "WRONG" });
        let names =
            prepared.peers.iter().map(|(name, _)| name.as_str()).chain(self.before.as_ref().map(|_| BEFORE));
        row.peers = names.map(|name| Times { name: name.to_owned(), ns: vec![] }).collect();
        // As many threads as everybody is limited to; other devices' best is not measured.
        let bound = (options.placement.on == "host").then(|| Bound::of(row.case.traffic));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..blocks {
            for (times, (name, ns)) in row.peers.iter_mut().zip(&prepared.peers) {
                times.ns.push(peers.median_ns(name, runs(*ns))?);
            }
            row.terrace.push(self.median_ns(&self.tool, runs(first), false)?);
            if let (Some(tool), Some(times)) = (&self.before, row.peers.last_mut()) {
                times.ns.push(self.median_ns(tool, runs(first), false)?);
            }
            row.bound.extend(bound.as_ref().map(|bound| bound.rate(threads, BOUND_RUNS)));
        }
        Ok(())
    }

    fn median_ns(&self, tool: &Path, runs: u32, write: bool) -> Done<f64> {
        let mut command = Command::new(tool);
        command.args(&self.command).arg(format!("--bench={runs}"));
        for path in self.outputs.iter().filter(|_| write) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            command.arg(format!("--out={name}={}", path.display()));
        }
        let output = command.stdin(Stdio::null()).output();
        let output = output.map_err(|e| format!("`{}`: {e}", shown(&command)))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("`{}` failed: {}", shown(&command), text.trim()).into());
        }
        median_in(&String::from_utf8_lossy(&output.stdout))
            .ok_or_else(|| format!("`{}` printed no `median_ns`", shown(&command)).into())
    }
}

/// Where the Python environment is, if not said
pub(crate) fn environment_folder(said: Option<&Path>) -> PathBuf {
    let beside = || Some(std::env::current_exe().ok()?.parent()?.parent()?.join("benches-venv"));
    said.map(Path::to_path_buf)
        .or_else(beside)
        .unwrap_or_else(|| std::env::temp_dir().join("terrace-benches-venv"))
}

/// The last median that a tool printed
pub(crate) fn median_in(text: &str) -> Option<f64> {
    text.lines().rev().find_map(|line| serde_json::from_str::<Value>(line).ok()?["median_ns"].as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_median_counts() {
        let text = "compiling\n{\"median_ns\": 5}\n{\"median_ns\": 7.5, \"on\": \"host\"}\n{\"other\": 1}\n";
        assert_eq!(median_in(text), Some(7.5));
        assert_eq!(median_in("nothing"), None);
    }

    #[test]
    fn rows_and_names_pick_cases() {
        let picked =
            |only: &str| cases::all().iter().filter(|case| case.named_by(&[only.to_owned()])).count();
        assert_eq!(picked("vgg"), 9);
        assert_eq!(picked("ccsdt"), 9);
        assert_eq!(picked("C13"), 1);
        assert_eq!(picked("nothing"), 0);
    }
}
