//! `reduce`: operators that have a name, one for each operand; other bodies as `linalg.generic`, whose operators become functions.

use super::{Edge, Points, d};
use crate::tensors::Done;
use terrace_dialect_linalg as linalg;
use terrace_dialect_mdh::operator::{Accumulator, Builtin, Operator, identity};
use terrace_dialect_mdh::view::{CombineKind, Order, Output};
use terrace_dialect_stablehlo as hlo;
use terrace_ir::{Attr, BlockId, Builder, Ir, OpDef, OpId, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Ops that are operators: of numbers, and of booleans
const OPERATORS: &[(&OpDef, Builtin, Builtin, Builtin)] = &[
    (hlo::Add::DEF, Builtin::Add, Builtin::Add, Builtin::Or),
    (hlo::Multiply::DEF, Builtin::Mul, Builtin::Mul, Builtin::And),
    (hlo::Maximum::DEF, Builtin::Max, Builtin::MaxU, Builtin::Or),
    (hlo::Minimum::DEF, Builtin::Min, Builtin::MinU, Builtin::And),
    (hlo::And::DEF, Builtin::And, Builtin::And, Builtin::And),
    (hlo::Or::DEF, Builtin::Or, Builtin::Or, Builtin::Or),
    (hlo::Xor::DEF, Builtin::Xor, Builtin::Xor, Builtin::Xor),
];

impl Edge<'_> {
    /// How a region combines its n-th value with a new one, if that has a name and nothing else is looked at
    fn operator(&self, entry: BlockId, n: usize) -> Option<Builtin> {
        let ir: &Ir = self.ir;
        let args = ir.block_args(entry);
        let (old, new) = (args.get(n)?, args.get(args.len() / 2 + n)?);
        let end = ir.last_op(entry).filter(|end| ir.is(*end, hlo::Return::DEF))?;
        let value = ir.operands(end).nth(n)?;
        let op = ir.defining_op(value)?;
        let sides: Vec<Value> = ir.operands(op).collect();
        let fits = sides == [*old, *new] || sides == [*new, *old];
        let (_, number, unsigned, pred) = OPERATORS.iter().find(|(def, ..)| ir.is(op, def))?;
        let flag = ir.ty(*old).scalar(ir.cx()) == ir.cx().common().i1;
        fits.then_some(match () {
            () if flag => *pred,
            () if self.is_unsigned(*old) => *unsigned,
            () => *number,
        })
    }

    /// The operators of a region, if all have names
    pub(super) fn operators(&self, region: BlockId, count: usize) -> Option<Vec<Builtin>> {
        (0..count).map(|n| self.operator(region, n)).collect()
    }

    /// The same as operators of a computation: sums and products of 16-bit floats are kept in f32
    pub(super) fn accumulated(&self, builtins: &[Builtin], values: &[Value]) -> Vec<Operator> {
        let common = self.ir.cx().common();
        let each = |(builtin, value): (&Builtin, &Value)| {
            let elem = self.ir.ty(*value).scalar(self.ir.cx());
            let narrow = [common.f16, common.bf16].contains(&elem);
            match narrow && matches!(builtin, Builtin::Add | Builtin::Mul) {
                true => Operator::Accumulated(Accumulator {
                    builtin: *builtin,
                    ty: Some(common.f32),
                    compensated: false,
                }),
                false => Operator::Builtin(*builtin),
            }
        };
        builtins.iter().zip(values).map(each).collect()
    }

    /// What stands in front of a fold: nothing if it is the operator's neutral element
    pub(super) fn start(&self, value: Value, builtin: Builtin) -> Option<Value> {
        let elem = self.ir.ty(value).scalar(self.ir.cx());
        let known = self.splats.get(&value).copied();
        let neutral = identity(builtin, self.ir.cx(), elem);
        let drops = known.is_some() && (known == neutral || known == builtin.identity(self.ir.cx(), elem));
        (!drops).then_some(value)
    }
}

fn dimensions(ir: &Ir, attr: Attr) -> Vec<i64> {
    attr.as_dense_array(ir.cx()).unwrap_or(&[]).to_vec()
}

pub(super) fn reduce(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let reduce = hlo::Reduce(op);
    let (inputs, starts) = (reduce.inputs(edge.ir), reduce.init_values(edge.ir));
    let folded = dimensions(edge.ir, reduce.dimensions(edge.ir));
    let first = *inputs.first().ok_or("it has no operands")?;
    let sizes = edge.sizes(first)?;
    let entry = edge.ir.entry(reduce.body(edge.ir)).ok_or("its region has no block")?;
    let folds: Vec<bool> = (0..sizes.len()).map(|n| folded.contains(&(n as i64))).collect();
    let kept: Vec<AffineExpr> = (0..sizes.len()).filter(|n| !folds[*n]).map(d).collect();
    let Some(builtins) = edge.operators(entry, inputs.len()) else {
        return joint(edge, op, entry, &inputs, &starts, &folds);
    };
    let operators = edge.accumulated(&builtins, &inputs);
    let kind = |n: usize| match folds[n] {
        true => CombineKind::Pw(operators.clone(), Order::Fixed),
        false => CombineKind::Cc,
    };
    crate::tensors::few(&sizes)?;
    let dims = sizes.iter().enumerate().map(|(n, size)| (*size, kind(n))).collect();
    let mut points = Points::over(edge, dims);
    let (mut outputs, mut yields) = (Vec::new(), Vec::new());
    for ((input, start), builtin) in inputs.iter().zip(&starts).zip(&builtins) {
        edge.sizes(*input)?;
        yields.push(points.read(edge, *input, (0..sizes.len()).map(d).collect())?);
        let init = edge
            .start(*start, *builtin)
            .map(|start| (start, AffineMap::new(sizes.len() as u32, 0, Vec::new())));
        outputs.push(Output { maps: vec![points.map(kept.clone())?], init });
    }
    points.finish(edge, op, outputs, &yields);
    Ok(())
}

/// A reduction whose values are combined at once, or by what has no name
fn joint(
    edge: &mut Edge<'_>,
    op: OpId,
    entry: BlockId,
    inputs: &[Value],
    starts: &[Value],
    folds: &[bool],
) -> Done<()> {
    let cx = edge.ir.cx_arc().clone();
    let results: Vec<_> = edge.ir.results(op).map(|value| edge.ir.ty(value)).collect();
    let mut outs = Vec::new();
    for (start, ty) in starts.iter().zip(&results) {
        let value = edge.only(op, *start);
        outs.push(edge.filled(op, value, *ty)?);
    }
    let rank = folds.len();
    let whole = AffineMap::identity(rank as u32);
    let kept = (0..rank).filter(|n| !folds[*n]).map(d).collect();
    let kept = AffineMap::new(rank as u32, 0, kept).ok_or("its dimensions are not those of its operands")?;
    let maps: Vec<Attr> = inputs
        .iter()
        .map(|_| whole.clone())
        .chain(inputs.iter().map(|_| kept.clone()))
        .map(|map| cx.map_attr(map))
        .collect();
    let kinds: Vec<Attr> =
        folds.iter().map(|folds| linalg::IteratorType::of_reduction(*folds).attr(&cx)).collect();
    let mut b = edge.before(op);
    let made =
        linalg::Generic::build(&mut b, inputs, &outs, cx.array_attr(&maps), cx.array_attr(&kinds), &results);
    let region = made.body(edge.ir);
    let block = edge.ir.append_block(region);
    let mut args = Vec::new();
    for value in inputs.iter().chain(&outs) {
        let elem = edge.ir.ty(*value).scalar(&cx);
        args.push(edge.ir.add_block_arg(block, elem));
    }
    // What was there stands first in the op's region, and second in the body.
    let (new, old) = args.split_at(inputs.len());
    let values = edge.body(block).region(entry, &[old, new].concat())?;
    linalg::Yield::build(&mut Builder::at_end(edge.ir, block), &values);
    for n in 0..results.len() {
        let (from, to) = (edge.ir.result(op, n), edge.ir.result(made.id(), n));
        edge.forward(from, to);
    }
    edge.ir.erase(op);
    Ok(())
}

/// A region on the elements of all operands
pub(super) fn map(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let result = edge.ir.result(op, 0);
    let sizes = edge.sizes(result)?;
    let entry = edge.ir.entry(hlo::Map(op).computation(edge.ir)).ok_or("its region has no block")?;
    let mut points = Points::kept(edge, &sizes)?;
    let mut args = Vec::new();
    for value in edge.ir.operands(op).collect::<Vec<Value>>() {
        args.push(points.read(edge, value, (0..sizes.len()).map(d).collect())?);
    }
    let values = edge.body(points.block).region(entry, &args)?;
    let value = *values.first().ok_or("its region gives nothing")?;
    points.whole_result(edge, op, value);
    Ok(())
}
