//! Sums of products of panels, in order of k.

use crate::combine::Builtin;
use crate::ops::Contract;
use terrace_interp::{Machine, RtValue, Trap, codes};
use terrace_ir::{FloatKind, Type, TypeKind, Value};

terrace_interp::interpret_by_run!(Contract);

/// An element in the type of the sum
fn widened(m: &Machine<'_>, value: RtValue, unsigned: bool, to: Type) -> Result<RtValue, Trap> {
    let wide = match to.kind(m.cx()) {
        TypeKind::Int { width, .. } if unsigned => {
            value.as_unsigned().map(|value| RtValue::int(value as i128, *width))
        }
        TypeKind::Int { width, .. } => value.as_signed().map(|value| RtValue::int(value, *width)),
        TypeKind::Float(FloatKind::F64) => value.as_f64().map(RtValue::f64),
        // The narrower floats are all exact in f32.
        _ => value.as_f64().map(|value| RtValue::f32(value as f32)),
    };
    wide.ok_or_else(|| Trap::new(&codes::POISON, "an element is poison"))
}

/// What a sum that overwrites begins with
fn zero(m: &Machine<'_>, ty: Type) -> RtValue {
    match ty.kind(m.cx()) {
        TypeKind::Int { width, .. } => RtValue::int(0, *width),
        TypeKind::Float(FloatKind::F64) => RtValue::f64(0.0),
        _ => RtValue::f32(0.0),
    }
}

fn places(m: &Machine<'_>, indices: Vec<Value>) -> Result<Vec<i64>, Trap> {
    indices.into_iter().map(|index| m.index(index)).collect()
}

/// Where a panel has an element of a row or column, counted from the first one
fn in_panel(indices: &[i64], k: i64, group: i64, row: i64) -> Vec<i64> {
    let (first, front) = indices.split_last().unwrap_or((&0, &[]));
    [front, &[k / group, first + row, k % group]].concat()
}

impl Contract {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let Some(sizes) = self.sizes(ir) else { return Ok(()) };
        let (lhs, rhs, acc) = (self.lhs(ir), self.rhs(ir), self.acc(ir));
        let to = ir.ty(acc).scalar(m.cx());
        let [a, b] = sizes.group;
        let [unsigned, other] = [self.lhs_unsigned(ir), self.rhs_unsigned(ir)].map(|it| it.is_some());
        let (left, right) = (places(m, self.lhs_indices(ir))?, places(m, self.rhs_indices(ir))?);
        let ones = vec![0; ir.ty(acc).shape(m.cx()).map_or(0, <[i64]>::len).saturating_sub(2)];
        for row in 0..sizes.m {
            for column in 0..sizes.n {
                let mut sum = match self.overwrite(ir) {
                    Some(_) => zero(m, to),
                    None => m.load(acc, &[&ones[..], &[row, column]].concat())?,
                };
                for k in 0..sizes.k {
                    let x = m.load(lhs, &in_panel(&left, k, a, row))?;
                    let y = m.load(rhs, &in_panel(&right, k, b, column))?;
                    let product =
                        Builtin::Mul.apply(&widened(m, x, unsigned, to)?, &widened(m, y, other, to)?)?;
                    sum = Builtin::Add.apply(&sum, &product)?;
                }
                m.store(acc, &[&ones[..], &[row, column]].concat(), sum)?;
            }
        }
        Ok(())
    }
}
