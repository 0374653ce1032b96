//! Calls are the same every time, hold what matters, and come back from their text.

use crate::seen::parsed;
use std::collections::BTreeSet;
use terrace_dialect_upstream::ALL;
use terrace_interp::RtValue;
use terrace_ir::Context;
use terrace_refine::functions::{functions, numbers};
use terrace_refine::{Arg, Call, inputs};

const TEXT: &str = "func.func @f(%a: i8, %m: memref<?x2xf32>, %n: index, %v: vector<2xi32>) -> i8 {\n\
                      %c = arith.constant 77 : i8\n\
                      %r = arith.addi %a, %c : i8\n\
                      return %r : i8\n\
                    }\n\
                    func.func private @g(%a: i8) { return }\n\
                    func.func @declared(%a: i8)\n\
                    func.func @h(%t: tensor<*xf32>) { return }\n";

#[test]
fn functions_with_a_body_can_be_called_from_outside() {
    let cx = Context::new(ALL);
    let all = functions(&parsed(&cx, &TEXT.replace("func.func @declared", "func.func private @declared")));
    let names: Vec<&str> = all.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["f", "h"]);
    assert_eq!((all[0].inputs.len(), all[0].results.len()), (4, 1));
}

#[test]
fn ends_of_ranges_and_the_neighbours_of_constants_are_tried() {
    let cx = Context::new(ALL);
    let ir = parsed(&cx, &TEXT.replace("func.func @declared", "func.func private @declared"));
    let (all, numbers) = (functions(&ir), numbers(&ir));
    assert!(numbers.ints.contains(&77), "{numbers:?}");
    let (mut bytes, mut sizes, mut poison) = (BTreeSet::new(), BTreeSet::new(), 0);
    for n in 0..400 {
        let call = inputs::call(&cx, &all[0], &numbers, n).expect("all types are known");
        assert_eq!(inputs::call(&cx, &all[0], &numbers, n), Some(call.clone()));
        match &call.args[0] {
            Arg::Value(RtValue::Poison) => poison += 1,
            Arg::Value(value) => _ = bytes.insert(value.as_i64().expect("a byte")),
            other => panic!("{other}"),
        }
        let Arg::Buffer { sizes: shape, elements } = &call.args[1] else { panic!("a buffer") };
        assert_eq!(elements.len() as i64, shape[0] * 2);
        sizes.insert(shape[0]);
        let text = call.to_string();
        let inner = text.strip_prefix("@f(").and_then(|text| text.strip_suffix(')')).expect("a call");
        assert_eq!(Call::parse(&cx, "f", inner, &all[0].inputs), Ok(call));
    }
    for byte in [0, 1, -1, -128, 127, 64, 76, 77, 78] {
        assert!(bytes.contains(&byte), "{byte} is missing");
    }
    for size in [0, 1, 2, 7, 76, 77, 78] {
        assert!(sizes.contains(&size), "size {size} is missing");
    }
    assert!((1..60).contains(&poison), "{poison}");
    assert_eq!(inputs::call(&cx, &all[1], &numbers, 0), None, "nothing is known of unranked tensors");
}

#[test]
fn what_is_no_call_is_refused() {
    let cx = Context::new(ALL);
    let types = [cx.memref(&[2], cx.common().i8), cx.common().i8];
    assert!(Call::parse(&cx, "f", "[1, 2], 3", &types).is_ok());
    for text in ["[1, 2]", "[1], 3", "3[1, 2, 3], 3", "[1, 2], [3]", "[1, 2, 3", "2x1[1, 2], 3"] {
        assert!(Call::parse(&cx, "f", text, &types).is_err(), "{text}");
    }
}

#[test]
fn a_call_fits_the_types_that_it_was_made_for() {
    let cx = Context::new(ALL);
    let common = cx.common();
    let types = [cx.memref(&[2], common.i8), common.i8, cx.vector(&[2], common.f32)];
    let call = Call::parse(&cx, "f", "[1, poison], 1, [0.5, 0x7FC00001]", &types).expect("a call");
    assert!(call.fits(&cx, &types));
    let [buffer, byte, vector] = types;
    for other in [
        [cx.memref(&[3], common.i8), byte, vector],
        [cx.memref(&[2], common.i32), byte, vector],
        [buffer, common.i1, vector],
        [buffer, common.i32, vector],
        [buffer, common.f32, vector],
        [buffer, byte, cx.vector(&[3], common.f32)],
        [buffer, byte, cx.vector(&[2], common.f64)],
    ] {
        assert!(!call.fits(&cx, &other));
    }
    assert!(!call.fits(&cx, &types[..2]));
}

#[test]
fn all_numbers_of_a_program_are_tried_and_none_overflows() {
    let cx = Context::new(ALL);
    let constants: Vec<String> =
        (0..200).map(|n| format!("%c{n} = arith.constant {} : i32\n", n * 1000)).collect();
    let max = i128::MAX;
    let text = format!(
        "func.func @f(%a: i32, %m: memref<?xi8>) {{\n{}%max = arith.constant {max} : i128\nreturn }}",
        constants.concat()
    );
    let ir = parsed(&cx, &text);
    let (all, numbers) = (functions(&ir), numbers(&ir));
    assert!(numbers.ints.contains(&199_000) && numbers.ints.contains(&max), "{numbers:?}");
    let high = |n| {
        let call = inputs::call(&cx, &all[0], &numbers, n).expect("all types are known");
        matches!(&call.args[0], Arg::Value(value) if value.as_i64().is_some_and(|int| (100_000..200_000).contains(&int)))
    };
    assert!((0..2000).filter(|n| high(*n)).count() > 10);
    let only = terrace_refine::functions::Numbers { ints: vec![i128::MIN, i128::MAX], floats: Vec::new() };
    assert!((0..2000).all(|n| inputs::call(&cx, &all[0], &only, n).is_some()));
}
