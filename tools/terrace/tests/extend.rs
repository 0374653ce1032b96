//! A dialect, a rule and a pass of one's own, with this crate alone.

use terrace::diag::Reported;
use terrace::dialects::arith;
use terrace::interp::{Interpret, Machine, Step};
use terrace::ir::Ir;
use terrace::ir::rules::I32;
use terrace::pass::{Pass, PassCx, PassInfo};
use terrace::rewrite::Rule;
use terrace::rewrite::term::{Find, Put, TermRule};
use terrace::{Context, Passes, REGISTRY, Value, dialect, op, pass};

/// Twice a number
#[op("mine.twice", traits(Pure), interfaces(Interpret))]
#[asm("$x attr-dict")]
pub struct Twice {
    x: I32,
    #[result]
    y: I32,
}

dialect! {
    /// One op
    pub MINE = "mine" { ops: [Twice] }
}

impl Interpret for Twice {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let twice = m.operand(0).as_signed().map_or(Value::Poison, |x| Value::int(2 * x, 32));
        m.set_result(0, twice);
        Step::Next
    }
}

/// twice(x) = x + x
static AS_SUM: TermRule = TermRule {
    name: "twice_as_sum",
    find: Find::Op(Twice::DEF, &[Find::Var(0)]),
    put: Put::Op(arith::AddI::DEF, &[Put::Var(0), Put::Var(0)]),
};

/// Count ops of this dialect, and say so
#[pass("mine-count", anchor = "func.func", stats("ops"))]
pub struct Count {
    /// At least so many
    #[option(default = 0)]
    least: u32,
}

impl Pass for Count {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let count = unit.walk().filter(|op| unit.is(*op, Twice::DEF)).count();
        cx.set_changed(false);
        if count < self.least as usize {
            let code = &terrace::pass::codes::OPTION;
            return Err(cx.emit(terrace::diag::Diagnostic::error(code, format!("only {count} ops"))));
        }
        Ok(())
    }
}

static PASSES: &[&PassInfo] = &[Count::INFO];

const TEXT: &str = "func.func @f(%x: i32) -> i32 {\n  %y = mine.twice %x\n  return %y : i32\n}\n";

#[test]
fn a_dialect_a_rule_and_a_pass() {
    let cx = Context::with(&[&MINE]).expect("they go together");
    let mut module = terrace::parse(&cx, "f.mlir", TEXT).expect("it is right");
    assert_eq!(terrace::interp(&module).call("f", &[21.into()]).expect("it runs"), [42.into()]);
    let registry = REGISTRY.with(PASSES);
    Passes::parse("func.func(mine-count{least=1})", &registry)
        .expect("it is there")
        .run(&mut module)
        .expect("one");
    let rule: &'static dyn Rule = &AS_SUM;
    terrace::rules([rule]).run(&mut module).expect("it ends");
    assert!(module.to_string().contains("arith.addi %x, %x : i32"), "{module}");
    assert_eq!(terrace::interp(&module).call("f", &[21.into()]).expect("it runs"), [42.into()]);
    let fewer =
        Passes::parse("func.func(mine-count{least=1})", &registry).expect("it is there").run(&mut module);
    assert!(fewer.expect_err("there is none").to_string().contains("only 0 ops"));
}

#[test]
fn what_does_not_go_together_is_an_error() {
    let report = Context::with(&[&MINE, &MINE]).map(|_| ()).expect_err("it is there twice");
    assert_eq!(report.code(), Some("E0116"), "{report}");
    let twice = REGISTRY.with(PASSES).with(PASSES);
    let report = Passes::parse("cse", &twice).map(|_| ()).expect_err("it is there twice");
    assert_eq!(report.code(), Some("E0116"), "{report}");
}
