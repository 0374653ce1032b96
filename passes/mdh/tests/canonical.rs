//! `mdh-canonicalize-reductions`: each of the 418 reductions has one of three forms, with the same values; and the form that a processor's schedule
//! takes is none that the model holds to be slower.

use crate::common::*;
use crate::corpus::{self, Entry};

use std::collections::BTreeSet;
use terrace_devices::Device;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_dialect_test::values::shown;
use terrace_ir::Ir;
use terrace_passes_mdh::access;
use terrace_schedule_choose::choice::{Choice, STRUCTURES};
use terrace_schedule_choose::host;
use terrace_support::Random;

const CANONICAL: &str = "func.func(mdh-canonicalize-reductions)";

/// A reduction as `mdh` has it
fn program(entry: &Entry, order: &str) -> String {
    let name = |n: usize| char::from(b'a' + n as u8).to_string();
    let list = |dims: &[usize]| dims.iter().map(|n| name(*n)).collect::<Vec<_>>().join(", ");
    let ty = |extents: &[u64]| {
        let extents: String = extents.iter().map(|extent| format!("{extent}x")).collect();
        format!("tensor<{extents}{}>", entry.elem)
    };
    let operator = if entry.operator == "max" { "max" } else { "add" };
    let dim = |n: usize| {
        let kind = if entry.axes.contains(&n) { format!(" pw {operator}{order}") } else { String::new() };
        format!("{} in {}{kind}", name(n), entry.shape[n])
    };
    let all: Vec<usize> = (0..entry.shape.len()).collect();
    let kept: Vec<usize> = all.iter().copied().filter(|n| !entry.axes.contains(n)).collect();
    let dims: Vec<String> = all.iter().map(|n| dim(*n)).collect();
    let (given, result) = (ty(&entry.shape), ty(&entry.kept()));
    format!(
        "func.func @f(%X: {given}) -> {result} {{
  %y = mdh.compute ({}) ins(%x = %X[{}]) outs([{}]) {{
    mdh.yield %x : {}
  }} : ({given}) -> {result}
  return %y : {result}
}}",
        dims.join(", "),
        list(&all),
        list(&kept),
        entry.elem
    )
}

fn views(ir: &Ir) -> Vec<View> {
    let function = ir.walk().find_map(|op| ir.child(op)).expect("a function");
    let computes = function.walk().filter_map(|op| Compute::cast(function, op));
    computes.map(|op| View::read(function, op).expect("well formed")).collect()
}

/// Extents that are kept and that are reduced, in the canonical form
fn canonical(entry: &Entry) -> (Vec<i64>, Vec<i64>) {
    let text = program(entry, "");
    let mut ir = parse(&text);
    lower(&mut ir, CANONICAL, &text);
    let all = views(&ir);
    let [view] = all.as_slice() else { panic!("{}", shown(&ir)) };
    let of = |kept: bool| {
        let dims = view.dims.iter().filter(|dim| dim.kind.kept() == kept);
        dims.map(|dim| dim.size).collect::<Vec<i64>>()
    };
    (of(true), of(false))
}

/// Points of a group: ones are left out
fn product(entry: &Entry, reduced: bool) -> i64 {
    let all = (0..entry.shape.len()).filter(|n| entry.axes.contains(n) == reduced);
    all.map(|n| entry.shape[n] as i64).product()
}

#[track_caller]
fn has_one_form(entry: &Entry) {
    let (kept, reduced) = canonical(entry);
    let one = |group: &[i64], points: i64| match group {
        [] => points == 1,
        [extent] => *extent == points,
        _ => false,
    };
    assert!(
        one(&kept, product(entry, false)) && one(&reduced, product(entry, true)),
        "{entry}: {kept:?} {reduced:?}"
    );
}

#[test]
fn each_of_the_corpus_has_one_of_three_forms() {
    for entry in corpus::all().expect("the table is well formed") {
        has_one_form(&entry);
    }
}

/// All sets of axes of up to six dimensions; ones are among the extents
fn sets(most: u64) -> Vec<Entry> {
    let mut random = Random::new(7);
    let mut all = BTreeSet::new();
    for rank in 1..=6usize {
        for set in 1u32..1 << rank {
            let extent = |_: usize| [1, 2, 3, 5, 7][random.below(5)].min(most);
            let shape = (0..rank).map(extent).collect();
            let axes = (0..rank).filter(|n| set & 1 << n != 0).collect();
            let operator = if set % 3 == 0 { "max" } else { "sum" };
            all.insert(Entry { operator: operator.into(), elem: "f32".into(), shape, axes });
        }
    }
    all.into_iter().collect()
}

#[test]
fn each_set_of_axes_has_one_of_three_forms() {
    for entry in sets(7) {
        if product(&entry, true) > 1 {
            has_one_form(&entry);
        }
    }
}

#[test]
fn values_are_those_of_the_form_as_written() {
    for (n, entry) in sets(3).iter().enumerate().filter(|(n, _)| n % 3 == 0) {
        agree_chosen(&program(entry, if n % 2 == 0 { "" } else { " source" }), CANONICAL);
    }
}

/// What the model ranks the best schedule of the only computation by
fn rank(ir: &Ir) -> f64 {
    let device = Device::find("x86-64-v4").expect("a device");
    let function = ir.walk().find_map(|op| ir.child(op)).expect("a function");
    let op = function.walk().find_map(|op| Compute::cast(function, op)).expect("a computation");
    let view = View::read(function, op).expect("well formed");
    let accesses = access::read(function, op, &view);
    Choice::among(host::GENERATORS, &accesses, view.computed(function, op).as_ref(), &device).rank()
}

#[test]
fn no_form_that_is_scheduled_is_slower_by_the_model() {
    let mut changed = 0;
    for entry in corpus::all().expect("the table is well formed") {
        let text = program(&entry, "");
        let mut ir = parse(&text);
        let (written, dims) = (rank(&ir), views(&ir)[0].dims.len());
        lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4})", &text);
        let found = rank(&ir);
        assert!(found <= written * STRUCTURES, "{entry}: {found} after {written}");
        changed += usize::from(views(&ir)[0].dims.len() < dims);
    }
    assert!(changed > 200, "{changed}");
}

/// Quotients and remainders are runs with a distance: the canonical form has no slower schedule than the one as written
#[test]
fn no_canonical_form_is_slower_by_the_model() {
    let schedule = "func.func(mdh-schedule{target=x86-64-v4})";
    let mut divided = 0;
    for entry in corpus::all().expect("the table is well formed") {
        let text = program(&entry, "");
        let [mut written, mut canonical] = [parse(&text), parse(&text)];
        lower(&mut written, schedule, &text);
        lower(&mut canonical, CANONICAL, &text);
        divided += usize::from(shown(&canonical).contains("floordiv"));
        lower(&mut canonical, schedule, &text);
        let (least, found) = (rank(&written), rank(&canonical));
        assert!(found <= least * STRUCTURES, "{entry}: {found}, {least} as written\n{}", shown(&canonical));
    }
    assert!(divided > 0, "no entry of the corpus is interleaved");
}

#[test]
fn lanes_along_a_run_need_no_division() {
    let entry = Entry::read("sum", "f32", "40x20x10x16@0,2,3").expect("an entry");
    let text = program(&entry, "");
    let mut ir = parse(&text);
    lower(&mut ir, CANONICAL, &text);
    assert!(shown(&ir).contains("floordiv"), "{}", shown(&ir));
    lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4},mdh-to-sched)", &text);
    let text = shown(&ir);
    assert!(text.contains(": vector") && !text.contains("floordiv") && !text.contains(" mod "), "{text}");
}

/// Consecutive points of a row read neighbors, but where a run ends
#[test]
fn rows_are_read_in_order() {
    let entry = Entry::read("sum", "f32", "40x20x10x5@0,2,3").expect("an entry");
    let text = program(&entry, "");
    let mut ir = parse(&text);
    lower(&mut ir, CANONICAL, &text);
    let view = views(&ir).remove(0);
    let map = view.inputs[0].map.clone().expect("subscripts");
    let address = |i: i64, j: i64| {
        let at = map.eval(&[i, j], &[]).expect("small numbers");
        at.iter().zip([40, 20, 50]).fold(0, |all, (at, extent)| all * extent + at)
    };
    assert_eq!(view.sizes(), [20, 2000]);
    assert!(shown(&ir).contains("[j floordiv 50, b, j mod 50]"), "{}", shown(&ir));
    for i in 0..20 {
        let steps: Vec<i64> = (1..2000).map(|j| address(i, j) - address(i, j - 1)).collect();
        assert_eq!(steps.iter().filter(|step| **step != 1).count(), 39);
        assert!(steps.iter().all(|step| *step == 1 || *step == 20 * 50 - 49), "{steps:?}");
    }
}
