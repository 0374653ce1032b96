//! Text of macros: as that of the patterns they stand for, with lists for several dimensions.

use super::Macro;
use super::expansion::{Properties, expand};
use crate::make::Types;
use crate::nat_text::{nat_attr, nat_of, parse_nat};
use crate::patterns::text::{level, level_attr, operators, order, print_operators, print_word};
use crate::syntax::{print_nat, print_value, print_values, set_nat, value};
use crate::views::PADS;
use terrace_diag::Reported;
use terrace_ir::{Attr, Type, Value};
use terrace_text::{Delim, OpParser, OpPrinter, Unresolved};

type Operand = (Unresolved, Type);

/// `[@a, 4]`
fn sizes(p: &mut OpParser<'_, '_>, name: &str) -> Result<(), Reported> {
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
fn sides(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
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

fn levels(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
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

pub(super) fn parse(p: &mut OpParser<'_, '_>, which: Macro) -> Result<(), Reported> {
    let mut last: Option<Operand> = None;
    match which {
        Macro::ZipNd | Macro::JoinNd | Macro::MapNd | Macro::ReduceNd => set_nat(p, "depth")?,
        Macro::TransposeNd => {
            let mut all = Vec::new();
            p.list(Delim::Square, |p| {
                all.push(p.int64()?);
                Ok(())
            })?;
            let all = p.cx().i64_array(&all);
            p.set_attr("permutation", all);
        }
        Macro::SplitNd => sizes(p, "sizes")?,
        Macro::SlideNd => {
            if p.keyword_opt("strict") {
                let unit = p.cx().common().unit;
                p.set_attr("strict", unit);
            }
            sizes(p, "sizes")?;
            p.keyword("by")?;
            sizes(p, "steps")?;
        }
        Macro::PadNd => {
            sides(p)?;
            let mode = p.one_of(PADS)?;
            let word = p.cx().str_attr(PADS[mode]);
            p.set_attr("mode", word);
            if mode == 0 {
                last = Some(value(p)?);
            }
        }
        Macro::CropNd => sides(p)?,
        Macro::Crop => {
            set_nat(p, "low")?;
            p.punct(",")?;
            set_nat(p, "high")?;
        }
        Macro::Take | Macro::Drop => set_nat(p, "size")?,
        Macro::Let => {
            if p.at_punct("#") || p.at_punct("\"") {
                let space = p.attr()?;
                p.set_attr("space", space);
            }
        }
        Macro::Map2 | Macro::Dot => {}
    }
    if which == Macro::ReduceNd {
        operators(p)?;
    }
    if matches!(which, Macro::ReduceNd | Macro::Dot) {
        if p.keyword_opt("init") {
            last = Some(value(p)?);
        }
        order(p);
        level(p)?;
    }
    let mut values = vec![value(p)?];
    match which {
        Macro::ZipNd | Macro::Map2 => {
            while p.punct_opt(",") {
                values.push(value(p)?);
            }
        }
        Macro::Dot => {
            p.punct(",")?;
            values.push(value(p)?);
        }
        _ => {}
    }
    values.extend(last);
    match which {
        Macro::MapNd => levels(p)?,
        Macro::Map2 => level(p)?,
        _ => {}
    }
    if which.has_function() {
        return function(p, which, &values);
    }
    p.attr_dict()?;
    let result = result(p, which, &values, &mut |_| Err("TYPE: has no function".into()));
    finish(p, &values, result)
}

fn result(
    p: &OpParser<'_, '_>,
    which: Macro,
    values: &[Operand],
    body: &mut dyn FnMut(&[Type]) -> Result<Vec<Type>, String>,
) -> Result<Type, String> {
    let types: Vec<Type> = values.iter().map(|(_, ty)| *ty).collect();
    let properties = Properties { cx: p.cx(), attr: &|name| p.get_attr(name) };
    expand(&mut Types::default(), which, &types, &properties, &mut |_, args| body(args))
}

fn finish(p: &mut OpParser<'_, '_>, values: &[Operand], ty: Result<Type, String>) -> Result<(), Reported> {
    let ty = ty.map_err(|why| crate::syntax::refuse(p, &values[0].0, &why))?;
    for (value, ty) in values {
        p.resolve(value, *ty)?;
    }
    p.add_result(ty);
    Ok(())
}

/// `as %a, %b {…}`
fn function(p: &mut OpParser<'_, '_>, which: Macro, values: &[Operand]) -> Result<(), Reported> {
    p.keyword("as")?;
    let mut names = vec![p.operand()?];
    while p.punct_opt(",") {
        names.push(p.operand()?);
    }
    p.attr_dict_with_keyword()?;
    // The first time for what the function gets, the second for what the op gives.
    let mut wanted: Option<Vec<Type>> = None;
    let stopped = result(p, which, values, &mut |args| {
        wanted = Some(args.to_vec());
        Err(String::new())
    });
    let wanted = match (wanted, stopped) {
        (Some(wanted), _) => wanted,
        (None, Err(why)) => return Err(crate::syntax::refuse(p, &values[0].0, &why)),
        (None, Ok(_)) => Vec::new(),
    };
    if wanted.len() != names.len() {
        let why = format!("TYPE: the function gets {} arguments, {} are named", wanted.len(), names.len());
        return Err(crate::syntax::refuse(p, &names[0], &why));
    }
    let args: Vec<Operand> = names.into_iter().zip(wanted).collect();
    p.region(&args)?;
    let yields = p.types_at_region_end();
    let ty = result(p, which, values, &mut |_| Ok(yields.clone()));
    finish(p, values, ty)
}

fn list(p: &mut OpPrinter<'_>, names: &[&str]) {
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

pub(super) fn print(p: &mut OpPrinter<'_>, which: Macro) {
    let (ir, op) = (p.ir(), p.op());
    let cx = ir.cx();
    let operands: Vec<Value> = ir.operands(op).collect();
    let mut values = operands.as_slice();
    match which {
        Macro::ZipNd | Macro::JoinNd | Macro::MapNd | Macro::ReduceNd => print_nat(p, "depth"),
        Macro::TransposeNd => {
            let all = ir.attr(op, "permutation").and_then(|attr| attr.as_dense_array(cx)).unwrap_or(&[]);
            let all: Vec<String> = all.iter().map(i64::to_string).collect();
            p.text(&format!(" [{}]", all.join(", ")));
        }
        Macro::SplitNd => list(p, &["sizes"]),
        Macro::SlideNd => {
            p.text(if ir.attr(op, "strict").is_some() { " strict" } else { "" });
            list(p, &["sizes"]);
            p.text(" by");
            list(p, &["steps"]);
        }
        Macro::PadNd => {
            list(p, &["lows", "highs"]);
            p.text(" ");
            p.text(ir.attr(op, "mode").and_then(|attr| attr.as_str(cx)).unwrap_or(""));
            if let Some(padding) = operands.get(1) {
                p.text(" ");
                print_value(p, *padding);
            }
            values = &values[..1];
        }
        Macro::CropNd => list(p, &["lows", "highs"]),
        Macro::Crop => {
            print_nat(p, "low");
            p.text(",");
            print_nat(p, "high");
        }
        Macro::Take | Macro::Drop => print_nat(p, "size"),
        Macro::Let => {
            let space = ir.attr(op, "space").filter(|space| *space != crate::views::private(cx));
            if let Some(space) = space {
                p.text(" ");
                p.attr(space);
            }
        }
        Macro::Map2 | Macro::Dot => {}
    }
    let init = match which {
        Macro::ReduceNd => {
            print_operators(p);
            Some(1)
        }
        Macro::Dot => Some(2),
        _ => None,
    };
    if let Some(at) = init {
        if let Some(init) = operands.get(at) {
            p.text(" init ");
            print_value(p, *init);
        }
        values = &values[..at.min(values.len())];
        print_word(p, " ", "order");
        print_word(p, " : ", "level");
    }
    p.text(" ");
    print_values(p, values);
    if which == Macro::Map2 {
        print_word(p, " : ", "level");
    }
    if which == Macro::MapNd {
        let levels = ir.attr(op, "levels").and_then(|attr| attr.as_array(cx)).unwrap_or(&[]);
        for (n, level) in levels.iter().enumerate() {
            p.text(if n == 0 { " : " } else { ", " });
            match level.as_str(cx) {
                Some(word) => p.text(word),
                None => p.attr(*level),
            }
        }
    }
    let elide = [
        "depth",
        "permutation",
        "sizes",
        "steps",
        "strict",
        "lows",
        "highs",
        "mode",
        "low",
        "high",
        "size",
        "levels",
        "level",
        "operators",
        "order",
        "space",
    ];
    if !which.has_function() {
        p.attr_dict(&elide);
        return;
    }
    p.text(" as ");
    let region = ir.region(op, 0);
    if let Some(entry) = ir.entry(region) {
        p.operands(ir.block_args(entry).iter().copied());
    }
    p.attr_dict_with_keyword(&elide);
    p.text(" ");
    p.region(region, false, true);
}
