//! Reductions of tuples give the values of the interpreter on every back end that is there, whole ones and those of rows.

use crate::common::{run, stdout};
use terrace_runtime_opencl::{Device, Preference};

/// The first of the largest; affine maps one after the other; three types; all and any
const OPERATORS: &str = "
func.func private @best(%a: f32, %i: i32, %b: f32, %j: i32) -> (f32, i32) attributes {sched.operator = {associative, commutative, exact, identity = [0xFF800000 : f32, 2147483647 : i32]}} {
  %more = arith.cmpf ogt, %b, %a : f32
  %same = arith.cmpf oeq, %a, %b : f32
  %first = arith.minsi %i, %j : i32
  %v = arith.select %more, %b, %a : f32
  %p = arith.select %same, %first, %i : i32
  %q = arith.select %more, %j, %p : i32
  return %v, %q : f32, i32
}
func.func private @compose(%a: i32, %b: i32, %c: i32, %d: i32) -> (i32, i32) attributes {sched.operator = {associative, exact, identity = [1 : i32, 0 : i32]}} {
  %ac = arith.muli %a, %c : i32
  %ad = arith.muli %a, %d : i32
  %r = arith.addi %ad, %b : i32
  return %ac, %r : i32, i32
}
func.func private @three(%a: f32, %i: i32, %s: i1, %b: f32, %j: i32, %t: i1) -> (f32, i32, i1) attributes {sched.operator = {associative, exact, identity = [0xFF800000 : f32, 0 : i32, false]}} {
  %v = arith.maximumf %a, %b : f32
  %n = arith.addi %i, %j : i32
  %seen = arith.ori %s, %t : i1
  return %v, %n, %seen : f32, i32, i1
}
func.func private @and_or(%a: i1, %b: i1, %c: i1, %d: i1) -> (i1, i1) attributes {sched.operator = {associative, commutative, exact, identity = [true, false]}} {
  %all = arith.andi %a, %c : i1
  %any = arith.ori %b, %d : i1
  return %all, %any : i1, i1
}";

/// What an element contributes, from `%x` and its place `%j`: operator, types, body
const CONTRIBUTIONS: [(&str, &[&str], &str); 4] = [
    ("best", &["f32", "i32"], "mdh.yield %x, %j : f32, i32"),
    (
        "compose",
        &["i32", "i32"],
        "%one = arith.constant 1 : i32\n    %odd = arith.ori %j, %one : i32\n    %n = arith.fptosi %x : f32 to i32\n    mdh.yield %odd, %n : i32, i32",
    ),
    (
        "three",
        &["f32", "i32", "i1"],
        "%most = arith.constant 0.99 : f32\n    %above = arith.cmpf ogt, %x, %most : f32\n    mdh.yield %x, %j, %above : f32, i32, i1",
    ),
    (
        "and_or",
        &["i1", "i1"],
        "%least = arith.constant -0.5 : f32\n    %most = arith.constant 0.999 : f32\n    %all = arith.cmpf ogt, %x, %least : f32\n    %any = arith.cmpf ogt, %x, %most : f32\n    mdh.yield %all, %any : i1, i1",
    ),
];

/// Every operator over so many elements, whole or in three rows
fn text(n: usize, rows: bool) -> String {
    let (shape, points, at, out) = match rows {
        true => (format!("3x{n}x"), format!("i in 3, j in {n}"), "i, j", ("3x", "i")),
        false => (format!("{n}x"), format!("j in {n}"), "j", ("", "")),
    };
    let (mut body, mut values, mut types) = (String::new(), Vec::new(), Vec::new());
    for (name, elements, contribution) in CONTRIBUTIONS {
        let results: Vec<String> = elements.iter().map(|ty| format!("tensor<{}{ty}>", out.0)).collect();
        body += &format!(
            "  %{name}:{} = mdh.compute ({points} pw @{name}) ins(%x = %X[{at}]) outs({}) {{
    %place = mdh.index {}
    %j = arith.index_cast %place : index to i32
    {contribution}
  }} : (tensor<{shape}f32>) -> ({})\n",
            elements.len(),
            vec![format!("[{}]", out.1); elements.len()].join(", "),
            usize::from(rows),
            results.join(", "),
        );
        values.extend((0..elements.len()).map(|k| format!("%{name}#{k}")));
        types.extend(results);
    }
    let (values, types) = (values.join(", "), types.join(", "));
    format!(
        "{OPERATORS}\nfunc.func @f(%X: tensor<{shape}f32>) -> ({types}) {{\n{body}  return {values} : {types}\n}}"
    )
}

#[test]
fn every_back_end_gives_the_interpreters_values() {
    let mut backends = "--compare=interp,host,openmp".to_owned();
    match Device::open(&Preference::Any) {
        Ok(_) => backends += ",opencl",
        Err(_) => println!("skipped: tuples on opencl (there is no device)"),
    }
    for (n, rows) in [(1, true), (61, true), (1031, true), (70_001, false)] {
        let name = format!("tuples-{n}-{rows}");
        let shown = stdout(&run(&name, &text(n, rows), &["--in=X=random:3", &backends]));
        let agree = shown.lines().filter(|line| line.contains("agree, without any difference")).count();
        let pairs = backends.split(',').count() - 1;
        assert_eq!(agree, 9 * pairs, "{n}, {rows}:\n{shown}");
    }
}

/// A sum that begins with 0 loses the sign of zeros. Where bits are fixed, all back ends begin with it
#[test]
fn neutral_elements_show_in_the_signs_of_zeros_alike() {
    for order in ["source", "invariant"] {
        let text = format!(
            "func.func private @counted(%a: f32, %i: i32, %b: f32, %j: i32) -> (f32, i32) attributes {{sched.operator = {{associative, commutative, identity = [0.0 : f32, 0 : i32]}}}} {{
  %s = arith.addf %a, %b : f32
  %n = arith.addi %i, %j : i32
  return %s, %n : f32, i32
}}
func.func @f(%X: tensor<3x67xf32>) -> (tensor<3xf32>, tensor<3xi32>) {{
  %s, %n = mdh.compute (i in 3, j in 67 pw @counted {order}) ins(%x = %X[i, j]) outs([i], [i]) {{
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : i32
    %size = math.absf %x : f32
    %negative = arith.negf %size : f32
    %none = arith.mulf %negative, %zero : f32
    mdh.yield %none, %one : f32, i32
  }} : (tensor<3x67xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  %t = mdh.compute (i in 3) ins(%x = %s[i]) outs([i]) {{
    %one = arith.constant 1.0 : f32
    %y = arith.divf %one, %x : f32
    mdh.yield %y : f32
  }} : (tensor<3xf32>) -> tensor<3xf32>
  return %t, %n : tensor<3xf32>, tensor<3xi32>
}}"
        );
        let shown = stdout(&run(
            &format!("zeros-{order}"),
            &text,
            &["--in=X=random:3", "--compare=interp,host,openmp"],
        ));
        let agree = shown.lines().filter(|line| line.contains("agree, without any difference")).count();
        assert_eq!(agree, 4, "{order}:\n{shown}");
    }
}
