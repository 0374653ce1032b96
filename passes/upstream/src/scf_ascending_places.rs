//! Places that loops carry are those of earlier iterations: comparisons with the place of this one are known.
//!
//! An argmax keeps the lesser place of equal values, in whatever order they come. A loop comes to them in order: the place of an iteration
//! is greater than all before, in each lane. So the lesser of both is the one that is carried, and equal values need no comparison.

mod sums;

use std::collections::HashSet;
use sums::Sums;

use terrace_diag::Reported;
use terrace_dialect_arith::{CmpI, CmpIPredicate, Constant, MaxSI, MinSI, Select};
use terrace_dialect_scf::For;
use terrace_ir::fold::constant_of;
use terrace_ir::{Builder, Ir, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Most ops between a value that a loop carries and those that it may be
const CHOICES: usize = 64;

/// Comparisons of places that a loop carries with the place of an iteration are replaced by what they give
///
/// For integers that `scf.for` carries, scalars or vectors, that are chosen from what was carried and from a sum that grows with the loop's variable, and
/// start below it. Their minimum, maximum and signed comparisons with such sums are known, in the loop and behind it. Ends of loops are
/// constants.
///
/// ```mlir
/// func.func @f(%x: memref<9xf32>, %first: f32) -> i32 {
///   %c1 = arith.constant 1 : index
///   %c9 = arith.constant 9 : index
///   %zero = arith.constant 0 : i32
///   %v, %p = scf.for %i = %c1 to %c9 step %c1 iter_args(%a = %first, %place = %zero) -> (f32, i32) {
///     %b = memref.load %x[%i] : memref<9xf32>
///     %here = arith.index_cast %i : index to i32
///     %more = arith.cmpf ogt, %b, %a : f32
///     %equal = arith.cmpf oeq, %b, %a : f32
///     %least = arith.minsi %place, %here : i32
///     %kept = arith.select %equal, %least, %place : i32
///     %value = arith.select %more, %b, %a : f32
///     %next = arith.select %more, %here, %kept : i32
///     scf.yield %value, %next : f32, i32
///   }
///   return %p : i32
/// }
/// ```
#[pass("scf-ascending-places", stats("comparisons known"))]
pub struct ScfAscendingPlaces;

impl Pass for ScfAscendingPlaces {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let loops: Vec<For> = unit.walk().filter_map(|op| For::cast(unit, op)).collect();
        let mut known = 0;
        for each in loops {
            for carried in places(unit, each) {
                known += decide(unit, carried.inside, &carried.places);
                known += decide(unit, carried.behind, &carried.end);
            }
        }
        cx.count("comparisons known", known);
        cx.set_changed(known > 0);
        Ok(())
    }
}

/// A place that a loop carries
struct Carried {
    /// In the loop
    inside: Value,
    /// What the loop gives
    behind: Value,
    /// Greater than what is carried, in each iteration
    places: Sums,
    /// Greater than what the loop gives
    end: Sums,
}

/// The places that a loop carries
fn places(ir: &Ir, each: For) -> Vec<Carried> {
    let number = |value: Value| constant_of(ir, value)?.as_i64(ir.cx());
    let ends = [each.lower_bound(ir), each.upper_bound(ir), each.step(ir)].map(number);
    let ([Some(lower), Some(upper), Some(step)], None) = (ends, each.unsigned(ir)) else { return Vec::new() };
    let Some(body) = ir.entry(each.region(ir)).filter(|_| step > 0 && lower < upper) else {
        return Vec::new();
    };
    let (args, inits) = (ir.block_args(body), each.inits(ir));
    let Some((variable, args)) = args.split_first() else { return Vec::new() };
    let Some(last) = ir.last_op(body) else { return Vec::new() };
    let carried = |n: usize| {
        let (inside, init) = (*args.get(n)?, *inits.get(n)?);
        let next = choices(ir, ir.operand(last, n), inside)?;
        let places = Sums::of(ir, next).filter(|sums| sums.factor(*variable) > 0)?;
        let starts = Sums::of(ir, init)?.below(&places.at(*variable, lower)?);
        let end = places.at(*variable, upper)?;
        starts.then(|| Carried { inside, behind: ir.result(each.0, n), places, end })
    };
    (0..ir.num_operands(last)).filter_map(carried).collect()
}

/// The only value that a value may be, other than one that stays
fn choices(ir: &Ir, value: Value, stays: Value) -> Option<Value> {
    let (mut pending, mut seen, mut found) = (vec![value], HashSet::new(), None);
    while let Some(value) = pending.pop() {
        if value == stays || !seen.insert(value) {
            continue;
        }
        if seen.len() > CHOICES {
            return None;
        }
        let op = ir.defining_op(value);
        if let Some(choice) = op.and_then(|op| Select::cast(ir, op)) {
            pending.extend([choice.true_value(ir), choice.false_value(ir)]);
        } else if let Some(op) = op.filter(|op| ir.is_any(*op, &[MinSI::DEF, MaxSI::DEF])) {
            pending.extend(ir.operands(op));
        } else if found.is_some_and(|other| other != value) {
            return None;
        } else {
            found = Some(value);
        }
    }
    found
}

/// Replace comparisons of a place with sums that are greater, given one of them; how many
fn decide(ir: &mut Ir, place: Value, greater: &Sums) -> u64 {
    let mut seen = HashSet::new();
    let users: Vec<OpId> = ir.uses(place).map(|(user, _)| user).filter(|user| seen.insert(*user)).collect();
    let mut known = 0;
    for op in users {
        let two = ir.num_operands(op) == 2 && ir.num_results(op) == 1;
        let Some(n) = (0..2).find(|n| two && ir.operand(op, *n) == place) else { continue };
        let other = ir.operand(op, 1 - n);
        if !Sums::of(ir, other).is_some_and(|sums| sums == *greater || greater.below(&sums)) {
            continue;
        }
        let new = if ir.is(op, MinSI::DEF) {
            place
        } else if ir.is(op, MaxSI::DEF) {
            other
        } else if let Some(test) = CmpI::cast(ir, op) {
            let predicate = test.predicate(ir);
            let Some(holds) = of_less(if n == 0 { predicate } else { predicate.swapped() }) else { continue };
            let Some(constant) = constant(ir, op, holds) else { continue };
            constant
        } else {
            continue;
        };
        let old = ir.result(op, 0);
        ir.replace_all_uses(old, new);
        ir.erase(op);
        known += 1;
    }
    known
}

/// What a predicate gives for a number that is less than the other one, with their signs
fn of_less(predicate: CmpIPredicate) -> Option<bool> {
    use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt};
    match predicate {
        Slt | Sle | Ne => Some(true),
        Sgt | Sge | Eq => Some(false),
        _ => None,
    }
}

/// A boolean, or a vector of them, in front of a comparison that gives it
fn constant(ir: &mut Ir, op: OpId, holds: bool) -> Option<Value> {
    let (cx, ty) = (ir.cx(), ir.ty(ir.result(op, 0)));
    let one = cx.int_attr(holds.into(), ty.scalar(cx));
    let attr = if ty.shape(cx).is_some() { cx.splat_attr(ty, one)? } else { one };
    let mut b = Builder::before(ir, op);
    b.set_loc(b.read().loc(op));
    Some(Constant::build(&mut b, attr).result(b.read()))
}
