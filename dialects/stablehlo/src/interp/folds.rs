//! Reductions and maps: for each element of the result, the computation in the region on what belongs to it, in row order.
//!
//! State of reductions: the number of the result's element, the number of the input's element that comes next, what is folded
//! so far (one value for each input), and the results that are done, all inputs' of an element together.

use super::elements::{convert, of_two};
use super::products::seen;
use super::*;
use crate::*;
use terrace_interp::{Interpret, Step};
use terrace_ir::{Ir, RegionId};

/// What a reduction folds: which elements of the inputs belong to an element of the result
trait Folds: Copy {
    /// The computation
    fn body(self, ir: &Ir) -> RegionId;
    /// Tensors, then starts
    fn parts(self, ir: &Ir) -> (Vec<Value>, Vec<Value>);
    /// Shape of what is folded for one element of the result
    fn window(self, m: &Machine<'_>) -> Result<Vec<i64>, Trap>;
    /// The index into the inputs; nothing where there is no element
    fn source(self, m: &Machine<'_>, at: &[i64], k: &[i64]) -> Result<Option<Vec<i64>>, Trap>;
}

impl Folds for Reduce {
    fn body(self, ir: &Ir) -> RegionId {
        Reduce::body(self, ir)
    }

    fn parts(self, ir: &Ir) -> (Vec<Value>, Vec<Value>) {
        (self.inputs(ir), self.init_values(ir))
    }

    fn window(self, m: &Machine<'_>) -> Result<Vec<i64>, Trap> {
        let dims = attrs::list(m.cx(), self.dimensions(m.ir()));
        let shape = sizes(m, self.inputs(m.ir())[0])?;
        Ok((0..shape.len()).filter(|n| dims.contains(&(*n as i64))).map(|n| shape[n]).collect())
    }

    fn source(self, m: &Machine<'_>, at: &[i64], k: &[i64]) -> Result<Option<Vec<i64>>, Trap> {
        let dims = attrs::list(m.cx(), self.dimensions(m.ir()));
        let rank = (at.len() + k.len()) as i64;
        let (mut at, mut k) = (at.iter(), k.iter());
        let next = |n| if dims.contains(&n) { k.next() } else { at.next() };
        Ok(Some((0..rank).map_while(next).copied().collect()))
    }
}

impl Folds for ReduceWindow {
    fn body(self, ir: &Ir) -> RegionId {
        ReduceWindow::body(self, ir)
    }

    fn parts(self, ir: &Ir) -> (Vec<Value>, Vec<Value>) {
        (self.inputs(ir), self.init_values(ir))
    }

    fn window(self, m: &Machine<'_>) -> Result<Vec<i64>, Trap> {
        Ok(attrs::list(m.cx(), self.window_dimensions(m.ir())).to_vec())
    }

    fn source(self, m: &Machine<'_>, at: &[i64], k: &[i64]) -> Result<Option<Vec<i64>>, Trap> {
        let windows = m.decoded(|ir, op| ReduceWindow::cast(ir, op).map(|op| op.windows(ir)));
        let Some(Ok(windows)) = &*windows else {
            return Err(Trap::new(&codes::INVALID, "a window is wrong"));
        };
        let shape = m.ir().ty(self.operands(m.ir())[0]).shape(m.cx()).unwrap_or(&[]);
        let each = (0..at.len()).map(|n| seen(&windows[n], at[n], k[n], shape[n]));
        Ok(each.collect())
    }
}

/// Numbers in front of the values of the state
const NUMBERS: usize = 2;

fn number(m: &mut Machine<'_>, n: usize) -> usize {
    m.state().get(n).and_then(RtValue::as_i64).and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
}

/// An element as the region's argument takes it
fn as_arg(m: &Machine<'_>, value: &RtValue, from: Value, arg: Value) -> Result<RtValue, Trap> {
    let (cx, ir) = (m.cx(), m.ir());
    let (from, to) = (Elem::of(cx, ir.ty(from))?, Elem::of(cx, ir.ty(arg))?);
    convert(value, from, to)
}

/// Starts of the folds in the types of the region's arguments
fn starts(m: &Machine<'_>, inits: &[Value], args: &[Value]) -> Result<Vec<RtValue>, Trap> {
    inits.iter().zip(args).map(|(init, arg)| as_arg(m, &single(&m.value(*init)), *init, *arg)).collect()
}

fn start(op: impl Folds, m: &mut Machine<'_>) -> Result<Step, Trap> {
    let ir = m.ir();
    let (_, inits) = op.parts(ir);
    let args = ir.entry(op.body(ir)).map_or(&[][..], |entry| ir.block_args(entry));
    let starts = starts(m, &inits, args)?;
    *m.state() = [vec![RtValue::index(0); NUMBERS], starts].concat();
    go(op, m)
}

/// Fold on, until the region must run or all is done
fn go(op: impl Folds, m: &mut Machine<'_>) -> Result<Step, Trap> {
    let ir = m.ir();
    let (inputs, inits) = op.parts(ir);
    let tensors: Vec<Tensor> = inputs.iter().map(|value| Tensor::of(m, *value)).collect::<Result<_, _>>()?;
    let (result, window) = (sizes(m, ir.result(m.op(), 0))?, op.window(m)?);
    let (outs, folded) = (count(&result), count(&window));
    let args = ir.entry(op.body(ir)).map_or(&[][..], |entry| ir.block_args(entry));
    let parts = inputs.len();
    let quick =
        Reduce::cast(ir, m.op()).and_then(|reduce| applied(ir, reduce)).and_then(|body| of_two(m, body));
    let elem = Elem::of(m.cx(), ir.ty(args[0]));
    let (mut out, mut k) = (number(m, 0), number(m, 1));
    while out < outs {
        let at = point(out, &result);
        while k < folded {
            let source = op.source(m, &at, &point(k, &window))?;
            k += 1;
            let Some(source) = source else { continue };
            let mut next = Vec::with_capacity(parts);
            for n in 0..parts {
                let value = tensors[n].get(&source).cloned().unwrap_or(RtValue::Poison);
                next.push(as_arg(m, &value, inputs[n], args[parts + n])?);
            }
            let so_far = m.state()[NUMBERS..NUMBERS + parts].to_vec();
            if let (Some(f), Ok(elem)) = (quick, &elem) {
                let known = !matches!((&so_far[0], &next[0]), (RtValue::Poison, _) | (_, RtValue::Poison));
                m.state()[NUMBERS] = if known { f(*elem, &so_far[0], &next[0])? } else { RtValue::Poison };
                continue;
            }
            m.state()[0] = RtValue::index(out as i64);
            m.state()[1] = RtValue::index(k as i64);
            let args = so_far.into_iter().chain(next).map(scalar).collect();
            return Ok(Step::Enter { region: op.body(ir), args });
        }
        // The fold of this element is done; the next begins with the starts.
        let starts = starts(m, &inits, args)?;
        let done: Vec<RtValue> = m.state().splice(NUMBERS..NUMBERS + parts, starts).collect();
        m.state().extend(done);
        (out, k) = (out + 1, 0);
    }
    let done = m.state().split_off(NUMBERS + parts);
    let results = (0..parts).map(|n| RtValue::Vector(done.iter().skip(n).step_by(parts).cloned().collect()));
    let results = results.collect();
    m.set_results(results);
    Ok(Step::Next)
}

/// The region has folded one more element
fn resume(op: impl Folds, m: &mut Machine<'_>, values: Vec<RtValue>) -> Result<Step, Trap> {
    for (n, value) in values.iter().enumerate() {
        m.state()[NUMBERS + n] = single(value);
    }
    go(op, m)
}

macro_rules! folds {
    ($($name:ident)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                start(self, m).into()
            }

            fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
                resume(self, m, values).into()
            }
        }
    )*};
}

folds! { Reduce ReduceWindow }

/// State: the elements that are done
impl Interpret for Map {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.go(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        m.state().extend(values.first().map(single));
        self.go(m).into()
    }
}

impl Map {
    fn go(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let n = m.state().len();
        let ir = m.ir();
        if n >= count(&sizes(m, self.result(ir))?) {
            let done = std::mem::take(m.state());
            m.set_result(0, RtValue::Vector(done.into()));
            return Ok(Step::Next);
        }
        let inputs = self.inputs(ir);
        let element = |value: &Value| {
            let tensor = Tensor::of(m, *value)?;
            Ok(scalar(tensor.all.get(n).cloned().unwrap_or(RtValue::Poison)))
        };
        let args = inputs.iter().map(element).collect::<Result<_, Trap>>()?;
        Ok(Step::Enter { region: self.computation(ir), args })
    }
}
