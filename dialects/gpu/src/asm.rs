//! Syntax that several ops share: dependencies of asynchronous ops, memory attributions.

use super::attrs::AsyncToken;
use terrace_diag::Reported;
use terrace_ir::{Attr, Context, Ir, OpId, Type, Value};
use terrace_text::{Delim, OpParser, OpPrinter, Unresolved};

/// `async [%dep, …]`: the dependencies become operands; says whether the op gives a token
pub(super) fn async_dependencies(p: &mut OpParser<'_, '_>) -> Result<bool, Reported> {
    let token = p.keyword_opt("async");
    if token && p.num_result_names() == 0 {
        return Err(p.error("needs to be named when marked 'async'"));
    }
    let dependencies = p.operands(Delim::OptionalSquare)?;
    let ty = AsyncToken::get(p.cx());
    p.resolve_all(&dependencies, &vec![ty; dependencies.len()])?;
    Ok(token)
}

/// Append the token to the results
pub(super) fn add_token(p: &mut OpParser<'_, '_>, token: bool) {
    if token {
        let ty = AsyncToken::get(p.cx());
        p.add_result(ty);
    }
}

/// ` async [%dep]`, with the blank in any case
pub(super) fn print_async(p: &mut OpPrinter<'_>, token: bool, dependencies: Vec<Value>) {
    p.text(" ");
    if token {
        p.text("async");
    }
    if !dependencies.is_empty() {
        p.text(if token { " [" } else { "[" });
        p.operands(dependencies);
        p.text("]");
    }
}

/// `(%a: memref<…> {attrs}, …)` after a keyword that was read; with the attributes of each
pub(super) fn attributions(
    p: &mut OpParser<'_, '_>,
    args: &mut Vec<(Unresolved, Type)>,
) -> Result<Vec<Option<Attr>>, Reported> {
    let mut attrs = Vec::new();
    p.list(Delim::Paren, |p| {
        let name = p.operand()?;
        let ty = p.colon_type()?;
        attrs.push(if p.at_punct("{") { Some(p.dictionary()?) } else { None });
        args.push((name, ty));
        Ok(())
    })?;
    Ok(attrs)
}

/// `workgroup(…) private(…)`: arguments are appended to the region's; sets the attribute that counts the first kind
pub(super) fn memory(
    p: &mut OpParser<'_, '_>,
    args: &mut Vec<(Unresolved, Type)>,
) -> Result<[Vec<Option<Attr>>; 2], Reported> {
    let before = args.len();
    let workgroup = if p.keyword_opt("workgroup") { attributions(p, args)? } else { Vec::new() };
    let count = p.cx().int_attr((args.len() - before) as i128, p.cx().common().i64);
    p.set_attr("workgroup_attributions", count);
    let private = if p.keyword_opt("private") { attributions(p, args)? } else { Vec::new() };
    Ok([workgroup, private])
}

/// The n-th dictionary of an array of them, if it has something
pub(super) fn dict_at(cx: &Context, attrs: Option<Attr>, n: usize) -> Option<Attr> {
    let item = attrs?.as_array(cx)?.get(n).copied()?;
    (item != cx.common().empty_dict).then_some(item)
}

/// ` workgroup(%a : memref<…>)`, nothing for none
pub(super) fn print_attributions(p: &mut OpPrinter<'_>, word: &str, args: &[Value], attrs: Option<Attr>) {
    if args.is_empty() {
        return;
    }
    p.text(word);
    for (n, &arg) in args.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "(" });
        p.operand(arg);
        p.text(" : ");
        p.ty(p.ir().ty(arg));
        if let Some(attrs) = dict_at(p.cx(), attrs, n) {
            p.text(" ");
            p.attr(attrs);
        }
    }
    p.text(")");
}

/// Value of `workgroup_attributions`
pub(super) fn workgroup_count(ir: &Ir, op: OpId) -> usize {
    let count = ir.attr(op, "workgroup_attributions").and_then(|attr| attr.as_i64(ir.cx()));
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}
