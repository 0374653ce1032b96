//! What strategies make of convolutions, lowered: the same values as arrays, as scheduled loops and as structured code.

#[path = "../../../lowering/array/tests/common/mod.rs"]
mod common;

use common::{DOWN, as_it_is, lower, on_buffers, parse, types, verify};
use terrace_dialect_test::programs::layers::layer;
use terrace_passes_array::count::Counts;

/// Height, width, channels, kernels, window, stride, border
struct Layer(i64, i64, i64, i64, i64, i64, i64);

impl Layer {
    fn text(&self) -> String {
        let &Layer(h, w, c, o, k, s, p) = self;
        layer([h, w, c, o, k, s, p], "f32")
    }

    /// Rewritten by a strategy and lowered: the values that it had
    fn check(&self, strategy: &str) {
        let text = self.text();
        let mut ir = parse(&text);
        let run = |ir: &mut terrace_ir::Ir, step: &str| {
            lower(ir, step).unwrap_or_else(|why| panic!("{strategy}, {step}: {why}"));
            verify(ir, &text);
        };
        run(&mut ir, "func.func(array-expand)");
        let source = types(&ir, "layer");
        let wanted = as_it_is(&ir, "layer").expect("has a value");
        run(&mut ir, &format!("func.func(array-rewrite{{strategy=\"{strategy}\"}})"));
        assert!(as_it_is(&ir, "layer").as_ref() == Ok(&wanted), "{strategy}: other values as arrays");
        for step in ["func.func(array-place,array-to-sched)", DOWN] {
            run(&mut ir, step);
            let found = on_buffers(&ir, "layer", &source).unwrap_or_else(|why| panic!("{strategy}: {why}"));
            assert!(found == wanted, "{strategy}: other values after {step}");
        }
    }
}

/// Layers with parameters that fit them: tile, rows added, kernels and windows together, chunk, lanes
const POINTS: [(Layer, [usize; 6]); 6] = [
    (Layer(4, 6, 8, 4, 2, 1, 1), [3, 1, 2, 2, 4, 2]),
    (Layer(5, 7, 4, 6, 3, 1, 1), [4, 1, 3, 4, 12, 4]),
    (Layer(6, 4, 4, 2, 3, 1, 1), [4, 0, 1, 4, 36, 2]),
    (Layer(7, 7, 2, 4, 3, 2, 1), [5, 0, 4, 2, 6, 2]),
    (Layer(4, 4, 8, 4, 1, 1, 0), [2, 0, 2, 4, 4, 4]),
    (Layer(5, 5, 1, 3, 3, 1, 0), [3, 3, 3, 1, 3, 1]),
];

#[test]
fn in_four_kernels() {
    for (layer, point) in POINTS {
        let values = point.map(|n| n.to_string()).join(", ");
        layer.check(&format!("convMid({values})"));
    }
}

#[test]
fn blocked_in_registers() {
    for (layer, point) in POINTS {
        let values = point.map(|n| n.to_string()).join(", ");
        layer.check(&format!("convBlocked({values})"));
    }
}

#[test]
fn coalescing_and_unrolling_are_parameters() {
    for (layer, point) in &POINTS[..3] {
        let values = point.map(|n| n.to_string()).join(", ");
        for last in ["0, 0", "0, 1", "1, 0", "1, 1"] {
            layer.check(&format!("convTuned({values}, {last})"));
        }
    }
}

/// All six groups of rewrites of CC'22, copies as maps: `convDeep`, `convCopies`, `convCopyTiles`
const DEEP: &str =
    "convDeep(6, 4, 3, 0, 4, 2, 1, 1, 12, 2, 3); convCopies(4); convCopyTiles(5, 1, 3, 2, 4, 2, 2)";

#[test]
fn tiled_three_times_with_copies_as_maps() {
    Layer(8, 8, 4, 8, 3, 1, 1).check(DEEP);
}

#[test]
fn maps_of_a_layer_of_the_network() {
    // Layer 7 of VGG-16, in numbers; nothing is unrolled. The paper counts over 200 (§3.3), not saying of which kind: its 34
    // constraints on pairs of nested loops leave room for few that compute.
    let mut ir = parse(&Layer(112, 112, 128, 128, 3, 1, 1).text());
    let count = |ir: &terrace_ir::Ir| {
        let function = ir.walk().find_map(|op| ir.child(op)).expect("a function");
        terrace_passes_array::count::counts(function)
    };
    lower(&mut ir, "func.func(array-expand)").expect("has macros");
    let before = count(&ir);
    assert_eq!((before.loops, before.layouts), (3, 4));
    let steps = [
        "convDeep(30, 16, 9, 0, 32, 8, 2, 7, 144, 4, 4)",
        "convCopies(4)",
        "convCopyTiles(38, 19, 5, 4, 28, 7, 8)",
    ];
    let after = steps.map(|step| {
        lower(&mut ir, &format!("func.func(array-rewrite{{strategy=\"{step}\"}})")).expect("applies");
        let Counts { loops, layouts, depth, .. } = count(&ir);
        (loops, layouts, depth)
    });
    assert_eq!(after, [(15, 26, 10), (39, 26, 10), (53, 50, 10)]);
}
