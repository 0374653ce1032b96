//! The dialect `template`: two ops on numbers, a rule, a pass, a tool.

use terrace::diag::Reported;
use terrace::dialects::arith;
use terrace::interp::{Interpret, Machine, Step};
use terrace::ir::rules::I64;
use terrace::ir::{Builder, Ir};
use terrace::pass::{Pass, PassCx, PassInfo};
use terrace::rewrite::term::{Find, Put, TermRule};
use terrace::rewrite::{Canonicalize, Rule};
use terrace::{Value, dialect, op, pass};
use terrace_opt::Tool;

/// Twice a number
#[op("template.twice", traits(Pure), interfaces(Interpret))]
#[asm("$x attr-dict")]
pub struct Twice {
    x: I64,
    #[result]
    y: I64,
}

/// A number with the other sign
#[op("template.negate", traits(Pure), interfaces(Canonicalize, Interpret))]
#[asm("$x attr-dict")]
pub struct Negate {
    x: I64,
    #[result]
    y: I64,
}

dialect! {
    /// Ops on numbers
    pub DIALECT = "template" { ops: [Negate, Twice] }
}

// What the ops mean: the interpreter runs this, and passes are checked against it.
impl Interpret for Twice {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let twice = m.operand(0).as_signed().map_or(Value::Poison, |x| Value::int(x + x, 64));
        m.set_result(0, twice);
        Step::Next
    }
}

impl Interpret for Negate {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let negated = m.operand(0).as_signed().map_or(Value::Poison, |x| Value::int(-x, 64));
        m.set_result(0, negated);
        Step::Next
    }
}

/// negate(negate(x)) = x
static NEGATE_NEGATE: TermRule = TermRule {
    name: "negate_negate",
    find: Find::Op(Negate::DEF, &[Find::Op(Negate::DEF, &[Find::Var(0)])]),
    put: Put::Var(0),
};

// `canonicalize` applies it.
impl Canonicalize for Negate {
    const RULES: &'static [&'static dyn Rule] = &[&NEGATE_NEGATE];
}

/// Compute with the ops of `arith`
#[pass("template-to-arith", anchor = "func.func", stats("ops"))]
pub struct ToArith;

impl Pass for ToArith {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let ops: Vec<_> = unit.walk().collect();
        let mut count = 0;
        for op in ops {
            let mut b = Builder::before(unit, op);
            let (old, new) = if let Some(twice) = Twice::cast(b.read(), op) {
                let (x, y) = (twice.x(b.read()), twice.y(b.read()));
                (y, arith::AddI::build(&mut b, x, x).result(b.read()))
            } else if let Some(negate) = Negate::cast(b.read(), op) {
                let (x, y) = (negate.x(b.read()), negate.y(b.read()));
                let zero = b.cx().int_attr(0, b.cx().common().i64);
                let zero = arith::Constant::build(&mut b, zero).result(b.read());
                (y, arith::SubI::build(&mut b, zero, x).result(b.read()))
            } else {
                continue;
            };
            unit.replace_all_uses(old, new);
            unit.erase(op);
            count += 1;
        }
        cx.set_changed(count > 0);
        cx.count("ops", count);
        Ok(())
    }
}

/// The passes of this crate
pub static PASSES: &[&PassInfo] = &[ToArith::INFO];

/// What `template-opt` knows
pub fn tool() -> Tool {
    Tool {
        name: "template-opt",
        dialects: || terrace_opt::all_dialects().into_iter().chain([&DIALECT]).collect(),
        registry: terrace_opt::REGISTRY.with(PASSES),
        ..Tool::OPT
    }
}
