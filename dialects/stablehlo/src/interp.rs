//! What the ops mean, by the StableHLO specification: a tensor is its elements row by row, its sizes are in its type.
//!
//! Where the specification leaves a choice: integers divided by zero give -1 (all bits), the remainder is the dividend;
//! floats out of range become the nearest integer and NaN zero; sums of narrow floats are f32 and rounded once; a start is
//! folded in once, in front; borders and holes of windows do not contribute. Functions are computed in f64 by `libm`.

mod control;
mod elements;
mod folds;
mod moves;
mod products;
mod spots;

use super::types;
use std::sync::Arc;
use terrace_dialect_arith::interp::unsupported;
use terrace_interp::{Machine, RtValue, Trap, codes, room};
use terrace_ir::{Context, DYNAMIC, FloatKind, Type, TypeKind, Value};

/// What an element is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Elem {
    /// `i1`
    Pred,
    /// An integer of a width
    Int { width: u32, unsigned: bool },
    /// A float
    Float(FloatKind),
}

impl Elem {
    fn of(cx: &Context, ty: Type) -> Result<Elem, Trap> {
        let ty = ty.scalar(cx);
        match *ty.kind(cx) {
            _ if types::is_pred(cx, ty) => Ok(Elem::Pred),
            TypeKind::Int { width, .. } if width <= 64 => {
                Ok(Elem::Int { width, unsigned: types::is_unsigned(cx, ty) })
            }
            TypeKind::Float(kind) if types::is_float(cx, ty) => Ok(Elem::Float(kind)),
            _ => Err(unsupported()),
        }
    }

    /// The integer reading of a value of this type
    fn int(self, value: &RtValue) -> Result<i128, Trap> {
        let read = match self {
            Elem::Int { unsigned: false, .. } => value.as_signed(),
            _ => value.as_unsigned().map(|bits| bits as i128),
        };
        read.ok_or_else(unsupported)
    }

    /// An integer or boolean of this type; wraps
    fn make(self, value: i128) -> Result<RtValue, Trap> {
        match self {
            Elem::Pred => Ok(RtValue::bool(value & 1 == 1)),
            Elem::Int { width, .. } => Ok(RtValue::int(value, width)),
            Elem::Float(_) => Err(unsupported()),
        }
    }
}

/// Sizes of a tensor; they must be numbers
fn sizes(m: &Machine<'_>, value: Value) -> Result<Vec<i64>, Trap> {
    let shape = m.ir().ty(value).shape(m.cx()).unwrap_or(&[]);
    if shape.contains(&DYNAMIC) {
        return Err(Trap::new(&codes::UNSUPPORTED, "a size is in no type: the interpreter does not know it"));
    }
    room(shape.iter().try_fold(1i64, |all, size| all.checked_mul(*size))).map(|_| shape.to_vec())
}

fn count(sizes: &[i64]) -> usize {
    sizes.iter().product::<i64>() as usize
}

/// A tensor: its sizes and elements
struct Tensor {
    sizes: Vec<i64>,
    all: Arc<[RtValue]>,
}

impl Tensor {
    fn of(m: &Machine<'_>, value: Value) -> Result<Tensor, Trap> {
        let sizes = sizes(m, value)?;
        let all = match m.value(value) {
            RtValue::Vector(all) if all.len() == count(&sizes) => all,
            _ => vec![RtValue::Poison; count(&sizes)].into(),
        };
        Ok(Tensor { sizes, all })
    }

    /// The element at an index; nothing outside
    fn get(&self, index: &[i64]) -> Option<&RtValue> {
        self.all.get(place(index, &self.sizes)?)
    }
}

/// Place of an element; nothing outside
fn place(index: &[i64], sizes: &[i64]) -> Option<usize> {
    index
        .iter()
        .zip(sizes)
        .try_fold(0, |at, (i, size)| (0..*size).contains(i).then(|| at * *size as usize + *i as usize))
}

/// All indices of a shape, row by row
struct Points<'a> {
    sizes: &'a [i64],
    next: Option<Vec<i64>>,
}

impl<'a> Points<'a> {
    fn of(sizes: &'a [i64]) -> Points<'a> {
        let next = (!sizes.contains(&0)).then(|| vec![0; sizes.len()]);
        Points { sizes, next }
    }
}

impl Iterator for Points<'_> {
    type Item = Vec<i64>;

    fn next(&mut self) -> Option<Vec<i64>> {
        let now = self.next.take()?;
        let mut after = now.clone();
        for n in (0..after.len()).rev() {
            after[n] += 1;
            if after[n] < self.sizes[n] {
                self.next = Some(after);
                break;
            }
            after[n] = 0;
        }
        Some(now)
    }
}

/// The index of the n-th element
fn point(mut n: usize, sizes: &[i64]) -> Vec<i64> {
    let mut at = vec![0; sizes.len()];
    for (at, size) in at.iter_mut().zip(sizes).rev() {
        *at = (n as i64) % size.max(&1);
        n /= (*size).max(1) as usize;
    }
    at
}

/// Set the first result to a tensor whose elements are given by their index
fn fill(m: &mut Machine<'_>, mut element: impl FnMut(&[i64]) -> Result<RtValue, Trap>) -> Result<(), Trap> {
    let sizes = sizes(m, m.ir().result(m.op(), 0))?;
    let all: Vec<RtValue> = Points::of(&sizes).map(|index| element(&index)).collect::<Result<_, _>>()?;
    m.set_result(0, RtValue::Vector(all.into()));
    Ok(())
}

/// The only element of a tensor
fn single(value: &RtValue) -> RtValue {
    match value {
        RtValue::Vector(all) => all.first().cloned().unwrap_or(RtValue::Poison),
        other => other.clone(),
    }
}

/// A tensor of one element
fn scalar(value: RtValue) -> RtValue {
    RtValue::Vector([value].into())
}

/// An index or number that a decision depends on; poison traps
fn decide(m: &Machine<'_>, value: Value) -> Result<i128, Trap> {
    let elem = Elem::of(m.cx(), m.ir().ty(value))?;
    match single(&m.value(value)) {
        RtValue::Poison => Err(Trap::new(&codes::POISON, "an index is poison")),
        number => elem.int(&number),
    }
}
