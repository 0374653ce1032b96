//! Passes with a mistake, in programs that are there for other tests: each is found, with its rule, and the program is reduced.

use std::path::Path;
use std::time::Duration;
use terrace_diag::{Diags, Reported};
use terrace_dialect_arith::{AddI, MulI, ShRSI, ShRUI, SubI};
use terrace_filetest::Failure;
use terrace_ir::{Context, Ir, NewOp, OpDef, OpId, Traits};
use terrace_lowering_smt::Solver;
use terrace_opt::Tool;
use terrace_pass::{Pass, PassCx, PassInfo, Pipeline, Scope};
use terrace_rewrite::{Asks, FnRule, Greedy, Miss, OrMiss, Rewriter, Rule};
use terrace_text::ParseOptions;
use terrace_why::bisect::{Culprit, Mistake};
use terrace_why::search::Tried;
use terrace_why::{Effort, Finding, Report, explain, is_shown_by, test_file};

/// Replace an op by one of another kind with the same operands
fn become_op(rw: &mut Rewriter<'_>, op: OpId, def: &'static OpDef) {
    let (kind, operands) =
        (rw.ir().cx().kind_of(def).expect("registered"), rw.ir().operands(op).collect::<Vec<_>>());
    let results: Vec<_> = rw.ir().results(op).map(|value| rw.ir().ty(value)).collect();
    let slots = vec![None; def.attrs.len()];
    let new = rw.insert_before(
        op,
        &NewOp { operands: &operands, results: &results, slots: &slots, ..NewOp::new(kind) },
    );
    let value = rw.ir().result(new, 0);
    rw.replace(op, &[value]);
}

/// The second operand is a constant
fn by_constant(ir: &Ir, op: OpId) -> Result<(), Miss> {
    let def = ir.defining_op(ir.operand(op, 1)).or_miss("an argument")?;
    ir.has(def, Traits::ConstantLike).or_miss("no constant")
}

/// A wrong sign: x − c = x + c
static SUB_AS_ADD: FnRule<()> = FnRule {
    name: "sub_as_add",
    root: Some(SubI::DEF),
    find: by_constant,
    put: |rw, op, ()| become_op(rw, op, AddI::DEF),
};

/// Shifts in the sign, at 32 bits only: seen where the first bit is set
static SHIFT_IN_SIGN: FnRule<()> = FnRule {
    name: "shift_in_sign",
    root: Some(ShRUI::DEF),
    find: |ir, op| {
        let width = ir.ty(ir.result(op, 0)).bit_width(ir.cx());
        (width == Some(32)).or_miss("another width")
    },
    put: |rw, op, ()| become_op(rw, op, ShRSI::DEF),
};

/// Right: x · c = c · x is put the other way round by the driver itself
static NOTHING: FnRule<()> =
    FnRule { name: "nothing", root: Some(MulI::DEF), find: |_, _| Err(Miss("never")), put: |_, _, ()| {} };

struct Rules(&'static dyn Rule);

impl Pass for Rules {
    fn is_counted(&self) -> bool {
        true
    }

    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let greedy = Greedy::new(unit.cx(), [self.0]);
        let outcome = greedy.run_with(unit, Asks { steps: cx.steps, ..Asks::default() });
        for (rule, count) in outcome.applied {
            cx.count(&format!("rule {rule}"), count);
        }
        Ok(())
    }
}

/// Changes the first op of a name, and counts nothing
struct First(&'static str, fn(&mut Ir, OpId));

impl Pass for First {
    fn run(&self, _: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let first = unit.walk().find(|op| unit.op_name(*op) == self.0);
        first.into_iter().for_each(|op| (self.1)(unit, op));
        Ok(())
    }
}

macro_rules! pass {
    ($name:literal, $make:expr) => {
        PassInfo {
            name: $name,
            aliases: &[],
            summary: "a pass with a planted mistake",
            docs: "for tests",
            scope: Scope::Unit,
            anchor: None,
            options: &[],
            stats: &[],
            make: |_| Ok(Box::new($make)),
        }
    };
}

static WRONG_SIGN: PassInfo = pass!("wrong-sign", Rules(&SUB_AS_ADD));
static WRONG_SHIFT: PassInfo = pass!("wrong-shift", Rules(&SHIFT_IN_SIGN));
static RIGHT: PassInfo = pass!("right", Rules(&NOTHING));
static LOSES: PassInfo = pass!("loses-a-store", First("memref.store", |unit, op| unit.erase(op)));
/// Puts an op that cannot be run before the first store
static HIDES: PassInfo = pass!(
    "hides",
    First("memref.store", |unit, op| {
        let kind = unit.cx().kind_by_name("vector.vscale").expect("registered");
        let index = unit.cx().common().index;
        let new = unit.create(&NewOp { results: &[index], ..NewOp::new(kind) });
        unit.insert_before(op, new);
    })
);
/// Takes that op away again, and the store behind it
static SHOWS: PassInfo = pass!(
    "shows",
    First("vector.vscale", |unit, op| {
        let store = unit.next(op);
        unit.erase(op);
        store.into_iter().for_each(|store| unit.erase(store));
    })
);
static PANICS: PassInfo = pass!("panics", First("memref.subview", |_, _| panic!("an index is out of range")));
static BREAKS: PassInfo = pass!(
    "breaks",
    First("arith.muli", |unit, op| {
        let (result, ty) = (unit.result(op, 0), unit.cx().int(7));
        unit.set_type(result, ty);
    })
);

fn tool() -> Tool {
    static GROUP: &[&PassInfo] =
        &[&WRONG_SIGN, &WRONG_SHIFT, &RIGHT, &LOSES, &HIDES, &SHOWS, &PANICS, &BREAKS];
    Tool { registry: terrace_opt::REGISTRY.with(GROUP), ..Tool::OPT }
}

const EFFORT: Effort =
    Effort { search: Duration::from_secs(60), reduce: Duration::from_secs(60), steps: 2_000_000 };

fn explained_text(
    name: &str,
    text: &str,
    pipeline: &str,
    effort: Effort,
) -> Result<(Finding, Vec<String>), Tried> {
    explained_by(name, text, pipeline, effort, None)
}

fn explained_by(
    name: &str,
    text: &str,
    pipeline: &str,
    effort: Effort,
    solver: Option<&mut Solver>,
) -> Result<(Finding, Vec<String>), Tried> {
    terrace_why::steps::quiet_panics();
    let tool = tool();
    let cx = Context::new(&(tool.dialects)());
    let source = cx.sources().add(name, text);
    let mut diags = Diags::default();
    let module = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags).expect("it parses");
    let parsed = Pipeline::parse(pipeline, &tool.registry, cx.sources(), &mut diags).expect("a pipeline");
    let found = explain(&module, &parsed, &[], effort, solver, &|_| {})?;
    let lines = Report { file: name, passes: parsed.passes(), found: &found }.lines();
    assert!(lines.len() <= 11, "one line more says where the test file is:\n{}", lines.join("\n"));
    Ok((found, lines))
}

fn explained(file: &str, pipeline: &str) -> (Finding, Vec<String>, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Ok((found, lines)) = explained_text(file, &text, pipeline, EFFORT) else {
        panic!("nothing is found")
    };
    assert!(found.size.0 >= 50, "the program is no small one");
    let test = test_file(&found, true, false).expect("the test runner can see it");
    (found, lines, test)
}

/// The test of a file fails
fn failure(name: &str, test: &str) -> Failure {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("why-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be written");
    let file = folder.join(name);
    std::fs::write(&file, test).expect("it can be written");
    let failure = terrace_filetest::check_file(tool(), &file).expect_err("it fails");
    let _ = std::fs::remove_file(&file);
    failure
}

/// The test of a file fails because of the mistake in it
fn fails(name: &str, test: &str, found: &Finding) -> String {
    let failure = failure(name, test);
    assert!(is_shown_by(&found.reduced.mistake, &failure), "{:?}: {failure}", failure.kind);
    failure.to_string()
}

/// What a call gave before and after, in the reduced program
fn shown(found: &Finding) -> (String, String, String) {
    let Mistake::Meaning(shown) = &found.reduced.mistake else { panic!("a call gives something else") };
    (shown.before.text(), shown.after.text(), shown.how.clone())
}

fn rule(culprit: &Culprit) -> Option<&'static str> {
    culprit.application.as_ref().and_then(|one| one.last).map(|last| last.what)
}

const MEMORY: &str = "lowering/llvm/memory.mlir";

#[test]
fn a_wrong_sign_is_found() {
    let pipeline = "func.func(canonicalize,cse,wrong-sign,canonicalize),symbol-dce";
    let (found, lines, test) = explained(MEMORY, pipeline);
    assert_eq!((found.numbers.clone(), &found.pass.names[..]), (2..3, &["wrong-sign"][..]));
    assert_eq!((rule(&found.culprit), rule(&found.reduced)), (Some("sub_as_add"), Some("sub_as_add")));
    assert!(found.size.1 <= 8, "{lines:#?}\n{test}");
    let text = lines.join("\n");
    assert!(
        text.contains("`sub_as_add` on 'arith.subi', application 1 in @weigh: --rewrite-limit=3:@weigh:1"),
        "{text}"
    );
    assert!(text.contains("- %") && text.contains("arith.subi") && text.contains("arith.addi"), "{text}");
    assert!(test.contains("// rule: sub_as_add\n// eval: @weigh("), "{test}");
    let why = fails("sign.mlir", &test, &found);
    assert!(why.contains("after the run"), "the program is right and the output is wrong: {why}");
    // A test that is wrong itself does not show the mistake.
    let wrong = test.replace("== ", "== 77");
    assert!(!is_shown_by(&found.reduced.mistake, &failure("sign-wrong.mlir", &wrong)), "{wrong}");
    let run = test.replace("--pipeline=", "--no-such-option=");
    assert!(!is_shown_by(&found.reduced.mistake, &failure("sign-run.mlir", &run)), "{run}");
}

#[test]
fn a_shift_that_is_wrong_at_rare_values_is_found() {
    let pipeline = "func.func(canonicalize,wrong-shift,cse)";
    let (found, lines, test) = explained("frontends/jax/random_numbers.mlir", pipeline);
    assert_eq!((found.numbers.clone(), rule(&found.culprit)), (1..2, Some("shift_in_sign")), "{lines:#?}");
    assert!(found.size.1 <= 20, "{test}");
    assert_eq!(rule(&found.reduced), Some("shift_in_sign"));
    assert!(test.contains("arith.shrui") && !test.contains("arith.shrsi"), "{test}");
    let (before, after, how) = shown(&found);
    assert!(before != after && how.starts_with("result 0"), "{before} and {after}: {how}");
    fails("shift.mlir", &test, &found);
}

/// The shift counts where a product has one value: a solver finds the one argument, draws do not
#[test]
fn a_solver_finds_what_one_argument_shows() {
    let Ok(mut solver) = Solver::start(None, Duration::from_secs(20)) else {
        println!("skipped: planted::a_solver_finds_what_one_argument_shows (needs smt)");
        return;
    };
    let text = "func.func @f(%a: i32) -> i32 {
  %k = arith.constant -1640531535 : i32
  %m = arith.constant -1336825033 : i32
  %seven = arith.constant 7 : i32
  %p = arith.muli %a, %k : i32
  %c = arith.cmpi eq, %p, %m : i32
  %s = arith.shrui %a, %seven : i32
  %r = arith.select %c, %s, %seven : i32
  return %r : i32
}";
    let effort = Effort { search: Duration::from_millis(200), ..EFFORT };
    let pipeline = "func.func(cse,wrong-shift)";
    let tried = explained_text("needle.mlir", text, pipeline, effort).err().expect("draws do not find it");
    assert!(tried.calls > 10 && tried.proofs.is_none());
    let found = explained_by("needle.mlir", text, pipeline, effort, Some(&mut solver));
    let Ok((found, lines)) = found else { panic!("the solver finds it") };
    assert_eq!(rule(&found.culprit), Some("shift_in_sign"), "{lines:#?}");
    let Mistake::Meaning(shown) = &found.culprit.mistake else { panic!("{lines:#?}") };
    assert_eq!(shown.call.to_string(), "@f(-1054653081)");
    assert_eq!(found.tried.proofs.expect("it was looked for").refuted.len(), 1);
}

#[test]
fn a_lost_store_is_found_though_the_pass_does_not_count() {
    let (found, lines, test) = explained(MEMORY, "func.func(cse,loses-a-store)");
    assert_eq!((found.numbers.clone(), rule(&found.culprit)), (1..2, Some("pass")));
    let text = lines.join("\n");
    assert!(
        text.contains("the pass does not count single changes") && text.contains("- memref.store"),
        "{text}"
    );
    assert!(found.size.1 <= 20 && test.contains("memref.store"), "{test}");
    let (before, after, how) = shown(&found);
    assert!(before != after && how.contains(" was "), "{before} and {after}: {how}");
    fails("store.mlir", &test, &found);
}

#[test]
fn several_passes_are_blamed_where_the_program_cannot_be_run_in_between() {
    let (found, lines, test) = explained(MEMORY, "func.func(cse,hides),symbol-dce,func.func(shows,cse)");
    assert_eq!((found.numbers.clone(), &found.pass.names[..]), (1..4, &["hides", "symbol-dce", "shows"][..]));
    let text = lines.join("\n");
    assert!(
        text.contains("one of `hides`, `symbol-dce`, `shows` (passes 2 to 4 of 5) changes what"),
        "{text}"
    );
    assert!(text.contains("the call cannot be run after `hides`: 'vector.vscale'"), "{text}");
    assert!(found.culprit.application.is_none() && found.size.1 <= 20, "{text}");
    fails("range.mlir", &test, &found);
}

#[test]
fn panics_and_broken_programs_are_found() {
    let (found, _, test) = explained(MEMORY, "func.func(cse,panics)");
    let Mistake::Fails(failure) = &found.culprit.mistake else { panic!("it fails") };
    assert_eq!((&found.pass.names[..], failure.code), (&["panics"][..], "E0215"));
    assert!(failure.panic.as_ref().is_some_and(|place| place.contains("planted.rs")), "{failure:?}");
    assert!(failure.message.contains("an index is out of range") && found.size.1 <= 10, "{test}");
    assert!(fails("panics.mlir", &test, &found).contains("E0215"));
    let (found, _, test) = explained(MEMORY, "func.func(breaks)");
    assert!(matches!(&found.culprit.mistake, Mistake::Fails(_)) && found.size.1 <= 6, "{test}");
    assert!(fails("breaks.mlir", &test, &found).contains("E0214"));
}

#[test]
fn right_passes_are_not_accused() {
    let effort = Effort { search: Duration::from_secs(4), reduce: Duration::ZERO, ..EFFORT };
    let pipeline = "func.func(right,canonicalize,cse,licm),inline,convert-scf-to-cf,func.func(canonicalize)";
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files").join(MEMORY));
    let tried = explained_text(MEMORY, &text.expect("it is there"), pipeline, effort).err();
    let tried = tried.expect("nothing is found");
    assert!(tried.calls > 20, "{tried:?}");
}

/// Adds four floats into a buffer in parallel: the sum depends on the order
const ORDER: &str = "\
func.func @f(%x: memref<4xf32>, %m: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %e = memref.load %x[%i] : memref<4xf32>
    %zero = arith.constant 0 : index
    %r = memref.atomic_rmw addf %e, %m[%zero] : (f32, memref<1xf32>) -> f32
    scf.reduce
  }
  return
}
";

#[test]
fn no_pass_is_accused_of_what_depends_on_the_order() {
    let effort = Effort { search: Duration::from_secs(3), reduce: Duration::ZERO, ..EFFORT };
    let tried = explained_text("order.mlir", ORDER, "func.func(canonicalize,cse)", effort).err();
    let tried = tried.expect("nothing is found");
    assert!(tried.dependent > 0 && tried.calls > tried.dependent, "{tried:?}");
    // A mistake is found all the same, by sums that are exact.
    let text = ORDER.replace("  return", "  memref.store %s, %n[%c0] : memref<1xf32>\n  return");
    let text = text.replace("%m: memref<1xf32>", "%m: memref<1xf32>, %n: memref<1xf32>, %s: f32");
    let found = explained_text("order.mlir", &text, "func.func(cse,loses-a-store)", EFFORT);
    assert_eq!(found.expect("it is found").0.numbers, 1..2);
}

#[test]
fn what_no_test_can_show_is_said() {
    const TEXT: &str = "\
func.func @f(%x: i32) -> memref<1xi32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xi32>
  memref.store %x, %m[%c0] : memref<1xi32>
  return %m : memref<1xi32>
}
";
    let Ok((found, _)) = explained_text("buffer.mlir", TEXT, "func.func(loses-a-store)", EFFORT) else {
        panic!("nothing is found")
    };
    let why = test_file(&found, true, false).expect_err("results that are buffers have no text");
    assert!(why.contains("the buffer that is result 0"), "{why}");
}
