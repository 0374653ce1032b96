//! `select_and_scatter`, the gradient of a pooling: each window's source goes to the element that its region selects.

use super::Edge;
use super::scatters::{Loops, inside};
use crate::tensors::Done;
use terrace_dialect_arith as arith;
use terrace_dialect_stablehlo as hlo;
use terrace_dialect_stablehlo::windows::{WindowAttrs, pairs};
use terrace_dialect_tensor as tensor;
use terrace_ir::{Builder, OpId, Value};

pub(super) fn select_and_scatter(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let select = hlo::SelectAndScatter(op);
    let cx = edge.ir.cx_arc().clone();
    let ir = &*edge.ir;
    let (operand, source, start) = (select.operand(ir), select.source(ir), select.init_value(ir));
    let sizes = edge.sizes(operand)?;
    let list =
        |attr: Option<terrace_ir::Attr>| attr.and_then(|attr| attr.as_dense_array(&cx)).map(<[i64]>::to_vec);
    let strides = list(select.window_strides(ir)).unwrap_or_default();
    let windows = WindowAttrs {
        sizes: list(select.window_dimensions(ir)).unwrap_or_else(|| vec![1; sizes.len()]),
        strides: &strides,
        padding: select.padding(ir).and_then(|attr| pairs(&cx, attr)).unwrap_or_default(),
        ..WindowAttrs::default()
    };
    let windows = windows.windows().map_err(|_| "its window has no form here")?;
    let entries = [select.select(ir), select.scatter(ir)].map(|region| ir.entry(region));
    let [Some(chooses), Some(combines)] = entries else { return Err("a region has no block".into()) };
    let extents = edge.sizes(source)?;
    let (ty, value) = (edge.ir.ty(edge.ir.result(op, 0)), edge.only(op, start));
    let whole = edge.filled(op, value, ty)?;
    if sizes.contains(&0) || extents.contains(&0) {
        return edge.becomes(op, whole);
    }
    let outer = Loops::of(edge, (Some(op), None), &extents, &[whole])?;

    // In the window: has one been selected, its value, and its place.
    let mut b = Builder::at_end(edge.ir, outer.block);
    let zero = arith::Constant::build(&mut b, cx.index_attr(0)).result(b.read());
    let none = arith::Constant::build(&mut b, cx.bool_attr(false)).result(b.read());
    let zeros = vec![zero; sizes.len()];
    let first = tensor::Extract::build(&mut b, operand, &zeros).result(b.read());
    let inits = [vec![none, first], zeros].concat();
    let extents: Vec<i64> = windows.iter().map(|window| window.size).collect();
    let inner = Loops::of(edge, (None, Some(outer.block)), &extents, &inits)?;
    let mut b = Builder::at_end(edge.ir, inner.block);
    let mut at = Vec::new();
    for (n, window) in windows.iter().enumerate() {
        let [stride, low] = [window.stride, window.low]
            .map(|n| arith::Constant::build(&mut b, cx.index_attr(n)).result(b.read()));
        let place = arith::MulI::build(&mut b, outer.places[n], stride).result(b.read());
        let place = arith::AddI::build(&mut b, place, inner.places[n]).result(b.read());
        at.push(arith::SubI::build(&mut b, place, low).result(b.read()));
    }
    let (fits, safe) = inside(&mut b, &at, &sizes);
    let new = tensor::Extract::build(&mut b, operand, &safe).result(b.read());
    let (found, best) = (inner.carried[0], inner.carried[1]);
    let keeps = edge.body(inner.block).region(chooses, &[best, new])?;
    let keeps = *keeps.first().ok_or("its region gives nothing")?;
    let mut b = Builder::at_end(edge.ir, inner.block);
    let keeps = arith::AndI::build(&mut b, keeps, found).result(b.read());
    let yes = arith::Constant::build(&mut b, cx.bool_attr(true)).result(b.read());
    let other = arith::XOrI::build(&mut b, keeps, yes).result(b.read());
    let takes = arith::AndI::build(&mut b, other, fits).result(b.read());
    let mut next = vec![arith::OrI::build(&mut b, found, fits).result(b.read())];
    for (new, old) in [new].iter().chain(&safe).zip(&inner.carried[1..]) {
        next.push(arith::Select::build(&mut b, takes, *new, *old).result(b.read()));
    }
    inner.end(edge, &next);

    let results: Vec<Value> = edge.ir.results(inner.outermost).collect();
    let (found, places) = (results[0], &results[2..]);
    let mut b = Builder::at_end(edge.ir, outer.block);
    let given = tensor::Extract::build(&mut b, source, &outer.places[..sizes.len()]).result(b.read());
    let old = tensor::Extract::build(&mut b, outer.carried[0], places).result(b.read());
    let values = edge.body(outer.block).region(combines, &[old, given])?;
    let value = *values.first().ok_or("its region gives nothing")?;
    let mut b = Builder::at_end(edge.ir, outer.block);
    let value = arith::Select::build(&mut b, found, value, old).result(b.read());
    let made = tensor::Insert::build(&mut b, value, outer.carried[0], places).result(b.read());
    outer.end(edge, &[made]);
    edge.replaced(op, outer.outermost);
    Ok(())
}
