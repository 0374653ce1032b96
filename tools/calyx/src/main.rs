//! The worker that holds Calyx's compiler: `terrace-calyx FOLDER` reads `FOLDER/main.futil` and writes `FOLDER/main.sv`.
//!
//! Calyx's library goes into the folder, too, since its parser reads files. What Calyx refuses is on standard error. It is a program of its own, because
//! Calyx's compiler panics on some input.

use calyx_backend::{Backend, VerilogBackend};
use calyx_frontend::Workspace;
use calyx_opt::pass_manager::PassManager;
use calyx_utils::{CalyxResult, OutputFile};
use std::io::{Error, Write};
use std::path::Path;
use std::process::ExitCode;

/// The library's modules, then all modules
const LIBRARY: &str = "library.sv";
const MAIN: &str = "main.sv";

/// Passes that would let registers and adders serve several uses; the pipelines of nests use each in every cycle
const WITHOUT: [&str; 2] = ["cell-share", "infer-share"];

fn main() -> ExitCode {
    let first = std::env::args().nth(1);
    let folder = match first.as_deref() {
        Some(folder) if !folder.starts_with('-') => folder.to_owned(),
        other => {
            let _ = writeln!(std::io::stdout(), "{}", about(other));
            return ExitCode::SUCCESS;
        }
    };
    let folder = Path::new(&folder);
    if let Err(error) = library(folder) {
        eprintln!("terrace-calyx: {}: {error}", folder.display());
        return ExitCode::FAILURE;
    }
    if let Err(error) = compile(folder) {
        eprintln!("{error:?}");
        return ExitCode::FAILURE;
    }
    match join(folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("terrace-calyx: {}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

/// What it says to a user who starts it
fn about(first: Option<&str>) -> String {
    let version = concat!("terrace-calyx ", env!("CARGO_PKG_VERSION"));
    if let Some("--version" | "-V") = first {
        return version.into();
    }
    format!(
        "{version}: the worker that holds Calyx's compiler\n\nUsage: terrace-calyx FOLDER\n\nIt reads FOLDER/main.futil and writes FOLDER/main.sv; \
         Calyx's library goes into the folder, too.\nThe other tools start it; they look for it in their own folder, or where the environment says \
         (TERRACE_CALYX).\nOther arguments are --help and --version.\n\nExit codes: 0 when the file is written; 1 when Calyx refuses its input, \
         or a file cannot be written."
    )
}

/// Write Calyx's library as files
fn library(folder: &Path) -> Result<(), Error> {
    let primitives = folder.join("primitives");
    std::fs::create_dir_all(primitives.join("memories"))?;
    let files =
        calyx_stdlib::KNOWN_LIBS.iter().flat_map(|(_, files)| files).chain([&calyx_stdlib::COMPILE_LIB]);
    files.into_iter().try_for_each(|(name, text)| std::fs::write(primitives.join(name), text))
}

fn compile(folder: &Path) -> CalyxResult<()> {
    let workspace = Workspace::construct(&Some(folder.join("main.futil")), folder)?;
    let mut program = calyx_ir::from_ast::ast_to_ir(workspace)?;
    let without = WITHOUT.map(String::from);
    PassManager::default_passes()?.execute_plan(&mut program, &["all".into()], &without, false)?;
    // Each writing begins a file anew, so that the library's modules have one of their own first.
    VerilogBackend::validate(&program)?;
    VerilogBackend::link_externs(&program, &mut OutputFile::File(folder.join(LIBRARY)))?;
    VerilogBackend::emit(&program, &mut OutputFile::File(folder.join(MAIN)))
}

/// One file of the library's modules and the program's
fn join(folder: &Path) -> Result<(), Error> {
    let text = std::fs::read_to_string(folder.join(LIBRARY))? + &std::fs::read_to_string(folder.join(MAIN))?;
    std::fs::write(folder.join(MAIN), text)?;
    std::fs::remove_file(folder.join(LIBRARY))
}
