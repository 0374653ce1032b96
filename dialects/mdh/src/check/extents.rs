//! M-EXTENT: one number that is known at run time for the kept dimensions, and one for the reduced ones, each with a bound.
//!
//! Dimensions of one kind become one with quotients and remainders, in which only the outermost extent may be open.

use super::Check;
use crate::codes;
use crate::extents::is_open;
use crate::view::Condition;
use terrace_diag::Reported;
use terrace_ir::Value;

/// Greatest bound
const MOST: i64 = 1 << 40;

pub fn check(c: &Check<'_>) -> Result<(), Reported> {
    let view = c.view;
    for extent in &view.extents {
        if !(0..=MOST).contains(&extent.most) {
            let name = c.name(extent.value, "an extent");
            let message = format!("M-EXTENT: {name} is at most {}; a bound is from 0 to 2^40", extent.most);
            return c.fail(&codes::EXTENT, message);
        }
    }
    // Of kept and of reduced dimensions: the extent, and the name of a dimension that ends there.
    let mut found: [Option<(Value, String)>; 2] = [None, None];
    for bound in view.conditions.iter().flat_map(Condition::at_least_zero).filter(is_open) {
        if bound.as_linear().is_none() {
            let message = "M-EXTENT: a condition of what is known at run time is a sum, without quotients and remainders";
            return c.fail(&codes::EXTENT, message.into());
        }
        let reduced = usize::from(!view.ends_kept(&bound));
        let dims = view.dims.iter().enumerate();
        let mut used = dims.filter(|(n, dim)| bound.uses_dim(*n as u32) && dim.kind.kept() == (reduced == 0));
        let name = used.next().map_or_else(|| "its points".into(), |(_, dim)| format!("`{}`", dim.name));
        for (n, extent) in view.extents.iter().enumerate() {
            if !bound.uses_symbol(n as u32) {
                continue;
            }
            match &found[reduced] {
                Some((value, other)) if *value != extent.value => {
                    return two(c, [(*value, other), (extent.value, &name)], reduced == 1);
                }
                Some(_) => {}
                None => found[reduced] = Some((extent.value, name.clone())),
            }
        }
    }
    Ok(())
}

/// Both with their places
fn two(c: &Check<'_>, both: [(Value, &String); 2], reduced: bool) -> Result<(), Reported> {
    let ir = c.v.ir;
    let [one, two] = both.map(|(value, dim)| format!("{} of {dim}", c.name(value, "an extent")));
    let kind = if reduced { "reduced" } else { "kept" };
    let message = format!(
        "M-EXTENT: {one} and {two} are known at run time only; one extent of the {kind} dimensions may be: give the other a number"
    );
    let mut said = c.v.error(c.op.0, &codes::EXTENT, message);
    for (value, dim) in both {
        if let Some(maker) = ir.defining_op(value) {
            said = said.note_at(ir.span(maker), format!("the extent of {dim}"));
        }
    }
    Err(c.v.emit(said))
}
