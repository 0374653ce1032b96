//! The nest of maps of a function: which stands in which, which buffers they use, which are perfectly nested.
//!
//! A map is in the tree if something is computed or written below it; a map that only changes the layout is a view and is
//! none. Table 3 of the paper is here: nested and outer maps, chains, perfect nesting, uses of memory. Every map of the
//! tree writes memory (trap F4), so that "concrete" maps are all.

use terrace_analysis::nat::Nat;
use terrace_dialect_array::obligations::pattern_of;
use terrace_dialect_array::patterns::Pattern;
use terrace_dialect_array::types::flatten;
use terrace_dialect_array::{Map, Place, Yield, layout};
use terrace_dialect_gpu::AddressSpace;
use terrace_ir::{AttrKind, Ir, OpId, Type, Value};
use terrace_lowering_array::sole_map;
use terrace_support::HashMap;

/// Where a buffer lies, as far as sharing goes
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Space {
    /// One thread's
    Private,
    /// One work-group's
    Local,
    /// The device's
    Global,
    /// The host's
    Main,
}

impl Space {
    /// For texts
    pub fn name(self) -> &'static str {
        match self {
            Space::Private => "private",
            Space::Local => "local",
            Space::Global => "global",
            Space::Main => "main",
        }
    }
}

/// A map
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Its name, that of its result, or `m` with its number
    pub name: String,
    /// Its number in order of text
    pub number: usize,
    /// The op
    pub op: OpId,
    /// The map around
    pub parent: Option<usize>,
    /// It has no loop: its elements are computed where they are read
    pub inlined: bool,
    /// All that the map around does, but for views of what it gets: the two may be one loop
    pub perfect: bool,
    /// Number of elements
    pub size: Nat,
}

/// A `place`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// The op
    pub op: OpId,
    /// The map whose element owns it
    pub owner: Option<usize>,
    /// Its memory
    pub space: Space,
    /// What it holds
    pub ty: Type,
}

/// A use of a buffer
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Access {
    /// The buffer
    pub buffer: usize,
    /// The innermost map around
    pub at: Option<usize>,
    /// Not a read
    pub writes: bool,
}

/// Which maps use a buffer: those with an access directly inside, as the paper reads, or all between it and the access (F2)
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Uses {
    /// The innermost ones
    Leaves,
    /// All within the buffer's scope
    #[default]
    Scope,
}

/// The maps of a function, in order of text
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// Maps, each after the one around
    pub loops: Vec<Loop>,
    /// Buffers
    pub buffers: Vec<Buffer>,
    /// Uses of buffers, sorted
    pub accesses: Vec<Access>,
}

fn space_of(ir: &Ir, place: Place) -> Space {
    let (cx, space) = (ir.cx(), place.space(ir));
    match AddressSpace::of(cx, space) {
        Some(AddressSpace::Private) => return Space::Private,
        Some(AddressSpace::Workgroup) => return Space::Local,
        Some(_) => return Space::Global,
        None => {}
    }
    match space.kind(cx) {
        AttrKind::Str { text, .. } => match cx.str(*text) {
            "private" | "reg" => Space::Private,
            "local" | "workgroup" | "shared" => Space::Local,
            "global" => Space::Global,
            _ => Space::Main,
        },
        _ => Space::Main,
    }
}

/// Nothing is computed or written in it
fn is_view(ir: &Ir, op: OpId) -> bool {
    if Place::cast(ir, op).is_some() {
        return false;
    }
    layout::is_layout(ir, op) || Yield::cast(ir, op).is_some()
}

/// What the author calls a map's result
fn called(ir: &Ir, op: OpId) -> Option<&str> {
    let name = ir.value_name(ir.results(op).next()?)?;
    let own = name.bytes().next().is_some_and(|first| first.is_ascii_alphabetic());
    (own && !name.starts_with("arg")).then_some(name)
}

/// A map whose body is views
fn is_layout(ir: &Ir, op: OpId) -> bool {
    Map::cast(ir, op).is_some() && terrace_lowering_array::is_layout(ir, op)
}

impl Tree {
    /// The maps of a function
    pub fn of(ir: &Ir) -> Tree {
        let mut tree = Tree::default();
        let mut by_op: HashMap<OpId, usize> = HashMap::default();
        for op in ir.walk() {
            if Map::cast(ir, op).is_none() || is_layout(ir, op) {
                continue;
            }
            let parent = tree.around(ir, &by_op, op);
            let name = Map::cast(ir, op).and_then(|map| map.name(ir)).and_then(|name| name.as_str(ir.cx()));
            let ty = ir.operands(op).next().map(|value| ir.ty(value));
            let size = ty.and_then(|ty| flatten(ir.cx(), ty).0.first().cloned());
            let name = name.or_else(|| called(ir, op));
            let name = name.map_or_else(|| format!("m{}", tree.loops.len()), str::to_string);
            by_op.insert(op, tree.loops.len());
            let (number, size) = (tree.loops.len(), size.unwrap_or(Nat::from(0)));
            tree.loops.push(Loop { name, number, op, parent, inlined: false, perfect: false, size });
        }
        tree.unique_names();
        for n in 0..tree.loops.len() {
            tree.loops[n].perfect = tree.is_perfect(ir, n);
        }
        for op in ir.walk() {
            let Some(place) = Place::cast(ir, op) else { continue };
            let owner = tree.around(ir, &by_op, op);
            let buffer = tree.buffers.len();
            let ty = ir.ty(place.result(ir));
            tree.buffers.push(Buffer { op, owner, space: space_of(ir, place), ty });
            let mut found = Vec::new();
            tree.writes(ir, &by_op, place.x(ir), op, &mut found);
            let writes = found.into_iter().map(|at| Access { buffer, at, writes: true });
            tree.accesses.extend(writes);
            let mut found = Vec::new();
            tree.reads(ir, &by_op, place.result(ir), &mut found);
            tree.accesses.extend(found.into_iter().map(|at| Access { buffer, at, writes: false }));
        }
        tree.accesses.sort_unstable();
        tree.accesses.dedup();
        tree
    }

    fn unique_names(&mut self) {
        let mut seen: Vec<String> = Vec::new();
        for each in &mut self.loops {
            let (plain, mut n) = (each.name.clone(), 1);
            while seen.contains(&each.name) {
                n += 1;
                each.name = format!("{plain}_{n}");
            }
            seen.push(each.name.clone());
        }
    }

    /// The map of the tree around an op
    fn around(&self, ir: &Ir, by_op: &HashMap<OpId, usize>, op: OpId) -> Option<usize> {
        std::iter::successors(ir.parent(op), |op| ir.parent(*op)).find_map(|op| by_op.get(&op).copied())
    }

    fn is_perfect(&self, ir: &Ir, n: usize) -> bool {
        let own = self.loops[n].op;
        let Some(outer) = self.loops[n].parent else { return false };
        let beside = |other: &Loop| other.parent == Some(outer) && other.op != own && !other.inlined;
        let outer = self.loops[outer].op;
        ir.parent(own) == Some(outer) && sole_map(ir, outer) == Some(own) && !self.loops.iter().any(beside)
    }

    /// The tree of the loops that there are, given the map whose loop is around that of each: `None` for one that has none
    ///
    /// A map without a loop stands behind all others, for messages: nothing is inside of it, and uses of memory in it are those of
    /// the maps that read its elements.
    pub fn with_loops(&self, ir: &Ir, around: &[Option<Option<usize>>]) -> Tree {
        let real = |n: usize| around[n].is_some();
        let parent = |n: usize| around[n].flatten();
        let all = 0..self.loops.len();
        let mut order: Vec<usize> = Vec::new();
        let mut pending: Vec<usize> = all.clone().filter(|n| around[*n] == Some(None)).rev().collect();
        while let Some(n) = pending.pop() {
            order.push(n);
            pending.extend(all.clone().filter(|m| parent(*m) == Some(n)).rev());
        }
        order.extend(all.filter(|n| !real(*n)));
        let place = |n: usize| order.iter().position(|own| *own == n);
        let mut tree = Tree::default();
        for n in order.iter().copied() {
            let own = Loop { parent: parent(n).and_then(place), inlined: !real(n), ..self.loops[n].clone() };
            tree.loops.push(own);
        }
        let by_op: HashMap<OpId, usize> = tree.loops.iter().enumerate().map(|(n, own)| (own.op, n)).collect();
        for n in 0..tree.loops.len() {
            tree.loops[n].perfect = !tree.loops[n].inlined && tree.is_perfect(ir, n);
        }
        for buffer in &self.buffers {
            // A buffer in a map without a loop is made where that map's elements are computed.
            let mut owners = vec![buffer.owner.and_then(place)];
            tree.evaluated(ir, &by_op, &mut owners);
            let owner = owners.first().copied().flatten();
            tree.buffers.push(Buffer { owner, ..buffer.clone() });
        }
        for access in &self.accesses {
            let mut all = vec![access.at.and_then(place)];
            tree.evaluated(ir, &by_op, &mut all);
            tree.accesses.extend(all.into_iter().map(|at| Access { at, ..*access }));
        }
        tree.accesses.sort_unstable();
        tree.accesses.dedup();
        tree
    }

    /// In place of maps without a loop those that read their elements
    fn evaluated(&self, ir: &Ir, by_op: &HashMap<OpId, usize>, all: &mut Vec<Option<usize>>) {
        let mut seen = Vec::new();
        while let Some(at) = all.iter().position(|at| at.is_some_and(|n| self.loops[n].inlined)) {
            let Some(n) = all.swap_remove(at) else { continue };
            if seen.contains(&n) {
                continue;
            }
            seen.push(n);
            for value in ir.results(self.loops[n].op) {
                self.reads(ir, by_op, value, all);
            }
        }
        all.sort_unstable();
        all.dedup();
    }

    /// Where a value's elements are written
    fn writes(
        &self,
        ir: &Ir,
        by_op: &HashMap<OpId, usize>,
        value: Value,
        place: OpId,
        out: &mut Vec<Option<usize>>,
    ) {
        let mut pending = vec![(value, place)];
        let mut seen = Vec::new();
        while let Some((value, user)) = pending.pop() {
            if seen.contains(&value) {
                continue;
            }
            seen.push(value);
            let Some(op) = ir.defining_op(value) else {
                // An argument: a copy of what lies elsewhere, by the op that asks for it.
                out.push(self.around(ir, by_op, user));
                continue;
            };
            let end = |op: OpId| ir.entry(ir.region(op, 0)).and_then(|entry| ir.last_op(entry));
            let nested = |value: Value| !flatten(ir.cx(), ir.ty(value)).0.is_empty();
            let body = match pattern_of(ir, op) {
                Some(Pattern::Map) if !is_layout(ir, op) => end(op),
                Some(Pattern::Reduce) => {
                    out.push(self.around(ir, by_op, op));
                    end(op).filter(|end| ir.operands(*end).any(nested))
                }
                Some(_) => {
                    out.push(self.around(ir, by_op, op));
                    None
                }
                None if is_view(ir, op) || is_layout(ir, op) => {
                    pending.extend(ir.operands(op).map(|value| (value, op)));
                    None
                }
                None => {
                    out.push(self.around(ir, by_op, op));
                    None
                }
            };
            for value in body.into_iter().flat_map(|end| ir.operands(end).collect::<Vec<_>>()) {
                match nested(value) {
                    true => pending.push((value, body.unwrap_or(op))),
                    false => out.push(body.and_then(|end| self.around(ir, by_op, end))),
                }
            }
        }
    }

    /// Where a value's elements are read
    fn reads(&self, ir: &Ir, by_op: &HashMap<OpId, usize>, value: Value, out: &mut Vec<Option<usize>>) {
        let mut pending = vec![value];
        let mut seen = Vec::new();
        while let Some(value) = pending.pop() {
            if seen.contains(&value) {
                continue;
            }
            seen.push(value);
            let users: Vec<OpId> = ir.uses(value).map(|(op, _)| op).collect();
            for op in users {
                if let Some(pattern) = pattern_of(ir, op) {
                    let entry = ir.entry(ir.region(op, 0));
                    let args: Vec<Value> =
                        entry.map(|entry| ir.block_args(entry).to_vec()).unwrap_or_default();
                    let nested = args.iter().any(|arg| !flatten(ir.cx(), ir.ty(*arg)).0.is_empty());
                    if !nested && (pattern == Pattern::Map && !is_layout(ir, op)) {
                        out.push(by_op.get(&op).copied());
                    } else if pattern != Pattern::Map {
                        out.push(self.around(ir, by_op, op));
                    }
                    pending.extend(args);
                    if is_layout(ir, op) {
                        pending.extend(ir.results(op));
                    }
                } else if is_view(ir, op) && Yield::cast(ir, op).is_none() {
                    pending.extend(ir.results(op));
                } else if Yield::cast(ir, op).is_some() && ir.parent(op).is_some_and(|map| is_layout(ir, map))
                {
                    continue;
                } else {
                    out.push(self.around(ir, by_op, op));
                }
            }
        }
    }

    /// Maps around a map, inner ones first
    pub fn outer(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.loops[n].parent, |n| self.loops[*n].parent)
    }

    /// Maps inside of a map that have a loop
    pub fn nested(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        let inside = move |m: &usize| self.outer(*m).any(|outer| outer == n);
        (n + 1..self.loops.len()).filter(|m| !self.loops[*m].inlined).filter(inside)
    }

    /// Outermost maps that have a loop
    pub fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.loops.len()).filter(|n| self.loops[*n].parent.is_none() && !self.loops[*n].inlined)
    }

    /// Chains of maps from an outermost one to an innermost one
    pub fn chains(&self) -> Vec<Vec<usize>> {
        let is_outer = |n: usize| self.loops.iter().any(|other| other.parent == Some(n) && !other.inlined);
        let leaves = (0..self.loops.len()).filter(|n| !self.loops[*n].inlined && !is_outer(*n));
        leaves
            .map(|leaf| {
                let mut chain: Vec<usize> = std::iter::once(leaf).chain(self.outer(leaf)).collect();
                chain.reverse();
                chain
            })
            .collect()
    }

    /// The outermost map around, or itself
    pub fn root(&self, n: usize) -> usize {
        self.outer(n).last().unwrap_or(n)
    }

    /// The maps between a buffer and its uses, or only those of the uses
    pub fn users(&self, space: Space, uses: Uses) -> Vec<usize> {
        let mut all = Vec::new();
        for access in self.accesses.iter().filter(|access| self.buffers[access.buffer].space == space) {
            let owner = self.buffers[access.buffer].owner;
            let between = access
                .at
                .into_iter()
                .flat_map(|at| std::iter::once(at).chain(self.outer(at)))
                .take_while(|n| Some(*n) != owner);
            all.extend(match uses {
                Uses::Scope => between.collect::<Vec<_>>(),
                Uses::Leaves => between.take(1).collect(),
            });
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// A map by name, or by `m` with its number
    pub fn find(&self, name: &str) -> Option<usize> {
        let by_name = self.loops.iter().position(|each| each.name == name);
        let number = || name.strip_prefix('m')?.parse::<usize>().ok();
        by_name.or_else(|| self.loops.iter().position(|each| Some(each.number) == number()))
    }
}
