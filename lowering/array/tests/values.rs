//! Each pattern and layout op by value: as a function of arrays, as scheduled loops, as structured code.

use crate::common;

use common::agree;

/// `@f` on `%x` of this type with this result, from a body of ops
fn on(x: &str, result: &str, body: &str) {
    let text = format!("func.func @f(%x: !array.of<{x}>) -> !array.of<{result}> {{\n{body}\n}}\n");
    agree(&text, "f");
}

/// A body: layout ops of `%x` up to `%v`, then twice each of its numbers
fn reads(x: &str, result: &str, ops: &str) {
    let depth = result.matches(" x ").count();
    let mut body = format!("{ops}\n%two = arith.constant 2 : i32\n");
    let mut value = "%v".to_string();
    for n in 0..depth {
        body += &format!("%m{n} = array.map {value} as %e{n} {{\n");
        value = format!("%e{n}");
    }
    body += &format!("%d = arith.muli {value}, %two : i32\narray.yield %d\n}}\n");
    for n in (0..depth.saturating_sub(1)).rev() {
        body += &format!("array.yield %m{}\n}}\n", n + 1);
    }
    body += &format!("return %m0 : !array.of<{result}>");
    on(x, result, &body);
}

/// A body: twice each of the numbers of `%x`, then layout ops of that, `%y`, up to `%v`
fn writes(x: &str, result: &str, ops: &str) {
    let depth = x.matches(" x ").count();
    let mut body = "%two = arith.constant 2 : i32\n".to_string();
    let mut value = "%x".to_string();
    for n in 0..depth {
        let name = if n == 0 { "%y".to_string() } else { format!("%m{n}") };
        body += &format!("{name} = array.map {value} as %e{n} {{\n");
        value = format!("%e{n}");
    }
    body += &format!("%d = arith.muli {value}, %two : i32\narray.yield %d\n}}\n");
    for n in (0..depth.saturating_sub(1)).rev() {
        body += &format!("array.yield %m{}\n}}\n", n + 1);
    }
    body += &format!("{ops}\nreturn %v : !array.of<{result}>");
    on(x, result, &body);
}

/// Both, and as a copy
fn both(x: &str, result: &str, ops: &str) {
    reads(x, result, &ops.replace("%y", "%x"));
    writes(x, result, ops);
    on(x, result, &format!("{}\nreturn %v : !array.of<{result}>", ops.replace("%y", "%x")));
}

#[test]
fn layouts_that_have_an_inverse() {
    both("12 x i32", "4 x 3 x i32", "%v = array.split 3 %y");
    both("4 x 3 x i32", "12 x i32", "%v = array.join %y");
    both("4 x 3 x i32", "3 x 4 x i32", "%v = array.transpose %y");
    both("12 x i32", "12 x i32", "%v = array.reorder strided 3 %y");
    both("12 x i32", "12 x i32", "%v = array.reorder by 11 - $i inverse 11 - $i %y");
    both("12 x i32", "12 x i32", "%v = array.reorder by ($i + 5) mod 12 inverse ($i + 7) mod 12 %y");
    both("12 x i32", "7 x i32", "%v = array.slice 2, 7 %y");
    both("4 x 3 x i32", "2 x 3 x i32", "%v = array.slice 1, 2 %y");
    both("12 x i32", "12 x i32", "%v = array.cast %y to !array.of<12 x i32>");
}

#[test]
fn layouts_of_each_element() {
    let each = |op: &str| format!("%v = array.map %y as %q {{\n%r = {op} %q\narray.yield %r\n}}");
    both("2 x 6 x i32", "2 x 3 x 2 x i32", &each("array.split 2"));
    both("2 x 3 x 2 x i32", "2 x 6 x i32", &each("array.join"));
    both("2 x 3 x 4 x i32", "2 x 4 x 3 x i32", &each("array.transpose"));
    both("2 x 6 x i32", "2 x 3 x i32", &each("array.slice 2, 3"));
    both("2 x 6 x i32", "2 x 6 x i32", &each("array.reorder strided 2"));
}

#[test]
fn layouts_that_repeat_elements_are_read() {
    reads("12 x i32", "5 x 4 x i32", "%v = array.slide 4 by 2 %x");
    reads("6 x 5 x i32", "4 x 3 x 5 x i32", "%v = array.slide 3 by 1 %x");
    reads("6 x i32", "4 x i32", "%v = array.gather %x by 5 - $i size 4");
    for mode in ["clamp", "wrap", "mirror"] {
        reads("6 x i32", "11 x i32", &format!("%v = array.pad 2, 3 {mode} %x"));
        reads("4 x 3 x i32", "7 x 3 x i32", &format!("%v = array.pad 2, 1 {mode} %x"));
        reads("6 x i32", "5 x i32", &format!("%v = array.pad -2, 1 {mode} %x"));
    }
}

#[test]
fn padding_by_a_value() {
    both("6 x i32", "11 x i32", "%z = arith.constant 7 : i32\n%v = array.pad 2, 3 value %z %y");
    both("6 x i32", "5 x i32", "%z = arith.constant 7 : i32\n%v = array.pad -2, 1 value %z %y");
    both("6 x i32", "5 x i32", "%z = arith.constant 7 : i32\n%v = array.pad 1, -2 value %z %y");
    both("4 x 3 x i32", "7 x 3 x i32", "%z = arith.constant 7 : i32\n%v = array.pad 2, 1 value %z %y");
    // In both dimensions, of one value and of two.
    for (inner, outer) in [("%z", "%z"), ("%z", "%w")] {
        both(
            "4 x 3 x i32",
            "6 x 4 x i32",
            &format!(
                "%z = arith.constant 7 : i32\n%w = arith.constant 5 : i32\n%p = array.map %y as %row {{\n%q = array.pad 0, 1 value {inner} %row\narray.yield %q\n}}\n%v = array.pad 1, 1 value {outer} %p"
            ),
        );
    }
    // Windows of what is padded: the border is not the buffer's.
    reads(
        "6 x i32",
        "3 x 4 x i32",
        "%z = arith.constant 7 : i32\n%p = array.pad 1, 1 value %z %x\n%v = array.slide 4 by 2 %p",
    );
    reads(
        "9 x i32",
        "6 x i32",
        "%z = arith.constant 7 : i32\n%s = array.slice 2, 4 %x\n%v = array.pad 1, 1 value %z %s",
    );
}

#[test]
fn arrays_behind_each_other() {
    both("6 x i32", "12 x i32", "%v = array.concat %x, %y");
    both("4 x 3 x i32", "8 x 3 x i32", "%v = array.concat %y, %x");
    reads("6 x i32", "3 x 4 x i32", "%c = array.concat %x, %x\n%v = array.split 4 %c");
}

#[test]
fn single_numbers() {
    on(
        "6 x i32",
        "1 x i32",
        "%c = arith.constant 3 : index\n%e = array.at %x[%c]\n%s = array.single %e\nreturn %s : !array.of<1 x i32>",
    );
    on("1 x i32", "1 x 1 x i32", "%s = array.single %x\nreturn %s : !array.of<1 x 1 x i32>");
}
