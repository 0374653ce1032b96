//! What a table must say next to its figures: machine, versions, commit, command line.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use terrace_devices::machine::processor;

/// Facts, each with its name
pub struct Facts(Vec<(&'static str, String)>);

impl Facts {
    /// Those of this machine, this checkout and this process
    pub fn gather() -> Self {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let mut facts = vec![
            ("machine", format!("{}, {cores} cores", processor())),
            ("rustc", first_line("rustc", &["--version"])),
            ("commit", commit()),
        ];
        // The path of this program and of the checkout say nothing to anybody else.
        let args: Vec<String> = std::env::args().skip(1).collect();
        facts.push(("command", format!("terrace-benches {}", args.join(" "))));
        Self(facts)
    }

    /// One more
    pub fn add(&mut self, name: &'static str, fact: String) {
        self.0.push((name, fact));
    }

    /// One list item each
    pub fn markdown(&self) -> String {
        self.0.iter().map(|(name, fact)| format!("- {name}: {fact}\n")).collect()
    }

    /// One member each
    pub fn json(&self) -> Value {
        self.0
            .iter()
            .map(|(name, fact)| ((*name).to_owned(), json!(fact)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }
}

/// The line of `tool --version` that holds a version, shortened
pub fn version(tool: &Path) -> String {
    let Ok(output) = Command::new(tool).arg("--version").output() else { return "unknown".to_owned() };
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|l| l.contains("version") || l.chars().any(|c| c.is_ascii_digit()));
    line.unwrap_or("unknown").trim().to_owned()
}

fn commit() -> String {
    let hash = first_line("git", &["rev-parse", "--short", "HEAD"]);
    let changed = first_line("git", &["status", "--porcelain", "--untracked-files=no"]);
    if changed == "unknown" { hash } else { format!("{hash} with changes") }
}

fn first_line(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").trim().to_owned()
}
