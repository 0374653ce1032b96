//! Layers of networks from one program, by value against plain loops: the nine shapes of VGG-16 at reduced sizes, and others.

mod common;

use common::{DOWN, lower, on_buffers, parse, types, verify};
use terrace_interp::RtValue;

const PROGRAM: &str = include_str!("../../../test-files/programs/layer.mlir");

const FOUR: &str = include_str!("../../../test-files/programs/four_kernels.mlir");

/// Height, width, channels in and out, window, stride, border
struct Layer(i64, i64, i64, i64, i64, i64, i64);

fn numbers(value: &RtValue, out: &mut Vec<f64>) {
    match value {
        RtValue::Vector(all) => all.iter().for_each(|value| numbers(value, out)),
        other => out.extend(other.as_f64()),
    }
}

impl Layer {
    /// By its definition
    fn plain(&self, input: &[f64], w: &[f64], bias: &[f64]) -> Vec<Option<f64>> {
        let &Layer(h, wd, c, o, k, s, p) = self;
        let (oh, ow) = ((h + 2 * p - k) / s + 1, (wd + 2 * p - k) / s + 1);
        let mut out = Vec::new();
        for y in 0..oh {
            for x in 0..ow {
                for n in 0..o {
                    let mut sum = bias[n as usize];
                    for (dy, dx) in (0..k).flat_map(|dy| (0..k).map(move |dx| (dy, dx))) {
                        let (iy, ix) = (y * s + dy - p, x * s + dx - p);
                        if !(0..h).contains(&iy) || !(0..wd).contains(&ix) {
                            continue;
                        }
                        for ch in 0..c {
                            let a = input[((iy * wd + ix) * c + ch) as usize];
                            sum += a * w[(((n * k + dy) * k + dx) * c + ch) as usize];
                        }
                    }
                    out.push(Some(sum));
                }
            }
        }
        out
    }

    /// With levels of the maps Y, X and O
    fn check(&self, levels: [&str; 3]) {
        let &Layer(h, w, c, o, k, s, p) = self;
        let mut text = PROGRAM.to_string();
        for (map, level) in ["%ws as", "%line as", "%bias) as"].into_iter().zip(levels) {
            text = text.replace(map, &map.replace(" as", &format!(" : {level} as")));
        }
        let sizes = format!("H={h},W={w},C={c},O={o},K={k},s={s},p={p}");
        self.check_text(&text, "layer", &sizes);
    }

    fn check_text(&self, text: &str, name: &str, sizes: &str) {
        let mut ir = parse(text);
        let bound = format!("array-expand,array-inline,func.func(array-bind{{sizes={sizes}}})");
        lower(&mut ir, &bound).unwrap_or_else(|why| panic!("{why}"));
        let source = types(&ir, name);
        let inputs: Vec<Vec<f64>> = (0..3)
            .map(|n| {
                let mut all = Vec::new();
                numbers(&common::input(ir.cx(), source.0[n], &mut 0, n), &mut all);
                all
            })
            .collect();
        let wanted = self.plain(&inputs[0], &inputs[1], &inputs[2]);
        for step in ["func.func(array-place,array-to-sched)", DOWN] {
            lower(&mut ir, step).unwrap_or_else(|why| panic!("{why}"));
            verify(&ir, text);
            let found = on_buffers(&ir, name, &source).unwrap_or_else(|why| panic!("{step}: {why}"));
            assert!(found == [wanted.clone()], "{sizes}: other values after {step}\n{text}");
        }
    }

    fn checks(&self) {
        self.check(["seq", "seq", "seq"]);
        self.check(["task", "fused", "seq"]);
        self.check(["block.y", "block.x", "thread.x"]);
        self.check(["global.z", "global.y", "global.x"]);
    }
}

#[test]
fn the_nine_of_the_network() {
    let reduced = [
        (3, 4, 8),
        (4, 4, 8),
        (4, 6, 6),
        (6, 6, 6),
        (6, 8, 4),
        (8, 8, 4),
        (8, 10, 3),
        (10, 10, 3),
        (10, 10, 2),
    ];
    for (c, o, size) in reduced {
        Layer(size, size, c, o, 3, 1, 1).checks();
    }
}

#[test]
fn odd_sizes() {
    Layer(5, 7, 3, 5, 3, 1, 1).checks();
    Layer(7, 5, 2, 3, 3, 2, 1).checks();
    Layer(4, 6, 5, 3, 1, 1, 0).checks();
    Layer(5, 5, 3, 2, 1, 2, 0).checks();
}

#[test]
fn large_windows() {
    Layer(9, 11, 2, 3, 7, 2, 3).checks();
    Layer(15, 13, 2, 2, 11, 4, 2).checks();
}

#[test]
fn in_four_kernels() {
    // Rows that are added so that tiles fit, their size and step; kernels and windows together; size of chunks.
    for (layer, rest) in [
        (Layer(7, 7, 8, 4, 3, 1, 1), "r=2,theta=5,ts=3,ka=2,sg=3,om=24"),
        (Layer(7, 10, 4, 6, 3, 1, 1), "r=2,theta=5,ts=3,ka=3,sg=1,om=12"),
        (Layer(6, 6, 16, 4, 3, 1, 1), "r=0,theta=8,ts=6,ka=4,sg=6,om=144"),
        (Layer(4, 4, 8, 2, 1, 1, 0), "r=0,theta=2,ts=2,ka=1,sg=2,om=4"),
    ] {
        let Layer(h, w, c, o, k, _, p) = layer;
        layer.check_text(FOUR, "conv", &format!("H={h},W={w},C={c},M={o},K={k},p={p},{rest}"));
    }
}
