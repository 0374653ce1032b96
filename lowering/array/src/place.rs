//! Memory for computed values that have none (the pass `array-place` runs it).
//!
//! The lowering is tried on a copy; where it stops for want of a place, one is put in, and it is tried again. So places are
//! put in where they are needed and nowhere else. Nothing is fused: a rule that fuses is the other way out.

use crate::array_to_sched::attempt;
use crate::codes;
use terrace_dialect_array::types::split_type;
use terrace_dialect_array::{Join, Map, Place, Slice, Split, Transpose, Yield};
use terrace_dialect_func::Return;
use terrace_dialect_sched::Level;
use terrace_ir::symbols::{ScopeId, Symbols};
use terrace_ir::{Builder, Ir, OpId, Value};

/// Most places of a function
const MOST: usize = 1000;

/// Give memory to values of a function that need it; how many
pub fn place(unit: &mut Ir, symbols: &Symbols, scope: ScopeId) -> usize {
    let mut count = 0;
    while count < MOST {
        let mut copy = unit.clone_unit();
        let Err(stop) = attempt(&mut copy, symbols, scope) else { break };
        let missing = stop.code.id == codes::NO_PLACE.id;
        let behind = stop.code.id == codes::NO_WRITE.id;
        // A copy has the handles of what it was made from.
        let op = stop.op;
        if !missing && !behind || !unit.is_alive(op) || unit.num_results(op) == 0 {
            break;
        }
        let (mut value, mut user) = (unit.result(op, 0), None);
        if behind {
            (value, user) = (unit.operand(op, 0), Some(op));
        }
        // An element of what is mapped: the whole is placed.
        while let (None, Some(own)) = (unit.defining_op(value), user) {
            let Some(map) = unit.parent(own).and_then(|map| Map::cast(unit, map)) else { break };
            (value, user) = (map.x(unit), Some(map.id()));
        }
        if !put(unit, value, user) {
            break;
        }
        count += 1;
    }
    count
}

/// Compute at once in the order of the result what is put in another order only to be returned; how many places went
pub fn drop_last(unit: &mut Ir, symbols: &Symbols, scope: ScopeId) -> usize {
    let root = unit.root();
    let places: Vec<OpId> = unit
        .walk_below(root)
        .filter(|op| unit.parent(*op) == Some(root) && Place::cast(unit, *op).is_some())
        .filter(|op| is_whole_result(unit, *op))
        .collect();
    let mut count = 0;
    for place in places {
        let without = |ir: &mut Ir| {
            let (from, to) = (Place(place).result(ir), Place(place).x(ir));
            ir.replace_all_uses(from, to);
            ir.erase(place);
        };
        let mut copy = unit.clone_unit();
        without(&mut copy);
        if attempt(&mut copy, symbols, scope).is_ok() {
            without(unit);
            count += 1;
        }
    }
    count
}

/// Is all of a place returned, in whatever order, and nothing else done with it?
fn is_whole_result(ir: &Ir, place: OpId) -> bool {
    let Some(elements) = elements(ir, ir.result(place, 0)) else { return false };
    let mut value = ir.result(place, 0);
    loop {
        let mut uses = ir.uses(value);
        let (Some((user, _)), None) = (uses.next(), uses.next()) else { return false };
        if ir.parent(user) != Some(ir.root()) {
            return false;
        }
        if Return::cast(ir, user).is_some() {
            // What is returned as it is goes to its destination anyway.
            return Place::cast(ir, place).is_some() && value != ir.result(place, 0);
        }
        let layout = rearranges(ir, user) || Map::cast(ir, user).is_some_and(|map| is_order_only(ir, map));
        if !layout || ir.num_results(user) != 1 || ir.num_operands(user) != 1 {
            return false;
        }
        value = ir.result(user, 0);
        if self::elements(ir, value) != Some(elements) {
            return false;
        }
    }
}

/// Layout ops that keep all elements, if they keep their number
fn rearranges(ir: &Ir, op: OpId) -> bool {
    [Split::DEF, Join::DEF, Transpose::DEF, Slice::DEF].iter().any(|def| ir.is(op, def))
}

/// Does a map only bring elements of its elements into another order?
fn is_order_only(ir: &Ir, map: Map) -> bool {
    ir.walk_below(map.0)
        .all(|op| rearranges(ir, op) || Map::cast(ir, op).is_some() || Yield::cast(ir, op).is_some())
}

/// Numbers of an array whose sizes are known
fn elements(ir: &Ir, value: Value) -> Option<i64> {
    let cx = ir.cx();
    let (mut ty, mut count) = (ir.ty(value), 1i64);
    while let Some((size, elem)) = split_type(cx, ty) {
        count = count.checked_mul(size.as_constant()?)?;
        ty = elem;
    }
    Some(count)
}

/// Put a place behind what computes a value, for one user or for all; false if there is one
fn put(ir: &mut Ir, value: Value, user: Option<OpId>) -> bool {
    let Some(op) = ir.defining_op(value).filter(|op| Place::cast(ir, *op).is_none()) else {
        return false;
    };
    if ir.uses(value).any(|(user, _)| Place::cast(ir, user).is_some()) && user.is_none() {
        return false;
    }
    let space = ir.cx().str_attr(space(ir, op));
    let users: Vec<(OpId, usize)> =
        ir.uses(value).filter(|(own, _)| user.is_none_or(|user| user == *own)).collect();
    let mut b = Builder::after(ir, op);
    let ty = b.read().ty(value);
    let place = Place::build(&mut b, value, space, ty);
    let placed = place.result(ir);
    for (user, n) in users {
        ir.set_operand(user, n, placed);
    }
    true
}

/// The memory that whoever runs an op has
pub(crate) fn space(ir: &Ir, op: OpId) -> &'static str {
    let mut around = ir.parent(op);
    let mut found = "main";
    while let Some(outer) = around {
        around = ir.parent(outer);
        let word = ir.attr(outer, "level").and_then(|level| level.as_str(ir.cx()));
        match word.and_then(|word| word.parse::<Level>().ok()) {
            Some(level) if level.is_thread_like() || matches!(level, Level::Global(_)) => return "private",
            Some(level) if level.is_grid_like() => found = "local",
            _ => {}
        }
    }
    found
}
