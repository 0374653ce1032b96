//! Reads, writes and buffers.

use crate::codes;
use crate::emit::{Emit, Home, Lanes, Res, Val};
use crate::indices::{IndexExprs, Inside};
use terrace_dialect_arith as arith;
use terrace_dialect_builtin::marks::PARTITION;
use terrace_dialect_memref::{self as memref, AtomicRmwKind};
use terrace_dialect_sched::Space;
use terrace_dialect_sched::space::{self, lowered};
use terrace_dialect_sched::{
    self as sched, Alloc, Builtin, For, Level, NONTEMPORAL, Operator, Per, Read, Write,
};
use terrace_dialect_vector as vector;
use terrace_ir::{Builder, OpId, Type, TypeKind, Value};

/// Buffers up to this many bytes live on the stack of whoever runs the iteration
const STACK_BYTES: i64 = 16 << 10;

/// A read of a place that differs from lane to lane
pub(crate) struct LaneRead<'a> {
    pub memory: Value,
    pub shape: &'a [i64],
    pub elem: Type,
    pub place: &'a IndexExprs,
    pub padding: Option<Val>,
    pub lanes: Lanes,
}

impl Emit<'_> {
    pub fn alloc(&mut self, op: OpId) -> Res<()> {
        let alloc = Alloc(op);
        let old = alloc.memref(self.ir);
        let ty = self.ir.ty(old);
        let new_ty = lowered(&self.cx, ty);
        let space = space::of(&self.cx, ty);
        if space == Space::Shared {
            return self.shared_alloc(op, alloc, old, new_ty);
        }
        if space == Space::Cluster {
            return self.refuse(
                op,
                &codes::LEVEL,
                "is in a cluster's memory, which blocks of `gpu` cannot reach",
                "use workgroup memory and one block per tile, or a buffer of the device",
            );
        }
        if self.grid.is_some() && space != Space::Private {
            return self.refuse(
                op,
                &codes::LEVEL,
                format!("is in {}, which a kernel cannot make", space.name()),
                "make it before the kernel, or in private or workgroup memory",
            );
        }
        let bits = ty.scalar(&self.cx).bit_width(&self.cx).unwrap_or(64).div_ceil(8);
        let bytes = ty.num_elements(&self.cx).unwrap_or(i64::MAX).saturating_mul(bits.into());
        let aligned = Some(self.cx.int_attr(64, self.cx.common().i64));
        // An array on a chip is part of the iteration, whatever its size.
        let chip = self.ir.discardable(op, PARTITION);
        let new = if space == Space::Private || chip.is_some() || bytes <= STACK_BYTES {
            let op = memref::Alloca::build(&mut self.b(), &[], &[], new_ty);
            op.set_alignment(self.ir, aligned.filter(|_| chip.is_none()));
            self.ir.set_discardable(op.id(), PARTITION, chip);
            op.memref(self.ir)
        } else {
            self.heap_buffer(new_ty)
        };
        self.bind(old, Val::One(new));
        Ok(())
    }

    /// A buffer that lives as long as the innermost home
    pub fn heap_buffer(&mut self, ty: Type) -> Value {
        let home = *self.homes.last().expect("a nest has a home");
        let mut b = match home {
            Home::After(op) => Builder::after(self.ir, op),
            Home::Body(block) => Builder::at_start(self.ir, block),
        };
        b.set_loc(self.loc);
        let op = memref::Alloc::build(&mut b, &[], &[], ty);
        op.set_alignment(self.ir, Some(self.cx.int_attr(64, self.cx.common().i64)));
        let new = op.memref(self.ir);
        self.heap.last_mut().expect("a nest has a heap").push(new);
        new
    }

    /// Memory of the block: one buffer, or one for each warp or thread whose iteration owns it
    fn shared_alloc(&mut self, op: OpId, alloc: Alloc, old: Value, ty: Type) -> Res<()> {
        let per = alloc.owner(self.ir).map(Per::rank);
        let owners: Vec<Level> = self
            .teams
            .iter()
            .filter_map(|team| Some(For(team.op).info(self.ir)?).filter(|info| info.is_parallel()))
            .map(|info| info.level)
            // An iteration of a loop over the whole grid is a thread's.
            .filter(|level| level.is_thread_like() || matches!(level, Level::Global(_)))
            .filter(|level| level.rank() >= per)
            .collect();
        let Some(grid) = &self.grid else {
            return self.refuse(op, &codes::COLLECTIVE, "is a block's, but there is no kernel around it", "");
        };
        let (threads, subgroup) = (grid.threads(), grid.subgroup);
        let warps_only = owners.iter().all(|level| matches!(level, Level::Warp(_)));
        // Threads that differ along other axes only are in one iteration, and share its buffer.
        let along: Option<[bool; 3]> = owners.iter().try_fold([false; 3], |mut axes, level| {
            let (Level::Thread(axis) | Level::Global(axis)) = level else { return None };
            axes[axis.number()] = true;
            Some(axes)
        });
        let block = grid.block;
        let copies = match (owners.is_empty(), warps_only, along) {
            (true, ..) => 1,
            (_, true, _) => (threads + subgroup - 1) / subgroup,
            (.., Some(axes)) => (0..3).filter(|axis| axes[*axis]).map(|axis| block[axis]).product(),
            _ => threads,
        };
        let ty = match ty.kind(&self.cx) {
            TypeKind::MemRef { shape, elem, layout: None, space } if copies > 1 => {
                let shape: Vec<i64> = std::iter::once(copies).chain(shape.iter().copied()).collect();
                let (elem, space) = (*elem, *space);
                self.cx.ty(TypeKind::MemRef { shape: shape[..].into(), elem, layout: None, space })
            }
            _ if copies > 1 => {
                return self.refuse(
                    op,
                    &codes::LEVEL,
                    "is one for each thread, and has a layout",
                    "leave the layout out",
                );
            }
            _ => ty,
        };
        let Some(new) = self.block_buffer(ty) else { return Ok(()) };
        if copies > 1 {
            let part = match along {
                Some(axes) => self.linear_id_along(axes),
                None if warps_only => self.warp_number(),
                None => self.linear_id(),
            };
            self.parts.insert(new, part);
        }
        self.bind(old, Val::One(new));
        Ok(())
    }

    /// Indices of a place in a buffer
    pub(crate) fn address(&mut self, memory: Value, place: &IndexExprs) -> Vec<Value> {
        let mut all: Vec<Value> = self.parts.get(&memory).copied().into_iter().collect();
        all.extend(self.indices(place));
        all
    }

    /// Free the heap buffers of the innermost home, here
    pub fn free(&mut self) {
        for buffer in self.heap.pop().unwrap_or_default() {
            memref::Dealloc::build(&mut self.b(), buffer);
        }
    }

    pub fn memory(&mut self, op: OpId, old: Value) -> Res<(Value, Vec<i64>, Type)> {
        let Val::One(memory) = self.get(old) else {
            return self.refuse(op, &codes::LANES, "uses a buffer that differs from lane to lane", "");
        };
        let ty = self.ir.ty(memory);
        let TypeKind::MemRef { shape, elem, .. } = ty.kind(&self.cx) else {
            return self.refuse(op, &codes::LANES, "expects a memref", "");
        };
        let own = usize::from(self.parts.contains_key(&memory));
        Ok((memory, shape.get(own..).unwrap_or(&[]).to_vec(), *elem))
    }

    /// A contraction stays, on the buffers that stand for its panels
    pub fn contract(&mut self, op: OpId) -> Res<()> {
        let old = sched::Contract(op);
        if self.lanes.is_some() {
            return self.refuse(op, &codes::LANES, "has no lanes", "make the loop around it sequential");
        }
        let (lhs, ..) = self.memory(op, old.lhs(self.ir))?;
        let (rhs, ..) = self.memory(op, old.rhs(self.ir))?;
        let (acc, ..) = self.memory(op, old.acc(self.ir))?;
        let [left, right] = [old.lhs_indices(self.ir), old.rhs_indices(self.ir)].map(|indices| {
            let scalar = |index: Value| Some(self.get(index)).and_then(|index| self.scalar(index));
            indices.into_iter().map(scalar).collect::<Option<Vec<Value>>>()
        });
        let (Some(left), Some(right)) = (left, right) else { return Ok(()) };
        let new = sched::Contract::build(&mut self.b(), lhs, &left, rhs, &right, acc);
        for name in ["overwrite", "lhs_unsigned", "rhs_unsigned", "free"] {
            let stated = self.ir.attr(op, name);
            self.ir.set_attr(new.id(), name, stated);
        }
        Ok(())
    }

    fn is_dense_last(&self, memory: Value) -> bool {
        matches!(self.ir.ty(memory).kind(&self.cx), TypeKind::MemRef { layout: None, .. })
    }

    fn load(&mut self, memory: Value, indices: &[Value], elem: Type) -> Value {
        let mut operands = vec![memory];
        operands.extend_from_slice(indices);
        self.value(memref::Load::DEF, &operands, elem, &[])
    }

    fn store(&mut self, value: Value, memory: Value, indices: &[Value]) -> memref::Store {
        memref::Store::build(&mut self.b(), value, memory, indices)
    }

    pub fn read(&mut self, op: OpId) -> Res<()> {
        let read = Read(op);
        let at = read.access(self.ir);
        let (memory, shape, elem) = self.memory(op, read.memref(self.ir))?;
        let place = self.place(&at.map, &at.values);
        let padding = read.padding(self.ir).map(|padding| self.get(padding));
        let old = read.result(self.ir);
        let val = match self.lanes {
            Some(lanes) if !place.is_uniform() => {
                let read = LaneRead { memory, shape: &shape, elem, place: &place, padding, lanes };
                let dense = self.is_dense_last(memory);
                let fits = dense && place.is_contiguous();
                let apart = place.apart().filter(|_| dense && self.grid.is_none());
                if fits {
                    self.ahead(op, &at, memory, &shape);
                }
                Val::Many(if fits {
                    let value = self.read_row(&read, 1)?;
                    self.may_carry(op, value, memory, &place);
                    value
                } else if let Some(apart) = apart {
                    self.read_row(&read, apart)?
                } else {
                    self.gather(&read)?
                })
            }
            _ => {
                let padding = match padding {
                    Some(Val::Many(_) | Val::Lane(_)) => {
                        return self.refuse(
                            op,
                            &codes::LANES,
                            "pads one element with one value per lane",
                            "",
                        );
                    }
                    Some(other) => self.scalar(other),
                    None => None,
                };
                // Lanes that do not happen must not read outside; what they hold is never used.
                Val::One(self.read_one(memory, &shape, elem, &place, padding, None)?)
            }
        };
        self.bind(old, val);
        Ok(())
    }

    /// One element; `guard`: only if it holds
    pub fn read_one(
        &mut self,
        memory: Value,
        shape: &[i64],
        elem: Type,
        place: &IndexExprs,
        padding: Option<Value>,
        guard: Option<Value>,
    ) -> Res<Value> {
        let inside = if padding.is_some() { self.inside(place, shape).condition } else { None };
        let Some(condition) = self.both(guard, inside) else {
            let indices = self.address(memory, place);
            return Ok(self.load(memory, &indices, elem));
        };
        let padding = match padding {
            Some(padding) => padding,
            None => self.zero(elem),
        };
        let values = self.choose(
            condition,
            &[elem],
            &mut |e| {
                let indices = e.address(memory, place);
                Ok(vec![e.load(memory, &indices, elem)])
            },
            &mut |_| Ok(vec![padding]),
        )?;
        Ok(values[0])
    }

    /// Any value of a type
    pub(crate) fn zero(&mut self, ty: Type) -> Value {
        let attr = match ty.kind(&self.cx) {
            TypeKind::Float(_) => self.cx.float_attr(0, ty),
            TypeKind::Vector { shape, elem, .. } => {
                let (lanes, elem) = (shape.iter().product(), *elem);
                let zero = self.zero(elem);
                return self.vector(Val::One(zero), lanes);
            }
            _ => self.cx.int_attr(0, ty),
        };
        self.constant(attr)
    }

    /// Neighbours of a row, or elements of it that are a few apart
    fn read_row(&mut self, read: &LaneRead<'_>, apart: i64) -> Res<Value> {
        let LaneRead { memory, shape, elem, place, padding, lanes } = *read;
        let ty = self.cx.vector(&[lanes.width], elem);
        let inside = if padding.is_some() { self.inside(place, shape) } else { Inside::default() };
        let mask = self.both(lanes.mask, inside.mask);
        let other = match padding {
            Some(padding) => Some(self.vector(padding, lanes.width)),
            None if mask.is_some() => {
                let zero = self.zero(elem);
                Some(self.vector(Val::One(zero), lanes.width))
            }
            None => None,
        };
        let mut load = |e: &mut Self| {
            if apart > 1 {
                let all = e.read_apart(read, apart, mask);
                return Ok(vec![match (mask, padding, other) {
                    (Some(mask), Some(_), Some(other)) => {
                        e.value(arith::Select::DEF, &[mask, all, other], ty, &[])
                    }
                    _ => all,
                }]);
            }
            let mut operands = vec![memory];
            operands.extend(e.address(memory, place));
            Ok(vec![match (mask, other) {
                (Some(mask), Some(other)) => {
                    operands.extend([mask, other]);
                    e.value(vector::MaskedLoad::DEF, &operands, ty, &[])
                }
                _ => e.load_lanes(&operands, ty, shape, place),
            }])
        };
        match (inside.condition, other) {
            (Some(condition), Some(other)) => {
                Ok(self.choose(condition, &[ty], &mut load, &mut |_| Ok(vec![other]))?[0])
            }
            _ => Ok(load(self)?[0]),
        }
    }

    /// Element by element: right for every place, and slow
    fn gather(&mut self, read: &LaneRead<'_>) -> Res<Value> {
        let LaneRead { memory, shape, elem, place, padding, lanes } = *read;
        let zero = self.zero(elem);
        let mut all = self.vector(Val::One(zero), lanes.width);
        for lane in 0..lanes.width {
            let one = self.lane_of(place, lane);
            let padding = padding.map(|padding| self.lane(padding, lane));
            let guard = lanes.mask.map(|mask| self.extract(mask, lane));
            let value = self.read_one(memory, shape, elem, &one, padding, guard)?;
            all = self.insert(value, all, lane);
        }
        Ok(all)
    }

    /// May iterations that run at the same time merge into this buffer?
    pub fn check_teams(&mut self, op: OpId, memory: Value) -> Res<bool> {
        for team in &self.teams {
            let inside = self.ir.value_block(memory).and_then(|block| self.ir.block_parent(block));
            let own = inside.is_some_and(|around| self.ir.is_inside(around, team.op));
            if own || !team.merges {
                continue;
            }
            if team.atomic {
                return Ok(true);
            }
            return self.refuse(
                op,
                &codes::MECHANISM,
                "merges into a buffer that several tasks of a 'pw' loop share",
                "say `via atomic` on that loop, yield the contribution instead, or make the loop sequential",
            );
        }
        Ok(false)
    }

    pub fn write(&mut self, op: OpId) -> Res<()> {
        let write = Write(op);
        let at = write.access(self.ir);
        let old_memory = write.memref(self.ir);
        let (memory, shape, elem) = self.memory(op, old_memory)?;
        let place = self.place(&at.map, &at.values);
        let operator = write.operator(self.ir);
        let old = write.value(self.ir);
        let value = self.get(old);
        let clip = write.clip(self.ir).is_some();
        let atomic = match operator {
            Some(_) => self.check_teams(op, old_memory)?,
            None => false,
        };
        let private = space::of(&self.cx, self.ir.ty(old_memory)) == Space::Private;
        let elected = if private { None } else { self.elected() };
        if let (Some(only), Some(_)) = (elected, self.lanes) {
            // One thread writes all lanes.
            let mut all = |e: &mut Self| {
                e.write_lanes(op, value, (memory, &shape, elem), &place, clip, atomic).map(|()| Vec::new())
            };
            return self.choose(only, &[], &mut all, &mut |_| Ok(Vec::new())).map(|_| ());
        }
        if self.lanes.is_some() {
            return self.write_lanes(op, value, (memory, &shape, elem), &place, clip, atomic);
        }
        let value = self.scalar(value).unwrap_or_else(|| self.index(0));
        let product = if atomic { None } else { self.factors(old, None) };
        self.write_one(op, value, memory, &shape, &place, operator.as_ref(), clip, elected, (atomic, product))
    }

    /// A write of all lanes
    fn write_lanes(
        &mut self,
        op: OpId,
        value: Val,
        (memory, shape, elem): (Value, &[i64], Type),
        place: &IndexExprs,
        clip: bool,
        atomic: bool,
    ) -> Res<()> {
        let write = Write(op);
        let (operator, old) = (write.operator(self.ir), write.value(self.ir));
        let Some(lanes) = self.lanes else { return Ok(()) };
        if place.is_uniform() {
            let Some(operator) = operator else {
                return self.refuse(
                    op,
                    &codes::LANES,
                    "writes the same element from every lane",
                    "say how lanes merge with `combine`, or move the write out of the vector loop",
                );
            };
            let mut vector = self.vector(value, lanes.width);
            if let Some(mask) = lanes.mask {
                let neutral = self.neutral(op, &operator, elem, lanes.width)?;
                let ty = self.ir.ty(vector);
                vector = self.value(arith::Select::DEF, &[mask, vector, neutral], ty, &[]);
            }
            let one = self.reduce(&operator, vector);
            return self.write_one(
                op,
                one,
                memory,
                shape,
                place,
                Some(&operator),
                clip,
                None,
                (atomic, None),
            );
        }
        if place.is_contiguous() && self.is_dense_last(memory) && !atomic {
            let product = self.factors(old, Some(lanes.width));
            return self.write_contiguous(
                value,
                memory,
                shape,
                elem,
                place,
                operator.as_ref(),
                clip,
                product,
                self.ir.discardable(op, NONTEMPORAL).is_some(),
            );
        }
        if self.write_in_group(op, memory, place) {
            return Ok(());
        }
        for lane in 0..lanes.width {
            let one = self.lane_of(place, lane);
            let value = self.lane(value, lane);
            let guard = lanes.mask.map(|mask| self.extract(mask, lane));
            self.write_one(op, value, memory, shape, &one, operator.as_ref(), clip, guard, (atomic, None))?;
        }
        Ok(())
    }

    /// The neutral element in every lane
    pub fn neutral(&mut self, op: OpId, f: &Operator, elem: Type, width: i64) -> Res<Value> {
        match self.identity(f, elem) {
            Some(attr) => Ok(self.splat(attr, width)),
            None => self.refuse(
                op,
                &codes::IDENTITY,
                format!("has lanes that do not happen, but '{f}' has no neutral element for them"),
                "declare `identity` in `sched.operator`, or make the width divide the extent",
            ),
        }
    }

    /// Factors of a value that is a product used once: what a fused multiply-add takes
    pub fn factors(&mut self, old: Value, width: Option<i64>) -> Option<[Value; 2]> {
        let def = self.ir.defining_op(old)?;
        let product = arith::MulF::cast(self.ir, def).filter(|_| self.ir.has_one_use(old))?;
        let (a, b) = (self.get(product.lhs(self.ir)), self.get(product.rhs(self.ir)));
        match width {
            Some(width) => Some([self.vector(a, width), self.vector(b, width)]),
            None => Some([self.scalar(a)?, self.scalar(b)?]),
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub fn write_one(
        &mut self,
        op: OpId,
        value: Value,
        memory: Value,
        shape: &[i64],
        place: &IndexExprs,
        operator: Option<&Operator>,
        clip: bool,
        guard: Option<Value>,
        (atomic, product): (bool, Option<[Value; 2]>),
    ) -> Res<()> {
        let elem = self.ir.ty(value);
        let inside = if clip { self.inside(place, shape).condition } else { None };
        let mut store = |e: &mut Self| {
            let indices = e.address(memory, place);
            match operator {
                Some(f) if atomic => e.atomic(op, f, value, memory, &indices)?,
                Some(f) => {
                    let before = e.load(memory, &indices, elem);
                    let after = e.merge(f, before, value, product);
                    e.store(after, memory, &indices);
                }
                None => {
                    let store = e.store(value, memory, &indices);
                    // A store of one element stays in caches, but it may become part of a row.
                    let past = e.ir.discardable(op, NONTEMPORAL);
                    e.ir.set_discardable(store.0, NONTEMPORAL, past);
                }
            }
            Ok(Vec::new())
        };
        match self.both(guard, inside) {
            Some(condition) => self.choose(condition, &[], &mut store, &mut |_| Ok(Vec::new())).map(|_| ()),
            None => store(self).map(|_| ()),
        }
    }

    /// One update that no other access divides
    fn atomic(&mut self, op: OpId, f: &Operator, value: Value, memory: Value, indices: &[Value]) -> Res<()> {
        let ty = self.ir.ty(value);
        let case = match (f, ty.is_float(&self.cx)) {
            (Operator::Builtin(Builtin::Add), true) => AtomicRmwKind::AddF,
            (Operator::Builtin(Builtin::Add), false) => AtomicRmwKind::AddI,
            (Operator::Builtin(Builtin::And), _) => AtomicRmwKind::AndI,
            (Operator::Builtin(Builtin::Max), true) => AtomicRmwKind::MaximumF,
            (Operator::Builtin(Builtin::Max), false) => AtomicRmwKind::MaxS,
            (Operator::Builtin(Builtin::Min), true) => AtomicRmwKind::MinimumF,
            (Operator::Builtin(Builtin::Min), false) => AtomicRmwKind::MinS,
            (Operator::Builtin(Builtin::Mul), true) => AtomicRmwKind::MulF,
            (Operator::Builtin(Builtin::Mul), false) => AtomicRmwKind::MulI,
            (Operator::Builtin(Builtin::Or), _) => AtomicRmwKind::OrI,
            (Operator::Builtin(Builtin::Xor), _) => AtomicRmwKind::XOrI,
            (Operator::Builtin(Builtin::MaxU), _) => AtomicRmwKind::MaxU,
            (Operator::Builtin(Builtin::MinU), _) => AtomicRmwKind::MinU,
            (Operator::Function(_), _) => {
                return self.refuse(
                    op,
                    &codes::MECHANISM,
                    format!("merges by '{f}', for which there is no atomic update"),
                    "only the operators with a name of their own have one",
                );
            }
        };
        memref::AtomicRmw::build(&mut self.b(), value, memory, indices, case);
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn write_contiguous(
        &mut self,
        value: Val,
        memory: Value,
        shape: &[i64],
        elem: Type,
        place: &IndexExprs,
        operator: Option<&Operator>,
        clip: bool,
        product: Option<[Value; 2]>,
        past_caches: bool,
    ) -> Res<()> {
        let Some(lanes) = self.lanes else { return Ok(()) };
        let ty = self.cx.vector(&[lanes.width], elem);
        let value = self.vector(value, lanes.width);
        let inside = if clip { self.inside(place, shape) } else { Inside::default() };
        let mask = self.both(lanes.mask, inside.mask);
        let mut store = |e: &mut Self| {
            let indices = e.address(memory, place);
            let mut at = vec![memory];
            at.extend_from_slice(&indices);
            let value = match operator {
                Some(f) => {
                    let before = match mask {
                        Some(mask) => {
                            let mut operands = at.clone();
                            operands.extend([mask, value]);
                            e.value(vector::MaskedLoad::DEF, &operands, ty, &[])
                        }
                        None => e.load_lanes(&at, ty, shape, place),
                    };
                    e.merge(f, before, value, product)
                }
                None => value,
            };
            match mask {
                Some(mask) => {
                    vector::MaskedStore::build(&mut e.b(), memory, &indices, mask, value);
                }
                None => {
                    let aligned = e.lanes_aligned(memory, ty, shape, place);
                    let store = vector::Store::build(&mut e.b(), value, memory, &indices);
                    store.set_alignment(e.ir, aligned);
                    if past_caches && operator.is_none() {
                        let yes = e.cx.bool_attr(true);
                        store.set_nontemporal(e.ir, yes);
                    }
                }
            }
            Ok(Vec::new())
        };
        match inside.condition {
            Some(condition) => self.choose(condition, &[], &mut store, &mut |_| Ok(Vec::new())).map(|_| ()),
            None => store(self).map(|_| ()),
        }
    }
}
