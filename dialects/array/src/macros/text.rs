//! Text of macros: as that of the patterns they stand for, with lists for several dimensions.

use super::ShortForm;
use super::properties::Properties;
use crate::layout::{Operand, finish};
use crate::levels::{level, level_attr, print_word};
use crate::make::Types;
use crate::misfit::Misfit;
use crate::nat_text::{nat_attr, nat_of, parse_nat};
use crate::patterns::text::{arg_names, named, order};
use crate::syntax::{print_value, print_values, refuse, value};
use terrace_diag::Reported;
use terrace_ir::{Attr, Type, Value};
use terrace_text::{Delim, OpParser, OpPrinter};

/// `[@a, 4]`
pub(super) fn parse_sizes(p: &mut OpParser<'_, '_>, name: &str) -> Result<(), Reported> {
    let mut all = Vec::new();
    p.list(Delim::Square, |p| {
        let nat = parse_nat(p)?;
        all.push(nat_attr(p.cx(), &nat));
        Ok(())
    })?;
    let all = p.cx().array_attr(&all);
    p.set_attr(name, all);
    Ok(())
}

/// `[(1, 1), (@l, 0)]`
pub(super) fn parse_sides(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    p.list(Delim::Square, |p| {
        p.punct("(")?;
        let low = parse_nat(p)?;
        lows.push(nat_attr(p.cx(), &low));
        p.punct(",")?;
        let high = parse_nat(p)?;
        highs.push(nat_attr(p.cx(), &high));
        p.punct(")")
    })?;
    let (lows, highs) = (p.cx().array_attr(&lows), p.cx().array_attr(&highs));
    p.set_attr("lows", lows);
    p.set_attr("highs", highs);
    Ok(())
}

/// `: block.x, thread.x`
pub(super) fn parse_levels(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    if !p.punct_opt(":") {
        return Ok(());
    }
    let mut all = vec![level_attr(p)?];
    while p.punct_opt(",") {
        all.push(level_attr(p)?);
    }
    let all = p.cx().array_attr(&all);
    p.set_attr("levels", all);
    Ok(())
}

/// `init %z source : seq`
pub(super) fn parse_start(p: &mut OpParser<'_, '_>) -> Result<Option<Operand>, Reported> {
    let init = if p.keyword_opt("init") { Some(value(p)?) } else { None };
    order(p);
    level(p)?;
    Ok(init)
}

/// The same, and all operands but the start value, which comes after `count` others
pub(super) fn print_start(p: &mut OpPrinter<'_>, count: usize) {
    let operands: Vec<Value> = p.ir().operands(p.op()).collect();
    if let Some(init) = operands.get(count) {
        p.text(" init ");
        print_value(p, *init);
    }
    print_word(p, " ", "order");
    print_word(p, " : ", "level");
    p.text(" ");
    print_values(p, &operands[..count.min(operands.len())]);
}

/// The parser of every macro
pub(super) fn parse<S: ShortForm>(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let operands = S::parse(p)?;
    if S::FUNCTION {
        return function::<S>(p, &operands);
    }
    p.attr_dict()?;
    let ty = result::<S>(p, &operands, &mut |_| Err(Misfit::ty("has no function")));
    finish(p, &operands, ty.map(|ty| vec![ty]))
}

fn result<S: ShortForm>(
    p: &OpParser<'_, '_>,
    operands: &[Operand],
    body: &mut dyn FnMut(&[Type]) -> Result<Vec<Type>, Misfit>,
) -> Result<Type, Misfit> {
    let types: Vec<Type> = operands.iter().map(|(_, ty)| *ty).collect();
    let properties = Properties { cx: p.cx(), attr: &|name| p.get_attr(name) };
    S::expand(&mut Types::default(), &types, &properties, &mut |_, args| body(args))
}

/// `as %a, %b {…}`
fn function<S: ShortForm>(p: &mut OpParser<'_, '_>, operands: &[Operand]) -> Result<(), Reported> {
    p.keyword("as")?;
    let names = arg_names(p)?;
    p.attr_dict_with_keyword()?;
    // The first time for what the function gets, the second for what the op gives.
    let mut wanted: Option<Vec<Type>> = None;
    let stopped = result::<S>(p, operands, &mut |args| {
        wanted = Some(args.to_vec());
        Err(Misfit::ty("has no function yet"))
    });
    let wanted = match (wanted, stopped) {
        (Some(wanted), _) => wanted,
        (None, Err(why)) => return Err(refuse(p, &operands[0].0, &why)),
        (None, Ok(_)) => Vec::new(),
    };
    let args = named(p, names, wanted)?;
    p.region(&args)?;
    let yields = p.types_at_region_end();
    let ty = result::<S>(p, operands, &mut |_| Ok(yields.clone()));
    finish(p, operands, ty.map(|ty| vec![ty]))
}

/// ` [@a, 4]`, or pairs of two lists
pub(super) fn print_sizes(p: &mut OpPrinter<'_>, names: &[&str]) {
    let (ir, op) = (p.ir(), p.op());
    let cx = ir.cx();
    let all: Vec<&[Attr]> = names
        .iter()
        .map(|name| ir.attr(op, name).and_then(|attr| attr.as_array(cx)).unwrap_or(&[]))
        .collect();
    let text = |attr: &Attr| nat_of(cx, *attr).map_or(String::new(), |nat| nat.to_string());
    let items: Vec<String> = match all.as_slice() {
        [lows, highs] => {
            lows.iter().zip(*highs).map(|(low, high)| format!("({}, {})", text(low), text(high))).collect()
        }
        all => all.iter().flat_map(|items| items.iter()).map(text).collect(),
    };
    p.text(&format!(" [{}]", items.join(", ")));
}

/// The printer of every macro
pub(super) fn print<S: ShortForm>(op: S, p: &mut OpPrinter<'_>) {
    op.print(p);
    let (ir, op) = (p.ir(), p.op());
    let names: Vec<&str> = ir.def(op).attrs.iter().map(|spec| spec.name).collect();
    if !S::FUNCTION {
        p.attr_dict(&names);
        return;
    }
    p.text(" as ");
    let region = ir.region(op, 0);
    if let Some(entry) = ir.entry(region) {
        p.operands(ir.block_args(entry).iter().copied());
    }
    p.attr_dict_with_keyword(&names);
    p.text(" ");
    p.region(region, false, true);
}
