//! Running ops one after the other.

use super::interface::Step;
use crate::codes;
use crate::machine::Machine;
use crate::trap::Trap;
use crate::value::RtValue;
use std::mem::replace;
use terrace_ir::{Ir, OpId, Traits};

/// How the current op is to be asked
pub(crate) enum Next {
    /// For the first time
    Run,
    /// Again, with what it waited for
    Resume(Vec<RtValue>),
    /// As a member that starts
    Member,
}

enum Flow {
    Go(Next),
    /// To the op behind
    Advance,
    /// The first function has returned
    Finish(Vec<RtValue>),
}

impl Machine<'_> {
    /// Runs until the first frame returns
    pub(crate) fn run(&mut self) -> Result<Vec<RtValue>, Trap> {
        let mut next = Next::Run;
        loop {
            if let Next::Run = next {
                self.run_quick();
            }
            let frame = self.frames.last_mut().expect("an op runs inside a call");
            let activation = frame.activations.last_mut().expect("an op runs inside a region");
            let Some(op) = activation.at else {
                if self.ends_without_terminator() {
                    match self.follow(Step::Yield(Vec::new()))? {
                        Flow::Go(then) => next = then,
                        Flow::Finish(values) => return Ok(values),
                        Flow::Advance => {}
                    }
                    continue;
                }
                return Err(Trap::new(&codes::INVALID, "a block has no terminator"));
            };
            let ir = frame.ir;
            let Some(table) = frame.code.tables[op.index()] else {
                let message = format!("'{}' op cannot be interpreted", ir.op_name(op));
                return Err(self.located(Trap::new(&codes::NO_MEANING, message), ir, op));
            };
            if self.fuel == 0 {
                return Err(self.located(Trap::new(&codes::FUEL, "the program ran for too long"), ir, op));
            }
            self.fuel -= 1;
            self.memory.races.op = frame.code.first + op.index() as u32;
            let step = match replace(&mut next, Next::Run) {
                Next::Run => {
                    activation.state.clear();
                    (table.run)(op, self)
                }
                Next::Resume(values) if activation.member => (table.member_resume)(op, self, values),
                Next::Resume(values) => (table.resume)(op, self, values),
                Next::Member => (table.member)(op, self),
            };
            match self.follow(step) {
                Ok(Flow::Advance) => {
                    let activation = self.frame_mut().activations.last_mut();
                    activation.expect("an op runs inside a region").at = ir.next(op);
                }
                Ok(Flow::Go(then)) => next = then,
                Ok(Flow::Finish(values)) => return Ok(values),
                Err(trap) => return Err(self.located(trap, ir, op)),
            }
        }
    }

    #[inline]
    fn follow(&mut self, step: Step) -> Result<Flow, Trap> {
        match step {
            Step::Next if self.in_member() => self.end_member(Vec::new()).map(Flow::Go),
            Step::Next => Ok(Flow::Advance),
            Step::Enter { region, args } => {
                self.enter(region, args)?;
                Ok(Flow::Go(Next::Run))
            }
            Step::Branch { block, args } => {
                self.jump(block, args)?;
                Ok(Flow::Go(Next::Run))
            }
            Step::Yield(values) if self.in_member() => self.end_member(values).map(Flow::Go),
            Step::Yield(values) => {
                let left = self.frame_mut().activations.pop().expect("an op runs inside a region");
                self.release(left.locals);
                self.depth_left += 1;
                if self.frame().activations.is_empty() {
                    return Err(Trap::new(&codes::INVALID, "a function's body yields"));
                }
                Ok(Flow::Go(Next::Resume(values)))
            }
            Step::Return(values) => self.leave(values),
            Step::Call { symbol, args } => {
                self.call(&symbol, args)?;
                Ok(Flow::Go(Next::Run))
            }
            Step::Invoke { symbol, args } => {
                self.call(&symbol, args)?;
                self.frame_mut().resumes = true;
                Ok(Flow::Go(Next::Run))
            }
            Step::Fork(spec) => self.fork(spec).map(Flow::Go),
            Step::Sync(sync) => self.sync(sync).map(Flow::Go),
            Step::Trap(trap) => Err(trap),
        }
    }

    /// Has the region of an op that needs no terminator come to its end?
    fn ends_without_terminator(&self) -> bool {
        let frame = self.frame();
        let around = frame.activations.len().checked_sub(2).and_then(|n| frame.activations[n].at);
        around.is_some_and(|around| frame.ir.has(around, Traits::NoTerminator))
    }

    fn in_member(&self) -> bool {
        self.frame().activations.last().is_some_and(|activation| activation.member)
    }

    /// A function returns
    fn leave(&mut self, values: Vec<RtValue>) -> Result<Flow, Trap> {
        let last = self.frames.len() - 1;
        if self.teams.last().is_some_and(|team| team.frame() == last) {
            return Err(Trap::new(&codes::INVALID, "a function returns out of parallel members"));
        }
        let frame = self.frames.pop().expect("an op runs inside a call");
        self.depth_left += frame.activations.len();
        for activation in frame.activations {
            self.release(activation.locals);
        }
        if self.frames.is_empty() {
            return Ok(Flow::Finish(values));
        }
        if frame.resumes {
            return Ok(Flow::Go(Next::Resume(values)));
        }
        if self.in_member() {
            return self.end_member(values).map(Flow::Go);
        }
        self.set_results(values);
        // The op that called has run.
        let (ir, op) = (self.ir(), self.op());
        self.frame_mut().activations.last_mut().expect("an op runs inside a region").at = ir.next(op);
        Ok(Flow::Go(Next::Run))
    }

    /// Say where a trap happened
    fn located(&mut self, mut trap: Trap, ir: &Ir, op: OpId) -> Trap {
        trap.span = trap.span.or_else(|| ir.span(op));
        let races = &mut self.memory().races;
        if trap.code.id == codes::RACE.id
            && let Some((text, other)) = races.conflict()
        {
            trap.message = format!("data race: {text}");
            let other = self.span_of(other);
            trap.notes.extend(other.map(|other| (Some(other), "the other use is here".into())));
        }
        let races = &mut self.memory().races;
        let here = races.here();
        if !here.is_empty() {
            trap.notes.push((None, format!("in {here}")));
        }
        trap
    }
}
