//! A schedule as a vector, where it is one of the space's.

use crate::decode::decode;
use crate::layout::{Fixed, Layout, Misfit};
use crate::vector::{Value, Vector};
use terrace_devices::Layer;
use terrace_schedule_model::Schedule;

/// The vector of a schedule; the error names the first step that no vector says
pub fn encode(layout: &Layout, schedule: &Schedule) -> Result<Vector, Misfit> {
    let loops = layout.subs.len();
    if schedule.steps.len() != loops {
        return Err(Misfit::Steps(loops, schedule.steps.len()));
    }
    let mut values = Vec::with_capacity(layout.values());
    for (dim, own) in layout.loops.iter().enumerate() {
        let mut above = own.trip;
        let mut factors = Vec::new();
        for n in layout.of_loop(dim) {
            let size = schedule.steps[n].sizes.get(dim).and_then(|size| size.value);
            let size = size.filter(|size| *size > 0 && above % *size == 0).ok_or_else(|| {
                Misfit::Step(n + 1, format!("it does not split `{}` into whole parts of {above}", own.name))
            })?;
            factors.push(above / size);
            above = size;
        }
        values.push(Value::Factors(factors));
    }
    let mut order = vec![0; loops];
    for (n, step) in schedule.steps.iter().enumerate() {
        let depth = step.label.checked_sub(1).and_then(|depth| order.get_mut(depth));
        match depth {
            Some(free @ 0) => *free = n + 1,
            _ => {
                return Err(Misfit::Step(
                    n + 1,
                    format!("label {} is none of 1 to {loops}, each once", step.label),
                ));
            }
        }
    }
    let layer = |depth: usize| {
        let n = order[depth] - 1;
        schedule.steps[n].cores.get(layout.subs[n].dim).copied().flatten().map(|core| core.layer)
    };
    values.push(Value::Permutation(order.clone()));
    if layout.fuses() {
        let fused = (0..loops).take_while(|depth| layer(*depth) == Some(Layer::Thr)).count().max(1);
        values.push(Value::Kept(std::iter::once(1).chain(fused + 1..=loops).collect()));
    }
    values.extend((0..loops).map(|depth| Value::Flag(layer(depth) == Some(Layer::Unr))));
    let flags = layout.buffers();
    match layout.fixed {
        Fixed::Host { .. } => {
            let any = schedule.steps.iter().any(|step| step.outs.iter().any(Option::is_some));
            values.extend((0..flags).map(|_| Value::Flag(any)));
        }
        Fixed::Grid { .. } => {
            // Inside of the second loop that folds, in place of the first.
            let plain =
                Vector(values.iter().cloned().chain((0..flags).map(|_| Value::Flag(false))).collect());
            let plain = decode(layout, &plain)?;
            for buffer in 0..flags {
                let at = |schedule: &Schedule| {
                    schedule.steps.iter().position(|step| step.ins.get(buffer).is_some_and(Option::is_some))
                };
                values.push(Value::Flag(at(&plain) != at(schedule)));
            }
        }
    }
    let vector = Vector(values);
    let own = decode(layout, &vector)?;
    let differs = own.steps.iter().zip(&schedule.steps).position(|(own, given)| own != given);
    match differs {
        None => Ok(vector),
        Some(n) => {
            let text = |schedule: &Schedule| schedule.steps[n].to_string();
            Err(Misfit::Step(n + 1, format!("`{}`; a vector says `{}`", text(schedule), text(&own))))
        }
    }
}
