//! Rounds of stages that overlap: while one round is computed, the next is read and the one before is written.
//!
//! Stage `s` works on round `t - s` at time `t`. An array between two stages has two copies: a round uses the one of its parity, so what one
//! stage fills is not what the next one reads.

use crate::build::Done;
use crate::control::Control;
use crate::loops::{Bounds, is_free, makes_array};
use crate::netlist::{Wire, bits};
use crate::outer::{Held, Outer};
use crate::program::{Place, Program};
use terrace_dialect_func as func;
use terrace_ir::{Ir, OpId, Value};

/// Calls of stages in a round, and the arrays with the first and the last stage that uses each; none if rounds cannot overlap. Stages that run at
/// once have no memory in common but these arrays: its ports have one access in a cycle
fn stages(ir: &Ir, bounds: Bounds) -> Option<(Vec<OpId>, Vec<(OpId, usize, usize)>)> {
    let end = ir.last_op(bounds.body);
    let (mut calls, mut arrays) = (Vec::new(), Vec::new());
    for op in ir.block_ops(bounds.body).filter(|op| Some(*op) != end && !is_free(ir, *op)) {
        match () {
            () if func::Call::cast(ir, op).is_some() => calls.push(op),
            () if makes_array(ir, op) => arrays.push(op),
            () => return None,
        }
    }
    let mut used = Vec::new();
    for array in arrays {
        let value = ir.result(array, 0);
        let by = |call: &OpId| ir.operands(*call).any(|operand| operand == value);
        let first = calls.iter().position(by)?;
        let last = calls.iter().rposition(by)?;
        // Two copies serve stages that are next to each other.
        if last > first + 1 {
            return None;
        }
        used.push((array, first, last));
    }
    let outer = |value: &Value| {
        ir.ty(*value).shape(ir.cx()).is_some()
            && !used.iter().any(|(array, ..)| ir.result(*array, 0) == *value)
    };
    let takes = |call: &OpId, value: Value| ir.operands(*call).any(|operand| operand == value);
    let shared = calls.iter().enumerate().any(|(n, call)| {
        ir.operands(*call).filter(outer).any(|value| calls[n + 1..].iter().any(|other| takes(other, value)))
    });
    (calls.len() > 1 && !shared).then_some((calls, used))
}

impl<'a> Program<'a> {
    /// Stages that overlap; none if the loop is something else
    pub(crate) fn rounds(&mut self, place: &Place<'a>, bounds: Bounds) -> Done<Option<Control>> {
        let ir = place.ir;
        let Some((calls, arrays)) = stages(ir, bounds) else { return Ok(None) };
        let count = calls.len();
        let mut inside = place.clone();
        let mut held = Vec::new();
        for (op, first, last) in arrays {
            let copies = if last > first { 2 } else { 1 };
            held.push((ir.result(op, 0), self.array(&mut inside, op, copies)?, copies));
        }
        let width = bits(bounds.trips);
        let registers: Vec<(String, String)> = (0..count)
            .map(|_| (self.net.cell("round", "std_reg", &[width]), self.net.cell("on", "std_reg", &[1])))
            .collect();
        let parity = self.net.cell("parity", "std_reg", &[1]);
        let odd = Wire::new(format!("{parity}.out"), 1);
        let even = self.net.gate("std_not", &[1], &[("in", &odd)], 1);
        let mut all = Vec::new();
        for (stage, call) in calls.iter().enumerate() {
            let (round, on) = &registers[stage];
            let mut own = inside.clone();
            let wire = Wire::new(format!("{round}.out"), width);
            let terms = vec![(wire, bounds.trips - 1, bounds.step)];
            own.env.insert(bounds.iv, Outer::Index { constant: bounds.first, terms });
            let second = if stage % 2 == 0 { &odd } else { &even };
            for (value, memory, copies) in &held {
                let second = (*copies > 1).then(|| second.clone());
                own.env.insert(*value, Outer::Memory(Held { memory: *memory, second }));
            }
            let body = self.call(&own, *call)?;
            all.push(Control::If(format!("{on}.out"), Box::new(body)));
        }
        let init = self.init(&registers, &parity, width);
        let step = self.next_round(&registers, (&parity, &even), bounds.trips, width);
        let times = bounds.trips + count as i64 - 1;
        let body = Control::Seq(vec![Control::Par(all), step]);
        Ok(Some(Control::Seq(vec![init, Control::Repeat(times, Box::new(body))])))
    }

    /// At the start the first stage is on
    fn init(&mut self, registers: &[(String, String)], parity: &str, width: u32) -> Control {
        let mut values = vec![(parity.to_owned(), Wire::number(0, 1))];
        for (stage, (round, on)) in registers.iter().enumerate() {
            values.push((round.clone(), Wire::number(0, width)));
            values.push((on.clone(), Wire::number(i64::from(stage == 0), 1)));
        }
        self.step(&values)
    }

    /// A stage gets the round that the stage before it had
    fn next_round(
        &mut self,
        registers: &[(String, String)],
        (parity, even): (&str, &Wire),
        trips: i64,
        width: u32,
    ) -> Control {
        let mut values = vec![(parity.to_owned(), even.clone())];
        for (stage, (round, on)) in registers.iter().enumerate() {
            let (next, more) = match stage.checked_sub(1) {
                Some(before) => {
                    let (round, on) = &registers[before];
                    (Wire::new(format!("{round}.out"), width), Wire::new(format!("{on}.out"), 1))
                }
                None => {
                    let own = Wire::new(format!("{round}.out"), width);
                    let next = self.net.both("std_add", &own, &Wire::number(1, width), width);
                    let more = self.net.both("std_lt", &next, &Wire::number(trips, width), 1);
                    // What has ended does not begin again.
                    let was = Wire::new(format!("{on}.out"), 1);
                    let more = self.net.both("std_and", &more, &was, 1);
                    (self.net.choice(&more, &next, &own), more)
                }
            };
            values.push((round.clone(), next));
            values.push((on.clone(), more));
        }
        self.step(&values)
    }
}
