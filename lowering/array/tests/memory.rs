//! Memory of programs, against numbers by hand.

mod common;

use common::{lower, parse};
use terrace_ir::Ir;
use terrace_ir::symbols::Symbols;
use terrace_lowering_array::memory::{Memory, bytes};

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
