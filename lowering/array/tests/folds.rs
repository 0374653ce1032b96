//! Reductions, folds, scans, iterations, tuples, vectors and places by value, at each step down.

use crate::common;

use common::agree;

fn f(signature: &str, body: &str) {
    agree(&format!("func.func @f{signature} {{\n{body}\n}}\n"), "f");
}

#[test]
fn reductions_of_numbers() {
    for (elem, one, mul) in
        [("i32", "3 : i32", "muli"), ("f32", "3.0 : f32", "mulf"), ("f64", "3.0 : f64", "mulf")]
    {
        for operator in ["add", "mul", "min", "max"] {
            for init in ["", "init %z "] {
                let body = format!(
                    "%z = arith.constant {one}\n%r = array.reduce {operator} {init}%x as %a {{\n%b = arith.{mul} %a, %a : {elem}\narray.yield %b\n}}\nreturn %r : {elem}"
                );
                f(&format!("(%x: !array.of<5 x {elem}>) -> {elem}"), &body);
            }
        }
    }
    f(
        "(%x: !array.of<0 x i32>) -> i32",
        "%r = array.reduce add %x as %a {\narray.yield %a\n}\nreturn %r : i32",
    );
}

#[test]
fn a_number_is_computed_once_for_the_map_around() {
    // The mean, in a body that several elements use; the sum of rows is an array of its own.
    f(
        "(%x: !array.of<4 x 5 x i32>) -> !array.of<4 x 5 x i32>",
        "%y = array.map %x as %row {
           %s = array.reduce add %row as %a {
             array.yield %a
           }
           %z = array.map %row as %a {
             %d = arith.subi %a, %s : i32
             array.yield %d
           }
           array.yield %z
         }
         return %y : !array.of<4 x 5 x i32>",
    );
}

#[test]
fn reductions_of_arrays_merge_into_their_destination() {
    for init in ["", "init %z "] {
        f(
            "(%x: !array.of<4 x 5 x i32>) -> !array.of<5 x i32>",
            &format!(
                "%z = arith.constant 100 : i32
                 %two = arith.constant 2 : i32
                 %y = array.reduce add {init}%x as %row {{
                   %m = array.map %row as %a {{
                     %b = arith.muli %a, %two : i32
                     array.yield %b
                   }}
                   array.yield %m
                 }}
                 return %y : !array.of<5 x i32>"
            ),
        );
    }
    // Rows are contributions as they are; the result goes through a layout op.
    f(
        "(%x: !array.of<4 x 2 x 3 x i32>) -> !array.of<3 x 2 x i32>",
        "%y = array.reduce max %x as %part {
           array.yield %part
         }
         %t = array.transpose %y
         return %t : !array.of<3 x 2 x i32>",
    );
}

#[test]
fn several_operators_and_tuples() {
    f(
        "(%x: !array.of<6 x i32>, %y: !array.of<6 x i32>) -> (i32, i32)",
        "%xy = array.zip %x, %y
         %r = array.reduce add, max %xy as %a, %b {
           %c = arith.muli %a, %b : i32
           array.yield %c, %a
         }
         %s = array.get 0 %r
         %m = array.get 1 %r
         return %s, %m : i32, i32",
    );
    // Arrays of tuples in and out, taken apart and put together.
    f(
        "(%x: !array.of<6 x tuple<i32, i32>>) -> (!array.of<6 x i32>, !array.of<6 x tuple<i32, i32>>)",
        "%a, %b = array.unzip %x
         %s = array.map %x as %p, %q {
           %c = arith.muli %p, %q : i32
           array.yield %c
         }
         %z = array.zip %b, %s
         return %a, %z : !array.of<6 x i32>, !array.of<6 x tuple<i32, i32>>",
    );
    // Several values of each element.
    f(
        "(%x: !array.of<4 x 3 x i32>) -> !array.of<4 x tuple<3 x i32, i32>>"
            .replace("tuple<3 x i32, i32>", "tuple<!array.of<3 x i32>, i32>")
            .as_str(),
        "%y = array.map %x as %row {
           %s = array.reduce add %row as %a {
             array.yield %a
           }
           %m = array.map %row as %a {
             %b = arith.muli %a, %s : i32
             array.yield %b
           }
           array.yield %m, %s
         }
         return %y : !array.of<4 x tuple<!array.of<3 x i32>, i32>>",
    );
    f(
        "(%x: !array.of<6 x i32>) -> !array.of<6 x i32>",
        "%y = array.map %x as %a {
           %b = arith.muli %a, %a : i32
           array.yield %a, %b
         }
         %p, %q = array.unzip %y
         return %q : !array.of<6 x i32>",
    );
}

const COMPOSE: &str = "func.func private @compose(%a1: i32, %b1: i32, %a2: i32, %b2: i32) -> (i32, i32)
    attributes {sched.operator = {associative, exact IDENTITY}} {
  %a = arith.muli %a1, %a2 : i32
  %t = arith.muli %a1, %b2 : i32
  %b = arith.addi %t, %b1 : i32
  return %a, %b : i32, i32
}
func.func private @left(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative, exact}} {
  return %a : i32
}
";

#[test]
fn operators_that_are_functions() {
    for identity in ["", ", identity = [1 : i32, 0 : i32]"] {
        let operators = COMPOSE.replace("IDENTITY", identity);
        for (init, text) in [("", ""), ("init %i ", "%c = arith.constant 3 : i32\n%i = array.tuple %c, %c\n")]
        {
            agree(
                &format!(
                    "{operators}func.func @f(%x: !array.of<6 x i32>, %y: !array.of<6 x i32>) -> i32 {{
                       {text}%xy = array.zip %x, %y
                       %r = array.reduce @compose {init}%xy as %a, %b {{
                         array.yield %a, %b
                       }}
                       %s = array.get 1 %r
                       return %s : i32
                     }}"
                ),
                "f",
            );
        }
    }
    let operators = COMPOSE.replace("IDENTITY", "");
    agree(
        &format!(
            "{operators}func.func @f(%x: !array.of<6 x i32>) -> (i32, !array.of<6 x i32>) {{
               %r = array.reduce @left %x as %a {{
                 array.yield %a
               }}
               %s = array.scan @left %x as %a {{
                 array.yield %a
               }}
               return %r, %s : i32, !array.of<6 x i32>
             }}"
        ),
        "f",
    );
}

#[test]
fn folds_and_scans() {
    f(
        "(%x: i32, %c: !array.of<6 x i32>) -> i32",
        "%z = arith.constant 1 : i32
         %y = array.fold init %z %c as %acc, %a {
           %0 = arith.muli %acc, %x : i32
           %1 = arith.addi %0, %a : i32
           array.yield %1
         }
         return %y : i32",
    );
    for (init, exclusive) in [("", ""), ("", " exclusive"), (" init %z", ""), (" init %z", " exclusive")] {
        for operator in ["add", "max", "mul"] {
            f(
                "(%x: !array.of<6 x i32>) -> !array.of<6 x i32>",
                &format!(
                    "%z = arith.constant 5 : i32
                     %s = array.scan {operator}{init}{exclusive} %x as %a {{
                       %b = arith.addi %a, %a : i32
                       array.yield %b
                     }}
                     return %s : !array.of<6 x i32>"
                ),
            );
        }
    }
    // Each row, and the result is written through a layout op.
    f(
        "(%x: !array.of<3 x 4 x i32>) -> !array.of<4 x 3 x i32>",
        "%y = array.map %x as %row {
           %s = array.scan add %row as %a {
             array.yield %a
           }
           array.yield %s
         }
         %t = array.transpose %y
         return %t : !array.of<4 x 3 x i32>",
    );
}

#[test]
fn iterations_halve() {
    for times in 0..4 {
        let size = 16 >> times;
        f(
            &format!("(%x: !array.of<16 x i32>) -> !array.of<{size} x i32>"),
            &format!(
                "%y = array.iterate {times} init %x as ($l) %v {{
                   %0 = array.split 2 %v
                   %1 = array.map %0 as %pair {{
                     %2 = array.reduce add %pair as %a {{
                       array.yield %a
                     }}
                     array.yield %2
                   }}
                   array.yield %1
                 }}
                 return %y : !array.of<{size} x i32>"
            ),
        );
    }
}

/// Halves three times, with a level on the map and something behind it
fn halve(level: &str, put: &str) -> String {
    let (last, place) =
        if put.is_empty() { ("%1", String::new()) } else { ("%2", format!("%2 = array.{put} %1")) };
    format!(
        "array.iterate 3 init %x as ($l) %v {{
           %0 = array.split 2 %v
           %1 = array.map %0 {level} as %pair {{
             %s = array.reduce add %pair as %a {{
               array.yield %a
             }}
             array.yield %s
           }}
           {place}
           array.yield {last}
         }}"
    )
}

#[test]
fn iterations_on_a_grid() {
    // A kernel for each step; each step in a block's memory, behind a barrier; all steps of a thread.
    f(
        "(%x: !array.of<16 x i32>) -> !array.of<2 x i32>",
        &format!("%y = {}\n return %y : !array.of<2 x i32>", halve(": global.x", "")),
    );
    for (outer, inner, put) in
        [("block.x", ": thread.x", "toLocal"), ("block.x", ": thread.x", ""), ("global.x", "", "")]
    {
        f(
            "(%rows: !array.of<3 x 16 x i32>) -> !array.of<3 x 2 x i32>",
            &format!(
                "%r = array.map %rows : {outer} as %x {{
                   %y = {}
                   array.yield %y
                 }}
                 return %r : !array.of<3 x 2 x i32>",
                halve(inner, put)
            ),
        );
    }
}

#[test]
fn one_thread_writes_all_lanes() {
    // The second map has no level: one thread of the block does it, in vectors.
    f(
        "(%rows: !array.of<3 x 8 x i32>) -> !array.of<3 x 8 x i32>",
        "%r = array.map %rows : block.x as %x {
           %a = array.map %x : thread.x as %e {
             %b = arith.addi %e, %e : i32
             array.yield %b
           }
           %l = array.toLocal %a
           %v = array.as_vector 4 %l
           %w = array.map %v : seq as %e {
             %m = arith.muli %e, %e : vector<4xi32>
             array.yield %m
           }
           %s = array.as_scalar %w
           array.yield %s
         }
         return %r : !array.of<3 x 8 x i32>",
    );
}

#[test]
fn scans_of_threads() {
    f(
        "(%rows: !array.of<4 x 8 x i32>) -> !array.of<4 x 8 x i32>",
        "%r = array.map %rows : global.x as %x {
           %y = array.scan add %x as %a {
             array.yield %a
           }
           array.yield %y
         }
         return %r : !array.of<4 x 8 x i32>",
    );
}

#[test]
fn functions_of_the_index() {
    f(
        "(%x: !array.of<12 x i32>) -> !array.of<4 x i32>",
        "%c2 = arith.constant 2 : index
         %y = array.generate 4 as %i {
           %j = arith.muli %i, %c2 : index
           %k = arith.addi %j, %i : index
           %a = array.at %x[%k]
           %n = arith.index_cast %i : index to i32
           %b = arith.addi %a, %n : i32
           array.yield %b
         }
         return %y : !array.of<4 x i32>",
    );
    // Without memory: read where it is needed.
    f(
        "(%x: !array.of<4 x i32>) -> i32",
        "%g = array.generate 4 as %i {
           %n = arith.index_cast %i : index to i32
           array.yield %n
         }
         %xg = array.zip %x, %g
         %r = array.reduce add %xg as %a, %b {
           %c = arith.muli %a, %b : i32
           array.yield %c
         }
         return %r : i32",
    );
}

#[test]
fn indices_from_data() {
    f(
        "(%x: !array.of<4 x i32>, %i: !array.of<6 x index>) -> !array.of<6 x i32>",
        "%y = array.gather %x at %i
         return %y : !array.of<6 x i32>",
    );
    f(
        "(%x: !array.of<3 x i32>, %y: !array.of<5 x i32>) -> !array.of<5 x i32>",
        "%i = array.generate 3 as %n {
           %c4 = arith.constant 4 : index
           %two = arith.constant 2 : index
           %m = arith.muli %n, %two : index
           %k = arith.subi %c4, %m : index
           array.yield %k
         }
         %z = array.scatter %x at %i into %y
         return %z : !array.of<5 x i32>",
    );
}

#[test]
fn vectors_are_lanes() {
    // Elementwise, and a number for all lanes.
    f(
        "(%x: !array.of<8 x i32>, %s: i32) -> !array.of<8 x i32>",
        "%v = array.as_vector 4 %x
         %y = array.map %v as %a {
           %b = vector.broadcast %s : i32 to vector<4xi32>
           %c = arith.muli %a, %b : vector<4xi32>
           %d = arith.addi %c, %a : vector<4xi32>
           array.yield %d
         }
         %z = array.as_scalar %y
         return %z : !array.of<8 x i32>",
    );
    // Across lanes.
    f(
        "(%x: !array.of<8 x i32>, %y: !array.of<8 x i32>) -> i32",
        "%v = array.as_vector 4 %x
         %w = array.as_vector 4 %y
         %vw = array.zip %v, %w
         %r = array.reduce add %vw as %a, %b {
           %m = arith.muli %a, %b : vector<4xi32>
           %h = vector.reduction <add>, %m : vector<4xi32> into i32
           array.yield %h
         }
         return %r : i32",
    );
    // Contributions that are vectors meet in memory.
    f(
        "(%x: !array.of<8 x i32>) -> !array.of<4 x i32>",
        "%v = array.as_vector 4 %x
         %r = array.reduce add %v as %a {
           array.yield %a
         }
         %s = array.single %r
         %z = array.as_scalar %s
         return %z : !array.of<4 x i32>",
    );
}

#[test]
fn places_are_read_often() {
    for space in ["global", "local", "private", "l1", "reg"] {
        f(
            "(%x: !array.of<6 x i32>) -> !array.of<4 x i32>",
            &format!(
                "%two = arith.constant 2 : i32
                 %y = array.map %x as %a {{
                   %b = arith.muli %a, %two : i32
                   array.yield %b
                 }}
                 %p = array.place \"{space}\" %y
                 %w = array.slide 3 by 1 %p
                 %z = array.map %w as %v {{
                   %s = array.reduce add %v as %a {{
                     array.yield %a
                   }}
                   array.yield %s
                 }}
                 return %z : !array.of<4 x i32>"
            ),
        );
    }
    // A copy of a padded tile in each iteration.
    f(
        "(%x: !array.of<12 x i32>) -> !array.of<12 x i32>",
        "%z = arith.constant 0 : i32
         %p = array.pad 1, 1 value %z %x
         %t = array.slide 5 by 3 %p
         %y = array.map %t : task as %tile {
           %l = array.place \"l1\" %tile
           %w = array.slide 3 by 1 %l
           %s = array.map %w as %v {
             %r = array.reduce add %v as %a {
               array.yield %a
             }
             array.yield %r
           }
           array.yield %s
         }
         %j = array.join %y
         return %j : !array.of<12 x i32>",
    );
}

#[test]
fn fused_maps_are_one_loop() {
    f(
        "(%x: !array.of<4 x 3 x 2 x i32>) -> !array.of<4 x 3 x 2 x i32>",
        "%y = array.map %x : task as %a {
           %b = array.map %a : fused as %r {
             %c = array.map %r as %e {
               %d = arith.addi %e, %e : i32
               array.yield %d
             }
             array.yield %c
           }
           array.yield %b
         }
         return %y : !array.of<4 x 3 x 2 x i32>",
    );
}

#[test]
fn branches_of_bodies() {
    f(
        "(%x: !array.of<6 x i32>) -> !array.of<6 x i32>",
        "%z = arith.constant 0 : i32
         %y = array.map %x as %a {
           %t = arith.cmpi slt, %a, %z : i32
           %r = scf.if %t -> (i32) {
             %n = arith.subi %z, %a : i32
             scf.yield %n : i32
           } else {
             scf.yield %a : i32
           }
           array.yield %r
         }
         return %y : !array.of<6 x i32>",
    );
}

#[test]
fn threads_of_a_block_fill_its_memory_together() {
    let text = include_str!("../../../test-files/programs/tiled_stencil.mlir");
    // Macros are written out first: all that this program has are listed there.
    let mut ir = common::parse(text);
    common::lower(&mut ir, "array-expand").expect("macros are written out");
    agree(&common::print(&ir), "stencil");
}

#[test]
fn levels_of_a_grid_in_order_and_at_random() {
    for (b, c, d, e) in [
        ("thread.x", "seq", "thread.x", "seq"),
        ("thread.x", "vector", "seq", "thread.x"),
        ("thread.y", "thread.x", "thread.x", "thread.y"),
        ("seq", "thread.x", "thread.x", "seq"),
    ] {
        f(
            "(%in: !array.of<6 x 8 x 4 x i32>, %two: i32) -> !array.of<6 x 8 x 4 x i32>",
            &format!(
                "%out = array.map %in : block.x as %a {{
                   %b = array.map %a : {b} as %r {{
                     %c = array.map %r : {c} as %x {{
                       %f = arith.addi %x, %two : i32
                       array.yield %f
                     }}
                     array.yield %c
                   }}
                   %buf = array.place \"local\" %b
                   %t = array.transpose %buf
                   %d = array.map %t : {d} as %col {{
                     %e = array.map %col : {e} as %x {{
                       %g = arith.muli %x, %two : i32
                       array.yield %g
                     }}
                     array.yield %e
                   }}
                   %u = array.transpose %d
                   array.yield %u
                 }}
                 return %out : !array.of<6 x 8 x 4 x i32>"
            ),
        );
    }
}

#[test]
fn what_is_used_twice_in_a_chain_is_computed_once() {
    // Else these would be 2 to the power of 40 operations.
    let mut body = String::new();
    let mut x = "%x".to_string();
    for n in 0..40 {
        body += &format!(
            "%y{n} = array.map {x} as %a{n} {{\n%b{n} = arith.muli %a{n}, %a{n} : i32\narray.yield %b{n}\n}}\n"
        );
        x = format!("%y{n}");
    }
    f("(%x: !array.of<4 x i32>) -> !array.of<4 x i32>", &format!("{body}return {x} : !array.of<4 x i32>"));
    let mut lanes = "%v = array.as_vector 4 %x\n%y = array.map %v as %a0 {\n".to_string();
    for n in 0..40 {
        lanes += &format!("%a{} = arith.muli %a{n}, %a{n} : vector<4xi32>\n", n + 1);
    }
    lanes += "array.yield %a40\n}\n%z = array.as_scalar %y\nreturn %z : !array.of<8 x i32>";
    f("(%x: !array.of<8 x i32>) -> !array.of<8 x i32>", &lanes);
}

#[test]
fn a_value_may_be_returned_twice_and_arguments_as_they_are() {
    f(
        "(%x: !array.of<4 x i32>, %s: i32) -> (!array.of<4 x i32>, !array.of<4 x i32>, i32, !array.of<4 x i32>)",
        "%y = array.map %x as %a {
           %b = arith.addi %a, %s : i32
           array.yield %b
         }
         return %y, %x, %s, %y : !array.of<4 x i32>, !array.of<4 x i32>, i32, !array.of<4 x i32>",
    );
}

#[test]
fn folds_and_scans_of_arrays() {
    f(
        "(%x: !array.of<5 x 2 x i32>, %z: !array.of<2 x i32>) -> !array.of<2 x i32>",
        "%y = array.fold init %z %x as %acc, %row {
           %t = array.reorder by 1 - $i inverse 1 - $i %acc
           %s = array.zip %t, %row
           %m = array.map %s as %a, %b {
             %d = arith.addi %a, %a : i32
             %c = arith.subi %b, %d : i32
             array.yield %c
           }
           array.yield %m
         }
         return %y : !array.of<2 x i32>",
    );
    // A number and an array together, in each row.
    f(
        "(%x: !array.of<3 x 4 x i32>, %z: !array.of<2 x i32>, %n: i32) -> !array.of<3 x tuple<!array.of<2 x i32>, i32>>",
        "%y = array.map %x as %row {
           %i = array.tuple %z, %n
           %f = array.fold init %i %row as %acc, %count, %e {
             %m = array.map %acc as %a {
               %b = arith.addi %a, %e : i32
               array.yield %b
             }
             %next = arith.muli %count, %e : i32
             array.yield %m, %next
           }
           array.yield %f
         }
         return %y : !array.of<3 x tuple<!array.of<2 x i32>, i32>>",
    );
    for (init, exclusive) in [("", ""), ("", " exclusive"), (" init %z", ""), (" init %z", " exclusive")] {
        f(
            "(%x: !array.of<5 x 2 x i32>) -> !array.of<2 x 5 x i32>",
            &format!(
                "%z = arith.constant 5 : i32
                 %s = array.scan add{init}{exclusive} %x as %row {{
                   %m = array.map %row as %a {{
                     %b = arith.muli %a, %a : i32
                     array.yield %b
                   }}
                   array.yield %m
                 }}
                 %t = array.transpose %s
                 return %t : !array.of<2 x 5 x i32>"
            ),
        );
    }
}
