//! `terrace-benches conv`: the convolutional layers of VGG-16 as array programs, rewritten by `convHost`, against oneDNN, TVM and
//! the plain kernel: operations per second, and memory.
//!
//! Each layer is the plain program of `programs/conv_host.mlir.in`; `convHost` or one of its like with the numbers of `layers`, or
//! of the best points of searches (`--points`), and `array-map` make of it what is run. The plain kernel is the same program
//! lowered unchanged. Blocks alternate as in `cpu`, and values of all are compared with torch's. What takes more than half a
//! second is run once, which the table says; of TVM the fastest of a few programs of its search's generator, chosen in the run.
//!
//! **Memory** is arguments and results, as `terrace-opt --emit=memory` counts them, and the buffers of the loops; what stands
//! inside of tasks counts once for each thread. The least is what arguments and results hold.

pub mod layers;
mod points;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Done;
use crate::contest::peers::{PACKAGES, Peers, Prepared, environment};
use crate::contest::{environment_folder, median_in};
use crate::cpu::cases;
use crate::machine::Facts;
use crate::opt;
use crate::process::{Affinity, shown};
use crate::stats::Summary;
use layers::{ALL, Layer};
use points::{Chosen, Log};
use terrace_dialect_sched::{Alloc, For};

/// Options of `conv`
#[derive(clap::Args)]
pub struct Options {
    /// Layers by their first number: 0, 2, 5, 7, 10, 12, 17, 19, 24; all if absent
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Numbers of threads
    #[arg(long, default_value = "1,4", value_delimiter = ',', value_parser = crate::threads_from_text)]
    threads: Vec<usize>,
    /// Blocks of each contender per layer
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    blocks: u32,
    /// Few blocks and runs: rough figures
    #[arg(long)]
    quick: bool,
    /// Other numbers than the table's: H,Q,O,TASKS or H,Q,O,C,TASKS; tasks are `blocks`, `packed` or `panels`; or Q,O,direct or
    /// Q,O,C,direct
    #[arg(long)]
    point: Option<String>,
    /// The best points of logs of `terrace-tune`: LAYER=FILE or LAYER@THREADS=FILE, as `2=conv2.jsonl,12@4=conv12.jsonl`; the
    /// table's for other layers
    #[arg(long, value_delimiter = ',', value_parser = Log::parse)]
    points: Vec<Log>,
    /// Of these, the best that holds at most so many times the least memory, as `1.1`
    #[arg(long)]
    within: Option<f64>,
    /// Leave out TVM and the plain kernel
    #[arg(long)]
    fast: bool,
    /// Programs of TVM's own generator of which the fastest counts; 0 for what it compiles without a schedule: seconds a run
    #[arg(long, default_value_t = 16)]
    tvm_trials: u32,
    /// Terrace's tool that runs: a name or a path
    #[arg(long, default_value = "terrace-run")]
    terrace: String,
    /// Terrace's tool that counts memory: a name or a path
    #[arg(long, default_value = "terrace-opt")]
    opt: String,
    /// Folder of the Python environment; next to the build profiles if absent
    #[arg(long)]
    venv: Option<PathBuf>,
}

/// The module and its packages, at versions that go together
const TVM: [(&str, &[&str]); 1] = [("tvm", &["apache-tvm==0.27.0", "apache-tvm-ffi==0.1.14.post1"])];

/// What takes longer is run once, in nanoseconds
const SLOW: f64 = 5e8;

/// What was measured of a layer
struct Row {
    layer: Layer,
    terrace: Vec<f64>,
    dnn: Vec<f64>,
    tvm: Option<Once>,
    plain: Option<Once>,
    bytes: u64,
    least: u64,
    unfolded: u64,
    values: String,
    point: String,
}

/// Time of a contender that may be slow, and what is to be said of it
#[derive(Clone, Copy)]
struct Once {
    ns: f64,
    once: bool,
    right: bool,
}

const HEADER: &str = "\
| layer | Terrace GFLOP/s (min–max) | oneDNN (min–max) | ratio (min–max) | TVM | plain | MB | × least | with windows unfolded | values | h, q, o, c, lanes, tasks |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---|";

/// Measures and prints
pub fn run(options: &Options) -> Done {
    let wanted =
        |layer: &&Layer| options.only.is_empty() || options.only.iter().any(|name| name == layer.first());
    let chosen: Vec<Layer> = ALL.iter().filter(wanted).copied().collect();
    if chosen.is_empty() {
        return Err(format!("no layer is named by `{}`", options.only.join(",")).into());
    }
    let more: &[(&str, &[&str])] = if options.fast { &[] } else { &TVM };
    let python = environment(&environment_folder(options.venv.as_deref()), &PACKAGES, more)?;
    let find = |name: &str| opt::find(name).ok_or_else(|| format!("`{name}` was not found"));
    let tools = [find(&options.terrace)?, find(&options.opt)?];
    let folder = std::env::temp_dir().join(format!("terrace-benches-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let done = measure(options, &chosen, &python, &tools, &folder);
    std::fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    done
}

fn measure(options: &Options, chosen: &[Layer], python: &Path, tools: &[PathBuf; 2], folder: &Path) -> Done {
    let mut facts = Facts::gather();
    facts.add("terrace", crate::machine::version(&tools[0]));
    let variables = [("TERRACE_TVM_TRIALS", options.tvm_trials.to_string())];
    let start = Instant::now();
    for (n, &threads) in options.threads.iter().enumerate() {
        let _limit = Affinity::limit(threads);
        let mut peers = Peers::start(python, &variables, "cpu")?;
        if n == 0 {
            facts.add("peers", peers.version.clone());
            if !options.fast {
                let of = match options.tvm_trials {
                    0 => "without a schedule".to_owned(),
                    n => format!("the fastest of {n} programs of its search's generator"),
                };
                facts.add("TVM", format!("{}, {of}", TVM[0].1[0].replace("==", " ")));
            }
            say!("{}", facts.markdown());
        }
        say!("\n{threads} thread{}\n\n{HEADER}", if threads == 1 { "" } else { "s" });
        let mut rows = Vec::new();
        for layer in chosen {
            let row = one(options, *layer, threads, &mut peers, tools, folder)?;
            say!("{}", row.markdown());
            rows.push(row);
        }
        say!("{}", sums(&rows));
    }
    if !options.fast {
        say!("\n¹ one run; of times below half a second the median, as for the others");
    }
    say!("\n{:.0} s in all", start.elapsed().as_secs_f64());
    Ok(())
}

/// One layer on so many threads
fn one(
    options: &Options,
    layer: Layer,
    threads: usize,
    peers: &mut Peers,
    tools: &[PathBuf; 2],
    folder: &Path,
) -> Done<Row> {
    let case = cases::conv("vgg", "VGG-16", [layer.size, layer.channels, layer.kernels, 3, 1], 1.0);
    let only = ["oneDNN".to_owned(), "TVM".to_owned()];
    let prepared = peers.prepare(&case.request(), folder, if options.fast { &only[..1] } else { &only })?;
    let file = folder.join("layer.mlir");
    std::fs::write(&file, layer.program()).map_err(|e| format!("{}: {e}", file.display()))?;
    let chosen = match &options.point {
        Some(given) => Chosen::parse(given).ok_or("a point is H,Q,O,TASKS or H,Q,O,C,TASKS")?,
        None => match Log::best(&options.points, &layer, threads, options.within)? {
            Some(best) => best,
            None => Chosen::of(&layer, threads),
        },
    };
    let (strategy, levels) = (chosen.strategy(), &chosen.levels);
    let rewritten = format!("func.func(array-expand,array-rewrite{{strategy=\"{strategy}\"}}");
    let mapped = format!("array-map{{mapping={levels} device=host tags=printed,beyond,type,user}}");
    let ours = Ours {
        tool: &tools[0],
        file: &file,
        pipeline: format!("{rewritten},{mapped},array-to-sched)"),
        prepared: &prepared,
        folder,
    };
    let [least, bytes] = memory(&tools[1], &file, [&format!("{rewritten})"), &ours.pipeline], threads)?;
    let unfolded = unfolded(&tools[1], &file, least)?;

    let (blocks, block) = if options.quick { (3, 1e8) } else { (options.blocks, 2e8) };
    let runs = |ns: f64| ((block / ns.max(1.0)) as u32).clamp(3, 100);
    let out = folder.join("out.npy");
    let first = ours.median_ns(3, Some(&out))?;
    let (right, worst) = peers.check(std::slice::from_ref(&out))?;
    let mut row = Row {
        layer,
        terrace: vec![],
        dnn: vec![],
        tvm: None,
        plain: None,
        bytes,
        least,
        unfolded,
        values: match (right, worst == 0.0) {
            (true, true) => "the same".into(),
            (true, false) => format!("right {worst:.0e}"),
            (false, _) => format!("WRONG {worst:.0e}"),
        },
        point: chosen.text(),
    };
    // The fastest of oneDNN's ways.
    let dnn = prepared.peers.iter().filter(|(name, _)| name.starts_with("oneDNN"));
    let dnn = dnn.min_by(|a, b| a.1.total_cmp(&b.1));
    for _ in 0..blocks {
        if let Some((name, ns)) = dnn {
            row.dnn.push(peers.median_ns(name, runs(*ns))?);
        }
        row.terrace.push(ours.median_ns(runs(first), None)?);
    }
    if let Some((name, ns)) = prepared.peers.iter().find(|(name, _)| name.starts_with("TVM")) {
        let once = *ns > SLOW;
        let ns = if once { *ns } else { peers.median_ns(name, runs(*ns))? };
        row.tvm = Some(Once { ns, once, right: peers.check_peer(name)?.0 });
    }
    // It runs on one thread however many there are.
    if threads == 1 && !options.fast {
        let plain = Ours { pipeline: "func.func(array-expand,array-to-sched)".into(), ..ours };
        let ns = plain.median_ns(1, Some(&out))?;
        row.plain = Some(Once { ns, once: true, right: peers.check(std::slice::from_ref(&out))?.0 });
    }
    Ok(row)
}

/// The program with a pipeline
struct Ours<'a> {
    tool: &'a Path,
    file: &'a Path,
    pipeline: String,
    prepared: &'a Prepared,
    folder: &'a Path,
}

impl Ours<'_> {
    fn median_ns(&self, runs: u32, out: Option<&Path>) -> Done<f64> {
        let mut command = Command::new(self.tool);
        command
            .arg(self.file)
            .args(["--entry=@main", "--on=host"])
            .arg(format!("--pipeline={}", self.pipeline));
        for name in &self.prepared.inputs {
            command.arg(format!("--in={name}={}", self.folder.join(format!("{name}.npy")).display()));
        }
        command.arg(format!("--bench={runs}"));
        command.args(out.map(|out| format!("--out=out={}", out.display())));
        let median = median_in(&said(&mut command)?);
        median.ok_or_else(|| format!("`{}` printed no `median_ns`", shown(&command)).into())
    }
}

/// What a command prints
fn said(command: &mut Command) -> Done<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("`{}`: {e}", shown(command)))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("`{}` failed: {}", shown(command), String::from_utf8_lossy(&output.stderr).trim()).into())
}

/// The last number of a line with commas between thousands
fn number(line: &str) -> Option<u64> {
    let digits: String = line.split_whitespace().last()?.chars().filter(|c| *c != ',').collect();
    digits.parse().ok()
}

/// Bytes of arguments and results, and of all, what tasks hold once for each thread: of the program rewritten and of its loops
fn memory(tool: &Path, file: &Path, [rewritten, lowered]: [&str; 2], threads: usize) -> Done<[u64; 2]> {
    let mut command = Command::new(tool);
    command.arg(file).arg(format!("--pipeline={rewritten}")).arg("--emit=memory");
    let text = said(&mut command)?;
    let of = |line: &str| match line.split_whitespace().nth(1) {
        Some("argument" | "result") => number(line),
        _ => None,
    };
    let least: u64 = text.lines().filter_map(of).sum();
    if least == 0 {
        return Err(format!("`{}` printed no amount of memory", shown(&command)).into());
    }
    let mut command = Command::new(tool);
    command.arg(file).arg(format!("--pipeline={lowered}"));
    Ok([least, least + buffers(&said(&mut command)?, threads)])
}

/// Bytes of the buffers in loops as text, those inside of tasks once for each thread
fn buffers(text: &str, threads: usize) -> u64 {
    let (mut tasks, mut all) = (None, 0);
    for line in text.lines() {
        let depth = line.len() - line.trim_start().len();
        if tasks.is_some_and(|outside| depth <= outside) {
            tasks = None;
        }
        if line.contains(For::DEF.name) && line.contains(": task") {
            tasks = tasks.or(Some(depth));
        }
        let Some(shape) = line.split(Alloc::DEF.name).nth(1).and_then(|rest| rest.split("memref<").nth(1))
        else {
            continue;
        };
        // What has a space is registers.
        let Some(sizes) = shape.strip_suffix("xf32>") else { continue };
        let bytes = 4 * sizes.split('x').filter_map(|size| size.parse::<u64>().ok()).product::<u64>();
        all += bytes * if tasks.is_some() { threads as u64 } else { 1 };
    }
    all
}

/// Bytes of a program that writes its windows to memory first
fn unfolded(tool: &Path, file: &Path, least: u64) -> Done<u64> {
    let mut command = Command::new(tool);
    command.arg(file).args(["--pipeline=func.func(array-expand)", "--emit=memory"]);
    let text = said(&mut command)?;
    let line = text.lines().find_map(|line| line.split("(im2col) would hold ").nth(1));
    let digits = line.and_then(|rest| number(rest.split(", ").next()?));
    digits
        .map(|bytes| least + bytes)
        .ok_or_else(|| format!("`{}` printed no size of windows", shown(&command)).into())
}

impl Row {
    fn rates(&self, times: &[f64]) -> Option<Summary> {
        (!times.is_empty()).then(|| Summary::of(times.iter().map(|ns| self.layer.flops() / ns)))
    }

    fn markdown(&self) -> String {
        let span = |all: Option<Summary>| {
            all.map_or("–".into(), |all| format!("{:.1} ({:.1}–{:.1})", all.median, all.min, all.max))
        };
        let one = |time: Option<Once>| {
            time.map_or("–".into(), |Once { ns, once, right }| {
                let note = if once { "¹" } else { "" };
                let wrong = if right { "" } else { " WRONG" };
                format!("{:.1}{note}{wrong}", self.layer.flops() / ns)
            })
        };
        let ratio = match self.dnn.is_empty() {
            true => "–".into(),
            false => {
                let ratio = Summary::of_ratios(&self.dnn, &self.terrace);
                format!("**{:.2}** ({:.2}–{:.2})", ratio.median, ratio.min, ratio.max)
            }
        };
        format!(
            "| {} | {} | {} | {ratio} | {} | {} | {:.1} | {:.3} | {:.1} | {} | {} |",
            self.layer.name(),
            span(self.rates(&self.terrace)),
            span(self.rates(&self.dnn)),
            one(self.tvm),
            one(self.plain),
            self.bytes as f64 / 1e6,
            self.bytes as f64 / self.least as f64,
            self.unfolded as f64 / 1e6,
            self.values,
            self.point,
        )
    }
}

/// Average over layers that differ, most memory, and all layers of the network: operations of all by time of all
fn sums(rows: &[Row]) -> String {
    let median = |times: &[f64]| (!times.is_empty()).then(|| Summary::of(times.iter().copied()).median);
    let column = |time: &dyn Fn(&Row) -> Option<f64>| -> [String; 2] {
        let times: Option<Vec<f64>> = rows.iter().map(time).collect();
        let Some(times) = times else { return ["–".into(), "–".into()] };
        let rates = rows.iter().zip(&times).map(|(row, ns)| row.layer.flops() / ns);
        let average = rates.sum::<f64>() / rows.len() as f64;
        let weighed = |of: &dyn Fn(&Row, f64) -> f64| -> f64 {
            rows.iter().zip(&times).map(|(row, ns)| of(row, *ns) * row.layer.count as f64).sum()
        };
        let all = weighed(&|row, _| row.layer.flops()) / weighed(&|_, ns| ns);
        [format!("{average:.1}"), format!("{all:.1}")]
    };
    let ours = column(&|row| median(&row.terrace));
    let dnn = column(&|row| median(&row.dnn));
    let (tvm, plain) =
        (column(&|row| row.tvm.map(|time| time.ns)), column(&|row| row.plain.map(|time| time.ns)));
    let ratio = |n: usize| match (ours[n].parse::<f64>(), dnn[n].parse::<f64>()) {
        (Ok(a), Ok(b)) => format!("**{:.2}**", a / b),
        _ => "–".into(),
    };
    let most = rows.iter().map(|row| row.bytes).max().unwrap_or(0) as f64 / 1e6;
    let worst = rows.iter().map(|row| row.bytes as f64 / row.least as f64).fold(0.0, f64::max);
    let unfolded = rows.iter().map(|row| row.unfolded).max().unwrap_or(0) as f64 / 1e6;
    let line = |name: &str, n: usize, memory: &str| {
        let cells = [&ours[n], &dnn[n], &ratio(n), &tvm[n], &plain[n]].map(|cell| cell.to_string());
        format!("| {name} | {} | {memory} | | |", cells.join(" | "))
    };
    [
        line(
            "average of these",
            0,
            &format!("at most {most:.1} | at most {worst:.3} | at most {unfolded:.1}"),
        ),
        line("all layers of the network", 1, "| |"),
    ]
    .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        assert_eq!(number("  %in  argument  memref<4xf32>  1,605,632"), Some(1_605_632));
        assert_eq!(number("func @conv"), None);
    }

    #[test]
    fn buffers_of_tasks_count_for_each_thread() {
        let text = "\
    %a = sched.alloc : memref<2x8xf32>
    sched.for (%i in 2 by 1 : task, %j in 4 by 1) {
      sched.for (%k in 4 by 1) {
        %b = sched.alloc : memref<4xf32>
        %c = sched.alloc : memref<4xf32, \"reg\">
      }
    }
    sched.for (%i in 2 by 1) {
      %d = sched.alloc : memref<8xf32>
    }";
        assert_eq!(buffers(text, 4), 64 + 4 * 16 + 32);
        assert_eq!(buffers(text, 1), 64 + 16 + 32);
    }

    #[test]
    fn layers_count_as_often_as_they_are_there() {
        let row = |layer: Layer, ns: f64| Row {
            layer,
            terrace: vec![ns],
            dnn: vec![ns],
            tvm: None,
            plain: None,
            bytes: 11,
            least: 10,
            unfolded: 90,
            values: String::new(),
            point: String::new(),
        };
        // Twice as fast a layer that is there three times: 4 · work in 2.5 · time.
        let (a, c) = (ALL[0], Layer { count: 3, ..ALL[0] });
        let ns = a.flops() / 100.0;
        let text = sums(&[row(a, ns), row(c, ns / 2.0)]);
        assert!(
            text.starts_with(
                "| average of these | 150.0 | 150.0 | **1.00** | – | – | at most 0.0 | at most 1.100"
            ),
            "{text}"
        );
        assert!(text.contains("| all layers of the network | 160.0 |"), "{text}");
    }
}
