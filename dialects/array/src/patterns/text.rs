//! `array.map "A" %x : level as %a, %b {…}` and its kin; `array.map @f %x` is input only, for a function that calls `@f`.

use super::{Pattern, Yield, arguments, result};
use crate::levels::{level, print_word};
use crate::misfit::Misfit;
use crate::names;
use crate::syntax::{print_nat, print_value, refuse, set_nat, value};
use terrace_diag::Reported;
use terrace_dialect_func::Call;
use terrace_dialect_sched::{Builtin, Operator, Order};
use terrace_ir::show::type_text;
use terrace_ir::{Attr, Type, Value};
use terrace_text::{OpParser, OpPrinter, Unresolved};

/// `source`, `free`, or `fixed`, which is what absence means
pub(crate) fn order(p: &mut OpParser<'_, '_>) {
    for (n, order) in Order::WORDS.iter().enumerate() {
        if p.keyword_opt(order) && n != 1 {
            let attr = p.cx().str_attr(order);
            p.set_attr("order", attr);
        }
    }
}

/// `add, @f`
pub(crate) fn operators(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let mut all = Vec::new();
    loop {
        all.push(if p.at_punct("@") {
            p.symbol_ref()?
        } else {
            let n = p.one_of(Builtin::WORDS)?;
            p.cx().str_attr(Builtin::WORDS[n])
        });
        if !p.punct_opt(",") {
            break;
        }
    }
    let attr = p.cx().array_attr(&all);
    p.set_attr("operators", attr);
    Ok(())
}

type Operand = (Unresolved, Type);

/// What comes before the operand: properties, and the start value
fn properties(p: &mut OpParser<'_, '_>, pattern: Pattern) -> Result<Option<Operand>, Reported> {
    match pattern {
        Pattern::Map => {
            if p.at_punct("\"") {
                let name = p.string()?;
                let name = p.cx().str_attr(&name);
                p.set_attr("name", name);
            }
            Ok(None)
        }
        Pattern::Reduce | Pattern::Scan => {
            operators(p)?;
            let init = if p.keyword_opt("init") { Some(value(p)?) } else { None };
            if pattern == Pattern::Reduce {
                order(p);
                level(p)?;
            } else if p.keyword_opt("exclusive") {
                let unit = p.cx().common().unit;
                p.set_attr("exclusive", unit);
            }
            Ok(init)
        }
        Pattern::Fold => {
            p.keyword("init")?;
            Ok(Some(value(p)?))
        }
        Pattern::Generate => {
            set_nat(p, "size")?;
            Ok(None)
        }
        Pattern::Iterate => {
            set_nat(p, "times")?;
            p.keyword("init")?;
            Ok(None)
        }
    }
}

pub(super) fn parse(p: &mut OpParser<'_, '_>, pattern: Pattern) -> Result<(), Reported> {
    names::level(p)?;
    let init = properties(p, pattern)?;
    let callee = if pattern == Pattern::Map && p.at_punct("@") { Some(p.symbol_ref()?) } else { None };
    let mut values = Vec::new();
    if pattern != Pattern::Generate {
        values.push(value(p)?);
    }
    values.extend(init);
    if matches!(pattern, Pattern::Map | Pattern::Generate) {
        level(p)?;
    }
    match callee {
        Some(callee) => call(p, callee, &values),
        None => function(p, pattern, &values),
    }
}

/// `as %a, %b {…}`
fn function(p: &mut OpParser<'_, '_>, pattern: Pattern, values: &[Operand]) -> Result<(), Reported> {
    p.keyword("as")?;
    if pattern == Pattern::Iterate {
        p.punct("(")?;
        p.punct("$")?;
        let Some(name) = p.any_keyword_opt() else { return Err(p.error("expected a name after `$`")) };
        p.punct(")")?;
        let name = p.cx().str_attr(name);
        p.set_attr("bound", name);
    }
    let names = arg_names(p)?;
    p.attr_dict_with_keyword()?;
    let types: Vec<Type> = values.iter().map(|(_, ty)| *ty).collect();
    let args = match arguments(p.cx(), pattern, &types, &|name| p.get_attr(name)) {
        Ok(args) => args,
        Err(why) => return Err(refuse(p, values.first().map_or(&names[0], |(name, _)| name), &why)),
    };
    let args = named(p, names, args)?;
    for (value, ty) in values {
        p.resolve(value, *ty)?;
    }
    p.region(&args)?;
    let yields = p.types_at_region_end();
    match result(p.cx(), pattern, &types, &|name| p.get_attr(name), &yields) {
        Ok((ty, _)) => p.add_result(ty),
        Err(why) => return Err(refuse(p, &args[0].0, &why)),
    }
    Ok(())
}

/// `%a, %b`
pub(crate) fn arg_names(p: &mut OpParser<'_, '_>) -> Result<Vec<Unresolved>, Reported> {
    let mut names = vec![p.operand()?];
    while p.punct_opt(",") {
        names.push(p.operand()?);
    }
    Ok(names)
}

/// The arguments of a function with their names
pub(crate) fn named(
    p: &mut OpParser<'_, '_>,
    names: Vec<Unresolved>,
    args: Vec<Type>,
) -> Result<Vec<Operand>, Reported> {
    if args.len() != names.len() {
        let why = format!("the function gets {} arguments, {} are named", args.len(), names.len());
        return Err(refuse(p, &names[0], &Misfit::ty(why)));
    }
    Ok(names.into_iter().zip(args).collect())
}

pub(super) fn print(p: &mut OpPrinter<'_>, pattern: Pattern) {
    let (ir, op) = (p.ir(), p.op());
    let cx = ir.cx();
    let operands: Vec<Value> = ir.operands(op).collect();
    match pattern {
        Pattern::Map => {
            if let Some(name) = ir.attr(op, "name").and_then(|name| name.as_str(cx)) {
                p.text(" ");
                p.string(name);
            }
        }
        Pattern::Reduce | Pattern::Scan => {
            print_operators(p);
        }
        Pattern::Fold => {}
        Pattern::Generate => print_nat(p, "size"),
        Pattern::Iterate => {
            print_nat(p, "times");
            p.text(" init");
        }
    }
    if let Some(init) = operands.get(1) {
        p.text(" init ");
        print_value(p, *init);
    }
    if pattern == Pattern::Scan && ir.attr(op, "exclusive").is_some() {
        p.text(" exclusive");
    }
    print_word(p, " ", "order");
    if pattern == Pattern::Reduce {
        print_word(p, " : ", "level");
    }
    if let Some(x) = operands.first() {
        p.text(" ");
        print_value(p, *x);
    }
    if pattern != Pattern::Reduce {
        print_word(p, " : ", "level");
    }
    p.text(" as ");
    if let Some(bound) = ir.attr(op, "bound").and_then(|bound| bound.as_str(cx)) {
        p.text(&format!("(${bound}) "));
    }
    let region = ir.region(op, 0);
    if let Some(entry) = ir.entry(region) {
        p.operands(ir.block_args(entry).iter().copied());
    }
    p.attr_dict_with_keyword(&["name", "operators", "order", "level", "exclusive", "size", "times", "bound"]);
    p.text(" ");
    p.region(region, false, true);
}

/// The rest of `array.map @f %x`: a function that calls `@f`
fn call(p: &mut OpParser<'_, '_>, function: Attr, values: &[(Unresolved, Type)]) -> Result<(), Reported> {
    p.attr_dict()?;
    let cx = p.cx();
    let at = &values[0].0;
    let name = function.as_symbol(cx).map_or("", |(root, _)| cx.str(root));
    let Some((inputs, outputs)) = p.function_of_file(name)? else {
        return Err(p.error_at(at, format!("there is no `func.func @{name}(…)` in this file")));
    };
    let types: Vec<Type> = values.iter().map(|(_, ty)| *ty).collect();
    let wanted = arguments(cx, Pattern::Map, &types, &|name| p.get_attr(name));
    let args = wanted.map_err(|why| refuse(p, at, &why))?;
    if args != inputs || outputs.is_empty() {
        let list = |types: &[Type]| types.iter().map(|ty| type_text(cx, *ty)).collect::<Vec<_>>().join(", ");
        let why = format!(
            "@{name} takes ({}) and gives ({}), it gets ({})",
            list(&inputs),
            list(&outputs),
            list(&args)
        );
        return Err(refuse(p, at, &Misfit::ty(why)));
    }
    if cx.kind_of(Call::DEF).is_none() {
        return Err(p.error_at(at, "the dialect `func` is not registered"));
    }
    for (value, ty) in values {
        p.resolve(value, *ty)?;
    }
    p.region_made(&args, |b, args| {
        let call = Call::build(b, args, function, &outputs);
        let results: Vec<Value> = b.read().results(call.id()).collect();
        Yield::build(b, &results);
    });
    match result(cx, Pattern::Map, &types, &|name| p.get_attr(name), &outputs) {
        Ok((ty, _)) => p.add_result(ty),
        Err(why) => return Err(refuse(p, at, &why)),
    }
    Ok(())
}

/// ` add, @f`
pub(crate) fn print_operators(p: &mut OpPrinter<'_>) {
    let all = super::typing::operators_of(p.ir().cx(), p.ir().attr(p.op(), "operators"));
    let texts: Vec<String> = all.iter().map(Operator::to_string).collect();
    p.text(" ");
    p.text(&texts.join(", "));
}
