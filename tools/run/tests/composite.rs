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

/// Sub-graphs that are one kernel each, of sizes without small divisors
#[test]
fn one_kernel_for_several_operators() {
    let sizes: [(&str, usize, &[(&str, &str)]); 4] = [
        ("04", 2, &[("1280", "131"), ("21128", "1013")]),
        ("07", 3, &[("64,", "13,"), ("128,", "17,"), ("768", "71")]),
        ("08", 3, &[("64,", "13,"), ("128,", "67,"), ("768", "71")]),
        ("09", 2, &[("8192", "1021"), ("768", "71")]),
    ];
    let list = common::backends::here("composite");
    for (number, inputs, sizes) in sizes {
        let file = format!("../../test-files/frontends/composite/table_2_{number}.info");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = std::fs::read_to_string(file).expect("the sub-graph is there");
        let text = sizes.iter().fold(text, |text, (from, to)| text.replace(from, to));
        let mut args = vec!["--input=composite".to_string(), format!("--compare={list}")];
        args.extend((0..inputs).map(|n| format!("--in=input_{n}=random:{}", n + 1)));
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let shown = common::stdout(&common::run(&format!("composite-{number}"), &text, &args));
        for name in list.split(',').skip(1) {
            assert!(shown.contains(&format!("{name} and interp: ")), "{number} on {name}:\n{shown}");
        }
    }
}
