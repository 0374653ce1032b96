//! Ops that combine values at places that are data: `scatter` and `select_and_scatter`.
//!
//! State of both: the number of the update, then the elements of the results. `select_and_scatter` has two numbers more: the
//! place in the window, and the chosen element with one added, zero for none.

use super::moves::{index_at, slice_start, split};
use super::products::seen;
use super::*;
use crate::*;
use terrace_interp::{Interpret, Step};

fn number(m: &mut Machine<'_>, n: usize) -> usize {
    m.state().get(n).and_then(RtValue::as_i64).and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
}

fn set_number(m: &mut Machine<'_>, n: usize, value: usize) {
    m.state()[n] = RtValue::index(value as i64);
}

impl Interpret for Scatter {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        self.put(m, values).and_then(|()| self.go(m)).into()
    }
}

impl Scatter {
    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let mut state = vec![RtValue::index(0)];
        for input in self.inputs(m.ir()) {
            state.extend(Tensor::of(m, input)?.all.iter().cloned());
        }
        *m.state() = state;
        self.go(m)
    }

    /// Where the n-th update goes; nothing out of the tensor
    fn target(self, m: &Machine<'_>, n: usize) -> Result<Option<usize>, Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let numbers =
            ScatterDimensionNumbers::cast(cx, self.scatter_dimension_numbers(ir)).ok_or_else(unsupported)?;
        let dims = numbers.dims(cx);
        let indices = Tensor::of(m, self.scatter_indices(ir))?;
        let elem = Elem::of(cx, ir.ty(self.scatter_indices(ir)))?;
        let (shape, updates) = (sizes(m, self.inputs(ir)[0])?, sizes(m, self.updates(ir)[0])?);
        let (walked, offset) = split(&dims, shape.len(), &point(n, &updates));
        let start = slice_start(&dims, shape.len(), &index_at(&indices, elem, &dims, &walked)?, &walked);
        let at =
            start.iter().zip(&offset).map(|(start, offset)| i64::try_from(start + i128::from(*offset)).ok());
        Ok(at.collect::<Option<Vec<i64>>>().and_then(|at| place(&at, &shape)))
    }

    fn go(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let (inputs, updates) = (self.inputs(ir), self.updates(ir));
        let (all, each) = (count(&sizes(m, updates[0])?), count(&sizes(m, inputs[0])?));
        let mut n = number(m, 0);
        while n < all {
            let Some(at) = self.target(m, n)? else {
                n += 1;
                continue;
            };
            set_number(m, 0, n);
            let mut args: Vec<RtValue> =
                (0..inputs.len()).map(|k| scalar(m.state()[1 + k * each + at].clone())).collect();
            for update in &updates {
                args.push(scalar(Tensor::of(m, *update)?.all.get(n).cloned().unwrap_or(RtValue::Poison)));
            }
            return Ok(Step::Enter { region: self.update_computation(ir), args });
        }
        let done = m.state().split_off(1);
        let results = done.chunks(each.max(1)).map(|part| RtValue::Vector(part.into())).collect();
        let results = if each == 0 { m.values(inputs) } else { results };
        m.set_results(results);
        Ok(Step::Next)
    }

    fn put(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Result<(), Trap> {
        let n = number(m, 0);
        let each = count(&sizes(m, self.inputs(m.ir())[0])?);
        if let Some(at) = self.target(m, n)? {
            for (k, value) in values.iter().enumerate() {
                m.state()[1 + k * each + at] = single(value);
            }
        }
        set_number(m, 0, n + 1);
        Ok(())
    }
}

/// Numbers of the state of `select_and_scatter`
const SOURCE: usize = 0;
const PLACE: usize = 1;
const CHOSEN: usize = 2;
const NUMBERS: usize = 3;

impl Interpret for SelectAndScatter {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        self.resumed(m, values).into()
    }
}

impl SelectAndScatter {
    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let init = single(&m.value(self.init_value(m.ir())));
        let all = count(&sizes(m, self.operand(m.ir()))?);
        *m.state() = [vec![RtValue::index(0); NUMBERS], vec![init; all]].concat();
        self.go(m)
    }

    /// The element of the operand at a place of the window that belongs to an element of the source
    fn element(self, m: &Machine<'_>, source: usize, at: usize) -> Result<Option<usize>, Trap> {
        let ir = m.ir();
        let windows = self.windows(ir).map_err(|message| Trap::new(&codes::INVALID, message))?;
        let (shape, of_source) = (sizes(m, self.operand(ir))?, sizes(m, self.source(ir))?);
        let extents: Vec<i64> = windows.iter().map(|window| window.size).collect();
        let (place_of, k) = (point(source, &of_source), point(at, &extents));
        let index: Option<Vec<i64>> =
            (0..shape.len()).map(|n| seen(&windows[n], place_of[n], k[n], shape[n])).collect();
        Ok(index.and_then(|index| place(&index, &shape)))
    }

    fn go(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let windows = self.windows(ir).map_err(|message| Trap::new(&codes::INVALID, message))?;
        let extent = windows.iter().map(|window| window.size).product::<i64>() as usize;
        let (operand, source) = (Tensor::of(m, self.operand(ir))?, Tensor::of(m, self.source(ir))?);
        let mut n = number(m, SOURCE);
        while n < source.all.len() {
            let mut at = number(m, PLACE);
            while at < extent {
                let found = self.element(m, n, at)?;
                at += 1;
                set_number(m, PLACE, at);
                let (Some(found), chosen) = (found, number(m, CHOSEN)) else { continue };
                if chosen == 0 {
                    set_number(m, CHOSEN, found + 1);
                    continue;
                }
                let args = vec![scalar(operand.all[chosen - 1].clone()), scalar(operand.all[found].clone())];
                return Ok(Step::Enter { region: self.select(ir), args });
            }
            let chosen = number(m, CHOSEN);
            if chosen > 0 {
                // One behind the window: the second region runs.
                set_number(m, PLACE, extent + 1);
                let so_far = m.state()[NUMBERS + chosen - 1].clone();
                let args = vec![scalar(source.all[n].clone()), scalar(so_far)];
                return Ok(Step::Enter { region: self.scatter(ir), args });
            }
            n += 1;
            for (k, value) in [(SOURCE, n), (PLACE, 0), (CHOSEN, 0)] {
                set_number(m, k, value);
            }
        }
        let done = m.state().split_off(NUMBERS);
        m.set_result(0, RtValue::Vector(done.into()));
        Ok(Step::Next)
    }

    fn resumed(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Result<Step, Trap> {
        let windows = self.windows(m.ir()).map_err(|message| Trap::new(&codes::INVALID, message))?;
        let extent = windows.iter().map(|window| window.size).product::<i64>() as usize;
        let value = values.first().map_or(RtValue::Poison, single);
        let (n, at, chosen) = (number(m, SOURCE), number(m, PLACE), number(m, CHOSEN));
        if at > extent {
            m.state()[NUMBERS + chosen - 1] = value;
            for (k, value) in [(SOURCE, n + 1), (PLACE, 0), (CHOSEN, 0)] {
                set_number(m, k, value);
            }
            return self.go(m);
        }
        match value.as_unsigned() {
            None => return Err(Trap::new(&codes::POISON, "the choice is poison")),
            Some(1) => {}
            Some(_) => {
                let other = self.element(m, n, at - 1)?.map_or(0, |found| found + 1);
                set_number(m, CHOSEN, other);
            }
        }
        self.go(m)
    }
}
