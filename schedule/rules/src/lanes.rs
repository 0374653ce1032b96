//! VEC: bodies of vector loops have lanes.

use crate::evaluate::Cx;
use crate::formula::Formula;
use crate::question::Question;
use crate::{Claims, Reason, Rule, Subject};
use terrace_analysis::{coefficient_of, simplify_with_ranges};
use terrace_devices::Levels;
use terrace_schedule_model::nest::{APART, Access, AccessId, LoopId, Use};
use terrace_schedule_model::nest_decided::Decided;
use terrace_support::affine::AffineExpr;

/// Bodies of vector loops have lanes
pub const VEC: Rule = Rule { name: "VEC", claims: lanes };

fn lanes(cx: &Cx<'_>, out: &mut dyn Claims) {
    let nest = cx.nest;
    for id in nest.loops.ids().filter(|id| !cx.levels(*id).and(Levels::VECTOR).is_empty()) {
        let vector = || cx.several_at(id, Levels::VECTOR);
        let others = || vec![(Subject::Loop(id), "the vector loop")];
        for inner in nest.inside(id) {
            out.claim(vector(), &|| !cx.parallel(inner), &|| Reason {
                about: Subject::Loop(inner),
                text: format!("runs at level '{}' inside of a vector loop", cx.level(inner)),
                others: others(),
                help: "lanes run straight code and sequential loops",
            });
        }
        for meeting in nest.meetings.iter().filter(|meeting| nest.is_in(meeting.around.inside, id)) {
            out.claim(vector(), &|| Formula::Known(false), &|| Reason {
                about: Subject::Access(meeting.access),
                text: "is run by a block together, inside of a vector loop".into(),
                others: others(),
                help: "",
            });
        }
        for (access, own) in nest.accesses.entries() {
            if !nest.is_in(own.around.inside, id) {
                continue;
            }
            out.claim(vector(), &|| Formula::Query(Question::Lanes(access, id)), &|| Reason {
                about: Subject::Access(access),
                text: "lanes are neither one element nor neighbours in memory".into(),
                others: others(),
                help: "vectorise the dimension that is last in memory, or say `unroll` in place of `vector`",
            });
        }
    }
}

/// Do lanes access one element, or neighbors in memory? Lanes of a read may be a few elements of a row apart, and those of writes
/// that fill groups of neighbors together.
pub(crate) fn has_lanes(nest: &Decided<'_>, access: AccessId, id: LoopId) -> bool {
    let access = &nest.accesses[access];
    let ranges = nest.ranges(access);
    let Some(dim) = access.dim_of(id) else { return true };
    let exprs: Vec<AffineExpr> =
        access.map.results.iter().map(|expr| simplify_with_ranges(expr, &ranges)).collect();
    // The offset in memory, in elements.
    let mut offset = AffineExpr::Constant(0);
    let mut step = 1i64;
    for (expr, size) in exprs.iter().zip(&nest.buffer_of(access).shape).rev() {
        offset = AffineExpr::add(offset, AffineExpr::mul(expr.clone(), AffineExpr::Constant(step)));
        step = step.saturating_mul(*size);
    }
    let offset = simplify_with_ranges(&offset, &ranges);
    let tile = nest.run(id).tile;
    let factor = |expr: &AffineExpr| coefficient_of(expr, dim as u32).and_then(|own| own.checked_mul(tile));
    !offset.uses_dim(dim as u32)
        || match factor(&offset) {
            Some(0 | 1) => true,
            apart @ Some(2..=APART) => {
                let row = exprs.last().is_some_and(|last| factor(last) == apart);
                reads(access) && row || apart == Some(group(nest, access))
            }
            _ => false,
        }
}

/// Elements of the groups that a write and others in the same place fill together: those of the last dimension, one a write. 1 if
/// it fills none
fn group(nest: &Decided<'_>, access: &Access) -> i64 {
    let writes = |other: &Access| other.does == Use::Write && !other.guarded && !other.copy;
    let Some(size) = nest.buffer_of(access).shape.last().filter(|_| writes(access)) else { return 1 };
    let fills = |n: i64| {
        nest.accesses.iter().any(|other| {
            let same = other.buffer == access.buffer && other.around.inside == access.around.inside;
            let (Some((last, at)), Some((_, own))) =
                (other.map.results.split_last(), access.map.results.split_last())
            else {
                return false;
            };
            let place = at == own && other.over == access.over && *last == AffineExpr::Constant(n);
            same && place && writes(other)
        })
    };
    let fixed = matches!(access.map.results.last(), Some(AffineExpr::Constant(_)));
    if fixed && (2..=APART).contains(size) && (0..*size).all(fills) { *size } else { 1 }
}

/// Does it read, and is no copy?
fn reads(access: &Access) -> bool {
    access.does == Use::Read && !access.copy
}
