//! Accesses, and which elements copies of hardware access at once.

use super::is_unrolled;
use crate::rounds::trips;
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::fold::constant_of;
use terrace_ir::{Ir, OpId, Value};
use terrace_support::{HashMap, HashSet};

/// Copies of an access that are looked at one by one
const MOST: i64 = 4096;

/// Steps that the arithmetic of an index is followed, since what it shares is counted again
const STEPS: u32 = 1024;

/// A load or a store
pub(super) struct Accessed {
    pub memory: Value,
    pub indices: Vec<Value>,
    pub writes: bool,
    /// How far each copy is from the first, along each dimension; none where that is not known
    offsets: Option<Vec<Vec<i64>>>,
    /// Copies in all
    copies: i64,
}

/// The access that an op is
pub(super) fn accessed(ir: &Ir, op: OpId) -> Option<Accessed> {
    let (memory, indices, writes) = match (memref::Load::cast(ir, op), memref::Store::cast(ir, op)) {
        (Some(load), _) => (load.memref(ir), load.indices(ir), false),
        (_, Some(store)) => (store.memref(ir), store.indices(ir), true),
        _ => return None,
    };
    let mut copied: Vec<(Value, i64, i64)> = Vec::new();
    let mut around = ir.parent(op);
    let mut known = true;
    while let Some(outer) = around {
        if is_unrolled(ir, outer) {
            let one = scf::For(outer);
            let iv = ir.entry(one.region(ir)).and_then(|block| ir.block_args(block).first().copied());
            let step = constant_of(ir, one.step(ir)).and_then(|step| step.as_i64(ir.cx()));
            match (iv, trips(ir, outer), step) {
                (Some(iv), Some(trips), Some(step)) => copied.push((iv, trips, step)),
                _ => known = false,
            }
        }
        around = ir.parent(outer);
    }
    let copies = copied.iter().fold(1i64, |all, (_, trips, _)| all.saturating_mul(*trips));
    let offsets = (known && copies <= MOST).then(|| offsets(ir, &indices, &copied)).flatten();
    Some(Accessed { memory, indices, writes, offsets, copies })
}

impl Accessed {
    /// Different places along a dimension that are accessed at once
    pub fn along(&self, dim: usize) -> i64 {
        match &self.offsets {
            Some(all) => all.iter().map(|place| place.get(dim)).collect::<HashSet<_>>().len() as i64,
            None => self.copies,
        }
    }

    /// Different elements of the bank that has the most of them
    pub fn of_fullest(&self, banks: &[i64]) -> i64 {
        let Some(all) = &self.offsets else { return self.copies };
        let elements: HashSet<&Vec<i64>> = all.iter().collect();
        let mut in_bank: HashMap<Vec<i64>, i64> = HashMap::default();
        for element in elements {
            let bank = element.iter().zip(banks).map(|(at, banks)| at.rem_euclid((*banks).max(1))).collect();
            *in_bank.entry(bank).or_default() += 1;
        }
        in_bank.into_values().max().unwrap_or(1)
    }
}

/// Where each copy is, from the first
fn offsets(ir: &Ir, indices: &[Value], copied: &[(Value, i64, i64)]) -> Option<Vec<Vec<i64>>> {
    let mut all = vec![vec![0i64; indices.len()]];
    for (iv, trips, step) in copied {
        let moves = indices.iter().map(|index| {
            let mut left = STEPS;
            factor(ir, *index, *iv, &mut left)
        });
        let moves = moves.collect::<Option<Vec<i64>>>()?;
        let mut next = Vec::new();
        for place in &all {
            for n in 0..*trips {
                next.push(moved(place, &moves, n.checked_mul(*step)?)?);
            }
        }
        all = next;
    }
    Some(all)
}

/// A place after a variable has moved; none if that is beyond 64 bits
fn moved(place: &[i64], moves: &[i64], by: i64) -> Option<Vec<i64>> {
    place.iter().zip(moves).map(|(at, each)| at.checked_add(each.checked_mul(by)?)).collect()
}

/// By how much an index moves where a variable moves by one; none where that is no number, or takes more steps than are left
fn factor(ir: &Ir, index: Value, iv: Value, left: &mut u32) -> Option<i64> {
    *left = left.checked_sub(1)?;
    if index == iv {
        return Some(1);
    }
    if !depends(ir, index, iv) {
        return Some(0);
    }
    let op = ir.defining_op(index)?;
    let number = |value: Value| constant_of(ir, value)?.as_i64(ir.cx());
    if ir.is_any(op, &[arith::AddI::DEF, arith::SubI::DEF]) {
        let (a, b) = (factor(ir, ir.operand(op, 0), iv, left)?, factor(ir, ir.operand(op, 1), iv, left)?);
        return if ir.is(op, arith::AddI::DEF) { a.checked_add(b) } else { a.checked_sub(b) };
    }
    if ir.is(op, arith::MulI::DEF) {
        let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
        return match (number(a), number(b)) {
            (_, Some(by)) => factor(ir, a, iv, left)?.checked_mul(by),
            (Some(by), _) => factor(ir, b, iv, left)?.checked_mul(by),
            _ => None,
        };
    }
    None
}

/// Does a value follow from another?
pub(super) fn depends(ir: &Ir, value: Value, on: Value) -> bool {
    let mut pending = vec![value];
    let mut seen: HashSet<Value> = HashSet::default();
    while let Some(value) = pending.pop() {
        if value == on {
            return true;
        }
        if seen.insert(value) {
            pending.extend(ir.defining_op(value).into_iter().flat_map(|op| ir.operands(op)));
        }
    }
    false
}
