//! The inputs of a replay: files of the repository, and files that `terrace-benches corpus` generates

use crate::workspace::Workspace;
use crate::{Fallible, process, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where programs come from
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Programs of `test-files/`, the papers' listings among them, in every input language
    Programs,
    /// The rows of `bench cpu`
    Bench,
    /// Random computations at the level of `mdh`
    Computations,
    /// The same with random schedules, legal or not
    Schedules,
    /// Random structured functions
    Structured,
    /// Random nests of loops
    Nests,
}

/// A program: the folder that the tools run in, and its path from there
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program {
    /// Folder that the tools run in
    pub folder: PathBuf,
    /// Path from that folder, with `/`: what messages name
    pub path: String,
}

impl Source {
    /// Its programs, in order of their paths
    pub fn programs(self, root: &Path, corpus: &Path) -> Fallible<Vec<Program>> {
        let (base, folder) = match self {
            Source::Programs => {
                let mut all = below(root, "test-files/demo")?;
                all.extend(below(root, "test-files/programs")?);
                return Ok(all);
            }
            Source::Bench => (corpus, "bench"),
            Source::Computations => (corpus, "computations"),
            Source::Schedules => (corpus, "schedules"),
            Source::Structured => (corpus, "structured"),
            Source::Nests => (corpus, "nests"),
        };
        below(base, folder)
    }
}

/// All files of a folder and the folders in it, in order of their paths
pub fn below(base: &Path, folder: &str) -> Fallible<Vec<Program>> {
    let mut found = Vec::new();
    let mut folders = vec![base.join(folder)];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).map_err(|e| format!("{}: {e}", at.display()))? {
            let path = entry.map_err(|e| format!("{}: {e}", at.display()))?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(base).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            found.push(Program { folder: base.to_path_buf(), path: name });
        }
    }
    found.sort();
    Ok(found)
}

/// Write the generated programs; `terrace-benches` is the one next to the tools, or built
pub fn generate(ws: &Workspace, tools: &Path) -> Fallible<PathBuf> {
    let mut program = tools::program(tools, "terrace-benches");
    if !program.is_file() {
        process::run(process::cargo(&ws.root).args(["build", "--package", "terrace-benches"]))?;
        program = tools::program(&ws.target.join("debug"), "terrace-benches");
    }
    let folder = ws.state().join("replay-corpus");
    process::text(Command::new(program).arg("corpus").arg(&folder))?;
    Ok(folder)
}
