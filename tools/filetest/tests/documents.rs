//! What the documents tell a reader to type works as they say.
//!
//! A fenced block says by the words behind its fence what it is:
//!
//! ```text
//! sh                     run, one block after the other in one folder for each page, with the repository's files in it
//! sh llvm pocl           the same where this machine has these; else skipped by name
//! sh no-run              shown: it takes long, writes into the sources, or wants what is not here
//! console [llvm …]       what stands behind `$ ` is run, and prints the lines below it; `…` stands for any text, in a line of
//!                        its own for any lines
//! mlir FILE              written to FILE of that folder (so are c, python and text)
//! ```
//!
//! What is not run is still read: packages and commands of `cargo xtask` that it names exist.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where set-up may be missing: (word behind the fence, is it here)
const COMPONENTS: &[(&str, fn() -> bool)] = &[
    ("llvm", || tool("terrace-native").is_file()),
    ("mlir", || tool("terrace-upstream").is_file()),
    ("pocl", || Path::new("/etc/OpenCL/vendors/pocl.icd").is_file()),
    ("cc-openmp", || Command::new("cc").arg("--version").output().is_ok_and(|out| out.status.success())),
    ("rustc", || Command::new("rustc").arg("--version").output().is_ok_and(|out| out.status.success())),
    ("cffi", || {
        Command::new("python3").args(["-c", "import cffi"]).output().is_ok_and(|out| out.status.success())
    }),
    ("python", || Command::new("python3").arg("--version").output().is_ok_and(|out| out.status.success())),
];

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the repository is there")
}

/// A program in the folder of this one
fn tool(name: &str) -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_terrace-filetest")).with_file_name(name)
}

/// A fenced block of a page
struct Block {
    /// Page and line of the fence
    place: String,
    words: Vec<String>,
    lines: Vec<String>,
}

impl Block {
    fn kind(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// What it does not run for
    fn missing(&self) -> Option<&str> {
        let missing = |word: &&String| COMPONENTS.iter().any(|(name, here)| name == word && !here());
        self.words.iter().skip(1).find(missing).map(String::as_str)
    }
}

fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (at, line) in text.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(words), None) => {
                let words = words.split_whitespace().map(str::to_owned).collect();
                open = Some(Block { place: format!("{page}:{}", at + 1), words, lines: Vec::new() });
            }
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    found
}

/// All pages that people write, by their paths
fn pages() -> Vec<String> {
    let root = root();
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("a folder of the repository").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            match entry.file_type() {
                // Reference pages are written by a program, with tests of their own.
                Ok(kind)
                    if kind.is_dir() && !name.starts_with('.') && name != "target" && name != "reference" =>
                {
                    folders.push(path);
                }
                Ok(kind) if kind.is_file() && name.ends_with(".md") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    assert!(found.iter().any(|page| page == "README.md") && found.len() > 20, "{found:?}");
    found
}

fn all_blocks() -> Vec<(String, Vec<Block>)> {
    let read = |page: String| {
        let text = fs::read_to_string(root().join(&page)).expect("a page is text");
        let found = blocks(&page, &text);
        (page, found)
    };
    pages().into_iter().map(read).collect()
}

fn is_command(line: &str) -> bool {
    ["terrace-", "$ ", "cargo ", "python3 "].iter().any(|start| line.trim_start().starts_with(start))
}

/// A folder for a page, in which the repository's files are seen
fn folder(page: &str) -> PathBuf {
    let name = format!("documents-{}-{}", std::process::id(), page.replace('/', "-"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the folder for temporary files of tests can be written");
    for entry in fs::read_dir(root()).expect("the repository is there").flatten() {
        let name = entry.file_name();
        if name != "target" && name != ".git" {
            std::os::unix::fs::symlink(entry.path(), folder.join(&name)).expect("the folder is new");
        }
    }
    folder
}

fn shell(folder: &Path, script: &str) -> Output {
    let tools = tool("terrace-opt").parent().map(Path::to_path_buf).into_iter();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(tools.chain(std::env::split_paths(&path))).expect("a path of folders");
    let mut sh = Command::new("sh");
    sh.current_dir(folder).env("PATH", path).env("NO_COLOR", "1").args(["-ec", script]);
    sh.stdin(std::process::Stdio::null()).output().expect("there is a shell")
}

/// What is wrong with running a block; nothing if it works
fn run(block: &Block, folder: &Path) -> Option<String> {
    match (block.kind(), block.words.get(1)) {
        ("sh", Some(word)) if word == "no-run" => None,
        ("sh", _) => {
            let out = shell(folder, &block.lines.join("\n"));
            let said = String::from_utf8_lossy(&out.stderr).into_owned();
            (!out.status.success()).then(|| format!("{}\n{said}", out.status))
        }
        ("console", _) => sessions(&block.lines).into_iter().find_map(|(command, expected)| {
            let out = shell(folder, &format!("({command}) 2>&1"));
            let said = String::from_utf8_lossy(&out.stdout).into_owned();
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            let lines: Vec<&str> = said.lines().collect();
            (!matches(&expected, &lines)).then(|| format!("{command}\nprints\n{said}"))
        }),
        (_, Some(file)) if file.contains('.') => {
            fs::write(folder.join(file), block.lines.join("\n") + "\n").expect("the folder can be written");
            None
        }
        _ => None,
    }
}

/// Commands with what they print
fn sessions(lines: &[String]) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut goes_on = false;
    for line in lines {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((command.to_owned(), Vec::new())),
            (None, Some((command, _))) if goes_on => *command += &format!("\n{line}"),
            (None, Some((_, expected))) => expected.push(line.clone()),
            (None, None) => found.push((format!("false # no command before {line:?}"), Vec::new())),
        }
        goes_on = found.last().is_some_and(|(command, out)| out.is_empty() && open_ended(command));
    }
    found
}

/// A shell would ask for more: a line that ends in a backslash, or an open quote
fn open_ended(command: &str) -> bool {
    command.ends_with('\\') || command.matches('\'').count() % 2 == 1
}

/// Lines as expected, where `…` stands for any
fn matches(expected: &[&str], lines: &[&str]) -> bool {
    let Some((first, rest)) = expected.split_first() else { return lines.is_empty() };
    if first.trim() == "…" {
        return (0..=lines.len()).any(|skip| matches(rest, &lines[skip..]));
    }
    lines
        .split_first()
        .is_some_and(|(line, more)| same(first.trim_end(), line.trim_end()) && matches(rest, more))
}

/// One line as expected, where `…` stands for any text
fn same(expected: &str, line: &str) -> bool {
    let Some((start, rest)) = expected.split_once('…') else { return expected == line };
    let Some(line) = line.strip_prefix(start) else { return false };
    let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    ends.into_iter().any(|at| same(rest, &line[at..]))
}

#[test]
fn commands_do_what_the_page_says() {
    let missing: Vec<&str> = ["terrace-opt", "terrace-run", "terrace-view", "terrace-tune"]
        .into_iter()
        .filter(|name| !tool(name).is_file())
        .collect();
    if !missing.is_empty() {
        println!("skipped: commands_do_what_the_page_says (needs {} built)", missing.join(", "));
        return;
    }
    let pages = all_blocks();
    let check = |(page, blocks): &(String, Vec<Block>)| {
        let mut wrong = Vec::new();
        let folder = folder(page);
        for block in blocks {
            match block.missing() {
                Some(component) => println!("skipped: commands at {} (needs {component})", block.place),
                None => wrong.extend(run(block, &folder).map(|why| format!("{}: {why}", block.place))),
            }
        }
        fs::remove_dir_all(folder).expect("made here");
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = pages.iter().map(|page| scope.spawn(move || check(page))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no check panics")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn blocks_say_what_they_are() {
    let mut wrong = Vec::new();
    for (_, blocks) in all_blocks() {
        for block in blocks {
            let kind = block.kind();
            let commands = block.lines.iter().filter(|line| is_command(line)).count();
            if commands > 0 && !["sh", "console", "text"].contains(&kind) {
                wrong.push(format!("{}: commands stand in blocks of `sh` or `console`", block.place));
            }
            let runs = kind == "console" || (kind == "sh" && block.words.iter().all(|word| word != "no-run"));
            let slow = |line: &&String| ["cargo ", "$ cargo "].iter().any(|start| line.starts_with(start));
            if runs && block.lines.iter().any(|line| slow(&line)) {
                wrong.push(format!("{}: what calls cargo is `sh no-run`", block.place));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn packages_and_commands_of_cargo_exist() {
    let xtask = fs::read_to_string(root().join("tools/xtask/src/main.rs")).expect("it is there");
    let manifest = fs::read_to_string(root().join("Cargo.lock")).expect("it is there");
    let mut wrong = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).expect("a page is text");
        for (at, line) in text.lines().enumerate().filter(|(_, line)| line.contains("cargo ")) {
            let words: Vec<&str> = line.split(|c: char| c.is_whitespace() || "`()".contains(c)).collect();
            for pair in words.windows(2) {
                let name = pair[1].trim_end_matches([',', '.', ';', ':']);
                let known = match pair[0] {
                    "xtask" if name.chars().all(|c| c.is_ascii_lowercase()) && !name.is_empty() => {
                        let (first, rest) = name.split_at(1);
                        let variant = format!("\n    {}{rest}", first.to_uppercase());
                        xtask.split(&variant).skip(1).any(|after| after.starts_with([',', ' ']))
                    }
                    "-p" if name.starts_with(|c: char| c.is_ascii_lowercase()) => {
                        manifest.contains(&format!("name = \"{name}\"\n"))
                    }
                    _ => true,
                };
                if !known {
                    wrong.push(format!("{page}:{}: there is no `{} {name}`", at + 1, pair[0]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is bold in a row, and whose it is
fn ratios(row: &str) -> Vec<String> {
    row.split("**").skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn figures_of_the_first_page_are_those_that_were_measured() {
    let read = |page: &str| fs::read_to_string(root().join(page)).expect("a page is text");
    let (first, measured) = (read("README.md"), read("docs/performance.md"));
    let mut compared = 0;
    for row in first.lines().filter(|line| line.starts_with("| ") && line.contains("**")) {
        let name = row.split('|').nth(1).unwrap_or_default().trim();
        let Some(other) = measured.lines().find(|line| line.starts_with(&format!("| {name} |"))) else {
            // Means and the framework's own are sentences there, or rows of other names.
            for ratio in ratios(row) {
                assert!(
                    measured.contains(&ratio),
                    "README.md says {ratio} for {name}, docs/performance.md nowhere"
                );
            }
            continue;
        };
        compared += 1;
        assert_eq!(ratios(row), ratios(other), "{name}: README.md beside docs/performance.md");
    }
    assert!(compared >= 5, "only {compared} rows are in both");
}

#[test]
fn every_crate_is_in_the_architecture() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it is there");
    let folders = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let crates =
        folders(&root()).flat_map(|top| folders(&top)).filter(|path| path.join("Cargo.toml").is_file());
    let missing: Vec<PathBuf> = crates
        .filter(|path| !text.contains(&format!("`{}`", path.file_name().unwrap_or_default().display())))
        .collect();
    assert!(missing.is_empty(), "not in ARCHITECTURE.md: {missing:?}");
}

#[test]
fn dots_stand_for_any_text() {
    assert!(same("a … d", "a b c d") && same("…", "x") && !same("a … d", "a b c"));
    assert!(
        matches(&["a", "…", "d"], &["a", "b", "c", "d"])
            && matches(&["…"], &[])
            && !matches(&["a"], &["a", "b"])
    );
    let lines = ["$ x \\", "  y", "out", "$ z"].map(str::to_owned);
    let found = sessions(&lines);
    assert_eq!(found[0], ("x \\\n  y".to_owned(), vec!["out".to_owned()]));
    assert_eq!(found[1], ("z".to_owned(), Vec::new()));
}
