//! Amounts of money as a dialect: three ops, one type, two rules, a pass, a lowering to `arith`, a tool.

pub mod cookbook;

use terrace_diag::Reported;
use terrace_dialect_arith::AddI;
use terrace_interp::{Interpret, Machine, RtValue, Step};
use terrace_ir::rules::{I64, StrAttr};
use terrace_ir::{Ir, TypeKind};
use terrace_macros::{dialect, dialect_type, op, pass};
use terrace_opt::Tool;
use terrace_pass::{Pass, PassCx, PassInfo};
use terrace_rewrite::term::{Find, Put, TermRule};
use terrace_rewrite::{Canonicalize, Greedy, Rule};

/// An amount in one currency, `!money.amount<"EUR">`
#[dialect_type("money.amount")]
pub struct Amount {
    #[param]
    currency: StrAttr,
}

terrace_ir::type_rules! {
    /// Any amount
    AnyAmount "amount of money", |cx, ty| matches!(ty.kind(cx), TypeKind::Dialect { def, .. } if *def == Amount::DEF);
}

/// An amount from cents
#[op("money.of", traits(Pure), interfaces(Interpret))]
#[asm("$cents attr-dict `:` type($amount)")]
pub struct Of {
    cents: I64,
    #[result]
    amount: AnyAmount,
}

/// The sum of two amounts in one currency
#[op("money.add", traits(Pure, Commutative), relations(same(a, b, sum)), interfaces(Interpret))]
#[asm("$a `,` $b attr-dict `:` type($sum)")]
pub struct Add {
    a: AnyAmount,
    b: AnyAmount,
    #[result]
    sum: AnyAmount,
}

/// The cents of an amount
#[op("money.cents", traits(Pure), interfaces(Canonicalize, Interpret))]
#[asm("$amount attr-dict `:` type($amount)")]
pub struct Cents {
    amount: AnyAmount,
    #[result]
    cents: I64,
}

dialect! {
    /// Amounts of money
    pub MONEY = "money" { ops: [Add, Cents, Of], types: [Amount], rules: [&CENTS_OF, &CENTS_ADD] }
}

// What the ops mean: the interpreter runs this, and passes are held against it. An amount is the number of its cents.
impl Interpret for Of {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        m.set_result(0, m.operand(0));
        Step::Next
    }
}

impl Interpret for Cents {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        m.set_result(0, m.operand(0));
        Step::Next
    }
}

impl Interpret for Add {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let sum = match (m.operand(0).as_signed(), m.operand(1).as_signed()) {
            (Some(a), Some(b)) => RtValue::int(a + b, 64),
            _ => RtValue::Poison,
        };
        m.set_result(0, sum);
        Step::Next
    }
}

/// cents(of(x)) = x
static CENTS_OF: TermRule = TermRule {
    name: "cents_of",
    find: Find::Op(Cents::DEF, &[Find::Op(Of::DEF, &[Find::Var(0)])]),
    put: Put::Var(0),
};
/// cents(a + b) = cents(a) + cents(b)
static CENTS_ADD: TermRule = TermRule {
    name: "cents_add",
    find: Find::Op(Cents::DEF, &[Find::Op(Add::DEF, &[Find::Var(0), Find::Var(1)])]),
    put: Put::Op(AddI::DEF, &[Put::Op(Cents::DEF, &[Put::Var(0)]), Put::Op(Cents::DEF, &[Put::Var(1)])]),
};

impl Canonicalize for Cents {
    const RULES: &'static [&'static dyn Rule] = &[&CENTS_OF];
}

/// Count the ops that deal with money
#[pass("money-count", anchor = "func.func", stats("ops of money"))]
pub struct Count;

impl Pass for Count {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        cx.set_changed(false);
        cx.count("ops of money", unit.walk().filter(|op| unit.def(*op).dialect() == "money").count() as u64);
        Ok(())
    }
}

/// Compute with cents as integers
///
/// Amounts that do not leave the function disappear.
#[pass("money-to-arith", anchor = "func.func")]
pub struct ToArith;

impl Pass for ToArith {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let rules: [&'static dyn Rule; 2] = [&CENTS_OF, &CENTS_ADD];
        let outcome = Greedy::new(unit.cx(), rules).run(unit);
        cx.set_changed(outcome.changed);
        for (rule, count) in &outcome.applied {
            cx.count(&format!("rule {rule}"), *count);
        }
        outcome.diverged.map_or(Ok(()), |error| Err(cx.emit(*error)))
    }
}

/// The passes of this crate
pub static PASSES: &[&PassInfo] = &[Count::INFO, ToArith::INFO];

/// What `money-opt` knows: everything that `terrace-opt` does, and this crate
pub fn tool() -> Tool {
    Tool {
        name: "money-opt",
        dialects: || terrace_opt::all_dialects().into_iter().chain([&MONEY, &cookbook::SHOP]).collect(),
        registry: terrace_opt::REGISTRY.with(PASSES).with(cookbook::PASSES),
        ..Tool::OPT
    }
}
