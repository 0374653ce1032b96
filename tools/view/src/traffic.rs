//! Why a schedule is good: per buffer its bytes, how much is copied into it, and how often each copied element is used.
//!
//! The same summed for each memory: its buffers at one time (of one block, of one thread), and the traffic into and out of it.
//! Counted on the nest below, every loop at its full trip count (ends that are cut off count as whole).

use std::fmt::Write;
use terrace_dialect_sched::space::Space;
use terrace_dialect_sched::{Alloc, Copy, For, Kernel, Per, Read, Write as Store};
use terrace_ir::show::elem_bytes;
use terrace_ir::{Ir, OpId, Type, TypeKind, Value};

/// Traffic of one buffer
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
}

impl Buffer {
    /// Uses of each element that was copied in
    pub fn reuse(&self) -> Option<f64> {
        (self.filled > 0.0).then(|| self.used / self.filled)
    }
}

/// Every buffer of a lowered unit, and of units in it, that is copied, read or written
pub fn of(ir: &Ir) -> Vec<Buffer> {
    let mut buffers = Vec::new();
    let mut pending = vec![ir];
    while let Some(unit) = pending.pop() {
        let mut children: Vec<&Ir> = unit.walk().filter_map(|op| unit.child(op)).collect();
        children.reverse();
        pending.extend(children);
        buffers.extend(of_unit(unit));
    }
    buffers
}

fn of_unit(ir: &Ir) -> Vec<Buffer> {
    let mut all: Vec<(Value, Buffer)> = Vec::new();
    for op in ir.walk() {
        let owner = Copy::cast(ir, op).and_then(|copy| copy.owner(ir));
        let times = executions(ir, op, owner);
        if let Some(alloc) = Alloc::cast(ir, op) {
            buffer(ir, &mut all, alloc.memref(ir));
        } else if let Some(copy) = Copy::cast(ir, op) {
            let elements = times * copy.sizes(ir).iter().map(|n| *n as f64).product::<f64>();
            buffer(ir, &mut all, copy.dst(ir)).filled += elements;
            if copy.from(ir).is_some() {
                buffer(ir, &mut all, copy.src(ir)).used += elements;
            }
        } else if let Some(read) = Read::cast(ir, op) {
            buffer(ir, &mut all, read.memref(ir)).used += times;
        } else if let Some(write) = Store::cast(ir, op) {
            buffer(ir, &mut all, write.memref(ir)).used += times;
        }
    }
    all.into_iter().map(|(_, buffer)| buffer).collect()
}

fn buffer<'a>(ir: &Ir, all: &'a mut Vec<(Value, Buffer)>, value: Value) -> &'a mut Buffer {
    let at = all.iter().position(|(known, _)| *known == value).unwrap_or_else(|| {
        let ty = ir.ty(value);
        let name = ir.value_name(value).map_or_else(|| format!("buffer {}", all.len() + 1), String::from);
        let memory = memory(ir, value);
        all.push((value, Buffer { name, memory, bytes: bytes(ir, ty), filled: 0.0, used: 0.0 }));
        all.len() - 1
    });
    &mut all[at].1
}

/// What a schedule calls the memory of a buffer
fn memory(ir: &Ir, value: Value) -> String {
    let cx = ir.cx();
    let space = match ir.ty(value).kind(cx) {
        TypeKind::MemRef { space, .. } => *space,
        _ => None,
    };
    match (Space::of(cx, ir.ty(value)), space.and_then(|space| space.as_str(cx))) {
        (_, Some(word)) => word.to_uppercase(),
        (Space::Shared, _) => "SM".into(),
        (Space::Private, _) => "RM".into(),
        _ if ir.walk().any(|op| Kernel::cast(ir, op).is_some()) => "DM".into(),
        _ => "MM".into(),
    }
}

fn bytes(ir: &Ir, ty: Type) -> i64 {
    let cx = ir.cx();
    let shape = ty.shape(cx).unwrap_or(&[]);
    let elements = shape.iter().try_fold(1_i64, |all, n| all.checked_mul((*n).max(0))).unwrap_or(0);
    elements.saturating_mul(ty.element(cx).map_or(0, |elem| elem_bytes(cx, elem)) as i64)
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
fn levels(buffers: &[Buffer]) -> Vec<Buffer> {
    const ORDER: [&str; 8] = ["MM", "DM", "L3", "L2", "SM", "L1", "REG", "RM"];
    let mut all: Vec<Buffer> = Vec::new();
    for buffer in buffers {
        match all.iter_mut().find(|level| level.memory == buffer.memory) {
            Some(level) => {
                level.bytes = level.bytes.saturating_add(buffer.bytes);
                level.filled += buffer.filled;
                level.used += buffer.used;
            }
            None => all.push(Buffer { name: String::new(), ..buffer.clone() }),
        }
    }
    all.sort_by_key(|level| ORDER.iter().position(|known| *known == level.memory).unwrap_or(ORDER.len()));
    all
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
