//! Functions of tensor expressions whose values `test-files/frontends/tensor` states for the interpreter: other back ends agree with
//! it on random numbers.

use crate::common;

use std::path::Path;
use std::process::Command;

/// One function of a file, with the names of its arguments, on these back ends
#[track_caller]
fn agree(file: &str, (entry, arguments): (&str, &str), list: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/tensor").join(file);
    let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-run"));
    command.arg(path).arg(format!("--entry=@{entry}")).arg(format!("--compare={list}"));
    for (n, name) in arguments.split_whitespace().enumerate() {
        command.arg(format!("--in={name}=random:{}", n + 1));
    }
    let shown = common::stdout(&command.output().expect("cargo built the tool"));
    for name in list.split(',').skip(1) {
        assert!(shown.contains(&format!("{name} and interp: ")), "{file} {entry} on {name}:\n{shown}");
    }
}

#[track_caller]
fn all_agree(file: &str, functions: &[(&str, &str)]) {
    let (here, devices) =
        (common::backends::here("tensor_files"), common::backends::with_devices("tensor_files"));
    for (n, function) in functions.iter().enumerate() {
        // Drivers compile for seconds: the first of each goes through them.
        agree(file, *function, if n == 0 { &devices } else { &here });
    }
}

#[test]
fn products() {
    let all = [
        ("batched", "A B"),
        ("both_transposed", "A B"),
        ("transposed_result", "A B"),
        ("diagonal", "A"),
        ("double_contraction", "P Q"),
        ("chain_text", "A B C"),
    ];
    all_agree("einsums.tensor", &all);
}

#[test]
fn products_of_other_operators() {
    let all = [
        ("max_plus", "A B"),
        ("min_of_max", "A B"),
        ("distances", "X Y"),
        ("kronecker", "a b"),
        ("heads", "Q K"),
        ("integers", "A B"),
    ];
    all_agree("einsums.tensor", &all);
}

#[test]
fn convolutions() {
    let all = [
        ("image_strides_differ", "X W"),
        ("strided_and_dilated", "x w"),
        ("same_padding", "x w"),
        ("groups", "X W"),
        ("transposed_stride", "x w"),
        ("nhwc", "X W"),
    ];
    all_agree("windows.tensor", &all);
}

#[test]
fn pools() {
    let all = [
        ("max_pool", "X"),
        ("min_pool_overlapping", "X"),
        ("global_pools", "X"),
        ("pool_places", "X"),
        ("folded", "M"),
    ];
    all_agree("windows.tensor", &all);
}

#[test]
fn reductions_and_prefixes() {
    let all = [
        ("along_each", "A"),
        ("range_of_each", "A"),
        ("triangles", "A"),
        ("prefix_in_rows", "A"),
        ("rows_then_prefix", "A"),
        ("place_in_matrix", "A"),
    ];
    all_agree("reductions.tensor", &all);
}

#[test]
fn networks() {
    let all = [
        ("dense_relu", "X W b"),
        ("softmax_2", "Z"),
        ("layer_norm", "X g b"),
        ("attention", "Q K V"),
        ("conv_gradient", "x w dy"),
    ];
    all_agree("layers.tensor", &all);
}
