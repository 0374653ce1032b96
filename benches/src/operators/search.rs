//! A search of a row's schedules, by the tool that users call.
//!
//! Sizes and cores of the chosen schedule are open, and the search begins with it. The tool confirms its best point in alternating rounds before
//! it writes the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::shown;
use crate::{Done, contest, opt};

/// The tool, and how long it searches
#[derive(Clone)]
pub struct Search {
    tool: PathBuf,
    seconds: u32,
}

impl Search {
    /// With a tool by name or path
    pub fn find(tool: &str, seconds: u32) -> Done<Self> {
        let tool = opt::find(tool).ok_or_else(|| format!("`{tool}` was not found"))?;
        Ok(Self { tool, seconds })
    }

    /// The program with the best schedule of the computation `compute`, as a file in `folder`
    pub fn best(
        &self,
        program: &contest::Program,
        compute: &str,
        folder: &Path,
        threads: usize,
    ) -> Done<PathBuf> {
        let best = folder.join("tuned.mlir");
        // What an earlier row left there is another program.
        let _ = std::fs::remove_file(&best);
        let mut command = Command::new(&self.tool);
        command.arg(&program.file).args(&program.arguments).arg(format!("--compute={compute}"));
        command.args(["--free=size,core", &format!("--budget={}s", self.seconds)]);
        command.arg(format!("--threads={threads}")).arg("-o").arg(&best);
        let output = command.stdin(Stdio::null()).output();
        let output = output.map_err(|e| format!("`{}`: {e}", shown(&command)))?;
        if output.status.success() && best.is_file() {
            return Ok(best);
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let why = text.lines().find(|line| line.contains("error")).unwrap_or("it wrote no program");
        Err(format!("not searched: {}", why.trim()).into())
    }
}
