//! The programs of `terrace-benches shapes` at their small sizes: the code for this processor agrees with the interpreter.

use crate::common;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program, its sizes, and the names of its arguments with where their values come from
struct Small {
    file: PathBuf,
    sizes: Vec<String>,
    inputs: Vec<(String, &'static str)>,
}

/// Tensors that a text declares: `A : f32 [M, K];`
fn declared(text: &str) -> Vec<String> {
    let statements = text.split(';').map(|statement| statement.rsplit('\n').next().unwrap_or_default());
    let names = statements.filter_map(|statement| Some(statement.split_once(" : ")?.0.trim().to_owned()));
    names.filter(|name| name.chars().all(char::is_alphanumeric)).collect()
}

/// All programs of a class
fn programs(folder: &Path, class: &str) -> Vec<Small> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let table: toml::Table = read(&folder.join(format!("{class}.toml"))).parse().expect("a table");
    let one = |(name, entry): (&String, &toml::Value)| {
        let file = folder.join(class).join(format!("{name}.tensor"));
        let small = entry["small"].as_str().unwrap_or_else(|| panic!("{class}: {name} has no small sizes"));
        // Numbers by which elements are read, and arguments of functions of positive numbers.
        let bounded = |input: &str| entry.get("ranges").is_some_and(|ranges| ranges.get(input).is_some());
        let source = |input: &str| if bounded(input) { "iota" } else { "random:1" };
        let inputs = declared(&read(&file)).into_iter().map(|input| (input.clone(), source(&input)));
        Small { inputs: inputs.collect(), sizes: small.split(' ').map(str::to_owned).collect(), file }
    };
    table.iter().map(one).collect()
}

#[track_caller]
fn agree(class: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/shapes");
    let list = common::backends::here("shapes");
    let programs = programs(&folder, class);
    assert!(!programs.is_empty(), "{class}");
    for program in programs {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
        command.arg(&program.file).arg(format!("--compare={list}"));
        command.args(program.sizes.iter().map(|size| format!("--set={size}")));
        command.args(program.inputs.iter().map(|(name, source)| format!("--in={name}={source}")));
        let shown = common::stdout(&command.output().expect("cargo built the tool"));
        for name in list.split(',').skip(1) {
            assert!(shown.contains(&format!("{name} and interp: ")), "{}:\n{shown}", program.file.display());
        }
    }
}

macro_rules! classes {
    ($($class:ident)*) => {
        $(
            #[test]
            fn $class() {
                agree(stringify!($class));
            }
        )*

        #[test]
        fn every_class_is_tested() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/shapes");
            for entry in std::fs::read_dir(folder).expect("it is there").filter_map(Result::ok) {
                let path = entry.path();
                let class = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                assert!([$(stringify!($class)),*].contains(&class.as_str()), "{class}");
            }
        }
    };
}

classes! {
    products chains contractions convolutions pooling transpositions elementwise functions reductions networks stencils scans types
}
