//! The loop nest that a schedule becomes: its text, and which step, dimension and buffer each part of it is of.

use crate::document::Document;
use crate::program::print;
use crate::traffic::{self, Flow, Traffic};
use terrace_dialect_sched::{For, Kernel, Level};
use terrace_ir::{Ir, Loc, OpId};

/// A loop
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Its step, by position in the schedule from 1
    pub step: Option<i64>,
    /// Dimension of the computation
    pub dim: Option<i64>,
    /// Class of its level's color
    pub class: &'static str,
}

/// A buffer of the computation: an input or an output, and its number
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Role {
    /// Is it an output?
    pub out: bool,
    /// Which one, from 0
    pub number: usize,
}

impl Role {
    /// `in` or `out`, as in names of fields
    pub fn side(self) -> &'static str {
        if self.out { "out" } else { "in" }
    }
}

/// A function after its computations became loops
#[derive(Clone, Debug)]
pub struct Nest {
    /// As text
    pub text: String,
    /// Loops in order of text; nothing for those of other computations
    pub loops: Vec<Option<Loop>>,
    /// Buffers and what goes between them
    pub traffic: Traffic,
    /// Per buffer, what it is to the computation: its own or a tile of it
    pub roles: Vec<Option<Role>>,
}

impl Nest {
    /// Of a lowered unit; `at` is where the computation stood before
    pub fn read(unit: &Ir, at: Loc, document: &Document) -> Nest {
        let own = |ir: &Ir, op: OpId| {
            let kernel =
                std::iter::successors(ir.parent(op), |op| ir.parent(*op)).find_map(|op| Kernel::cast(ir, op));
            let kernel = kernel.and_then(|kernel| kernel.name(ir).as_str(ir.cx()));
            ir.loc(op) == at && kernel.is_none_or(|name| name == document.compute)
        };
        // A schedule of one step may be the loops as they stand.
        let only = (document.draft.steps.len() == 1).then_some(1);
        let loops = unit.walk().filter_map(|op| {
            let info = For::cast(unit, op)?.info(unit);
            Some(info.filter(|_| own(unit, op)).map(|info| Loop {
                step: info.step.map(|(layer, _)| layer).or(only),
                dim: info.dim,
                class: class(info.level),
            }))
        });
        let mut traffic = traffic::of(unit, &own);
        let roles = roles(document, &traffic);
        for (buffer, role) in traffic.buffers.iter_mut().zip(&roles) {
            let Some(role) = role.filter(|_| buffer.is_nameless()) else { continue };
            let known = if role.out { &document.outs } else { &document.ins };
            buffer.name.clone_from(&known[role.number].name);
            if buffer.step.is_some() {
                buffer.name = format!("{}_{}", buffer.name, buffer.memory.to_lowercase());
            }
        }
        Nest { text: print(unit), loops: loops.collect(), traffic, roles }
    }

    /// Buffers that belong to a memory, the computation's only
    pub fn own(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.traffic.buffers.len()).filter(|n| self.traffic.buffers[*n].own)
    }
}

/// What buffers are: inputs and outputs by name, tiles by what is copied between
fn roles(document: &Document, traffic: &Traffic) -> Vec<Option<Role>> {
    let mut roles: Vec<Option<Role>> = vec![None; traffic.buffers.len()];
    for (n, buffer) in traffic.buffers.iter().enumerate().filter(|(_, buffer)| buffer.step.is_none()) {
        let of =
            |buffers: &[crate::document::Buffer]| buffers.iter().position(|known| known.name == buffer.name);
        let output = of(&document.outs).map(|number| Role { out: true, number });
        roles[n] = output.or_else(|| of(&document.ins).map(|number| Role { out: false, number }));
    }
    // Values without a name have no name in memory, either: what is written and no other output's, in order.
    for out in [true, false] {
        let known = if out { document.outs.len() } else { document.ins.len() };
        let missing =
            (0..known).map(|number| Role { out, number }).filter(|role| !roles.contains(&Some(*role)));
        let missing: Vec<Role> = missing.collect();
        let nameless = (0..roles.len()).filter(|n| {
            let buffer = &traffic.buffers[*n];
            let end = |flow: &Flow| if out { flow.to == Some(*n) } else { flow.from == Some(*n) };
            buffer.is_nameless() && buffer.own && buffer.step.is_none() && traffic.flows.iter().any(end)
        });
        let nameless: Vec<usize> = nameless.filter(|n| roles[*n].is_none()).collect();
        for (role, n) in missing.into_iter().zip(nameless) {
            roles[n] = Some(role);
        }
    }
    for out in [true, false] {
        for _ in 0..traffic.buffers.len() {
            for flow in &traffic.flows {
                let (Some(from), Some(to)) = (flow.from, flow.to) else { continue };
                let (known, next) = if out { (to, from) } else { (from, to) };
                let tile = traffic.buffers[next].step.is_some();
                if tile && roles[next].is_none() && roles[known].is_some_and(|role| role.out == out) {
                    roles[next] = roles[known];
                }
            }
        }
    }
    roles
}

/// Class of a level's color, as of the layer that asks for it
fn class(level: Level) -> &'static str {
    match level {
        Level::Seq => "seq",
        Level::Unroll => "unr",
        Level::Vector => "vec",
        Level::Mma | Level::Pe => "mma",
        Level::Lane(_) | Level::Thread(_) | Level::Task => "thr",
        Level::Warp(_) => "wrp",
        Level::Block(_) | Level::Global(_) => "blk",
        Level::Cluster(_) => "clu",
        Level::Device(_) => "dev",
    }
}
