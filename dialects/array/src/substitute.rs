//! Numbers in place of the symbols of a function, in types, properties and conditions.

use crate::misfit::Misfit;
use crate::nat_text::{IndexNatAttr, NatAttr, NatsAttr, nat_attr, nat_of};
use crate::obligations;
pub use crate::size::Sizes;
use crate::size::Verdict;
use crate::types::{array_of, split_type, split_vector, vector_of};
use std::collections::{BTreeMap, BTreeSet};
use terrace_analysis::nat::{Nat, NatError};
use terrace_ir::attrs::AttrKind;
use terrace_ir::rules::AttrRule;
use terrace_ir::{Attr, Context, Ir, OpId, Type, TypeKind, Value};
use terrace_support::HashMap;

/// A type with other sizes
pub fn in_type(cx: &Context, ty: Type, sizes: Sizes<'_>) -> Result<Type, NatError> {
    let all = |types: &[Type]| types.iter().map(|ty| in_type(cx, *ty, sizes)).collect::<Result<Vec<_>, _>>();
    Ok(match ty.kind(cx) {
        TypeKind::Function { inputs, results } => cx.function(&all(inputs)?, &all(results)?),
        TypeKind::Tuple(types) => cx.ty(TypeKind::Tuple(all(types)?.into())),
        _ => match split_type(cx, ty) {
            Some((size, elem)) => array_of(cx, &size.substitute(sizes)?, in_type(cx, elem, sizes)?),
            None => match split_vector(cx, ty) {
                Some((lanes, elem)) => {
                    let lanes = lanes.substitute(sizes)?;
                    if lanes.as_constant().is_some_and(|lanes| lanes < 1) {
                        return Err(NatError::DivisionByZero);
                    }
                    vector_of(cx, &lanes, elem)
                }
                None => ty,
            },
        },
    })
}

/// Is it a property that holds a size?
fn holds_size(what: &str) -> bool {
    [NatAttr::RULE.what, NatsAttr::RULE.what, IndexNatAttr::RULE.what].contains(&what)
}

fn in_attr(cx: &Context, attr: Attr, is_size: bool, sizes: Sizes<'_>) -> Result<Attr, NatError> {
    if let Some(nat) = nat_of(cx, attr).filter(|_| is_size) {
        return Ok(nat_attr(cx, &nat.substitute(sizes)?));
    }
    match attr.kind(cx) {
        AttrKind::Array(all) if is_size => {
            let all: Result<Vec<Attr>, NatError> =
                all.iter().map(|attr| in_attr(cx, *attr, true, sizes)).collect();
            Ok(cx.array_attr(&all?))
        }
        AttrKind::Type(ty) => Ok(cx.type_attr(in_type(cx, *ty, sizes)?)),
        _ => Ok(attr),
    }
}

/// What a substitution writes
#[derive(Default)]
struct Changes {
    types: Vec<(Value, Type)>,
    attrs: Vec<(OpId, usize, Attr)>,
    said: Vec<(OpId, &'static str, Attr)>,
}

/// Numbers for symbols everywhere in a function; how many symbols that were there got one. The error is a condition that
/// fails or a size that is none, at its op; nothing has changed then.
pub fn bind(ir: &mut Ir, known: &BTreeMap<String, i64>) -> Result<usize, (OpId, Misfit)> {
    let sizes = |name: &str| known.get(name).map(|value| Nat::from(*value));
    let found = names(ir);
    let count = found.iter().filter(|name| known.contains_key(*name)).count();
    if count == 0 {
        return Ok(0);
    }
    for op in ir.walk() {
        for obligation in obligations::conditions(ir, op) {
            if let Verdict::Refuted(why) = obligation.decide(known) {
                return Err((op, Misfit::size(why)));
            }
        }
    }
    let mut changes = Changes::default();
    for op in std::iter::once(ir.root()).chain(ir.walk()) {
        changes.of_op(ir, op, &sizes).map_err(|why| (op, why))?;
    }
    changes.write(ir);
    Ok(count)
}

/// Sizes for names in an op and everything inside; the error says what is wrong, nothing has changed then
pub fn in_op(ir: &mut Ir, op: OpId, sizes: Sizes<'_>) -> Result<(), Misfit> {
    let mut changes = Changes::default();
    let all: Vec<OpId> = std::iter::once(op).chain(ir.walk_below(op)).collect();
    all.into_iter().try_for_each(|op| changes.of_op(ir, op, sizes))?;
    changes.write(ir);
    Ok(())
}

impl Changes {
    fn write(self, ir: &mut Ir) {
        for (value, ty) in self.types {
            ir.set_type(value, ty);
        }
        for (op, slot, attr) in self.attrs {
            ir.set_slot(op, slot, Some(attr));
        }
        for (op, name, attr) in self.said {
            ir.set_discardable(op, name, Some(attr));
        }
    }

    fn of_op(&mut self, ir: &Ir, op: OpId, sizes: Sizes<'_>) -> Result<(), Misfit> {
        let cx = ir.cx();
        let args = ir.regions(op).flat_map(|region| ir.blocks(region));
        let args = args.flat_map(|block| ir.block_args(block).iter().copied());
        let mut known: HashMap<Type, Type> = HashMap::default();
        for value in ir.results(op).chain(args) {
            let ty = ir.ty(value);
            let new = match known.get(&ty) {
                Some(new) => *new,
                None => in_type(cx, ty, sizes).map_err(|error| {
                    Misfit::size(format!("{}: {error}", terrace_ir::show::type_text(cx, ty)))
                })?,
            };
            known.insert(ty, new);
            if new != ty {
                self.types.push((value, new));
            }
        }
        for (slot, spec) in ir.def(op).attrs.iter().enumerate() {
            let Some(attr) = ir.slot(op, slot) else { continue };
            let new = in_attr(cx, attr, holds_size(spec.attr.what), sizes)
                .map_err(|error| Misfit::size(format!("attribute '{}': {error}", spec.name)))?;
            if new != attr {
                self.attrs.push((op, slot, new));
            }
        }
        let said = crate::threads::changed(ir, op, sizes)?;
        self.said.extend(said.into_iter().map(|(name, attr)| (op, name, attr)));
        Ok(())
    }
}

fn names_of_type(cx: &Context, ty: Type, names: &mut BTreeSet<String>) {
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        match ty.kind(cx) {
            TypeKind::Function { inputs, results } => pending.extend(inputs.iter().chain(results.iter())),
            TypeKind::Tuple(types) => pending.extend(types.iter()),
            _ => {
                if let Some((size, elem)) = split_type(cx, ty).or(split_vector(cx, ty)) {
                    names.extend(size.names());
                    pending.push(elem);
                }
            }
        }
    }
}

/// Symbols in the sizes of a function, without those that iterations bind
pub fn names(ir: &Ir) -> BTreeSet<String> {
    let cx = ir.cx();
    let mut names = BTreeSet::new();
    let mut seen: terrace_support::HashSet<Type> = Default::default();
    for op in std::iter::once(ir.root()).chain(ir.walk()) {
        let args = ir.regions(op).flat_map(|region| ir.blocks(region));
        let args = args.flat_map(|block| ir.block_args(block).iter().copied());
        for value in ir.results(op).chain(args) {
            if seen.insert(ir.ty(value)) {
                names_of_type(cx, ir.ty(value), &mut names);
            }
        }
        for (slot, spec) in ir.def(op).attrs.iter().enumerate() {
            match ir.slot(op, slot) {
                Some(attr) if holds_size(spec.attr.what) => {
                    let all = attr.as_array(cx).map_or(vec![attr], <[Attr]>::to_vec);
                    let nats = all.into_iter().filter_map(|attr| nat_of(cx, attr));
                    names.extend(nats.flat_map(|nat| nat.names()));
                }
                Some(attr) => attr.as_type(cx).into_iter().for_each(|ty| names_of_type(cx, ty, &mut names)),
                None => {}
            }
        }
        names.extend(crate::threads::names(ir, op));
    }
    names.retain(|name| !name.starts_with('$'));
    names
}
