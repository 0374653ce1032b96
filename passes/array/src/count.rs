//! The pass `array-count`: how many maps there are, and of what kind.
//!
//! All maps are counted as they stand in the text: what runs in parallel or not, and what only lays out. Nothing is unrolled or
//! expanded for it; `array-expand` before writes macros out, `copyAsMaps` makes maps of copies.

use terrace_diag::Reported;
use terrace_dialect_array::{Map, Place, Reduce, Yield, layout};
use terrace_ir::{Ir, OpId};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Count maps, reductions and places
///
/// For `--stats`: maps in all, those of them that compute or copy (each is a loop that can be parallel), those that only lay
/// out (each is a part of index arithmetic), reductions, places. Nothing changes.
#[pass(
    "array-count",
    anchor = "func.func",
    stats("maps", "maps that compute", "maps that lay out", "deepest nest of maps", "reductions", "places")
)]
pub struct ArrayCount;

/// How many of each
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Maps that compute or copy
    pub loops: usize,
    /// Maps that only lay out
    pub layouts: usize,
    /// Most maps in each other
    pub depth: usize,
    /// Reductions
    pub reductions: usize,
    /// Places
    pub places: usize,
}

/// Nothing is computed or written below this map
pub fn lays_out(ir: &Ir, map: OpId) -> bool {
    ir.walk_below(map).all(|op| {
        let view = layout::is_layout(ir, op) && Place::cast(ir, op).is_none();
        view || Yield::cast(ir, op).is_some() || Map::cast(ir, op).is_some()
    })
}

/// Counts of a function
pub fn counts(ir: &Ir) -> Counts {
    let mut counts = Counts::default();
    let is_map = |op: &OpId| Map::cast(ir, *op).is_some();
    for op in ir.walk() {
        counts.reductions += usize::from(Reduce::cast(ir, op).is_some());
        counts.places += usize::from(Place::cast(ir, op).is_some());
        if !is_map(&op) {
            continue;
        }
        let around = std::iter::successors(ir.parent(op), |op| ir.parent(*op)).filter(is_map).count();
        counts.depth = counts.depth.max(around + 1);
        match lays_out(ir, op) {
            true => counts.layouts += 1,
            false => counts.loops += 1,
        }
    }
    counts
}

impl Pass for ArrayCount {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let Counts { loops, layouts, depth, reductions, places } = counts(unit);
        let all = [
            ("maps", loops + layouts),
            ("maps that compute", loops),
            ("maps that lay out", layouts),
            ("deepest nest of maps", depth),
            ("reductions", reductions),
            ("places", places),
        ];
        all.into_iter().for_each(|(name, count)| cx.count(name, count as u64));
        cx.set_changed(false);
        Ok(())
    }
}
