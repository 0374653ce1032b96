//! `--new-dialect NAME`: a crate with a dialect of its own, written from files that are built in.
//!
//! The files are those of `examples/template`, a member of the workspace, whose tests run with the others. Only the name and the
//! places of Terrace's crates are replaced.

use crate::{Tool, codes};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use terrace_diag::Diagnostic;

/// Flags about a new dialect
#[derive(clap::Args, Clone, Default, Debug)]
pub struct NewDialect {
    /// Write a crate with a new dialect: two ops, a rule, a pass, a tool, tests
    #[arg(long = "new-dialect", value_name = "NAME")]
    name: Option<String>,
    /// Folder for it [default: its name]
    #[arg(long = "in", value_name = "FOLDER", requires = "name")]
    folder: Option<PathBuf>,
    /// Checkout of Terrace that it depends on [default: the one that this is run in or was built in, else a published version]
    #[arg(long = "terrace", value_name = "PATH", requires = "name")]
    terrace: Option<PathBuf>,
}

/// The crate's files, by their paths in it
pub(crate) const FILES: &[(&str, &str)] = &[
    (".gitignore", include_str!("../template/gitignore")),
    ("Cargo.toml", include_str!("../template/manifest.toml")),
    ("README.md", include_str!("../template/README.md")),
    ("src/lib.rs", include_str!("../template/src/lib.rs")),
    ("src/main.rs", include_str!("../template/src/main.rs")),
    ("test-files/invalid.mlir", include_str!("../template/test-files/invalid.mlir")),
    ("test-files/ops.mlir", include_str!("../template/test-files/ops.mlir")),
    ("test-files/rules.mlir", include_str!("../template/test-files/rules.mlir")),
    (
        "test-files/snapshots/to-arith@mlir.snap",
        include_str!("../template/test-files/snapshots/to-arith@mlir.snap"),
    ),
    ("test-files/to-arith.mlir", include_str!("../template/test-files/to-arith.mlir")),
    ("tests/files.rs", include_str!("../template/tests/files.rs")),
];

/// Names that a crate cannot have: words of Rust, crates that are always there, folders of cargo
const TAKEN: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "do",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "files",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "incremental",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// Write the crate, if that is requested; gives what there is to say
pub(crate) fn write(tool: Tool, flags: &NewDialect) -> Result<Option<String>, Diagnostic> {
    let Some(name) = &flags.name else { return Ok(None) };
    check_name(tool, name)?;
    let terrace = match &flags.terrace {
        Some(path) => Some(checkout(path)?),
        None => nearest_checkout(),
    };
    let folder = flags.folder.clone().unwrap_or_else(|| name.into());
    check_folder(&folder)?;
    let files = files(name, terrace.as_deref())?;
    whole(&folder, &files).map_err(|why| refuse(format!("cannot write `{}`: {why}", folder.display())))?;
    let shown = folder.display();
    Ok(Some(format!("wrote `{shown}`, a crate with the dialect `{name}`\n\n  cd {shown} && cargo test\n")))
}

fn refuse(message: String) -> Diagnostic {
    Diagnostic::error(&codes::NEW_DIALECT, message)
}

/// Is it the name of a dialect, of a crate, and of nothing that is there already?
fn check_name(tool: Tool, name: &str) -> Result<(), Diagnostic> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(letters);
    if !plain || name.len() > 64 {
        let error = refuse(format!("`{name}` is no name for a dialect"));
        return Err(error.help(
            "it is a small letter, then small letters, digits and `_`: `money`, `my_dialect`; at most 64",
        ));
    }
    if TAKEN.contains(&name) || name.starts_with("terrace") {
        let error = refuse(format!("a crate cannot be called `{name}`: Rust, cargo or Terrace has the name"));
        return Err(error.help(format!("`my_{name}` would do")));
    }
    match (tool.dialects)().iter().find(|dialect| dialect.name == name) {
        Some(_) => Err(refuse(format!("there is a dialect `{name}`: `{}` knows it", tool.name))
            .help("`--list-dialects` shows all names that are taken")),
        None => Ok(()),
    }
}

/// May the crate be put here: into a folder that is not there, or has nothing in it?
fn check_folder(folder: &Path) -> Result<(), Diagnostic> {
    let shown = folder.display();
    let other = "`--in=FOLDER` names one that is not there yet, or is empty";
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            Some(_) => Err(refuse(format!("the folder `{shown}` is not empty")).help(other)),
            None => Ok(()),
        },
        Err(why) if why.kind() != io::ErrorKind::NotFound => {
            Err(refuse(format!("`{shown}` cannot be a folder: {why}")).help(other))
        }
        Err(_) => {
            let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
            match above.filter(|above| !above.is_dir()) {
                Some(above) => Err(refuse(format!("the folder `{}` is not there", above.display()))
                    .help("make it first, or name another with `--in=FOLDER`")),
                None => Ok(()),
            }
        }
    }
}

/// Does this folder have Terrace's sources?
fn is_checkout(folder: &Path) -> bool {
    folder.join("tools/terrace/Cargo.toml").is_file()
}

fn checkout(path: &Path) -> Result<PathBuf, Diagnostic> {
    if is_checkout(path) {
        return path.canonicalize().map_err(|why| refuse(format!("cannot find `{}`: {why}", path.display())));
    }
    let error = refuse(format!("`{}` is no checkout of Terrace", path.display()));
    Err(error.help("it has `tools/terrace/Cargo.toml`; without `--terrace` a published version is used"))
}

/// The checkout around the current folder, else the one around this program
fn nearest_checkout() -> Option<PathBuf> {
    let places = [std::env::current_dir().ok(), std::env::current_exe().ok()];
    let mut around = places.iter().flatten().flat_map(|place| place.ancestors());
    around.find(|folder| is_checkout(folder))?.canonicalize().ok()
}

/// The files for a name, with Terrace's crates from a checkout, or as they are published
pub(crate) fn files(name: &str, terrace: Option<&Path>) -> Result<Vec<(&'static str, String)>, Diagnostic> {
    let root = match terrace {
        Some(path) => Some(path.to_str().ok_or_else(|| {
            refuse(format!("a manifest cannot name `{}`: it is not UTF-8", path.display()))
        })?),
        None => None,
    };
    let made = FILES.iter().map(|(path, text)| {
        let text = if *path == "Cargo.toml" { depend(text, root) } else { (*text).to_string() };
        // Names of programs and passes have hyphens where those of crates have underscores.
        (*path, text.replace("template-", &format!("{}-", name.replace('_', "-"))).replace("template", name))
    });
    Ok(made.collect())
}

/// The manifest with dependencies from elsewhere: each has a path and a version
fn depend(manifest: &str, root: Option<&str>) -> String {
    let line = |line: &str| {
        let Some((before, rest)) = line.split_once("path = \"../../") else { return format!("{line}\n") };
        let (folder, after) = rest.split_once('"').unwrap_or((rest, ""));
        match root {
            Some(root) => format!("{before}path = {:?}{after}\n", format!("{root}/{folder}")),
            None => format!("{before}{}\n", after.trim_start_matches(", ")),
        }
    };
    manifest.lines().map(line).collect()
}

/// Write all files, or none: they become the folder when they are all there
fn whole(folder: &Path, files: &[(&str, String)]) -> io::Result<()> {
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
    let partial = folder.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = files.iter().try_for_each(|(path, text)| {
        let path = partial.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&partial))?;
        fs::write(path, text)
    });
    let written = written.and_then(|()| fs::rename(&partial, folder));
    if written.is_err() {
        let _ = fs::remove_dir_all(&partial);
    }
    written
}
