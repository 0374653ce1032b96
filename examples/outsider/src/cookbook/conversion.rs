//! Types converted throughout: in signatures of functions, calls, loops and branches.

use crate::{Add, Amount, Cents, Of};
use terrace_diag::Reported;
use terrace_dialect_arith::AddI;
use terrace_dialect_builtin::UnrealizedConversionCast as Cast;
use terrace_dialect_builtin::conversion::TypeConversion;
use terrace_ir::Ir;
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_rewrite::term::{Find, Put, TermRule};

/// cast(of(x)) = x
static OF: TermRule = TermRule {
    name: "of_as_integer",
    find: Find::Op(Cast::DEF, &[Find::Op(Of::DEF, &[Find::Var(0)])]),
    put: Put::Var(0),
};
/// cents(cast(x)) = x
static CENTS: TermRule = TermRule {
    name: "cents_of_integer",
    find: Find::Op(Cents::DEF, &[Find::Op(Cast::DEF, &[Find::Var(0)])]),
    put: Put::Var(0),
};
/// cast(cast(a) + cast(b)) = a + b
static ADD: TermRule = TermRule {
    name: "add_as_integers",
    find: Find::Op(
        Cast::DEF,
        &[Find::Op(Add::DEF, &[Find::Op(Cast::DEF, &[Find::Var(0)]), Find::Op(Cast::DEF, &[Find::Var(1)])])],
    ),
    put: Put::Op(AddI::DEF, &[Put::Var(0), Put::Var(1)]),
};

/// Amounts are integers
static INTEGERS: TypeConversion = TypeConversion {
    convert: |cx, ty| Amount::cast(cx, ty).map(|_| cx.common().i64),
    dialects: &["money"],
    rules: &[&OF, &CENTS, &ADD],
};

/// Amounts become integers, where functions take and give them as well
#[pass("money-to-integers", scope = tree)]
pub struct ToIntegers;

impl Pass for ToIntegers {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        match INTEGERS.run(unit) {
            Ok(outcome) => {
                cx.set_changed(outcome.changed);
                for (rule, count) in &outcome.applied {
                    cx.count(&format!("rule {rule}"), *count);
                }
                Ok(())
            }
            Err(error) => Err(cx.emit(*error)),
        }
    }
}
