//! Each code is explained with a wrong and a right example, and the examples are what they say.
//!
//! In an explanation stands `Wrong` and later `Right`, each in one of these forms:
//!
//! ```text
//! Wrong: a sentence, where no program can show it          not run
//! Wrong:                                                   a block of `sh`: run where `x.mlir` is a small function
//! Wrong, with `terrace-opt x.mlir --pipeline=…`:           a block with the file of that name; the command is run
//! ```
//!
//! `Right` has the command of `Wrong` if it says none. A wrong example gives the code; a right one does not, and succeeds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use terrace_diag::Code;

const FUNCTION: &str =
    "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  return %b : i32\n}\n";

/// A program in the folder of this one
fn tool(name: &str) -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_terrace-filetest")).with_file_name(name)
}

/// An example: what is run, with which file; nothing to run for one in words
#[derive(Default, Debug)]
struct Example {
    command: Option<String>,
    file: Option<(String, String)>,
}

/// The example behind a word; `None` if there is none
fn example(text: &str, word: &str, command: Option<&str>) -> Option<Example> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(word));
    let head = lines.next()?.strip_prefix(word)?;
    if let Some(words) = head.strip_prefix(": ") {
        return (words.split_whitespace().count() >= 2).then(Example::default);
    }
    let said = head.strip_prefix(", with `").and_then(|rest| rest.strip_suffix("`:"));
    if said.is_none() && head != ":" {
        return None;
    }
    let mut lines = lines.skip_while(|line| line.is_empty());
    let language = lines.next()?.strip_prefix("```")?;
    let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
    let body = body.join("\n") + "\n";
    if language == "sh" {
        return Some(Example { command: Some(body), file: None });
    }
    let command = said.or(command)?.to_string();
    let name = command.split(' ').find(|part| part.starts_with("x."))?.to_string();
    Some(Example { command: Some(command), file: Some((name, body)) })
}

/// Run it; whether it succeeded, and what it printed
fn run(example: &Example, folder: &Path) -> (bool, String) {
    fs::create_dir_all(folder).expect("the folder for temporary files of tests can be written");
    let (name, text) = example.file.clone().unwrap_or(("x.mlir".into(), FUNCTION.into()));
    fs::write(folder.join(name), text).expect("the folder can be written");
    let tools = tool("terrace-opt").parent().map(Path::to_path_buf).into_iter();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(tools.chain(std::env::split_paths(&path))).expect("a path of folders");
    let script = format!("({}) 2>&1", example.command.as_deref().unwrap_or("true").trim_end());
    let mut sh = Command::new("sh");
    sh.current_dir(folder).env("PATH", path).env("NO_COLOR", "1").args(["-c", &script]);
    let out = sh.stdin(std::process::Stdio::null()).output().expect("there is a shell");
    fs::remove_dir_all(folder).expect("made here");
    (out.status.success(), String::from_utf8_lossy(&out.stdout).into_owned())
}

/// What is wrong with the examples of a code, and whether they were run
fn check(code: Code, folder: &Path) -> (Vec<String>, bool) {
    let (id, text) = (code.id, code.explanation());
    let Some(wrong) = example(&text, "Wrong", None) else {
        return (vec![format!("{id} has no wrong example")], false);
    };
    let Some(right) = example(&text, "Right", wrong.command.as_deref()) else {
        return (vec![format!("{id} has no right example")], false);
    };
    let code_is_native = |one: &Example| {
        one.command
            .as_ref()
            .is_some_and(|command| ["--emit=llvm", "--emit=asm"].iter().any(|form| command.contains(form)))
    };
    if (code_is_native(&wrong) || code_is_native(&right)) && !tool("terrace-native").is_file() {
        println!("skipped: examples of {id} (needs llvm)");
        return (Vec::new(), false);
    }
    let mut found = Vec::new();
    if wrong.command.is_some() {
        let (_, said) = run(&wrong, &folder.join("wrong"));
        if !said.contains(&format!("[{id}]")) {
            found.push(format!("{id}: the wrong example does not give it:\n{said}"));
        }
    }
    if right.command.is_some() {
        let (good, said) = run(&right, &folder.join("right"));
        if !good || said.contains(&format!("[{id}]")) {
            found.push(format!("{id}: the right example fails:\n{said}"));
        }
    }
    (found, wrong.command.is_some())
}

#[test]
fn each_code_has_a_wrong_and_a_right_example() {
    for name in ["terrace-opt", "terrace-run", "terrace-tune"] {
        if !tool(name).is_file() {
            println!("skipped: each_code_has_a_wrong_and_a_right_example (needs {name} built)");
            return;
        }
    }
    let codes: Vec<Code> = terrace_opt::all_codes().iter().flat_map(|list| list.iter()).copied().collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("explained-{}", std::process::id()));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        let mut ran = 0;
        while let Some(code) = codes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (wrong, was_run) = check(code, &folder.join(code.id));
            found.extend(wrong);
            ran += usize::from(was_run);
        }
        (found, ran)
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let done: Vec<(Vec<String>, usize)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no check panics")).collect()
    });
    let _ = fs::remove_dir_all(&folder);
    let wrong: Vec<&String> = done.iter().flat_map(|(found, _)| found).collect();
    assert!(wrong.is_empty(), "{}", wrong.iter().map(|one| one.as_str()).collect::<Vec<_>>().join("\n"));
    let ran: usize = done.iter().map(|(_, ran)| ran).sum();
    assert!(ran * 4 > codes.len() * 3, "only {ran} of {} codes are shown by what is run", codes.len());
}

#[test]
fn forms_of_examples() {
    let text = "Words.\n\nWrong, with `t x.c`:\n\n```c\nint\n```\n\nRight:\n\n```c\nint i;\n```";
    let wrong = example(text, "Wrong", None).expect("there is one");
    let right = example(text, "Right", wrong.command.as_deref()).expect("there is one");
    assert_eq!(right.file, Some(("x.c".to_string(), "int i;\n".to_string())));
    assert_eq!(right.command.as_deref(), Some("t x.c"));
    assert!(example("Wrong: it is so.", "Wrong", None).is_some_and(|one| one.command.is_none()));
    assert!(example("Wrong", "Wrong", None).is_none() && example("", "Right", None).is_none());
}
