//! Pipelines: copies of hardware that run at once, each with its own arrays and its own ports of main memory.

use crate::build::{Done, refuse};
use crate::control::Control;
use crate::loops::trips;
use crate::outer::Outer;
use crate::program::{Place, Program};
use terrace_dialect_scf as scf;
use terrace_ir::fold::constant_of;
use terrace_ir::{OpId, Value};

/// Pipelines next to each other at most
const PIPELINES: i64 = 256;

impl<'a> Program<'a> {
    /// Copies of hardware that run at once
    pub fn pipelines(&mut self, place: &Place<'a>, parallel: scf::Parallel) -> Done<Control> {
        let (ir, op) = (place.ir, parallel.id());
        let number = |value: Value| constant_of(ir, value)?.as_i64(ir.cx());
        let parts = parallel.lower(ir).into_iter().zip(parallel.upper(ir)).zip(parallel.steps(ir));
        let bounds: Option<Vec<(i64, i64, i64)>> = parts
            .map(|((low, high), step)| {
                let (low, high, step) = (number(low)?, number(high)?, number(step)?);
                Some((low, step, trips(low, high, step)?))
            })
            .collect();
        let copies = bounds
            .as_ref()
            .and_then(|all| all.iter().try_fold(1i64, |all, (.., trips)| all.checked_mul(*trips)));
        let body = ir.single_block(ir.region(op, 0));
        let (Some(bounds), Some(copies), Some(body)) = (bounds, copies, body) else {
            return Err(refuse(ir, op, "has bounds that are no numbers", "sizes of hardware are fixed"));
        };
        if copies > PIPELINES || place.pipeline > 0 || ir.num_results(op) > 0 {
            let help =
                format!("up to {PIPELINES} pipelines run next to each other, and have no sums in common");
            return Err(refuse(ir, op, "is no set of pipelines", &help));
        }
        let shared =
            |op: &OpId| ir.operands(*op).any(|value| matches!(place.env.get(&value), Some(Outer::Memory(_))));
        if copies > 1
            && let Some(user) = ir.walk_below(op).find(shared)
        {
            let help = "make the array inside of `scf.parallel`: each pipeline then has its own";
            return Err(refuse(
                ir,
                user,
                "accesses an array whose ports several pipelines would share",
                help,
            ));
        }
        let ivs = ir.block_args(body).to_vec();
        let mut all = Vec::new();
        for n in 0..copies {
            let mut own = place.clone();
            own.pipeline = usize::try_from(n).unwrap_or(0);
            let mut rest = n;
            for (iv, (low, step, trips)) in ivs.iter().zip(&bounds).rev() {
                own.env.insert(*iv, Outer::number(low + step * (rest % trips)));
                rest /= trips;
            }
            all.push(self.block(&mut own, body)?);
        }
        Ok(if all.is_empty() { Control::Seq(all) } else { Control::Par(all) })
    }
}
