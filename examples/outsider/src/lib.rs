//! Amounts of money as a dialect: three ops, one type, two rules, a pass, a lowering to `arith`, a tool.

use terrace_diag::Reported;
use terrace_dialect_upstream::arith::AddI;
use terrace_ir::rules::{I64, StrAttr};
use terrace_ir::{Ir, TypeKind};
use terrace_macros::{dialect, dialect_type, op};
use terrace_pass::{Pass, PassCx, PassInfo, Registry, Scope};
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
#[op("money.of", traits(Pure), asm = "$cents attr-dict `:` type($amount)")]
pub struct Of {
    #[operand]
    cents: I64,
    #[result]
    amount: AnyAmount,
}

/// The sum of two amounts in one currency
#[op("money.add", traits(Pure, Commutative), relations(same(a, b, sum)), asm = "$a `,` $b attr-dict `:` type($sum)")]
pub struct Add {
    #[operand]
    a: AnyAmount,
    #[operand]
    b: AnyAmount,
    #[result]
    sum: AnyAmount,
}

/// The cents of an amount
#[op("money.cents", traits(Pure), asm = "$amount attr-dict `:` type($amount)", interfaces(Canonicalize))]
pub struct Cents {
    #[operand]
    amount: AnyAmount,
    #[result]
    cents: I64,
}

dialect! {
    /// Amounts of money
    pub MONEY = "money" { ops: [Add, Cents, Of], types: [Amount] }
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

const fn info(name: &'static str, summary: &'static str, make: Make) -> PassInfo {
    let (docs, scope, anchor) = (summary, Scope::Unit, Some("func.func"));
    PassInfo { name, aliases: &[], summary, docs, scope, anchor, options: &[], stats: &[], make }
}
type Make = fn(&terrace_pass::PassOptions) -> Result<Box<dyn Pass>, String>;

/// Counts the ops of the dialect
struct Count;
static COUNT: PassInfo = info("money-count", "Count the ops that deal with money", |_| Ok(Box::new(Count)));

impl Pass for Count {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        cx.set_changed(false);
        cx.count("ops of money", unit.walk().filter(|op| unit.def(*op).dialect() == "money").count() as u64);
        Ok(())
    }
}

/// Lowers to 64-bit integers: amounts that do not leave the function disappear
struct ToArith;
static TO_ARITH: PassInfo = info("money-to-arith", "Compute with cents as integers", |_| Ok(Box::new(ToArith)));

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

static PASSES: &[&PassInfo] = &[&COUNT, &TO_ARITH];

/// Everything `money-opt` knows: upstream's dialects and passes, and ours
pub const TOOL: terrace_opt::Tool = terrace_opt::Tool {
    name: "money-opt",
    dialects: || terrace_dialect_upstream::ALL.iter().copied().chain([&MONEY]).collect(),
    registry: Registry { passes: &[terrace_passes_general::PASSES, PASSES], pipelines: &[] },
};
