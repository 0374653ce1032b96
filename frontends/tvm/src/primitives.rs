//! The primitives: what each of them does to stages.

use crate::refusal::Code;
use crate::stage::{Axis, Intrinsic, Relation, Role, Run, Stage};
use crate::syntax::{Expr, ExprForm, fail};
use crate::values::{Args, Done, Script, Value};
use std::ops::Range;
use terrace_dialect_mdh::schedule::Part;

/// `s.cache_read(…)`
pub(crate) fn of_schedule(script: &mut Script<'_>, name: &str, args: Args) -> Done<Value> {
    match name {
        "cache_write" => {
            let (value, at) = args.take(0, "tensor", "`cache_write` takes a tensor and a scope")?;
            let stage = tensor(one(value), &at)?;
            let scope = text(args.take(1, "scope", "`cache_write` takes a tensor and a scope")?)?;
            cache_write(script, stage, &scope, args.at)
        }
        "cache_read" => {
            let missing = "`cache_read` takes a tensor, a scope and a list of readers";
            let (value, at) = args.take(0, "tensor", missing)?;
            let from = tensor(one(value), &at)?;
            let scope = text(args.take(1, "scope", missing)?)?;
            let (readers, readers_at) = args.take(2, "readers", missing)?;
            let readers = match readers {
                Value::Many(all) => all,
                other => vec![other],
            };
            for reader in readers {
                tensor(reader, &readers_at)?;
            }
            let buffer = match script.world.stages[from].role {
                Role::Given(buffer) | Role::Copy(buffer) => buffer,
                Role::Result => {
                    let refusal =
                        Code::Call.because("`cache_read` of a result; `cache_write` gives it a buffer");
                    return fail(at, refusal);
                }
            };
            let name = format!("{}_{}", script.world.stages[from].name, scope.replace('.', "_"));
            let mut stage = Stage::new(&name, Role::Copy(buffer), &scope, args.at.clone());
            for dim in 0..script.of.ins[buffer].rank {
                stage.root(dim, &format!("ax{dim}"), args.at.clone());
            }
            script.world.stages.push(stage);
            Ok(Value::Tensor(script.world.stages.len() - 1))
        }
        "rfactor" => {
            let missing = "`rfactor` takes a tensor and a reduced axis of it";
            let (value, at) = args.take(0, "tensor", missing)?;
            let stage = tensor(one(value), &at)?;
            let which = args.take(1, "axis", missing)?;
            rfactor(script, stage, which, args.at)
        }
        "normalize" | "create_group" => {
            fail(args.at, Code::Word.because(format!("`{name}` has no meaning for one computation")))
        }
        _ => fail(
            args.at,
            Code::Call.because(format!(
                "a schedule has no primitive `{name}`; cache_read, cache_write and rfactor are"
            )),
        ),
    }
}

fn cache_write(script: &mut Script<'_>, stage: usize, scope: &str, at: Range<usize>) -> Done<Value> {
    if script.world.results.last() != Some(&stage) {
        let name = &script.world.stages[stage].name;
        return fail(
            at,
            Code::Order
                .because(format!("`{name}` computes nothing any more; take the buffer that was made of it")),
        );
    }
    let own = &script.world.stages[stage];
    if own.touched() {
        return fail(
            at,
            Code::Order.because(format!("`cache_write` of `{}` comes before its loops are split", own.name)),
        );
    }
    let name = format!("{}_{}", own.name, scope.replace('.', "_"));
    let mut inner = Stage::new(&name, Role::Result, scope, at.clone());
    let roots = own.roots.clone();
    for (dim, _) in &roots {
        inner.root(*dim, &script.of.dims[*dim].name, at.clone());
    }
    let own = &mut script.world.stages[stage];
    let reduced: Vec<usize> =
        roots.iter().filter(|(dim, _)| !script.of.dims[*dim].kept).map(|(_, axis)| *axis).collect();
    own.roots.retain(|(_, axis)| !reduced.contains(axis));
    own.leafs.retain(|axis| !reduced.contains(axis));
    script.world.stages.push(inner);
    let stage = script.world.stages.len() - 1;
    script.world.results.push(stage);
    Ok(Value::Tensor(stage))
}

/// A result for each coordinate of a reduced axis, in a stage of its own; the stage that had it merges them
fn rfactor(
    script: &mut Script<'_>,
    stage: usize,
    which: (Value, Range<usize>),
    at: Range<usize>,
) -> Done<Value> {
    let name = script.world.stages[stage].name.clone();
    if script.world.results.last() != Some(&stage) {
        return fail(
            at,
            Code::Order
                .because(format!("`{name}` computes nothing any more; take the buffer that was made of it")),
        );
    }
    let place = which.1.clone();
    let axis = axis(script, stage, which)?;
    let of = script.of;
    let own = &script.world.stages[stage];
    let kept = |dim: &usize| of.dims[*dim].kept;
    if own.dims(axis).iter().any(kept) {
        let refusal = Code::Axis.because(format!(
            "`{}` is an axis of the result; `rfactor` takes a reduced one",
            own.axes[axis].name
        ));
        return fail(place, refusal);
    }
    let reduced: Vec<usize> =
        own.leafs.iter().copied().filter(|leaf| !own.dims(*leaf).iter().any(kept)).collect();
    if let Some(mixed) = own.leafs.iter().find(|leaf| {
        let dims = own.dims(**leaf);
        dims.iter().any(kept) && !dims.iter().all(kept)
    }) {
        let refusal = Code::Fuse.because(format!(
            "`{}` is kept and reduced dimensions in one; `rfactor` comes before that",
            own.axes[*mixed].name
        ));
        return fail(place, refusal);
    }
    // The new stage: axes of the result anew, behind one for the part; reduced ones as they were cut.
    let mut inner = Stage::new(&format!("{name}_rf"), Role::Result, &own.scope, at.clone());
    inner.axes.clone_from(&own.axes);
    let of_reduced = |relation: &&Relation| match **relation {
        Relation::Split { from, .. } => !own.dims(from).iter().any(kept),
        Relation::Fuse { outer, .. } => !own.dims(outer).iter().any(kept),
    };
    inner.relations = own.relations.iter().filter(of_reduced).cloned().collect();
    let part = inner.axis(&own.axes[axis].name, at.clone());
    inner.units.push((own.dims(axis).first().copied().unwrap_or(0), part));
    inner.leafs.push(part);
    for (dim, root) in &own.roots {
        match of.dims[*dim].kept {
            true => inner.root(*dim, &of.dims[*dim].name, at.clone()),
            false => inner.roots.push((*dim, *root)),
        }
    }
    let rest: Vec<usize> = reduced.iter().copied().filter(|leaf| *leaf != axis).collect();
    inner.leafs.extend(&rest);
    inner.reduced = Some(rest.clone());
    let own = &mut script.world.stages[stage];
    own.leafs.retain(|leaf| !rest.contains(leaf));
    own.reduced = Some(vec![axis]);
    own.factored = Some(axis);
    script.world.stages.push(inner);
    let stage = script.world.stages.len() - 1;
    script.world.results.push(stage);
    Ok(Value::Tensor(stage))
}

/// `fma_6x16`, `dot_16`: loops that become ops of a target
fn intrinsic(name: &str, axis: usize, at: Range<usize>) -> Done<Intrinsic> {
    let (word, trips) = name.split_once('_').unwrap_or((name, ""));
    let trips: Option<Vec<i64>> =
        trips.split('x').map(|trip| trip.parse().ok().filter(|trip| *trip > 1)).collect();
    match (word, trips) {
        ("fma", Some(trips)) => Ok(Intrinsic { name: name.into(), trips, reduces: false, axis, at }),
        ("dot", Some(trips)) if trips.len() == 1 => {
            Ok(Intrinsic { name: name.into(), trips, reduces: true, axis, at })
        }
        ("wmma" | "mma", _) => fail(
            at,
            Code::Word.because(format!(
                "`{name}` is of matrix units, which steps do not reach; fma_6x16 and dot_16 are of lanes"
            )),
        ),
        _ => fail(
            at,
            Code::Word.because(format!(
                "there is no intrinsic `{name}`; there are fma_6x16 (rows, then lanes that multiply and add) and dot_16 \
                 (lanes of a reduction), of any numbers"
            )),
        ),
    }
}

/// `s[C].split(…)`
pub(crate) fn of_stage(script: &mut Script<'_>, stage: usize, name: &str, args: Args) -> Done<Value> {
    match name {
        "split" => split_axis(script, stage, args),
        "tile" => tile(script, stage, args),
        "reorder" => reorder_all(script, stage, args),
        "fuse" => fuse_all(script, stage, args),
        "unroll" | "vectorize" | "parallel" => {
            let which = axis(script, stage, args.take(0, "var", &takes_an_axis(name))?)?;
            let run = match name {
                "unroll" => Run::Unroll,
                "vectorize" => Run::Vector,
                _ => Run::Parallel,
            };
            set(script, stage, which, run, args.at)
        }
        "bind" => bind(script, stage, args),
        "compute_at" => compute_at(script, stage, args),
        "compute_root" => {
            script.world.stages[stage].place = None;
            Ok(Value::Word)
        }
        "pragma" => pragma(script, stage, args),
        "transform_layout" => transform_layout(script, stage, args),
        "double_buffer" => {
            script.world.stages[stage].double = true;
            Ok(Value::Word)
        }
        "compute_inline" => {
            fail(args.at, Code::Word.because("`compute_inline` is for graphs of computations; here is one"))
        }
        "tensorize" => tensorize(script, stage, args),
        "storage_align" => fail(
            args.at,
            Code::Word.because("`storage_align` makes rows longer, which layouts of steps do not; the word `swizzle N` of a buffer spreads \
             its rows over banks"),
        ),
        "prefetch"
        | "set_scope"
        | "env_threads"
        | "rolling_buffer"
        | "set_store_predicate"
        | "set_axis_separators" => fail(args.at, Code::Word.because(format!("steps have no word for `{name}`"))),
        _ => fail(
            args.at,
            Code::Call.because(format!(
                "a stage has no primitive `{name}`; split, tile, reorder, fuse, bind, unroll, vectorize, parallel, \
                 compute_at, compute_root, pragma, tensorize, double_buffer and transform_layout are"
            )),
        ),
    }
}

fn takes_an_axis(name: &str) -> String {
    format!("`{name}` takes an axis")
}

/// `s[C].split(axis, factor)` or `nparts`
fn split_axis(script: &mut Script<'_>, stage: usize, args: Args) -> Done<Value> {
    let parent = axis(script, stage, args.take(0, "parent", &takes_an_axis("split"))?)?;
    let factor = args.find(1, "factor").filter(|(value, _)| *value != Value::Word);
    let parts = args.find(2, "nparts").filter(|(value, _)| *value != Value::Word);
    let (factor, parts) = match (factor, parts) {
        (Some(factor), None) => (Some(number(factor)?), None),
        (None, Some(parts)) => (None, Some(number(parts)?)),
        _ => return fail(args.at, Code::Call.because("`split` takes a factor or nparts")),
    };
    Ok(split(script, stage, parent, factor, parts, &args.at))
}

/// `s[C].tile(x, y, fx, fy)`: two splits, the inner loops innermost
fn tile(script: &mut Script<'_>, stage: usize, args: Args) -> Done<Value> {
    let missing = "`tile` takes two axes and two factors";
    let x = axis(script, stage, args.take(0, "x_parent", missing)?)?;
    let y = axis(script, stage, args.take(1, "y_parent", missing)?)?;
    let (fx, fy) = (number(args.take(2, "x_factor", missing)?)?, number(args.take(3, "y_factor", missing)?)?);
    let Value::Many(xs) = split(script, stage, x, Some(fx), None, &args.at) else {
        return Ok(Value::Word);
    };
    let Value::Many(ys) = split(script, stage, y, Some(fy), None, &args.at) else {
        return Ok(Value::Word);
    };
    let order = vec![xs[0].clone(), ys[0].clone(), xs[1].clone(), ys[1].clone()];
    reorder(script, stage, order.iter().map(|one| (one.clone(), args.at.clone())).collect())?;
    Ok(Value::Many(order))
}

/// `s[C].reorder(…)`, with lists among the axes
fn reorder_all(script: &mut Script<'_>, stage: usize, args: Args) -> Done<Value> {
    let given = args.positional.into_iter().flat_map(|(value, at)| match value {
        Value::Many(all) => all.into_iter().map(|one| (one, at.clone())).collect(),
        one => vec![(one, at)],
    });
    reorder(script, stage, given.collect())?;
    Ok(Value::Word)
}

/// `s[C].fuse(…)` of two axes or more
fn fuse_all(script: &mut Script<'_>, stage: usize, args: Args) -> Done<Value> {
    let mut all = Vec::new();
    for (value, at) in args.positional.iter().cloned() {
        let list = if let Value::Many(list) = value { list } else { vec![value] };
        for one in list {
            all.push((axis(script, stage, (one, at.clone()))?, at.clone()));
        }
    }
    let Some(((first, _), rest)) = all.split_first() else {
        return fail(args.at, Code::Call.because(takes_an_axis("fuse")));
    };
    let mut fused = *first;
    for (next, at) in rest {
        fused = fuse(script, stage, fused, *next, at)?;
    }
    Ok(Value::Axis(stage, fused))
}

/// `s[C].bind(axis, te.thread_axis(…))`
fn bind(script: &mut Script<'_>, stage: usize, args: Args) -> Done<Value> {
    let which = axis(script, stage, args.take(0, "ivar", &takes_an_axis("bind"))?)?;
    match args.take(1, "thread_ivar", "`bind` takes an axis and a thread axis")? {
        (Value::Thread(tag), _) => {
            script.world.grid |= tag.starts_with("blockIdx") || tag.starts_with("threadIdx");
            set(script, stage, which, Run::Bind(tag), args.at)
        }
        (other, at) => {
            fail(at, Code::Call.because(format!("`bind` to {}, not to a thread axis", other.what())))
        }
    }
}

/// `s[B].compute_at(s[C], axis)`
fn compute_at(script: &mut Script<'_>, stage: usize, args: Args) -> Done<Value> {
    let missing = "`compute_at` takes a stage and an axis of it";
    let parent = match args.take(0, "parent", missing)? {
        (Value::Stage(parent), _) => parent,
        (other, at) => {
            return fail(at, Code::Call.because(format!("{} is no stage; s[C] is one", other.what())));
        }
    };
    let (value, at) = args.take(1, "scope", missing)?;
    let which = axis(script, parent, (value, at.clone()))?;
    if parent == stage || matches!(script.world.stages[parent].role, Role::Copy(_) | Role::Given(_)) {
        let refusal = Code::At.because(format!(
            "`{}` computed at a loop of `{}`, which only copies; take a loop of the result",
            script.world.stages[stage].name, script.world.stages[parent].name
        ));
        return fail(at, refusal);
    }
    if stage == 0 {
        return fail(args.at, Code::At.because("the output is computed where it is"));
    }
    script.world.stages[stage].place = Some((parent, which));
    script.world.stages[stage].at = args.at;
    Ok(Value::Word)
}

/// `s[C].pragma(axis, word)`: those that steps have a word for; a remark for others
fn pragma(script: &mut Script<'_>, stage: usize, args: Args) -> Done<Value> {
    let which = axis(script, stage, args.take(0, "var", &takes_an_axis("pragma"))?)?;
    match args.take(1, "pragma_type", "`pragma` takes an axis and a word")? {
        (Value::Str(word), _) if word == "loop_partition_hint" => {
            script.world.stages[stage].axes[which].peel = true;
        }
        (Value::Str(word), _) if word == "whole_tiles" => {
            script.world.stages[stage].axes[which].pad = true;
        }
        (Value::Str(word), _) if word == "one_partial_vector" => {
            script.world.stages[stage].axes[which].mask = true;
        }
        (Value::Str(word), _)
            if word == "unroll_explicit" && virtual_thread(&script.world.stages[stage].axes[which]) =>
        {
            script.world.stages[stage].axes[which].unroll = true;
        }
        (Value::Str(word), at) => script
            .world
            .notes
            .push(crate::Note { at, text: format!("pragma `{word}`: such details are decided by lowering") }),
        (_, at) => return fail(at, Code::Call.because("a pragma is a text")),
    }
    Ok(Value::Word)
}

/// `s[B].transform_layout(lambda i, j: [j, i])`
fn transform_layout(script: &mut Script<'_>, stage: usize, args: Args) -> Done<Value> {
    let missing = "`transform_layout` takes a function, such as lambda i, j: [j, i]";
    let (value, at) = args.take(0, "mapping_function", missing)?;
    let Value::Lambda(names, body) = value else { return fail(at, Code::Call.because(missing)) };
    let rank = match script.world.stages[stage].role {
        Role::Copy(buffer) => script.of.ins[buffer].rank,
        _ => script.of.axes.len(),
    };
    if names.len() != rank {
        return fail(
            at,
            Code::Call.because(format!("a function of {} indices, but there are {rank}", names.len())),
        );
    }
    if stage == 0 {
        return fail(at, Code::Word.because("the layout of the output is the caller's"));
    }
    script.world.stages[stage].layout = layout(&names, &body)?;
    Ok(Value::Word)
}

/// `s[C].tensorize(axis, intrinsic)`
fn tensorize(script: &mut Script<'_>, stage: usize, args: Args) -> Done<Value> {
    let missing = "`tensorize` takes an axis and the name of an intrinsic, such as \"fma_6x16\"";
    let which = axis(script, stage, args.take(0, "var", missing)?)?;
    let (value, at) = args.take(1, "tensor_intrin", missing)?;
    let Value::Str(name) = value else { return fail(at, Code::Call.because(missing)) };
    let intrinsic = intrinsic(name.trim(), which, at)?;
    let own = &mut script.world.stages[stage];
    if own.role != Role::Result {
        let refusal =
            Code::Call.because(format!("`tensorize` of `{}`, which copies; take what computes", own.name));
        return fail(args.at, refusal);
    }
    if own.tensorized.is_some() {
        return fail(args.at, Code::Order.because(format!("`{}` has an intrinsic already", own.name)));
    }
    own.tensorized = Some(intrinsic);
    Ok(Value::Word)
}

fn split(
    script: &mut Script<'_>,
    stage: usize,
    from: usize,
    factor: Option<i64>,
    parts: Option<i64>,
    at: &Range<usize>,
) -> Value {
    let own = &mut script.world.stages[stage];
    let name = own.axes[from].name.clone();
    let (outer, inner) =
        (own.axis(&format!("{name}.outer"), at.clone()), own.axis(&format!("{name}.inner"), at.clone()));
    if let Some(n) = own.leafs.iter().position(|leaf| *leaf == from) {
        own.leafs.splice(n..=n, [outer, inner]);
    }
    own.relations.push(Relation::Split { from, outer, inner, factor, parts });
    Value::Many(vec![Value::Axis(stage, outer), Value::Axis(stage, inner)])
}

fn fuse(script: &mut Script<'_>, stage: usize, outer: usize, inner: usize, at: &Range<usize>) -> Done<usize> {
    let own = &mut script.world.stages[stage];
    let place = |axis: usize| own.leafs.iter().position(|leaf| *leaf == axis);
    let (Some(n), Some(m)) = (place(outer), place(inner)) else {
        return fail(at.clone(), Code::Axis.because("an axis that is gone"));
    };
    let (a, b) = (own.axes[outer].name.clone(), own.axes[inner].name.clone());
    if n + 1 != m {
        let refusal =
            Code::Fuse.because(format!("`{b}` does not stand right inside of `{a}`; reorder them first"));
        return fail(at.clone(), refusal);
    }
    let fused = own.axis(&format!("{a}.{b}"), at.clone());
    own.leafs.splice(n..=m, [fused]);
    own.relations.push(Relation::Fuse { outer, inner, fused });
    Ok(fused)
}

/// The axes that are named take each other's places
fn reorder(script: &mut Script<'_>, stage: usize, given: Vec<(Value, Range<usize>)>) -> Done<()> {
    let mut order: Vec<usize> = Vec::new();
    for (value, at) in given {
        let which = axis(script, stage, (value, at.clone()))?;
        if order.contains(&which) {
            let name = &script.world.stages[stage].axes[which].name;
            return fail(at, Code::Axis.because(format!("`{name}` twice")));
        }
        order.push(which);
    }
    let own = &mut script.world.stages[stage];
    let mut places: Vec<usize> = (0..own.leafs.len()).filter(|n| order.contains(&own.leafs[*n])).collect();
    places.sort_unstable();
    for (place, which) in places.into_iter().zip(order) {
        own.leafs[place] = which;
    }
    Ok(())
}

fn set(script: &mut Script<'_>, stage: usize, which: usize, run: Run, at: Range<usize>) -> Done<Value> {
    let own = &mut script.world.stages[stage].axes[which];
    if own.run != Run::Serial {
        return fail(at, Code::Bind.because(format!("who runs `{}` was said before", own.name)));
    }
    own.run = run;
    Ok(Value::Word)
}

fn virtual_thread(axis: &Axis) -> bool {
    matches!(&axis.run, Run::Bind(tag) if tag.starts_with("vthread"))
}

/// A leaf axis of the stage
fn axis(script: &Script<'_>, stage: usize, (value, at): (Value, Range<usize>)) -> Done<usize> {
    let own = &script.world.stages[stage];
    let found = match value {
        Value::Axis(of, axis) if of == stage => axis,
        Value::Axis(of, axis) => {
            let other = &script.world.stages[of];
            let refusal = Code::Axis.because(format!(
                "`{}` is an axis of `{}`, not of `{}`",
                other.axes[axis].name, other.name, own.name
            ));
            return fail(at, refusal);
        }
        Value::Dim(dim) => {
            match own.roots.iter().find(|(root, _)| *root == dim && own.role == Role::Result) {
                Some((_, axis)) => *axis,
                None => {
                    let name = &script.of.dims[dim].name;
                    return fail(at, Code::Axis.because(format!("`{}` has no axis `{name}`", own.name)));
                }
            }
        }
        other => return fail(at, Code::Axis.because(format!("{} is no axis", other.what()))),
    };
    if own.leafs.contains(&found) {
        return Ok(found);
    }
    fail(at, Code::Axis.because(format!("`{}` is gone: other axes were made of it", own.axes[found].name)))
}

fn tensor(value: Value, at: &Range<usize>) -> Done<usize> {
    match value {
        Value::Tensor(stage) | Value::Op(stage) => Ok(stage),
        other => fail(at.clone(), Code::Call.because(format!("{} is no tensor", other.what()))),
    }
}

/// `[C]` is as good as `C`; of several results the stage is one
fn one(value: Value) -> Value {
    match value {
        Value::Many(all) if all.windows(2).all(|pair| pair[0] == pair[1]) => {
            all.into_iter().next().unwrap_or(Value::Word)
        }
        other => other,
    }
}

fn text((value, at): (Value, Range<usize>)) -> Done<String> {
    match value {
        Value::Str(text) => Ok(text.trim().to_owned()),
        other => fail(at, Code::Call.because(format!("{} is no text", other.what()))),
    }
}

fn number((value, at): (Value, Range<usize>)) -> Done<i64> {
    match value {
        Value::Int(number) if number > 0 => Ok(number),
        Value::Int(number) => fail(at, Code::Call.because(format!("{number} is no positive number"))),
        other => fail(at, Code::Call.because(format!("{} is no number", other.what()))),
    }
}

/// `lambda i, j: [j // 64, i, j % 64]` as parts of a layout
fn layout(names: &[String], body: &Expr) -> Done<Vec<Part>> {
    let ExprForm::Many(parts) = &body.kind else {
        return fail(body.at.clone(), Code::Call.because("a layout is a list of indices"));
    };
    let index = |expr: &Expr| match &expr.kind {
        ExprForm::Name(name) => names.iter().position(|known| known == name),
        _ => None,
    };
    let mut all = Vec::new();
    for part in parts {
        let found = match &part.kind {
            ExprForm::Name(_) => index(part).map(Part::Whole),
            ExprForm::Binary(operator, left, right) => match (operator.as_str(), index(left), &right.kind) {
                ("//", Some(dim), ExprForm::Int(by)) if *by > 0 => Some(Part::Div(dim, *by)),
                ("%", Some(dim), ExprForm::Int(by)) if *by > 0 => Some(Part::Mod(dim, *by)),
                _ => None,
            },
            _ => None,
        };
        match found {
            Some(found) => all.push(found),
            None => {
                return fail(
                    part.at.clone(),
                    Code::Word.because("parts of a layout are i, i // n and i % n"),
                );
            }
        }
    }
    Ok(all)
}
