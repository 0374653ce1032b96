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
    MapLevel::of(cx, attr).is_some()
}

/// Who runs the iterations of a map
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapLevel {
    /// A level of schedules
    Level(Level),
    /// The loop of the map around: both are one loop
    Fused,
    /// A parameter, which has no value yet
    Open,
}

/// The word of [`MapLevel::Fused`]
const FUSED: &str = "fused";

impl MapLevel {
    /// The level that a property states
    pub fn of(cx: &Context, attr: Attr) -> Option<MapLevel> {
        match attr.as_str(cx) {
            Some(FUSED) => Some(MapLevel::Fused),
            Some(word) => word.parse().ok().map(MapLevel::Level),
            None => attr.as_symbol(cx).filter(|(_, nested)| nested.is_empty()).map(|_| MapLevel::Open),
        }
    }

    /// The level of schedules, if it is one
    pub fn level(self) -> Option<Level> {
        match self {
            MapLevel::Level(level) => Some(level),
            MapLevel::Fused | MapLevel::Open => None,
        }
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
    if word != FUSED && word.parse::<Level>().is_err() {
        let levels = Level::words();
        let words = levels.iter().map(String::as_str).chain([FUSED]);
        let near = terrace_diag::nearest(&word, words).unwrap_or(Level::Seq.to_string());
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
