//! An op that holds ops, and the op that ends them.

use terrace_interp::{Interpret, Machine, RtValue, Step};
use terrace_ir::rules::I64;
use terrace_macros::op;

/// The sum of what the body gives for 0, 1, … below a count
#[op("shop.each", traits(RecursiveEffects), interfaces(Interpret))]
#[asm("$count $body attr-dict")]
pub struct Each {
    count: I64,
    #[region(single_block)]
    body: Region,
    #[result]
    sum: I64,
}

/// Ends the body of `shop.each`
#[op("shop.give", traits(Pure, Terminator), parents("shop.each"), interfaces(Interpret))]
#[asm("$value attr-dict")]
pub struct Give {
    value: I64,
}

impl Each {
    /// Run the body for the next number, or be done
    fn next(self, m: &mut Machine<'_>) -> Step {
        let (count, [n, sum]) = (m.operand(0).as_signed(), [m.state()[0].clone(), m.state()[1].clone()]);
        if n.as_signed() < count {
            return Step::Enter { region: self.body(m.ir()), args: vec![n] };
        }
        m.set_result(0, sum);
        Step::Next
    }
}

impl Interpret for Each {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        *m.state() = vec![RtValue::int(0, 64); 2];
        self.next(m)
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        let state = m.state();
        let sum = state[1].as_signed().zip(values[0].as_signed());
        let next = state[0].as_signed().map(|n| RtValue::int(n + 1, 64));
        *state = vec![
            next.unwrap_or(RtValue::Poison),
            sum.map_or(RtValue::Poison, |(a, b)| RtValue::int(a + b, 64)),
        ];
        self.next(m)
    }
}

impl Interpret for Give {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}
