//! What schedules say beyond the paper's words (`nt`, `stages`, `swizzle`, warps, devices), by value: the nest as it stands, with a
//! search for races, and all the way down.

mod common;

use common::*;

#[test]
fn words_change_no_value() {
    let text = include_str!("../../../test-files/lowering/mdh/words.mlir");
    let source = parse(text);
    let names = ["words", "warps", "reduced", "devices", "hosts", "wide"];
    let wanted: Vec<_> = names.iter().map(|name| as_it_is(&source, name)).collect();
    let mut ir = parse(text);
    for step in ["func.func(mdh-to-sched)", DOWN] {
        lower(&mut ir, step, text);
        for (name, wanted) in names.iter().zip(&wanted) {
            if *name == "wide" && step == DOWN {
                // The interpreter's device has warps of 32.
                continue;
            }
            same(wanted, &lowered(&ir, name, text, 1), &format!("{step}, @{name}"));
        }
    }
}
