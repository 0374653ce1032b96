//! Which buffers a step may own, and what they hold.

use super::footprint::Footprint;
use super::geometry::{Done, Geometry, Position};
use super::loops::Item;
use crate::broken::{Broken, Rule};
use crate::computation::Input;
use crate::values::Placement;
use terrace_devices::Region;
use terrace_support::affine::AffineExpr;

impl Geometry<'_> {
    /// The tile of an access group that a step owns, from this item on
    pub fn input_tile(
        &self,
        n: usize,
        layer: usize,
        pos: &Position,
        group: usize,
        place: &Placement,
    ) -> Done<Footprint> {
        let reads: Vec<&Input> = self.c.inputs.iter().filter(|input| input.group == group).collect();
        let plain = reads.iter().all(|read| !read.replaced);
        let maps: Option<Vec<&[AffineExpr]>> =
            reads.iter().map(|read| Some(&read.map.as_ref()?.results[..])).collect();
        match maps.filter(|_| plain).as_deref() {
            Some([first, more @ ..]) => {
                let tile = self.footprint(n, pos, first, more, (place, false));
                tile.map_err(|why| stated(why, place, layer))
            }
            _ => Err(Rule::Region.broken(format!(
                "{place} in step {layer} is a tile of a buffer with elements that something stands for (`else`)"
            ))),
        }
    }

    /// The tile of a result that a step owns, where it can be written back as a whole
    pub fn result_tile(
        &self,
        n: usize,
        layer: usize,
        pos: &Position,
        out: usize,
        place: &Placement,
    ) -> Done<Footprint> {
        let exprs = &self.c.outputs[out].maps[0].results;
        let several =
            |expr: &AffineExpr| (0..self.c.dims.len() as u32).filter(|dim| expr.uses_dim(*dim)).count() > 1;
        let cut = matches!(place.region, Region::Cache(_)) && self.has_tiles(n, out);
        let tile = self.footprint(n, pos, exprs, &[], (place, cut));
        let tile = tile.map_err(|why| stated(why, place, layer))?;
        // Places are of one point each: where nothing lies between them, the tile is one run of the result.
        if tile.strided && exprs.iter().any(several) {
            return Err(Rule::Region.broken("a tile of an output whose places mix dimensions"));
        }
        if let Some((e, by)) = tile.broken_panel() {
            return Err(Rule::Layout.broken(format!(
                "panels of {by} of dimension {} of a result's tile, which they do not fill",
                e + 1
            )));
        }
        if let Some(dim) = tile.spills {
            return Err(Rule::Div.broken(format!(
                "tiles of dimension {} that overshoot would write into the next of a result; use `~peel`",
                dim + 1
            )));
        }
        match tile.torn {
            true => Err(Rule::Region.broken("a tile of an output with others' elements between its own")),
            false => Ok(tile),
        }
    }

    /// Have steps inside of an item smaller tiles of a result?
    fn has_tiles(&self, n: usize, out: usize) -> bool {
        let mut inside = self.plan.items[n + 1..].iter();
        let owns = |item: &Item| match item {
            Item::Owner(layer) => self.owned_results(*layer).any(|(owned, _)| owned == out),
            _ => false,
        };
        inside.any(owns)
    }

    /// May a smaller tile of a result reach beyond the one around it?
    pub fn overshoots(&self, inner: &Footprint, outer: &Footprint) -> bool {
        let mut both = outer.axes.iter().zip(&inner.axes);
        outer.cut && both.any(|(outer, inner)| outer.extent % inner.extent.max(1) != 0)
    }

    /// Outputs that a step owns a tile of: those of one access that something is combined in, or that have a layout of their own
    pub fn owned_results(&self, layer: usize) -> impl Iterator<Item = (usize, &Placement)> {
        let combines = self.c.combines();
        let outs = self.plan.steps[layer - 1].outs.iter().enumerate();
        outs.filter_map(move |(out, place)| {
            let place = place.as_ref().filter(|_| self.c.outputs[out].maps.len() == 1)?;
            // Where nothing is combined, a tile is there for its layout, and every element of it is computed.
            let laid_out = !place.layout.is_empty() && self.c.bounds.is_empty() && self.picks.is_empty();
            (combines || laid_out).then_some(())?;
            Some((out, place))
        })
    }
}

/// What is wrong with a buffer, with where it is stated
pub fn stated(why: Broken, place: &Placement, layer: usize) -> Broken {
    why.at(format_args!("{place} in step {layer}"))
}
