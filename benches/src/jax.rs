//! `terrace-benches jax`: whole programs of JAX at sizes of real use, against `jax.jit`, torch and TorchInductor.
//!
//! The programs are those of `test-files/frontends/jax`. Its `generate.py --large` writes their text, arguments and results into a
//! folder, once. Terrace gets the text after IREE's input conversion; `jax.jit` gets the function, torch and TorchInductor the same
//! function of `in_torch.py` where it has one. The reference is what JAX has computed.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::contest::{self, Limit, Subject, Timed, peers};
use crate::shapes::table;
use crate::{Done, process};

/// The module that the conversion is a program of, and its package
const CONVERSION: (&str, &[&str]) = ("iree", &["iree-base-compiler==3.13.0"]);

/// The table's class
const CLASS: &str = "jax";

/// Options of `jax`
#[derive(clap::Args)]
pub struct Options {
    /// Programs by a part of their names; all if absent
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// List the programs, run none
    #[arg(long)]
    list: bool,
    /// Folder of the programs, of `generate.py` and of `in_torch.py`
    #[arg(long, default_value = "test-files/frontends/jax")]
    folder: PathBuf,
    /// Where programs of real sizes are written; next to the Python environment if absent
    #[arg(long)]
    large: Option<PathBuf>,
    #[command(flatten)]
    contest: contest::Options,
}

/// One program with its arrays
struct Whole {
    name: String,
    /// The functions of all programs
    functions: PathBuf,
    /// The text and its arrays
    folder: PathBuf,
}

impl Whole {
    fn text(&self) -> PathBuf {
        self.folder.join(format!("{}.mlir", self.name))
    }

    /// Number of results, by the files of their values
    fn results(&self) -> usize {
        (0..).take_while(|n| self.folder.join(format!("{}.out{n}.npy", self.name)).is_file()).count()
    }
}

impl Subject for Whole {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn request(&self) -> Value {
        let in_torch = self.functions.with_file_name("in_torch.py");
        json!({ "whole": {
            "functions": self.functions, "in_torch": in_torch, "name": self.name, "folder": self.folder,
        } })
    }

    fn program(&self, _: &Path) -> Done<contest::Program> {
        let outputs = (0..self.results()).map(|n| n.to_string()).collect();
        Ok(contest::Program { file: self.text(), arguments: vec![], outputs })
    }

    fn limit(&self) -> Option<Limit> {
        None
    }

    fn line(&self, timed: &Timed) -> String {
        table::line((CLASS, &self.name), timed)
    }

    fn json(&self, timed: &Timed) -> Value {
        table::json((CLASS, &self.name), timed)
    }
}

/// Names of the programs that a folder has
fn names(folder: &Path) -> Done<Vec<String>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let name = |path: PathBuf| {
        let stem = path.file_stem()?.to_str().map(String::from);
        stem.filter(|_| path.extension().is_some_and(|end| end == "mlir"))
    };
    let mut all: Vec<String> = entries.filter_map(|entry| name(entry.ok()?.path())).collect();
    all.sort();
    Ok(all)
}

/// Writes the programs that `folder` lacks, with the Python that has JAX and the conversion
fn write(programs: &[Whole], python: &Path) -> Done {
    let missing: Vec<&Whole> = programs.iter().filter(|program| !program.text().is_file()).collect();
    let Some(first) = missing.first() else { return Ok(()) };
    eprintln!("writing {} programs to {}", missing.len(), first.folder.display());
    let mut command = Command::new(python);
    command.arg(&first.functions).args(["--large", "--to"]).arg(&first.folder);
    command.args(missing.iter().map(|program| &program.name));
    let output = command.output().map_err(|e| format!("`{}`: {e}", process::shown(&command)))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("`{}` failed: {}", process::shown(&command), said.trim()).into())
}

/// Measures and prints
pub fn run(options: &Options) -> Done {
    let environment = contest::environment_folder(options.contest.venv());
    let folder = options.large.clone().unwrap_or_else(|| environment.with_file_name("benches-jax"));
    let wanted =
        |name: &String| options.only.is_empty() || options.only.iter().any(|word| name.contains(word));
    let functions = options.folder.join("generate.py");
    let programs: Vec<Whole> = names(&options.folder)?
        .into_iter()
        .filter(wanted)
        .map(|name| Whole { name, functions: functions.clone(), folder: folder.clone() })
        .collect();
    if programs.is_empty() {
        return Err(format!("no program is named by `{}`; --list shows them", options.only.join(",")).into());
    }
    if options.list {
        programs.iter().for_each(|program| say!("{}", program.name));
        return Ok(());
    }
    let python = peers::environment(&environment, &["numpy", "jax"], &[CONVERSION])?;
    write(&programs, &python)?;
    let outcome = contest::run(&options.contest, &programs, table::header)?;
    let named: Vec<(&str, &str)> = programs.iter().map(|program| (CLASS, program.name.as_str())).collect();
    say!("\n{}", table::summary(&named, &outcome.rows));
    outcome.finish(&options.contest, &programs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_a_function() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test-files/frontends/jax");
        let functions = std::fs::read_to_string(folder.join("generate.py")).expect("the file is there");
        let names = names(&folder).expect("the folder is there");
        assert!(names.len() >= 30, "{names:?}");
        let lacking: Vec<&String> =
            names.iter().filter(|name| !functions.contains(&format!("\ndef {name}("))).collect();
        assert!(lacking.is_empty(), "{lacking:?}");
    }

    #[test]
    fn functions_of_torch_are_of_programs() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test-files/frontends/jax");
        let functions = std::fs::read_to_string(folder.join("in_torch.py")).expect("the file is there");
        let names = names(&folder).expect("the folder is there");
        let of_torch = functions.split("\n@program\ndef ").skip(1).filter_map(|text| text.split('(').next());
        let of_torch: Vec<&str> = of_torch.collect();
        assert!(of_torch.len() >= 30, "{of_torch:?}");
        let unknown: Vec<&&str> =
            of_torch.iter().filter(|name| !names.iter().any(|known| known == **name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
