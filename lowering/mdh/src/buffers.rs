//! Tiles that steps own: what fills them, what writes them back.

use crate::copies::Copied;
use crate::nest::{Done, Nest, Sink, State};
use crate::scalar::Combine;
use crate::tile::{Tile, space};
use terrace_dialect_sched as sched;
use terrace_dialect_sched::access::Access;
use terrace_ir::{Name, Type, TypeKind, Value};
use terrace_schedule_model::apply::footprint::Footprint;
use terrace_schedule_model::apply::stated;
use terrace_schedule_model::broken::Rule;
use terrace_schedule_model::{Part, Placement};
use terrace_support::affine::AffineExpr;

impl Nest<'_> {
    /// Where a tile's elements are in the buffer outside, or in a tile around
    fn base(&self, tile: &Footprint, outer: Option<&Footprint>, st: &State) -> Done<Access> {
        Ok(self.over(match outer {
            Some(outer) => self.geometry.base_in(tile, outer, &st.pos)?,
            None => self.geometry.base(tile, &st.pos)?,
        }))
    }

    /// Fill an output's tile with its start values; false if their places do not follow from the tile's
    fn start_tile(&mut self, n: usize, layer: usize, st: &State, tile: &Tile, out: usize) -> Done<bool> {
        let (Some(start), Some((_, own))) = (self.starts[out], &self.view.outputs[out].init) else {
            return Ok(false);
        };
        let mut from = self.base(&tile.of, None, st)?;
        let mut exprs = self.places(out);
        if let Some(own) = own {
            let Some(found) = self.geometry.start_places(out, own, &from.map)? else { return Ok(false) };
            from.map = found;
            exprs = own.results.clone();
        }
        let shape = self.ir.ty(start).shape(self.ir.cx()).unwrap_or(&[]).to_vec();
        let inside = self.geometry.fits(&st.pos, &exprs, &shape, true);
        self.copy_tile(n, layer, st, tile, Copied::In { src: start, from: Some(from), edges: !inside });
        Ok(true)
    }

    /// Buffers of a step: filled before what follows, results copied out after
    pub(crate) fn owner(&mut self, n: usize, layer: usize, st: State) -> Done<()> {
        let mut inner = st.clone();
        self.inputs_of(n, layer, &mut inner)?;
        let mut made = Vec::new();
        let geometry = self.geometry.clone();
        for (out, place) in geometry.owned_results(layer) {
            let of = geometry.result_tile(n, layer, &st.pos, out, place)?;
            let tile = self.alloc(&st, layer, of, place, self.dests[out]);
            inner.sinks[out] = self.fill_result(n, layer, &st, out, &tile)?;
            made.push((out, tile));
        }
        self.nest(n + 1, inner)?;
        made.into_iter().try_for_each(|(out, tile)| self.write_back(n, layer, &st, out, &tile))
    }

    /// Places of an output that has one access
    fn places(&self, out: usize) -> Vec<AffineExpr> {
        self.view.outputs[out].maps[0].results.clone()
    }

    fn shape(&self, memref: Value) -> Vec<i64> {
        self.ir.ty(memref).shape(self.ir.cx()).unwrap_or(&[]).to_vec()
    }

    /// What a result's tile begins with, and where contributions go from here
    fn fill_result(&mut self, n: usize, layer: usize, st: &State, out: usize, tile: &Tile) -> Done<Sink> {
        let (exprs, shape) = (self.places(out), self.shape(self.dests[out]));
        let sink = &st.sinks[out];
        let spoils = self.geometry.spoils(&st.pos, &exprs, &shape, Some(&tile.of));
        let last = sink.tile.is_none() && !sink.combine;
        if let Some(dim) = spoils.filter(|_| last) {
            return Err(Rule::tile_overshoots(dim));
        }
        let fits = self.geometry.fits(&st.pos, &exprs, &shape, true);
        let (mut combine, mut direct) = (self.geometry.merges(n + 1, out), sink.direct);
        if self.continues(st, out) {
            let src = sink.tile.as_ref().map_or(self.dests[out], |outer| outer.memref);
            let from = Some(self.base(&tile.of, sink.tile.as_ref().map(|outer| &outer.of), st)?);
            let edges = sink.tile.is_none() && !fits;
            self.copy_tile(n, layer, st, tile, Copied::In { src, from, edges });
            combine = true;
        } else if direct && sink.tile.is_none() && self.start_tile(n, layer, st, tile, out)? {
            (combine, direct) = (true, false);
        } else if direct {
            return Err(Rule::Region.broken("start values whose places do not follow from a tile's"));
        } else if combine || spoils.is_some() || self.geometry.leaves_places(out, &st.pos, &tile.of) {
            let src = self.neutral(st.at, out)?;
            self.copy_tile(n, layer, st, tile, Copied::In { src, from: None, edges: false });
        }
        Ok(Sink { tile: Some(tile.clone()), combine, direct })
    }

    /// A result's tile to its place in what is around
    fn write_back(&mut self, n: usize, layer: usize, st: &State, out: usize, tile: &Tile) -> Done<()> {
        let outer = st.sinks[out].tile.as_ref();
        let dst = outer.map_or(self.dests[out], |tile| tile.memref);
        let to = self.base(&tile.of, outer.map(|outer| &outer.of), st)?;
        let edges = match outer {
            Some(around) => self.geometry.overshoots(&tile.of, &around.of),
            None => !tile.of.whole && self.geometry.drops(out, &st.pos)?,
        };
        let merge = st.sinks[out].combine && !self.continues(st, out);
        let combine = self.yields.operators().get(self.id(out)).cloned().filter(|_| merge);
        self.copy_tile(n, layer, st, tile, Copied::Out { dst, to, edges, combine });
        Ok(())
    }

    /// Does a tile of an output go on with what is around it, and replace it afterwards?
    ///
    /// Components of a tuple are combined together, each wherever it is: a tile of one of them holds what there is so far, and so do
    /// the places of the others. That is in order: loops over what tuples reduce are not spread.
    fn continues(&self, st: &State, out: usize) -> bool {
        matches!(self.yields.combine, Combine::Joint(_)) && st.sinks[out].combine
    }

    fn id(&self, out: usize) -> usize {
        self.yields.place.iter().position(|place| *place == (out, 0)).unwrap_or(0)
    }

    /// Tiles of inputs that a step owns
    pub(crate) fn inputs_of(&mut self, n: usize, layer: usize, st: &mut State) -> Done<()> {
        let outer = st.clone();
        let plan = self.plan;
        for (group, place) in plan.steps[layer - 1].ins.iter().enumerate() {
            let Some(place) = place else { continue };
            let of = self.geometry.input_tile(n, layer, &outer.pos, group, place)?;
            let value = self.buffers[self.geometry.c.groups[group]];
            let (view, geometry) = (self.view, &self.geometry);
            let source = view.inputs.iter().position(|input| input.value == value);
            let source = source.map_or(value, |input| self.inputs[input]);
            let fits = |shape: &[i64]| {
                let mut reads = geometry.c.inputs.iter().filter(|input| input.group == group);
                reads.all(|input| {
                    let map = input.map.as_ref();
                    map.is_some_and(|map| geometry.fits(&outer.pos, &map.results, shape, true))
                })
            };
            let whole = fits(&self.shape(source));
            let tile = self.alloc(&outer, layer, of, place, source);
            let around = outer.tiles[group].as_ref();
            let from = self.base(&tile.of, around.map(|around| &around.of), &outer);
            let from = if around.is_some() { from.map_err(|why| stated(why, place, layer))? } else { from? };
            let src = around.map_or(source, |around| around.memref);
            // Panels may be longer than what they hold.
            let panels = place.layout.iter().any(|part| matches!(part, Part::Div(..)));
            let inside = around.is_none() && !panels && whole;
            self.copy_tile(n, layer, &outer, &tile, Copied::In { src, from: Some(from), edges: !inside });
            st.tiles[group] = Some(tile);
        }
        Ok(())
    }

    fn alloc(&mut self, st: &State, layer: usize, of: Footprint, place: &Placement, like: Value) -> Tile {
        let cx = self.ir.cx();
        let space = space(cx, place.region);
        let elem = self.ir.ty(like).scalar(cx);
        let elem = self.ir.ty(like).element(cx).unwrap_or(elem);
        let ty: Type = cx.ty(TypeKind::MemRef { shape: of.shape.clone().into(), elem, layout: None, space });
        let per = of.per().map(|per| cx.str_attr(per.word()));
        let alloc = sched::Alloc::build(&mut self.b(st.at), ty);
        alloc.set_per(self.ir, per);
        let label = self.plan.steps[layer - 1].label as i64;
        let step = self.ir.cx().i64_array(&[layer as i64, label]);
        alloc.set_step(self.ir, Some(step));
        let memref = alloc.memref(self.ir);
        let name = self
            .ir
            .value_name(like)
            .map(|name| format!("{name}_{}", place.region.word().to_ascii_lowercase()));
        if let Some(name) = name {
            let name = Name::Str(self.ir.cx().intern(&name));
            self.ir.set_value_name(memref, name);
        }
        Tile { memref, of }
    }
}
