//! The functions of a module that can be called from outside, and the numbers in it.

use std::collections::BTreeSet;
use terrace_ir::{AttrKind, Context, DenseData, Ir, Traits, Type, show};

/// A function that can be called from outside
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name
    pub name: String,
    /// Types of its parameters
    pub inputs: Vec<Type>,
    /// Types of its results
    pub results: Vec<Type>,
}

/// The public functions of a module that have a body, in the order of the text
pub fn functions(ir: &Ir) -> Vec<Function> {
    let ops =
        ir.regions(ir.root()).flat_map(|region| ir.blocks(region)).flat_map(|block| ir.block_ops(block));
    ops.filter_map(|op| function(ir.child(op)?)).collect()
}

fn function(unit: &Ir) -> Option<Function> {
    let (cx, root) = (unit.cx(), unit.root());
    let name =
        terrace_ir::symbols::symbol_name(unit, root).filter(|_| unit.has(root, Traits::FunctionLike))?;
    // Other functions may be changed together with their callers.
    let visibility = unit.attr(root, "sym_visibility").and_then(|attr| attr.as_str(cx));
    let public = matches!(visibility, None | Some("public"));
    let (inputs, results) = unit.attr(root, "function_type")?.as_type(cx)?.as_function(cx)?;
    let body = unit.regions(root).any(|region| unit.entry(region).is_some());
    let function =
        || Function { name: cx.str(name).into(), inputs: inputs.to_vec(), results: results.to_vec() };
    (body && public).then(function)
}

/// All numbers that a module has as attributes of its ops
#[derive(Clone, Default, Debug)]
pub struct Numbers {
    /// Integers, rising
    pub ints: Vec<i128>,
    /// Floats, in order of their bits
    pub floats: Vec<f64>,
}

/// The numbers in a module and the units inside
pub fn numbers(ir: &Ir) -> Numbers {
    let (mut ints, mut floats) = (BTreeSet::new(), BTreeSet::new());
    let mut pending = vec![ir];
    while let Some(unit) = pending.pop() {
        for op in unit.walk() {
            pending.extend(unit.child(op));
            for slot in 0..unit.def(op).attrs.len() {
                let Some(attr) = unit.slot(op, slot) else { continue };
                read(unit.cx(), attr.kind(unit.cx()), &mut ints, &mut floats);
            }
        }
    }
    let floats = floats.into_iter().map(f64::from_bits).collect();
    Numbers { ints: ints.into_iter().collect(), floats }
}

fn read(cx: &Context, kind: &AttrKind, ints: &mut BTreeSet<i128>, floats: &mut BTreeSet<u64>) {
    match kind {
        AttrKind::Int { value, .. } => {
            ints.insert(*value);
        }
        AttrKind::Float { bits, ty } => {
            if let terrace_ir::TypeKind::Float(kind) = ty.kind(cx) {
                floats.extend(show::value_of_bits(*bits, *kind).map(f64::to_bits));
            }
        }
        AttrKind::Dense { data: DenseData::Splat(raw), ty } if ty.scalar(cx).is_int(cx) && raw.len() <= 8 => {
            let mut wide = [0; 16];
            wide[..raw.len()].copy_from_slice(raw);
            ints.insert(i128::from_le_bytes(wide));
        }
        _ => {}
    }
}
