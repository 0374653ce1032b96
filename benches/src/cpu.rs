//! `terrace-benches cpu`: generated code beside OpenBLAS, in GFLOP/s.
//!
//! Blocks alternate: some runs of OpenBLAS, some of Terrace, and again; a block gives one median, two blocks next
//! to each other give one ratio, the table shows the median ratio.
//!
//! **What is asked of `terrace-run`.** With `--bench=N` it runs the entry N times after warming up, without
//! compiling, reading or writing anything inside the clock, and prints one JSON object on a line of its own:
//!
//! ```json
//! {"entry":"matmul","on":"host","runs":20,"median_ns":9600000,"min_ns":9500000,"max_ns":9900000}
//! ```
//!
//! Only `median_ns` is read, from the last line that has it, so other lines and members may be there. Threads are
//! limited by processor affinity, which its pool must obey (`available_parallelism` does).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::machine::Facts;
use crate::openblas::OpenBlas;
use crate::opt;
use crate::process::{Affinity, shown};
use crate::stats::Summary;

const MATMUL: &str = include_str!("../programs/matmul.mlir.in");

/// Options of `cpu`
#[derive(clap::Args)]
pub struct Options {
    /// Shapes MxNxK of the product of M×K by K×N
    #[arg(long, default_value = "1024x1024x1024,16x1000x2048", value_delimiter = ',', value_parser = shape_from_text)]
    shapes: Vec<Shape>,
    /// Numbers of threads
    #[arg(long, default_value = "1,4", value_delimiter = ',', value_parser = crate::threads_from_text)]
    threads: Vec<usize>,
    /// Pairs of blocks per row
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    blocks: u32,
    /// Runs per block
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Terrace's tool: a name or a path
    #[arg(long, default_value = "terrace-run")]
    terrace: String,
    /// Program with {M}, {N} and {K} for the sizes; the plain `mdh` product if absent
    #[arg(long)]
    program: Option<PathBuf>,
    /// Function to run
    #[arg(long, default_value = "@matmul")]
    entry: String,
    /// Passed on to Terrace's tool as `--pipeline`
    #[arg(long)]
    pipeline: Option<String>,
    /// Folder of the Python environment; beside the build profiles if absent
    #[arg(long)]
    venv: Option<PathBuf>,
    /// Write every figure to this file too
    #[arg(long)]
    json: Option<PathBuf>,
}

type Shape = [u64; 3];

fn shape_from_text(text: &str) -> Result<Shape, String> {
    let sizes: Option<Vec<u64>> = text.split('x').map(|s| s.parse().ok().filter(|&n| n > 0)).collect();
    let shape: Option<Shape> = sizes.and_then(|s| s.try_into().ok());
    shape.ok_or_else(|| "expected a shape such as 16x1000x2048".to_owned())
}

/// Measures and prints
pub fn run(options: &Options) -> Result<(), String> {
    let mut facts = Facts::gather();
    let mut peer = match OpenBlas::start(&environment_folder(options)) {
        Ok(peer) => {
            facts.add("peer", peer.version.clone());
            Some(peer)
        }
        Err(reason) => {
            facts.add("peer", format!("skipped: OpenBLAS: {reason}"));
            None
        }
    };
    let terrace = opt::find(&options.terrace);
    facts.add(
        "terrace",
        match &terrace {
            Some(path) => crate::machine::version(path),
            None => format!("skipped: `{}` was not found", options.terrace),
        },
    );
    facts.add("blocks", format!("{} pairs of {} runs", options.blocks, options.runs));
    if peer.is_none() && terrace.is_none() {
        return Err(format!("nothing to measure:\n{}", facts.markdown().trim_end()));
    }
    let template = match &options.program {
        None => MATMUL.to_owned(),
        Some(path) => std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?,
    };
    println!("{}\n{HEADER}", facts.markdown());
    let file = std::env::temp_dir().join(format!("terrace-benches-{}.mlir", std::process::id()));
    let mut rows = vec![];
    let mut failures = vec![];
    for &shape in &options.shapes {
        let text = filled(&template, shape);
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        for &threads in &options.threads {
            let mut row = Row { shape, threads, terrace: vec![], peer: vec![] };
            let mut command = terrace.as_ref().map(|tool| bench_command(tool, &file, options));
            for _ in 0..options.blocks {
                if let Some(peer) = &mut peer {
                    row.peer.push(peer.median_ns(shape, threads, options.runs)?);
                }
                let Some(running) = &mut command else { continue };
                match terrace_median_ns(running, threads) {
                    Ok(median) => row.terrace.push(median),
                    Err(message) => {
                        failures.push(message);
                        command = None;
                    }
                }
            }
            println!("{}", row.markdown());
            rows.push(row);
        }
    }
    std::fs::remove_file(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    for message in &failures {
        println!("\n{message}");
    }
    let Some(path) = &options.json else { return Ok(()) };
    let rows: Vec<Value> = rows.iter().map(Row::json).collect();
    let figures = json!({ "facts": facts.json(), "rows": rows, "failures": failures });
    let text = serde_json::to_string_pretty(&figures).map_err(|e| e.to_string())?;
    std::fs::write(path, text + "\n").map_err(|e| format!("{}: {e}", path.display()))
}

fn environment_folder(options: &Options) -> PathBuf {
    let beside = || Some(std::env::current_exe().ok()?.parent()?.parent()?.join("benches-venv"));
    options.venv.clone().or_else(beside).unwrap_or_else(|| std::env::temp_dir().join("terrace-benches-venv"))
}

fn filled(template: &str, [m, n, k]: Shape) -> String {
    let sizes = [("{M}", m), ("{N}", n), ("{K}", k)];
    sizes.iter().fold(template.to_owned(), |text, (name, size)| text.replace(name, &size.to_string()))
}

fn bench_command(tool: &Path, file: &Path, options: &Options) -> Command {
    let mut command = Command::new(tool);
    command.arg(file).arg(format!("--entry={}", options.entry));
    command.args(["--in=A=random:1", "--in=B=random:2", "--on=host"]);
    command.arg(format!("--bench={}", options.runs));
    command.args(options.pipeline.as_ref().map(|p| format!("--pipeline={p}")));
    command
}

fn terrace_median_ns(command: &mut Command, threads: usize) -> Result<f64, String> {
    let _limit = Affinity::limit(threads);
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("`{}`: {e}", shown(command)))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("`{}` failed: {}", shown(command), text.trim()));
    }
    median_in(&String::from_utf8_lossy(&output.stdout))
        .ok_or_else(|| format!("`{}` printed no `median_ns`", shown(command)))
}

fn median_in(text: &str) -> Option<f64> {
    text.lines().rev().find_map(|line| serde_json::from_str::<Value>(line).ok()?["median_ns"].as_f64())
}

const HEADER: &str = "\
| M×N×K | threads | terrace GFLOP/s (min–max) | OpenBLAS GFLOP/s (min–max) | terrace / OpenBLAS (min–max) |
|---|---:|---:|---:|---:|";

struct Row {
    shape: Shape,
    threads: usize,
    terrace: Vec<f64>,
    peer: Vec<f64>,
}

impl Row {
    fn gflops(&self, times: &[f64]) -> Summary {
        let flops = 2.0 * self.shape.iter().map(|&n| n as f64).product::<f64>();
        Summary::of(times.iter().map(|ns| flops / ns))
    }

    fn markdown(&self) -> String {
        let [m, n, k] = self.shape;
        let rate = |times: &[f64]| {
            if times.is_empty() {
                return "–".to_owned();
            }
            let all = self.gflops(times);
            format!("{:.1} ({:.1}–{:.1})", all.median, all.min, all.max)
        };
        let ratio = Summary::of_ratios(&self.peer, &self.terrace);
        let ratio = if self.peer.is_empty() || self.terrace.is_empty() {
            "–".to_owned()
        } else {
            format!("**{:.2}** ({:.2}–{:.2})", ratio.median, ratio.min, ratio.max)
        };
        let (terrace, peer) = (rate(&self.terrace), rate(&self.peer));
        format!("| {m}×{n}×{k} | {} | {terrace} | {peer} | {ratio} |", self.threads)
    }

    fn json(&self) -> Value {
        json!({
            "shape": self.shape, "threads": self.threads,
            "terrace_ns": self.terrace, "peer_ns": self.peer,
            "terrace_gflops": self.gflops(&self.terrace).json(), "peer_gflops": self.gflops(&self.peer).json(),
        })
    }
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
    fn shapes_have_three_sizes() {
        assert_eq!(shape_from_text("16x1000x2048"), Ok([16, 1000, 2048]));
        assert!(shape_from_text("16x1000").is_err());
        assert!(shape_from_text("16x0x3").is_err());
    }

    #[test]
    fn sizes_are_filled_in() {
        let text = filled(MATMUL, [2, 3, 5]);
        assert!(text.contains("%A: tensor<2x5xf32>") && text.contains("i in 2, j in 3, k in 5 pw add"));
        assert!(!text.contains("{M}"));
    }

    #[test]
    fn a_row_is_in_gflops() {
        let row = Row { shape: [10, 10, 10], threads: 1, terrace: vec![1000.0], peer: vec![500.0] };
        assert_eq!(row.markdown(), "| 10×10×10 | 1 | 2.0 (2.0–2.0) | 4.0 (4.0–4.0) | **0.50** (0.50–0.50) |");
    }
}
