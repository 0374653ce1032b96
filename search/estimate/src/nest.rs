//! A nest of loops as estimates see it: loops, accesses, arithmetic, each with the loops around it.

use terrace_analysis::Range;
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::space::Space;
use terrace_dialect_sched::{Alloc, Copy, For, Kind, Level, Read, Write};
use terrace_ir::show::elem_bytes;
use terrace_ir::{Ir, OpId, Traits, Value};

/// A loop
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub op: OpId,
    pub iv: Value,
    pub trip: f64,
    pub range: Range,
    pub level: Level,
    /// Iterations are merged
    pub reduces: bool,
}

/// What moves data
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// Loops around, outermost first; positions in the nest's
    pub path: Vec<usize>,
    pub memory: Value,
    pub at: Access,
    pub bytes: f64,
    pub stores: bool,
    /// Merges what it writes
    pub merges: bool,
    /// Registers: no memory at all
    pub private: bool,
    /// Sizes of a copy's box: loops of its own, and lanes that it uses
    pub domain: Vec<i64>,
    pub lanes: f64,
}

/// An instruction on values
#[derive(Clone, Debug)]
pub(crate) struct Compute {
    pub path: Vec<usize>,
    /// What it costs beside a sum: divisions and functions more
    pub cost: f64,
}

/// Everything below one outermost loop
#[derive(Clone, Debug, Default)]
pub(crate) struct Nest {
    pub loops: Vec<Loop>,
    pub moves: Vec<Move>,
    pub computes: Vec<Compute>,
    /// Bytes of register tiles
    pub private: f64,
}

impl Nest {
    /// The nests of a function
    pub fn all(ir: &Ir) -> Vec<Nest> {
        let outermost = |op: &OpId| {
            For::cast(ir, *op).is_some()
                && !std::iter::successors(ir.parent(*op), |up| ir.parent(*up))
                    .any(|up| For::cast(ir, up).is_some())
        };
        let tops: Vec<OpId> = ir.walk().filter(outermost).collect();
        tops.into_iter().map(|top| Nest::of(ir, top)).collect()
    }

    fn of(ir: &Ir, top: OpId) -> Nest {
        let mut nest = Nest::default();
        for op in std::iter::once(top).chain(ir.walk_below(top)) {
            if let Some(info) = For::cast(ir, op).and_then(|op| op.info(ir)) {
                let trip = info.trip().max(1);
                let last = (trip - 1).saturating_mul(info.tile.max(1));
                nest.loops.push(Loop {
                    op,
                    iv: info.iv,
                    trip: trip as f64,
                    range: Range::stepped(0, last, info.tile.max(1)).or(Range::below(1)).expect("one value"),
                    level: info.level,
                    reduces: info.kind != Kind::Cc,
                });
                continue;
            }
            let path = nest.path(ir, op);
            if let Some(alloc) = Alloc::cast(ir, op) {
                if private(ir, alloc.memref(ir)) {
                    nest.private += bytes_of(ir, alloc.memref(ir));
                }
            } else if let Some(read) = Read::cast(ir, op) {
                nest.push(ir, path, read.memref(ir), read.access(ir), false);
            } else if let Some(write) = Write::cast(ir, op) {
                nest.push(ir, path.clone(), write.memref(ir), write.access(ir), true);
                if write.operator(ir).is_some() {
                    nest.moves.last_mut().expect("it was pushed").merges = true;
                    nest.computes.push(Compute { path, cost: 1.0 });
                }
            } else if let Some(copy) = Copy::cast(ir, op) {
                nest.copy(ir, path, copy);
            } else {
                nest.compute(ir, op, path);
            }
        }
        nest
    }

    /// Loops around an op, outermost first
    fn path(&self, ir: &Ir, op: OpId) -> Vec<usize> {
        let around = std::iter::successors(ir.parent(op), |up| ir.parent(*up));
        let mut path: Vec<usize> =
            around.filter_map(|up| self.loops.iter().position(|each| each.op == up)).collect();
        path.reverse();
        path
    }

    fn push(&mut self, ir: &Ir, path: Vec<usize>, memory: Value, at: Access, stores: bool) {
        self.moves.push(Move {
            path,
            memory,
            at,
            bytes: element(ir, memory),
            stores,
            merges: false,
            private: private(ir, memory),
            domain: Vec::new(),
            lanes: 1.0,
        });
    }

    fn copy(&mut self, ir: &Ir, path: Vec<usize>, copy: Copy) {
        let domain = copy.sizes(ir);
        let lanes = copy.by_levels(ir).iter().fold(1.0, |most, by| match by {
            terrace_dialect_sched::By::Vector(n) => f64::max(most, *n as f64),
            _ => most,
        });
        if let Some(from) = copy.from(ir) {
            self.push(ir, path.clone(), copy.src(ir), from, false);
            let read = self.moves.last_mut().expect("it was pushed");
            (read.domain, read.lanes) = (domain.clone(), lanes);
        }
        self.push(ir, path, copy.dst(ir), copy.to(ir), true);
        let write = self.moves.last_mut().expect("it was pushed");
        (write.domain, write.lanes) = (domain, lanes);
    }

    fn compute(&mut self, ir: &Ir, op: OpId, path: Vec<usize>) {
        let cx = ir.cx();
        let float = ir.results(op).next().is_some_and(|value| ir.ty(value).is_float(cx));
        if path.is_empty() || !ir.has(op, Traits::Pure) || ir.has(op, Traits::ConstantLike) || !float {
            return;
        }
        let name = ir.op_name(op);
        // A product that is only merged is one instruction with the sum.
        let merged = name == "arith.mulf"
            && ir.results(op).all(|value| {
                ir.uses(value).all(|(user, _)| {
                    Write::cast(ir, user).is_some_and(|write| write.operator(ir).is_some())
                        || ir.op_name(user) == "sched.yield"
                })
            });
        let cost = match name {
            "arith.divf" | "math.sqrt" => 8.0,
            _ if name.starts_with("math.") && name != "math.fma" && name != "math.absf" => 20.0,
            _ if merged => 0.0,
            _ => 1.0,
        };
        if cost > 0.0 {
            self.computes.push(Compute { path, cost });
        }
    }

    /// Positions of an access's dimensions: a loop, or a dimension of a copy's own box
    pub fn dims(&self, each: &Move) -> Vec<Dim> {
        let own = (0..each.domain.len()).map(Dim::Own);
        let of_value = |value: &Value| {
            let found = each.path.iter().copied().find(|at| self.loops[*at].iv == *value);
            found.map_or(Dim::Still, Dim::Loop)
        };
        own.chain(each.at.values.iter().map(of_value)).collect()
    }
}

/// What a dimension of an access stands for
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dim {
    /// A loop of the nest
    Loop(usize),
    /// A dimension of a copy's box
    Own(usize),
    /// Neither: it does not move
    Still,
}

fn element(ir: &Ir, memory: Value) -> f64 {
    let cx = ir.cx();
    ir.ty(memory).element(cx).map_or(4, |elem| elem_bytes(cx, elem)) as f64
}

fn bytes_of(ir: &Ir, memory: Value) -> f64 {
    let shape = ir.ty(memory).shape(ir.cx()).unwrap_or(&[]);
    shape.iter().map(|size| (*size).max(1) as f64).product::<f64>() * element(ir, memory)
}

/// Registers, by the name of the region or by the space
fn private(ir: &Ir, memory: Value) -> bool {
    let ty = ir.ty(memory);
    let named = matches!(ty.kind(ir.cx()), terrace_ir::TypeKind::MemRef { space: Some(space), .. }
        if space.as_str(ir.cx()) == Some("reg"));
    named || Space::of(ir.cx(), ty) == Space::Private
}
