//! A nest decoded: its loops, buffers and accesses, each with the loops around it.

use crate::access::Access;
use crate::combine::Operator;
use crate::ops::{Alloc, Copy, For, Kernel, LoopInfo, Read, Write};
use crate::space;
use terrace_analysis::Range;
use terrace_devices::{Per, Space};
use terrace_ir::{Ir, OpId, Type, Value, VerifyCx};
use terrace_support::HashMap;

/// A loop of a nest: its place in [`Nest::loops`], outer ones first
pub type LoopId = usize;

/// A loop with where it stands
pub struct LoopNode {
    /// Its attributes
    pub info: LoopInfo,
    /// The loop around
    pub parent: Option<LoopId>,
    /// The kernel around
    pub kernel: Option<OpId>,
}

/// A buffer made inside of the nest
pub struct Buffer {
    /// The op
    pub op: OpId,
    /// The memref
    pub value: Value,
    /// Its type
    pub ty: Type,
    /// Its memory
    pub space: Space,
    /// The loop whose iteration owns it; none: all of the nest
    pub owner: Option<LoopId>,
    /// The loop it stands in
    pub inside: Option<LoopId>,
    /// Who owns it together
    pub per: Option<Per>,
    /// The kernel around
    pub kernel: Option<OpId>,
}

/// What an access does with an element
#[derive(Clone, PartialEq, Debug)]
pub enum Use {
    /// Reads it
    Read,
    /// Writes it
    Write,
    /// Merges into it
    Merge(Operator),
}

/// A read, a write, or one side of a copy
pub struct AccessNode {
    /// The op
    pub op: OpId,
    /// The buffer
    pub memref: Value,
    /// What it does
    pub what: Use,
    /// Where; a copy's own variables come first
    pub at: Access,
    /// Sizes of a copy's domain
    pub domain: Vec<i64>,
    /// Elements outside do no harm: `else`, `clip`
    pub guarded: bool,
    /// Who runs it together, of a copy
    pub per: Option<Per>,
    /// Threads run it together: any of them does it
    pub together: bool,
    /// The innermost loop around
    pub inside: Option<LoopId>,
    /// The kernel around
    pub kernel: Option<OpId>,
    /// Its place in the text of the nest
    pub place: usize,
}

/// A nest with everything that rules speak of; what it holds is a [`Tree`]
pub struct Nest<'a> {
    /// The unit
    pub ir: &'a Ir,
    /// For look-ups of operators
    pub v: &'a VerifyCx<'a>,
    /// Loops, buffers and accesses
    pub tree: Tree,
}

impl std::ops::Deref for Nest<'_> {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        &self.tree
    }
}

impl std::ops::DerefMut for Nest<'_> {
    fn deref_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }
}

/// What a nest holds, by itself: the unit may be changed while it is kept
pub struct Tree {
    /// Loops, each after the one around it
    pub loops: Vec<LoopNode>,
    /// Buffers
    pub buffers: Vec<Buffer>,
    /// Reads and writes in order of text; a copy reads, then writes
    pub accesses: Vec<AccessNode>,
    /// Places of collective copies in the text, with the loop around each
    pub collectives: Vec<(usize, Option<LoopId>, OpId)>,
    by_variable: HashMap<Value, LoopId>,
}

impl<'a> Nest<'a> {
    /// Decode an outermost op of the dialect and all inside
    pub fn new(v: &'a VerifyCx<'a>, top: OpId) -> Nest<'a> {
        Nest { ir: v.ir, v, tree: Tree::new(v.ir, top) }
    }

    /// Grid and block of the kernel around a loop
    pub fn kernel_sizes(&self, id: LoopId) -> Option<([i64; 3], [i64; 3])> {
        self.tree.kernel_sizes(self.ir, id)
    }
}

impl Tree {
    /// Decode an op of the dialect and all inside
    pub fn new(ir: &Ir, top: OpId) -> Tree {
        let mut nest = Tree {
            loops: Vec::new(),
            buffers: Vec::new(),
            accesses: Vec::new(),
            collectives: Vec::new(),
            by_variable: HashMap::default(),
        };
        let mut by_op: HashMap<OpId, LoopId> = HashMap::default();
        for (place, op) in std::iter::once(top).chain(ir.walk_below(top)).enumerate() {
            let (mut inside, mut kernel, mut around) = (None, None, ir.parent(op));
            while let Some(outer) = around {
                if inside.is_none() {
                    inside = by_op.get(&outer).copied();
                }
                if Kernel::cast(ir, outer).is_some() {
                    kernel = Some(outer);
                }
                around = if inside.is_some() || outer == top { None } else { ir.parent(outer) };
            }
            if let Some(id) = inside {
                kernel = kernel.or(nest.loops[id].kernel);
            }
            if let Some(info) = For::cast(ir, op).and_then(|each| each.info(ir)) {
                by_op.insert(op, nest.loops.len());
                nest.by_variable.insert(info.iv, nest.loops.len());
                nest.loops.push(LoopNode { info, parent: inside, kernel });
            }
            nest.buffer(ir, op, inside, kernel);
            nest.access(ir, op, inside, kernel, place);
        }
        nest
    }

    fn buffer(&mut self, ir: &Ir, op: OpId, inside: Option<LoopId>, kernel: Option<OpId>) {
        let Some(alloc) = Alloc::cast(ir, op) else { return };
        let value = alloc.memref(ir);
        let ty = ir.ty(value);
        let (mut owner, per) = (inside, alloc.owner(ir));
        if let Some(per) = per {
            owner = self.around(inside).find(|id| per.owns(self.info(*id).level));
        }
        let space = space::of(ir.cx(), ty);
        self.buffers.push(Buffer { op, value, ty, space, owner, inside, per, kernel });
    }

    fn access(&mut self, ir: &Ir, op: OpId, inside: Option<LoopId>, kernel: Option<OpId>, place: usize) {
        let together = Copy::cast(ir, op).is_some_and(|copy| copy.is_collective(ir));
        let mut push = |memref: Value, what: Use, at: Access, domain: Vec<i64>, guarded: bool, per| {
            self.accesses.push(AccessNode {
                op,
                memref,
                what,
                at,
                domain,
                guarded,
                per,
                together,
                inside,
                kernel,
                place,
            });
        };
        let written = |operator: Option<Operator>| operator.map_or(Use::Write, Use::Merge);
        if let Some(read) = Read::cast(ir, op) {
            push(read.memref(ir), Use::Read, read.access(ir), Vec::new(), read.padding(ir).is_some(), None);
        } else if let Some(write) = Write::cast(ir, op) {
            let what = written(write.operator(ir));
            push(write.memref(ir), what, write.access(ir), Vec::new(), write.clip(ir).is_some(), None);
        } else if let Some(copy) = Copy::cast(ir, op) {
            let (sizes, per) = (copy.sizes(ir), copy.owner(ir));
            if let Some(from) = copy.from(ir) {
                push(copy.src(ir), Use::Read, from, sizes.clone(), copy.padding(ir).is_some(), per);
            }
            let what = written(copy.operator(ir));
            push(copy.dst(ir), what, copy.to(ir), sizes, copy.clip(ir).is_some(), per);
            if together {
                self.collectives.push((place, inside, op));
            }
        }
    }

    /// Attributes of a loop
    pub fn info(&self, id: LoopId) -> &LoopInfo {
        &self.loops[id].info
    }

    /// A loop and those around it, inner ones first
    pub fn around(&self, id: Option<LoopId>) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(id, |id| self.loops[*id].parent)
    }

    /// Loops around a loop, inner ones first
    pub fn outside(&self, id: LoopId) -> impl Iterator<Item = LoopId> + '_ {
        self.around(self.loops[id].parent)
    }

    /// Is the place inside of the loop?
    pub fn is_in(&self, place: Option<LoopId>, id: LoopId) -> bool {
        self.around(place).any(|other| other == id)
    }

    /// The loop of a variable
    pub fn loop_of(&self, variable: Value) -> Option<LoopId> {
        self.by_variable.get(&variable).copied()
    }

    /// Values of a loop's variable, whatever its limit
    pub fn range(&self, id: LoopId) -> Range {
        let info = self.info(id);
        let last = info.trip().saturating_sub(1).max(0).saturating_mul(info.tile);
        Range::stepped(0, last, info.tile.max(1)).unwrap_or(Range::ALL)
    }

    /// Grid and block of the kernel around a loop
    pub fn kernel_sizes(&self, ir: &Ir, id: LoopId) -> Option<([i64; 3], [i64; 3])> {
        let kernel = Kernel::cast(ir, self.loops[id].kernel?)?;
        Some((kernel.grid_size(ir), kernel.block_size(ir)))
    }

    /// The buffer that a memref is, if the nest makes it
    pub fn buffer_of(&self, memref: Value) -> Option<&Buffer> {
        self.buffers.iter().find(|buffer| buffer.value == memref)
    }

    /// Do iterations of the loop share the memref: is it made outside, or once for all of them?
    pub fn is_shared_across(&self, memref: Value, id: LoopId) -> bool {
        let Some(buffer) = self.buffer_of(memref) else { return true };
        if !self.is_in(buffer.inside, id) {
            return true;
        }
        // Made anew in each round of a loop around; one for the threads below its owner.
        let rank = self.info(id).level.rank();
        buffer.per.is_some_and(|per| rank.is_some_and(|rank| rank < per.rank()))
    }

    /// The loops between a buffer and a use of it, inner ones first
    pub fn between(&self, memref: Value, place: Option<LoopId>) -> Vec<LoopId> {
        self.around(place).filter(|id| self.is_shared_across(memref, *id)).collect()
    }

    /// Loops of the same dimension on a path through a loop: those around, itself, those inside
    pub fn chain(&self, id: LoopId) -> Vec<LoopId> {
        let dim = self.info(id).dim;
        (0..self.loops.len())
            .filter(|other| {
                self.info(*other).dim == dim && (self.is_in(Some(id), *other) || self.is_in(Some(*other), id))
            })
            .collect()
    }
}
