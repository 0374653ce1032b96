//! Loops over tiles that stand in each other become one loop, so that its rounds overlap from the first to the last.
//!
//! ```mlir
//! scf.for %i = 0 to 24 step 8 { scf.for %j = 0 to 18 step 9 { … } }
//! // becomes
//! scf.for %round = 0 to 6 step 1 { %i = (%round / 2) * 8, %j = (%round mod 2) * 9; … }
//! ```

use terrace_dialect_arith as arith;
use terrace_dialect_scf as scf;
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Builder, Ir, Name, NewOp, OpId, Value};

/// A loop whose bounds are numbers
struct Counted {
    op: OpId,
    iv: Value,
    first: i64,
    step: i64,
    trips: i64,
}

impl Counted {
    fn of(ir: &Ir, op: OpId) -> Option<Counted> {
        let one = scf::For::cast(ir, op)?;
        let number = |value: Value| constant_of(ir, value)?.as_i64(ir.cx());
        let (first, end, step) =
            (number(one.lower_bound(ir))?, number(one.upper_bound(ir))?, number(one.step(ir))?);
        let span = end.checked_sub(first).filter(|span| *span > 0 && step > 0)?;
        let iv = *ir.block_args(ir.single_block(one.region(ir))?).first()?;
        Some(Counted { op, iv, first, step, trips: (span - 1) / step + 1 })
    }
}

/// Trip count of a loop whose bounds are numbers
pub(crate) fn trips(ir: &Ir, op: OpId) -> Option<i64> {
    Some(Counted::of(ir, op)?.trips)
}

/// Is the op all that the body of the loop around has, but for constants?
fn is_alone(ir: &Ir, op: OpId) -> bool {
    let Some(block) = ir.block(op) else { return false };
    ir.block_ops(block).all(|other| other == op || ir.last_op(block) == Some(other))
}

/// Make the loop and those right around it one; gives its body
pub(crate) fn flatten(ir: &mut Ir, innermost: OpId) -> Option<BlockId> {
    // Rounds are numbered by an index, so other variables would change their type.
    let plain = |op: OpId| {
        let by_index = |one: scf::For| ir.ty(one.step(ir)).is_index(ir.cx());
        scf::For::cast(ir, op).is_some_and(|one| one.inits(ir).is_empty() && by_index(one))
    };
    let mut nest = vec![Counted::of(ir, innermost).filter(|one| plain(one.op))?];
    while let Some(inner) = nest.last() {
        let around = ir.parent(inner.op).filter(|around| is_alone(ir, inner.op) && plain(*around));
        match around.and_then(|around| Counted::of(ir, around)) {
            Some(outer) => nest.push(outer),
            None => break,
        }
    }
    let as_it_is = nest.len() == 1 && nest[0].first == 0 && nest[0].step == 1;
    let total = nest.iter().try_fold(1i64, |all, one| all.checked_mul(one.trips))?;
    let old = ir.single_block(scf::For(innermost).region(ir))?;
    if as_it_is {
        return Some(old);
    }
    let (outermost, loc) = (nest.last()?.op, ir.loc(innermost));
    let mut b = Builder::before(ir, outermost);
    b.set_loc(loc);
    let bounds = [0, total, 1].map(|number| index(&mut b, number));
    let kind = b.kind(scf::For::DEF);
    let made = b.insert(&NewOp { operands: &bounds, regions: 1, ..NewOp::new(kind) });
    let region = ir.region(made, 0);
    let block = ir.append_block(region);
    let ty = ir.cx().common().index;
    let round = ir.add_block_arg(block, ty);
    let name = Name::Str(ir.cx().intern("round"));
    ir.set_value_name(round, name);
    let mut b = Builder::at_end(ir, block);
    b.set_loc(loc);
    let values = coordinates(&mut b, round, &nest);
    if let Some(first) = ir.first_op(old) {
        ir.move_tail(first, block);
    }
    for (one, value) in nest.iter().zip(values) {
        if value != round {
            ir.copy_value_name(one.iv, value);
        }
        ir.replace_all_uses(one.iv, value);
    }
    ir.erase(outermost);
    Some(block)
}

/// The variables of loops, innermost first, from the number of a round
fn coordinates(b: &mut Builder<'_>, round: Value, nest: &[Counted]) -> Vec<Value> {
    let mut inside = 1;
    let mut values = Vec::new();
    for (n, one) in nest.iter().enumerate() {
        let mut value = round;
        if inside > 1 {
            let by = index(b, inside);
            value = arith::DivUI::build(b, value, by).result(b.read());
        }
        if n + 1 < nest.len() {
            let by = index(b, one.trips);
            value = arith::RemUI::build(b, value, by).result(b.read());
        }
        if one.step != 1 {
            let by = index(b, one.step);
            value = arith::MulI::build(b, value, by).result(b.read());
        }
        if one.first != 0 {
            let by = index(b, one.first);
            value = arith::AddI::build(b, value, by).result(b.read());
        }
        values.push(value);
        inside *= one.trips;
    }
    values
}

/// A constant index
fn index(b: &mut Builder<'_>, number: i64) -> Value {
    let ty = b.cx().common().index;
    let attr = b.cx().int_attr(number.into(), ty);
    arith::Constant::build(b, attr).result(b.read())
}
