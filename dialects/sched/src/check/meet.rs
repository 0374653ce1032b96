//! SYNC, VEC: threads that meet all arrive; bodies of vector loops have lanes.

use super::formula::{Formula, Term};
use super::nest::{LoopId, Nest};
use super::{Claim, Rule};
use crate::codes;
use crate::ops::{Alloc, Copy};
use terrace_analysis::{Range, coefficient_of, simplify_with_ranges};
use terrace_devices::{Level, Per};
use terrace_ir::OpId;
use terrace_support::affine::AffineExpr;

pub(super) const SYNC: Rule = Rule { name: "SYNC", code: &codes::SYNC, claims: meeting };
pub(super) const VEC: Rule = Rule { name: "VEC", code: &codes::VEC, claims: lanes };

/// Points where threads of a block meet inside of thread loops: collectives, and values merged across threads
fn points(nest: &Nest<'_>) -> Vec<(Option<LoopId>, OpId)> {
    let mut all: Vec<(Option<LoopId>, OpId)> =
        nest.collectives.iter().map(|(_, inside, op)| (*inside, *op)).collect();
    for (id, each) in nest.loops.iter().enumerate() {
        let merges = each.info.level.is_thread_like() && nest.ir.num_results(each.info.op.0) > 0;
        if merges && each.info.trip() > 1 {
            all.push((nest.loops[id].parent, each.info.op.0));
        }
    }
    all
}

/// Is it a collective of all threads of a block, not of a warp's?
fn of_block(nest: &Nest<'_>, op: OpId) -> bool {
    let owner = Copy::cast(nest.ir, op).and_then(|copy| copy.owner(nest.ir));
    let owner = owner.or_else(|| Alloc::cast(nest.ir, op).and_then(|alloc| alloc.owner(nest.ir)));
    owner == Some(Per::Block)
}

fn meeting(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for (inside, op) in points(nest) {
        for id in nest.around(inside) {
            let info = nest.info(id);
            if let (Level::Thread(axis), Some((_, block))) = (info.level, nest.kernel_sizes(id)) {
                out.push(Claim {
                    formula: Formula::And(vec![
                        Formula::Equal(Term::Trip(id), Term::Block(id, axis)),
                        Formula::Fact(info.limit.is_none() && info.from.is_none()),
                    ]),
                    op,
                    reason: format!(
                        "all {} threads of the block meet here along {}, but the loop around has {}{}",
                        block[axis.number()],
                        axis.name(),
                        info.trip(),
                        if info.limit.is_some() { " and a limit" } else { "" }
                    ),
                    others: vec![(info.op.0, "the loop around")],
                    help: "make its trip the size of the block, without a limit",
                });
            }
            // A warp left out is whole: what its lanes do together, they all leave out.
            let left_out = match info.level {
                Level::Warp(_) => of_block(nest, op),
                Level::Lane(_) => true,
                _ => false,
            };
            if left_out && nest.kernel_sizes(id).is_some() {
                out.push(Claim {
                    formula: Formula::Fact(info.limit.is_none() && info.from.is_none()),
                    op,
                    reason:
                        "all threads of the block meet here, but the loop around leaves some out by a limit"
                            .into(),
                    others: vec![(info.op.0, "the loop around")],
                    help: "let all warps and lanes come, and limit what they do inside",
                });
            }
            if info.level.is_parallel() {
                continue;
            }
            // Rounds that differ from thread to thread.
            let bounds = info.limit.iter().chain(&info.from);
            let varies = bounds.flat_map(|bound| &bound.values).any(|value| {
                nest.loop_of(*value).is_some_and(|other| {
                    nest.info(other).level.is_thread_like() && nest.info(other).trip() > 1
                })
            });
            out.push(Claim {
                formula: Formula::Fact(!varies),
                op,
                reason:
                    "threads of the block meet here, but a loop around runs for some longer than for others"
                        .into(),
                others: vec![(info.op.0, "the loop around")],
                help: "let its limit be the same for all threads",
            });
        }
        let mut around = nest.ir.parent(op);
        while let Some(outer) = around {
            if nest.ir.op_name(outer) == "scf.if" {
                out.push(Claim {
                    formula: Formula::Fact(false),
                    op,
                    reason: "threads of the block meet here, but only those come for which a condition holds"
                        .into(),
                    others: vec![(outer, "the condition")],
                    help: "move it out of the condition",
                });
            }
            around = nest.ir.parent(outer);
        }
    }
    barriers(nest, out);
    super::branches::claims(nest, out);
}

/// Barriers between what threads write and read: nobody is left out of a loop around, or runs it longer
fn barriers(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    // Where all loops run for all threads equally, nothing has to be asked.
    let uneven = |place: Option<LoopId>| nest.around(place).find(|id| nest.is_uneven(*id));
    if !(0..nest.loops.len()).any(|id| nest.loops[id].kernel.is_some() && nest.is_uneven(id)) {
        return;
    }
    for join in nest.joins() {
        let Some(id) = uneven(join.place) else { continue };
        if join.round && join.place.is_some_and(|place| nest.info(place).level.is_parallel()) {
            continue;
        }
        let Some(kernel) = nest.loops[id].kernel.filter(|kernel| !nest.has_warps(*kernel)) else { continue };
        let Some(block) = nest.block_of(kernel).filter(|block| nest.waits_at(&join, *block)) else {
            continue;
        };
        let (info, first, second) = (nest.info(id), &nest.accesses[join.first], &nest.accesses[join.second]);
        let reason = match info.level.axis() {
            Some(axis) if strips_around(nest, id).is_some() => {
                let (all, by) = strips_around(nest, id).unwrap_or((0, 1));
                format!(
                    "waits for other threads of the block, but {all} iterations go round in strips of {by} for its threads along {}: {} of these have none in the last strip",
                    axis.name(),
                    by - all % by
                )
            }
            Some(axis) if info.level.is_parallel() => format!(
                "waits for other threads of the block, which has {} along {}, but the loop around has {}{}",
                block[axis.number()],
                axis.name(),
                info.trip(),
                if info.limit.is_some() { " and a limit" } else { "" }
            ),
            _ => {
                "waits for other threads of the block, but a loop around runs for some longer than for others"
                    .to_string()
            }
        };
        let mut others = vec![(info.op.0, "the loop around")];
        if first.op != second.op {
            others.insert(0, (first.op, "other threads do this before"));
        }
        out.push(Claim {
            formula: Formula::Fact(false),
            op: second.op,
            reason,
            others,
            help: "make its trip the size of the block, without a limit, or let each thread use what it wrote",
        });
    }
}

/// All iterations and those of a strip, of a loop over what is in a strip of which the last has a rest
fn strips_around(nest: &Nest<'_>, id: LoopId) -> Option<(i64, i64)> {
    let info = nest.info(id);
    let around = nest.info(nest.loops[id].parent?);
    let cut = info.limit.is_some() && info.dim.is_some() && around.dim == info.dim;
    let fits = around.tile == info.extent && info.tile == 1 && around.extent % around.tile != 0;
    (cut && fits).then_some((around.extent, around.tile))
}

fn lanes(nest: &Nest<'_>, out: &mut Vec<Claim>) {
    for (id, each) in nest.loops.iter().enumerate() {
        if each.info.level != Level::Vector || each.info.trip() <= 1 {
            continue;
        }
        for inner in (0..nest.loops.len()).filter(|inner| *inner != id && nest.is_in(Some(*inner), id)) {
            out.push(Claim {
                formula: Formula::Not(Box::new(Formula::parallel(inner))),
                op: nest.info(inner).op.0,
                reason: format!("runs at level '{}' inside of a vector loop", nest.info(inner).level),
                others: vec![(each.info.op.0, "the vector loop")],
                help: "lanes run straight code and sequential loops",
            });
        }
        for (_, _, op) in nest.collectives.iter().filter(|(_, inside, _)| nest.is_in(*inside, id)) {
            out.push(Claim {
                formula: Formula::Fact(false),
                op: *op,
                reason: "is run by a block together, inside of a vector loop".into(),
                others: vec![(each.info.op.0, "the vector loop")],
                help: "",
            });
        }
        for access in nest.accesses.iter().filter(|access| nest.is_in(access.inside, id)) {
            let offset = stride(nest, access, id);
            out.push(Claim {
                formula: Formula::Fact(offset != Lanes::Scattered),
                op: access.op,
                reason: "lanes are neither one element nor neighbours in memory".into(),
                others: vec![(each.info.op.0, "the vector loop")],
                help: "vectorise the dimension that is last in memory, or say `unroll` in place of `vector`",
            });
        }
    }
}

#[derive(PartialEq, Eq)]
enum Lanes {
    One,
    Neighbours,
    Scattered,
}

/// How an access moves from lane to lane
fn stride(nest: &Nest<'_>, access: &super::nest::AccessNode, id: LoopId) -> Lanes {
    let info = nest.info(id);
    let mut ranges: Vec<Range> =
        access.domain.iter().map(|size| Range::below(*size).unwrap_or(Range::one(0))).collect();
    let own = access.domain.len();
    let mut dim = None;
    for (n, value) in access.at.values.iter().enumerate() {
        let of = nest.loop_of(*value);
        ranges.push(of.map_or(Range::ALL, |id| nest.range(id)));
        if *value == info.iv {
            dim = Some((own + n) as u32);
        }
    }
    let Some(dim) = dim else { return Lanes::One };
    let exprs: Vec<AffineExpr> =
        access.at.map.results.iter().map(|expr| simplify_with_ranges(expr, &ranges)).collect();
    let shape = nest.ir.ty(access.memref).shape(nest.ir.cx()).unwrap_or(&[]);
    // The offset in memory, in elements.
    let mut offset = AffineExpr::Constant(0);
    let mut step = 1i64;
    for (expr, size) in exprs.iter().zip(shape).rev() {
        offset = AffineExpr::add(offset, AffineExpr::mul(expr.clone(), AffineExpr::Constant(step)));
        step = step.saturating_mul(*size);
    }
    let offset = simplify_with_ranges(&offset, &ranges);
    if !offset.uses_dim(dim) {
        return Lanes::One;
    }
    match coefficient_of(&offset, dim).map(|factor| factor.saturating_mul(info.tile)) {
        Some(0) => Lanes::One,
        Some(1) => Lanes::Neighbours,
        _ => Lanes::Scattered,
    }
}
