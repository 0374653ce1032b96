//! Buffers, reads, writes and copies.

use super::merge;
use crate::access::Access;
use crate::combine::{Kind, Operator};
use crate::level::Per;
use crate::ops::{Alloc, Copy, For, Read, Write};
use terrace_interp::{Interpret, Level as Wide, Machine, MemRef, RtValue, Step, Sync, Trap, codes};
use terrace_ir::{OpId, Value};

/// The teams that share what an owner has
fn wide(per: Per) -> Wide {
    match per {
        Per::Warp => Wide::Subgroup,
        Per::Block | Per::Task => Wide::Block,
        Per::Cluster => Wide::Cluster,
    }
}

impl Alloc {
    fn sizes(self, m: &Machine<'_>) -> Vec<i64> {
        let ir = m.ir();
        ir.ty(self.memref(ir)).shape(m.cx()).unwrap_or(&[]).to_vec()
    }

    /// The first one to arrive makes it and shows it to all
    fn together(self, m: &mut Machine<'_>, per: Per) -> Result<Step, Trap> {
        let first = m.exchange().is_none_or(|exchange| exchange.me == 0);
        let shown = if first {
            let sizes = self.sizes(m);
            vec![RtValue::MemRef(m.alloc_for_teams(&sizes, wide(per))?)]
        } else {
            Vec::new()
        };
        m.state().push(RtValue::index(2));
        Ok(Step::Sync(Sync::exchange(wide(per), shown)))
    }
}

impl Interpret for Alloc {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        if let Some(per) = self.owner(m.ir()) {
            *m.state() = vec![RtValue::index(1)];
            return Step::Sync(Sync::barrier(wide(per)));
        }
        let sizes = self.sizes(m);
        match m.memory().alloc(&sizes) {
            Ok(view) => {
                m.end_with_scope(&view);
                m.set_result(0, RtValue::MemRef(view));
                Step::Next
            }
            Err(fault) => Step::Trap(fault.into()),
        }
    }

    fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
        let Some(per) = self.owner(m.ir()) else { return Step::Next };
        if m.state().len() == 1 {
            return self.together(m, per).into();
        }
        let made = m.exchange().and_then(|exchange| exchange.all.iter().flatten().next().cloned());
        m.set_result(0, made.unwrap_or(RtValue::Poison));
        Step::Next
    }
}

/// Indices of an access for a point of a copy's domain
fn place(m: &Machine<'_>, at: &Access, point: &[i64]) -> Result<Vec<i64>, Trap> {
    let mut dims = point.to_vec();
    for value in &at.values {
        dims.push(m.decide_i64(*value, "the index")?);
    }
    at.map.eval(&dims, &[]).ok_or_else(|| Trap::new(&codes::DIVISION, "the index has no value"))
}

fn inside(view: &MemRef, at: &[i64]) -> bool {
    at.len() == view.sizes.len() && at.iter().zip(view.sizes.iter()).all(|(at, size)| (0..*size).contains(at))
}

fn read(m: &mut Machine<'_>, view: &MemRef, at: &[i64], padding: Option<Value>) -> Result<RtValue, Trap> {
    match padding {
        Some(padding) if !inside(view, at) => Ok(m.value(padding)),
        _ => Ok(m.memory().load(view, at)?),
    }
}

/// Do iterations of a `pw` loop that run at the same time merge into this memory by this operator?
fn merges_together(m: &Machine<'_>, op: OpId, memref: Value, f: &Operator) -> bool {
    let ir = m.ir();
    let home = ir.value_block(memref).and_then(|block| ir.block_parent(block));
    let mut around = ir.parent(op);
    while let Some(outer) = around {
        let own = home.is_some_and(|home| ir.is_inside(home, outer));
        if !own
            && let Some(info) = For::cast(ir, outer).and_then(|outer| outer.info(ir))
            && info.kind == Kind::Pw
            && info.is_parallel()
            && info.ops.contains(f)
        {
            return true;
        }
        around = ir.parent(outer);
    }
    false
}

/// A write; gives the step that calls a user's operator, if it needs one
struct Put<'a> {
    op: OpId,
    memref: Value,
    clip: bool,
    operator: Option<&'a Operator>,
}

impl Put<'_> {
    fn at(
        &self,
        m: &mut Machine<'_>,
        view: &MemRef,
        at: &[i64],
        value: RtValue,
    ) -> Result<Option<Step>, Trap> {
        if self.clip && !inside(view, at) {
            return Ok(None);
        }
        let Some(f) = self.operator else {
            m.memory().store(view, at, value)?;
            return Ok(None);
        };
        let together = merges_together(m, self.op, self.memref, f);
        let memory = m.memory();
        let before = if together { memory.load_atomic(view, at)? } else { memory.load(view, at)? };
        match merge(f, &before, &value)? {
            Ok(after) if together => m.memory().store_atomic(view, at, after)?,
            Ok(after) => m.memory().store(view, at, after)?,
            Err(step) => return Ok(Some(step)),
        }
        Ok(None)
    }
}

impl Interpret for Read {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        let found = (|| {
            let view = m.decide_memref(self.memref(ir))?;
            let at = place(m, &self.access(ir), &[])?;
            read(m, &view, &at, self.padding(ir))
        })();
        match found {
            Ok(value) => {
                m.set_result(0, value);
                Step::Next
            }
            Err(trap) => Step::Trap(trap),
        }
    }
}

impl Write {
    fn run(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.memref(ir))?;
        let at = place(m, &self.access(ir), &[])?;
        let value = m.value(self.value(ir));
        let (operator, clip) = (self.operator(ir), self.clip(ir).is_some());
        let put = Put { op: self.0, memref: self.memref(ir), clip, operator: operator.as_ref() };
        Ok(put.at(m, &view, &at, value)?.unwrap_or(Step::Next))
    }
}

impl Interpret for Write {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.run(m).into()
    }

    /// A user's operator has returned
    fn resume(self, m: &mut Machine<'_>, mut values: Vec<RtValue>) -> Step {
        let ir = m.ir();
        let stored = (|| {
            let view = m.decide_memref(self.memref(ir))?;
            let at = place(m, &self.access(ir), &[])?;
            m.memory().store(&view, &at, values.pop().unwrap_or(RtValue::Poison))?;
            Ok(Step::Next)
        })();
        Step::from(stored)
    }
}

impl Copy {
    /// All elements, row-major
    fn all(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let sizes = self.sizes(ir);
        if sizes.iter().any(|size| *size <= 0) {
            return Ok(());
        }
        let (from, to) = (self.from(ir), self.to(ir));
        let dst = m.decide_memref(self.dst(ir))?;
        let src = match &from {
            Some(_) => Some(m.decide_memref(self.src(ir))?),
            None => None,
        };
        let (operator, clip) = (self.operator(ir), self.clip(ir).is_some());
        let put = Put { op: self.0, memref: self.dst(ir), clip, operator: operator.as_ref() };
        let mut point = vec![0i64; sizes.len()];
        loop {
            let value = match (&src, &from) {
                (Some(src), Some(from)) => {
                    let at = place(m, from, &point)?;
                    read(m, src, &at, self.padding(ir))?
                }
                _ => m.value(self.src(ir)),
            };
            let at = place(m, &to, &point)?;
            if put.at(m, &dst, &at, value)?.is_some() {
                let message = "a copy merges by a function: `sched-legalize` makes it loops, which can";
                return Err(Trap::new(&codes::UNSUPPORTED, message));
            }
            // The next point.
            let Some(n) = (0..sizes.len()).rev().find(|n| point[*n] + 1 < sizes[*n]) else { return Ok(()) };
            point[n] += 1;
            point[n + 1..].fill(0);
        }
    }
}

impl Interpret for Copy {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        let per = self.owner(ir).or(self.is_linear(ir).then_some(Per::Block));
        if let Some(per) = per {
            *m.state() = vec![RtValue::index(1)];
            let values = m.operands();
            return Step::Sync(Sync { values, ..Sync::barrier(wide(per)) });
        }
        match self.all(m) {
            Ok(()) => Step::Next,
            Err(trap) => Step::Trap(trap),
        }
    }

    fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
        if m.state().len() > 1 {
            return Step::Next;
        }
        let (first, same) = m.exchange().map_or((true, true), |exchange| {
            (exchange.me == 0, exchange.all.windows(2).all(|pair| pair[0] == pair[1]))
        });
        if !same {
            let message = "threads run a copy together, but with different buffers or places";
            return Step::Trap(Trap::new(&codes::DIVERGENCE, message));
        }
        if first && let Err(trap) = self.all(m) {
            return Step::Trap(trap);
        }
        m.state().push(RtValue::index(2));
        let per = self.owner(m.ir()).unwrap_or(Per::Block);
        Step::Sync(Sync::barrier(wide(per)))
    }
}
