//! numpy's opinion on results, and its speed

use crate::{Fallible, process};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What numpy said
pub struct Said {
    /// One line per file
    pub lines: Vec<String>,
    /// Threads in words, GFLOP/s
    pub gflops: Vec<(String, f64)>,
}

/// Compares by the same bound as `terrace-run`: (n+2)·eps·Σ|terms|
const SCRIPT: &str = "
import json, sys, time
import numpy as np
a, b = np.load(sys.argv[1]), np.load(sys.argv[2])
exact = a.astype(np.float64) @ b.astype(np.float64)
bound = (a.shape[1] + 2) * np.finfo(np.float32).eps * (np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64))
files = []
for name in sys.argv[3:]:
    c = np.load(name)
    good = c.shape == exact.shape and c.dtype == np.float32 and bool((np.abs(c - exact) <= bound).all())
    files.append([name, good, float(np.abs(c - exact).max()) if c.shape == exact.shape else None])
c = a @ b
times = []
for _ in range(15):
    start = time.perf_counter()
    np.matmul(a, b, out=c)
    times.append(time.perf_counter() - start)
flops = 2 * a.shape[0] * a.shape[1] * b.shape[1]
print(json.dumps({'files': files, 'gflops': flops / sorted(times)[len(times) // 2] / 1e9}))
";

/// Check the files against the product of the two arrays, and time numpy's own product
pub fn compare(python: &Path, a: &Path, b: &Path, files: &[PathBuf]) -> Fallible<Said> {
    let mut said = Said { lines: Vec::new(), gflops: Vec::new() };
    for (threads, limit) in [("1 thread", Some("1")), ("its own choice of threads", None)] {
        let mut command = Command::new(python);
        command.args(["-c", SCRIPT]).arg(a).arg(b).args(files).env_remove("OPENBLAS_CORETYPE");
        if let Some(limit) = limit {
            command.env("OPENBLAS_NUM_THREADS", limit).env("OMP_NUM_THREADS", limit);
        }
        let text = process::text(&mut command)?;
        let answer: Value = serde_json::from_str(&text).map_err(|e| format!("numpy: {e}: {text}"))?;
        said.gflops.push((threads.into(), answer["gflops"].as_f64().unwrap_or(0.0)));
        if limit.is_none() {
            continue;
        }
        for file in answer["files"].as_array().into_iter().flatten() {
            let name = Path::new(file[0].as_str().unwrap_or_default());
            let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let off = file[2].as_f64().unwrap_or(f64::NAN);
            if file[1] != Value::Bool(true) {
                return Err(format!("numpy disagrees with {name}: off by {off:e}"));
            }
            said.lines.push(format!("numpy agrees with {name}: off by at most {off:.1e}"));
        }
    }
    Ok(said)
}
