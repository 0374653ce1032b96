//! Functions of the test files on a device, against the interpreter.
//!
//! A function takes part if all its arguments are arrays of known sizes: each starts with random numbers. Where the interpreter runs out of
//! its ops, generated code for this CPU stands in. Nothing is skipped in silence: what was not compared is counted, with the reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use terrace_dialect_gpu as gpu;
use terrace_ir::OpDef;

use crate::Done;
use crate::process::Complaint;

/// Files without these ops have nothing that runs on a device
const PARALLEL: &[&OpDef] = &[
    gpu::Module::DEF,
    gpu::Launch::DEF,
    terrace_dialect_sched::Kernel::DEF,
    terrace_dialect_mdh::Compute::DEF,
];

/// Ops that the interpreter is given
const FUEL: u64 = 2_000_000;

/// Codes of programs that are too long for the interpreter
const LONG: [&str; 3] = ["E0305", "E0306", "E0609"];

/// Code of results that do not agree
const DISAGREE: &str = "E0412";

/// A function with the number of its arguments
struct Function {
    name: String,
    inputs: usize,
}

/// Compares; the number of functions that do not agree
pub fn run(terrace: &Path, on: &[String], part: &str) -> Done<usize> {
    let root = Path::new("test-files");
    if !root.is_dir() {
        return Err("`test-files` is not here: run this in the root of the checkout".into());
    }
    let (mut agree, mut wrong) = (0, Vec::new());
    let mut others: BTreeMap<String, usize> = BTreeMap::new();
    for path in files(root)? {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{name}: {e}"))?;
        if !name.contains(part) || !PARALLEL.iter().any(|op| text.contains(op.name)) {
            continue;
        }
        for function in functions(&text) {
            for on in on {
                let verdict = match compare(terrace, &name, &function, "interp", on) {
                    Err(Complaint(why)) if LONG.iter().any(|code| why.contains(code)) => {
                        compare(terrace, &name, &function, "host", on)
                    }
                    verdict => verdict,
                };
                match verdict {
                    Ok(()) => agree += 1,
                    Err(Complaint(why)) if why.contains(DISAGREE) => {
                        wrong.push(format!("{name} @{} on {on}: {why}", function.name));
                    }
                    Err(Complaint(why)) => *others.entry(why).or_default() += 1,
                }
            }
        }
    }
    say!("values: {agree} agree, {} do not, {} not compared", wrong.len(), others.values().sum::<usize>());
    wrong.iter().for_each(|line| say!("  WRONG {line}"));
    others.iter().for_each(|(why, count)| say!("  {count} × {why}"));
    say!("");
    Ok(wrong.len())
}

/// Runs one function; `Err` with the first line of what was said
fn compare(terrace: &Path, file: &str, function: &Function, first: &str, on: &str) -> Result<(), Complaint> {
    let mut command = Command::new(terrace);
    command.arg(file).arg(format!("--entry=@{}", function.name)).arg(format!("--compare={first},{on}"));
    command.arg(format!("--fuel={FUEL}"));
    command.args((0..function.inputs).map(|n| format!("--in={n}=random:{}", n + 1)));
    let output = command.stdin(Stdio::null()).output().map_err(|e| Complaint(e.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let said = |word: &str| text.lines().find(|line| line.contains(word));
    let said = said(DISAGREE).or_else(|| said("error"));
    let line = said.or_else(|| text.lines().next()).unwrap_or("it failed without a word");
    Err(Complaint(line.trim().to_owned()))
}

/// All files below a folder, in order
fn files(root: &Path) -> Done<Vec<PathBuf>> {
    let (mut folders, mut found) = (vec![root.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(end) if end == "mlir" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Functions of a text whose arguments are all arrays of known sizes
fn functions(text: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for rest in text.split("func.func @").skip(1) {
        let Some((name, rest)) = rest.split_once('(') else { continue };
        if name.contains(char::is_whitespace) {
            continue;
        }
        let (mut depth, mut arrays, mut known) = (1, 0, true);
        for (at, c) in rest.char_indices() {
            match c {
                '(' | '<' | '{' => depth += 1,
                ')' | '>' | '}' => depth -= 1,
                // One argument: its type begins behind the colon.
                ':' if depth == 1 => {
                    let ty = rest[at + 1..].trim_start();
                    arrays += 1;
                    known &= ["memref<", "tensor<"].iter().any(|word| ty.starts_with(word));
                    known &= !ty.split('>').next().unwrap_or("").contains('?');
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        if known {
            found.push(Function { name: name.to_owned(), inputs: arrays });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_arrays_take_part() {
        let text = "func.func @f(%a: memref<4x8xf32>, %b: tensor<4xi32> {terrace.name = \"b\"}) -> f32 {}\n\
                    func.func @g(%n: index) {}\nfunc.func @h(%a: memref<?xf32>) {}\n\
                    func.func private @p(%a: memref<1xf32>)\nfunc.func @i() {}";
        let found: Vec<(String, usize)> = functions(text).into_iter().map(|f| (f.name, f.inputs)).collect();
        assert_eq!(found, [("f".to_owned(), 2), ("i".to_owned(), 0)]);
    }
}
