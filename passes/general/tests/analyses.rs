//! Analyses are computed once and kept by passes that preserve them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use terrace_diag::{Diags, Reported};
use terrace_dialect_upstream::ALL;
use terrace_ir::{Context, Ir};
use terrace_pass::{Analysis, Instrument, Pass, PassCx, PassInfo, Pipeline, Registry, Scope};
use terrace_passes_general::analyses::Dominance;

/// How often it was computed: this test's own, and it is one test
static COMPUTED: AtomicUsize = AtomicUsize::new(0);
/// What the asking pass was given
static SEEN: Mutex<Vec<Arc<Dominance>>> = Mutex::new(Vec::new());

struct Counted;

impl Analysis for Counted {
    fn compute(_: &Ir) -> Self {
        COMPUTED.fetch_add(1, Ordering::Relaxed);
        Counted
    }
}

struct Ask;

impl Pass for Ask {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        cx.analysis::<Counted>(unit);
        let dominance = cx.analysis::<Dominance>(unit);
        SEEN.lock().expect("one thread").push(dominance);
        cx.set_changed(false);
        Ok(())
    }
}

/// Changes the unit; keeps what its option names
struct Change(bool);

impl Pass for Change {
    fn run(&self, cx: &mut PassCx<'_>, _: &mut Ir) -> Result<(), Reported> {
        if self.0 {
            cx.preserve::<Counted>();
        }
        Ok(())
    }
}

const fn info(
    name: &'static str,
    make: fn(&terrace_pass::PassOptions) -> Result<Box<dyn Pass>, terrace_pass::OptionError>,
) -> PassInfo {
    PassInfo {
        name,
        aliases: &[],
        summary: "",
        docs: "",
        scope: Scope::Unit,
        anchor: None,
        options: &[],
        stats: &[],
        make,
    }
}

static ASK: PassInfo = info("ask", |_| Ok(Box::new(Ask)));
static KEEP: PassInfo = info("keep", |_| Ok(Box::new(Change(true))));
static LOSE: PassInfo = info("lose", |_| Ok(Box::new(Change(false))));
static OWN: &[&PassInfo] = &[&ASK, &KEEP, &LOSE];
const REGISTRY: Registry = Registry { passes: &[OWN, terrace_passes_general::PASSES], pipelines: &[] };

fn run(pipeline: &str) -> (usize, Vec<Arc<Dominance>>) {
    let cx = Context::new(ALL);
    let text = "func.func @f(%c: i1, %x: i32) -> i32 {\n  %z = arith.constant 0 : i32\n  %y = arith.addi %x, %z : i32\n  %a = arith.addi %x, %y : i32\n  %b = arith.addi %x, %y : i32\n  \
                cf.cond_br %c, ^p, ^q\n^p:\n  return %a : i32\n^q:\n  return %b : i32\n}";
    let source = cx.sources().add("f", text);
    let mut diags = Diags::default();
    let ir = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    let mut ir = ir.expect("the text is right");
    let parsed =
        Pipeline::parse(pipeline, &REGISTRY, cx.sources(), &mut diags).expect("the pipeline is right");
    COMPUTED.store(0, Ordering::Relaxed);
    SEEN.lock().expect("one thread").clear();
    let (_, result) = terrace_pass::run(&mut ir, &parsed, &Instrument::quiet(|_| String::new()));
    assert!(result.is_ok());
    (COMPUTED.load(Ordering::Relaxed), std::mem::take(&mut *SEEN.lock().expect("one thread")))
}

#[test]
fn kept_where_preserved() {
    assert_eq!(run("func.func(ask,ask)").0, 1);
    assert_eq!(run("func.func(ask,keep,ask)").0, 1);
    assert_eq!(run("func.func(ask,lose,ask)").0, 2);
    // cse removes an op here and keeps dominance, but not what it knows nothing of.
    let (counted, seen) = run("func.func(ask,cse,licm,ask)");
    assert_eq!(counted, 2);
    assert!(Arc::ptr_eq(&seen[0], &seen[1]), "cse and licm preserve dominance");
    let (_, seen) = run("func.func(ask,canonicalize,ask)");
    assert!(!Arc::ptr_eq(&seen[0], &seen[1]), "canonicalize may change blocks");
}
