//! What vector ops do: elements in row order, one by one.
//!
//! A poison vector is one of poison elements. A position outside of its dimension gives poison; memory outside of its
//! bounds traps. Floats are reduced from left to right, whatever `fastmath` allows.

mod arrange;
mod compute;
mod masks;
mod memory;
pub use memory::shifted;
mod scatter;
mod shapes;
mod slices;
mod transfer;

use terrace_interp::{Machine, RtValue, Trap, codes, room};
use terrace_ir::{Type, TypeKind, Value};

fn unsupported() -> Trap {
    Trap::new(&codes::UNSUPPORTED, "the interpreter does not know this type")
}

/// Shape of a vector type with fixed dimensions and of a sensible size
pub fn shape<'a>(m: &Machine<'a>, ty: Type) -> Result<&'a [i64], Trap> {
    let cx = m.cx();
    match ty.kind(cx) {
        TypeKind::Vector { shape, scalable: 0, .. } => {
            room(ty.num_elements(cx))?;
            Ok(shape)
        }
        TypeKind::Vector { .. } => {
            Err(Trap::new(&codes::UNSUPPORTED, "the interpreter knows no scalable vectors"))
        }
        _ => Err(unsupported()),
    }
}

fn count(shape: &[i64]) -> usize {
    shape.iter().map(|size| *size as usize).product()
}

/// Elements of a vector value, or the scalar alone
pub fn elements(m: &Machine<'_>, value: Value) -> Result<Vec<RtValue>, Trap> {
    let ty = m.ir().ty(value);
    Ok(match m.value(value) {
        RtValue::Vector(all) => all.to_vec(),
        RtValue::Poison if matches!(ty.kind(m.cx()), TypeKind::Vector { .. }) => {
            vec![RtValue::Poison; count(shape(m, ty)?)]
        }
        scalar => vec![scalar],
    })
}

/// Elements as a value of a type: a vector, or the only element of a scalar
fn assemble(m: &Machine<'_>, all: Vec<RtValue>, ty: Type) -> RtValue {
    match ty.kind(m.cx()) {
        TypeKind::Vector { .. } => RtValue::Vector(all.into()),
        _ => all.into_iter().next().unwrap_or(RtValue::Poison),
    }
}

/// The next point of a shape in row order; false after the last
fn advance(point: &mut [i64], shape: &[i64]) -> bool {
    let Some(n) = (0..point.len()).rev().find(|n| point[*n] + 1 < shape[*n]) else { return false };
    point[n] += 1;
    point[n + 1..].fill(0);
    true
}

/// Every point of a shape in row order
pub fn points(shape: &[i64], mut each: impl FnMut(&[i64]) -> Result<(), Trap>) -> Result<(), Trap> {
    let mut point = vec![0; shape.len()];
    loop {
        each(&point)?;
        if !advance(&mut point, shape) {
            return Ok(());
        }
    }
}
