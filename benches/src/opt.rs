//! The two `opt` tools as the harness sees them: where they are and how they are called.
//!
//! Either side may be either tool (`--terrace-style=mlir` runs upstream on both sides, which tests the harness:
//! its ratios must be about 1).

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;

use crate::machine;

/// Whose command line a tool has
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Style {
    /// `--pipeline=… --threads=N`
    Terrace,
    /// `--pass-pipeline=… --mlir-disable-threading`
    Mlir,
}

/// A tool that is there
pub struct Opt {
    /// Where
    pub path: PathBuf,
    style: Style,
}

/// One thing to do with a file
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The file
    pub input: &'a Path,
    /// Where the result goes
    pub output: &'a Path,
    /// A pipeline, or nothing for a round trip
    pub pipeline: Option<&'a str>,
    /// How many threads
    pub threads: usize,
}

impl Opt {
    /// The tool `name`: a path, a neighbour of this program, or on `PATH`
    pub fn find(name: &str, style: Style) -> Option<Self> {
        find(name).map(|path| Self { path, style })
    }

    /// Name and version
    pub fn version(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("{name}: {}", machine::version(&self.path))
    }

    /// The command that does `job`
    pub fn command(&self, job: Job) -> Command {
        let mut command = Command::new(&self.path);
        command.arg(job.input);
        match self.style {
            Style::Terrace => {
                command.args(job.pipeline.map(|p| format!("--pipeline={p}")));
                command.arg(format!("--threads={}", job.threads));
            }
            Style::Mlir => {
                command.args(job.pipeline.map(|p| format!("--pass-pipeline={p}")));
                // There is no number of threads to give; with more than one it takes what affinity allows.
                command.args((job.threads == 1).then_some("--mlir-disable-threading"));
            }
        }
        command.arg("-o").arg(job.output);
        command
    }
}

/// A program by its path, next to this one, or on `PATH`
pub fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|p| p.is_file());
    }
    let here = std::env::current_exe().ok()?;
    let beside = here.parent()?.join(name);
    if beside.is_file() {
        return Some(beside);
    }
    std::env::split_paths(&std::env::var_os("PATH")?).map(|d| d.join(name)).find(|p| p.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::shown;

    fn typed(style: Style, pipeline: Option<&str>, threads: usize) -> String {
        let opt = Opt { path: "opt".into(), style };
        let (input, output) = (Path::new("a"), Path::new("b"));
        shown(&opt.command(Job { input, output, pipeline, threads }))
    }

    #[test]
    fn each_style_has_its_flags() {
        assert_eq!(typed(Style::Terrace, Some("p(q)"), 4), "opt a --pipeline=p(q) --threads=4 -o b");
        assert_eq!(typed(Style::Mlir, Some("p"), 1), "opt a --pass-pipeline=p --mlir-disable-threading -o b");
        assert_eq!(typed(Style::Mlir, None, 4), "opt a -o b");
    }

    #[test]
    fn tools_are_found_on_the_path_or_not_at_all() {
        assert!(find("sh").is_some());
        assert!(find("no-such-program-here").is_none());
        assert!(find("/no/such/program").is_none());
    }
}
