//! Layers of networks from one program, by value against plain loops: the nine shapes of VGG-16 at reduced sizes, and others.

use crate::common;

use common::{DOWN, lower, on_buffers, parse, print, types, verify};
use terrace_dialect_array::types::split_type;
use terrace_dialect_test::programs::layers;
use terrace_interp::RtValue;

const PROGRAM: &str = include_str!("../../../test-files/programs/layer.mlir");

const FOUR: &str = include_str!("../../../test-files/programs/four_kernels.mlir");

/// The same with everything open that is searched
const SEARCHED: &str = include_str!("../../../test-files/programs/conv_search.mlir");

/// Height, width, channels in and out, window, stride, border
struct Layer(i64, i64, i64, i64, i64, i64, i64);

fn numbers(value: &RtValue, out: &mut Vec<f64>) {
    match value {
        RtValue::Vector(all) => all.iter().for_each(|value| numbers(value, out)),
        other => out.extend(other.as_f64()),
    }
}

impl Layer {
    fn of([h, w, c, o, k, s, p]: layers::Sizes) -> Layer {
        Layer(h, w, c, o, k, s, p)
    }

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
    layers::VGG16.into_iter().for_each(|sizes| Layer::of(sizes).checks());
}

#[test]
fn odd_sizes() {
    layers::ODD.into_iter().for_each(|sizes| Layer::of(sizes).checks());
}

#[test]
fn large_windows() {
    layers::LARGE.into_iter().for_each(|sizes| Layer::of(sizes).checks());
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

/// One number may be the extent of several loops: which of them fill a tile follows from the sums in which they stand
#[test]
fn in_four_kernels_whatever_the_numbers_have_in_common() {
    let (program, _) = SEARCHED.split_once("tune.space").expect("its space is behind it");
    let mut count = 0;
    for (layer, [r, theta], groups) in [
        (Layer(6, 6, 3, 2, 3, 1, 1), [6, 8], &[3, 6, 9, 18, 36][..]),
        (Layer(8, 4, 6, 2, 3, 1, 1), [0, 6], &[1, 4, 8, 16][..]),
    ] {
        let Layer(h, w, c, o, k, _, p) = layer;
        for sg in groups {
            for (om, v) in [(1, 1), (3, 1), (3, 3), (9, 1), (9, 3), (27, 1), (27, 3)] {
                let level = if count % 2 == 0 { "unroll" } else { "seq" };
                let text = program.replace("@unroll", level);
                let (ts, co) = (theta - 2, count / 2 % 2);
                let sizes = format!(
                    "H={h},W={w},C={c},M={o},K={k},p={p},r={r},theta={theta},ts={ts},ka=2,sg={sg},om={om},v={v},co={co}"
                );
                layer.check_text(&text, "conv", &sizes);
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn kernels_with_nothing_to_do_are_left_out() {
    let layer = |size, p| Layer(size, size, 8, 4, 3, 1, p);
    let rest = "theta=5,ts=3,ka=2,sg=3,om=24";
    for (layer, added, kernels) in [
        // The border, partial sums, their sums, the cut.
        (layer(7, 1), 2, 4),
        // Nothing to add, but to cut; a border, but nothing to cut; neither.
        (layer(6, 0), 2, 4),
        (layer(6, 1), 0, 3),
        (layer(8, 0), 0, 2),
    ] {
        let Layer(h, w, c, o, k, _, p) = layer;
        let sizes = format!("H={h},W={w},C={c},M={o},K={k},p={p},r={added},{rest}");
        layer.check_text(FOUR, "conv", &sizes);
        let mut ir = parse(FOUR);
        let all = format!(
            "array-expand,array-inline,func.func(array-bind{{sizes={sizes}}},array-place,array-to-sched)"
        );
        lower(&mut ir, &all).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(print(&ir).matches("sched.kernel").count(), kernels, "{sizes}");
    }
}

/// A layer of any stride, with the names that the strategy knows
const STRIDED: &str = "
func.func @layer(%in: !array.of<@H x @W x @C x f32>, %w: !array.of<@O x @K x @K x @C x f32>, %bias: !array.of<@O x f32>) -> !array.of<(@H + 2 * @p - @K) floordiv @s + 1 x (@W + 2 * @p - @K) floordiv @s + 1 x @O x f32> {
  %z = arith.constant 0.0 : f32
  %pd = array.pad_nd [(@p, @p), (@p, @p)] value %z %in
  %ws = array.slide_nd [@K, @K] by [@s, @s] %pd
  %o0 = array.map_nd 2 %ws as %win {
    %r = array.map (array.zip %w, %bias) as %k, %b {
      %s = array.reduce add init %b (array.zip (array.join_nd 3 %win), (array.join_nd 3 %k)) as %x, %y {
        %m = arith.mulf %x, %y : f32
        array.yield %m
      }
      array.yield %s
    }
    array.yield %r
  }
  return %o0 : !array.of<(@H + 2 * @p - @K) floordiv @s + 1 x (@W + 2 * @p - @K) floordiv @s + 1 x @O x f32>
}
";

/// How many elements the outermost slices leave out
fn cut(ir: &terrace_ir::Ir) -> Vec<i64> {
    let function = ir.walk().find_map(|op| ir.child(op)).expect("a function");
    let size = |value| {
        let (size, _) = split_type(ir.cx(), function.ty(value)).expect("an array");
        size.as_constant().expect("bound")
    };
    let slices = function.walk().filter(|op| function.op_name(*op) == "array.slice");
    slices.map(|op| size(function.operand(op, 0)) - size(function.result(op, 0))).collect()
}

#[test]
fn cuts_are_whole_where_strides_are_not_one() {
    // Rows and columns that are added, size of tiles; what is cut of each.
    for (layer, added, theta, expected) in [
        // Windows cover all of the input: the stride divides what is added.
        (Layer(7, 7, 4, 4, 3, 2, 1), 4, 5, 2),
        (Layer(9, 9, 4, 2, 3, 2, 1), 2, 5, 1),
        (Layer(10, 10, 4, 2, 4, 3, 0), 3, 7, 1),
        // A row and a column are in no window; with them it does.
        (Layer(8, 8, 4, 4, 3, 2, 1), 3, 5, 2),
    ] {
        let Layer(h, w, c, o, k, s, p) = layer;
        let sizes = format!("H={h},W={w},C={c},O={o},K={k},s={s},p={p}");
        let strategy = format!("convBlocked({theta}, {added}, 2, 1, {}, 4)", c * k);
        let mut ir = parse(STRIDED);
        let rewrite = format!("array-bind{{sizes={sizes}}},array-rewrite{{strategy=\"{strategy}\"}}");
        let all = format!("array-expand,array-inline,func.func({rewrite})");
        lower(&mut ir, &all).unwrap_or_else(|why| panic!("{sizes}: {why}"));
        assert_eq!(cut(&ir), [expected, expected], "{sizes}");
        layer.check_text(&print(&ir), "layer", "");
    }
}
