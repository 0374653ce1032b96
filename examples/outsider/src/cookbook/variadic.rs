//! Operands of any number, and one that may be absent.

use terrace_interp::{Interpret, Machine, RtValue, Step};
use terrace_ir::rules::I64;
use terrace_macros::op;

/// The largest of several numbers, but no more than a limit
#[op("shop.most", traits(Pure), interfaces(Interpret))]
#[asm("$values (`below` $limit^)? attr-dict")]
pub struct Most {
    values: Variadic<I64>,
    limit: Optional<I64>,
    #[result]
    most: I64,
}

impl Interpret for Most {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let (values, limit) = (self.values(m.ir()), self.limit(m.ir()));
        let number = |value| m.value(value).as_signed();
        let all: Option<Vec<i128>> = values.into_iter().chain(limit).map(number).collect();
        let most = all.and_then(|mut all| {
            let limit = limit.and_then(|_| all.pop());
            Some(all.into_iter().max()?.min(limit.unwrap_or(i128::MAX)))
        });
        m.set_result(0, most.map_or(RtValue::Poison, |most| RtValue::int(most, 64)));
        Step::Next
    }
}
