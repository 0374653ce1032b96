//! Levels of maps: who runs the iterations.

use terrace_diag::Reported;
use terrace_dialect_sched::Level;
use terrace_ir::{Attr, AttrForm, Context, attr_rules};
use terrace_text::{OpParser, OpPrinter};

attr_rules! {
    /// Who runs the iterations: a level of schedules, `fused`, or the parameter `@m` that will say
    ArrayLevelAttr "level (seq, unroll, vector, task, thread.x, block.x, global.x, …, fused, or @parameter)", AttrForm::Full,
        is_level;
}

fn is_level(cx: &Context, attr: Attr) -> bool {
    match attr.as_str(cx) {
        Some(word) => word == "fused" || word.parse::<Level>().is_ok(),
        None => attr.as_symbol(cx).is_some_and(|(_, nested)| nested.is_empty()),
    }
}

/// `: level` if it comes next
pub(crate) fn level(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    if p.punct_opt(":") {
        let attr = level_attr(p)?;
        p.set_attr("level", attr);
    }
    Ok(())
}

/// `thread.x`, `fused`, `@parameter`
pub(crate) fn level_attr(p: &mut OpParser<'_, '_>) -> Result<Attr, Reported> {
    if p.at_punct("@") {
        return p.symbol_ref();
    }
    let word = p.any_keyword_opt().map(str::to_string).unwrap_or_default();
    if word != "fused" && word.parse::<Level>().is_err() {
        let levels = Level::words();
        let words = levels.iter().map(String::as_str).chain(["fused"]);
        let near = terrace_diag::nearest(&word, words).unwrap_or("seq".into());
        return Err(p.error(format!("`{word}` is no level; did you mean `{near}`?")));
    }
    Ok(p.cx().str_attr(&word))
}

/// A property that is a word or a symbol, if it is there
pub(crate) fn print_word(p: &mut OpPrinter<'_>, before: &str, name: &str) {
    let (ir, op) = (p.ir(), p.op());
    let Some(attr) = ir.attr(op, name) else { return };
    p.text(before);
    match attr.as_str(ir.cx()) {
        Some(word) => p.text(word),
        None => p.attr(attr),
    }
}
