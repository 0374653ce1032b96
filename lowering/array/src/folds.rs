//! Reductions, folds, scans, iterations: loops that combine.
//!
//! A reduction of numbers is a loop with results; one of arrays starts its destination and merges into it. What no loop has
//! an operator for, a function on tuples, is a loop that carries values.

use crate::codes;
use crate::destination::Dst;
use crate::layout::{Memory, Path, Step, path_of};
use crate::lower::{Binding, Done, Lower};
use crate::place::space;
use crate::places;
use std::sync::Arc;
use terrace_dialect_array::types::{components, split_type, together};
use terrace_dialect_array::{Fold, Iterate, Map, Scatter};
use terrace_dialect_sched::{Combination, CopySpec, LoopSpec, Operator, Yield as SchedYield, operator};
use terrace_ir::{Attr, BlockId, OpId, Type, Value};
use terrace_support::affine::AffineExpr;

/// How contributions are combined
enum Merge {
    /// One operator for each number
    Each(Vec<Operator>),
    /// One function on all of them
    Joint(String),
}

/// The parts of a fold
struct Parts {
    x: Value,
    size: i64,
    init: Option<Value>,
    block: BlockId,
    yields: Vec<Value>,
    /// Type of a contribution
    one: Type,
    merge: Merge,
}

impl Lower<'_> {
    fn parts(&self, op: OpId) -> Done<Parts> {
        let x = self.ir.operand(op, 0);
        let (size, _) = self.array(self.ir.ty(x))?;
        let init = (self.ir.num_operands(op) > 1).then(|| self.ir.operand(op, 1));
        let (block, yields) = self.body(op)?;
        let types: Vec<Type> = yields.iter().map(|value| self.ir.ty(*value)).collect();
        let one = together(&self.cx, &types);
        let attrs = self.ir.attr(op, "operators").and_then(|attr| attr.as_array(&self.cx)).unwrap_or(&[]);
        let all: Vec<Operator> =
            attrs.iter().filter_map(|attr| Operator::from_attr(&self.cx, *attr)).collect();
        let leaves = self.leaves(one)?;
        let merge = match all.as_slice() {
            [Operator::Function(name)] if components(&self.cx, one).len() > 1 => {
                Merge::Joint(name.to_string())
            }
            [only] => Merge::Each(vec![only.clone(); leaves.len()]),
            several => {
                let own = |leaf: &crate::layout::Leaf| {
                    let n = leaf.parts.first().map_or(0, |(_, n)| *n);
                    several.get(n).cloned()
                };
                let each: Option<Vec<Operator>> = leaves.iter().map(own).collect();
                match each {
                    Some(each) => Merge::Each(each),
                    None => return self.stop(&codes::NO_LOOP, "has too few operators", ""),
                }
            }
        };
        Ok(Parts { x, size, init, block, yields, one, merge })
    }

    /// The numbers of a start value of a type; a number alone fills it
    fn start(&mut self, init: Value, one: Type) -> Done<Vec<Value>> {
        let same = self.ir.ty(init) == one;
        let mut all = Vec::new();
        for leaf in self.leaves(one)? {
            let path = Path::of(leaf.parts.iter().filter(|_| same).map(|(_, n)| Step::Part(*n)));
            all.push(self.read(init, path)?);
        }
        Ok(all)
    }

    /// Neutral elements, one for each number, where all operators have one
    fn identities(&self, parts: &Parts) -> Done<Option<Vec<Attr>>> {
        let leaves = self.leaves(parts.one)?;
        let declared = |name: &str| {
            let def = self.symbols.lookup(self.scope_id, self.cx.intern(name), &[])?;
            let dict = def.dict?.as_dict(&self.cx)?;
            let entry = dict.iter().find(|(key, _)| self.cx.str(*key) == operator::NAME)?;
            terrace_ir::attrs::dict_get(&self.cx, entry.1.as_dict(&self.cx)?, "identity")
        };
        Ok(match &parts.merge {
            Merge::Joint(name) => declared(name)
                .and_then(|attr| attr.as_array(&self.cx))
                .filter(|all| all.len() == leaves.len())
                .map(<[Attr]>::to_vec),
            Merge::Each(all) => all
                .iter()
                .zip(&leaves)
                .map(|(operator, leaf)| match operator {
                    Operator::Builtin(builtin) => builtin.identity(&self.cx, leaf.elem),
                    Operator::Function(name) => {
                        let attr = declared(name)?;
                        Some(attr.as_array(&self.cx).and_then(|all| all.first().copied()).unwrap_or(attr))
                    }
                })
                .collect(),
        })
    }

    /// The numbers of a contribution
    fn contribution(&mut self, op: OpId, parts: &Parts, index: AffineExpr) -> Done<Vec<Value>> {
        self.push_scope(Some(parts.block))?;
        self.bind_element(parts.block, 0, parts.x, index);
        let done = self.yielded_numbers(parts.block, &parts.yields);
        self.pop_scope();
        let _ = op;
        done
    }

    fn yielded_numbers(&mut self, block: BlockId, yields: &[Value]) -> Done<Vec<Value>> {
        self.block(block, yields)?;
        let mut all = Vec::new();
        for value in yields {
            for leaf in self.leaves(self.ir.ty(*value))? {
                all.push(self.read(*value, Path::of(leaf.parts.iter().map(|(_, n)| Step::Part(*n))))?);
            }
        }
        Ok(all)
    }

    /// `left ⊕ right`
    fn merged(&mut self, parts: &Parts, left: &[Value], right: &[Value]) -> Vec<Value> {
        match &parts.merge {
            Merge::Each(all) => {
                let all = all.clone();
                all.iter().zip(left.iter().zip(right)).map(|(f, (l, r))| self.apply(f, *l, *r)).collect()
            }
            Merge::Joint(name) => {
                let types: Vec<Type> = left.iter().map(|value| self.ir.ty(*value)).collect();
                let name = name.clone();
                self.call(&name, &[left, right].concat(), &types)
            }
        }
    }

    /// A reduction of numbers
    pub fn reduced(&mut self, op: OpId) -> Done<Vec<Value>> {
        let parts = self.parts(op)?;
        let inits = match parts.init {
            Some(init) => Some(self.start(init, parts.one)?),
            None => None,
        };
        let results: Vec<Type> = self.leaves(parts.one)?.iter().map(|leaf| leaf.elem).collect();
        if parts.size == 0 {
            return match (inits, self.identities(&parts)?) {
                (Some(inits), _) => Ok(inits),
                (None, Some(all)) => Ok(all.into_iter().map(|attr| self.constant(attr)).collect()),
                (None, None) => self.stop(
                    &codes::NO_LOOP,
                    "has no elements, no start value, and an operator without a neutral element",
                    "give it a start value: `init`",
                ),
            };
        }
        let Merge::Each(operators) = &parts.merge else { return self.carried(op, &parts, inits, None) };
        let neutral = self.identities(&parts)?.is_some();
        if !neutral && inits.is_none() {
            return self.carried(op, &parts, None, None);
        }
        let order = self.ir.attr(op, "order").and_then(|order| order.as_str(&self.cx));
        let spec = LoopSpec {
            extent: parts.size,
            kind: Combination::Pw,
            ops: operators.clone(),
            order: order.and_then(|order| order.parse().ok()).unwrap_or_default(),
            inits: inits.unwrap_or_default(),
            results,
            ..LoopSpec::default()
        };
        let (level, name) = (self.level(op), self.loop_name());
        let opened = self.open(&spec, level, name)?;
        let values = self.contribution(op, &parts, opened.index.clone())?;
        SchedYield::build(&mut self.b(), &values);
        self.close(&opened);
        self.results_of(opened.body)
    }

    fn results_of(&self, body: Option<BlockId>) -> Done<Vec<Value>> {
        match body.and_then(|body| self.ir.block_parent(body)) {
            Some(op) => Ok(self.ir.results(op).collect()),
            None => self.stop(&codes::NO_LOOP, "has no loop", ""),
        }
    }

    /// A loop that carries what is combined so far; `each` is given its value before and behind each step
    fn carried(
        &mut self,
        op: OpId,
        parts: &Parts,
        inits: Option<Vec<Value>>,
        each: Option<(&Dst, bool)>,
    ) -> Done<Vec<Value>> {
        // Without a start value the first contribution is one.
        let (first, start) = match inits {
            Some(inits) => (0, inits),
            None => {
                let start = self.contribution(op, parts, 0.into())?;
                if let Some((dst, false)) = each {
                    self.put_all(&start, parts.one, 0.into(), dst)?;
                }
                (1, start)
            }
        };
        if parts.size <= first {
            return Ok(start);
        }
        let types: Vec<Type> = start.iter().map(|value| self.ir.ty(*value)).collect();
        let spec = LoopSpec {
            extent: parts.size - first,
            kind: Combination::Ordered,
            inits: start,
            results: types,
            ..LoopSpec::default()
        };
        let name = self.loop_name();
        let opened = self.open(&spec, None, name)?;
        let Some(body) = opened.body else { return self.stop(&codes::NO_LOOP, "has no loop", "") };
        let before = self.ir.block_args(body)[1..].to_vec();
        let index = self.simple(&(opened.index.clone() + first.into()));
        let values = self.contribution(op, parts, index.clone())?;
        let behind = self.merged(parts, &before, &values);
        if let Some((dst, exclusive)) = each {
            self.put_all(if exclusive { &before } else { &behind }, parts.one, index, dst)?;
        }
        SchedYield::build(&mut self.b(), &behind);
        self.close(&opened);
        self.results_of(Some(body))
    }

    fn put_all(&mut self, values: &[Value], one: Type, index: AffineExpr, dst: &Dst) -> Done<()> {
        for (leaf, value) in self.leaves(one)?.iter().zip(values) {
            let mut path = Path::of(leaf.parts.iter().map(|(_, n)| Step::Part(*n)));
            path.push_index(index.clone());
            self.put(*value, path, dst)?;
        }
        Ok(())
    }

    /// A left fold of numbers
    pub fn folded(&mut self, op: OpId) -> Done<Vec<Value>> {
        let fold = Fold(op);
        let (x, init) = (fold.x(self.ir), fold.init(self.ir));
        let (size, _) = self.array(self.ir.ty(x))?;
        let ty = self.ir.ty(init);
        let inits = self.start(init, ty)?;
        if size == 0 {
            return Ok(inits);
        }
        let (block, yields) = self.body(op)?;
        let results: Vec<Type> = inits.iter().map(|value| self.ir.ty(*value)).collect();
        let spec =
            LoopSpec { extent: size, kind: Combination::Ordered, inits, results, ..LoopSpec::default() };
        let name = self.loop_name();
        let opened = self.open(&spec, None, name)?;
        let Some(body) = opened.body else { return self.stop(&codes::NO_LOOP, "has no loop", "") };
        let carried = self.ir.block_args(body)[1..].to_vec();
        self.push_scope(Some(block))?;
        let parts = components(&self.cx, ty);
        let args = self.ir.block_args(block).to_vec();
        let mut rest = carried.as_slice();
        for (arg, part) in args.iter().zip(&parts) {
            let (own, others) = rest.split_at(self.leaves(*part)?.len().min(rest.len()));
            self.bind(*arg, Binding::Numbers(own.to_vec()));
            rest = others;
        }
        self.bind_element(block, parts.len(), x, opened.index.clone());
        let values = self.yielded_numbers(block, &yields)?;
        self.pop_scope();
        SchedYield::build(&mut self.b(), &values);
        self.close(&opened);
        self.results_of(Some(body))
    }

    /// A buffer for what a loop carries, in the memory of who runs it
    fn carrier(&mut self, op: OpId, ty: Type, name: &str) -> Done<Memory> {
        // What several threads may compute together is no thread's own.
        let alone = |inner: OpId| Map::cast(self.ir, inner).is_none() || self.in_turn(inner);
        let word = match self.on_grid && self.ir.walk_below(op).all(alone) {
            true => space(self.ir, op),
            false => "main",
        };
        let word = self.cx.str_attr(word);
        let (kind, attr) = self.memory_kind(word)?;
        match kind {
            places::MemoryKind::Main if self.on_grid => self.allocate_outside(ty, name),
            _ => self.allocate(ty, attr, name),
        }
    }

    /// A fold of arrays: what there is in one buffer, the next in another, which is copied back
    pub fn fold_into(&mut self, op: OpId, dst: &Dst) -> Done<()> {
        let fold = Fold(op);
        let (x, init) = (fold.x(self.ir), fold.init(self.ir));
        let (size, _) = self.array(self.ir.ty(x))?;
        if size == 0 {
            return self.write(init, Path::default(), dst);
        }
        let ty = self.ir.ty(init);
        let (block, yields) = self.body(op)?;
        let now = Arc::new(self.carrier(op, ty, "now")?);
        let next = Arc::new(self.carrier(op, ty, "next")?);
        self.write(init, Path::default(), &Dst::new(now.clone()))?;
        let spec = LoopSpec { extent: size, kind: Combination::Ordered, ..LoopSpec::default() };
        let name = self.loop_name();
        let opened = self.open(&spec, None, name)?;
        self.push_scope(Some(block))?;
        let parts = components(&self.cx, ty);
        let args = self.ir.block_args(block).to_vec();
        let mut at = 0;
        for (arg, part) in args.iter().zip(&parts) {
            let leaves = self.leaves(*part)?;
            let buffers = now.buffers[at..at + leaves.len()].to_vec();
            at += leaves.len();
            let part = Memory { leaves, buffers, ..Memory::clone(&now) };
            self.bind(*arg, Binding::Memory(Arc::new(part)));
        }
        self.bind_element(block, parts.len(), x, opened.index.clone());
        self.block(block, &yields)?;
        for (n, value) in yields.iter().enumerate() {
            let path = Path::of((yields.len() > 1).then_some(Step::Part(n)));
            self.write(*value, Path::default(), &Dst::new(next.clone()).part(path))?;
        }
        self.pop_scope();
        self.move_all(init, &next, &Dst::new(now.clone()))?;
        self.close(&opened);
        self.move_all(init, &now, dst)
    }

    /// All of a buffer, which holds a value of the type of another
    fn move_all(&mut self, like: Value, from: &Arc<Memory>, dst: &Dst) -> Done<()> {
        self.push_scope(None)?;
        self.bind(like, Binding::Memory(from.clone()));
        let done = self.write(like, Path::default(), dst);
        self.pop_scope();
        done
    }

    /// A reduction of arrays: its destination is started, and contributions are merged into it
    pub fn reduce_into(&mut self, op: OpId, dst: &Dst) -> Done<()> {
        let parts = self.parts(op)?;
        if dst.combine.is_some() {
            return Err(self.no_place(op, "is combined itself, while it is not complete", op));
        }
        let Merge::Each(operators) = &parts.merge else {
            return self.stop(
                &codes::NO_LOOP,
                "combines arrays by a function on tuples",
                "combine numbers, inside of maps",
            );
        };
        if operators.iter().any(|operator| matches!(operator, Operator::Function(_))) {
            return self.stop(
                &codes::NO_LOOP,
                "combines arrays by a function",
                "combine numbers, inside of maps",
            );
        }
        self.begin(&parts, dst)?;
        if parts.size == 0 {
            return Ok(());
        }
        let order = self.ir.attr(op, "order").and_then(|order| order.as_str(&self.cx));
        let mut distinct: Vec<Operator> = Vec::new();
        for operator in operators {
            if !distinct.contains(operator) {
                distinct.push(operator.clone());
            }
        }
        let spec = LoopSpec {
            extent: parts.size,
            kind: Combination::Pw,
            ops: distinct,
            order: order.and_then(|order| order.parse().ok()).unwrap_or_default(),
            ..LoopSpec::default()
        };
        let level = self.level(op);
        let nested = !self.on_grid && self.in_turn(op);
        let extents = if nested { self.strips(parts.x, parts.size) } else { vec![parts.size] };
        let (mut index, mut opened) = (AffineExpr::Constant(0), Vec::new());
        let several = extents.len() > 1;
        for extent in extents {
            let name = self.loop_name();
            let inner = self.open(&LoopSpec { extent, ..spec.clone() }, level, name)?;
            if let AffineExpr::Dim(var) = inner.index
                && several
            {
                self.stripped.extend(self.value_of_var(var));
            }
            index = index * extent.into() + inner.index.clone();
            opened.push(inner);
        }
        let index = self.simple(&index);
        self.push_scope(Some(parts.block))?;
        self.bind_element(parts.block, 0, parts.x, index);
        self.merge_into(&parts, operators, dst)?;
        self.pop_scope();
        for inner in opened.iter().rev() {
            self.close(inner);
        }
        Ok(())
    }

    /// Start values, or neutral elements
    fn begin(&mut self, parts: &Parts, dst: &Dst) -> Done<()> {
        match parts.init {
            Some(init) if self.ir.ty(init) == parts.one => self.write(init, Path::default(), dst)?,
            Some(init) => {
                let number = self.read(init, Path::default())?;
                self.fill(number, parts.one, dst)?;
            }
            None => {
                let Some(all) = self.identities(parts)? else {
                    return self.stop(
                        &codes::NO_LOOP,
                        "has an operator without a neutral element",
                        "give it `init`",
                    );
                };
                for (n, attr) in all.into_iter().enumerate() {
                    let number = self.constant(attr);
                    self.fill_nth(number, parts.one, n, dst)?;
                }
            }
        }
        Ok(())
    }

    /// A contribution, merged into what is there
    fn merge_into(&mut self, parts: &Parts, operators: &[Operator], dst: &Dst) -> Done<()> {
        self.block(parts.block, &parts.yields)?;
        for (n, value) in parts.yields.iter().enumerate() {
            let several = parts.yields.len() > 1;
            let path = Path::of(several.then_some(Step::Part(n)));
            let operator = if operators.len() == parts.yields.len() { &operators[n] } else { &operators[0] };
            let mut inner = dst.part(path);
            inner.combine = Some(operator.clone());
            self.write(*value, Path::default(), &inner)?;
        }
        Ok(())
    }

    /// One leaf of a type filled with a number
    fn fill_nth(&mut self, number: Value, ty: Type, n: usize, dst: &Dst) -> Done<()> {
        let leaves = self.leaves(ty)?;
        match leaves.get(n) {
            Some(leaf) => self.fill_one(number, leaf, dst),
            None => Ok(()),
        }
    }

    /// Prefixes
    pub fn scan_into(&mut self, op: OpId, dst: &Dst) -> Done<()> {
        let parts = self.parts(op)?;
        if parts.size == 0 {
            return Ok(());
        }
        let exclusive = self.ir.attr(op, "exclusive").is_some();
        if !self.is_numbers(parts.one) {
            return self.scan_arrays(op, &parts, exclusive, dst);
        }
        let inits = match parts.init {
            Some(init) => Some(self.start(init, parts.one)?),
            None => None,
        };
        let identities = self.identities(&parts)?;
        let plain = match &parts.merge {
            Merge::Each(all) if inits.is_some() || identities.is_some() => Some(all.clone()),
            _ => None,
        };
        let Some(ops) = plain else {
            let inits = match (inits, identities) {
                (Some(inits), _) => Some(inits),
                (None, Some(all)) if exclusive => {
                    Some(all.into_iter().map(|attr| self.constant(attr)).collect())
                }
                _ => None,
            };
            self.carried(op, &parts, inits, Some((dst, exclusive)))?;
            return Ok(());
        };
        let results: Vec<Type> = self.leaves(parts.one)?.iter().map(|leaf| leaf.elem).collect();
        let spec = LoopSpec {
            extent: parts.size,
            kind: Combination::Ps,
            ops,
            inits: inits.unwrap_or_default(),
            results,
            ..LoopSpec::default()
        };
        let name = self.loop_name();
        let opened = self.open(&spec, None, name)?;
        let Some(body) = opened.body else { return self.stop(&codes::NO_LOOP, "has no loop", "") };
        let before = self.ir.block_args(body)[1..].to_vec();
        let values = self.contribution(op, &parts, opened.index.clone())?;
        let prefix = if exclusive { before } else { self.merged(&parts, &before, &values) };
        self.put_all(&prefix, parts.one, opened.index.clone(), dst)?;
        SchedYield::build(&mut self.b(), &values);
        self.close(&opened);
        Ok(())
    }

    /// Prefixes of arrays: contributions are merged into a buffer, which is copied out for each element
    fn scan_arrays(&mut self, op: OpId, parts: &Parts, exclusive: bool, dst: &Dst) -> Done<()> {
        let operators = match &parts.merge {
            Merge::Each(all) if all.iter().all(|operator| matches!(operator, Operator::Builtin(_))) => {
                all.clone()
            }
            _ => {
                return self.stop(
                    &codes::NO_LOOP,
                    "combines arrays by a function",
                    "combine numbers, inside of maps",
                );
            }
        };
        let so_far = Arc::new(self.carrier(op, parts.one, "so_far")?);
        self.begin(parts, &Dst::new(so_far.clone()))?;
        let result = self.ir.result(op, 0);
        let spec = LoopSpec { extent: parts.size, kind: Combination::Ordered, ..LoopSpec::default() };
        let name = self.loop_name();
        let opened = self.open(&spec, None, name)?;
        let element = dst.part(Path::index(opened.index.clone()));
        if exclusive {
            self.move_element(result, &so_far, &element)?;
        }
        self.push_scope(Some(parts.block))?;
        self.bind_element(parts.block, 0, parts.x, opened.index.clone());
        self.merge_into(parts, &operators, &Dst::new(so_far.clone()))?;
        self.pop_scope();
        if !exclusive {
            self.move_element(result, &so_far, &element)?;
        }
        self.close(&opened);
        Ok(())
    }

    /// All of a buffer that holds one element of an array
    fn move_element(&mut self, array: Value, from: &Arc<Memory>, dst: &Dst) -> Done<()> {
        let Some((_, elem)) = split_type(&self.cx, self.ir.ty(array)) else { return Ok(()) };
        let leaves = self.leaves(elem)?;
        for (leaf, buffer) in leaves.iter().zip(&from.buffers) {
            let vars = self.vars();
            let mut indices = Vec::new();
            for size in &leaf.shape {
                let range = terrace_analysis::Range::below(*size).unwrap_or(terrace_analysis::Range::one(0));
                indices.push(self.var(None, range));
            }
            let domain: Vec<u32> = (vars as u32..self.vars() as u32).collect();
            let mut guards = Vec::new();
            let to = self.forward(&dst.frames, path_of(leaf, &indices), &mut guards)?;
            let Some((n, _, places)) = to.as_ref().and_then(|to| dst.memory.find(to)) else {
                self.forget(vars);
                continue;
            };
            if !guards.is_empty() {
                return Err(self.no_place(self.op, "is cut while it is made", self.op));
            }
            let from = (*buffer, Some(self.access(&indices, &domain)?));
            let to = (dst.memory.buffers[n], self.access(&places, &domain)?);
            let spec = CopySpec::new(leaf.shape.clone(), from, to);
            self.forget(vars);
            spec.build(&mut self.b());
        }
        Ok(())
    }

    /// So many steps, each into a buffer of its own; the last into the destination
    pub fn iterate_into(&mut self, op: OpId, dst: &Dst) -> Done<()> {
        let times = self.property(op, "times")?;
        let bound =
            self.ir.attr(op, "bound").and_then(|name| name.as_str(&self.cx)).unwrap_or("").to_string();
        let x = Iterate(op).x(self.ir);
        let (mut size, _) = self.array(self.ir.ty(x))?;
        let (block, yields) = self.body(op)?;
        let (Some(arg), [value]) = (self.ir.block_args(block).first().copied(), yields.as_slice()) else {
            return self.stop(&codes::NO_LOOP, "gives no array", "");
        };
        if times == 0 {
            return self.write(x, Path::default(), dst);
        }
        if times > MOST_STEPS {
            return self.stop(
                &codes::NO_LOOP,
                format!("has {times} steps, and each becomes code of its own"),
                format!("use at most {MOST_STEPS} steps, or `fold`"),
            );
        }
        let name = format!("${bound}");
        let before = self.known.get(&name).copied();
        let mut current: Option<Dst> = None;
        let mut done = Ok(());
        for step in 0..times {
            self.known.insert(name.clone(), size);
            self.push_scope(Some(block))?;
            match &current {
                None => self.bind(arg, Binding::Part(x, Path::default())),
                Some(from) => self.bind(arg, Binding::Memory(from.memory.clone())),
            }
            done = self.block(block, &yields);
            let last = step + 1 == times;
            // What a step has put into memory itself is read there by the next.
            let placed = match self.binding(*value) {
                Some(Binding::Memory(memory)) if !last => Some(memory.clone()),
                _ => None,
            };
            let stands = placed.is_some();
            let to = match placed {
                _ if last => dst.clone(),
                Some(memory) => Dst::new(memory),
                None => Dst::new(Arc::new(self.carrier(op, self.ir.ty(*value), "step")?)),
            };
            if done.is_ok() && !stands {
                done = self.write(*value, Path::default(), &to);
            }
            self.pop_scope();
            if done.is_err() {
                break;
            }
            size = self.array(self.ir.ty(*value))?.0;
            current = Some(to);
        }
        match before {
            Some(value) => drop(self.known.insert(name, value)),
            None => drop(self.known.remove(&name)),
        }
        done
    }

    /// A start value with elements of an array in some places
    pub fn scatter_into(&mut self, op: OpId, dst: &Dst) -> Done<()> {
        let scatter = Scatter(op);
        let (x, at, init) = (scatter.x(self.ir), scatter.indices(self.ir), scatter.init(self.ir));
        let (size, _) = self.array(self.ir.ty(x))?;
        self.write(init, Path::default(), dst)?;
        if size == 0 {
            return Ok(());
        }
        // Two may go to one place: they run sequentially.
        let spec = LoopSpec { extent: size, kind: Combination::Ordered, ..LoopSpec::default() };
        let name = self.loop_name();
        let opened = self.open(&spec, None, name)?;
        self.push_scope(None)?;
        let place = self.read(at, Path::index(opened.index.clone()))?;
        let place = self.var(Some(place), terrace_analysis::Range::ALL);
        self.write(x, Path::index(opened.index.clone()), &dst.part(Path::index(place)))?;
        self.pop_scope();
        self.close(&opened);
        Ok(())
    }
}

/// Most steps of an iteration
const MOST_STEPS: i64 = 1024;
