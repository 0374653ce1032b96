//! Extents that are known at run time, on every back end that is here: one text for all numbers of rows, by value.

use crate::common;

use common::{run, stdout};
use std::path::Path;
use std::process::Command;

/// Sums of a matrix, of which a dimension has `n` coordinates
fn sums(shape: [i64; 2], reduced: [bool; 2], open: usize) -> String {
    let [m, k] = shape;
    let kind = |dim: usize| if reduced[dim] { " pw add" } else { "" };
    let names = ["i", "j"];
    let kept: Vec<usize> = (0..2).filter(|dim| !reduced[*dim]).collect();
    let place = kept.iter().map(|dim| names[*dim]).collect::<Vec<_>>().join(", ");
    let result: String = kept.iter().map(|dim| format!("{}x", shape[*dim])).collect();
    format!(
        "func.func @f(%A: tensor<{m}x{k}xf32>, %n: index) -> tensor<{result}f32> {{
  %c = mdh.compute \"sums\" (i in {m}{}, j in {k}{}) extents(%n <= {}) where {} < %n ins(%a = %A[i, j]) outs([{place}]) {{
    mdh.yield %a : f32
  }} : (tensor<{m}x{k}xf32>, index) -> tensor<{result}f32>
  return %c : tensor<{result}f32>
}}",
        kind(0),
        kind(1),
        shape[open],
        names[open]
    )
}

#[test]
fn every_back_end_gives_the_interpreters_values() {
    let here = common::backends::here("extents");
    let list: Vec<&str> =
        ["interp", "host", "openmp", "opencl"].into_iter().filter(|name| here.contains(name)).collect();
    let compare = format!("--compare={}", list.join(","));
    let shape = [129, 300];
    for (n, (reduced, open)) in [
        ([true, true], 0),
        ([true, true], 1),
        ([true, false], 0),
        ([false, true], 0),
        ([true, false], 1),
        ([false, true], 1),
    ]
    .into_iter()
    .enumerate()
    {
        let text = sums(shape, reduced, open);
        for rows in [0, 17, shape[open]] {
            let given = format!("--in=n=fill:{rows}");
            let shown =
                stdout(&run(&format!("extents-{n}-{rows}"), &text, &["--in=A=random:1", &given, &compare]));
            for name in &list[1..] {
                assert!(shown.contains(&format!("{name} and interp: ")), "{rows} rows:\n{text}\n{shown}");
            }
        }
    }
}

#[test]
fn more_than_the_bound_is_refused() {
    let text = sums([9, 5], [true, true], 0);
    let out = run("extents-beyond", &text, &["--on=interp", "--in=A=random:1", "--in=n=fill:10"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(!out.status.success() && said.contains("M-EXTENT: an extent is 10; it is from 0 to 9"), "{said}");
}

/// A function of a file of tensor text or MDH text: its arguments that are no sizes, and the sizes with their bounds
type Case = (&'static str, &'static [&'static str], &'static [(&'static str, i64)]);

const TENSOR_TEXT: &[Case] = &[
    ("means", &["A"], &[("n", 129)]),
    ("rows", &["A", "b"], &[("n", 129)]),
    ("half", &["A", "b"], &[("n", 129)]),
    ("differences", &["X"], &[("n", 128)]),
    ("places", &["A"], &[("n", 4)]),
    ("kept", &["A", "y"], &[("n", 129)]),
    ("both", &["A"], &[("n", 129), ("m", 31)]),
];

const MDH_TEXT: &[Case] = &[
    ("matvec", &["M", "v"], &[("I", 129)]),
    ("mean", &["A"], &[("N", 5)]),
    ("below", &["A"], &[("N", 129), ("M", 31)]),
];

/// Sizes of nothing, one, an odd number, the bound, each on these back ends
fn of_file(file: &str, cases: &[Case], names: &[&str]) {
    let here = common::backends::here("extents");
    let list: Vec<&str> = names.iter().copied().filter(|name| here.contains(name)).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends").join(file);
    for (entry, arguments, sizes) in cases {
        // Devices of this machine may lack f16.
        let list: Vec<&str> =
            list.iter().copied().filter(|name| *entry != "half" || *name != "opencl").collect();
        let least = sizes.iter().map(|(_, most)| *most).min().unwrap_or(0);
        for given in [0, 1, 2 * (least / 4) + 1, i64::MAX] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
            command.arg(&path).arg(format!("--entry=@{entry}")).arg(format!("--compare={}", list.join(",")));
            command.args(sizes.iter().map(|(name, most)| format!("--in={name}=fill:{}", given.min(*most))));
            command
                .args(arguments.iter().enumerate().map(|(n, name)| format!("--in={name}=random:{}", n + 1)));
            let shown = stdout(&command.output().expect("cargo built the tool"));
            for name in &list[1..] {
                assert!(shown.contains(&format!("{name} and interp: ")), "{entry} of {given}:\n{shown}");
            }
        }
    }
}

#[test]
fn tensor_text_on_processors() {
    of_file("tensor/extents.tensor", TENSOR_TEXT, &["interp", "host", "openmp"]);
}

#[test]
fn tensor_text_on_devices() {
    of_file("tensor/extents.tensor", TENSOR_TEXT, &["interp", "opencl"]);
}

#[test]
fn mdh_text() {
    of_file("mdh/extents.mdh", MDH_TEXT, &["interp", "host", "openmp", "opencl"]);
}
