//! What the rules allow of a computation's loops and buffers, whatever the point.

use crate::decode::{decode, misplaced};
use crate::layout::{Layout, Parts};
use crate::vector::{Value, Vector};
use terrace_schedule_model::Schedule;
use terrace_search_schedules::Legal;

impl Layout {
    /// With what the rules allow, each judged once: which loops run along lanes, as the innermost of all; on a grid, tiles of which buffers
    /// there are. A space where nothing of that is known may have no point, and takes long to say so
    #[must_use]
    pub fn knowing(mut self, legal: &Legal<'_>) -> Layout {
        let judged = |schedule: Option<Schedule>| schedule.is_some_and(|schedule| legal(&schedule).is_ok());
        if self.fuses() {
            let lanes: Vec<bool> = (0..self.loops.len()).map(|dim| judged(self.probe(dim))).collect();
            self.loops.iter_mut().zip(lanes).for_each(|(one, lanes)| one.lanes = lanes);
            return self;
        }
        let only = |input: Option<usize>, registers| {
            let shared = (0..self.ins).map(|own| Some(own) == input).collect();
            Layout { shared, registers, ..self.clone() }.plain()
        };
        let shared = (0..self.ins).map(|input| judged(only(Some(input), false))).collect();
        let registers = judged(only(None, true));
        Layout { shared, registers, ..self }
    }

    /// All iterations of each loop in its first part, in the first order that there is
    fn plain(&self) -> Option<Schedule> {
        let factors = self.loops.iter().zip(&self.parts).map(|(own, parts)| {
            Value::Factors((0..*parts).map(|part| if part == 0 { own.trip } else { 1 }).collect())
        });
        let mut values: Vec<Value> = factors.collect();
        let mut order: Vec<usize> = Vec::new();
        for _ in 0..self.subs.len() {
            let may = |own: &usize| !order.contains(own) && misplaced(self, &order, *own).is_none();
            let next = (0..self.subs.len()).find(may)?;
            order.push(next);
        }
        values.push(Value::Permutation(order.into_iter().map(|n| n + 1).collect()));
        values.resize(self.values(), Value::Flag(false));
        decode(self, &Vector(values)).ok()
    }

    /// Two lanes of a loop inside of all others
    fn probe(&self, dim: usize) -> Option<Schedule> {
        let mut loops = self.loops.clone();
        loops.iter_mut().enumerate().for_each(|(n, one)| one.lanes = n == dim);
        let parts = Parts { spatial: 2, reduce: 2 };
        let own = Layout::new(loops, parts, self.fixed, self.ins, self.outs).ok()?;
        let factors = own.loops.iter().enumerate().map(|(n, one)| match n == dim {
            true if one.trip % 2 != 0 => None,
            true => Some(Value::Factors(vec![one.trip / 2, 2])),
            false => Some(Value::Factors(vec![one.trip, 1])),
        });
        let mut values: Vec<Value> = factors.collect::<Option<_>>()?;
        let mut order: Vec<usize> = (0..own.subs.len()).collect();
        let inner = own.of_loop(dim).end - 1;
        let depth = |n: &usize| (*n == inner, own.subs[*n].part, own.loops[own.subs[*n].dim].reduce, *n);
        order.sort_by_key(depth);
        values.push(Value::Permutation(order.into_iter().map(|n| n + 1).collect()));
        values.extend(own.fuses().then(|| Value::Kept((1..=own.subs.len()).collect())));
        values.resize(own.values(), Value::Flag(false));
        decode(&own, &Vector(values)).ok()
    }
}
