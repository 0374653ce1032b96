//! Passes with a mistake, in programs that are there for other tests: each is found, with its rule, and the program is reduced.

use std::path::Path;
use std::time::Duration;
use terrace_diag::{Diags, Reported};
use terrace_dialect_arith::{AddI, MulI, ShRSI, ShRUI, SubI};
use terrace_ir::{Context, Ir, NewOp, OpDef, OpId, Traits};
use terrace_opt::Tool;
use terrace_pass::{Pass, PassCx, PassInfo, Pipeline, Scope};
use terrace_rewrite::{Asks, FnRule, Greedy, Miss, OrMiss, Rewriter, Rule};
use terrace_text::ParseOptions;
use terrace_why::bisect::{Culprit, Mistake};
use terrace_why::{Finding, Report, Times, explain, test_file};

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
static PANICS: PassInfo = pass!("panics", First("memref.subview", |_, _| panic!("an index is out of range")));
static BREAKS: PassInfo = pass!(
    "breaks",
    First("arith.muli", |unit, op| {
        let (result, ty) = (unit.result(op, 0), unit.cx().int(7));
        unit.set_type(result, ty);
    })
);

fn tool() -> Tool {
    static GROUP: &[&PassInfo] = &[&WRONG_SIGN, &WRONG_SHIFT, &RIGHT, &LOSES, &PANICS, &BREAKS];
    Tool { registry: terrace_opt::REGISTRY.with(GROUP), ..Tool::OPT }
}

const TIMES: Times = Times { search: Duration::from_secs(60), reduce: Duration::from_secs(60) };

fn explained(file: &str, pipeline: &str, times: Times) -> Result<(Finding, Vec<String>, String), u64> {
    let tool = tool();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cx = Context::new(&(tool.dialects)());
    let source = cx.sources().add(file, text);
    let mut diags = Diags::default();
    let module = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags).expect("it parses");
    let parsed = Pipeline::parse(pipeline, &tool.registry, cx.sources(), &mut diags).expect("a pipeline");
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let found = explain(&module, &parsed, &[], times, &|_| {});
    std::panic::set_hook(hook);
    let found = found.map_err(|tried| tried.calls)?;
    let report = Report {
        file,
        pass: (found.name, found.pass + 1, parsed.passes()),
        culprit: &found.culprit,
        reduced: &found.reduced,
        size: (found.size.0, found.size.1, found.size.2, found.size.3.as_secs_f64()),
        tried: (found.tried.calls, found.tried.trapped),
    };
    let lines = report.lines();
    assert!(found.size.0 >= 50, "the program is no small one");
    assert!(lines.len() <= 14, "one line more says where the test file is:\n{}", lines.join("\n"));
    let alone = parsed.one_by_one().swap_remove(found.pass);
    let test = test_file(&found.module, &alone, &found.reduced, true);
    Ok((found, lines, test))
}

/// The test of a file fails with the mistake in it
fn fails(name: &str, test: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("why-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("it can be written");
    let file = folder.join(name);
    std::fs::write(&file, test).expect("it can be written");
    let failure = terrace_filetest::check_file(tool(), &file).expect_err("it fails").to_string();
    let _ = std::fs::remove_file(&file);
    failure
}

fn rule(culprit: &Culprit) -> Option<&'static str> {
    culprit.application.as_ref().and_then(|one| one.last).map(|last| last.what)
}

const MEMORY: &str = "lowering/llvm/memory.mlir";

#[test]
fn a_wrong_sign_is_found() {
    let pipeline = "func.func(canonicalize,cse,wrong-sign,canonicalize),symbol-dce";
    let (found, lines, test) = explained(MEMORY, pipeline, TIMES).expect("it is found");
    assert_eq!((found.pass, found.name, rule(&found.culprit)), (2, "wrong-sign", Some("sub_as_add")));
    assert!(rule(&found.reduced) == Some("sub_as_add") && found.size.1 <= 8, "{lines:#?}\n{test}");
    let text = lines.join("\n");
    assert!(
        text.contains("`sub_as_add` on 'arith.subi', application 1 in @weigh: --rewrite-limit=3:@weigh:1"),
        "{text}"
    );
    assert!(text.contains("- %") && text.contains("arith.subi") && text.contains("arith.addi"), "{text}");
    assert!(test.contains("// rule: sub_as_add\n// eval: @weigh("), "{test}");
    assert!(
        fails("sign.mlir", &test).contains("after the run"),
        "the program is right and the output is wrong"
    );
}

#[test]
fn a_shift_that_is_wrong_at_rare_values_is_found() {
    let pipeline = "func.func(canonicalize,wrong-shift,cse)";
    let (found, lines, test) =
        explained("frontends/jax/random_numbers.mlir", pipeline, TIMES).expect("it is found");
    assert_eq!((found.name, rule(&found.culprit)), ("wrong-shift", Some("shift_in_sign")), "{lines:#?}");
    assert!(found.size.1 <= 20, "{test}");
    fails("shift.mlir", &test);
}

#[test]
fn a_lost_store_is_found_though_the_pass_does_not_count() {
    let (found, lines, test) = explained(MEMORY, "func.func(cse,loses-a-store)", TIMES).expect("it is found");
    assert_eq!((found.name, rule(&found.culprit)), ("loses-a-store", Some("pass")));
    let text = lines.join("\n");
    assert!(
        text.contains("the pass does not count single changes") && text.contains("- memref.store"),
        "{text}"
    );
    assert!(found.size.1 <= 20, "{test}");
    fails("store.mlir", &test);
}

#[test]
fn panics_and_broken_programs_are_found() {
    let (found, _, test) = explained(MEMORY, "func.func(cse,panics)", TIMES).expect("it is found");
    let Mistake::Fails(failure) = &found.culprit.mistake else { panic!("it fails") };
    assert_eq!((found.name, failure.code), ("panics", "E0215"));
    assert!(failure.message.contains("an index is out of range") && found.size.1 <= 10, "{test}");
    assert!(fails("panics.mlir", &test).contains("E0215"));
    let (found, _, test) = explained(MEMORY, "func.func(breaks)", TIMES).expect("it is found");
    assert!(matches!(&found.culprit.mistake, Mistake::Fails(_)) && found.size.1 <= 6, "{test}");
    assert!(fails("breaks.mlir", &test).contains("E0214"));
}

#[test]
fn right_passes_are_not_accused() {
    let times = Times { search: Duration::from_secs(4), reduce: Duration::ZERO };
    let pipeline = "func.func(right,canonicalize,cse,licm),inline,convert-scf-to-cf,func.func(canonicalize)";
    let calls = explained(MEMORY, pipeline, times).err().expect("nothing is found");
    assert!(calls > 20, "{calls} calls");
}
