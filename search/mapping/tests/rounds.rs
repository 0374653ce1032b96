//! Strip-mined rows, n of them for L threads along an axis (the paper's §4.6): threads may wait for each other inside if and
//! only if each has a row in each round, n % L == 0. The solver, the verifier and the lowering say so alike, and what they
//! accept has the values of the patterns.

use crate::by_value;
use crate::common;

use by_value::{DOWN, FIRST, as_it_is, lower, on_buffers, parse, types};
use common::{function, tags};
use terrace_dialect_test::values::shown;
use terrace_ir::Ir;
use terrace_ir::symbols::Symbols;
use terrace_search_mapping::text::parse_mapping;
use terrace_search_mapping::{MapLevel, Mapping, Options, Problem, function as of};

/// The paper's: `mapLcl^A(1)(mapLcl^B(0)(f) o transpose o mapLcl^C(0)(g))`, where a row is a matrix of p by q
const TRANSPOSED: &str = r#"
func.func @f(%x: !array.of<@n x @p x @q x i32>, %two: i32) -> !array.of<@n x @q x @p x i32> {
  %o = array.map "A" %x as %row {
    %c = array.map "C" %row as %line {
      %0 = array.map "g" %line as %e {
        %1 = arith.addi %e, %two : i32
        array.yield %1
      }
      array.yield %0
    }
    %p = array.place #gpu.address_space<workgroup> %c
    %t = array.transpose %p
    %b = array.map "B" %t as %line {
      %0 = array.map "f" %line as %e {
        %1 = arith.muli %e, %two : i32
        array.yield %1
      }
      array.yield %0
    }
    array.yield %b
  }
  return %o : !array.of<@n x @q x @p x i32>
}
"#;

/// Without the transposition each thread uses what it wrote
fn straight() -> String {
    let text = TRANSPOSED.replace("    %t = array.transpose %p\n", "").replace("\"B\" %t", "\"B\" %p");
    text.replace("@q x @p x", "@p x @q x")
}

/// With numbers for sizes and threads of a block
fn bound(text: &str, [n, p, q]: [i64; 3], block: &str) -> Ir {
    let attributes =
        format!(" attributes {{array.bind = {{n = {n}, p = {p}, q = {q}}}, array.block = {block}}} {{\n");
    let mut ir = parse(&text.replacen(" {\n", &attributes, 1));
    lower(&mut ir, "func.func(array-bind)").unwrap_or_else(|why| panic!("{why}"));
    *ir
}

fn problem(ir: &Ir) -> Problem {
    let unit = function(ir);
    let symbols = Symbols::read(ir);
    let scope = symbols.child_scope(symbols.root(), unit);
    let options = Options { tags: tags(&["beyond"]), ..Options::default() };
    let (problem, missing) = of::problem(unit, &symbols, scope, options);
    assert!(missing.is_none(), "{}", missing.map(|why| why.message).unwrap_or_default());
    problem
}

fn values_of(problem: &Problem, mapping: &str) -> Mapping {
    let items: Vec<String> = mapping.split(',').map(str::to_string).collect();
    parse_mapping(problem, &items).expect("a mapping")
}

/// Down to structured code, with the values of the patterns after each step; the error is what refuses it. Gives the threads
/// of a block along axis 1, and whether they wait for each other
fn lowered(ir: &Ir, problem: &Problem, values: &[MapLevel]) -> Result<(i64, bool), String> {
    let mut mapped = ir.clone_unit();
    let slot = mapped.walk().find(|op| mapped.child(*op).is_some()).ok_or("no function")?;
    of::apply(mapped.child_mut(slot).ok_or("no function")?, &problem.tree, values);
    let source = types(&mapped, "f");
    let wanted = as_it_is(&mapped, "f").expect("patterns");
    let mut threads = 0;
    for step in [FIRST, DOWN] {
        lower(&mut mapped, step)?;
        if let Some((_, block)) = shown(&mapped).split_once(" block [") {
            threads = block.split([',', ']']).nth(1).and_then(|n| n.trim().parse().ok()).unwrap_or(0);
        }
        let diags = terrace_ir::verify::verify(&mapped, 1);
        if diags.has_errors() {
            return Err(terrace_diag::render_all(diags.iter(), mapped.cx().sources(), false));
        }
        let found = on_buffers(&mapped, "f", &source);
        assert_eq!(found.unwrap_or_else(|why| panic!("{step}: {why}")), wanted, "{step}");
    }
    Ok((threads, shown(&mapped).contains("gpu.barrier")))
}

const MAPPING: &str = "A=L1,C=L0,B=L0";

#[test]
fn the_transposition_is_accepted_if_and_only_if_all_threads_go_round_as_often() {
    let straight = straight();
    for (n, l) in (1..=9).flat_map(|n| [(n, 1), (n, 2), (n, 3), (n, 4)]) {
        for (text, exchange) in [(TRANSPOSED, true), (&straight, false)] {
            let ir = bound(text, [n, 4, 6], &format!("[6, {l}]"));
            let problem = problem(&ir);
            let values = values_of(&problem, MAPPING);
            assert!(problem.holds(&values), "{n} {l}");
            // Fewer rows than threads: the block has as many threads as rows.
            let wanted = !exchange || n % l == 0 || n < l;
            let broken = problem.broken(&values);
            assert_eq!(broken.is_empty(), wanted, "{n} {l} {exchange}: {broken:?}");
            assert!(broken.iter().all(|broken| broken.rule == "SYNC"), "{n} {l}: {broken:?}");
            let found = lowered(&ir, &problem, &values);
            assert_eq!(found.is_ok(), wanted, "{n} {l} {exchange}: {found:?}");
            if let Ok((threads, waits)) = found {
                // The paper's condition, of the threads that there are; and without an exchange no thread waits.
                assert_eq!(threads, l.min(n), "{n} {l}");
                assert!(!exchange || n % threads == 0, "{n} rows for {threads} threads");
                assert_eq!(waits, exchange, "{n} {l}");
            }
            if let Err(why) = found {
                assert!(n % l != 0 && n > l, "{n} {l}");
                assert!(why.contains("error[E0660]") && why.contains(&format!("{n} iterations")), "{why}");
            }
            // What can be drawn is what is accepted.
            let space = problem.valid().expect("counted");
            assert_eq!(space.iter().any(|other| other == values), wanted, "{n} {l}");
        }
    }
}
