//! A search of a row's schedules, by the tools that users call.
//!
//! What is searched is the program after `mdh-inline`, where borders are part of what reads them, as in the program that is chosen without measuring.
//! Sizes and cores of the chosen schedule are open, and the search begins with it. The tool confirms its best point in alternating rounds before
//! it writes the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::shown;
use crate::{Done, contest, opt};

/// Passes in front of the choice of a schedule
const BEFORE: &str = "func.func(mdh-phases,mdh-inline)";

/// The tools, and how long one searches
#[derive(Clone)]
pub struct Search {
    opt: PathBuf,
    tune: PathBuf,
    seconds: u32,
}

impl Search {
    /// With a tool by name or path
    pub fn find(tune: &str, opt: &str, seconds: u32) -> Done<Self> {
        let find = |tool: &str| opt::find(tool).ok_or_else(|| format!("`{tool}` was not found"));
        Ok(Self { opt: find(opt)?, tune: find(tune)?, seconds })
    }

    /// The program with the best schedule of the computation `compute`, or of the only one, as a file in `folder`
    pub fn best(
        &self,
        program: &contest::Program,
        compute: &str,
        folder: &Path,
        threads: usize,
    ) -> Done<PathBuf> {
        let [plain, best] = ["plain.mlir", "tuned.mlir"].map(|name| folder.join(name));
        let mut command = Command::new(&self.opt);
        command.arg(&program.file).args(&program.arguments).arg(format!("--pipeline={BEFORE}"));
        made(&mut command, &plain)?;
        let mut command = Command::new(&self.tune);
        command.arg(&plain).args(["--free=size,core", &format!("--budget={}s", self.seconds)]);
        command.arg(format!("--threads={threads}"));
        let text = std::fs::read_to_string(&plain).map_err(|e| format!("{}: {e}", plain.display()))?;
        if text.contains(&format!("mdh.compute \"{compute}\"")) {
            command.arg(format!("--compute={compute}"));
        }
        made(&mut command, &best)?;
        Ok(best)
    }
}

/// Run what makes a file; what an earlier row left there is another program
fn made(command: &mut Command, file: &Path) -> Done {
    let _ = std::fs::remove_file(file);
    let output = command.arg("-o").arg(file).stdin(Stdio::null()).output();
    let output = output.map_err(|e| format!("`{}`: {e}", shown(command)))?;
    if output.status.success() && file.is_file() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let why = text.lines().find(|line| line.contains("error")).unwrap_or("it wrote no program");
    Err(format!("not searched: {}", why.trim()).into())
}
