//! `cargo xtask programs`: the programs of `test-files/demo` on every back end, compared and timed, as a table
//!
//! Each is run at its full size: every back end against the first, then ten times for its median. numpy computes what it has a
//! call for. The interpreter is too slow for these sizes; tests hold it against the same back ends on small ones.

use crate::components;
use crate::workspace::Workspace;
use crate::{Fallible, process, tools};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// numpy's way to say a program, on arrays of its shapes, with its operations per call
const NUMPY: &[(&str, &str)] = &[
    ("dot", "x, y = r(16777216), r(16777216); f = lambda: x @ y; n = 2 * x.size"),
    ("matmul", "x, y = r(16, 2048), r(2048, 1000); f = lambda: x @ y; n = 2 * 16 * 1000 * 2048"),
    ("matvec", "x, y = r(4096, 4096), r(4096); f = lambda: x @ y; n = 2 * x.size"),
];

const SCRIPT: &str = "
import time
import numpy as np
r = lambda *s: np.random.default_rng(1).random(s, dtype=np.float32)
{}
times = []
for _ in range(11):
    t = time.perf_counter(); f(); times.append(time.perf_counter() - t)
print(n / sorted(times)[5] / 1e9)
";

/// `cargo xtask programs [--threads=N]`
pub fn command(ws: &Workspace, threads: Option<u32>) -> Fallible {
    let tools = tools::build(ws, tools::TO_RUN, tools::Profile::Release)?;
    let backends: Vec<&str> = tools::backends(&tools).iter().map(|backend| backend.name).collect();
    let mut files: Vec<PathBuf> = fs::read_dir(ws.root.join("test-files/demo"))
        .map_err(|e| format!("test-files/demo: {e}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    say!("\n| Program | Agree | {} | numpy |", backends.join(" | "));
    say!("|---|---|{}---|", "---|".repeat(backends.len()));
    let mut wrong = Vec::new();
    for file in files {
        let name = file.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        if !text.contains("terrace.name") {
            continue;
        }
        let run = |more: &[String]| {
            let mut run = Command::new(tools::program(&tools, "terrace-run"));
            run.arg(&file).args(inputs(&text)).args(more);
            run.args(threads.map(|n| format!("--threads={n}")));
            process::text(&mut run)
        };
        let agree = run(&[format!("--compare={}", backends.join(","))]);
        if let Err(why) = &agree {
            wrong.push(format!("{name}: {why}"));
        }
        let mut cells = vec![if agree.is_ok() { "yes".to_owned() } else { "NO".to_owned() }];
        for backend in &backends {
            let line = run(&[format!("--on={backend}"), "--bench=10".to_owned()]);
            let times = line.ok().and_then(|line| serde_json::from_str::<Value>(&line).ok());
            cells.push(times.map_or("–".to_owned(), |times| cell(&times)));
        }
        cells.push(numpy(&name, threads).map_or("–".to_owned(), |gflops| format!("{gflops:.1}")));
        say!("| `{name}` | {} |", cells.join(" | "));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// Arguments by name: all that are named but the result, which stands last
fn inputs(text: &str) -> Vec<String> {
    let names = text.split("terrace.name = \"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut names: Vec<&str> = names.collect();
    names.pop();
    names.iter().enumerate().map(|(n, name)| format!("--in={name}=random:{}", n + 1)).collect()
}

fn cell(times: &Value) -> String {
    match times["gflops"].as_f64() {
        Some(gflops) => format!("{gflops:.1}"),
        None => format!("{:.2} ms", times["median_ns"].as_f64().unwrap_or(0.0) / 1e6),
    }
}

fn numpy(name: &str, threads: Option<u32>) -> Option<f64> {
    let (_, setup) = NUMPY.iter().find(|(program, _)| *program == name)?;
    let mut python = Command::new(components::python_with_numpy()?);
    python.arg("-c").arg(SCRIPT.replace("{}", setup)).env_remove("OPENBLAS_CORETYPE");
    if let Some(threads) = threads {
        python.env("OPENBLAS_NUM_THREADS", threads.to_string());
    }
    process::text(&mut python).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_no_input() {
        let text = r#"f(%A: t {terrace.name = "A"}, %B: t {terrace.name = "B"}) -> (t {terrace.name = "C"})"#;
        assert_eq!(inputs(text), ["--in=A=random:1", "--in=B=random:2"]);
    }
}
