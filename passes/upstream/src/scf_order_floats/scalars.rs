//! Single elements that are merged with what the lanes of a vector gave.
//!
//! What a row leaves over, after its vectors, is one element. The largest of a vector and an element is that of the vector whose lanes
//! are merged with it first, so that all of a row is vectors. Merged alone it would take six instructions and a branch, which is missed
//! often.

use terrace_dialect_arith::{FastMathFlags, MaximumF, MinimumF};
use terrace_dialect_vector::{Broadcast, CombiningKind, Reduction};
use terrace_ir::{Builder, Ir, OpId, Value};

use super::{merges, reduced};

/// Merge single elements with all lanes before these are reduced; how many
///
/// What a loop carries stays as it is: there the way from one to the next is what takes time.
pub(super) fn spread(ir: &mut Ir) -> u64 {
    let all: Vec<OpId> = ir.walk().filter(|op| kind_of(ir, *op).is_some()).collect();
    all.into_iter().filter_map(|op| spread_one(ir, op)).count() as u64
}

fn spread_one(ir: &mut Ir, op: OpId) -> Option<()> {
    let kind = kind_of(ir, op)?;
    let operands = [ir.operand(op, 0), ir.operand(op, 1)];
    let (at, lanes) =
        operands.iter().enumerate().find_map(|(n, value)| Some((n, lanes(ir, *value, kind)?)))?;
    let single = operands[1 - at];
    ir.defining_op(single)?;
    // In a loop of its own, lanes would be reduced in each iteration.
    (ir.block(op) == ir.block(lanes.id())).then_some(())?;
    let (vector, old) = (lanes.vector(ir), ir.result(op, 0));
    let (ty, elem, loc) = (ir.ty(vector), ir.ty(old), ir.loc(op));
    let mut b = Builder::before(ir, op);
    b.set_loc(loc);
    let all = Broadcast::build(&mut b, single, ty).vector(b.read());
    let merged = match kind {
        CombiningKind::MaximumF => MaximumF::build(&mut b, vector, all).result(b.read()),
        _ => MinimumF::build(&mut b, vector, all).result(b.read()),
    };
    let result = reduced(&mut b, kind, merged, elem);
    ir.replace_all_uses(old, result);
    ir.erase(op);
    ir.erase(lanes.id());
    Some(())
}

/// The reduction of lanes that gives a value for one use, by the same operator
fn lanes(ir: &Ir, value: Value, kind: CombiningKind) -> Option<Reduction> {
    let found = Reduction::cast(ir, ir.defining_op(value)?)?;
    let once = ir.uses(value).nth(1).is_none();
    let all = found.acc(ir).is_none() && !found.fastmath(ir).has(FastMathFlags::NNAN);
    (once && all && found.kind(ir) == kind).then_some(found)
}

/// What an op on single floats merges by
fn kind_of(ir: &Ir, op: OpId) -> Option<CombiningKind> {
    let kinds = [(MaximumF::DEF, CombiningKind::MaximumF), (MinimumF::DEF, CombiningKind::MinimumF)];
    let (_, kind) = kinds.into_iter().find(|(def, _)| merges(ir, op, def))?;
    ir.ty(ir.result(op, 0)).is_float(ir.cx()).then_some(kind)
}
