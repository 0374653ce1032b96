//! Reading directives.

use crate::failure::{Failure, Kind};

/// Which line of the output an expectation is about
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// Somewhere after the last match
    Check,
    /// Right after the last match
    Next,
    /// Not before the next match
    Not,
}

/// An expectation with its line in the file
#[derive(Clone, Debug)]
pub(crate) struct Expectation {
    pub wanted: Wanted,
    pub text: String,
    pub line: usize,
}

/// A run of the tool, with the dumps of it that are compared
#[derive(Debug)]
pub(crate) struct Run {
    pub line: usize,
    pub args: Vec<String>,
    pub snapshots: Vec<Snapshot>,
}

impl Run {
    /// Are diagnostics compared, and no output?
    pub fn expects_diagnostics(&self) -> bool {
        self.args.iter().any(|arg| arg == "--verify-diagnostics")
    }
}

/// A dump that is compared as a whole
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Snapshot {
    pub line: usize,
    /// What the file's name has after `@`
    pub label: String,
    /// The pass whose result it is; without one the output of the run
    pub after: Option<String>,
}

/// Everything the comments of a file say
#[derive(Default, Debug)]
pub(crate) struct Directives {
    pub runs: Vec<Run>,
    pub round_trip_only: bool,
    pub expectations: Vec<Expectation>,
    pub rules: Vec<String>,
    pub evals: Vec<crate::eval::Eval>,
}

impl Directives {
    /// Snapshots of all runs, in order of the file
    pub fn snapshots(&self) -> impl Iterator<Item = &Snapshot> {
        self.runs.iter().flat_map(|run| &run.snapshots)
    }
}

fn wrong(why: impl Into<String>) -> Failure {
    Kind::Directive.because(why)
}

/// Read all directives; the error names the line
pub(crate) fn read(text: &str) -> Result<Directives, Failure> {
    let mut found = Directives::default();
    for (n, line) in text.lines().enumerate() {
        let directive = line.split_once("//").and_then(|(_, comment)| comment.trim().split_once(':'));
        if let Some((key, rest)) = directive {
            add(&mut found, n + 1, key, rest.trim()).map_err(|why| why.at(n + 1))?;
        }
    }
    if found.runs.is_empty() && !found.round_trip_only {
        return Err(wrong("the file has no `// test:` line"));
    }
    Ok(found)
}

/// Add one directive; a key that is none is part of an ordinary comment
fn add(found: &mut Directives, line: usize, key: &str, rest: &str) -> Result<(), Failure> {
    let wanted = match key {
        "test" if rest == "round-trip" => {
            found.round_trip_only = true;
            return Ok(());
        }
        "test" => {
            let mut args = split_words(rest)?;
            if args.first().map(String::as_str) != Some("opt") {
                return Err(wrong("a test is `opt …` or `round-trip`"));
            }
            args.remove(0);
            found.runs.push(Run { line, args, snapshots: Vec::new() });
            return Ok(());
        }
        "snapshot" => return add_snapshots(found, line, rest),
        "rule" => {
            found.rules.extend(rest.split(',').map(|name| name.trim().to_string()));
            return Ok(());
        }
        "eval" => {
            found.evals.push(crate::eval::Eval { line, text: rest.to_string() });
            return Ok(());
        }
        "check" => Wanted::Check,
        "next" => Wanted::Next,
        "not" => Wanted::Not,
        _ => return Ok(()),
    };
    if rest.is_empty() {
        return Err(wrong(format!("`{key}:` expects nothing")));
    }
    found.expectations.push(Expectation { wanted, text: rest.to_string(), line });
    Ok(())
}

/// `snapshot:`, `snapshot: after=cse,canonicalize`, `snapshot: name=second`
fn add_snapshots(found: &mut Directives, line: usize, rest: &str) -> Result<(), Failure> {
    let (mut after, mut name) = (Vec::new(), None);
    for word in rest.split_whitespace() {
        match word.split_once('=') {
            Some(("after", passes)) => after.extend(passes.split(',').map(str::to_string)),
            Some(("name", label)) => name = Some(label.to_string()),
            _ => return Err(wrong(format!("`{word}` is neither `after=PASS,PASS` nor `name=NAME`"))),
        }
    }
    let run = found.runs.last();
    let run = run.ok_or_else(|| wrong("a snapshot follows the `test: opt` line that it is of"))?;
    let form = run.args.iter().rev().find_map(|arg| arg.strip_prefix("--emit=")).unwrap_or("mlir");
    let new: Vec<Snapshot> = match (after.is_empty(), name) {
        (true, name) => {
            vec![Snapshot { line, label: name.unwrap_or_else(|| form.to_string()), after: None }]
        }
        (false, Some(label)) if after.len() == 1 => vec![Snapshot { line, label, after: after.pop() }],
        (false, Some(_)) => return Err(wrong("one name for several snapshots")),
        (false, None) => {
            let of = |pass: String| Snapshot { line, label: pass.clone(), after: Some(pass) };
            after.into_iter().map(of).collect()
        }
    };
    for snapshot in &new {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if snapshot.label.is_empty() || !snapshot.label.chars().all(plain) {
            let why = format!("`{}` names no snapshot: letters, digits, `-` and `_`", snapshot.label);
            return Err(wrong(why));
        }
        if found.snapshots().any(|other| other.label == snapshot.label) {
            let why = format!("two snapshots are called `{}`; `name=NAME` tells them apart", snapshot.label);
            return Err(wrong(why));
        }
    }
    let run = found.runs.last_mut().expect("found above");
    run.snapshots.extend(new);
    Ok(())
}

/// Words with double or single quotes for those that hold blanks or the other kind of quotes
fn split_words(text: &str) -> Result<Vec<String>, Failure> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quoted, mut any) = (None, false);
    for c in text.chars() {
        match c {
            '"' | '\'' if quoted.is_none_or(|quote| quote == c) => {
                quoted = if quoted.is_none() { Some(c) } else { None };
                any = true;
            }
            c if c.is_whitespace() && quoted.is_none() => {
                if any {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            c => {
                word.push(c);
                any = true;
            }
        }
    }
    if quoted.is_some() {
        return Err(wrong("a quote is not closed"));
    }
    if any {
        words.push(word);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_runs_and_expectations() {
        let text = "// test: opt --pipeline=\"func.func(cse, dce)\" --stats\n// check: a\nx // not: b\n";
        let found = read(text).expect("well formed");
        assert_eq!(found.runs[0].args, ["--pipeline=func.func(cse, dce)", "--stats"]);
        assert_eq!(found.expectations.len(), 2);
    }

    #[test]
    fn a_file_must_say_what_it_tests() {
        assert!(read("func.func @f()").is_err());
        assert!(read("// test: opt\n// check:\n").is_err());
    }

    fn labels(text: &str) -> Result<Vec<String>, Failure> {
        read(text).map(|found| found.snapshots().map(|snapshot| snapshot.label.clone()).collect())
    }

    #[test]
    fn snapshots_belong_to_the_run_above() {
        let text = "// test: opt --emit=opencl\n// snapshot:\n// test: opt\n// snapshot: after=cse,dce\n\
                    // snapshot:\n";
        assert_eq!(labels(text).expect("well formed"), ["opencl", "cse", "dce", "mlir"]);
        assert_eq!(read(text).expect("well formed").runs[0].snapshots.len(), 1);
    }

    #[test]
    fn names_of_snapshots_are_told_apart() {
        let twice = "// test: opt\n// snapshot:\n// test: opt\n// snapshot:";
        assert!(
            labels(twice)
                .is_err_and(|why| why.to_string().contains("line 4: two snapshots are called `mlir`"))
        );
        assert_eq!(labels(&format!("{twice} name=again")).expect("well formed"), ["mlir", "again"]);
    }

    #[test]
    fn snapshots_that_are_none() {
        for text in ["// snapshot:", "// test: opt\n// snapshot: cse", "// test: opt\n// snapshot: name=a/b"]
        {
            assert!(labels(text).is_err(), "{text}");
        }
        assert!(labels("// test: opt\n// snapshot: after=a,b name=c").is_err());
    }
}
