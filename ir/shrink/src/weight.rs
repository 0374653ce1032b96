//! The size of a program, which each accepted edit reduces.

use terrace_ir::{Attr, AttrKind, Context, DYNAMIC, Ir, Traits, Type, TypeKind, show};
use terrace_support::HashMap;

/// Sizes of a module in order of what matters most
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Weight {
    /// Modules, functions and what else is a unit
    pub units: usize,
    /// Ops that are no constants
    pub ops: usize,
    /// Blocks
    pub blocks: usize,
    /// Arguments of blocks and results of ops
    pub values: usize,
    /// Operands
    pub operands: usize,
    /// Constants
    pub constants: usize,
    /// Widths, sizes and ranks of the types of all values
    pub types: u64,
    /// Lengths and magnitudes of attributes
    pub attrs: u64,
}

impl Weight {
    /// Of a module
    pub fn of(module: &Ir) -> Weight {
        let mut weight = Weight::default();
        let mut known = HashMap::default();
        let mut pending = vec![module];
        while let Some(unit) = pending.pop() {
            weight.units += 1;
            let cx = unit.cx();
            for op in std::iter::once(unit.root()).chain(unit.walk()) {
                if let Some(child) = unit.child(op) {
                    pending.push(child);
                    continue;
                }
                let constant = unit.has(op, Traits::ConstantLike);
                weight.ops += usize::from(!constant && op != unit.root());
                weight.constants += usize::from(constant);
                weight.operands += unit.num_operands(op);
                let args = unit.regions(op).flat_map(|region| unit.blocks(region)).map(|block| {
                    weight.blocks += 1;
                    unit.block_args(block)
                });
                let args: Vec<_> = args.flatten().copied().collect();
                for value in unit.results(op).chain(args) {
                    weight.values += 1;
                    let ty = unit.ty(value);
                    weight.types += *known.entry(ty).or_insert_with(|| of_type(cx, ty));
                }
                for slot in 0..unit.def(op).attrs.len() {
                    weight.attrs += unit.slot(op, slot).map_or(0, |attr| of_attr(cx, attr));
                }
                weight.attrs += unit.dict(op).map_or(0, |dict| of_attr(cx, dict));
            }
        }
        weight
    }

    /// Ops, constants among them
    pub fn all_ops(&self) -> usize {
        self.ops + self.constants
    }
}

/// Digits of a number in base 2
fn bits(value: i128) -> u64 {
    u64::from(128 - value.unsigned_abs().leading_zeros()) + u64::from(value < 0)
}

fn of_type(cx: &Context, ty: Type) -> u64 {
    let shaped = |shape: &[i64], elem: Type| {
        let sizes: u64 =
            shape.iter().map(|size| if *size == DYNAMIC { 40 } else { 2 + bits((*size).into()) }).sum();
        8 + sizes + of_type(cx, elem)
    };
    match ty.kind(cx) {
        TypeKind::Int { width, .. } => u64::from(*width),
        TypeKind::Float(kind) => u64::from(kind.width()) + 1,
        TypeKind::Index => 8,
        TypeKind::Vector { shape, elem, .. } | TypeKind::MemRef { shape, elem, .. } => shaped(shape, *elem),
        TypeKind::Tensor { shape, elem, .. } => shaped(shape, *elem),
        _ => show::type_text(cx, ty).len() as u64,
    }
}

fn of_attr(cx: &Context, attr: Attr) -> u64 {
    match attr.kind(cx) {
        AttrKind::Int { value, .. } => 1 + bits(*value),
        AttrKind::Float { bits: 0, .. } => 1,
        AttrKind::Float { bits, .. } => u64::from(66 - bits.leading_zeros() - bits.trailing_zeros()),
        AttrKind::Type(ty) => of_type(cx, *ty),
        _ => show::attr_text(cx, attr).len() as u64,
    }
}
