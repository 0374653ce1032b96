//! HOME, MEM, CAP: buffers are where there is memory for them, and large enough memory.

use super::formula::{Formula, Term};
use super::nest::{AccessNode, Buffer, Nest};
use super::{Claim, Rule};
use crate::codes;
use crate::ops::Kernel;
use crate::space;
use terrace_devices::{Level, Levels, Space};
use terrace_ir::OpId;

pub(super) const HOME: Rule = Rule { name: "HOME", code: &codes::HOME, claims: home };
/// Local memory is owned by blocks: for searches
pub const STRICTLY_HOME: Rule = Rule { name: "HOME", code: &codes::HOME, claims: strictly_home };
pub(super) const MEM: Rule = Rule { name: "MEM", code: &codes::MEM, claims: sharing };
pub(super) const CAP: Rule = Rule { name: "CAP", code: &codes::CAP, claims: capacity };

/// A space of a GPU, not a string that names a memory of the host
fn is_gpu(nest: &Nest<'_>, buffer: &Buffer) -> bool {
    let space = match buffer.ty.kind(nest.ir.cx()) {
        terrace_ir::TypeKind::MemRef { space, .. } => *space,
        _ => None,
    };
    space.is_some_and(|space| space.as_str(nest.ir.cx()).is_none())
}

fn home(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for buffer in &nest.buffers {
        let (inside, gpu) = (buffer.kernel.is_some(), is_gpu(nest, buffer));
        let fits = match buffer.space {
            Space::Shared | Space::Cluster => inside,
            Space::Private => inside || !gpu,
            Space::Device => !inside,
            Space::Main | Space::Chip => !inside,
        };
        out.push(Claim {
            formula: Formula::Fact(fits),
            op: buffer.op,
            reason: format!(
                "{} cannot be made {} a kernel",
                buffer.space.name(),
                if inside { "inside of" } else { "outside of" }
            ),
            others: Vec::new(),
            help: if inside {
                "inside of kernels there are private and workgroup memory"
            } else {
                "private and workgroup memory are part of a kernel; outside there is main or device memory"
            },
        });
    }
}

/// Memory of a block is made once per block: a block loop around, no loop over the grid's threads
///
/// Not a rule of the verifier: a kernel may be one block, and a buffer that each thread makes is as many buffers. For
/// searches that want local memory to be shared.
fn strictly_home(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for buffer in nest.buffers.iter().filter(|buffer| buffer.space == Space::Shared) {
        let around: Vec<_> = nest.around(buffer.owner).collect();
        let block = around.iter().map(|id| Formula::Level(*id, Levels::BLOCK)).collect();
        let alone = around.iter().map(|id| {
            let single = Formula::AtMost(Term::Trip(*id), Term::Int(1));
            let below =
                Formula::Level(*id, Levels::GLOBAL.or(Levels::THREAD).or(Levels::WARP).or(Levels::LANE));
            Formula::Or(vec![single, Formula::Not(Box::new(below))])
        });
        let mut others: Vec<(OpId, &'static str)> = Vec::new();
        others.extend(buffer.owner.map(|id| (nest.info(id).op.0, "the loop that owns it")));
        out.push(Claim {
            formula: Formula::And(alone.chain([Formula::Or(block)]).collect()),
            op: buffer.op,
            reason: "local memory that its owner's iterations do not share with a block's threads".into(),
            others,
            help: "put a block loop around the buffer, and threads inside",
        });
    }
}

fn sharing(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for access in &nest.accesses {
        one_for_all(nest, access, out);
        let space = match nest.buffer_of(access.memref) {
            Some(buffer) => buffer.space,
            // An argument is where the caller has put it: main memory is a device's too, if it runs the kernel.
            None => space::of(nest.ir.cx(), nest.ir.ty(access.memref)),
        };
        let own = nest.buffer_of(access.memref).is_some();
        for id in nest.between(access.memref, access.inside) {
            let level = nest.info(id).level;
            if !own && space == Space::Main {
                continue;
            }
            // A collective runs once for the threads: they are not between.
            let together = access.per.map_or(Formula::Fact(false), |per| Formula::Level(id, per.members()));
            out.push(Claim {
                formula: Formula::parallel(id)
                    .implies(Formula::Or(vec![Formula::Level(id, space.sharers()), together])),
                op: access.op,
                reason: format!("iterations at level '{level}' cannot share {}", space.name()),
                others: [
                    Some((nest.info(id).op.0, "the loop between the buffer and its use")),
                    nest.buffer_of(access.memref).map(|buffer| (buffer.op, "the buffer")),
                ]
                .into_iter()
                .flatten()
                .collect(),
                help: "make the buffer inside of that loop, or in memory that its level shares",
            });
        }
    }
}

/// What members of an owner do together they do to one buffer: not to one that each of them has
fn one_for_all(nest: &Nest<'_>, access: &AccessNode, out: &mut Vec<Claim>) {
    let Some((per, buffer)) = access.per.zip(nest.buffer_of(access.memref)) else { return };
    let mut single = false;
    for id in nest.around(buffer.owner) {
        let level = nest.info(id).level;
        if per.owns(level) {
            break;
        }
        single |= level.is_thread_like();
        out.push(Claim {
            formula: Formula::parallel(id).implies(Formula::Not(Box::new(Formula::Level(id, per.members())))),
            op: access.op,
            reason: format!(
                "is done together, but each iteration at level '{level}' has a buffer of its own"
            ),
            others: vec![(nest.info(id).op.0, "the loop that owns the buffer"), (buffer.op, "the buffer")],
            help: "make the buffer outside of that loop, or let each iteration copy for itself",
        });
    }
    if !single && buffer.space == Space::Private && buffer.kernel.is_some() {
        out.push(Claim {
            formula: Formula::Fact(false),
            op: access.op,
            reason: "is done together, but each thread has a buffer of its own".into(),
            others: vec![(buffer.op, "the buffer")],
            help: "copy between memory that the threads share, or let each thread copy for itself",
        });
    }
}

/// Shared memory of a block on the largest device there is, in bytes
pub const MOST_SHARED: i64 = 227 << 10;

fn capacity(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    let cx = nest.ir.cx();
    let mut kernels: Vec<OpId> = Vec::new();
    for kernel in nest.buffers.iter().filter_map(|buffer| buffer.kernel) {
        if !kernels.contains(&kernel) {
            kernels.push(kernel);
        }
    }
    for kernel in kernels {
        let block = Kernel::cast(nest.ir, kernel).map_or([1; 3], |kernel| kernel.block_size(nest.ir));
        let mut bytes = 0i64;
        let mut largest: Option<(&Buffer, i64)> = None;
        for buffer in nest.buffers.iter().filter(|buffer| buffer.kernel == Some(kernel)) {
            if buffer.space != Space::Shared {
                continue;
            }
            let elem: i64 = buffer.ty.scalar(cx).bit_width(cx).unwrap_or(64).div_ceil(8).into();
            // Owned by an iteration of threads: one for all of them that differ along other axes only.
            let mut along = [false; 3];
            for id in nest.around(buffer.owner).filter(|id| nest.info(*id).trip() > 1) {
                if let Level::Thread(axis) | Level::Global(axis) = nest.info(id).level {
                    along[axis.number()] = true;
                }
            }
            let copies = block.iter().zip(along).filter(|(_, along)| *along).map(|(size, _)| *size);
            let copies = copies.fold(1, i64::saturating_mul);
            // One per round in flight.
            let stages = nest
                .around(buffer.inside)
                .find_map(|id| nest.info(id).op.stages(nest.ir))
                .and_then(|stages| stages.as_i64(cx));
            let copies = copies.saturating_mul(stages.unwrap_or(1).max(1));
            let own =
                buffer.ty.num_elements(cx).unwrap_or(i64::MAX).saturating_mul(elem).saturating_mul(copies);
            bytes = bytes.saturating_add(own);
            if largest.is_none_or(|(_, most)| own > most) {
                largest = Some((buffer, own));
            }
        }
        let Some((buffer, own)) = largest else { continue };
        out.push(Claim {
            formula: Formula::Fact(bytes <= MOST_SHARED),
            op: buffer.op,
            reason: format!(
                "a block's shared memory holds {bytes} bytes ({own} of them here), and no device has more than {MOST_SHARED}"
            ),
            others: vec![(kernel, "the kernel")],
            help: "make tiles smaller",
        });
    }
}
