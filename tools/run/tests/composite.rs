//! Sub-graphs in JSON go down to every back end: the values are those of the interpreter, which runs the ops of `stablehlo` as they
//! are read.

use crate::common;

use std::path::Path;
use std::process::Command;

/// A graph with so many inputs, on the back ends of this machine
#[track_caller]
fn agree(file: &str, inputs: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/composite").join(file);
    let list = common::backends::here("composite");
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    command.arg(path).arg(format!("--compare={list}"));
    for n in 0..inputs {
        command.arg(format!("--in=input_{n}=random:{}", n + 1));
    }
    let shown = common::stdout(&command.output().expect("cargo built the tool"));
    for name in list.split(',').skip(1) {
        assert!(shown.contains(&format!("{name} and interp: ")), "{file} on {name}:\n{shown}");
    }
}

#[test]
fn ops_of_floats() {
    agree("values.info", 2);
}

#[test]
fn ops_of_whole_numbers() {
    agree("whole_numbers.info", 3);
}

#[test]
fn states_of_floats() {
    agree("states.info", 2);
}

#[test]
fn sums_of_the_paper() {
    for (file, inputs) in [("table_2_03.info", 1), ("table_2_05.info", 2), ("table_2_06.info", 3)] {
        agree(file, inputs);
    }
}
