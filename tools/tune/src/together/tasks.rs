//! The computations of a command line, each with files of its own.

use crate::args::Args;
use std::path::Path;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Context;
use terrace_view::program::{Program, fail};

/// The word for each computation of a file
const ALL: &str = "all";

/// A computation to search
pub(crate) struct Task {
    /// Its name: that of the file, and of the computation in it
    pub name: String,
    pub file: String,
    /// How often it counts
    pub weight: f64,
    /// Those of the command line, with files of its own
    pub args: Args,
}

impl Task {
    /// For a message
    pub(super) fn words(&self) -> String {
        format!("this is about `{}`, of {}", self.name, self.file)
    }
}

/// What the command line asks for, if it is more than one computation
pub(crate) fn tasks(args: &Args, cx: &Arc<Context>) -> Result<Vec<Task>, Diagnostic> {
    for (n, file) in args.files.iter().enumerate() {
        if args.files[..n].iter().any(|other| other == file || terrace_opt::same_place(other, file)) {
            let error = fail(format!("`{file}` is named twice"));
            return Err(error.help("--weight=NAME=2 lets a computation count as two"));
        }
    }
    let mut found: Vec<(String, Option<String>)> = Vec::new();
    for file in &args.files {
        match computations(args, file, cx)? {
            Some(names) => found.extend(names.into_iter().map(|name| (file.clone(), Some(name)))),
            None => found.push((file.clone(), None)),
        }
    }
    if found.len() == 1
        && args.files.len() == 1
        && args.weight.is_empty()
        && args.compute.first().is_none_or(|name| name != ALL)
    {
        return Ok(Vec::new());
    }
    let mut all: Vec<Task> = Vec::new();
    for (file, compute) in found {
        let stem = match Path::new(&file).file_stem().and_then(|stem| stem.to_str()) {
            Some(stem) if file != "-" => stem.to_owned(),
            _ => "stdin".to_owned(),
        };
        let name = compute.as_ref().map_or(stem.clone(), |compute| format!("{stem}.{}", plain(compute)));
        let same = |number: usize| if number < 2 { name.clone() } else { format!("{name}-{number}") };
        let is_new = |name: &String| all.iter().all(|task: &Task| task.name != *name);
        let name = (1..).map(same).find(is_new).unwrap_or(name);
        let args = Args { compute: compute.into_iter().collect(), weight: Vec::new(), ..args.clone() };
        all.push(Task { name, file, weight: 1.0, args });
    }
    weigh(args, &mut all)?;
    places(args, &mut all)?;
    Ok(all)
}

/// The computations of a file that are requested by name; nothing where the file has one
fn computations(args: &Args, file: &str, cx: &Arc<Context>) -> Result<Option<Vec<String>>, Diagnostic> {
    match args.compute.as_slice() {
        [] => Ok(None),
        [all] if all == ALL => {
            // What cannot be read is reported by whoever opens it.
            let program = Program::load(cx, file, None, &args.set, &mut Diags::default())?;
            Ok(program.map(|program| program.computations()).filter(|names| !names.is_empty()))
        }
        names => Ok(Some(names.to_vec())),
    }
}

/// Weights of the command line
fn weigh(args: &Args, all: &mut [Task]) -> Result<(), Diagnostic> {
    for (name, weight) in &args.weight {
        let known: Vec<String> = all.iter().map(|task| format!("`{}`", task.name)).collect();
        let Some(task) = all.iter_mut().find(|task| task.name == *name) else {
            return Err(fail(format!("no computation is called `{name}`; there are {}", known.join(", "))));
        };
        task.weight = *weight;
    }
    Ok(())
}

/// Logs, starts, results and programs are files in folders
fn places(args: &Args, all: &mut [Task]) -> Result<(), Diagnostic> {
    if args.flops.is_some() {
        return Err(fail("--flops is about one computation, and there are several"));
    }
    for folder in [&args.log, &args.output].into_iter().flatten() {
        std::fs::create_dir_all(folder).map_err(|error| {
            Diagnostic::error(&terrace_opt::codes::WRITE, format!("cannot write into `{folder}`: {error}"))
                .help("with several computations it is a folder, with a file for each")
        })?;
    }
    let file = |folder: &Option<String>, name: &str, ending: &str| {
        let path = Path::new(folder.as_ref()?).join(format!("{name}.{ending}"));
        Some(path.to_string_lossy().into_owned())
    };
    for task in all {
        let name = &task.name;
        task.args.log = file(&args.log, name, "jsonl");
        task.args.replay = file(&args.replay, name, "jsonl");
        // One that was not searched before begins like any other.
        task.args.starts = file(&args.starts, name, "jsonl").filter(|file| Path::new(file).exists());
        task.args.output = file(&args.output, name, "mlir");
        if let Some(output) = &task.args.output {
            if let Some(own) = args.files.iter().find(|file| terrace_opt::same_place(file, output)) {
                let error = format!("`{own}` is searched, `-o` would overwrite it");
                return Err(Diagnostic::error(&terrace_opt::codes::WRITE, error).help("name another folder"));
            }
            terrace_opt::check_output(output)?;
        }
        task.args.check_places()?;
    }
    Ok(())
}

/// As a part of a file's name
fn plain(name: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    name.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_have_no_folders_in_them() {
        assert_eq!(["conv_1", "../../etc/a b", "größe"].map(plain), ["conv_1", ".._.._etc_a_b", "größe"]);
    }
}
