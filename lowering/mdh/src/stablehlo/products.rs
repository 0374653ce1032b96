//! `dot_general` and `dot`: shared and free dimensions are kept, contracted ones are summed.

use super::{Edge, Points, d};
use crate::tensors::{Done, few};
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::view::{CombineKind, Order, Output};
use terrace_dialect_stablehlo as hlo;
use terrace_ir::{BlockId, Builder, OpId, Type, Value};
use terrace_support::affine::AffineExpr;

impl Edge<'_> {
    /// A sum of products. Sums of 16-bit floats are f32, and are rounded once
    pub(super) fn accumulate(
        &mut self,
        op: OpId,
        points: Points,
        sides: [Value; 2],
        outputs: Vec<Output>,
    ) -> Done<()> {
        let result = self.ir.result(op, 0);
        let cx = self.ir.cx_arc().clone();
        let (ty, wide) = (self.ir.ty(result), cx.common().f32);
        let elem = ty.scalar(&cx);
        let narrow = elem.is_float(&cx) && elem.bit_width(&cx).is_some_and(|width| width < 32);
        let mut rounds = None;
        if narrow {
            let mut b = Builder::after(self.ir, op);
            let round = hlo::Convert::build(&mut b, result, ty).id();
            let rounded = self.ir.result(round, 0);
            self.ir.set_type(result, ty.with_element(&cx, wide));
            self.ir.replace_all_uses(result, rounded);
            self.ir.set_operand(round, 0, result);
            rounds = Some(round);
        }
        let product = self.product(points.block, op, sides, if narrow { wide } else { elem });
        points.finish(self, op, outputs, &[product]);
        rounds.map_or(Ok(()), |round| self.pointwise(round))
    }

    /// The operator that sums products of these elements
    pub(super) fn sum(&self, elem: Type) -> CombineKind {
        let flag = elem == self.ir.cx().common().i1;
        let builtin = if flag { Builtin::Or } else { Builtin::Add };
        CombineKind::Pw(vec![Operator::Builtin(builtin)], Order::Fixed)
    }

    /// The product of two elements in the format of the sums
    pub(super) fn product(&mut self, block: BlockId, op: OpId, sides: [Value; 2], to: Type) -> Value {
        let unsigned = [0, 1].map(|n| self.is_unsigned(self.ir.operand(op, n)));
        let mut body = self.body(block);
        let [a, b] = [0, 1].map(|n| body.converted(sides[n], unsigned[n], to, unsigned[n]));
        let def = match () {
            () if to == body.ir.cx().common().i1 => arith::AndI::DEF,
            () if to.is_float(body.ir.cx()) => arith::MulF::DEF,
            () => arith::MulI::DEF,
        };
        body.emit(def, &[a, b])
    }
}

pub(super) fn dot_general(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let numbers = hlo::DotGeneral(op).dot_dimension_numbers(edge.ir);
    let numbers = hlo::DotDimensionNumbers::cast(edge.ir.cx(), numbers)
        .ok_or("its numbers of dimensions are not there")?;
    let cx = edge.ir.cx_arc().clone();
    let dims = numbers.dims(&cx);
    let side = |batch: &[i64], summed: &[i64]| [batch.to_vec(), summed.to_vec()];
    let sides =
        [side(dims.lhs_batching, dims.lhs_contracting), side(dims.rhs_batching, dims.rhs_contracting)];
    contract(edge, op, sides)
}

pub(super) fn dot(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let rank = edge.sizes(edge.ir.operand(op, 0))?.len() as i64;
    contract(edge, op, [[Vec::new(), vec![rank - 1]], [Vec::new(), vec![0]]])
}

/// Shared and summed dimensions of both operands
fn contract(edge: &mut Edge<'_>, op: OpId, numbers: [[Vec<i64>; 2]; 2]) -> Done<()> {
    let operands = [edge.ir.operand(op, 0), edge.ir.operand(op, 1)];
    let sizes = [edge.sizes(operands[0])?, edge.sizes(operands[1])?];
    let elem = edge.ir.ty(edge.ir.result(op, 0)).scalar(edge.ir.cx());
    let [batch, summed] = &numbers[0];
    let mut at = [0, 1].map(|n: usize| vec![AffineExpr::from(0); sizes[n].len()]);
    let mut extents: Vec<i64> = Vec::new();
    // The result has shared dimensions, then free ones of the lhs, then of the rhs; summed ones follow.
    for (k, dim) in batch.iter().enumerate() {
        at[0][*dim as usize] = d(extents.len());
        at[1][numbers[1][0][k] as usize] = d(extents.len());
        extents.push(sizes[0][*dim as usize]);
    }
    for (n, places) in at.iter_mut().enumerate() {
        for (dim, size) in sizes[n].iter().enumerate() {
            if !numbers[n].iter().flatten().any(|own| *own == dim as i64) {
                places[dim] = d(extents.len());
                extents.push(*size);
            }
        }
    }
    let kept = extents.len();
    for (k, dim) in summed.iter().enumerate() {
        at[0][*dim as usize] = d(extents.len());
        at[1][numbers[1][1][k] as usize] = d(extents.len());
        extents.push(sizes[0][*dim as usize]);
    }
    few(&extents)?;
    let sum = edge.sum(elem);
    let kind = |n: usize| if n < kept { CombineKind::Cc } else { sum.clone() };
    let dims = extents.iter().enumerate().map(|(n, size)| (*size, kind(n))).collect();
    let mut points = Points::over(edge, dims);
    let [lhs, rhs] = at;
    let sides = [points.read(edge, operands[0], lhs)?, points.read(edge, operands[1], rhs)?];
    let outputs = vec![Output { maps: vec![points.map((0..kept).map(d).collect())?], init: None }];
    edge.accumulate(op, points, sides, outputs)
}
