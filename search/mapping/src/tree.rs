//! The nest of maps of a function: which stands in which, which buffers they use, which are perfectly nested.
//!
//! A map is in the tree if something is computed or written below it; a map that only changes the layout is a view and is
//! none. Table 3 of the paper is here: nested and outer maps, chains, perfect nesting, uses of memory. Every map of the
//! tree writes memory (trap F4), so that "concrete" maps are all.

use terrace_analysis::nat::Nat;
use terrace_dialect_array::obligations::pattern_of;
use terrace_dialect_array::patterns::Pattern;
use terrace_dialect_array::types::flatten;
use terrace_dialect_array::{Map, Place, View, Yield};
use terrace_ir::{AttrKind, Ir, OpId, Type, Value};
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
    /// Its name, or `m` with its number
    pub name: String,
    /// The op
    pub op: OpId,
    /// The map around
    pub parent: Option<usize>,
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
    let cx = ir.cx();
    match place.space(ir).kind(cx) {
        AttrKind::Enum { def, value } if def.name == "gpu.address_space" => match value {
            3 => Space::Private,
            2 => Space::Local,
            _ => Space::Global,
        },
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
    View::of(ir, op).is_some() || Yield::cast(ir, op).is_some()
}

/// A map whose body is views
fn is_layout(ir: &Ir, op: OpId) -> bool {
    Map::cast(ir, op).is_some()
        && ir.walk_below(op).all(|inner| is_view(ir, inner) || Map::cast(ir, inner).is_some())
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
            let name = name.map_or_else(|| format!("m{}", tree.loops.len()), str::to_string);
            by_op.insert(op, tree.loops.len());
            tree.loops.push(Loop { name, op, parent, perfect: false, size: size.unwrap_or(Nat::from(0)) });
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
        let Some(outer) = self.loops[n].parent.map(|outer| self.loops[outer].op) else { return false };
        let Some(body) = ir.entry(ir.region(outer, 0)).filter(|_| ir.parent(own) == Some(outer)) else {
            return false;
        };
        // What it gives is what the map around gives: one loop writes the elements of both.
        let end = ir.last_op(body).map_or(Vec::new(), |end| ir.operands(end).collect());
        let gives = matches!(end[..], [value] if ir.defining_op(value) == Some(own));
        let mut beside = ir.block_ops(body).filter(|op| *op != own);
        gives && beside.all(|op| is_view(ir, op) || is_layout(ir, op) || ir.op_name(op) == "arith.constant")
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

    /// Maps inside of a map
    pub fn nested(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        (n + 1..self.loops.len()).filter(move |m| self.outer(*m).any(|outer| outer == n))
    }

    /// Chains of maps from an outermost one to an innermost one
    pub fn chains(&self) -> Vec<Vec<usize>> {
        let is_outer = |n: usize| self.loops.iter().any(|other| other.parent == Some(n));
        let leaves = (0..self.loops.len()).filter(|n| !is_outer(*n));
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

    /// A map by name
    pub fn find(&self, name: &str) -> Option<usize> {
        self.loops.iter().position(|each| each.name == name)
    }
}
