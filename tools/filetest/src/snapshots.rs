//! Whole dumps as snapshots of `insta`, and which of them belong to a test.
//!
//! The snapshot LABEL of `dir/file.mlir` is `dir/snapshots/file@LABEL.snap`. A dump that differs is written next to it as
//! `.snap.new`, unless `INSTA_UPDATE=no` or `CI` is set; `cargo insta review` shows it, `cargo insta accept` takes it.
//!
//! **Invariant:** nothing here writes a snapshot; only `insta` does. Snapshots without a test, and unreviewed dumps,
//! are errors: `cargo insta --unreferenced=reject` sees only folders of packages.

use crate::directives;
use crate::failure::{Failure, Kind};
use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use terrace_support::read;

/// Compare a dump with the snapshot of a file that has this label
pub(crate) fn compare(file: &Path, line: usize, label: &str, dump: &str) -> Result<(), Failure> {
    let file = file.canonicalize().map_err(|error| Kind::File.because(format!("cannot read: {error}")))?;
    let mut settings = insta::Settings::new();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_input_file(&file);
    // What `insta::assert_snapshot!` expands to, with the test file in the place of the source.
    let compared = || {
        insta::_macro_support::assert_snapshot(
            (name(&file, label), dump).into(),
            workspace(&file),
            "",
            "",
            &file.to_string_lossy(),
            line as u32,
            "",
        )
    };
    match catch_unwind(AssertUnwindSafe(|| settings.bind(compared))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(Kind::Snapshot.because(format!("snapshot `{label}`: {error}")).at(line)),
        Err(panic) => Err(Kind::Snapshot.because(message(&*panic)).at(line)),
    }
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("the snapshot could not be compared")
}

/// Name of a snapshot, without `.snap`
fn name(file: &Path, label: &str) -> String {
    let own = file.file_name().unwrap_or_default().to_string_lossy();
    format!("{}@{label}", own.strip_suffix(".mlir").unwrap_or(&own))
}

/// The folder to which paths in snapshots are relative: the nearest workspace or, without one, package or folder
fn workspace(file: &Path) -> &Path {
    let manifest = |folder: &&Path| folder.join("Cargo.toml").is_file();
    let whole = |folder: &&Path| {
        read::text(folder.join("Cargo.toml"))
            .is_ok_and(|text| text.lines().any(|line| line.trim() == "[workspace]"))
    };
    let folders = || file.ancestors().skip(1);
    folders().find(whole).or_else(|| folders().find(manifest)).or_else(|| folders().next()).unwrap_or(file)
}

/// The folder of the package that has a file
fn package(file: &Path) -> &Path {
    let manifest = |folder: &&Path| folder.join("Cargo.toml").is_file();
    file.ancestors().skip(1).find(manifest).unwrap_or(file)
}

/// All files below a folder but those in `target` and in folders with a dot
fn files(folder: &Path) -> Result<BTreeSet<PathBuf>, Failure> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        let failed = |error| Kind::File.because(format!("cannot read `{}`: {error}", at.display()));
        for entry in std::fs::read_dir(&at).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let own = entry.file_name().to_string_lossy().into_owned();
            let is_folder = entry.file_type().map_err(failed)?.is_dir();
            if is_folder && own != "target" && !own.starts_with('.') {
                folders.push(entry.path());
            } else if !is_folder {
                found.insert(entry.path());
            }
        }
    }
    Ok(found)
}

fn ends(path: &Path, end: &str) -> bool {
    path.to_string_lossy().ends_with(end)
}

/// Is there a snapshot below a folder, reviewed or not?
pub(crate) fn any(folder: &Path) -> bool {
    files(folder).is_ok_and(|files| files.iter().any(|file| ends(file, ".snap") || pending(file)))
}

/// Written by a test and not reviewed
fn pending(file: &Path) -> bool {
    ends(file, ".snap.new") || ends(file, ".pending-snap")
}

/// Check the snapshots below a folder of a crate or of a workspace: each belongs to a test, and each was reviewed
///
/// A snapshot of a test file is named by one of its `snapshot:` lines. One of a Rust test is in `snapshots/` next to its
/// source, which names it or has the function that it is called after.
pub fn check(folder: &Path) -> Result<(), Failure> {
    let all = files(folder)?;
    let mut problems = Vec::new();
    for file in &all {
        let shown = file.strip_prefix(folder).unwrap_or(file).display();
        if pending(file) {
            problems.push(Kind::Snapshot.because(format!("{shown}: not reviewed (`cargo insta review`)")));
        } else if ends(file, ".snap")
            && let Err(why) = owned(file)
        {
            problems.push(Kind::Snapshot.because(format!("{shown}: {why}; delete it if it has no use")));
        }
    }
    Failure::all(Kind::Snapshot, &problems)
}

/// Does a test have this snapshot?
fn owned(snapshot: &Path) -> Result<(), Failure> {
    let text = read::text(snapshot).map_err(|error| Kind::File.because(format!("cannot read: {error}")))?;
    let mut lines = text.lines();
    let of = (lines.next() == Some("---"))
        .then(|| lines.take_while(|line| *line != "---").find_map(|line| line.strip_prefix("source: ")));
    let source =
        of.flatten().ok_or_else(|| Kind::Snapshot.because("no snapshot of insta"))?.trim().trim_matches('"');
    // A member of a workspace that is copied to a folder of its own brings along the paths that it has there.
    let source = match workspace(snapshot).join(source) {
        path if path.is_file() => path,
        _ => package(snapshot).join(source),
    };
    let wrong = |why: String| Kind::Snapshot.because(why);
    let code =
        read::text(&source).map_err(|_| wrong(format!("its test `{}` is not there", source.display())))?;
    let (folder, own) = (source.parent(), snapshot.file_name().unwrap_or_default().to_string_lossy());
    let (here, own) = (snapshot.parent(), own.trim_end_matches(".snap"));
    if here.and_then(Path::parent).map(Path::canonicalize).and_then(Result::ok)
        != folder.map(Path::canonicalize).and_then(Result::ok)
    {
        return Err(wrong(format!("not in the `snapshots` folder next to its test `{}`", source.display())));
    }
    let named = if source.extension().is_some_and(|extension| extension == "rs") {
        rust_names(&code, own)
    } else {
        let found = directives::read(&code)?;
        found.snapshots().any(|snapshot| name(&source, &snapshot.label) == own)
    };
    if named { Ok(()) } else { Err(wrong(format!("`{}` has no such snapshot", source.display()))) }
}

/// Does Rust code have a snapshot of this name, `module__name` or `module__name-2`?
fn rust_names(code: &str, snapshot: &str) -> bool {
    let name = snapshot.rsplit("__").next().unwrap_or(snapshot);
    let several = |at: &str| !at.is_empty() && at.bytes().all(|byte| byte.is_ascii_digit());
    let name = name.rsplit_once('-').map_or(name, |(name, at)| if several(at) { name } else { snapshot });
    let function = |start: &str| code.contains(&format!("fn {start}{name}("));
    code.contains("_snapshot!")
        && (function("") || function("test_") || code.contains(&format!("\"{name}\"")))
}
