//! Every number of elements from 1 to 1025, by mechanisms of every kind; a text holds many reductions of two rows.
//!
//! - Numbers up to 130, and those next to powers of two and to multiples of 96: by every mechanism.
//! - Other numbers: by one mechanism each, which changes from number to number. `TERRACE_NUMBERS=all` runs them by every one.
//!
//! Tasks, blocks and threads run in one of three orders, which changes from text to text; next to powers of two in all three.
//! A race ends a run with an error. [`crate::every_tuple`] has operators on tuples, for fewer numbers.

use crate::common::*;
use crate::every_tuple::{every_one, in_order};
use terrace_interp::Order;

/// The largest number
const MOST: i64 = 1025;

/// Reductions in a text
const BATCH: usize = 24;

/// A mechanism, and the schedule of so many elements in two rows, where it has one
type Mechanism = (&'static str, fn(i64) -> Option<Vec<String>>);

fn step(number: usize, tiles: &str, layers: &str) -> String {
    format!("{number}: ({tiles}) (^ ; ^) ({layers})")
}

/// Each of so many members sums a run of its own
fn runs(n: i64, members: i64, rows: &str, layer: &str) -> Option<Vec<String>> {
    let part = format!("^,{}~limit", (n + members - 1) / members);
    Some(vec![
        step(1, "1,^", &format!("{rows},^")),
        step(2, &part, &format!("^,{layer}")),
        step(3, "1,1", "FOR.1,FOR.2"),
    ])
}

/// Threads sum every so many-th element
fn rounds(n: i64, threads: i64, mechanism: &str) -> Option<Vec<String>> {
    let round = format!("^,{threads}~limit");
    let layers = format!("^,THR.x({mechanism})");
    (n >= threads)
        .then(|| vec![step(1, "1,^", "BLK.x,^"), step(3, &round, "^,FOR.1"), step(2, "^,1", &layers)])
}

/// So many blocks, each with a warp
fn blocks(n: i64, blocks: i64, mechanism: &str) -> Option<Vec<String>> {
    let block = (n + blocks - 1) / blocks;
    let layers = format!("BLK.y,BLK.x({mechanism})");
    Some(vec![
        step(1, &format!("1,{block}~limit"), &layers),
        step(2, &format!("^,{}~limit", (block + 31) / 32), "^,THR.x(shuffle)"),
        step(3, "1,1", "FOR.1,FOR.2"),
    ])
}

fn lanes(n: i64) -> Option<Vec<String>> {
    let round = step(1, "1,16~peel", "FOR.1,FOR.2");
    (n >= 16).then(|| vec![round, step(2, "^,8~peel", "^,UNR.1"), step(3, "^,1", "^,VEC.x")])
}

const MECHANISMS: [Mechanism; 11] = [
    ("tasks", |n| runs(n, 5, "FOR.1", "THR.x")),
    ("tree of 7 in shared memory", |n| runs(n, 7, "BLK.x", "THR.x(shared)")),
    ("tree of 96 in shared memory", |n| runs(n, 96, "BLK.x", "THR.x(shared)")),
    ("shuffles of one warp", |n| runs(n, 32, "BLK.x", "THR.x(shuffle)")),
    ("shuffles of two warps", |n| runs(n, 64, "BLK.x", "THR.x(shuffle)")),
    ("rounds of one warp", |n| rounds(n, 32, "shuffle")),
    ("rounds of 24 threads", |n| rounds(n, 24, "shared")),
    ("lanes", lanes),
    ("blocks, atomic updates", |n| blocks(n, 3, "atomic")),
    ("blocks, a second kernel", |n| blocks(n, 5, "kernel")),
    ("blocks, the last one", |n| blocks(n, 4, "last")),
];

/// One function with these reductions: a number of elements and a schedule
fn text(all: &[(i64, Vec<String>)]) -> String {
    let (mut arguments, mut body, mut results) = (Vec::new(), String::new(), Vec::new());
    for (k, (n, schedule)) in all.iter().enumerate() {
        let steps: Vec<String> = schedule.iter().map(|step| format!("\"{step}\"")).collect();
        arguments.push(format!("%A{k}: tensor<2x{n}xi32>"));
        results.push(format!("%r{k}"));
        body += &format!(
            "  %r{k} = mdh.compute (i in 2, j in {n} pw add) ins(%x = %A{k}[i, j]) outs([i]) attributes {{mdh.schedule = [{}]}} {{
    mdh.yield %x : i32
  }} : (tensor<2x{n}xi32>) -> tensor<2xi32>\n",
            steps.join(", ")
        );
    }
    let types = vec!["tensor<2xi32>"; all.len()].join(", ");
    format!(
        "func.func @f({}) -> ({types}) {{\n{body}  return {} : {types}\n}}",
        arguments.join(", "),
        results.join(", ")
    )
}

/// How a text is lowered; parts that another computation joins are made by the pass that chooses schedules
fn pipeline(name: &str) -> String {
    let divided = if name.ends_with("kernel") || name.ends_with("last one") {
        "mdh-schedule{target=cuda},"
    } else {
        ""
    };
    format!("func.func({divided}mdh-to-sched),inline,sched-legalize,sched-to-scf")
}

/// Run a batch in these orders
fn check(name: &str, all: &[(i64, Vec<String>)], orders: &[Order]) {
    let text = text(all);
    let mut ir = parse(&text);
    let wanted = as_it_is(&ir, "f");
    lower(&mut ir, &pipeline(name), &text);
    for order in orders {
        same(&wanted, &in_order(&ir, *order, &text), &format!("{name}, {order:?}\n{text}"));
    }
}

fn next_to_a_power(n: i64) -> bool {
    [n - 1, n, n + 1].iter().any(|n| *n > 0 && n.count_ones() == 1)
}

/// Is a number run by every mechanism?
fn by_all(n: i64) -> bool {
    n <= 130 || next_to_a_power(n) || [n - 1, n, n + 1].iter().any(|n| n % 96 == 0)
}

/// The numbers of one mechanism, by its place in the table
fn every_number(mechanism: usize) {
    let (name, schedule) = MECHANISMS[mechanism];
    let everything = every_one();
    let wanted = |n: &i64| everything || by_all(*n) || *n as usize % MECHANISMS.len() == mechanism;
    let all: Vec<(i64, Vec<String>)> =
        (1..=MOST).filter(wanted).filter_map(|n| Some((n, schedule(n)?))).collect();
    assert!(all.len() > 200, "{name}: {} numbers", all.len());
    let (near, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(n, _)| next_to_a_power(*n));
    let orders = [Order::Forward, Order::Reverse, Order::Seed(7)];
    near.chunks(BATCH).for_each(|batch| check(name, batch, &orders));
    for (k, batch) in others.chunks(BATCH).enumerate() {
        check(name, batch, &orders[k % 3..=k % 3]);
    }
}

#[test]
fn by_runs() {
    (0..5).for_each(every_number);
}

#[test]
fn by_rounds_and_blocks() {
    (5..MECHANISMS.len()).for_each(every_number);
}
