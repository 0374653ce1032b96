//! The names that LIFT and RISE have for levels and spaces, as input spellings of the ops that have these as properties.
//!
//! | spelling | is |
//! |---|---|
//! | `array.mapSeq`, `mapSeqUnroll`, `mapPar` | `array.map … : seq`, `unroll`, `task` |
//! | `array.mapGlb(d)`, `mapWrg(d)`, `mapLcl(d)`; `mapGlobal`, `mapWorkGroup`, `mapLocal` | `: global.x`, `block.x`, `thread.x` for `d` = 0, then `y`, `z` |
//! | `array.reduceSeq`, `reduceSeqUnroll` | `array.reduce … : seq`, `unroll` |
//! | `array.toGlobal`, `toLocal`, `toPrivate` | `array.place` in that memory |
//! | `array.slideStrict`, `scanSeq`, `asVector`, `asScalar`, `mapND`, `zipND`, `joinND`, `slideND`, `padND` | `array.slide strict`, `scan`, `as_vector`, `as_scalar`, `map_nd`, … |

use terrace_diag::Reported;
use terrace_dialect_gpu::AddressSpace;
use terrace_ir::{Attr, Context};
use terrace_text::OpParser;

/// What the spelling of the op's name says: a level (or what it begins with), a space, `strict`
pub(crate) fn spelled(p: &OpParser<'_, '_>) -> Option<&'static str> {
    Some(match p.spelling().strip_prefix("array.")? {
        "mapSeq" | "reduceSeq" => "seq",
        "mapSeqUnroll" | "reduceSeqUnroll" => "unroll",
        "mapPar" => "task",
        "mapGlb" | "mapGlobal" => "global",
        "mapWrg" | "mapWorkGroup" => "block",
        "mapLcl" | "mapLocal" => "thread",
        "toGlobal" => "global",
        "toLocal" => "workgroup",
        "toPrivate" => "private",
        "slideStrict" => "strict",
        _ => return None,
    })
}

/// The level that the name says, with its dimension behind it in parentheses; whether it said one
pub(crate) fn level(p: &mut OpParser<'_, '_>) -> Result<bool, Reported> {
    let Some(word) = spelled(p) else { return Ok(false) };
    let mut level = word.to_string();
    if matches!(word, "global" | "block" | "thread") {
        p.punct("(")?;
        let axis = usize::try_from(p.int()?).ok().and_then(|axis| ["x", "y", "z"].get(axis));
        let Some(axis) = axis else { return Err(p.error("a dimension is 0, 1 or 2")) };
        p.punct(")")?;
        level = format!("{word}.{axis}");
    }
    let attr = p.cx().str_attr(&level);
    p.set_attr("level", attr);
    Ok(true)
}

/// The attribute of a memory space
pub(crate) fn space(cx: &Context, name: &str) -> Attr {
    AddressSpace::from_word(name).map_or(cx.common().unit, |space| space.attr(cx))
}
