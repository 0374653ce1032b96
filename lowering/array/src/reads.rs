//! One number of a value, computed or read where it is needed.

use crate::codes;
use crate::layout::{Memory, Path, Step, find};
use crate::lower::{Binding, Done, Lower, Stop};
use crate::views::{Guard, Next};
use std::sync::Arc;
use terrace_dialect_arith as arith;
use terrace_dialect_array::obligations::pattern_of;
use terrace_dialect_array::patterns::Pattern;
use terrace_dialect_array::types::{components, split_type};
use terrace_dialect_array::{Map, Place, Yield, layout};
use terrace_dialect_sched::Read;
use terrace_ir::{BlockId, Ir, OpId, Type, TypeKind, Value, ValueDef};
use terrace_support::HashSet;
use terrace_support::affine::AffineExpr;

/// Where views lead
pub(crate) enum Found {
    /// Buffers
    Memory(Arc<Memory>),
    /// Numbers, one for each leaf
    Numbers(Vec<Value>),
    /// A function of index variables
    Index(AffineExpr),
    /// One of two
    Either(Next),
    /// What this op computes
    Computed(OpId),
}

/// Does a map's function only change the layout? Then it is a view without iterations
pub fn is_layout(ir: &Ir, map: OpId) -> bool {
    ir.walk_below(map).all(|op| {
        layout::is_view(ir, op)
            || [Map::DEF, Yield::DEF, arith::Constant::DEF].iter().any(|def| ir.is(op, def))
    })
}

impl Lower<'_> {
    /// Type of a part
    pub fn part_type(&self, mut ty: Type, path: &Path) -> Option<Type> {
        for step in path.steps() {
            ty = match (step, ty.kind(&self.cx)) {
                (Step::Part(n), TypeKind::Tuple(types)) => *types.get(*n)?,
                (Step::Index(_), TypeKind::Vector { elem, .. }) => *elem,
                (Step::Index(_), _) => split_type(&self.cx, ty)?.1,
                _ => return None,
            };
        }
        Some(ty)
    }

    /// The function's block and what it yields
    pub fn body(&self, op: OpId) -> Done<(BlockId, Vec<Value>)> {
        let found = self.ir.entry(self.ir.region(op, 0)).and_then(|block| {
            let end = self.ir.last_op(block)?;
            Yield::cast(self.ir, end)?;
            Some((block, self.ir.operands(end).collect()))
        });
        match found {
            Some(found) => Ok(found),
            None => self.stop(&codes::NO_LOOP, "has a function without an end", ""),
        }
    }

    /// Does the function only change the layout? Then it is a view
    pub fn is_layout(&self, map: OpId) -> bool {
        is_layout(self.ir, map)
    }

    /// Arguments of a function of elements: parts of a value
    pub fn bind_element(&mut self, block: BlockId, first: usize, x: Value, index: AffineExpr) {
        let Some((_, elem)) = split_type(&self.cx, self.ir.ty(x)) else { return };
        let count = components(&self.cx, elem).len();
        let tuple = matches!(elem.kind(&self.cx), TypeKind::Tuple(_));
        let args = self.ir.block_args(block).to_vec();
        for (n, arg) in args.into_iter().skip(first).take(count).enumerate() {
            let mut path = Path::default();
            if tuple {
                path.push(Step::Part(n));
            }
            path.push_index(index.clone());
            self.bind(arg, Binding::Part(x, path));
        }
    }

    /// Follow views as far as they go; `value` and `path` are what is left
    pub fn follow(&mut self, value: &mut Value, path: &mut Path, guards: &mut Vec<Guard>) -> Done<Found> {
        loop {
            match self.binding(*value) {
                Some(Binding::Part(other, first)) => {
                    let (other, first) = (*other, first.clone());
                    path.push_all(&first);
                    *value = other;
                    continue;
                }
                Some(Binding::Memory(memory)) => return Ok(Found::Memory(memory.clone())),
                Some(Binding::Numbers(all)) => return Ok(Found::Numbers(all.clone())),
                Some(Binding::Index(expr)) => return Ok(Found::Index(expr.clone())),
                None => {}
            }
            let (op, result) = match self.ir.value_def(*value) {
                Some(ValueDef::Result(op, n)) => (op, n as usize),
                _ => return Ok(Found::Numbers(vec![*value])),
            };
            if let Some(view) = layout::of(self.ir, op) {
                if !view.reaches(path) || view.is_in_memory() {
                    return Ok(Found::Computed(op));
                }
                let back = self.enter(op);
                match view.read(self, result, path)? {
                    Next::At(other) => *value = other,
                    Next::Guarded(other, guard) => {
                        guards.push(guard);
                        *value = other;
                    }
                    either => return Ok(Found::Either(either)),
                }
                self.leave(back);
                continue;
            }
            if let Some(map) =
                Map::cast(self.ir, op).filter(|map| path.indices() > 0 && self.is_layout(map.0))
            {
                let (block, yields) = self.body(op)?;
                let index = self.index(path)?;
                let x = map.x(self.ir);
                self.bind_element(block, 0, x, index);
                *value = match (yields.as_slice(), path.first()) {
                    ([only], _) => *only,
                    (several, Some(Step::Part(n))) if *n < several.len() => {
                        let chosen = several[*n];
                        path.pop();
                        chosen
                    }
                    _ => return self.stop(&codes::NO_LOOP, "is used without a component", ""),
                };
                continue;
            }
            return Ok(Found::Computed(op));
        }
    }

    /// A number of a value
    pub fn read(&mut self, value: Value, path: Path) -> Done<Value> {
        if self.quiet {
            return self.stop(&codes::NO_LOOP, "needs a number", "");
        }
        let whole = path.is_empty();
        let number = stacker::maybe_grow(128 << 10, 2 << 20, || self.read_inside(value, path))?;
        if whole && matches!(self.binding(value), Some(Binding::Part(..))) {
            // Not again in this scope: a chain of functions would compute its start over and over.
            self.bind(value, Binding::Numbers(vec![number]));
        }
        Ok(number)
    }

    fn read_inside(&mut self, mut value: Value, mut path: Path) -> Done<Value> {
        let whole = self.ir.ty(value);
        let elem = self.part_type(whole, &path);
        let mut guards = Vec::new();
        let from = self.op;
        let start = self.sums.len();
        let found = self.follow(&mut value, &mut path, &mut guards)?;
        self.keep_sums(&found, &path, start);
        let Some(elem) = elem else {
            return self.stop(&codes::NO_LOOP, "is used at a place that it lacks", "");
        };
        match found {
            Found::Memory(memory) => self.read_memory(&memory, &path, &guards),
            Found::Numbers(all) => {
                let number = self.leaf_of(self.ir.ty(value), &path, &all)?;
                self.choose(&guards, number)
            }
            Found::Index(expr) => {
                let number = self.materialize(&expr)?;
                self.choose(&guards, number)
            }
            Found::Either(Next::Either { index, below, first, second }) => {
                self.guarded(&guards, elem, &mut |s| {
                    if s.lanes > 0
                        && let Some(value) = s.selected(&index, below, elem, &first, &second)?
                    {
                        return Ok(value);
                    }
                    let test = s.test(&index, None, Some(below))?;
                    s.branch(test, elem, &mut |s| s.read(first.0, first.1.clone()), &mut |s| {
                        s.read(second.0, second.1.clone())
                    })
                })
            }
            Found::Either(_) => self.stop(&codes::NO_LOOP, "has no form", ""),
            Found::Computed(op) => {
                self.guarded(&guards, elem, &mut |s| s.compute(op, value, path.clone(), &guards, from))
            }
        }
    }

    /// One of two elements of memory, without a branch: both are read, where they exist
    fn selected(
        &mut self,
        index: &AffineExpr,
        below: i64,
        elem: Type,
        first: &(Value, Path),
        second: &(Value, Path),
    ) -> Done<Option<Value>> {
        let mut found = Vec::new();
        for (value, path) in [first, second] {
            let (mut value, mut path, mut guards) = (*value, path.clone(), Vec::new());
            let (quiet, back) = (std::mem::replace(&mut self.quiet, true), (self.op, self.loc));
            let to = self.follow(&mut value, &mut path, &mut guards);
            self.quiet = quiet;
            self.leave(back);
            match to {
                Ok(Found::Memory(memory)) if guards.is_empty() => found.push((memory, path)),
                _ => return Ok(None),
            }
        }
        let zero =
            if elem.is_float(&self.cx) { self.cx.float_attr(0, elem) } else { self.cx.int_attr(0, elem) };
        let zero = self.constant(zero);
        let mut values = Vec::new();
        for (memory, path) in found {
            let Some((n, _, indices)) = memory.find(&path) else { return Ok(None) };
            let at = self.access(&indices, &[])?;
            let read = Read::make(&mut self.b(), memory.buffers[n], &at, Some(zero)).id();
            values.push(self.ir.result(read, 0));
        }
        let test = self.test(index, None, Some(below))?;
        Ok(Some(self.emit(|b| arith::Select::build(b, test, values[0], values[1]).id())))
    }

    /// Sums on the way to device memory are kept, others forgotten
    pub fn keep_sums(&mut self, found: &Found, path: &Path, start: usize) {
        match found {
            Found::Memory(memory) if memory.device => {
                for step in path.steps() {
                    if let Step::Index(index) = step {
                        self.record(index);
                    }
                }
                // What is nearest to memory says most.
                self.sums[start..].reverse();
            }
            Found::Memory(_) | Found::Numbers(_) | Found::Index(_) => self.sums.truncate(start),
            Found::Either(_) | Found::Computed(_) => {}
        }
    }

    fn leaf_of(&self, ty: Type, path: &Path, all: &[Value]) -> Done<Value> {
        let leaves = self.leaves(ty)?;
        match find(&leaves, path).and_then(|(n, _, _)| all.get(n)) {
            Some(value) => Ok(*value),
            None => self.stop(&codes::NO_LOOP, "is used at a place that it lacks", ""),
        }
    }

    /// An element of a buffer, or what is outside
    fn read_memory(&mut self, memory: &Memory, path: &Path, guards: &[Guard]) -> Done<Value> {
        let Some((n, leaf, indices)) = memory.find(path) else {
            return self.stop(&codes::NO_LOOP, "is used as a whole where a number is needed", "");
        };
        let buffer = memory.buffers[n];
        let shape = leaf.shape.clone();
        let at = self.access(&indices, &[])?;
        let guards = self.without_implied(guards);
        let Some(first) = guards.first() else {
            let read = Read::make(&mut self.b(), buffer, &at, None).id();
            return Ok(self.ir.result(read, 0));
        };
        let other = self.other(first)?;
        let read = Read::make(&mut self.b(), buffer, &at, Some(other)).id();
        let value = self.ir.result(read, 0);
        if guards.iter().all(|guard| guard.other == first.other) {
            // What the buffer's own bounds say needs no test.
            let mut tests = guards.clone();
            tests.retain(|guard| !self.are_bounds(std::slice::from_ref(guard), &indices, &shape));
            return self.choose(&tests, value);
        }
        self.choose(&guards, value)
    }

    /// Guards without those that others, which give the same, imply
    pub fn without_implied(&self, guards: &[Guard]) -> Vec<Guard> {
        let implies = |a: &Guard, b: &Guard| {
            let distance = self.simple(&AffineExpr::sub(b.index.clone(), a.index.clone())).as_constant();
            a.other == b.other && distance.is_some_and(|d| d >= 0 && d + a.size <= b.size)
        };
        let mut kept: Vec<Guard> = Vec::new();
        for guard in guards {
            if kept.iter().any(|other| implies(other, guard)) {
                continue;
            }
            kept.retain(|other| !implies(guard, other));
            kept.push(guard.clone());
        }
        kept
    }

    /// What a guard gives outside
    pub fn other(&mut self, guard: &Guard) -> Done<Value> {
        match &guard.other {
            Some((value, path)) => self.read(*value, path.clone()),
            None => self.stop(&codes::NO_LOOP, "has nothing outside", ""),
        }
    }

    /// Do guards, all with one value, say the same as the bounds of a buffer?
    pub fn are_bounds(&self, guards: &[Guard], indices: &[AffineExpr], shape: &[i64]) -> bool {
        let is_bound = |guard: &Guard| {
            let mut dims = indices.iter().zip(shape);
            dims.any(|(index, size)| guard.size == *size && self.simple(index) == self.simple(&guard.index))
        };
        guards.iter().all(|guard| is_bound(guard) && guard.other == guards[0].other)
    }

    /// The number where all guards pass, else what they give: without branches, the first guard says
    fn choose(&mut self, guards: &[Guard], number: Value) -> Done<Value> {
        let mut number = number;
        for guard in guards.iter().rev() {
            let other = self.other(guard)?;
            let test = self.test(&guard.index, Some(0), Some(guard.size))?;
            number = self.emit(|b| arith::Select::build(b, test, number, other).id());
        }
        Ok(number)
    }

    /// A number that is only computed where all guards pass
    fn guarded(
        &mut self,
        guards: &[Guard],
        elem: Type,
        inside: &mut dyn FnMut(&mut Self) -> Done<Value>,
    ) -> Done<Value> {
        let Some((guard, rest)) = guards.split_first() else { return inside(self) };
        let test = self.test(&guard.index, Some(0), Some(guard.size))?;
        self.branch(test, elem, &mut |s| s.guarded(rest, elem, inside), &mut |s| s.other(guard))
    }

    /// What an op computes at a path
    fn compute(&mut self, op: OpId, value: Value, path: Path, guards: &[Guard], from: OpId) -> Done<Value> {
        let back = self.enter(op);
        let done = match pattern_of(self.ir, op) {
            Some(Pattern::Map) => self.inline(op, path, guards, from),
            Some(Pattern::Generate) => self.inline_generated(op, path),
            _ if self.is_numbers(self.ir.ty(value)) => {
                let all = self.evaluate(op)?;
                self.leaf_of(self.ir.ty(value), &path, &all)
            }
            None if matches!(self.ir.ty(value).kind(&self.cx), TypeKind::Vector { .. }) => {
                match self.known_lane(value, &path) {
                    Some(number) => Ok(number),
                    None => {
                        let number = self.lane(op, path.clone())?;
                        self.keep_lane(value, path, number);
                        Ok(number)
                    }
                }
            }
            _ => Err(self.no_place(op, "is read element by element, but is in no memory", from)),
        };
        if done.is_ok() {
            self.leave(back);
        }
        done
    }

    pub fn no_place(&self, op: OpId, message: &str, from: OpId) -> Stop {
        Stop {
            op,
            code: &codes::NO_PLACE,
            message: message.into(),
            help: "write it to memory with `array.place`, let `array-place` do so, or fuse it into what reads it".into(),
            also: (from != op && from != self.ir.root()).then_some((from, "it is read here")),
        }
    }

    /// The element of a map, computed where it is needed
    fn inline(&mut self, op: OpId, mut path: Path, guards: &[Guard], from: OpId) -> Done<Value> {
        let result = self.ir.result(op, 0);
        if !self.ir.has_one_use(result) {
            return Err(self.no_place(op, "computes what several ops read, but is in no memory", from));
        }
        if self.is_parallel(self.level(op)) {
            let message =
                "runs at a level of its own, but its elements are computed one by one where they are read";
            return Err(self.no_place(op, message, from));
        }
        let elements: i64 = self
            .leaves(self.ir.ty(result))?
            .iter()
            .map(|leaf| leaf.shape.iter().product::<i64>())
            .max()
            .unwrap_or(1);
        let padded =
            guards.iter().fold(1f64, |all, guard| all * guard.padded as f64 / guard.size.max(1) as f64);
        if let Some(block) = self.ir.block(op)
            && self.trips_since(block) as f64 > elements as f64 * padded + 0.5
        {
            return Err(self.no_place(
                op,
                "would compute its elements again and again, since they are in no memory",
                from,
            ));
        }
        let index = self.index(&mut path)?;
        let x = self.ir.operand(op, 0);
        let (block, yields) = self.body(op)?;
        self.push_scope(Some(block))?;
        self.bind_element(block, 0, x, index);
        let done = self.yielded(block, &yields, path);
        self.pop_scope();
        done
    }

    fn inline_generated(&mut self, op: OpId, mut path: Path) -> Done<Value> {
        let index = self.index(&mut path)?;
        let (block, yields) = self.body(op)?;
        let arg = self.ir.block_args(block)[0];
        self.push_scope(Some(block))?;
        self.bind(arg, Binding::Index(index));
        let done = self.yielded(block, &yields, path);
        self.pop_scope();
        done
    }

    /// A number of what a function yields, in its scope
    fn yielded(&mut self, block: BlockId, yields: &[Value], mut path: Path) -> Done<Value> {
        let chosen = match (yields, path.first()) {
            ([only], _) => *only,
            (several, Some(Step::Part(n))) if *n < several.len() => {
                let chosen = several[*n];
                path.pop();
                chosen
            }
            _ => return self.stop(&codes::NO_LOOP, "is used without a component", ""),
        };
        self.block(block, &[chosen])?;
        self.read(chosen, path)
    }

    /// Statements of a function that these values need: places are filled, numbers are computed
    pub fn block(&mut self, block: BlockId, wanted: &[Value]) -> Done<()> {
        let needed = self.needed(block, wanted);
        let ops: Vec<OpId> = self.ir.block_ops(block).filter(|op| needed.contains(op)).collect();
        for op in ops {
            let back = self.enter(op);
            if Place::cast(self.ir, op).is_some() {
                self.place(op)?;
            } else if self.ir.num_results(op) > 0
                && self.ir.results(op).all(|value| self.is_numbers(self.ir.ty(value)))
            {
                self.evaluate(op)?;
            } else {
                self.deliver(op)?;
            }
            self.leave(back);
        }
        Ok(())
    }

    /// Ops of a block that these values depend on
    fn needed(&self, block: BlockId, wanted: &[Value]) -> HashSet<OpId> {
        let mut values: HashSet<Value> = wanted.iter().copied().collect();
        let mut needed = HashSet::default();
        let ops: Vec<OpId> = self.ir.block_ops(block).collect();
        for op in ops.into_iter().rev() {
            if self.ir.results(op).any(|value| values.contains(&value)) {
                needed.insert(op);
                values.extend(self.ir.operands(op));
                for inner in self.ir.walk_below(op) {
                    values.extend(self.ir.operands(inner));
                }
            }
        }
        needed
    }
}
