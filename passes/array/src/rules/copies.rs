//! Copies as maps, so that who copies can be chosen like anything else; names of maps, by which strategies find them; loops that
//! are written out.

use crate::rule::{Done, array_rules};
use crate::site::Site;
use terrace_analysis::nat::Nat;
use terrace_dialect_array::patterns::Pattern;
use terrace_dialect_array::types::flatten;
use terrace_dialect_array::{AsScalar, AsVector, Map, Place, Reduce, Yield, layout};
use terrace_dialect_gpu::AddressSpace;
use terrace_dialect_sched::Level;
use terrace_ir::{Attr, AttrKind, Ir, OpId, Value};
use terrace_rewrite::{Miss, OrMiss};

array_rules! { "copies":
    /// A copy of what is only laid out, element by element: a map for each dimension, which may get a name; `v` numbers at
    /// once in the innermost, where that is given.
    COPY_AS_MAPS "copyAsMaps" ("name?", "v?") Some(Place::DEF),
        "place s x => place s (map (.. map (a -> place #rm a)) x)",
        ["nothing is computed", "lanes divide the size"] => copy_as_maps;
    /// The same map under another name.
    RENAME "rename" ("name") Some(Map::DEF), "map f x => map f x", ["has another name"] => rename;
    /// A reduction one after the other, its steps written out; with `on` 0 as it is, so that it is a parameter whether they are.
    UNROLL "unroll" ("on?") Some(Reduce::DEF), "reduce + init z g x => reduce : unroll + init z g x",
        ["no level yet"] => unroll;
}

/// Most dimensions: a map stands in another for each
const MOST: usize = 64;

/// Is it a layout of values that are there?
fn is_laid_out(ir: &Ir, value: Value) -> bool {
    let Some(op) = ir.defining_op(value) else { return true };
    let views = |op: OpId| layout::is_layout(ir, op) && Place::cast(ir, op).is_none();
    if Map::cast(ir, op).is_some() {
        return ir
            .walk_below(op)
            .all(|inner| views(inner) || Map::cast(ir, inner).is_some() || ir.is(inner, Yield::DEF));
    }
    layout::is_layout(ir, op)
}

fn copy_as_maps(s: &mut Site<'_, '_>) -> Done {
    let (root, x, register) = (s.op, s.x(), AddressSpace::Private.attr(s.cx()));
    let space = s.ir().attr(root, "space").or_miss("a place without a space")?;
    s.array(x)?;
    let (dims, _) = flatten(s.cx(), s.ir().ty(x));
    (dims.len() <= MOST).or_miss("too many dimensions")?;
    let laid = is_laid_out(s.ir(), x);
    s.require("nothing is computed", laid, |_| "maps write it already".to_string())?;
    let copy = copied(s, x, register, s.word(0))?;
    let placed = s.place(space, copy)?;
    s.done(placed)
}

/// `map (.. map (a -> place register a)) x`
fn copied(s: &mut Site<'_, '_>, x: Value, register: Attr, name: Option<&str>) -> Result<Value, Miss> {
    let (size, elem) = s.array(x)?;
    if s.word(1).is_some() && s.is_scalar(elem) {
        let v = s.arg(1)?;
        s.divides("lanes divide the size", &v, &size)?;
        let lanes = s.nat_attr(&v);
        let vectors = s.view(AsVector::DEF, &[x], &[("lanes", Some(lanes))])?;
        let copy = s.map_named(name, None, vectors, &mut |s, part| Ok(vec![s.place(register, part[0])?]))?;
        return s.view(AsScalar::DEF, &[copy], &[]);
    }
    s.map_named(name, None, x, &mut |s, parts| {
        let mut done = Vec::new();
        for part in parts {
            done.push(match s.array(*part) {
                Ok(_) => copied(s, *part, register, name)?,
                Err(_) => s.place(register, *part)?,
            });
        }
        Ok(done)
    })
}

fn rename(s: &mut Site<'_, '_>) -> Done {
    let (map, x, name) = (s.op, s.x(), s.args.first().cloned().or_miss("no name")?);
    let f = s.fun(map)?;
    let old = s.ir().attr(map, "name").and_then(|old| match old.kind(s.cx()) {
        AttrKind::Str { text, .. } => Some(s.cx().str(*text).to_string()),
        _ => None,
    });
    s.require("has another name", old.as_deref() != Some(name.as_str()), |_| name.clone())?;
    let done = s.map_named(Some(&name), Some(map), x, &mut |s, a| s.inline(f, a))?;
    s.done(done)
}

fn unroll(s: &mut Site<'_, '_>) -> Done {
    let (root, x, f) = (s.op, s.x(), s.fun(s.op)?);
    let on = if s.word(0).is_some() { s.arg(0)? } else { Nat::from(1) };
    let on = on.as_constant().filter(|on| (0..=1).contains(on)).or_miss("`on` is 0 or 1")?;
    let level = s.ir().attr(root, "level");
    s.require("no level yet", level.is_none(), |_| "it has one".to_string())?;
    let init = s.ir().operands(root).nth(1);
    let level = if on == 1 { Level::Unroll } else { Level::Seq };
    let level = Some(s.cx().str_attr(&level.to_string()));
    let attrs = [
        ("operators", s.ir().attr(root, "operators")),
        ("order", s.ir().attr(root, "order")),
        ("level", level),
    ];
    let operands: Vec<Value> = [x].into_iter().chain(init).collect();
    let done = s.pattern(Pattern::Reduce, &operands, &attrs, &mut |s, a| s.inline(f, a))?;
    s.done(done)
}
