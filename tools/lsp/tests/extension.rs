//! The extension for VS Code: its files go together, its script runs, and it packages where the tool for that is installed.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vscode")
}

fn json(file: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// What a program says; none where it is not installed
fn run(test: &str, program: &str, args: &[&str], folder: &Path) -> Option<Output> {
    match Command::new(program).args(args).current_dir(folder).output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: {test} (needs {program})");
            None
        }
        Err(error) => panic!("{program}: {error}"),
    }
}

fn check(output: &Output) {
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[test]
fn files_that_the_manifest_names_are_there() {
    let manifest = json("package.json");
    assert!(folder().join(manifest["main"].as_str().expect("a script")).is_file());
    let contributes = &manifest["contributes"];
    let mut ids = Vec::new();
    for language in contributes["languages"].as_array().expect("languages") {
        let configuration = json(language["configuration"].as_str().expect("a file"));
        assert_eq!(configuration["comments"]["lineComment"], "//");
        ids.push(language["id"].as_str().expect("a name"));
    }
    let script = std::fs::read_to_string(folder().join("extension.js")).expect("a script");
    for id in &ids {
        assert!(script.contains(&format!("\"{id}\"")), "the server is not asked about {id}");
    }
    for grammar in contributes["grammars"].as_array().expect("grammars") {
        assert!(ids.contains(&grammar["language"].as_str().expect("a language")));
        let text = json(grammar["path"].as_str().expect("a file"));
        assert_eq!(text["scopeName"], grammar["scopeName"]);
        for pattern in text["patterns"].as_array().expect("patterns") {
            let name = pattern["include"].as_str().and_then(|name| name.strip_prefix('#')).expect("a name");
            assert!(text["repository"].get(name).is_some(), "{name}");
        }
    }
}

#[test]
fn the_script_starts_the_server_and_says_why_it_does_not() {
    // What VS Code and its library for clients would be, and what is asked of them.
    let script = r#"
        const Module = require("module");
        const said = [];
        let fails = false;
        class LanguageClient {
            constructor(id, name, server, client) {
                said.push(["new", id, server.command, client.documentSelector.map((one) => one.language).join()]);
            }
            async start() { if (fails) throw new Error("no such file"); said.push(["start"]); this.runs = true; }
            async stop() { said.push(["stop"]); this.runs = false; }
            isRunning() { return this.runs === true; }
        }
        let changed, restart;
        const vscode = {
            workspace: {
                getConfiguration: () => ({ get: () => "my-server" }),
                onDidChangeConfiguration: (f) => { changed = f; return {}; },
            },
            commands: { registerCommand: (name, f) => { restart = f; said.push(["command", name]); return {}; } },
            window: { showErrorMessage: (text) => said.push(["error", text]) },
        };
        const load = Module._load;
        Module._load = (name, ...rest) =>
            name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
        const extension = require("./extension.js");
        (async () => {
            await extension.activate({ subscriptions: [] });
            await restart();
            await extension.deactivate();
            fails = true;
            await restart();
            changed({ affectsConfiguration: () => false });
            console.log(said.map((one) => one.join(" ")).join("\n"));
        })();
    "#;
    let Some(output) = run("the extension's script", "node", &["-e", script], &folder()) else { return };
    check(&output);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let want = "command terrace.restart\nnew terrace my-server mlir,mdh,tensor\nstart\nstop\n\
                new terrace my-server mlir,mdh,tensor\nstart\nstop\nnew terrace my-server mlir,mdh,tensor\n\
                error The language server `my-server` does not start: no such file. ";
    assert!(said.starts_with(want), "{said}");
}

#[test]
fn it_packages() {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terrace.vsix");
    let _ = std::fs::remove_file(&package);
    let to = package.to_string_lossy();
    let flags = ["package", "--no-dependencies", "--skip-license", "--allow-missing-repository", "-o", &to];
    let Some(output) = run("the extension's package", "vsce", &flags, &folder()) else { return };
    check(&output);
    assert!(package.is_file());
}
