//! Quick paths: what the machine does itself for the ops of inner loops, decided once per function.
//!
//! A quick path does exactly what the op's `interpret` does, or declines, and then `interpret` runs (and traps, or makes
//! poison). So it only knows the plain case: scalars that are not poison, accesses that are allowed, counted loops.
//! [`Options::quick`](crate::Options) turns them off; evaluations in test files run both ways.

use crate::machine::{Activation, Frame, Machine};
use crate::value::{RtValue, Scalar};
use terrace_ir::{Ir, OpId, Value};

/// A function of one number, or nothing where the op has to be asked
pub type Unary = Box<dyn Fn(Scalar) -> Option<Scalar>>;
/// A function of two numbers, or nothing where the op has to be asked
pub type Binary = Box<dyn Fn(Scalar, Scalar) -> Option<Scalar>>;
/// A function of three numbers, or nothing where the op has to be asked
pub type Ternary = Box<dyn Fn(Scalar, Scalar, Scalar) -> Option<Scalar>>;

/// What an op does in the plain case
pub enum Quick {
    /// The result is this
    Constant(Scalar),
    /// The result is a function of the operand
    Unary(Unary),
    /// The result is a function of the operands
    Binary(Binary),
    /// The result is a function of the operands
    Ternary(Ternary),
    /// The first operand, an `i1`, chooses one of the others
    Select,
    /// The element of the memref, the first operand, at the other operands
    Load,
    /// The first operand goes to the element of the memref, the second one, at the other operands
    Store,
    /// A loop from the first operand to the second by the third, all `index`, that carries the other operands through its
    /// only block
    Counted,
    /// The end of the body of a counted loop
    CountedYield,
}

/// An op as the machine sees it
#[derive(Default)]
pub(crate) struct Instr {
    quick: Option<Quick>,
    operands: Box<[Value]>,
    /// Number of the first result
    result: usize,
    next: Option<OpId>,
    body: Option<Body>,
}

/// Of a counted loop, and of its `yield`
struct Body {
    owner: OpId,
    args: Box<[Value]>,
    first: OpId,
    /// First of the results
    results: usize,
    bounds: [Value; 3],
}

impl Instr {
    pub(crate) fn new(ir: &Ir, op: OpId, quick: Option<Quick>) -> Instr {
        let operands: Box<[Value]> = ir.operands(op).collect();
        let results: Vec<Value> = ir.results(op).collect();
        let owner = match quick {
            Some(Quick::Counted) => Some(op),
            Some(Quick::CountedYield) => ir.parent(op),
            _ => None,
        };
        let body = owner.and_then(|owner| Body::of(ir, owner));
        let result = results.first().copied();
        let (count, loops) = (operands.len(), body.is_some());
        let quick = quick.filter(|quick| match quick {
            Quick::Constant(_) => results.len() == 1,
            Quick::Unary(_) => (count, results.len()) == (1, 1),
            Quick::Binary(_) => (count, results.len()) == (2, 1),
            Quick::Ternary(_) | Quick::Select => (count, results.len()) == (3, 1),
            Quick::Load => (1..=RANK).contains(&count) && results.len() == 1,
            Quick::Store => (2..=RANK + 1).contains(&count),
            Quick::Counted | Quick::CountedYield => loops,
        });
        // Where there is no result none is set.
        let result = result.map_or(0, Value::index);
        Instr { quick, operands, result, next: ir.next(op), body }
    }
}

impl Body {
    fn of(ir: &Ir, owner: OpId) -> Option<Body> {
        let region = ir.regions(owner).next()?;
        let block = ir.entry(region)?;
        let operands: Vec<Value> = ir.operands(owner).collect();
        let args: Box<[Value]> = ir.block_args(block).into();
        let carried = args.len().checked_sub(1)?;
        let fits = operands.len() == 3 + carried
            && ir.num_results(owner) == carried
            && ir.num_operands(ir.last_op(block)?) == carried;
        let results = if carried > 0 { ir.result(owner, 0).index() } else { 0 };
        let bounds = [operands.first().copied()?, operands.get(1).copied()?, operands.get(2).copied()?];
        fits.then_some(Body { owner, args, first: ir.first_op(block)?, results, bounds })
    }
}

/// Most operands of an access that quick paths know
const RANK: usize = 8;

fn index(value: &RtValue) -> Option<i64> {
    match value {
        RtValue::Int { bits, width: 64 } => Some(*bits as i64),
        _ => None,
    }
}

fn place<'a>(values: &[RtValue], at: &[Value], room: &'a mut [i64; RANK]) -> Option<&'a [i64]> {
    for (room, at) in room.iter_mut().zip(at) {
        *room = index(&values[at.index()])?;
    }
    room.get(..at.len())
}

fn number(value: i64) -> Scalar {
    Scalar::Int { bits: value.cast_unsigned(), width: 64 }
}

#[inline]
fn copy(values: &mut [RtValue], from: usize, to: usize) {
    match values[from].as_scalar() {
        Some(value) => values[to].put(value),
        None => values[to] = values[from].clone(),
    }
}

impl Machine<'_> {
    /// Run ops by their quick paths as long as there are any
    pub(crate) fn run_quick(&mut self) {
        let Machine { frames, memory, fuel, depth_left, .. } = self;
        let Some(Frame { ir, code, values, activations, .. }) = frames.last_mut() else { return };
        while let Some(activation) = activations.last_mut()
            && let Some(op) = activation.at
            && *fuel > 0
        {
            let instr = &code.instrs[op.index()];
            let Some(quick) = &instr.quick else { return };
            let value = |n: usize| &values[instr.operands[n].index()];
            let scalar = |n: usize| value(n).as_scalar();
            let result = match quick {
                Quick::Constant(value) => Some(*value),
                Quick::Unary(f) => scalar(0).and_then(f),
                Quick::Binary(f) => match (scalar(0), scalar(1)) {
                    (Some(a), Some(b)) => f(a, b),
                    _ => None,
                },
                Quick::Ternary(f) => match (scalar(0), scalar(1), scalar(2)) {
                    (Some(a), Some(b), Some(c)) => f(a, b, c),
                    _ => None,
                },
                Quick::Select => match value(0) {
                    RtValue::Int { bits, width: 1 } => scalar(if *bits == 1 { 1 } else { 2 }),
                    _ => None,
                },
                Quick::Load => match value(0) {
                    RtValue::MemRef(view) => {
                        let at = &mut [0; RANK];
                        let at = place(values, &instr.operands[1..], at);
                        at.and_then(|at| memory.load_scalar(view, at))
                    }
                    _ => None,
                },
                Quick::Store => {
                    let at = &mut [0; RANK];
                    let at = place(values, &instr.operands[2..], at);
                    let stored = match (value(1), scalar(0), at) {
                        (RtValue::MemRef(view), Some(value), Some(at)) => {
                            memory.store_scalar(view, at, value)
                        }
                        _ => None,
                    };
                    if stored.is_none() {
                        return;
                    }
                    activation.at = instr.next;
                    *fuel -= 1;
                    continue;
                }
                Quick::Counted => {
                    let Some(body) = &instr.body else { return };
                    let [Some(from), Some(to), Some(step)] = [0, 1, 2].map(|n| index(value(n))) else {
                        return;
                    };
                    if step <= 0 || *depth_left == 0 {
                        return;
                    }
                    *fuel -= 1;
                    if from >= to {
                        for n in 3..instr.operands.len() {
                            copy(values, instr.operands[n].index(), body.results + n - 3);
                        }
                        activation.at = instr.next;
                        continue;
                    }
                    for (arg, init) in body.args[1..].iter().zip(&instr.operands[3..]) {
                        copy(values, init.index(), arg.index());
                    }
                    values[body.args[0].index()].put(number(from));
                    *depth_left -= 1;
                    let (at, counter) = (Some(body.first), Some(from));
                    activations.push(Activation { at, counter, ..Activation::default() });
                    continue;
                }
                Quick::CountedYield => {
                    let (Some(body), Some(counter)) = (&instr.body, activation.counter) else { return };
                    let [_, to, step] = body.bounds.map(|bound| index(&values[bound.index()]));
                    let (Some(to), Some(step)) = (to, step) else { return };
                    *fuel -= 1;
                    let next = counter.checked_add(step).filter(|next| *next < to);
                    let target = |n: usize| match next {
                        Some(_) => body.args[n + 1].index(),
                        None => body.results + n,
                    };
                    match &*instr.operands {
                        [] => {}
                        [one] => copy(values, one.index(), target(0)),
                        // They may change places.
                        all => {
                            let all: Vec<RtValue> =
                                all.iter().map(|value| values[value.index()].clone()).collect();
                            for (n, value) in all.into_iter().enumerate() {
                                values[target(n)] = value;
                            }
                        }
                    }
                    if let Some(next) = next {
                        values[body.args[0].index()].put(number(next));
                        (activation.at, activation.counter) = (Some(body.first), Some(next));
                        continue;
                    }
                    activations.pop();
                    *depth_left += 1;
                    if let Some(around) = activations.last_mut() {
                        around.at = ir.next(body.owner);
                    }
                    continue;
                }
            };
            let Some(result) = result else { return };
            values[instr.result].put(result);
            activation.at = instr.next;
            *fuel -= 1;
        }
    }
}
