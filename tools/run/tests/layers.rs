//! Convolutions as array programs, from one source each, on every back end: the shapes of VGG-16 at reduced sizes, and others.

use crate::common;

use common::backends::{agree_on, devices, here};
use common::{command, place, run, stdout};
use std::path::Path;
use terrace_dialect_test::programs::layers::{LARGE, ODD, VGG16};
use terrace_runtime_opencl::{Device, Preference, oclgrind};

const LAYER: &str = include_str!("../../../test-files/programs/layer.mlir");
const FOUR: &str = include_str!("../../../test-files/programs/four_kernels.mlir");

const TILES: &str = include_str!("../../../test-files/programs/tiled_stencil.mlir");

/// Arguments for a height, width, channels in and out, and window
fn args([h, w, c, o, k]: [i64; 5]) -> Vec<String> {
    vec![
        "--in=in=random:1".into(),
        format!("--shape=in={h}x{w}x{c}"),
        "--in=w=random:2".into(),
        format!("--shape=w={o}x{k}x{k}x{c}"),
        "--in=bias=random:3".into(),
        format!("--shape=bias={o}"),
    ]
}

/// Stride and border, and perhaps a mapping
fn pipeline([s, p]: [i64; 2], mapping: &str) -> String {
    format!("--pipeline=array-expand,array-inline,func.func(array-bind{{sizes=s={s},p={p}}}{mapping})")
}

const CPU: &str = ",array-map{device=openmp mapping=Y=task,X=seq,O=fused}";
const GPU: &str = ",array-map{device=opencl mapping=Y=block.x,X=thread.x,O=seq}";

fn layer(name: &str, sizes: [i64; 5], rest: [i64; 2]) {
    for (n, mapping) in ["", CPU].into_iter().enumerate() {
        let test = format!("{name}-{n}");
        let bound = pipeline(
            rest,
            &format!(
                ",array-bind{{sizes=H={},W={},C={},O={},K={}}}{mapping}",
                sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]
            ),
        );
        let args: Vec<String> = args(sizes).into_iter().chain([bound]).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        agree_on(&here(&test), &test, LAYER, &args, "out");
    }
}

fn on_device(name: &str, sizes: [i64; 5], rest: [i64; 2]) {
    if Device::open(&Preference::Any).is_err() {
        println!("skipped: {name} on opencl (needs pocl)");
        return;
    }
    let [h, w, c, o, k] = sizes;
    let bound = pipeline(rest, &format!(",array-bind{{sizes=H={h},W={w},C={c},O={o},K={k}}}{GPU}"));
    let args: Vec<String> = args(sizes).into_iter().chain([bound]).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    agree_on(&devices(name), name, LAYER, &args, "out");
}

#[test]
fn the_nine_of_the_network() {
    for (n, [h, w, c, o, k, s, p]) in VGG16.into_iter().enumerate() {
        layer(&format!("vgg{n}"), [h, w, c, o, k], [s, p]);
        on_device(&format!("vggdev{n}"), [h, w, c, o, k], [s, p]);
    }
}

#[test]
fn odd_sizes_and_large_windows() {
    for (n, [h, w, c, o, k, s, p]) in ODD.into_iter().chain(LARGE).enumerate() {
        layer(&format!("other{n}"), [h, w, c, o, k], [s, p]);
        on_device(&format!("otherdev{n}"), [h, w, c, o, k], [s, p]);
    }
}

const SIZES: &str = "--pipeline=array-expand,array-inline,func.func(array-bind{sizes=H=7,W=7,C=8,M=4,K=3,p=1,r=2,theta=5,ts=3,ka=2,sg=3,om=24})";

#[test]
fn four_kernels() {
    if Device::open(&Preference::Any).is_err() {
        println!("skipped: four_kernels (needs pocl)");
        return;
    }
    let args: Vec<String> = args([7, 7, 8, 4, 3]).into_iter().chain([SIZES.to_string()]).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    agree_on(&devices("four"), "four", FOUR, &args, "out");
}

#[test]
fn times_are_those_of_all_kernels() {
    if Device::open(&Preference::Any).is_err() {
        println!("skipped: times_are_those_of_all_kernels (needs pocl)");
        return;
    }
    let args: Vec<String> = args([7, 7, 8, 4, 3]).into_iter().chain([SIZES.to_string()]).collect();
    let all = args.iter().map(String::as_str).chain(["--on=opencl", "--bench=5"]);
    let shown = stdout(&run("four-times", FOUR, &all.collect::<Vec<_>>()));
    let line: serde_json::Value = serde_json::from_str(&shown).expect("a line of JSON");
    let kernels = line["kernels"].as_array().expect("a list of kernels");
    // The border, partial sums, their sums, the cut, each by the device's own clock.
    let names: Vec<&str> = kernels.iter().filter_map(|kernel| kernel["kernel"].as_str()).collect();
    assert_eq!(names, ["conv_kernel", "conv_kernel_1", "conv_kernel_2", "conv_kernel_3"]);
    let times: Vec<u64> = kernels.iter().filter_map(|kernel| kernel["ns"].as_u64()).collect();
    assert!(times.iter().all(|time| *time > 0), "{shown}");
    assert_eq!(line["median_ns"].as_u64(), Some(times.iter().sum()), "{shown}");
}

#[test]
fn tiles_in_local_memory() {
    if Device::open(&Preference::Any).is_err() {
        println!("skipped: tiles_in_local_memory (needs pocl)");
        return;
    }
    agree_on(&devices("tiles"), "tiles", TILES, &["--in=in=random:1"], "all");
}

/// Run on the simulator, which must find nothing; the result is there
fn grind(test: &str, text: &str, args: &[&str], result: &str) {
    if !Path::new(oclgrind::LIBRARY).is_file() {
        println!("skipped: {test} (needs oclgrind)");
        return;
    }
    let log = place(&format!("{test}.log"));
    let report = oclgrind::run_child(command(test, text, args), Path::new(oclgrind::LIBRARY), &log);
    let report = report.expect("oclgrind runs");
    let _ = std::fs::remove_file(place(&format!("{test}.mlir")));
    assert!(stdout(&report.output).contains(result), "{}", stdout(&report.output));
    assert_eq!(report.findings, []);
}

#[test]
fn oclgrind_finds_nothing_in_tiles() {
    grind("grind-tiles", TILES, &["--in=in=random:1", "--on=opencl"], "all : 16x32xf32");
}

#[test]
fn oclgrind_finds_nothing_in_four_kernels() {
    let args: Vec<String> =
        args([7, 7, 8, 4, 3]).into_iter().chain([SIZES.to_string(), "--on=opencl".to_string()]).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    grind("grind-four", FOUR, &args, "out : 7x7x4xf32");
}

/// A layer under a mapping
fn grind_layer(test: &str, sizes: [i64; 5], rest: [i64; 2], mapping: &str) {
    let ([h, w, c, o, k], [s, p]) = (sizes, rest);
    let map = format!(
        ",array-bind{{sizes=H={h},W={w},C={c},O={o},K={k}}},array-map{{device=opencl mapping={mapping}}}"
    );
    let bound = pipeline(rest, &map);
    let args: Vec<String> = args(sizes).into_iter().chain([bound, "--on=opencl".into()]).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (oh, ow) = ((h + 2 * p - k) / s + 1, (w + 2 * p - k) / s + 1);
    grind(test, LAYER, &args, &format!("out : {oh}x{ow}x{o}xf32"));
}

const MAPPINGS: [&str; 2] = ["Y=block.x,X=thread.x,O=seq", "Y=global.z,X=global.y,O=global.x"];

#[test]
fn oclgrind_finds_nothing_in_layers() {
    grind_layer("grind-vgg", [4, 4, 8, 8, 3], [1, 1], MAPPINGS[0]);
    grind_layer("grind-odd", [5, 7, 3, 5, 3], [1, 1], MAPPINGS[1]);
    grind_layer("grind-one", [4, 6, 5, 3, 1], [1, 0], MAPPINGS[0]);
    grind_layer("grind-seven", [9, 11, 2, 3, 7], [2, 3], MAPPINGS[0]);
}

/// `cargo test -p terrace-run layers:: -- --ignored`
#[test]
#[ignore = "half a minute on a simulator"]
fn oclgrind_finds_nothing_in_any_layer() {
    for (n, [h, w, c, o, k, s, p]) in VGG16.into_iter().chain(ODD).chain(LARGE).enumerate() {
        let (sizes, rest) = ([h, w, c, o, k], [s, p]);
        for (m, mapping) in MAPPINGS.into_iter().enumerate() {
            grind_layer(&format!("grind-all-{n}-{m}"), sizes, rest, mapping);
        }
    }
    // In four kernels, three and two.
    for (n, [size, c, m, k, p, r, theta, ts, ka, sg, om]) in [
        [7, 8, 4, 3, 1, 2, 5, 3, 2, 3, 24],
        [6, 8, 4, 3, 1, 0, 5, 3, 2, 3, 24],
        [8, 8, 4, 3, 0, 0, 5, 3, 2, 9, 24],
        [6, 16, 4, 3, 1, 0, 8, 6, 4, 6, 144],
        [4, 8, 2, 1, 0, 0, 2, 2, 1, 2, 4],
    ]
    .into_iter()
    .enumerate()
    {
        let sizes = format!(
            "--pipeline=array-expand,array-inline,func.func(array-bind{{sizes=H={size},W={size},C={c},M={m},K={k},p={p},r={r},theta={theta},ts={ts},ka={ka},sg={sg},om={om}}})"
        );
        let args: Vec<String> =
            args([size, size, c, m, k]).into_iter().chain([sizes, "--on=opencl".to_string()]).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let out = size + 2 * p - k + 1;
        grind(&format!("grind-four-{n}"), FOUR, &args, &format!("out : {out}x{out}x{m}xf32"));
    }
}
