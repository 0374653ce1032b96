//! Memory of programs, against numbers computed manually.

use crate::common;

use common::{lower, parse};
use terrace_ir::Ir;
use terrace_ir::symbols::Symbols;
use terrace_lowering_array::memory::{Memory, bytes};
use terrace_lowering_array::unfold::unfolded;

const FOUR: &str = include_str!("../../../test-files/programs/four_kernels.mlir");
const LAYER: &str = include_str!("../../../test-files/programs/layer.mlir");

/// Of the public function
fn memory(ir: &Ir) -> Result<Memory, String> {
    let symbols = Symbols::read(ir);
    let public = ir.walk().filter_map(|op| ir.child(op));
    let unit = public.filter(|unit| unit.attr(unit.root(), "sym_visibility").is_none()).last();
    let unit = unit.expect("a function");
    let scope = symbols.child_scope(symbols.root(), unit);
    bytes(unit, &symbols, scope).map_err(|error| error.message)
}

fn bound(text: &str, sizes: &str) -> Box<Ir> {
    let mut ir = parse(text);
    let pipeline = format!("array-expand,array-inline,func.func(array-bind{{sizes={sizes}}})");
    lower(&mut ir, &pipeline).unwrap_or_else(|why| panic!("{why}"));
    ir
}

#[test]
fn four_kernels_hold_the_padded_input_and_two_stages_of_sums() {
    let ir = bound(FOUR, "H=7,W=7,C=8,M=4,K=3,p=1,r=2,theta=5,ts=3,ka=2,sg=3,om=24");
    let found = memory(&ir).expect("it lowers");
    let (side, tiles, windows, chunks) = (7 + 2 + 2, 9, 9, 3);
    let expected = Memory {
        arguments: 4 * (7 * 7 * 8 + 4 * 3 * 3 * 8 + 4),
        results: 4 * 7 * 7 * 4,
        temporaries: 4 * (side * side * 8 + tiles * windows * 4 * chunks + tiles * windows * 4),
        local: 0,
        // Partial sums of three windows and two kernels, a vector of each window, and one of a kernel.
        private: 4 * (2 * 3 + 3 * 4 + 4),
    };
    assert_eq!(found, expected);
    assert_eq!(found.total(), found.least() + found.temporaries);
}

#[test]
fn a_layer_by_its_definition_holds_no_more_than_it_takes_and_gives() {
    let ir = bound(LAYER, "H=6,W=6,C=4,O=8,K=3,s=1,p=1");
    let found = memory(&ir).expect("it lowers");
    let least = 4 * (6 * 6 * 4 + 8 * 3 * 3 * 4 + 8) + 4 * 6 * 6 * 8;
    assert_eq!((found.total(), found.least()), (least, least));
}

#[test]
fn local_memory_is_that_of_a_block() {
    let ir = parse(
        "func.func @f(%in: !array.of<6 x 8 x f64>) -> !array.of<6 x 8 x f64> {
           %out = array.map %in : block.x as %a {
             %b = array.map %a : thread.x as %x {
               %y = arith.addf %x, %x : f64
               array.yield %y
             }
             %l = array.toLocal %b
             %c = array.map %l : thread.x as %x {
               %y = arith.mulf %x, %x : f64
               array.yield %y
             }
             array.yield %c
           }
           return %out : !array.of<6 x 8 x f64>
         }",
    );
    let found = memory(&ir).expect("it lowers");
    assert_eq!((found.arguments, found.results), (384, 384));
    assert_eq!((found.temporaries, found.local, found.private), (0, 64, 0));
}

#[test]
fn open_sizes_are_refused() {
    let error = memory(&parse(LAYER)).expect_err("sizes are symbols");
    assert!(error.contains("size"), "{error}");
}

/// VGG-16's nine configurations: channels, kernels, side
const VGG: [(u64, u64, u64); 9] = [
    (3, 64, 224),
    (64, 64, 224),
    (64, 128, 112),
    (128, 128, 112),
    (128, 256, 56),
    (256, 256, 56),
    (256, 512, 28),
    (512, 512, 28),
    (512, 512, 14),
];

fn function(ir: &Ir) -> &Ir {
    ir.walk().find_map(|op| ir.child(op)).expect("a function")
}

#[test]
fn direct_convolution_holds_a_ninth_of_unfolded_windows() {
    for (c, o, side) in VGG {
        let ir = bound(LAYER, &format!("H={side},W={side},C={c},O={o},K=3,s=1,p=1"));
        let found = unfolded(function(&ir)).expect("windows repeat elements");
        // A row of K·K·C for each of side · side windows; the input once.
        assert_eq!((found.bytes, found.of), (4 * side * side * 9 * c, 4 * side * side * c));
        let direct = memory(&ir).expect("it lowers");
        assert_eq!(direct.total(), 4 * (side * side * c + o * 9 * c + o + side * side * o));
    }
    // Layer 2: 13 MB and 116 MB in the paper.
    let ir = bound(LAYER, "H=224,W=224,C=64,O=64,K=3,s=1,p=1");
    let found = unfolded(function(&ir)).expect("windows");
    assert_eq!((found.of, found.bytes), (12_845_056, 115_605_504));
}

#[test]
fn windows_that_do_not_overlap_repeat_nothing() {
    let ir = bound(LAYER, "H=8,W=8,C=2,O=2,K=2,s=2,p=0");
    assert_eq!(unfolded(function(&ir)), None);
    // Stride 2, 7 × 7, border 3: 4 × 4 windows of 49 for 8 × 8 elements.
    let ir = bound(LAYER, "H=8,W=8,C=2,O=2,K=7,s=2,p=3");
    let found = unfolded(function(&ir)).expect("they overlap");
    assert_eq!((found.bytes, found.of), (4 * 16 * 49 * 2, 4 * 64 * 2));
}

#[test]
fn the_sum_is_that_of_the_buffers_of_the_lowered_program() {
    // Counted again, by another way: shapes of all buffers in the text of the loops.
    let sizes = "H=7,W=7,C=8,M=4,K=3,p=1,r=2,theta=5,ts=3,ka=2,sg=3,om=24";
    let mut ir = bound(FOUR, sizes);
    let found = memory(&ir).expect("it lowers");
    lower(&mut ir, "func.func(array-place,array-to-sched)").expect("it lowers");
    let mut text = String::new();
    terrace_text::print(&ir, &terrace_text::PrintOptions::default(), &mut text);
    let bytes = |line: &str| {
        let shape = line.split("memref<").nth(1).and_then(|rest| rest.split("xf32").next()).expect("a shape");
        shape.split('x').map(|n| n.parse::<u64>().expect("a size")).product::<u64>() * 4
    };
    let allocs = text.lines().filter(|line| line.contains("sched.alloc") && !line.contains("private"));
    assert_eq!(allocs.map(bytes).sum::<u64>(), found.temporaries);
    let head = text.lines().find(|line| line.contains("func.func @conv")).expect("a function");
    let params: u64 = head.split("memref<").skip(1).map(|rest| bytes(&format!("memref<{rest}"))).sum();
    assert_eq!(params, found.least());
}

#[test]
fn threads_that_own_local_memory_each_have_it() {
    let text = include_str!("../../../test-files/lowering/array/barriers.mlir");
    let name = "func.func @rows(";
    let start = text.find(name).expect("it is there");
    let rows = &text[start..start + text[start..].find("\n}\n").expect("it ends") + 3];
    // Six threads along y own a row of eight numbers, which eight along x share.
    assert_eq!(memory(&parse(rows)).expect("it lowers").local, 6 * 8 * 4);
}
