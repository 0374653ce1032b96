//! Types and attributes of small floats as those of the integers they become.

use std::sync::Arc;
use terrace_ir::show::{FloatLayout, float_layout};
use terrace_ir::{Attr, AttrKind, Context, DenseData, FloatKind, Ir, OpId, Type, TypeKind, Value};
use terrace_support::HashMap;

/// The small float that a type is or has as elements
pub(super) fn small(cx: &Context, ty: Type) -> Option<FloatKind> {
    match *ty.scalar(cx).kind(cx) {
        TypeKind::Float(kind) if kind.width() <= 8 || kind == FloatKind::TF32 => Some(kind),
        _ => None,
    }
}

/// Bits of the integer that a small float becomes: whole bytes, a power of two
pub(super) fn container(kind: FloatKind) -> u32 {
    kind.width().div_ceil(8).next_power_of_two() * 8
}

/// The layout of a float of at most 64 bits, or of a vector's elements
pub(super) fn layout(cx: &Context, ty: Type) -> FloatLayout {
    let known = match *ty.scalar(cx).kind(cx) {
        TypeKind::Float(kind) => float_layout(kind),
        _ => None,
    };
    known.or_else(|| float_layout(FloatKind::F64)).expect("f64 has a layout")
}

/// The type with integers for its small floats
pub(super) fn mapped(cx: &Context, ty: Type) -> Type {
    let all = |list: &[Type]| list.iter().map(|ty| mapped(cx, *ty)).collect::<Vec<_>>();
    match ty.kind(cx) {
        TypeKind::Float(kind) if small(cx, ty).is_some() => cx.int(container(*kind)),
        TypeKind::Vector { elem, .. }
        | TypeKind::MemRef { elem, .. }
        | TypeKind::UnrankedMemRef { elem, .. } => ty.with_element(cx, mapped(cx, *elem)),
        TypeKind::Function { inputs, results } => cx.function(&all(inputs), &all(results)),
        TypeKind::Tuple(items) => cx.ty(TypeKind::Tuple(all(items).into())),
        _ => ty,
    }
}

/// Does the op work on tensors? They have no target, and go through as they are
pub(super) fn on_tensors(ir: &Ir, op: OpId) -> bool {
    let tensor = |ty: Type| matches!(ty.kind(ir.cx()), TypeKind::Tensor { .. } | TypeKind::UnrankedTensor(_));
    ir.operands(op).chain(ir.results(op)).any(|value| tensor(ir.ty(value)))
}

/// What each type becomes, remembered
pub(super) struct Types {
    cx: Arc<Context>,
    types: HashMap<Type, Type>,
    attrs: HashMap<Attr, Attr>,
}

impl Types {
    /// With nothing remembered
    pub(super) fn new(cx: Arc<Context>) -> Types {
        Types { cx, types: HashMap::default(), attrs: HashMap::default() }
    }

    fn ty(&mut self, ty: Type) -> Type {
        let cx = &self.cx;
        *self.types.entry(ty).or_insert_with(|| mapped(cx, ty))
    }

    fn attr(&mut self, attr: Attr) -> Attr {
        if let Some(new) = self.attrs.get(&attr) {
            return *new;
        }
        let cx = Arc::clone(&self.cx);
        let new = match attr.kind(&cx) {
            AttrKind::Type(ty) => cx.type_attr(self.ty(*ty)),
            AttrKind::Float { bits, ty } if self.ty(*ty) != *ty => cx.int_attr((*bits).into(), self.ty(*ty)),
            // Content of memory is of tensor type.
            AttrKind::Dense { ty, data } if small(&cx, *ty).is_some() => {
                let data = match data {
                    DenseData::Splat(bytes) => DenseData::Splat(padded(&cx, *ty, bytes)),
                    DenseData::Raw(bytes) => DenseData::Raw(padded(&cx, *ty, bytes)),
                    DenseData::Strs(strs) => DenseData::Strs(strs.clone()),
                };
                let ty = ty.with_element(&cx, self.ty(ty.scalar(&cx)));
                cx.attr(AttrKind::Dense { ty, data })
            }
            AttrKind::Array(items) => {
                let items: Vec<Attr> = items.iter().map(|item| self.attr(*item)).collect();
                cx.array_attr(&items)
            }
            _ => attr,
        };
        self.attrs.insert(attr, new);
        new
    }

    /// Has the op anything of a small float: operand, result, argument of a block, property?
    pub(super) fn concerns(&mut self, ir: &Ir, op: OpId) -> bool {
        let regions = ir.regions(op).flat_map(|region| ir.blocks(region));
        let mut values = ir
            .operands(op)
            .chain(ir.results(op))
            .chain(regions.flat_map(|block| ir.block_args(block).iter().copied()));
        values.any(|value| self.ty(ir.ty(value)) != ir.ty(value))
            || (0..ir.def(op).attrs.len()).any(|n| ir.slot(op, n).is_some_and(|attr| self.attr(attr) != attr))
    }

    /// Change the types of all values and properties of a unit
    pub(super) fn convert(&mut self, ir: &mut Ir) {
        let ops: Vec<OpId> = std::iter::once(ir.root()).chain(ir.walk()).collect();
        for op in ops {
            let regions = ir.regions(op).flat_map(|region| ir.blocks(region));
            let args = regions.flat_map(|block| ir.block_args(block).iter().copied());
            let values: Vec<Value> = ir.results(op).chain(args).collect();
            for value in values {
                let new = self.ty(ir.ty(value));
                ir.set_type(value, new);
            }
            if on_tensors(ir, op) {
                continue;
            }
            for n in 0..ir.def(op).attrs.len() {
                if let Some(attr) = ir.slot(op, n) {
                    let new = self.attr(attr);
                    ir.set_slot(op, n, Some(new));
                }
            }
        }
    }
}

/// Elements with zeros above, as many bytes as the integer has
fn padded(cx: &Context, ty: Type, bytes: &[u8]) -> Box<[u8]> {
    let from = terrace_ir::show::elem_bytes(cx, ty.scalar(cx));
    let to = terrace_ir::show::elem_bytes(cx, mapped(cx, ty.scalar(cx)));
    if from == to || from == 0 {
        return bytes.into();
    }
    let mut all = Vec::new();
    for element in bytes.chunks(from) {
        all.extend_from_slice(element);
        all.resize(all.len().next_multiple_of(to), 0);
    }
    all.into()
}
