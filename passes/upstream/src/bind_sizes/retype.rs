//! Types with the sizes that are known, and what goes with them: operands that are numbers now, casts for other users.

use super::{DIMS, MAKERS, SLICES, list_of, sizes_of};
use terrace_dialect_arith as arith;
use terrace_dialect_bufferization as bufferization;
use terrace_dialect_func::Return;
use terrace_dialect_linalg::form::is_structured;
use terrace_dialect_memref as memref;
use terrace_dialect_tensor as tensor;
use terrace_ir::{AttrKind, Builder, DYNAMIC, Ir, Name, OpDef, OpId, Type, TypeKind, Value};
use terrace_support::HashMap;

/// Ops whose results may have more exact types than before, structured ones aside
const GIVE: [&OpDef; 11] = [
    bufferization::ToTensor::DEF,
    memref::Alloc::DEF,
    memref::Alloca::DEF,
    memref::Cast::DEF,
    memref::Dim::DEF,
    tensor::Cast::DEF,
    tensor::Dim::DEF,
    tensor::Empty::DEF,
    tensor::ExtractSlice::DEF,
    tensor::InsertSlice::DEF,
    tensor::Pad::DEF,
];

/// Ops whose operands may have more exact types than before, structured ones and the end of the function aside
const TAKE: [&OpDef; 14] = [
    bufferization::MaterializeInDestination::DEF,
    bufferization::ToTensor::DEF,
    memref::Cast::DEF,
    memref::Copy::DEF,
    memref::Dealloc::DEF,
    memref::Dim::DEF,
    memref::Load::DEF,
    memref::Store::DEF,
    tensor::Cast::DEF,
    tensor::Dim::DEF,
    tensor::Extract::DEF,
    tensor::ExtractSlice::DEF,
    tensor::InsertSlice::DEF,
    tensor::Pad::DEF,
];

/// What is known, being written into the function
pub(super) struct Retype<'f> {
    pub(super) shapes: &'f HashMap<Value, Vec<i64>>,
    pub(super) numbers: &'f HashMap<Value, i64>,
    /// Types that have changed
    pub(super) count: usize,
}

impl Retype<'_> {
    /// A value has the type with the sizes that are known of it
    pub(super) fn value(&mut self, ir: &mut Ir, value: Value) {
        let Some(shape) = self.shapes.get(&value) else { return };
        let (old, new) = (ir.ty(value), exact(ir, ir.ty(value), shape));
        if old == new {
            return;
        }
        for usage in ir.uses(value).collect::<Vec<_>>() {
            if !takes(ir, usage.0) {
                soften(ir, usage.0, value, old);
            }
        }
        ir.set_type(value, new);
        self.count += 1;
    }

    /// The results of an op have exact types, and a size that is known is a constant
    pub(super) fn op(&mut self, ir: &mut Ir, op: OpId) {
        if !is_structured(ir.def(op)) && !ir.is_any(op, &GIVE) {
            return;
        }
        for value in ir.results(op).collect::<Vec<Value>>() {
            let before = ir.ty(value);
            self.value(ir, value);
            drop_operands(ir, op, before, value);
        }
        if let Some(number) = ir.results(op).next().and_then(|value| self.numbers.get(&value))
            && ir.is_any(op, &DIMS)
        {
            let attr = ir.cx().index_attr(*number);
            let mut b = Builder::before(ir, op);
            let made = arith::Constant::build(&mut b, attr).result(b.read());
            let old = ir.result(op, 0);
            if let Some(name) = ir.value_name(old) {
                let name = Name::Str(ir.cx().intern(name));
                ir.set_value_name(made, name);
            }
            ir.replace_all_uses(old, made);
            ir.erase(op);
        }
    }

    /// Numbers that are known are operands no more, unless a type of the op stays open
    pub(super) fn fix(&self, ir: &mut Ir, op: OpId) {
        let open = |value: Value| {
            let known = self.shapes.get(&value).map(Vec::as_slice);
            known.or(ir.ty(value).shape(ir.cx())).is_some_and(|shape| shape.contains(&DYNAMIC))
        };
        // A type that stays open says less than numbers would.
        if ir.results(op).any(open) {
            return;
        }
        let Some((_, lists, first)) = SLICES.iter().find(|(def, ..)| ir.is(op, def)) else { return };
        let mut operands: Vec<Value> = (0..*first).flat_map(|n| ir.operand_field(op, n)).collect();
        let mut segments = vec![1; *first];
        for (n, name) in lists.iter().enumerate() {
            let mut given = ir.operand_field(op, first + n).into_iter();
            let mut list = list_of(ir, op, name);
            let mut left = 0;
            for number in list.iter_mut().filter(|number| **number == DYNAMIC) {
                let Some(value) = given.next() else { return };
                match self.numbers.get(&value) {
                    Some(known) => *number = *known,
                    None => {
                        operands.push(value);
                        left += 1;
                    }
                }
            }
            segments.push(left);
            let elem = ir.cx().common().i64;
            let attr = ir.cx().attr(AttrKind::DenseArray { elem, values: list.into() });
            ir.set_attr(op, name, Some(attr));
        }
        ir.set_operands(op, &operands, &segments);
    }
}

/// The type with these sizes
fn exact(ir: &Ir, ty: Type, shape: &[i64]) -> Type {
    let cx = ir.cx();
    match ty.kind(cx) {
        TypeKind::Tensor { elem, encoding, .. } => {
            cx.ty(TypeKind::Tensor { shape: shape.into(), elem: *elem, encoding: *encoding })
        }
        TypeKind::MemRef { elem, layout, space, .. } => {
            cx.ty(TypeKind::MemRef { shape: shape.into(), elem: *elem, layout: *layout, space: *space })
        }
        _ => ty,
    }
}

fn takes(ir: &Ir, op: OpId) -> bool {
    is_structured(ir.def(op))
        || ir.is(op, Return::DEF) && ir.parent(op) == Some(ir.root())
        || ir.is_any(op, &TAKE)
}

/// A user sees the value with its old type
fn soften(ir: &mut Ir, user: OpId, value: Value, old: Type) {
    let mut b = Builder::before(ir, user);
    let cast = match matches!(old.kind(b.cx()), TypeKind::MemRef { .. }) {
        true => memref::Cast::build(&mut b, value, old).id(),
        false => tensor::Cast::build(&mut b, value, old).id(),
    };
    let cast = ir.result(cast, 0);
    for n in 0..ir.operands(user).count() {
        if ir.operand(user, n) == value {
            ir.set_operand(user, n, cast);
        }
    }
}

/// Sizes that the type says now are no operands any more
fn drop_operands(ir: &mut Ir, op: OpId, before: Type, value: Value) {
    if !ir.is_any(op, &MAKERS) || before == ir.ty(value) {
        return;
    }
    let symbols = if ir.is(op, tensor::Empty::DEF) { Vec::new() } else { ir.operand_field(op, 1) };
    let mut sizes = sizes_of(ir, op).into_iter();
    let (old, new) = (before.shape(ir.cx()).unwrap_or(&[]), ir.ty(value).shape(ir.cx()).unwrap_or(&[]));
    let mut left = Vec::new();
    for (_, new) in old.iter().zip(new).filter(|(old, _)| **old == DYNAMIC) {
        let size = sizes.next();
        left.extend(size.filter(|_| *new == DYNAMIC));
    }
    let segments: Vec<u32> = match ir.def(op).operand_segments() {
        true => vec![left.len() as u32, symbols.len() as u32],
        false => Vec::new(),
    };
    left.extend(symbols);
    ir.set_operands(op, &left, &segments);
}
