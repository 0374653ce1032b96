//! Copies that threads of a block or a warp run together: each every n-th element, in the order of a walk.
//!
//! A thread's trip count is a constant: only elements that are left after whole rounds are under a test. All loads of a batch come
//! before its stores, so that their latencies overlap. The walk is that of the side in device memory, so that adjacent threads access
//! adjacent elements there, whatever the order in which the other side stores them. Several elements are one request where
//! [`crate::requests`] finds them side by side.

use crate::codes;
use crate::emit::{Emit, Res};
use crate::indices::IndexExprs;
use crate::state::Grid;
use crate::walk::{Number, Request, Walk};
use terrace_analysis::{Range, coefficient_of};
use terrace_dialect_arith::CmpIPredicate;
use terrace_dialect_sched::{Copy, Per, Space, space};
use terrace_ir::{OpId, Type, TypeKind, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Elements of a batch where there are more
const BATCH: i64 = 8;

impl Emit<'_> {
    /// A copy that the threads of the block run together, each every n-th element
    pub fn collective(&mut self, op: OpId) -> Res<()> {
        let Some(walk) = self.walk(op)? else { return Ok(()) };
        self.depth += 1;
        let done = self.copy_rounds(&walk);
        self.depth -= 1;
        done
    }

    /// How threads share a copy; none if it has no element
    pub fn walk(&mut self, op: OpId) -> Res<Option<Walk>> {
        let copy = Copy(op);
        let members = self.members(op, copy.owner(self.ir).unwrap_or(Per::Block))?;
        let sizes = copy.sizes(self.ir);
        let total = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size)).unwrap_or(i64::MAX);
        if total == 0 {
            return Ok(None);
        }
        let warp = copy.owner(self.ir) == Some(Per::Warp);
        let id = if warp { self.lane_number() } else { self.linear_id() };
        let order = self.walk_order(copy, &sizes);
        let mut walk = Walk { copy, sizes, order, id, members, request: Request::default() };
        walk.request = self.request(&mut walk)?;
        Ok(Some(walk))
    }

    /// Threads that run a copy
    fn members(&self, op: OpId, owner: Per) -> Res<i64> {
        let Some(threads) = self.grid.as_ref().map(Grid::threads) else {
            return self.refuse(
                op,
                &codes::COLLECTIVE,
                "is run by a block, but there is no kernel around it",
                "",
            );
        };
        match owner {
            Per::Block => Ok(threads),
            Per::Warp => Ok(self.grid.as_ref().map_or(1, |grid| grid.subgroup.min(threads))),
            Per::Cluster => self.refuse(
                op,
                &codes::COLLECTIVE,
                "is run by a cluster of blocks, and `gpu` has no barrier for these",
                "copy `per block`, or use one kernel before",
            ),
            Per::Task => self.refuse(
                op,
                &codes::COLLECTIVE,
                "is run by a task, but stands in a kernel",
                "say `per block`",
            ),
        }
    }

    /// All elements of a copy: batches in a loop where there are many, then the other rounds and what remains
    fn copy_rounds(&mut self, walk: &Walk) -> Res<()> {
        let (mut first, batch) = (0, (BATCH / walk.request.elements).max(1));
        if !walk.is_unrolled() {
            first = walk.whole() / batch * batch;
            let (end, step) = (first * walk.members, batch * walk.members);
            let bounds = [self.index(0), self.index(end), self.index(step)];
            self.loop_over(bounds, &[], &mut |e, iv, _| {
                e.declare(iv, Range::stepped(0, end - step, step));
                let values = [walk.id, iv];
                let numbers = (0..batch).map(|n| Number { values: &values, constant: n * walk.members });
                let numbers: Vec<Number<'_>> = numbers.collect();
                let loaded = e.load_elements(walk, &numbers)?;
                e.store_elements(walk, &numbers, &loaded).map(|()| Vec::new())
            })?;
        }
        if first == walk.whole() && walk.left() > 0 {
            let mine = self.remainder(walk);
            let numbers = [walk.number(walk.whole())];
            let mut last = |e: &mut Self| {
                let loaded = e.load_elements(walk, &numbers)?;
                e.store_elements(walk, &numbers, &loaded).map(|()| Vec::new())
            };
            return self.choose(mine, &[], &mut last, &mut |_| Ok(Vec::new())).map(|_| ());
        }
        let loaded = self.load_rounds(walk, first)?;
        self.store_rounds(walk, first, &loaded)
    }

    /// Has a thread one of the requests that remain after whole rounds?
    fn remainder(&mut self, walk: &Walk) -> Value {
        let end = self.index(walk.left());
        self.compare(CmpIPredicate::Slt, walk.id, end)
    }

    /// Can values wait in registers between the loads of a copy and its stores?
    pub fn waits_in_registers(&self, walk: &Walk) -> bool {
        let ty = self.element_type(walk);
        let number = matches!(ty.kind(&self.cx), TypeKind::Int { .. } | TypeKind::Float(_) | TypeKind::Index);
        walk.is_unrolled() && number
    }

    /// Types of what [`Emit::load_rounds`] gives, of all rounds
    pub fn loaded_types(&self, walk: &Walk) -> Vec<Type> {
        vec![self.request_type(walk); (walk.whole() + i64::from(walk.left() > 0)) as usize]
    }

    pub fn element_type(&self, walk: &Walk) -> Type {
        self.ir.ty(walk.copy.src(self.ir)).scalar(&self.cx)
    }

    /// What a thread copies from a round on; zero for one that has none of what remains
    pub fn load_rounds(&mut self, walk: &Walk, first: i64) -> Res<Vec<Value>> {
        let numbers: Vec<Number<'_>> = (first..walk.whole()).map(|round| walk.number(round)).collect();
        let mut loaded = self.load_elements(walk, &numbers)?;
        if walk.left() > 0 {
            let (mine, ty) = (self.remainder(walk), self.request_type(walk));
            let last = [walk.number(walk.whole())];
            loaded.extend(
                self.choose(mine, &[ty], &mut |e| e.load_elements(walk, &last), &mut |e| {
                    Ok(vec![e.zero(ty)])
                })?,
            );
        }
        Ok(loaded)
    }

    /// Store what [`Emit::load_rounds`] has given
    pub fn store_rounds(&mut self, walk: &Walk, first: i64, loaded: &[Value]) -> Res<()> {
        let numbers: Vec<Number<'_>> = (first..walk.whole()).map(|round| walk.number(round)).collect();
        self.store_elements(walk, &numbers, loaded)?;
        let Some(value) = loaded.get(numbers.len()).copied() else { return Ok(()) };
        let mine = self.remainder(walk);
        let last = [walk.number(walk.whole())];
        let mut store = |e: &mut Self| e.store_elements(walk, &last, &[value]).map(|()| Vec::new());
        self.choose(mine, &[], &mut store, &mut |_| Ok(Vec::new())).map(|_| ())
    }

    fn load_elements(&mut self, walk: &Walk, numbers: &[Number<'_>]) -> Res<Vec<Value>> {
        numbers.iter().map(|number| self.read_request(walk, *number)).collect()
    }

    fn store_elements(&mut self, walk: &Walk, numbers: &[Number<'_>], values: &[Value]) -> Res<()> {
        let mut pairs = numbers.iter().zip(values);
        pairs.try_for_each(|(number, value)| self.write_request(walk, *number, *value))
    }

    /// Dimensions of a copy, the fastest last: by their strides on the side that is not shared memory
    fn walk_order(&self, copy: Copy, sizes: &[i64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        let outside = |memory: Value| space::of(&self.cx, self.ir.ty(memory)) != Space::Shared;
        let side = match copy.from(self.ir) {
            Some(from) if outside(copy.src(self.ir)) => Some((copy.src(self.ir), from.map)),
            _ if outside(copy.dst(self.ir)) => Some((copy.dst(self.ir), copy.to(self.ir).map)),
            _ => None,
        };
        if let Some((memory, map)) = side
            && let Some(strides) = self.strides(memory, &map, sizes.len())
        {
            order.sort_by_key(|dim| std::cmp::Reverse(strides[*dim]));
        }
        order
    }

    /// Distance in memory of neighbors along each dimension; a dimension that does not move is the farthest
    fn strides(&self, memory: Value, map: &AffineMap, dims: usize) -> Option<Vec<u64>> {
        let TypeKind::MemRef { shape, layout: None, .. } = self.ir.ty(memory).kind(&self.cx) else {
            return None;
        };
        let mut strides = vec![0u64; dims];
        let mut inner = 1u64;
        for (expr, size) in map.results.iter().zip(shape.iter()).rev() {
            for (dim, stride) in strides.iter_mut().enumerate() {
                let own = coefficient_of(expr, dim as u32)?.unsigned_abs();
                *stride = stride.saturating_add(own.saturating_mul(inner));
            }
            // A size that is not known is larger than what a tile has of it.
            inner = inner.saturating_mul(u64::try_from(*size).unwrap_or(1 << 16).max(1));
        }
        Some(strides.into_iter().map(|stride| if stride == 0 { u64::MAX } else { stride }).collect())
    }

    /// What an access of a copy means at an element of a request
    pub fn element_of(
        &mut self,
        walk: &Walk,
        (number, lane): (Number<'_>, i64),
        (map, values): (&AffineMap, &[Value]),
    ) -> Res<IndexExprs> {
        let own = number.values.len() as u32;
        let sum = (0..own).map(AffineExpr::Dim).fold(AffineExpr::Constant(number.constant), AffineExpr::add);
        let mut leaves = vec![AffineExpr::Constant(0); walk.sizes.len()];
        let (mut inner, mut each): (i64, i64) = (1, walk.request.elements);
        for dim in walk.order.iter().rev() {
            let size = walk.sizes[*dim] / each;
            let tile = AffineExpr::floor_div(sum.clone(), AffineExpr::Constant(inner));
            let tile = AffineExpr::modulo(tile, AffineExpr::Constant(size));
            // Elements of a request are side by side along the fastest dimension.
            leaves[*dim] = match each {
                1 => tile,
                _ => AffineExpr::add(AffineExpr::mul(tile, each.into()), lane.into()),
            };
            inner = inner.saturating_mul(size);
            each = 1;
        }
        leaves.extend((0..values.len()).map(|n| AffineExpr::Dim(own + n as u32)));
        let Some(map) = map.replace(&leaves, &[], own + values.len() as u32, 0) else {
            let op = walk.copy.0;
            return self.refuse(op, &codes::COLLECTIVE, "has indices that are too long", "use fewer terms");
        };
        let all: Vec<Value> = number.values.iter().chain(values).copied().collect();
        Ok(self.place(&map, &all))
    }

    /// The value that a copy gives an element
    pub fn read_element(&mut self, walk: &Walk, number: (Number<'_>, i64)) -> Res<Value> {
        let copy = walk.copy;
        let Some(from) = copy.from(self.ir) else {
            let val = self.get(copy.src(self.ir));
            return Ok(self.whole(val));
        };
        let place = self.element_of(walk, number, (&from.map, &from.values))?;
        let (memory, shape, elem) = self.memory(copy.0, copy.src(self.ir))?;
        let padding = match copy.padding(self.ir).map(|padding| self.get(padding)) {
            Some(val) => self.scalar(val),
            None => None,
        };
        self.read_one(memory, &shape, elem, &place, padding, None)
    }

    /// Store an element, or merge it into what is there
    pub fn write_element(&mut self, walk: &Walk, number: (Number<'_>, i64), value: Value) -> Res<()> {
        let (copy, op) = (walk.copy, walk.copy.0);
        let to = copy.to(self.ir);
        let place = self.element_of(walk, number, (&to.map, &to.values))?;
        let (memory, shape, _) = self.memory(op, copy.dst(self.ir))?;
        let operator = copy.operator(self.ir);
        let clip = copy.clip(self.ir).is_some();
        // Blocks that split a reduction meet in what their copies merge into.
        let atomic = match operator {
            Some(_) => self.check_teams(op, copy.dst(self.ir))?,
            None => false,
        };
        self.write_one(op, value, memory, &shape, &place, operator.as_ref(), clip, None, (atomic, None))
    }
}
