//! Threads of a block as a parameter: the legal mappings depend on the number that is chosen.

use crate::common;

use common::{parse, run, setup};
use terrace_search_arrays::{ArraySpace, Program, Setup};
use terrace_search_explore::technique::RandomDraws;
use terrace_search_explore::{Explorer, Next, Plan, Proposal, Space};
use terrace_search_mapping::text::parse_mapping;
use terrace_search_mapping::{Options, Tag};

const CLOCK: fn() -> f64 = || 0.0;

/// The paper's §4.6: threads of a row exchange elements, twelve rows
const ROWS: &str = r#"
func.func @f(%x: !array.of<@n x 6 x i32>) -> !array.of<@n x 6 x i32> attributes {array.block = [6, "@ly"]} {
  %o = array.map "A" %x as %row {
    %c = array.map "C" %row as %e {
      %0 = arith.addi %e, %e : i32
      array.yield %0
    }
    %p = array.place #gpu.address_space<workgroup> %c
    %t = array.gather %p by 5 - $i size 6
    %b = array.map "B" %t as %e {
      %0 = arith.muli %e, %e : i32
      array.yield %0
    }
    array.yield %b
  }
  return %o : !array.of<@n x 6 x i32>
}
tune.space @numbers for @f {
  tune.param @ly in {2, 3, 4, 5, 6, 8, 12}
}
"#;

#[test]
fn threads_that_are_tuned_divide_rows_whose_threads_wait() {
    let module = parse(ROWS);
    let sizes = [("n", 12)];
    let options = Options { tags: vec![Tag::Beyond, Tag::User], ..Options::default() };
    let program = Program::new(Setup { options, ..setup(&module, &sizes) })
        .unwrap_or_else(|error| panic!("{}", error.message));
    let space = ArraySpace::new(&program, &CLOCK).unwrap_or_else(|error| panic!("{}", error.message));
    assert_eq!(space.names(), ["ly", "m.A", "m.C", "m.B"]);
    let mapping: Vec<String> = ["A=L1", "C=L0", "B=L0"].map(str::to_string).to_vec();
    for (ly, wanted) in [(2, true), (3, true), (4, true), (5, false), (6, true), (8, false), (12, true)] {
        let bound = space.bound(&[ly]);
        let bound = bound.as_ref().as_ref().unwrap_or_else(|error| panic!("{}", error.message));
        let found = bound.mapping.as_ref().expect("levels are open");
        let values = parse_mapping(&found.problem, &mapping).expect("a mapping");
        assert!(found.complete(&values).is_some(), "by what single maps say");
        assert_eq!(found.problem.broken(&values).is_empty(), wanted, "{ly}");
    }
    // Whatever is drawn is lowered.
    let mut explorer =
        Explorer::new(&space, Box::new(RandomDraws::new(&space)), Plan { lag: u64::MAX, ..Plan::new(5) });
    for _ in 0..25 {
        let Next::Measure(Proposal { point, .. }) = explorer.next_point() else { panic!("enough") };
        let mut made = space.make_program(&point).unwrap_or_else(|error| panic!("{}", error.message));
        run(&mut made, "func.func(array-place,array-to-sched)")
            .unwrap_or_else(|error| panic!("{}", error.message));
        assert!(!terrace_ir::verify::verify(&made, 1).has_errors(), "{point:?}");
    }
}
