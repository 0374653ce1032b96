//! Programs on functional arrays on every back end: random ones, and what the command line says of arrays.

use crate::common;

use crate::program;

use common::backends::{agree_on, here};
use common::{refused, run, stdout};

#[test]
fn random_programs_agree() {
    let (mut seed, mut done) = (0, 0);
    while done < 12 {
        seed += 1;
        let text = program::program(seed);
        // Lanes and a grid need what is computed to fit them; those are tried where nothing has to be compiled.
        if [": vector", "block.x", ": fused"].iter().any(|word| text.contains(word))
            || !text.contains("-> !array")
        {
            continue;
        }
        let test = format!("random-{seed}");
        let out = run(&test, &text, &["--in=x=random:1", "--in=s=fill:3", "--on=interp"]);
        let name = stdout(&out).split_whitespace().next().unwrap_or("").to_string();
        agree_on(&here(&test), &test, &text, &["--in=x=random:1", "--in=s=fill:3"], &name);
        done += 1;
    }
}

const SUM: &str = "\
func.func @sum(%x: !array.of<@n x @m x f32>) -> !array.of<@n x f32> {
  %y = array.map %x as %row {
    %s = array.reduce add %row as %a {
      array.yield %a
    }
    array.yield %s
  }
  return %y : !array.of<@n x f32>
}
";

#[test]
fn sizes_come_from_what_is_given() {
    let out = run("sizes", SUM, &["--in=x=iota", "--shape=x=2x3"]);
    assert_eq!(stdout(&out).trim(), "y : 2xf32 = 3, 12");
    agree_on(&here("sizes-all"), "sizes-all", SUM, &["--in=x=iota", "--shape=x=5x4"], "y");
}

#[test]
fn a_size_that_nobody_gives_is_asked_for() {
    refused(&run("no-size", SUM, &["--in=x=iota"]), 1, "leaves sizes open");
}

#[test]
fn arrays_of_tuples_are_no_files() {
    let text = "func.func @f(%x: !array.of<2 x tuple<f32, i32>>) -> !array.of<2 x f32> {
  %a, %b = array.unzip %x
  return %a : !array.of<2 x f32>
}
";
    refused(
        &run("tuples", text, &["--in=x=iota"]),
        1,
        "arrays of numbers and vectors can be given and taken",
    );
}
