//! Buffers, reads, writes and copies.

use super::{factors, merge, merge_fused};
use crate::access::Access;
use crate::combine::Operator;
use crate::ops::{Alloc, Copy, For, Read, Write};
use crate::{Combination, Order};
use std::rc::Rc;
use terrace_devices::Per;
use terrace_interp::{Interpret, Level as Wide, Machine, RtValue, Step, Sync, Trap, codes};
use terrace_ir::{Ir, OpId, Value};
use terrace_support::affine::{AffineMap, Linear};

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

/// Most indices of an access
const RANK: usize = 16;

/// Where an access is, worked out once: a linear form per index, or the expressions
pub(super) struct Subscripts {
    values: Vec<Value>,
    map: AffineMap,
    linear: Option<Vec<Linear>>,
}

impl Subscripts {
    pub(super) fn new(map: &AffineMap, values: &[Value]) -> Subscripts {
        let linear = if map.results.len() <= RANK { map.as_linear() } else { None };
        Subscripts { values: values.to_vec(), map: map.clone(), linear }
    }

    fn of(at: &Access) -> Subscripts {
        Subscripts::new(&at.map, &at.values)
    }

    /// Indices for a point of a copy's domain
    pub(super) fn at(&self, m: &Machine<'_>, point: &[i64]) -> Result<Indices, Trap> {
        let none = || Trap::new(&codes::DIVISION, "the index has no value");
        let Some(linear) = &self.linear else {
            let mut dims = point.to_vec();
            for value in &self.values {
                dims.push(m.index(*value)?);
            }
            return Ok(Indices::Many(self.map.eval(&dims, &[]).ok_or_else(none)?));
        };
        let mut all = [0i64; RANK];
        for (at, form) in all.iter_mut().zip(linear) {
            let mut sum = form.constant;
            for (n, factor) in form.dims.iter().enumerate().filter(|(_, factor)| **factor != 0) {
                let value = match n.checked_sub(point.len()) {
                    None => point[n],
                    Some(n) => m.index(self.values[n])?,
                };
                sum = factor.checked_mul(value).and_then(|term| sum.checked_add(term)).ok_or_else(none)?;
            }
            *at = sum;
        }
        Ok(Indices::Few(all, linear.len()))
    }
}

/// Indices of an element
pub(super) enum Indices {
    Few([i64; RANK], usize),
    Many(Vec<i64>),
}

impl std::ops::Deref for Indices {
    type Target = [i64];

    fn deref(&self) -> &[i64] {
        match self {
            Indices::Few(all, count) => &all[..*count],
            Indices::Many(all) => all,
        }
    }
}

fn read(m: &mut Machine<'_>, memref: Value, at: &[i64], padding: Option<Value>) -> Result<RtValue, Trap> {
    match padding {
        Some(padding) if !m.is_inside(memref, at) => Ok(m.value(padding)),
        _ => m.load(memref, at),
    }
}

/// Do iterations of a `pw` loop that run at the same time merge into this memory by this operator?
fn merges_together(ir: &Ir, op: OpId, memref: Value, f: &Operator) -> bool {
    let home = ir.value_block(memref).and_then(|block| ir.block_parent(block));
    let mut around = ir.parent(op);
    while let Some(outer) = around {
        let own = home.is_some_and(|home| ir.is_inside(home, outer));
        if !own
            && let Some(info) = For::cast(ir, outer).and_then(|outer| outer.info(ir))
            && info.kind == Combination::Pw
            && info.is_parallel()
            && info.ops.contains(f)
        {
            return true;
        }
        around = ir.parent(outer);
    }
    false
}

/// Does a loop around state that products and their additions are rounded once?
fn is_fused(ir: &Ir, op: OpId) -> bool {
    let mut around = std::iter::successors(ir.parent(op), |outer| ir.parent(*outer));
    around.any(|outer| {
        let info = For::cast(ir, outer).and_then(|outer| outer.info(ir));
        info.is_some_and(|info| info.kind == Combination::Pw && info.order == Order::Fused)
    })
}

/// A write, worked out once
struct Put {
    memref: Value,
    at: Subscripts,
    clip: bool,
    operator: Option<Operator>,
    /// Factors of a product that is added with one rounding
    fused: Option<[Value; 2]>,
    /// Merged by several at the same time
    together: bool,
}

impl Put {
    fn new(ir: &Ir, op: OpId, memref: Value, at: &Access, clip: bool, operator: Option<Operator>) -> Put {
        let together = operator.as_ref().is_some_and(|f| merges_together(ir, op, memref, f));
        Put { memref, at: Subscripts::of(at), clip, operator, fused: None, together }
    }

    /// Write or merge; gives the step that calls a user's operator, if it needs one
    fn put(&self, m: &mut Machine<'_>, point: &[i64], value: RtValue) -> Result<Option<Step>, Trap> {
        let at = self.at.at(m, point)?;
        if self.clip && !m.is_inside(self.memref, &at) {
            return Ok(None);
        }
        let Some(f) = &self.operator else {
            m.store(self.memref, &at, value)?;
            return Ok(None);
        };
        if !self.together {
            let before = m.load(self.memref, &at)?;
            if self.fused.is_some() {
                let after = merge_fused(m, f, &before, &value, self.fused)?;
                return m.store(self.memref, &at, after).map(|()| None);
            }
            return match merge(f, &before, &value)? {
                Ok(after) => m.store(self.memref, &at, after).map(|()| None),
                Err(step) => Ok(Some(step)),
            };
        }
        let view = m.decide_memref(self.memref)?;
        let before = m.memory().load_atomic(&view, &at)?;
        match merge(f, &before, &value)? {
            Ok(after) => self.keep(m, &at, after)?,
            Err(step) => return Ok(Some(step)),
        }
        Ok(None)
    }

    /// Store what the operator gave
    fn keep(&self, m: &mut Machine<'_>, at: &[i64], value: RtValue) -> Result<(), Trap> {
        if !self.together {
            return m.store(self.memref, at, value);
        }
        let view = m.decide_memref(self.memref)?;
        Ok(m.memory().store_atomic(&view, at, value)?)
    }
}

impl Interpret for Read {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let known = m.decoded(|ir, op| {
            let read = Read(op);
            (read.memref(ir), Subscripts::of(&read.access(ir)), read.padding(ir))
        });
        let (memref, place, padding) = &*known;
        let at = match place.at(m, &[]) {
            Ok(at) => at,
            Err(trap) => return Step::Trap(trap),
        };
        match read(m, *memref, &at, *padding) {
            Ok(value) => {
                m.set_result(0, value);
                Step::Next
            }
            Err(trap) => Step::Trap(trap),
        }
    }
}

impl Write {
    fn decoded(self, m: &Machine<'_>) -> Rc<(Value, Put)> {
        m.decoded(|ir, op| {
            let write = Write(op);
            let (memref, at) = (write.memref(ir), write.access(ir));
            let mut put = Put::new(ir, op, memref, &at, write.clip(ir).is_some(), write.operator(ir));
            put.fused = factors(ir, write.value(ir)).filter(|_| is_fused(ir, op));
            (write.value(ir), put)
        })
    }
}

impl Interpret for Write {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let known = self.decoded(m);
        let value = m.value(known.0);
        match known.1.put(m, &[], value) {
            Ok(step) => step.unwrap_or(Step::Next),
            Err(trap) => Step::Trap(trap),
        }
    }

    /// A user's operator has returned
    fn resume(self, m: &mut Machine<'_>, mut values: Vec<RtValue>) -> Step {
        let known = self.decoded(m);
        let value = values.pop().unwrap_or(RtValue::Poison);
        let stored = known.1.at.at(m, &[]).and_then(|at| known.1.keep(m, &at, value));
        Step::from(stored.map(|()| Step::Next))
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
        let from = self.from(ir).map(|from| Subscripts::of(&from));
        let (src, padding) = (self.src(ir), self.padding(ir));
        let clip = self.clip(ir).is_some();
        let put = Put::new(ir, self.0, self.dst(ir), &self.to(ir), clip, self.operator(ir));
        let mut point = vec![0i64; sizes.len()];
        loop {
            let value = match &from {
                Some(from) => {
                    let at = from.at(m, &point)?;
                    read(m, src, &at, padding)?
                }
                None => m.value(src),
            };
            if put.put(m, &point, value)?.is_some() {
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
