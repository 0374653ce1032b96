//! Parts of tensors at places that are values: what is read is a computation, what is written goes to memory later.

use crate::no_form::Rule;
use crate::tensors::{Done, constant, list, mixed, named, replace, shape};
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::view::{CombineKind, Input, Output, View};
use terrace_dialect_mdh::{Index, Yield};
use terrace_dialect_scf as scf;
use terrace_dialect_tensor as tensor;
use terrace_ir::{Builder, DYNAMIC, Ir, OpDef, OpId, Value};
use terrace_support::affine::AffineMap;

/// Is one of a part's offsets no number?
pub(crate) fn moves(ir: &Ir, op: OpId) -> bool {
    let field = if tensor::ExtractSlice::cast(ir, op).is_some() { 1 } else { 2 };
    ir.operand_field(op, field).into_iter().any(|offset| constant(ir, offset).is_none())
}

/// Is the part put into memory: at a place that is a value, or into what is not read before, or what a loop carries?
pub(crate) fn stays(ir: &Ir, op: OpId) -> bool {
    if moves(ir, op) {
        return true;
    }
    let mut at = tensor::InsertSlice(op).dest(ir);
    loop {
        let Some(maker) = ir.defining_op(at) else {
            let owner = ir.value_block(at).and_then(|block| ir.block_parent(block));
            return owner.is_some_and(|owner| owner != ir.root());
        };
        match tensor::InsertSlice::cast(ir, maker) {
            Some(slice) => at = slice.dest(ir),
            None => {
                let made = ir.is(maker, tensor::Empty::DEF) || ir.is(maker, tensor::Insert::DEF);
                return made || ir.is_of(maker, &scf::SCF);
            }
        }
    }
}

/// Is it an empty tensor whose elements are read? Parts may be put into one, and loops may carry one.
pub(crate) fn is_read(ir: &Ir, op: OpId) -> bool {
    tensor::Empty::cast(ir, op).is_some()
        && ir.uses(ir.result(op, 0)).any(|(user, n)| {
            let is = |def: &'static OpDef| ir.is(user, def);
            let filled = (is(tensor::InsertSlice::DEF) || is(tensor::Insert::DEF)) && n == 1;
            let carried = ir.is_of(user, &scf::SCF);
            !filled && (!carried || is(scf::Yield::DEF) || is(scf::Condition::DEF))
        })
}

/// A part at places that are values: the computation reads the whole tensor at places of its own
pub(crate) fn extract(ir: &mut Ir, op: OpId) -> Done<()> {
    let kept = shape(ir, ir.result(op, 0))?;
    let (sizes, steps) = (mixed(ir, op, "static_sizes", 2)?, mixed(ir, op, "static_strides", 3)?);
    let fixed = list(ir, op, "static_offsets");
    let mut given = ir.operand_field(op, 1).into_iter();
    let source = tensor::ExtractSlice(op).source(ir);
    shape(ir, source)?;
    let cx = ir.cx_arc().clone();
    let index = cx.common().index;
    let block = ir.create_block();
    let whole = ir.add_block_arg(block, ir.ty(source));
    let mut inputs = vec![source];
    let (mut at, mut places) = (0, Vec::new());
    for ((offset, size), step) in fixed.iter().zip(&sizes).zip(&steps) {
        let start = match *offset {
            DYNAMIC => {
                let value = given.next().ok_or_else(|| Rule::Dyn.because("an offset is not there"))?;
                inputs.push(value);
                ir.add_block_arg(block, index)
            }
            offset => number(ir, block, offset),
        };
        if kept.get(at) == Some(size) {
            let mut b = Builder::at_end(ir, block);
            let dim = b.cx().int_attr(at as i128, b.cx().common().i64);
            let mut place = Index::build(&mut b, dim, index).result(b.read());
            if *step != 1 {
                let step = number(b.ir(), block, *step);
                place = arith::MulI::build(&mut b, place, step).result(b.read());
            }
            places.push(arith::AddI::build(&mut b, place, start).result(b.read()));
            at += 1;
        } else if *size == 1 {
            places.push(start);
        } else {
            return Err(Rule::Map.because("the part has another shape than its sizes say"));
        }
    }
    if at != kept.len() {
        return Err(Rule::Map.because("the part has another shape than its sizes say"));
    }
    let ty = ir.ty(ir.result(op, 0));
    let mut b = Builder::at_end(ir, block);
    let read = tensor::Extract::build(&mut b, whole, &places).result(b.read());
    Yield::build(&mut b, &[read]);
    let plain = |value: Value| Input { value, map: None, other: None, guard: None };
    let view = View {
        name: None,
        dims: named(&kept, vec![CombineKind::Cc; kept.len()]),
        inputs: inputs.into_iter().map(plain).collect(),
        outputs: vec![Output { maps: vec![AffineMap::identity(kept.len() as u32)], init: None }],
        conditions: Vec::new(),
        extents: Vec::new(),
    };
    replace(ir, op, &view, &[ty], block);
    Ok(())
}

fn number(ir: &mut Ir, block: terrace_ir::BlockId, value: i64) -> Value {
    let attr = ir.cx().index_attr(value);
    let mut b = Builder::at_end(ir, block);
    arith::Constant::build(&mut b, attr).result(b.read())
}
