//! Small spaces against brute force: every assignment of levels is lowered, verified, and judged by the rules on the kernels
//! that come out, with the limits of a device. Sizes are odd or prime, so that nothing divides by chance.

use crate::by_value::{FIRST, lower};
use crate::common::function;
use crate::whole::{TRANSPOSED, beyond, bound, parsed, problem, refused};
use terrace_devices::Device;
use terrace_dialect_sched::{Kernel, read};
use terrace_ir::Ir;
use terrace_schedule_rules::{CAP, Cx, HW, broken};
use terrace_search_mapping::{Limits, MapLevel, Mapping, Options, Problem, explain, function as maps};

/// Each row, then each element
const ROWS: &str = r#"
func.func @rows(%x: !array.of<@n x @m x i32>, %two: i32) -> !array.of<@n x @m x i32> {
  %o = array.map "A" %x as %row {
    %b = array.map "B" %row as %e {
      %0 = arith.addi %e, %two : i32
      array.yield %0
    }
    array.yield %b
  }
  return %o : !array.of<@n x @m x i32>
}
"#;

/// A grid device with few threads, blocks and bytes
fn device(text: &str) -> Limits {
    let text = format!("kind = \"grid\"\nunits = 2\nregisters = 16\n{text}");
    Limits::of(&Device::parse("small", &text).expect("well formed")).expect("a grid")
}

/// Every mapping, whatever rules say
fn every(problem: &Problem) -> Vec<Mapping> {
    (0..problem.tree.loops.len()).fold(vec![Vec::new()], |all, n| {
        let with = |own: &Mapping| {
            let own = own.clone();
            problem.domain(n).iter().map(move |value| [&own[..], &[value]].concat())
        };
        all.iter().flat_map(with).collect()
    })
}

/// Do the kernels of a mapping fit the device, by the rules on what the function lowers to?
fn fits(ir: &Ir, problem: &Problem, values: &[MapLevel], limits: Limits) -> bool {
    let mut mapped = ir.clone_unit();
    let slot = mapped.walk().find(|op| mapped.child(*op).is_some()).expect("a function");
    maps::apply(mapped.child_mut(slot).expect("a function"), &problem.tree, values);
    if lower(&mut mapped, FIRST).is_err() {
        return false;
    }
    let unit = function(&mapped);
    let kernels: Vec<_> = unit.walk().filter(|op| Kernel::cast(unit, *op).is_some()).collect();
    kernels.into_iter().all(|op| {
        let (nest, _) = read(unit, op);
        let cx = Cx::new(&nest).within(limits);
        [&HW, &CAP].into_iter().all(|rule| broken(&cx, rule).is_none())
    })
}

/// Every assignment of levels: accepted if and only if it lowers to kernels that fit; how many are
fn brute(text: &str, limits: Limits) -> (usize, usize) {
    let ir = parsed(text);
    let problem = problem(&ir, Options { limits: Some(limits), ..beyond() });
    let maps: Vec<usize> = (0..problem.tree.loops.len()).collect();
    let all = every(&problem);
    let mut accepted = 0;
    for values in &all {
        let ours = problem.holds(values) && problem.broken(values).is_empty();
        accepted += usize::from(ours);
        let why = refused(&ir, &problem, values);
        let theirs = why.is_none() && fits(&ir, &problem, values, limits);
        assert_eq!(ours, theirs, "{}: {why:?}", explain::mapping_text(&problem, &maps, values));
    }
    let counted = problem.valid().expect("few sums").count().to_string();
    assert_eq!(counted, accepted.to_string());
    (accepted, all.len())
}

#[test]
fn every_mapping_of_rows_of_prime_length() {
    let rows = bound(ROWS, "n = 7, m = 13");
    let narrow = device("block_threads = 13\nblock_max = [13, 6, 1]\ngrid_max = [9, 13, 3]");
    let said = bound(ROWS, "n = 7, m = 13; array.block = [5, 3], array.grid = [2]");
    let found = [brute(&rows, Limits::ANY), brute(&rows, narrow), brute(&said, Limits::ANY)];
    assert_eq!(found, [(74, 110), (17, 110), (74, 110)]);
}

#[test]
fn every_mapping_of_rows_whose_threads_exchange_elements() {
    let few = device("block_threads = 31\nmemory = [{ region = \"SM\", bytes = 100 }]");
    let swap = |sizes: &str| brute(&bound(TRANSPOSED, sizes), few);
    let found = [swap("n = 3, m = 9, s = 3"), swap("n = 5, m = 9, s = 3; array.block = [9, 2]")];
    assert_eq!(found, [(47, 1210), (67, 1210)]);
}
