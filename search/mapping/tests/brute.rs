//! Small spaces against brute force: every assignment of levels is lowered, verified, and judged by the rules on the kernels
//! that come out, with the limits of a device. Sizes are odd or prime, so that nothing divides by chance.

use crate::by_value::{FIRST, lower};
use crate::common::{LISTING_1, function, listing_3};
use crate::whole::{TRANSPOSED, beyond, bound, parsed, problem, refused};
use terrace_devices::Device;
use terrace_dialect_sched::{Kernel, read};
use terrace_ir::Ir;
use terrace_schedule_rules::{CAP, Cx, HW, RULES, broken};
use terrace_search_mapping::demand::{Demands, Rules};
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

/// Every mapping that satisfies the other rules: threads that wait for each other all come, by the sum, if and only if the
/// rule holds of the kernels that come out; how many it refuses
fn meetings(text: &str) -> (usize, usize) {
    let ir = parsed(text);
    let problem = problem(&ir, beyond());
    let sizes = problem.sizes.as_ref().expect("sizes are numbers");
    let others = Demands::new(&problem.tree, sizes, Rules { sync: false, ..Rules::ALL });
    let meetings = Demands::new(&problem.tree, sizes, Rules::SYNC);
    let sync = RULES.iter().find(|rule| rule.name == "SYNC").expect("the rule");
    let maps: Vec<usize> = (0..problem.tree.loops.len()).collect();
    let (all, _) = problem.spaces().expect("counted");
    let (mut refused, mut count) = (0, 0);
    for values in all.iter().filter(|values| others.holds(values)) {
        let mut mapped = ir.clone_unit();
        let slot = mapped.walk().find(|op| mapped.child(*op).is_some()).expect("a function");
        maps::apply(mapped.child_mut(slot).expect("a function"), &problem.tree, &values);
        let text = || explain::mapping_text(&problem, &maps, &values);
        lower(&mut mapped, FIRST).unwrap_or_else(|why| panic!("{}: {why}", text()));
        let unit = function(&mapped);
        let mut kernels = unit.walk().filter(|op| Kernel::cast(unit, *op).is_some());
        let wrong = kernels.find_map(|op| broken(&Cx::new(&read(unit, op).0), sync));
        assert_eq!(meetings.holds(&values), wrong.is_none(), "{}: {wrong:?}", text());
        (refused, count) = (refused + usize::from(wrong.is_some()), count + 1);
    }
    (refused, count)
}

#[test]
fn threads_that_wait_for_each_other_by_the_sum_and_by_the_rule() {
    let local = listing_3(Some("workgroup"));
    let found = [
        (ROWS, "n = 7, m = 13"),
        (TRANSPOSED, "n = 5, m = 9, s = 3; array.block = [9, 2]"),
        (TRANSPOSED, "n = 10, m = 6, s = 2; array.block = [6, 4], array.grid = [3, 4]"),
        (&local, "n = 24, s0 = 12, s1 = 4; array.block = [5, 2, 3]"),
        (LISTING_1, "I = 3, J = 4, K = 5; array.block = [2, 2]"),
    ]
    .map(|(text, sizes)| meetings(&bound(text, sizes)));
    assert_eq!(found, [(0, 74), (16, 118), (32, 118), (0, 452), (356, 1756)]);
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
