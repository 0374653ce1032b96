//! Quick paths: what the machine does itself for the ops of inner loops, decided once per function.
//!
//! A quick path does exactly what the op's `interpret` does, or declines, and then `interpret` runs (and traps, or makes
//! poison). So it only knows the plain case: scalars that are not poison, accesses that are allowed, counted loops.
//! [`Options::quick`](crate::Options) turns them off; evaluations in test files run both ways.

use super::{Activation, Frame, Machine};
use crate::memory::Memory;
use crate::value::{RtValue, Scalar};
use terrace_ir::{BlockId, Ir, OpId, Value};

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
    /// Go to the only block, or to the first one iff the first operand, an `i1`, holds; with what each takes
    Branch(Vec<(BlockId, Vec<Value>)>),
    /// Enter the first region iff the operand, an `i1`, holds, else the second, which may be empty
    If,
    /// The end of a region whose op has the operands as its results, however the region was entered
    Yield,
}

/// Where a branch goes: the first op there, and numbers of values to be copied
struct Target {
    first: Option<OpId>,
    moves: Box<[(usize, usize)]>,
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
    targets: Box<[Target]>,
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
        let targets = quick.as_ref().and_then(|quick| targets(ir, op, quick)).unwrap_or_default();
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
            Quick::Branch(_) => matches!(targets.len(), 1 | 2),
            Quick::If => count == 1 && targets.len() == 2,
            Quick::Yield => ir.parent(op).is_some_and(|owner| ir.num_results(owner) == count),
        });
        // Where there is no result none is set.
        let result = match quick {
            Some(Quick::Yield) => {
                ir.parent(op).and_then(|owner| ir.results(owner).next()).map_or(0, Value::index)
            }
            _ => result.map_or(0, Value::index),
        };
        Instr { quick, operands, result, next: ir.next(op), body, targets }
    }
}

/// Where the op may go; `None` if something does not fit
fn targets(ir: &Ir, op: OpId, quick: &Quick) -> Option<Box<[Target]>> {
    match quick {
        Quick::Branch(blocks) => blocks
            .iter()
            .map(|(block, values)| {
                let args = ir.block_args(*block);
                let moves = values.iter().zip(args).map(|(from, to)| (from.index(), to.index())).collect();
                (values.len() == args.len()).then_some(Target { first: ir.first_op(*block), moves })
            })
            .collect(),
        Quick::If => ir
            .regions(op)
            .map(|region| {
                let first = ir.entry(region).and_then(|entry| ir.first_op(entry));
                Some(Target { first, moves: Box::default() })
            })
            .collect(),
        _ => None,
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

/// Copy several values at once: they may change places
#[inline]
fn copy_all(values: &mut [RtValue], moves: impl Iterator<Item = (usize, usize)> + Clone) {
    let mut rest = moves.clone();
    match (rest.next(), rest.next()) {
        (None, _) => {}
        (Some((from, to)), None) => copy(values, from, to),
        _ => {
            let all: Vec<RtValue> = moves.clone().map(|(from, _)| values[from].clone()).collect();
            for ((_, to), value) in moves.zip(all) {
                values[to] = value;
            }
        }
    }
}

/// Is it an `i1` that is known?
fn condition(value: &RtValue) -> Option<bool> {
    match value {
        RtValue::Int { bits, width: 1 } => Some(*bits == 1),
        _ => None,
    }
}

/// What an op without effects, or a load, gives
#[inline(always)]
fn result(
    quick: &Quick,
    instr: &Instr,
    values: &[RtValue],
    memory: &mut Memory,
    number: u32,
) -> Option<Scalar> {
    let value = |n: usize| &values[instr.operands[n].index()];
    let scalar = |n: usize| value(n).as_scalar();
    match quick {
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
                memory.races.op = number;
                let at = &mut [0; RANK];
                let at = place(values, &instr.operands[1..], at);
                at.and_then(|at| memory.load_scalar(view, at))
            }
            _ => None,
        },
        _ => None,
    }
}

#[inline(always)]
fn store(instr: &Instr, values: &[RtValue], memory: &mut Memory, number: u32) -> Option<()> {
    let value = |n: usize| &values[instr.operands[n].index()];
    memory.races.op = number;
    let at = &mut [0; RANK];
    let at = place(values, &instr.operands[2..], at);
    match (value(1), value(0).as_scalar(), at) {
        (RtValue::MemRef(view), Some(value), Some(at)) => memory.store_scalar(view, at, value),
        _ => None,
    }
}

/// Where a branch goes
#[inline(always)]
fn taken<'i>(instr: &'i Instr, values: &[RtValue]) -> Option<&'i Target> {
    match &*instr.targets {
        [only] => Some(only),
        [yes, no] => condition(&values[instr.operands[0].index()]).map(|holds| if holds { yes } else { no }),
        _ => None,
    }
}

/// The stack of a function while quick paths run
struct Stack<'m> {
    activations: &'m mut Vec<Activation>,
    values: &'m mut Vec<RtValue>,
    depth_left: &'m mut usize,
}

impl Stack<'_> {
    #[inline(always)]
    fn go_to(&mut self, next: Option<OpId>) {
        if let Some(activation) = self.activations.last_mut() {
            activation.at = next;
        }
    }

    #[inline(always)]
    fn enter(&mut self, at: Option<OpId>, counter: Option<i64>) {
        *self.depth_left -= 1;
        self.activations.push(Activation { at, counter, ..Activation::default() });
    }

    #[inline(always)]
    fn leave(&mut self, next: Option<OpId>) {
        self.activations.pop();
        *self.depth_left += 1;
        self.go_to(next);
    }

    /// At a counted loop: its first iteration, or behind it
    #[inline(always)]
    fn start_loop(&mut self, instr: &Instr) -> Option<()> {
        let body = instr.body.as_ref()?;
        let bound = |n: usize| index(&self.values[instr.operands[n].index()]);
        let (from, to, step) = (bound(0)?, bound(1)?, bound(2)?);
        if step <= 0 || *self.depth_left == 0 {
            return None;
        }
        if from >= to {
            for n in 3..instr.operands.len() {
                copy(self.values, instr.operands[n].index(), body.results + n - 3);
            }
            self.go_to(instr.next);
            return Some(());
        }
        for (arg, init) in body.args[1..].iter().zip(&instr.operands[3..]) {
            copy(self.values, init.index(), arg.index());
        }
        self.values[body.args[0].index()].put(number(from));
        self.enter(Some(body.first), Some(from));
        Some(())
    }

    /// At the end of a counted loop's body: the next iteration, or behind the loop
    #[inline(always)]
    fn next_iteration(&mut self, instr: &Instr, ir: &Ir) -> Option<()> {
        let activation = self.activations.last_mut()?;
        let (body, counter) = (instr.body.as_ref()?, activation.counter?);
        let [_, to, step] = body.bounds.map(|bound| index(&self.values[bound.index()]));
        let (to, step) = (to?, step?);
        let next = counter.checked_add(step).filter(|next| *next < to);
        let target = |n: usize| match next {
            Some(_) => body.args[n + 1].index(),
            None => body.results + n,
        };
        let operands = instr.operands.iter().enumerate();
        copy_all(self.values, operands.map(|(n, value)| (value.index(), target(n))));
        match next {
            Some(next) => {
                self.values[body.args[0].index()].put(number(next));
                (activation.at, activation.counter) = (Some(body.first), Some(next));
            }
            None => self.leave(ir.next(body.owner)),
        }
        Some(())
    }

    /// At an `if`: into one of its regions, or behind it
    #[inline(always)]
    fn choose(&mut self, instr: &Instr) -> Option<()> {
        let holds = condition(&self.values[instr.operands[0].index()])?;
        let target = &instr.targets[usize::from(!holds)];
        if *self.depth_left == 0 {
            return None;
        }
        match target.first {
            Some(first) => self.enter(Some(first), None),
            None => self.go_to(instr.next),
        }
        Some(())
    }

    /// At the end of a region whose op has the operands as its results
    #[inline(always)]
    fn end_region(&mut self, instr: &Instr, ir: &Ir) -> Option<()> {
        let [.., owner, activation] = &self.activations[..] else { return None };
        if !activation.locals.is_empty() || owner.member {
            return None;
        }
        let next = owner.at.and_then(|owner| ir.next(owner));
        let operands = instr.operands.iter().enumerate();
        copy_all(self.values, operands.map(|(n, value)| (value.index(), instr.result + n)));
        self.leave(next);
        Some(())
    }
}

impl Machine<'_> {
    /// Run ops by their quick paths as long as there are any
    pub(crate) fn run_quick(&mut self) {
        let Machine { frames, memory, fuel, depth_left, .. } = self;
        let Some(Frame { ir, code, values, activations, .. }) = frames.last_mut() else { return };
        let mut stack = Stack { activations, values, depth_left };
        while let Some(op) = stack.activations.last().and_then(|activation| activation.at)
            && *fuel > 0
        {
            let instr = &code.instrs[op.index()];
            let Some(quick) = &instr.quick else { return };
            let done = match quick {
                Quick::Counted => stack.start_loop(instr),
                Quick::CountedYield => stack.next_iteration(instr, ir),
                Quick::If => stack.choose(instr),
                Quick::Yield => stack.end_region(instr, ir),
                Quick::Branch(_) => taken(instr, stack.values).map(|target| {
                    copy_all(stack.values, target.moves.iter().copied());
                    stack.go_to(target.first);
                }),
                Quick::Store => store(instr, stack.values, memory, code.first + op.index() as u32)
                    .map(|()| stack.go_to(instr.next)),
                plain => {
                    result(plain, instr, stack.values, memory, code.first + op.index() as u32).map(|result| {
                        stack.values[instr.result].put(result);
                        stack.go_to(instr.next);
                    })
                }
            };
            if done.is_none() {
                return;
            }
            *fuel -= 1;
        }
    }
}
