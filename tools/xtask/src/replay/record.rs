//! Running cases and writing what they give

use super::cases::{Case, Keep};
use crate::{Fallible, process, tools};
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::Hasher;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// File of a recording that says how it was made; not a case
pub const ABOUT: &str = "about.txt";

/// Line of a case's file above which it says what ran, and on what
pub const OUTPUT: &str = "---- output";

/// Longest output that is kept as text, in bytes
const LONGEST: usize = 200_000;

/// Which cases a recording has
pub struct Selection {
    /// An eleventh of them
    pub quick: bool,
    /// Those whose names contain this
    pub only: Option<String>,
}

/// Run all cases and write their files
pub fn record(cases: &[Case], selection: &Selection, tools: &Path, out: &Path, jobs: usize) -> Fallible {
    let started = Instant::now();
    if out.join(ABOUT).is_file() {
        fs::remove_dir_all(out).map_err(|e| format!("{}: {e}", out.display()))?;
    }
    fs::create_dir_all(out).map_err(|e| format!("{}: {e}", out.display()))?;
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = one(case, tools, out) {
                        next.store(cases.len(), Ordering::Relaxed);
                        failed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(why);
                    }
                }
            });
        }
    });
    if let Some(why) = failed.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        return Err(why);
    }
    let only = selection.only.as_deref().unwrap_or("");
    let about = format!("cases: {}\nquick: {}\nonly: {only}\n", cases.len(), selection.quick);
    fs::write(out.join(ABOUT), about).map_err(|e| format!("{}: {e}", out.display()))?;
    say!("{} cases in {} ({} s)", cases.len(), out.display(), started.elapsed().as_secs());
    Ok(())
}

/// The selection of a recording, as its file says it; recordings of different selections have different cases
pub fn selection(folder: &Path) -> Fallible<String> {
    let path = folder.join(ABOUT);
    let text = fs::read_to_string(&path).map_err(|e| format!("{} is no recording: {e}", path.display()))?;
    Ok(text.lines().filter(|line| !line.starts_with("cases:")).collect::<Vec<_>>().join("\n"))
}

fn one(case: &Case, tools: &Path, out: &Path) -> Fallible {
    let input = case.program.folder.join(&case.program.path);
    let input = fs::read(&input).map_err(|e| format!("{}: {e}", input.display()))?;
    let mut command = Command::new(tools::program(tools, case.tool));
    command.current_dir(&case.program.folder).arg(&case.program.path).args(&case.words);
    let output = process::capture(&mut command)?;
    let stdout = match case.keep {
        Keep::Text if output.stdout.len() <= LONGEST => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => format!("{} bytes, {}\n", output.stdout.len(), hash(&output.stdout)),
    };
    let text = format!(
        "$ {}\ninput: {}\n{OUTPUT}\n{stdout}---- messages\n{}---- {}\n",
        process::shown(&command),
        hash(&input),
        String::from_utf8_lossy(&output.stderr),
        output.status
    );
    let path = out.join(format!("{}.txt", case.name));
    let folder = path.parent().unwrap_or(out);
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn hash(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}
