//! Schedules from records: what a computation is found by, and what is attached.

use crate::common::*;
use terrace_devices::Device;
use terrace_diag::{Diags, render_all};
use terrace_dialect_mdh::Compute;
use terrace_dialect_test::values::shown;
use terrace_ir::Ir;
use terrace_pass::{Instrument, Pipeline};
use terrace_passes_mdh::records::alone::{Alone, Functions};
use terrace_search_records::record::FORM;
use terrace_search_records::{About, Compiler, Hash, Here, Record, Store, Target, setting};

/// The first computation of a module by itself, as text
fn text(module: &str) -> String {
    let root = parse(module);
    let mut pending: Vec<&Ir> = vec![&root];
    while let Some(unit) = pending.pop() {
        if let Some(op) = unit.walk().find_map(|op| Compute::cast(unit, op)) {
            return Alone::of(&Functions::of(&root), unit, op).text();
        }
        pending.extend(unit.walk().filter_map(|op| unit.child(op)));
    }
    panic!("no computation in\n{module}")
}

/// A product of rows and columns, folded by an operator
const PRODUCT: &str = "\
func.func private @add(%a: f32, %b: f32) -> f32 attributes {sched.operator = {associative, commutative, identity = [0.0 : f32]}} {
  %s = arith.addf %a, %b : f32
  return %s : f32
}
func.func @mm(%A: tensor<12x30xf32>, %B: tensor<30x20xf32>) -> tensor<12x20xf32> {
  %C = mdh.compute \"mm\" (i in 12, j in 20, k in 30 pw @add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<12x30xf32>, tensor<30x20xf32>) -> tensor<12x20xf32>
  return %C : tensor<12x20xf32>
}
";

/// The text with several words exchanged
fn with(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(PRODUCT.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

#[test]
fn names_and_surroundings_are_of_no_importance() {
    let own = text(PRODUCT);
    for same in [
        with(&[("@add", "@\"a sum\""), ("@mm", "@whole_network")]),
        with(&[("%A", "%left"), ("%b", "%right"), ("%p", "%17")]),
        with(&[
            ("\"mm\" (i in 12, j in 20, k in 30", "(row in 12, column in 20, inner in 30"),
            ("[i, k]", "[row, inner]"),
            ("[k, j]", "[inner, column]"),
            ("[i, j]", "[row, column]"),
        ]),
        with(&[
            ("func.func private @add", "func.func @add"),
            ("attributes {sched", "attributes {mdh.lanes = array<i64: 1, 0, 0>, sched"),
        ]),
        with(&[(
            "outs([i, j]) {",
            "outs([i, j]) attributes {mdh.schedule = [\"1: (^,^,1) (^,^ ; ^) (^,^,FOR.3)\"], mdh.rolled = array<i64: 0>} {",
        )]),
        format!(
            "func.func private @other(i32)\n{}",
            with(&[("  %C = ", "  %e = tensor.empty() : tensor<3xf32>\n  %C = ")])
        ),
        PRODUCT.replace("  %C = mdh", "\n\n      %C = mdh"),
    ] {
        assert_eq!(text(&same), own, "{same}");
    }
    assert!(!own.contains("\"mm") && !own.contains("@add"), "{own}");
}

#[test]
fn what_values_or_times_depend_on_is_in_it() {
    let own = text(PRODUCT);
    let others = [
        with(&[("12", "13")]),
        with(&[("f32", "f64")]),
        with(&[("pw @add", "pw add")]),
        with(&[("pw @add", "pw @add free")]),
        with(&[("pw @add", "pw @add source")]),
        with(&[("%A[i, k]", "%A[j, k]"), ("tensor<12x30xf32>", "tensor<20x30xf32>")]),
        with(&[("%p = arith.mulf %a, %b", "%p = arith.mulf %b, %a")]),
        with(&[("%p = arith.mulf %a, %b : f32", "%p = arith.mulf %a, %b fastmath<contract> : f32")]),
        with(&[("arith.addf %a, %b", "arith.maximumf %a, %b")]),
        with(&[("commutative, ", "")]),
    ];
    for (n, other) in others.iter().enumerate() {
        assert_ne!(text(other), own, "{n}: {other}");
        assert!(others[..n].iter().all(|before| text(before) != text(other)), "{n}: {other}");
    }
}

/// One argument that is read twice is not two
#[test]
fn arguments_that_are_one_stay_one() {
    let twice = "func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %C = mdh.compute (i in 4, j in 4) ins(%a = %A[i, j], %b = %B[j, i]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %C : tensor<4x4xf32>
}";
    assert_ne!(text(twice), text(&twice.replace("%B[", "%A[")));
}

const DEVICE: &str = "x86-64-v3";

/// A record of the computation of a module for two threads of this machine
fn record(module: &str, seconds: f64, steps: &[&str]) -> Record {
    let (here, device) = (Here::now(), Device::find(DEVICE).expect("it is known"));
    let target = Target { device, on: "host".into(), threads: 2 };
    Record {
        form: FORM,
        program: Hash::of(text(module)),
        target: target.hash(),
        compiler: Compiler::here().hash(),
        machine: setting::of_machine(&here.machine),
        schedule: steps.iter().map(ToString::to_string).collect(),
        seconds,
        chosen: 0.5,
        about: About { machine: "some machine".into(), compiler: "some compiler".into(), ..About::default() },
        unix: 0,
    }
}

/// A program after look-ups in a store of these, and the messages
fn applied(records: &[Record], module: &str, options: &str, then: &str) -> (Box<Ir>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::create(folder.path()).expect("a store");
    store.write(records).expect("it can be written");
    let mut ir = parse(module);
    let cx = ir.cx_arc().clone();
    let place = folder.path().display();
    let pipeline =
        format!("mdh-apply-records{{store=\"{place}\" target={DEVICE} threads=2 {options}}}{then}");
    let mut diags = Diags::default();
    let parsed = Pipeline::parse(&pipeline, &HARNESS.registry, cx.sources(), &mut diags);
    let parsed = parsed.unwrap_or_else(|_| panic!("{}", render_all(diags.iter(), cx.sources(), false)));
    let (report, result) = terrace_pass::run(&mut ir, &parsed, &Instrument::quiet(|_| String::new()));
    let said = render_all(report.diags.iter(), cx.sources(), false);
    assert!(result.is_ok(), "{said}");
    (ir, said)
}

const TILES: [&str; 2] =
    ["1: (4,10,^) (^,^ ; ^) (FOR.1,FOR.2,^)", "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.3,FOR.2)"];

/// `y = A · B`, whose sums any schedule gives the same of
const WHOLE: &str = "\
func.func @mm(%A: tensor<12x30xi32>, %B: tensor<30x20xi32>) -> tensor<12x20xi32> {
  %C = mdh.compute \"mm\" (i in 12, j in 20, k in 30 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<12x30xi32>, tensor<30x20xi32>) -> tensor<12x20xi32>
  return %C : tensor<12x20xi32>
}
";

#[test]
fn a_schedule_is_attached_and_values_stay() {
    let (ir, said) = applied(&[record(WHOLE, 0.25, &TILES)], WHOLE, "", "");
    let shown = shown(&ir);
    assert!(
        shown.contains(&format!("mdh.schedule = [{TILES:?}]").replace("[[", "[").replace("]]", "]")),
        "{shown}"
    );
    assert!(said.contains("remark: schedule of record "), "{said}");
    assert!(
        said.contains(": 250.000 ms, 2.00 × the schedule chosen without measuring, on some machine"),
        "{said}"
    );
    let then = format!(",func.func(mdh-schedule{{target={DEVICE}}},mdh-to-sched)");
    let (lower, _) = applied(&[record(WHOLE, 0.25, &TILES)], WHOLE, "", &then);
    assert_eq!(lowered(&lower, "mm", WHOLE, 1), as_it_is(&parse(WHOLE), "mm"));
    // Its tiles are loops.
    assert!(
        terrace_dialect_test::values::shown(&lower).contains("by 4"),
        "{}",
        terrace_dialect_test::values::shown(&lower)
    );
}

#[test]
fn a_schedule_that_is_refused_is_named_and_the_next_one_taken() {
    let wrong = [
        (["1: (5,10,^) (^,^ ; ^) (FOR.1,FOR.2,^)", TILES[1]], "S-DIV"),
        (["1: (4,10) (^,^ ; ^) (FOR.1,FOR.2)", TILES[1]], "S-ARITY"),
        (["1: (4,?,^) (^,^ ; ^) (FOR.1,FOR.2,^)", TILES[1]], "S-HOLE"),
        (["1: (4,10,^) (^,^ ; ^) (BLK.x,FOR.2,^)", TILES[1]], "S-LAYER"),
        (["once upon a time", ""], "S-"),
    ];
    for (steps, rule) in wrong {
        let records = [record(WHOLE, 0.125, &steps), record(WHOLE, 0.25, &TILES)];
        let (_, said) = applied(&records, WHOLE, "", "");
        assert!(said.contains("schedule of record ") && said.contains("250.000 ms"), "{rule}: {said}");
        let (ir, said) = applied(&records[..1], WHOLE, "", "");
        assert!(said.contains("no record is taken: record ") && said.contains(rule), "{rule}: {said}");
        assert!(!shown(&ir).contains("mdh.schedule"));
    }
}

#[test]
fn each_reason_for_no_record_is_given() {
    let one = record(WHOLE, 0.25, &TILES);
    let said = |record: Record, options: &str| applied(&[record], WHOLE, options, "").1;
    let changed = WHOLE.replace("12", "24");
    assert!(said(record(&changed, 0.25, &TILES), "").contains("remark: no record of this computation"));
    let other = Hash::of("another one");
    let text = said(Record { target: other, ..one.clone() }, "from=any-machine+any-compiler");
    assert!(text.contains("there are some for other targets or numbers of threads"), "{text}");
    assert!(said(one.clone(), "on=openmp").contains("for other targets"));
    let machine = Record { machine: other, ..one.clone() };
    assert!(
        said(machine.clone(), "from=any-compiler").contains("of other machines (`any-machine` takes them)")
    );
    let text = said(machine, "from=any-machine");
    assert!(text.contains("schedule of record ") && text.contains("; this machine is another one"), "{text}");
    let compiler = Record { compiler: other, ..one };
    assert!(
        said(compiler.clone(), "from=any-machine").contains("of other compilers (`any-compiler` takes them)")
    );
    let text = said(compiler, "from=any-compiler");
    assert!(text.contains("; by another compiler: some compiler"), "{text}");
}

#[test]
fn what_has_a_schedule_keeps_it_and_nothing_is_said() {
    let given = WHOLE.replace(
        "outs([i, j]) {",
        "outs([i, j]) attributes {mdh.schedule = [\"1: (^,^,1) (^,^ ; ^) (^,^,FOR.3)\"]} {",
    );
    let (ir, said) = applied(&[record(WHOLE, 0.25, &TILES)], &given, "", "");
    assert!(shown(&ir).contains("1: (^,^,1)") && said.is_empty(), "{said}");
    let (ir, said) = applied(&[], "func.func private @nothing(i32)", "", "");
    assert!(said.is_empty(), "{said}\n{}", shown(&ir));
}

/// Each computation of a program is looked up, wherever it is
#[test]
fn a_computation_is_found_within_a_larger_program() {
    let two = "\
func.func @first(%x: tensor<7xi32>) -> tensor<7xi32> {
  %y = mdh.compute (n in 7) ins(%a = %x[n]) outs([n]) {
    %p = arith.addi %a, %a : i32
    mdh.yield %p : i32
  } : (tensor<7xi32>) -> tensor<7xi32>
  return %y : tensor<7xi32>
}
func.func @second(%Q: tensor<12x30xi32>, %R: tensor<30x20xi32>, %n: i32) -> tensor<20x12xi32> {
  %S = mdh.compute (x in 12, y in 20, z in 30 pw add) ins(%u = %Q[x, z], %v = %R[z, y]) outs([x, y]) {
    %p = arith.muli %u, %v : i32
    mdh.yield %p : i32
  } : (tensor<12x30xi32>, tensor<30x20xi32>) -> tensor<12x20xi32>
  %T = mdh.compute (y in 20, x in 12) ins(%a = %S[x, y]) outs([y, x]) {
    mdh.yield %a : i32
  } : (tensor<12x20xi32>) -> tensor<20x12xi32>
  return %T : tensor<20x12xi32>
}
";
    let (ir, said) = applied(&[record(WHOLE, 0.25, &TILES)], two, "", "");
    assert_eq!(shown(&ir).matches("mdh.schedule").count(), 1, "{}", shown(&ir));
    assert_eq!(
        (said.matches("no record of this computation").count(), said.matches("schedule of record").count()),
        (2, 1)
    );
}

#[test]
fn options_that_are_none_say_what_is_accepted() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("none");
    for (options, wanted) in [
        (
            "from=any".to_owned(),
            "option `from` takes any-machine, any-compiler, or both with `+` between them, not `any`",
        ),
        ("threads=5000".into(), "option `threads` takes 0 to 1024, not `5000`"),
        ("target=x87".into(), "x87"),
        (format!("store={}", store.display()), "there is no store "),
        (format!("store={}", folder.path().display()), "is no store of records"),
    ] {
        let ir = parse(WHOLE);
        std::fs::write(folder.path().join("a.txt"), "").expect("it can be written");
        let mut diags = Diags::default();
        let text = format!("mdh-apply-records{{{options}}}");
        let parsed = Pipeline::parse(&text, &HARNESS.registry, ir.cx().sources(), &mut diags);
        assert!(parsed.is_err(), "{options}");
        let said = render_all(diags.iter(), ir.cx().sources(), false);
        assert!(said.contains(wanted), "{options}: {said}");
    }
}
