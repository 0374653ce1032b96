//! MDH text of computations that are there as IR, whatever they were written in.
//!
//! A function whose body is one `mdh.compute` of its arguments is a definition. [`crate::text`] prints that definition; what is
//! printed is read again here, and must be the same computation (`same`). So nothing is printed that says something else.
//!
//! `buffers` has arguments and results and how they are accessed, `results` what else a function may do, `names` their spelling,
//! `scalar` the scalar functions, `same` the comparison.
//!
//! **Invariants.** What MDH text cannot say is refused with its place (D-UNSAID).
//! **Not done here.** Sizes that were computed from others (`N - 2`) are numbers in IR, and stay numbers.

mod buffers;
mod index;
mod names;
mod results;
mod same;
mod scalar;
mod sizes;

use crate::codes;
use crate::print;
use crate::syntax::{Expr, ExprKind};
use crate::text::{Comb, Definition, Fun};
use buffers::Buffers;
use index::condition;
use names::Names;
use scalar::Body;
use std::fmt::Display;
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags, SourceId, Span};
use terrace_dialect_func as func;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::{Declared, Operator, declared};
use terrace_dialect_mdh::schedule::{self, SCHEDULE};
use terrace_dialect_mdh::view::{CombineKind, Dim, Order, View};
use terrace_ir::{Context, Ir};

type Done<T> = Result<T, Box<Diagnostic>>;

/// A module as MDH text; nothing if that was refused with a message
pub fn text(ir: &Ir, diags: &mut Diags) -> Option<String> {
    crate::syntax::with_room(|| match module(ir) {
        Ok(text) => Some(text),
        Err(error) => {
            let _ = diags.emit(*error);
            None
        }
    })
}

/// What MDH text has no words for
fn unsaid(span: Option<Span>, what: impl Display, accepted: impl Display) -> Box<Diagnostic> {
    let error = Diagnostic::error(&codes::D_UNSAID, format!("D-UNSAID: {what}"));
    Box::new(error.at(span).help(accepted.to_string()))
}

/// A definition with the function that it comes from
struct Found<'a> {
    unit: &'a Ir,
    op: Compute,
    definition: Definition,
    /// Types and sizes that the parameters stand for
    with: (Vec<String>, Vec<i64>),
    /// Which input each printed access is
    order: Vec<usize>,
}

fn module(ir: &Ir) -> Done<String> {
    let cx = ir.cx();
    let source = ir.source().unwrap_or_else(|| cx.sources().add("printed.mdh", ""));
    let (mut operators, mut found): (Vec<(&Ir, String)>, Vec<Found<'_>>) = (Vec::new(), Vec::new());
    let mut names = Names::default();
    let block = ir.entry(ir.region(ir.root(), 0));
    for op in block.into_iter().flat_map(|block| ir.block_ops(block)) {
        let unit = ir.child(op).filter(|unit| unit.is(unit.root(), func::Func::DEF));
        let Some(unit) = unit else {
            let what = format!(
                "`{}` is no function of arrays",
                ir.child(op).map_or(ir.op_name(op), |unit| unit.op_name(unit.root()))
            );
            return Err(unsaid(ir.span(op), what, "MDH text has definitions and operators"));
        };
        let root = unit.root();
        if let Some(declared) = declared(cx, unit.dict(root)) {
            operators.push((unit, operator(unit, &declared, source)?));
            continue;
        }
        let private = unit.attr(root, "sym_visibility").and_then(|word| word.as_str(cx)) == Some("private");
        if private && !unit.walk().any(|op| Compute::cast(unit, op).is_some()) {
            continue;
        }
        found.push(function(unit, source, &mut names)?);
    }
    let mut parts: Vec<String> = operators.iter().map(|(_, text)| text.clone()).collect();
    for one in &found {
        let mut text = one.definition.to_string();
        let (types, sizes) = &one.with;
        if !types.is_empty() || !sizes.is_empty() {
            let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
            let gap = if types.is_empty() || sizes.is_empty() { "" } else { " " };
            let bar = if sizes.is_empty() { "" } else { "| " };
            text +=
                &format!("\n\n{}<{}{gap}{bar}{}>;", one.definition.name, types.join(","), sizes.join(","));
        }
        parts.push(text);
    }
    let text = parts.join("\n\n") + "\n";
    let operators: Vec<&Ir> = operators.iter().map(|(unit, _)| *unit).collect();
    read_again(ir.cx_arc(), &text, &found, &operators)?;
    Ok(text)
}

/// What was printed must say what is there
fn read_again(cx: &Arc<Context>, text: &str, found: &[Found<'_>], operators: &[&Ir]) -> Done<()> {
    let mut diags = Diags::default();
    let source = cx.sources().add("printed.mdh", text);
    let module = crate::text::read(cx, source, &[], &mut diags);
    let whole = |unit: &Ir, why: &dyn Display| {
        let accepted = "ops and types as a definition's scalar function makes them: docs/input-languages.md";
        unsaid(
            unit.span(unit.root()),
            format!("as MDH text this would be read as something else: {why}"),
            accepted,
        )
    };
    let all: Vec<&Ir> = found.iter().map(|one| one.unit).chain(operators.iter().copied()).collect();
    let Some(first) = all.first() else { return Ok(()) };
    let Some(module) = module else {
        let why = diags.iter().next().map_or("it does not read", |error| error.message.as_str()).to_string();
        return Err(whole(first, &why));
    };
    let units: Vec<&Ir> = module.walk().filter_map(|op| module.child(op)).collect();
    for (unit, again) in operators.iter().zip(units.iter().skip(found.len())) {
        same::operators(unit, again).map_err(|why| whole(unit, &why))?;
    }
    for (one, again) in found.iter().zip(&units) {
        let op = again.walk().find_map(|op| Compute::cast(again, op));
        let Some(op) = op else { return Err(whole(one.unit, &"it is no computation")) };
        same::computations(one.unit, one.op, again, op, &one.order).map_err(|why| whole(one.unit, &why))?;
    }
    Ok(())
}

/// `op NAME <…> (…) := … : …`
fn operator(unit: &Ir, declared: &Declared, source: SourceId) -> Done<String> {
    let (cx, root) = (unit.cx(), unit.root());
    let name = unit.attr(root, "sym_name").and_then(|name| name.as_str(cx)).unwrap_or("");
    let wrong = |what: &str| {
        unsaid(
            unit.span(root),
            format!("operator `{name}` {what}"),
            "an operator of numbers by a name of letters, digits and _",
        )
    };
    if names::identifier(name) != name {
        return Err(wrong("has a name that MDH text cannot spell"));
    }
    let Some(entry) = unit.entry(unit.region(root, 0)) else { return Err(wrong("has no body")) };
    let mut names = Names::default();
    let args = unit.block_args(entry);
    let params: Vec<String> =
        args.iter().map(|arg| names.fresh(unit.value_name(*arg).unwrap_or("a"))).collect();
    let mut body = Body::new(unit, args, &params, &[], source);
    let Some(last) = unit.block_ops(entry).last().filter(|op| unit.is(*op, func::Return::DEF)) else {
        return Err(wrong("has no body"));
    };
    let values = unit.operands(last).map(|value| body.whole(value)).collect::<Done<Vec<Expr>>>()?;
    let types: Option<Vec<String>> = args[..args.len() / 2]
        .iter()
        .map(|arg| names::elem(cx, unit.ty(*arg)).map(|elem| elem.text()))
        .collect();
    let Some(types) = types else { return Err(wrong("takes what is no number here")) };
    let said = [
        ("associative", declared.associative),
        ("commutative", declared.commutative),
        ("exact", declared.exact),
    ];
    let mut said: Vec<String> =
        said.iter().filter(|(_, holds)| *holds).map(|(word, _)| word.to_string()).collect();
    if let Some(all) = &declared.identity {
        let all: Option<Vec<String>> =
            all.iter().map(|attr| Some(print::expr(&scalar::literal(cx, *attr, source)?, 0))).collect();
        let Some(all) = all else { return Err(wrong("has an identity that is no number here")) };
        said.push(format!("identity {}", all.join(", ")));
    }
    if said.is_empty() {
        return Err(wrong("declares nothing of itself"));
    }
    let body = Fun::Lambda(params, values, Span::point(source, 0));
    let body = print::function(&body).replacen(" -> ", " := ", 1);
    Ok(format!("op {name}<{}>{body} : {}", types.join(", "), said.join(", ")))
}

fn function<'a>(unit: &'a Ir, source: SourceId, names: &mut Names) -> Done<Found<'a>> {
    let (cx, root) = (unit.cx(), unit.root());
    let at = Span::point(source, 0);
    let buffers = Buffers::of(unit)?;
    let (op, view) = (buffers.op, &buffers.view);
    let place = unit.span(op.id());
    // Symbols of definitions have small letters.
    let name = unit.attr(root, "sym_name").and_then(|name| name.as_str(cx)).unwrap_or("f");
    let name = names.fresh(&name.to_lowercase());
    let mut inner = Names::default();
    let ids: Vec<String> = view.dims.iter().map(|dim| inner.fresh(&dim.name)).collect();
    let (outs, inps, order) = buffers.texts(&ids, source)?;
    let open = sizes::Open::of(unit, view, &mut inner, place)?;
    let params: Vec<String> = order
        .iter()
        .map(|n| {
            if let Some(size) = open.value(&view.inputs[*n]) {
                return size.clone();
            }
            let wish = unit.entry(op.body(unit)).and_then(|body| unit.value_name(unit.block_args(body)[*n]));
            inner.fresh(wish.map_or("x", |wish| wish.strip_suffix(".e").unwrap_or(wish)))
        })
        .collect();
    let accesses = order.iter().filter(|n| open.value(&view.inputs[**n]).is_none()).count();
    let function = scalar_function(unit, op, &ids, (&params, accesses), &order, source)?;
    let combs = view.dims.iter().map(|dim| comb(unit, dim, source)).collect();
    let conditions = conditions(&open, &ids, at, place)?;
    if let Some(dim) = view.dims.iter().find(|dim| dim.size < 1) {
        let what = format!("dimension `{}` has no points", dim.name);
        return Err(unsaid(place, what, "dimensions of one point or more"));
    }
    let schedule = match unit.discardable(op.id(), SCHEDULE) {
        Some(attr) => match schedule::open(cx, attr) {
            Ok(draft) => Some((draft, at)),
            Err(why) => return Err(unsaid(place, why.to_string(), "steps of a schedule: docs/schedules.md")),
        },
        None => None,
    };
    let (out_types, inp_types) = buffers.types();
    let mut definition = Definition {
        name,
        types: Vec::new(),
        sizes: Vec::new(),
        open: open.bounds(at),
        out_types,
        outs,
        extents: Vec::new(),
        function,
        combs,
        conditions,
        order: self::order(view, place)?,
        inp_types,
        inps,
        schedule,
        span: at,
    };
    let with = (one_type(&mut definition), named_sizes(&mut definition, &ids, view, &open, at));
    Ok(Found { unit, op, definition, with, order })
}

/// One type for all buffers becomes a parameter; gives its value
fn one_type(definition: &mut Definition) -> Vec<String> {
    let first = definition.out_types[0].clone();
    let all = || definition.out_types.iter().chain(&definition.inp_types);
    if all().any(|ty| *ty != first) {
        return Vec::new();
    }
    definition.types.push("T".to_string());
    definition.out_types.iter_mut().chain(&mut definition.inp_types).for_each(|ty| *ty = "T".into());
    vec![first]
}

/// Sizes of dimensions become parameters, by the dimensions' names in capitals; gives their values
fn named_sizes(
    definition: &mut Definition,
    ids: &[String],
    view: &View,
    open: &sizes::Open,
    at: Span,
) -> Vec<i64> {
    let buffers = definition.outs.iter().chain(&definition.inps).map(|buffer| &buffer.name);
    let taken: Vec<String> = buffers.chain(ids).chain(open.names()).cloned().collect();
    let capital = |id: &String| {
        let capital = id.to_uppercase();
        let same = ids.iter().filter(|other| other.to_uppercase() == capital).count();
        (same == 1 && capital != "T" && !taken.contains(&capital)).then_some(capital)
    };
    let mut values = Vec::new();
    for (n, (id, dim)) in ids.iter().zip(&view.dims).enumerate() {
        let kind = match capital(id) {
            _ if open.end(n).is_some() => ExprKind::Name(open.end(n).cloned().unwrap_or_default()),
            Some(capital) => {
                definition.sizes.push(capital.clone());
                values.push(dim.size);
                ExprKind::Name(capital)
            }
            None => ExprKind::Int(dim.size),
        };
        definition.extents.push(Expr { span: at, kind });
    }
    values
}

fn conditions(open: &sizes::Open, ids: &[String], at: Span, place: Option<Span>) -> Done<Vec<Expr>> {
    let names: Vec<String> = ids.iter().chain(open.names()).cloned().collect();
    let all: Option<Vec<Expr>> = open.others.iter().map(|one| condition(one, &names, at)).collect();
    all.ok_or_else(|| {
        unsaid(
            place,
            "a condition rounds upwards",
            "`where` compares sums, quotients and remainders of dimensions",
        )
    })
}

/// `*` and its like where that is all, else what the body yields
fn scalar_function(
    unit: &Ir,
    op: Compute,
    ids: &[String],
    (params, accesses): (&[String], usize),
    order: &[usize],
    source: SourceId,
) -> Done<Fun> {
    let at = Span::point(source, 0);
    let entry = unit.entry(op.body(unit)).expect("a computation has a body");
    let args: Vec<_> = order.iter().map(|n| unit.block_args(entry)[*n]).collect();
    let mut body = Body::new(unit, &args, params, ids, source);
    let last = unit.block_ops(entry).last().expect("a body ends in a yield");
    let values = unit.operands(last).map(|value| body.whole(value)).collect::<Done<Vec<Expr>>>()?;
    let arg = |e: &Expr, n: usize| matches!(&e.kind, ExprKind::Name(name) if params.get(n) == Some(name));
    if params.len() == 1 && accesses == 1 && values.iter().all(|e| arg(e, 0)) {
        return Ok(Fun::Mark("id".into(), at));
    }
    if let ([only], true) = (&values[..], params.len() > 1 && params.len() == accesses)
        && let ExprKind::Op(mark @ ("*" | "+" | "-"), ..) = only.kind
    {
        let (mut e, mut n) = (only, params.len());
        while let ExprKind::Op(other, left, right) = &e.kind
            && *other == mark
            && n > 1
            && arg(right, n - 1)
        {
            (e, n) = (left, n - 1);
        }
        if n == 1 && arg(e, 0) {
            return Ok(Fun::Mark(mark.into(), at));
        }
    }
    Ok(Fun::Lambda(params[..accesses].to_vec(), values, at))
}

/// What bracketing of a computation's folds is allowed: one word for all of its dimensions
fn order(view: &View, place: Option<Span>) -> Done<Order> {
    let folds = |dim: &Dim| match dim.kind {
        CombineKind::Pw(_, order) => Some((dim.name.clone(), order)),
        _ => None,
    };
    let mut all = view.dims.iter().filter_map(folds);
    let Some((name, first)) = all.next() else { return Ok(Order::Fixed) };
    match all.find(|(_, order)| *order != first) {
        None => Ok(first),
        Some((other, order)) => {
            let what = format!(
                "dimension `{name}` is folded in the order `{first}`, `{other}` in the order `{order}`"
            );
            Err(unsaid(place, what, "one order for all dimensions: `md_hom<…>(…) order(source)`"))
        }
    }
}

fn comb(unit: &Ir, dim: &Dim, source: SourceId) -> Comb {
    let at = Span::point(source, 0);
    let words = |all: &[Operator]| -> Vec<String> {
        let word = |op: &Operator| match op {
            Operator::Builtin(op) => match op.to_string().as_str() {
                "add" => "+".into(),
                "mul" => "*".into(),
                other => other.to_string(),
            },
            Operator::Func(name) => unit.cx().str(*name).to_string(),
            Operator::Accumulated(_) => op.text(unit.cx()),
        };
        all.iter().map(word).collect()
    };
    match &dim.kind {
        CombineKind::Cc => Comb::Keep,
        CombineKind::Pw(all, _) => Comb::Point(words(all), at),
        CombineKind::Ps(all) => Comb::Prefix(words(all), at),
    }
}
