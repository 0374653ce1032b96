//! The solver: any program that reads SMT-LIB from its standard input.

use easy_smt::{Context, ContextBuilder};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Programs that are looked for, in this order
const KNOWN: &[&str] = &["z3", "cvc5", "bitwuzla"];

/// A solver that runs, with a limit for each question
pub struct Solver {
    pub(crate) context: Context,
    /// What is started, to be named in reports
    pub name: String,
    /// Names that have been used for constants
    pub(crate) names: u64,
}

/// Why there is no solver
#[derive(Debug)]
pub enum NoSolver {
    /// None of the known programs lies in the path
    NotFound,
    /// The program does not start, or does not answer as a solver does
    Fails(PathBuf, std::io::Error),
}

impl fmt::Display for NoSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSolver::NotFound => write!(f, "no solver in the path: looked for {}", KNOWN.join(", ")),
            NoSolver::Fails(program, why) => write!(f, "the solver `{}` fails: {why}", program.display()),
        }
    }
}

impl std::error::Error for NoSolver {}

/// Arguments with which a program reads SMT-LIB from its input and spends at most so much time on a question
fn arguments(program: &Path, limit: Duration) -> Vec<String> {
    let name = program.file_stem().unwrap_or_default().to_string_lossy();
    let ms = limit.as_millis().max(1);
    let all: &[&str] = if name.starts_with("z3") {
        &["-smt2", "-in", "-v:0", &format!("-t:{ms}")]
    } else if name.starts_with("cvc5") {
        &["--quiet", "--lang=smt2", "--incremental", &format!("--tlimit-per={ms}")]
    } else if name.starts_with("bitwuzla") {
        &["--lang", "smt2", "--time-limit-per", &format!("{ms}")]
    } else {
        &[]
    };
    all.iter().map(|&word| word.to_owned()).collect()
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = |name: &&str| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file());
    KNOWN.iter().find_map(files)
}

impl Solver {
    /// Start this program, or the first known one in the path
    pub fn start(program: Option<&Path>, limit: Duration) -> Result<Solver, NoSolver> {
        let program = match program {
            Some(program) => program.to_owned(),
            None => find().ok_or(NoSolver::NotFound)?,
        };
        let fails = |why| NoSolver::Fails(program.clone(), why);
        let mut builder = ContextBuilder::new();
        builder.solver(OsString::from(&program)).solver_args(arguments(&program, limit));
        let mut context = builder.build().map_err(fails)?;
        let on = context.true_();
        context.set_option(":produce-models", on).map_err(fails)?;
        context.set_logic("QF_BV").map_err(fails)?;
        let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Solver { context, name, names: 0 })
    }
}
