//! Why a schedule is good: per buffer its bytes, how much is copied into it, and how often each copied element is used.
//!
//! The same summed for each memory: its buffers at one time (of one block, of one thread), and the traffic into and out of it.
//! Counted on the nest below, every loop at its full trip count (ends that are cut off count as whole).

use crate::captions::depth_of;
use std::fmt::Write;
use terrace_devices::Region;
use terrace_dialect_sched::{Alloc, Copy, For, Kernel, Per, Read, Write as Store};
use terrace_dialect_sched::{Space, space};
use terrace_ir::show::elem_bytes;
use terrace_ir::{Ir, OpId, Type, TypeKind, Value};

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
        let mut known = Vec::new();
        let reader = Reader { ir: unit, traffic: &mut traffic, known: &mut known };
        reader.unit(own);
    }
    traffic
}

struct Reader<'a> {
    ir: &'a Ir,
    traffic: &'a mut Traffic,
    known: &'a mut Vec<(Value, usize)>,
}

impl Reader<'_> {
    fn unit(mut self, own: &dyn Fn(&Ir, OpId) -> bool) {
        let ir = self.ir;
        for op in ir.walk() {
            self.traffic.carried += carried(ir, op).filter(|_| own(ir, op)).unwrap_or(0.0);
            let owner = Copy::cast(ir, op).and_then(|copy| copy.owner(ir));
            let times = executions(ir, op, owner);
            if let Some(alloc) = Alloc::cast(ir, op) {
                let n = self.alloc(alloc);
                self.traffic.allocs.push(n);
                self.traffic.buffers[n].own |= own(ir, op);
            } else if let Some(copy) = Copy::cast(ir, op) {
                let elements = times * copy.sizes(ir).iter().map(|n| *n as f64).product::<f64>();
                let to = self.buffer(copy.dst(ir));
                self.traffic.buffers[to].filled += elements;
                if copy.from(ir).is_some() {
                    let from = self.buffer(copy.src(ir));
                    self.traffic.buffers[from].used += elements;
                    let flow = Flow {
                        from: Some(from),
                        to: Some(to),
                        elements,
                        merged: copy.operator(ir).is_some(),
                    };
                    self.flow(flow, own(ir, op));
                }
            } else if let Some(read) = Read::cast(ir, op) {
                let from = self.buffer(read.memref(ir));
                self.traffic.buffers[from].used += times;
                self.flow(Flow { from: Some(from), to: None, elements: times, merged: false }, own(ir, op));
            } else if let Some(write) = Store::cast(ir, op) {
                let to = self.buffer(write.memref(ir));
                self.traffic.buffers[to].used += times;
                let merged = write.operator(ir).is_some();
                self.flow(Flow { from: None, to: Some(to), elements: times, merged }, own(ir, op));
            }
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

    /// The buffer of an allocation; one that copies of the nest have, too, is known
    fn alloc(&mut self, alloc: Alloc) -> usize {
        let value = alloc.memref(self.ir);
        let step = alloc.step(self.ir).and_then(|step| step.as_dense_array(self.ir.cx())?.first().copied());
        let made = self.made(value, step);
        let alike = |other: &Buffer| {
            let key = |buffer: &Buffer| {
                (buffer.name.clone(), buffer.memory.clone(), buffer.shape.clone(), buffer.step)
            };
            step.is_some() && key(other) == key(&made)
        };
        let n = self.known.iter().map(|(_, n)| *n).find(|n| alike(&self.traffic.buffers[*n]));
        let n = n.unwrap_or(self.traffic.buffers.len());
        if n == self.traffic.buffers.len() {
            self.traffic.buffers.push(made);
        }
        self.known.push((value, n));
        n
    }

    fn buffer(&mut self, value: Value) -> usize {
        if let Some((_, n)) = self.known.iter().find(|(known, _)| *known == value) {
            return *n;
        }
        let n = self.traffic.buffers.len();
        let made = self.made(value, None);
        self.traffic.buffers.push(made);
        self.known.push((value, n));
        n
    }

    fn made(&self, value: Value, step: Option<i64>) -> Buffer {
        let (ir, ty) = (self.ir, self.ir.ty(value));
        let number = self.traffic.buffers.len() + 1;
        let name = ir.value_name(value).map_or_else(|| format!("{NAMELESS}{number}"), String::from);
        Buffer {
            name,
            memory: memory(ir, value),
            bytes: bytes(ir, ty),
            filled: 0.0,
            used: 0.0,
            shape: ty.shape(ir.cx()).unwrap_or(&[]).to_vec(),
            step,
            own: false,
        }
    }
}

/// What a schedule calls the memory of a buffer
fn memory(ir: &Ir, value: Value) -> String {
    let cx = ir.cx();
    let space = match ir.ty(value).kind(cx) {
        TypeKind::MemRef { space, .. } => *space,
        _ => None,
    };
    match (space::of(cx, ir.ty(value)), space.and_then(|space| space.as_str(cx))) {
        (_, Some(word)) => word.to_uppercase(),
        (Space::Shared, _) => Region::Sm.word().into(),
        (Space::Private, _) => Region::Rm.word().into(),
        _ if ir.walk().any(|op| Kernel::cast(ir, op).is_some()) => Region::Dm.word().into(),
        _ => Region::Mm.word().into(),
    }
}

fn bytes(ir: &Ir, ty: Type) -> i64 {
    let cx = ir.cx();
    let shape = ty.shape(cx).unwrap_or(&[]);
    let elements = shape.iter().try_fold(1_i64, |all, n| all.checked_mul((*n).max(0))).unwrap_or(0);
    elements.saturating_mul(ty.element(cx).map_or(0, |elem| elem_bytes(cx, elem)) as i64)
}

/// Values that a loop merges, if no loop inside of it does
fn carried(ir: &Ir, op: OpId) -> Option<f64> {
    let merges = |op: OpId| {
        For::cast(ir, op)?.info(ir).filter(|info| !info.ops.is_empty() && ir.results(op).count() > 0)
    };
    let info = merges(op)?;
    if ir.walk_below(op).any(|inner| merges(inner).is_some()) {
        return None;
    }
    Some(executions(ir, op, None) * info.trip() as f64)
}

/// How often an op runs; for what an owner's members do together, once per owner
fn executions(ir: &Ir, op: OpId, owner: Option<Per>) -> f64 {
    let mut times = 1.0;
    let mut around = ir.parent(op);
    while let Some(outer) = around {
        if let Some(info) = For::cast(ir, outer).and_then(|op| op.info(ir)) {
            let member = owner.zip(info.level.rank()).is_some_and(|(owner, rank)| rank < owner.rank());
            times *= if member { 1.0 } else { info.trip() as f64 };
        }
        around = ir.parent(outer);
    }
    times
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
