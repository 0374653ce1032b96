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
use terrace_dialect_sched::{Axis, Level};
use terrace_ir::Attr;
use terrace_text::OpParser;

/// What the spelling of an op's name says besides the op
enum Spelled {
    Level(Level),
    /// A level of the axis that follows in parentheses
    Along(fn(Axis) -> Level),
    Space(AddressSpace),
    Strict,
}

fn spelled(p: &OpParser<'_, '_>) -> Option<Spelled> {
    Some(match p.spelling().strip_prefix("array.")? {
        "mapSeq" | "reduceSeq" => Spelled::Level(Level::Seq),
        "mapSeqUnroll" | "reduceSeqUnroll" => Spelled::Level(Level::Unroll),
        "mapPar" => Spelled::Level(Level::Task),
        "mapGlb" | "mapGlobal" => Spelled::Along(Level::Global),
        "mapWrg" | "mapWorkGroup" => Spelled::Along(Level::Block),
        "mapLcl" | "mapLocal" => Spelled::Along(Level::Thread),
        "toGlobal" => Spelled::Space(AddressSpace::Global),
        "toLocal" => Spelled::Space(AddressSpace::Workgroup),
        "toPrivate" => Spelled::Space(AddressSpace::Private),
        "slideStrict" => Spelled::Strict,
        _ => return None,
    })
}

/// The level that the name says, with its dimension behind it in parentheses; whether it said one
pub(crate) fn level(p: &mut OpParser<'_, '_>) -> Result<bool, Reported> {
    let level = match spelled(p) {
        Some(Spelled::Level(level)) => level,
        Some(Spelled::Along(along)) => {
            p.punct("(")?;
            let at = p.here();
            let axis = usize::try_from(p.int()?).ok().and_then(|axis| Axis::ALL.get(axis));
            let Some(axis) = axis else { return Err(p.error_in(at, "a dimension is 0, 1 or 2")) };
            p.punct(")")?;
            along(*axis)
        }
        Some(Spelled::Space(_) | Spelled::Strict) | None => return Ok(false),
    };
    let attr = p.cx().str_attr(&level.to_string());
    p.set_attr("level", attr);
    Ok(true)
}

/// The attribute of the memory space that the name says
pub(crate) fn space(p: &OpParser<'_, '_>) -> Option<Attr> {
    match spelled(p)? {
        Spelled::Space(space) => Some(space.attr(p.cx())),
        _ => None,
    }
}

/// Does the name say `strict`?
pub(crate) fn strict(p: &OpParser<'_, '_>) -> bool {
    matches!(spelled(p), Some(Spelled::Strict))
}
