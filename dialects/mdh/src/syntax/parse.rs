//! Reading a computation.

use super::expr;
use crate::operator::{Accumulator, Builtin, COMPENSATED, Operator};
use crate::view::{CombineKind, Condition, Order, kind_attr};
use terrace_diag::Reported;
use terrace_ir::show::{round_to_bits, value_of_bits};
use terrace_ir::{Attr, AttrKind, Context, FloatKind, Type, TypeKind};
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_text::{Delim, OpParser, Unresolved};

type Parse<T> = Result<T, Reported>;

enum Other {
    Constant(Attr),
    Value(Unresolved),
}

struct In {
    arg: Unresolved,
    value: Unresolved,
    map: Option<Vec<AffineExpr>>,
    other: Option<Other>,
    guard: Option<AffineExpr>,
}

struct Out {
    maps: Vec<Vec<AffineExpr>>,
    into: Option<(Unresolved, Option<Vec<AffineExpr>>)>,
}

/// Everything behind the mnemonic
pub fn compute(p: &mut OpParser<'_, '_>) -> Parse<()> {
    if p.at_punct("\"") {
        let name = p.string()?;
        let name = p.cx().str_attr(&name);
        p.set_attr("name", name);
    }
    let (names, sizes, kinds) = dims(p)?;
    let cx = p.cx();
    let attrs: Vec<Attr> = names.iter().map(|name| cx.str_attr(name)).collect();
    p.set_attr("dim_names", cx.array_attr(&attrs));
    p.set_attr("sizes", cx.i64_array(&sizes));
    let kinds: Vec<Attr> = kinds.iter().map(|kind| kind_attr(cx, kind)).collect();
    p.set_attr("combine", cx.array_attr(&kinds));
    let extents = extents(p)?;
    conditions(p, &names, &extents)?;
    p.keyword("ins")?;
    let mut ins = Vec::new();
    p.list(Delim::Paren, |p| {
        ins.push(input(p, &names)?);
        Ok(())
    })?;
    p.keyword("outs")?;
    let mut outs = Vec::new();
    p.list(Delim::Paren, |p| {
        outs.push(output(p, &names)?);
        Ok(())
    })?;
    p.attr_dict_with_keyword()?;
    finish(p, names.len(), ins, outs, extents)
}

fn dims(p: &mut OpParser<'_, '_>) -> Parse<(Vec<String>, Vec<i64>, Vec<CombineKind>)> {
    let (mut names, mut sizes, mut kinds): (Vec<String>, Vec<i64>, Vec<CombineKind>) = Default::default();
    p.list(Delim::Paren, |p| {
        let Some(name) = p.any_keyword_opt() else { return Err(p.error("expected the name of a dimension")) };
        if names.iter().any(|other| other == name) {
            return Err(p.error(format!("dimension `{name}` is there twice")));
        }
        if names.len() >= 64 {
            return Err(p.error("more than 64 dimensions"));
        }
        names.push(name.into());
        p.keyword("in")?;
        sizes.push(p.int64()?);
        kinds.push(kind(p)?);
        Ok(())
    })?;
    Ok((names, sizes, kinds))
}

fn kind(p: &mut OpParser<'_, '_>) -> Parse<CombineKind> {
    if p.keyword_opt("pw") {
        let ops = operators(p)?;
        let order = Order::WORDS.iter().find(|word| p.keyword_opt(word));
        return Ok(CombineKind::Pw(ops, order.and_then(|word| word.parse().ok()).unwrap_or_default()));
    }
    if p.keyword_opt("ps") {
        return Ok(CombineKind::Ps(operators(p)?));
    }
    p.keyword_opt("cc");
    Ok(CombineKind::Cc)
}

fn operators(p: &mut OpParser<'_, '_>) -> Parse<Vec<Operator>> {
    let mut ops = Vec::new();
    if !p.at_punct("(") {
        return Ok(vec![operator(p)?]);
    }
    p.list(Delim::Paren, |p| {
        ops.push(operator(p)?);
        Ok(())
    })?;
    if ops.is_empty() { Err(p.error("expected an operator")) } else { Ok(ops) }
}

fn operator(p: &mut OpParser<'_, '_>) -> Parse<Operator> {
    if let Some(name) = p.symbol_name_opt()? {
        return Ok(Operator::Func(name));
    }
    let n = p.one_of(Builtin::WORDS)?;
    let Ok(builtin) = Builtin::WORDS[n].parse() else { return Err(p.error("expected an operator")) };
    let ty = if p.keyword_opt("acc") { Some(p.ty()?) } else { None };
    let compensated = p.keyword_opt(COMPENSATED);
    if ty.is_none() && !compensated {
        return Ok(Operator::Builtin(builtin));
    }
    Ok(Operator::Accumulated(Accumulator { builtin, ty, compensated }))
}

/// `extents(%n <= 4096)`
fn extents(p: &mut OpParser<'_, '_>) -> Parse<Vec<Unresolved>> {
    let (mut values, mut most) = (Vec::new(), Vec::new());
    if p.keyword_opt("extents") {
        p.list(Delim::Paren, |p| {
            values.push(p.operand()?);
            p.punct("<=")?;
            most.push(p.int64()?);
            Ok(())
        })?;
        let most = p.cx().i64_array(&most);
        p.set_attr("most", most);
    }
    Ok(values)
}

fn conditions(p: &mut OpParser<'_, '_>, names: &[String], extents: &[Unresolved]) -> Parse<()> {
    if !p.keyword_opt("where") {
        return Ok(());
    }
    let mut all = Vec::new();
    loop {
        let condition = condition(p, names, extents)?;
        match condition.attr(p.cx(), names.len(), extents.len()) {
            Some(attr) => all.push(attr),
            None => return Err(p.error("the condition uses more than it declares")),
        }
        if !p.punct_opt(",") {
            break;
        }
    }
    let all = p.cx().array_attr(&all);
    p.set_attr("where", all);
    Ok(())
}

fn condition(p: &mut OpParser<'_, '_>, names: &[String], extents: &[Unresolved]) -> Parse<Condition> {
    let first = expr::parse_over(p, names, extents)?;
    if p.punct_opt("<=") {
        let middle = expr::parse_over(p, names, extents)?;
        p.punct("<")?;
        let high = expr::parse_over(p, names, extents)?;
        return Ok(Condition { low: Some(first), expr: middle, high });
    }
    if p.punct_opt("<") {
        return Ok(Condition { low: None, expr: first, high: expr::parse_over(p, names, extents)? });
    }
    if p.punct_opt("=") {
        let low = expr::parse_over(p, names, extents)?;
        return Ok(Condition { expr: first, high: AffineExpr::add(low.clone(), 1.into()), low: Some(low) });
    }
    Err(p.error("a condition is `a <= e < b`, `e < b` or `e = a`"))
}

fn indices(p: &mut OpParser<'_, '_>, names: &[String]) -> Parse<Vec<AffineExpr>> {
    let mut all = Vec::new();
    p.list(Delim::Square, |p| {
        all.push(expr::parse(p, names)?);
        Ok(())
    })?;
    Ok(all)
}

fn input(p: &mut OpParser<'_, '_>, names: &[String]) -> Parse<In> {
    let arg = p.operand()?;
    p.punct("=")?;
    let value = p.operand()?;
    let map = if p.at_punct("[") { Some(indices(p, names)?) } else { None };
    let mut found = In { arg, value, map, other: None, guard: None };
    if p.keyword_opt("else") {
        found.other = Some(match p.operand_opt()? {
            Some(value) => Other::Value(value),
            None => Other::Constant(p.attr()?),
        });
    }
    if p.keyword_opt("if") {
        let guard = expr::parse(p, names)?;
        p.punct("=")?;
        if p.int()? != 0 {
            return Err(p.error("a guard is `e mod n = 0`"));
        }
        found.guard = Some(guard);
    }
    Ok(found)
}

fn output(p: &mut OpParser<'_, '_>, names: &[String]) -> Parse<Out> {
    let mut maps = vec![indices(p, names)?];
    while p.punct_opt("|") {
        maps.push(indices(p, names)?);
    }
    let into = if p.keyword_opt("into") {
        let value = p.operand()?;
        let own = if p.at_punct("[") { Some(indices(p, names)?) } else { None };
        Some((value, own))
    } else {
        None
    };
    Ok(Out { maps, into })
}

fn map_attr(p: &mut OpParser<'_, '_>, rank: usize, results: Vec<AffineExpr>) -> Parse<Attr> {
    match AffineMap::new(rank as u32, 0, results) {
        Some(map) => Ok(p.cx().map_attr(map)),
        None => Err(p.error("the index function uses more than it declares")),
    }
}

/// Properties of inputs and outputs, types, body
fn finish(
    p: &mut OpParser<'_, '_>,
    rank: usize,
    ins: Vec<In>,
    outs: Vec<Out>,
    extents: Vec<Unresolved>,
) -> Parse<()> {
    // The body needs the types of its arguments, and they stand behind it.
    let (inputs, results) = p.peek_behind_braces(types)?;
    let cx = p.cx();
    let unit = cx.common().unit;
    let others = ins.iter().filter(|item| matches!(item.other, Some(Other::Value(_)))).count();
    let inits = outs.iter().filter(|out| out.into.is_some()).count();
    if inputs.len() != ins.len() + inits + others + extents.len() {
        let message = format!(
            "{} types for {} inputs, {inits} start values, {others} values to stand in and {} extents",
            inputs.len(),
            ins.len(),
            extents.len()
        );
        return Err(p.error(message));
    }
    if results.len() != outs.len() {
        return Err(p.error(format!("{} outputs, but {} result types", outs.len(), results.len())));
    }
    let Inputs { args, maps, elses, guards, late } = resolve_inputs(p, rank, ins, &inputs)?;
    p.segment();
    let mut start = inputs.len() - inits - others - extents.len();
    let (lists, intos) = resolve_outputs(p, rank, outs, &inputs[start..])?;
    start += inits;
    p.segment();
    for (value, elem) in late {
        if inputs[start] != elem {
            return Err(p.error("a value behind `else` is not of the element type"));
        }
        start += 1;
        p.resolve(&value, elem)?;
    }
    p.segment();
    for (value, ty) in extents.iter().zip(&inputs[start..]) {
        p.resolve(value, *ty)?;
    }
    p.segment();
    p.set_attr("maps", cx.array_attr(&maps));
    p.set_attr("outs", cx.array_attr(&lists));
    for (name, list) in [("elses", &elses), ("guards", &guards), ("intos", &intos)] {
        if list.iter().any(|attr| *attr != unit) {
            p.set_attr(name, cx.array_attr(list));
        }
    }
    p.add_results(&results);
    p.region(&args)?;
    types(p).map(|_| ())
}

/// Attributes of inputs, and arguments of the body
#[derive(Default)]
struct Inputs {
    args: Vec<(Unresolved, Type)>,
    maps: Vec<Attr>,
    elses: Vec<Attr>,
    guards: Vec<Attr>,
    /// Values behind `else`, which are operands after all inputs
    late: Vec<(Unresolved, Type)>,
}

fn resolve_inputs(p: &mut OpParser<'_, '_>, rank: usize, ins: Vec<In>, types: &[Type]) -> Parse<Inputs> {
    let cx = p.cx();
    let unit = cx.common().unit;
    let mut found = Inputs::default();
    for (item, ty) in ins.into_iter().zip(types.iter().copied()) {
        p.resolve(&item.value, ty)?;
        let elem = ty.scalar(cx);
        found.args.push((item.arg, if item.map.is_some() { elem } else { ty }));
        found.maps.push(match item.map {
            Some(map) => map_attr(p, rank, map)?,
            None => unit,
        });
        found.elses.push(match item.other {
            None => unit,
            Some(Other::Constant(attr)) => match constant(cx, attr, elem) {
                Some(attr) => attr,
                None => {
                    return Err(p.error("the constant behind `else` is not of the element type"));
                }
            },
            Some(Other::Value(value)) => {
                found.late.push((value, elem));
                cx.str_attr("value")
            }
        });
        found.guards.push(match item.guard {
            Some(guard) => map_attr(p, rank, vec![guard])?,
            None => unit,
        });
    }
    Ok(found)
}

/// Index functions of outputs, and those of their start values
fn resolve_outputs(
    p: &mut OpParser<'_, '_>,
    rank: usize,
    outs: Vec<Out>,
    starts: &[Type],
) -> Parse<(Vec<Attr>, Vec<Attr>)> {
    let cx = p.cx();
    let mut starts = starts.iter().copied();
    let (mut lists, mut intos) = (Vec::new(), Vec::new());
    for out in outs {
        let mut all = Vec::new();
        for map in out.maps {
            all.push(map_attr(p, rank, map)?);
        }
        lists.push(cx.array_attr(&all));
        intos.push(match out.into {
            None => cx.common().unit,
            Some((value, own)) => {
                let ty = starts.next().expect("as many types as start values were counted");
                p.resolve(&value, ty)?;
                match own {
                    Some(own) => map_attr(p, rank, own)?,
                    None => cx.str_attr("same"),
                }
            }
        });
    }
    Ok((lists, intos))
}

fn types(p: &mut OpParser<'_, '_>) -> Parse<(Vec<Type>, Vec<Type>)> {
    p.punct(":")?;
    p.function_type()
}

/// A literal as a constant of the element type: `0.0` is read as f64, `0` as i64
fn constant(cx: &Context, attr: Attr, elem: Type) -> Option<Attr> {
    match (attr.kind(cx), elem.kind(cx)) {
        (AttrKind::Int { ty, .. } | AttrKind::Float { ty, .. }, _) if *ty == elem => Some(attr),
        (AttrKind::Float { bits, .. }, TypeKind::Float(kind)) => {
            let value = value_of_bits(*bits, FloatKind::F64)?;
            Some(cx.float_attr(round_to_bits(value, *kind)?, elem))
        }
        (AttrKind::Int { value, ty }, TypeKind::Int { .. } | TypeKind::Index) if *ty == cx.common().i64 => {
            let made = cx.int_attr(*value, elem);
            (made.as_int(cx)?.0 == *value).then_some(made)
        }
        _ => None,
    }
}
