//! Memory: where a value is written, and in which space.

use crate::rule::{Done, array_rules};
use crate::site::Site;
use terrace_dialect_array as array;
use terrace_dialect_array::{Map, Reduce, Yield};
use terrace_dialect_gpu::AddressSpace;
use terrace_ir::{Attr, Value};
use terrace_rewrite::{Miss, OrMiss};

array_rules! { "memory":
    /// Registers of one thread.
    TO_PRIVATE "toPrivate" () None, "x => place #rm x", ["not there yet"] => |s| to(s, AddressSpace::Private);
    /// Memory of a block.
    TO_LOCAL "toLocal" () None, "x => place #sm x", ["not there yet"] => |s| to(s, AddressSpace::Workgroup);
    /// Memory of the device.
    TO_GLOBAL "toGlobal" () None, "x => place #dm x", ["not there yet"] => |s| to(s, AddressSpace::Global);
    /// What a function gets, in memory of this space first: read often, fetched once; `transposed`, where it has rows,
    /// columns first.
    INTRODUCE_REUSE "introduceReuse" ("space", "transposed?") Some(Map::DEF),
        "map f x => map (a -> f (place s a)) x", ["not there yet"] => introduce_reuse;
    /// The same for one of what the function of a map or a reduction gets: the `n`th, from 0. What is there may get a name.
    INTRODUCE_REUSE_OF "introduceReuseOf" ("n", "space", "name?") None,
        "reduce + init z (a, b -> f a b) x => reduce + init z (a, b -> f (place s a) b) x", ["not there yet"] => introduce_reuse_of;
    /// Written once is enough.
    PLACE_PLACE "placePlace" () Some(array::Place::DEF),
        "place s (place s x) => place s x", ["same space"] => place_place;
}

/// By the names that strategies use
fn space_of(s: &Site<'_, '_>, word: &str) -> Result<Attr, Miss> {
    let space = match word {
        "local" | "shared" => Some(AddressSpace::Workgroup),
        other => AddressSpace::from_word(other),
    };
    Ok(space.or_miss("no such memory space")?.attr(s.cx()))
}

fn to(s: &mut Site<'_, '_>, space: AddressSpace) -> Done {
    let (root, name, space) = (s.op, space.word(), space.attr(s.cx()));
    (s.ir().num_results(root) == 1).or_miss("only the result of an op can be placed")?;
    (!s.ir().is(root, Yield::DEF)).or_miss("only the result of an op can be placed")?;
    let result = s.ir().result(root, 0);
    let by =
        |op: terrace_ir::OpId| s.ir().is(op, array::Place::DEF) && s.ir().attr(op, "space") == Some(space);
    let placed = by(root) || s.ir().uses(result).any(|(user, _)| by(user));
    s.require("not there yet", !placed, |_| name.to_string())?;
    let again = s.again()?;
    let placed = s.place(space, again[0])?;
    s.done(placed)
}

fn introduce_reuse(s: &mut Site<'_, '_>) -> Done {
    let (map, x, f) = (s.op, s.x(), s.fun(s.op)?);
    let word = s.word(0).unwrap_or("");
    let (space, turned) = (space_of(s, word)?, s.word(1) == Some("transposed"));
    let by = |user: terrace_ir::OpId| {
        s.ir().is(user, array::Place::DEF) && s.ir().attr(user, "space") == Some(space)
    };
    let placed = s.params(f).iter().any(|param| s.ir().uses(*param).any(|(user, _)| by(user)));
    s.require("not there yet", !placed, |_| word.to_string())?;
    let done = s.map_like(map, x, &mut |s, args| {
        let mut placed = Vec::new();
        for arg in args {
            placed.push(if turned && s.matrix(*arg).is_ok() {
                let columns = s.transpose(*arg)?;
                let there = s.place(space, columns)?;
                s.transpose(there)?
            } else {
                s.place(space, *arg)?
            });
        }
        s.inline(f, &placed)
    })?;
    s.done(done)
}

fn introduce_reuse_of(s: &mut Site<'_, '_>) -> Done {
    let (root, n) = (s.op, s.word(0).and_then(|n| n.parse::<usize>().ok()).or_miss("`n` is no number")?);
    let reduces = s.ir().is(root, Reduce::DEF);
    (reduces || s.ir().is(root, Map::DEF)).or_miss("neither map nor reduction")?;
    let (x, f) = (s.x(), s.fun(root)?);
    let word = s.word(1).unwrap_or("");
    let space = space_of(s, word)?;
    let param = *s.params(f).get(n).or_miss("the function gets less")?;
    let placed = s
        .ir()
        .uses(param)
        .any(|(user, _)| s.ir().is(user, array::Place::DEF) && s.ir().attr(user, "space") == Some(space));
    s.require("not there yet", !placed, |_| word.to_string())?;
    let body = |s: &mut Site<'_, '_>, args: &[Value]| {
        let mut args = args.to_vec();
        let there = s.place(space, args[n])?;
        if let Some(name) = s.word(2) {
            s.call(there, name);
        }
        args[n] = there;
        s.inline(f, &args)
    };
    let init = s.ir().operands(root).nth(1);
    let done = match reduces {
        true => s.reduce_like(root, init, x, &mut |s, args| body(s, args))?,
        false => s.map_like(root, x, &mut |s, args| body(s, args))?,
    };
    s.done(done)
}

fn place_place(s: &mut Site<'_, '_>) -> Done {
    let x = s.x();
    let inner = s.from(x, array::Place::DEF)?;
    let same = s.ir().attr(inner, "space") == s.ir().attr(s.op, "space");
    s.require("same space", same, |_| "the spaces are two".to_string())?;
    s.done(x)
}
