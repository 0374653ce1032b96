//! Why a schedule is good: per buffer its bytes, how much is copied into it, and how often each copied element is used.
//!
//! The same summed for each memory: its buffers at one time (of one block, of one thread), and the traffic into and out of it.
//! Counted on the nest below, every loop at its full trip count (ends that are cut off count as whole).

use crate::captions::depth_of;
use std::fmt::Write;
use terrace_devices::{Per, Region, Space};
use terrace_dialect_sched::{Ops, read};
use terrace_ir::{Ir, OpId};
use terrace_schedule_model::nest::{self, AccessId, BufferId, LoopId, Made, Nest, Use};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_decided::trip;

/// Begins what a buffer without a name is called; no name has a blank
const NAMELESS: &str = "buffer ";

/// Traffic of one buffer; copies of a loop nest, for the edges of an iteration space, have one of it together
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// Its name
    pub name: String,
    /// Its memory: `MM`, `DM`, `SM`, `RM`, or the cache or registers that a processor's stands for
    pub memory: String,
    /// Bytes; 0 if its shape is not known
    pub bytes: i64,
    /// Elements copied into it
    pub filled: f64,
    /// Elements read from it, or merged into it
    pub used: f64,
    /// Sizes
    pub shape: Vec<i64>,
    /// Step that it is a tile of
    pub step: Option<i64>,
    /// Is it of the nest that was asked about?
    pub own: bool,
}

impl Buffer {
    /// Is its name only a number that stands for one?
    pub fn is_nameless(&self) -> bool {
        self.name.starts_with(NAMELESS)
    }

    /// Uses of each element that was copied in
    pub fn reuse(&self) -> Option<f64> {
        (self.filled > 0.0).then(|| self.used / self.filled)
    }
}

/// What goes from one buffer to another; `None` is the scalar function
#[derive(Clone, PartialEq, Debug)]
pub struct Flow {
    /// Index of the buffer that elements leave
    pub from: Option<usize>,
    /// Index of the buffer that they reach
    pub to: Option<usize>,
    /// How many
    pub elements: f64,
    /// Are they merged with what is there?
    pub merged: bool,
}

/// Buffers and what goes between them
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Traffic {
    /// Every buffer that is copied, read or written
    pub buffers: Vec<Buffer>,
    /// Of the nest that was asked about
    pub flows: Vec<Flow>,
    /// Partial results that innermost loops of the nest merge as values
    pub carried: f64,
    /// Per `sched.alloc` in order of text, the index of its buffer
    pub allocs: Vec<usize>,
}

/// Traffic of a lowered unit and of units in it; `own` states which ops belong to the nest in question
pub fn of(ir: &Ir, own: &dyn Fn(&Ir, OpId) -> bool) -> Traffic {
    let mut traffic = Traffic::default();
    let mut pending = vec![ir];
    while let Some(unit) = pending.pop() {
        let mut children: Vec<&Ir> = unit.walk().filter_map(|op| unit.child(op)).collect();
        children.reverse();
        pending.extend(children);
        let (nest, ops) = read(unit, unit.root());
        let known = vec![None; nest.buffers.len()];
        Reader { ir: unit, nest: &nest, ops: &ops, traffic: &mut traffic, known }.unit(own);
    }
    traffic
}

struct Reader<'a> {
    ir: &'a Ir,
    nest: &'a Nest,
    ops: &'a Ops,
    traffic: &'a mut Traffic,
    /// The index of each buffer of the nest
    known: Vec<Option<usize>>,
}

impl Reader<'_> {
    fn unit(mut self, own: &dyn Fn(&Ir, OpId) -> bool) {
        let (nest, ops) = (self.nest, self.ops);
        for id in nest.loops.ids().filter(|id| own(self.ir, ops.loops[*id])) {
            self.traffic.carried += carried(nest, id).unwrap_or(0.0);
        }
        let mut allocs = nest.made().peekable();
        let mut before: Option<AccessId> = None;
        for (id, access) in nest.accesses.entries() {
            while let Some((buffer, _, made)) = allocs.next_if(|(_, _, made)| made.place < access.place) {
                self.alloc(buffer, made, own);
            }
            // The read of a copy is counted with its write.
            if access.copy && access.reads() {
                before = Some(id);
                continue;
            }
            let own = own(self.ir, ops.accesses[id]);
            let source = before.take();
            let elements = executions(nest, access.around.inside, access.per)
                * access.domain.iter().map(|n| *n as f64).product::<f64>();
            let merged = matches!(access.does, Use::Merge(_));
            let buffer = self.buffer(access.buffer);
            let flow = |from, to| Flow { from, to, elements, merged };
            if access.reads() {
                self.traffic.buffers[buffer].used += elements;
                self.flow(flow(Some(buffer), None), own);
            } else if !access.copy {
                self.traffic.buffers[buffer].used += elements;
                self.flow(flow(None, Some(buffer)), own);
            } else {
                self.traffic.buffers[buffer].filled += elements;
                if let Some(source) = source {
                    let from = self.buffer(nest.accesses[source].buffer);
                    self.traffic.buffers[from].used += elements;
                    self.flow(flow(Some(from), Some(buffer)), own);
                }
            }
        }
        for (buffer, _, made) in allocs {
            self.alloc(buffer, made, own);
        }
    }

    fn flow(&mut self, flow: Flow, own: bool) {
        if !own {
            return;
        }
        for n in [flow.from, flow.to].into_iter().flatten() {
            self.traffic.buffers[n].own = true;
        }
        let flows = &mut self.traffic.flows;
        match flows.iter_mut().find(|known| (known.from, known.to) == (flow.from, flow.to)) {
            Some(known) => {
                known.elements += flow.elements;
                known.merged |= flow.merged;
            }
            None => flows.push(flow),
        }
    }

    /// An allocation; one that copies of the nest have, too, is known
    fn alloc(&mut self, id: BufferId, made: &Made, own: &dyn Fn(&Ir, OpId) -> bool) {
        let step = made.step.map(|(layer, _)| layer);
        let new = self.made(id, step);
        let key =
            |buffer: &Buffer| (buffer.name.clone(), buffer.memory.clone(), buffer.shape.clone(), buffer.step);
        let alike = |other: &Buffer| step.is_some() && key(other) == key(&new);
        let known = self.known.iter().flatten().copied().find(|n| alike(&self.traffic.buffers[*n]));
        let n = known.unwrap_or(self.traffic.buffers.len());
        if n == self.traffic.buffers.len() {
            self.traffic.buffers.push(new);
        }
        self.known[id.index()] = Some(n);
        self.traffic.allocs.push(n);
        let op = self.ir.defining_op(self.ops.buffers[id]);
        self.traffic.buffers[n].own |= op.is_some_and(|op| own(self.ir, op));
    }

    fn buffer(&mut self, id: BufferId) -> usize {
        if let Some(n) = self.known[id.index()] {
            return n;
        }
        let n = self.traffic.buffers.len();
        let made = self.made(id, None);
        self.traffic.buffers.push(made);
        self.known[id.index()] = Some(n);
        n
    }

    fn made(&self, id: BufferId, step: Option<i64>) -> Buffer {
        let own = &self.nest.buffers[id];
        let number = self.traffic.buffers.len() + 1;
        let name = self.ir.value_name(self.ops.buffers[id]);
        Buffer {
            name: name.map_or_else(|| format!("{NAMELESS}{number}"), String::from),
            memory: memory(self.nest, own),
            bytes: bytes(own),
            filled: 0.0,
            used: 0.0,
            shape: own.shape.clone(),
            step,
            own: false,
        }
    }
}

/// What a schedule calls the memory of a buffer
fn memory(nest: &Nest, buffer: &nest::Buffer) -> String {
    match (&buffer.named, buffer.space) {
        (Some(word), _) => word.to_uppercase(),
        (None, Space::Shared) => Region::Sm.word().into(),
        (None, Space::Private) => Region::Rm.word().into(),
        _ if !nest.launches.is_empty() => Region::Dm.word().into(),
        _ => Region::Mm.word().into(),
    }
}

fn bytes(buffer: &nest::Buffer) -> i64 {
    let elements = buffer.shape.iter().try_fold(1_i64, |all, n| all.checked_mul((*n).max(0)));
    elements.unwrap_or(0).saturating_mul(buffer.bytes)
}

fn trips(nest: &Nest, id: LoopId) -> f64 {
    let own = &nest.loops[id];
    own.extent.known().zip(own.tile.known()).map_or(1.0, |(extent, tile)| trip(extent, tile) as f64)
}

/// Values that a loop merges, if no loop inside of it does
fn carried(nest: &Nest, id: LoopId) -> Option<f64> {
    let merges = |id: LoopId| {
        let own = &nest.loops[id].combine;
        own.results > 0 && !own.operators.is_empty()
    };
    let innermost = merges(id) && !nest.inside(id).any(merges);
    innermost.then(|| executions(nest, nest.parent(id), None) * trips(nest, id))
}

/// How often something inside of a loop runs; for what an owner's members do together, once per owner
fn executions(nest: &Nest, inside: Option<LoopId>, owner: Option<Per>) -> f64 {
    nest.around(inside).fold(1.0, |times, id| {
        let level = nest.loops[id].level.known();
        let member = owner.zip(level).is_some_and(|(owner, level)| owner.members().contains(level));
        times * if member { 1.0 } else { trips(nest, id) }
    })
}

/// Memories from the widest to the narrowest, with what is in each: bytes at a time, elements in, uses
pub fn levels(buffers: &[Buffer]) -> Vec<Buffer> {
    let mut all: Vec<Buffer> = Vec::new();
    for (n, buffer) in buffers.iter().enumerate() {
        let bytes = if is_largest(buffers, n) { buffer.bytes } else { 0 };
        match all.iter_mut().find(|level| level.memory == buffer.memory) {
            Some(level) => {
                level.bytes = level.bytes.saturating_add(bytes);
                level.filled += buffer.filled;
                level.used += buffer.used;
            }
            None => all.push(Buffer { name: String::new(), bytes, ..buffer.clone() }),
        }
    }
    all.sort_by_key(|level| depth_of(&level.memory));
    all
}

/// Is a buffer the largest (the first of these) of one tile in several copies of a nest? They are never there at the same time
pub fn is_largest(buffers: &[Buffer], n: usize) -> bool {
    let buffer = &buffers[n];
    let alike = |other: &Buffer| {
        buffer.step.is_some()
            && (&other.name, &other.memory, other.step) == (&buffer.name, &buffer.memory, buffer.step)
    };
    let mut others = buffers.iter().enumerate().filter(|(m, other)| *m != n && alike(other));
    others.all(|(m, other)| other.bytes < buffer.bytes || other.bytes == buffer.bytes && m > n)
}

/// As lines of two tables in plain text: memories, then buffers
pub fn table(buffers: &[Buffer]) -> String {
    let mut text =
        String::from("memory      bytes at a time     elements in        uses   uses per element\n");
    let reuse = |buffer: &Buffer| buffer.reuse().map_or("–".into(), |reuse| format!("{reuse:.1}"));
    for level in levels(buffers) {
        let (memory, bytes, reuse) = (&level.memory, level.bytes, reuse(&level));
        let _ =
            writeln!(text, "{memory:<10} {bytes:>16} {:>15} {:>11} {reuse:>18}", level.filled, level.used);
    }
    text.push_str("\nbuffer           memory     bytes     elements in        uses   uses per element\n");
    for buffer in buffers {
        let (name, memory, bytes, reuse) = (&buffer.name, &buffer.memory, buffer.bytes, reuse(buffer));
        let (filled, used) = (buffer.filled, buffer.used);
        let _ = writeln!(text, "{name:<16} {memory:<6} {bytes:>9} {filled:>15} {used:>11} {reuse:>18}");
    }
    text
}
