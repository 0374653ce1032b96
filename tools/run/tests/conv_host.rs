//! Convolutions for this processor (`convHost` and its like): small ones on every back end, all layers of VGG-16 at full size against sums in
//! double precision.

use crate::common;

use common::backends::{agree_on, here};
use common::{command, place, stdout};
use std::io::Write;
use std::path::{Path, PathBuf};
use terrace_runtime_opencl::{Device, Preference};
use terrace_support::Random;

const CONV: &str = include_str!("../../../test-files/programs/conv_host.mlir");
const LAYER: &str = include_str!("../../../test-files/programs/layer.mlir");

/// Sizes of a layer: height and width, channels in and out, window, step, border
#[derive(Clone, Copy)]
struct Sizes {
    h: usize,
    c: usize,
    m: usize,
    k: usize,
    s: usize,
    p: usize,
}

impl Sizes {
    fn out(&self) -> usize {
        (self.h + 2 * self.p - self.k) / self.s + 1
    }

    fn bound(&self) -> String {
        let Sizes { h, c, m, k, s, p } = self;
        format!("array-bind{{sizes=H={h},W={h},C={c},M={m},K={k},s={s},p={p}}}")
    }

    /// Rewritten by this strategy, its tasks those of the maps named
    fn pipeline(&self, strategy: &str, tasks: &str) -> String {
        format!("--pipeline=func.func({},{})", self.bound(), rewritten(strategy, tasks))
    }
}

fn rewritten(strategy: &str, tasks: &str) -> String {
    let levels: Vec<String> = tasks.split_whitespace().map(|map| format!("{map}=task")).collect();
    let levels = levels.join(",");
    let map = format!("array-map{{mapping={levels} device=host tags=printed,beyond,type,user}}");
    format!("array-expand,array-rewrite{{strategy=\"{strategy}\"}},{map},array-to-sched")
}

const fn three([h, c, m]: [usize; 3]) -> Sizes {
    Sizes { h, c, m, k: 3, s: 1, p: 1 }
}

fn small(name: &str, sizes: Sizes, strategy: &str, tasks: &str) {
    let Sizes { h, c, m, k, .. } = sizes;
    let args = [
        "--in=in=random:1".to_string(),
        format!("--shape=in={h}x{h}x{c}"),
        "--in=w=random:2".to_string(),
        format!("--shape=w={k}x{k}x{c}x{m}"),
        sizes.pipeline(strategy, tasks),
    ];
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    agree_on(&here(name), name, CONV, &args, "out");
}

#[test]
fn strips_and_panels_agree_on_all_back_ends() {
    small("three", three([8, 5, 32]), "convHost(4, 4, 32, 16)", "blocks");
    small("panels", three([6, 4, 16]), "convHost(6, 3, 8, 4)", "panels");
    small("seven", Sizes { h: 9, c: 3, m: 8, k: 7, s: 2, p: 3 }, "convHost(1, 5, 8, 8)", "blocks");
    small("one", Sizes { h: 4, c: 6, m: 8, k: 1, s: 1, p: 0 }, "convHost(2, 2, 4, 4)", "blocks");
}

#[test]
fn shared_strips_agree_on_all_back_ends() {
    small("shared", three([6, 4, 16]), "convHostShared(3, 3, 8, 4)", "panels strip");
    // Lanes do not divide the channels: the strip is written number by number.
    small("odd", three([4, 3, 8]), "convHostShared(2, 4, 8, 4)", "panels strip");
}

#[test]
fn packed_panels_agree_on_all_back_ends() {
    small("packed", three([6, 4, 16]), "convHostPacked(3, 3, 8, 4)", "blocks packs");
}

#[test]
fn parts_of_channels_agree_on_all_back_ends() {
    small("parts", three([6, 8, 16]), "convHostParts(3, 3, 8, 4, 4)", "panels strip starts");
    small("strips", three([6, 6, 16]), "convHostParts(3, 3, 8, 2, 4)", "blocks");
    let sizes = Sizes { h: 9, c: 4, m: 8, k: 7, s: 2, p: 3 };
    small("stride", sizes, "convHostParts(5, 5, 8, 2, 8)", "panels strip starts");
}

/// Sums that start with the bias of their kernel
#[test]
fn biases_agree_on_all_back_ends() {
    let args = [
        "--in=in=random:1",
        "--shape=in=4x4x8",
        "--in=w=random:2",
        "--shape=w=16x3x3x8",
        "--in=bias=random:3",
        "--shape=bias=16",
        &format!(
            "--pipeline=array-inline,func.func(array-bind{{sizes=H=4,W=4,C=8,O=16,K=3,s=1,p=1}},{})",
            rewritten("convHostParts(4, 4, 8, 4, 4)", "panels strip starts")
        ),
    ];
    agree_on(&here("biases"), "biases", LAYER, &args, "out");
}

/// Numbers in (-1, 1) as a file
fn write(path: &Path, shape: &[usize], seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let count: usize = shape.iter().product();
    let all: Vec<f32> =
        (0..count).map(|_| (random.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0).collect();
    let dims: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({dims}), }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(all.iter().flat_map(|number| number.to_le_bytes()));
    std::fs::write(path, bytes).expect("the folder for temporary files of tests can be written");
    all
}

fn read(path: &Path) -> Vec<f32> {
    let bytes = std::fs::read(path).expect("the tool wrote its result");
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    bytes[start..]
        .chunks_exact(4)
        .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect()
}

/// A sum of products in double precision, and the sum of their magnitudes
fn element(sizes: &Sizes, input: &[f32], w: &[f32], [y, x, o]: [usize; 3]) -> (f64, f64) {
    let Sizes { h, c, m, k, s, p } = *sizes;
    let (mut sum, mut all) = (0.0, 0.0);
    for (r, q) in (0..k).flat_map(|r| (0..k).map(move |q| (r, q))) {
        let (row, column) = ((y * s + r).wrapping_sub(p), (x * s + q).wrapping_sub(p));
        if row >= h || column >= h {
            continue;
        }
        for n in 0..c {
            let product =
                f64::from(input[(row * h + column) * c + n]) * f64::from(w[((r * k + q) * c + n) * m + o]);
            sum += product;
            all += product.abs();
        }
    }
    (sum, all)
}

/// The largest difference from a sum in double precision, in units of its bound
fn worst(sizes: &Sizes, input: &[f32], w: &[f32], found: &[f32]) -> f64 {
    let out = sizes.out();
    assert_eq!(found.len(), out * out * sizes.m);
    assert!(found.iter().all(|number| number.is_finite()));
    let mut random = Random::new(9);
    let ends = [0, out - 1];
    let corners = ends.iter().flat_map(|y| ends.iter().map(move |x| [*y, *x]));
    let borders: Vec<[usize; 2]> =
        (0..out).flat_map(|at| [[at, 0], [0, at], [at, out - 1], [out - 1, at]]).collect();
    let mut places: Vec<[usize; 2]> = corners.chain(borders).collect();
    places.extend((0..2000).map(|_| [random.below(out as u64) as usize, random.below(out as u64) as usize]));
    let mut most = 0.0f64;
    for [y, x] in places {
        let o = random.below(sizes.m as u64) as usize;
        let (sum, all) = element(sizes, input, w, [y, x, o]);
        let bound = (sizes.k * sizes.k * sizes.c + 2) as f64 * f64::from(f32::EPSILON) * all;
        most = most.max((f64::from(found[(y * out + x) * sizes.m + o]) - sum).abs() / bound.max(1e-30));
    }
    most
}

fn run(test: &str, text: &str, args: &[String]) -> Vec<f32> {
    let out = place(&format!("{test}-out.npy"));
    let mut args = args.to_vec();
    args.push(format!("--out=out={}", out.display()));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    stdout(&command(test, text, &args).output().expect("cargo built the tool"));
    let found = read(&out);
    for left in [out, place(&format!("{test}.mlir"))] {
        std::fs::remove_file(left).expect("it was there");
    }
    found
}

/// The nine, rewritten for this processor through LLVM, and mapped to a device through OpenCL C
#[test]
#[ignore = "the layers of VGG-16 at full size: about two minutes"]
fn the_nine_at_full_size() {
    let nine = [
        ([224, 3, 64], "convHost(4, 4, 64, 16)", "blocks"),
        ([224, 64, 64], "convHostPacked(8, 14, 32, 16)", "blocks packs"),
        ([112, 64, 128], "convHost(14, 14, 32, 16)", "blocks"),
        ([112, 128, 128], "convHostShared(7, 14, 32, 16)", "panels strip"),
        ([56, 128, 256], "convHostParts(28, 14, 32, 32, 16)", "panels strip starts"),
        ([56, 256, 256], "convHostParts(28, 14, 32, 64, 16)", "panels strip starts"),
        ([28, 256, 512], "convHostParts(28, 14, 32, 64, 16)", "panels strip starts"),
        ([28, 512, 512], "convHostParts(7, 14, 32, 128, 16)", "blocks"),
        ([14, 512, 512], "convHostParts(14, 14, 32, 128, 16)", "panels strip starts"),
    ];
    let device = Device::open(&Preference::Any).is_ok();
    if !device {
        println!("skipped: nine layers on opencl (needs pocl)");
    }
    for (n, (layer, strategy, tasks)) in nine.into_iter().enumerate() {
        let sizes = three(layer);
        let Sizes { h, c, m, k, s, p } = sizes;
        let files: [PathBuf; 2] = [place(&format!("full{n}-in.npy")), place(&format!("full{n}-w.npy"))];
        let input = write(&files[0], &[h, h, c], n as u64 + 1);
        let w = write(&files[1], &[k, k, c, m], n as u64 + 101);
        let given = |file: usize, name: &str| format!("--in={name}={}", files[file].display());
        let args = [given(0, "in"), given(1, "w"), "--on=host".into(), sizes.pipeline(strategy, tasks)];
        let found = run(&format!("full{n}-host"), CONV, &args);
        let off = worst(&sizes, &input, &w, &found);
        assert!(off <= 1.0, "{layer:?} on the host: {off} times the bound");
        println!("{layer:?} on the host: {off:.2} of the bound");
        if device {
            // The layer that starts with a bias, on a grid: weights kernel by kernel.
            let turned: Vec<f32> =
                (0..m).flat_map(|o| (0..k * k * c).map(move |at| at * m + o)).map(|at| w[at]).collect();
            let (weights, bias) = (place(&format!("full{n}-wt.npy")), place(&format!("full{n}-b.npy")));
            write(&weights, &[m, k, k, c], 0);
            overwrite(&weights, &turned);
            write(&bias, &[m], 0);
            overwrite(&bias, &vec![0.0; m]);
            let bound = format!("array-bind{{sizes=H={h},W={h},C={c},O={m},K={k},s={s},p={p}}}");
            let map = "array-map{device=opencl mapping=Y=block.x,X=thread.x,O=seq}";
            let args = [
                given(0, "in"),
                format!("--in=w={}", weights.display()),
                format!("--in=bias={}", bias.display()),
                "--on=opencl".into(),
                format!("--pipeline=array-expand,array-inline,func.func({bound},{map})"),
            ];
            let found = run(&format!("full{n}-device"), LAYER, &args);
            let off = worst(&sizes, &input, &w, &found);
            assert!(off <= 1.0, "{layer:?} on a device: {off} times the bound");
            println!("{layer:?} on a device: {off:.2} of the bound");
            for file in [weights, bias] {
                std::fs::remove_file(file).expect("it was there");
            }
        }
        for file in files {
            std::fs::remove_file(file).expect("it was there");
        }
    }
    std::io::stdout().flush().expect("standard output is open");
}

/// Other numbers in a file of numbers
fn overwrite(path: &Path, all: &[f32]) {
    let mut bytes = std::fs::read(path).expect("it was written");
    let start = bytes.len() - 4 * all.len();
    bytes.truncate(start);
    bytes.extend(all.iter().flat_map(|number| number.to_le_bytes()));
    std::fs::write(path, bytes).expect("the folder for temporary files of tests can be written");
}

/// Of one feature with a border, and a window of one element: nothing is summed, and the border is in the result
#[test]
fn a_border_around_single_products() {
    let text = "\
func.func @f(%x: tensor<1x1x3x4xi32>, %w: tensor<2x1x1x1xi32>) -> tensor<1x2x5x6xi32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x3x4xi32>, tensor<2x1x1x1xi32>) -> tensor<1x2x5x6xi32>
  return %r : tensor<1x2x5x6xi32>
}
";
    agree_on(&here("conv-border"), "border", text, &["--in=x=iota", "--in=w=fill:3"], "r");
}
