//! The papers' listings against plain loops, on more and larger inputs than fit into the file that has them.

use crate::common;

use common::{Tensor, float, int};
use terrace_interp::RtValue;
use terrace_support::Random;

const FILE: &str = include_str!("../../../test-files/dialects/array/listings.mlir");

/// What a function of the file gives; `bind` replaces the numbers it binds
fn run(name: &str, bind: (&str, &str), args: Vec<RtValue>) -> RtValue {
    assert!(bind.0.is_empty() || FILE.contains(bind.0), "the file binds {}", bind.0);
    let text = FILE.replace(if bind.0.is_empty() { "\u{0}" } else { bind.0 }, bind.1);
    common::run(&text, name, args)
}

#[test]
fn two_nests_of_the_first_listing() {
    let input = Tensor::random(&[3, 4, 5], &mut Random::new(1));
    let want = Tensor::made(&[3, 4, 5], |at| (input.at(at) + 3) * 3);
    assert_eq!(run("two_nests", ("", ""), vec![input.value(&int), int(3)]), want.value(&int));
}

#[test]
fn convolutions_of_several_strides() {
    for (height, width, sy, sx, r, s) in [(9, 7, 1, 1, 3, 3), (9, 8, 2, 3, 3, 2), (5, 6, 2, 1, 1, 1)] {
        let mut random = Random::new(2);
        let input = Tensor::random(&[height, width, 3], &mut random);
        let kernels = Tensor::random(&[4, r, s, 3], &mut random);
        let want = Tensor::made(&[(height - r) / sy + 1, (width - s) / sx + 1, 4], |at| {
            let mut sum = 0;
            for (y, x) in (0..r).flat_map(|y| (0..s).map(move |x| (y, x))) {
                for c in 0..3 {
                    sum += input.at(&[at[0] * sy + y, at[1] * sx + x, c]) * kernels.at(&[at[2], y, x, c]);
                }
            }
            sum
        });
        let bind = format!("{{sx = {sx}, sy = {sy}}}");
        let found =
            run("conv", ("{sx = 1, sy = 1}", &bind), vec![input.value(&float), kernels.value(&float)]);
        assert_eq!(found, want.value(&float), "{height} x {width}, strides {sy}, {sx}");
    }
}

#[test]
fn parts_in_parts() {
    for (s0, s1) in [(4, 2), (6, 3), (12, 1), (1, 1)] {
        let input = Tensor::random(&[24], &mut Random::new(3));
        let want = Tensor::made(&[24], |at| input.at(at) * 3 + 5);
        let bind = format!("{{s0 = {s0}, s1 = {s1}}}");
        let found = run("tiled", ("{s0 = 4, s1 = 2}", &bind), vec![input.value(&int), int(3), int(5)]);
        assert_eq!(found, want.value(&int), "{s0}, {s1}");
    }
}

#[test]
fn stencil_of_three_by_three() {
    let mut random = Random::new(4);
    let (input, weights) = (Tensor::random(&[7, 6], &mut random), Tensor::random(&[3, 3], &mut random));
    let want = Tensor::made(&[5, 4], |at| {
        (0..9).map(|n| input.at(&[at[0] + n / 3, at[1] + n % 3]) * weights.at(&[n / 3, n % 3])).sum::<i64>()
            + 2
    });
    let args = vec![input.value(&int), weights.value(&int), int(2)];
    assert_eq!(run("stencil", ("", ""), args), want.value(&int));
}

#[test]
fn layers_with_borders_and_biases() {
    // Height and width differ, and so do the borders.
    for (pt, pb, pl, pr, stride, k) in [(1, 1, 1, 1, 1, 3), (0, 2, 1, 0, 2, 3), (0, 0, 0, 0, 1, 1)] {
        let mut random = Random::new(5);
        let input = Tensor::random(&[6, 5, 2], &mut random);
        let kernels = Tensor::random(&[3, k, k, 2], &mut random);
        let biases = Tensor::random(&[3], &mut random);
        let sizes = [3, (6 + pt + pb - k) / stride + 1, (5 + pl + pr - k) / stride + 1];
        let want = Tensor::made(&sizes, |at| {
            let mut sum = biases.at(&[at[0]]);
            for (y, x) in (0..k).flat_map(|y| (0..k).map(move |x| (y, x))) {
                let inside = |at: usize, by: usize, size: usize| at.checked_sub(by).filter(|at| *at < size);
                let row = inside(at[1] * stride + y, pt, 6);
                if let Some((row, column)) = row.zip(inside(at[2] * stride + x, pl, 5)) {
                    sum += (0..2)
                        .map(|c| input.at(&[row, column, c]) * kernels.at(&[at[0], y, x, c]))
                        .sum::<i64>();
                }
            }
            sum
        });
        let bind = format!("{{pb = {pb}, pl = {pl}, pr = {pr}, pt = {pt}, s = {stride}}}");
        let args = vec![input.value(&int), kernels.value(&int), biases.value(&int)];
        let found = run("layer", ("{pb = 1, pl = 1, pr = 1, pt = 1, s = 1}", &bind), args);
        assert_eq!(found, want.value(&int), "{bind}");
    }
}

/// Tiles, then windows in them, each against each kernel, in sums over chunks of far elements
#[test]
fn partial_sums_of_tiles() {
    // (channels, kernel, tile, step of tiles, kernels together, windows together, chunk, vector)
    let cases = [
        (4, 2, 3, 2, 2, 2, 8, 4),
        (8, 2, 4, 3, 1, 3, 16, 4),
        (4, 3, 3, 1, 4, 1, 4, 2),
        (6, 2, 3, 2, 4, 4, 3, 1),
    ];
    for (c, k, theta, ts, ka, sg, om, v) in cases {
        let mut random = Random::new(6);
        let (height, width) = (theta + 2 * ts, theta + ts);
        let input = Tensor::random(&[height, width, c], &mut random);
        let kernels = Tensor::random(&[4, k, k, c], &mut random);
        let (tiles, across, windows) = ([3, 2], theta - k + 1, (theta - k + 1) * (theta - k + 1));
        let (size, chunks) = (k * k * c, k * k * c / om);
        let shape = [tiles[0] * tiles[1], 4 / ka, ka, windows / sg, sg, chunks];
        let want = Tensor::made(&shape, |at| {
            let (tile, kernel, window) = (at[0], at[1] * ka + at[2], at[3] * sg + at[4]);
            let (row, column) =
                (tile / tiles[1] * ts + window / across, tile % tiles[1] * ts + window % across);
            let mut sum = 0;
            for vector in (0..om / v).map(|u| at[5] + chunks * u) {
                for n in v * vector..v * vector + v {
                    let (y, x, channel) = (n / (k * c), n / c % k, n % c);
                    sum += input.at(&[row + y, column + x, channel]) * kernels.at(&[kernel, y, x, channel]);
                }
            }
            sum
        });
        assert_eq!(size, chunks * om);
        let bind = format!(
            "{{K = {k}, ka = {ka}, om = {om}, s = 1, sg = {sg}, theta = {theta}, ts = {ts}, v = {v}}}"
        );
        let args = vec![input.value(&int), kernels.value(&int)];
        let old = "{K = 2, ka = 2, om = 8, s = 1, sg = 2, theta = 3, ts = 2, v = 4}";
        assert_eq!(run("partial", (old, &bind), args), want.value(&int), "{bind}");
    }
}
