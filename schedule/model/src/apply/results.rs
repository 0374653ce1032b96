//! What becomes of the values of points: tiles of results, what they begin with, writes, and what loops merge.
//!
//! Values of the innermost reduced loops are merged as values; what other loops contribute is merged in memory. Lowering writes the
//! same with ops; it also knows operators on tuples and prefixes, which this leaves out.

use super::footprint::Footprint;
use super::geometry::{Done, Geometry, Over, Position};
use super::loops::Item;
use super::state::{Event, Sink, State, Tile, Walk};
use crate::broken::Rule;
use crate::computation::{Memory, Start};
use crate::nest::{Access, Around, Buffer, BufferId, OperatorId, Use};
use crate::nest_arena::Id;
use terrace_analysis::{Range, range_of};
use terrace_devices::Per;
use terrace_support::affine::{AffineExpr, AffineMap};

impl Geometry<'_> {
    /// Do contributions of several iterations meet in an output's buffer that stands before this item?
    pub fn merges(&self, from: usize, out: usize) -> bool {
        if !self.picks.is_empty() {
            return true;
        }
        let ssa = self.values_from();
        for item in self.plan.items.iter().take(ssa).skip(from) {
            match item {
                Item::Loop(one) if !self.c.dims[one.dim].kind.is_kept() && self.plan.is_loop(one) => {
                    return true;
                }
                Item::Owner(layer) if self.plan.steps[layer - 1].outs[out].is_some() => return false,
                _ => {}
            }
        }
        false
    }

    /// Is every place of an output written, if every point happens?
    pub fn covers(&self, out: usize) -> bool {
        let kept = self.c.dims.iter().filter(|dim| dim.kind.is_kept());
        let points = kept.fold(1i64, |all, dim| all.saturating_mul(dim.size));
        let places = points.saturating_mul(self.c.outputs[out].maps.len() as i64);
        self.c.results[out].shape.iter().product::<i64>() == places
    }

    /// Do an output's places reach the ends of its buffer?
    pub fn fills(&self, out: usize) -> bool {
        let sizes: Vec<Range> =
            self.c.dims.iter().map(|dim| Range::below(dim.size).unwrap_or(Range::one(0))).collect();
        self.c.outputs[out].maps.iter().all(|map| {
            map.results.iter().zip(&self.c.results[out].shape).all(|(expr, size)| {
                let turned =
                    expr.as_linear().is_some_and(|linear| (0..sizes.len()).any(|dim| linear.dim(dim) < 0));
                let ends = || self.c.bounds.iter().any(|bound| is_end(bound, expr, *size));
                range_of(expr, &sizes).is_some_and(|range| {
                    (range.max() + 1 == *size || ends()) && (!turned || range.min() == 0)
                })
            })
        })
    }

    /// Do conditions leave out no more than what is behind the ends of an output?
    pub fn only_ends(&self, out: usize) -> bool {
        let shape = &self.c.results[out].shape;
        let ends = |bound: &AffineExpr| {
            let mut maps = self.c.outputs[out].maps.iter();
            maps.all(|map| map.results.iter().zip(shape).any(|(expr, size)| is_end(bound, expr, *size)))
        };
        self.c.bounds.iter().all(ends)
    }

    /// Has a tile of an output places that no point writes?
    pub fn leaves_places(&self, out: usize, pos: &Position, tile: &Footprint) -> bool {
        let (exprs, shape) = (&self.c.outputs[out].maps[0].results, &self.c.results[out].shape);
        tile.strided || !self.only_ends(out) || !tile.whole && !self.fits(pos, exprs, shape, true)
    }

    /// Where start values that have places of their own are, from the places of a tile of the output; `None` if they do not follow from
    /// these
    pub fn start_places(&self, out: usize, own: &AffineMap, tile: &AffineMap) -> Done<Option<AffineMap>> {
        let map = &self.c.outputs[out].maps[0];
        let mut coords: Vec<AffineExpr> = vec![0.into(); self.c.dims.len()];
        for (dim, coord) in coords.iter_mut().enumerate() {
            if !own.results.iter().any(|expr| expr.uses_dim(dim as u32)) {
                continue;
            }
            let plain = |expr: &AffineExpr| expr.as_linear().filter(|linear| linear.dim(dim) == 1);
            let found = map.results.iter().zip(&tile.results).find_map(|(expr, at)| Some((plain(expr)?, at)));
            let Some((linear, at)) = found else { return Ok(None) };
            *coord = AffineExpr::add(at.clone(), (-linear.constant).into());
        }
        let results: Option<Vec<AffineExpr>> =
            own.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
        let map = results.and_then(|results| AffineMap::new(tile.dims, 0, results));
        Ok(Some(map.ok_or("an index function is too deep")?))
    }

    /// May a tile of an output be written to the output here? Whether elements beyond its ends are dropped
    pub fn drops(&self, out: usize, pos: &Position) -> Done<bool> {
        let (exprs, shape) = (&self.c.outputs[out].maps[0].results, &self.c.results[out].shape);
        let edges = !self.fits(pos, exprs, shape, true);
        if edges && !self.fills(out) {
            let why = "tiles that overshoot would write into the rest of the result; use `~peel`";
            return Err(Rule::Div.broken(why));
        }
        Ok(edges)
    }

    /// Does a condition stand outside of what gives values to an output, or fills a tile of it?
    pub fn guarded(&self, out: usize) -> bool {
        self.guards(out, |_| true)
    }

    /// The same, but for ends of kept dimensions: what is behind them is in no result
    pub fn leaves_out(&self, out: usize) -> bool {
        self.guards(out, |bound| !self.c.ends_kept(bound))
    }

    fn guards(&self, out: usize, counts: impl Fn(&AffineExpr) -> bool) -> bool {
        for item in &self.plan.items[..self.values_from()] {
            match item {
                Item::Guard(bound) if counts(bound) => return true,
                Item::Owner(layer) if self.owned_results(*layer).any(|(owned, _)| owned == out) => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }
}

impl Walk<'_> {
    /// Where contributions go outside of all loops, after copies that fill destinations
    pub(super) fn sinks(&mut self) -> Done<Vec<Sink>> {
        let geometry = self.geometry;
        let outputs = geometry.c.outputs.len();
        let Some(results) = &self.results else { return Ok(vec![Sink::default(); outputs]) };
        let of = results.of;
        let sink = |out: usize| {
            let (start, merges) = (of.starts[out].is_some(), geometry.merges(0, out));
            let direct = start && geometry.covers(out) && !merges && !geometry.guarded(out);
            Sink { tile: None, combine: merges || start && !direct, direct }
        };
        let sinks: Vec<Sink> = (0..outputs).map(sink).collect();
        for (out, sink) in sinks.iter().enumerate() {
            if geometry.c.results[out].shape.contains(&0) {
                continue;
            }
            match &of.starts[out] {
                Some(_) if sink.direct => {}
                Some(start) => self.fill_from(out, start)?,
                None if geometry.c.combines() && (geometry.leaves_out(out) || sink.combine) => {
                    let whole = identity(geometry.c.results[out].shape.len());
                    let to = (self.destination(out), Use::Write, whole);
                    self.copy(&geometry.c.results[out].shape, None, to.into(), (Around::default(), None));
                }
                None => {}
            }
        }
        Ok(sinks)
    }

    /// Start values to their destination
    fn fill_from(&mut self, out: usize, start: &Start) -> Done<()> {
        let c = self.geometry.c;
        let (from, to) = (self.start_buffer(out, start), self.destination(out));
        let Some(map) = &start.map else {
            let shape = &c.results[out].shape;
            let whole = identity(shape.len());
            let (from, to) = ((from, Use::Read, whole.clone()), (to, Use::Write, whole));
            self.copy(shape, Some(from.into()), to.into(), (Around::default(), None));
            return Ok(());
        };
        let kept: Vec<usize> = (0..c.dims.len()).filter(|n| c.dims[*n].kind.is_kept()).collect();
        let coord =
            |n: usize| kept.iter().position(|m| *m == n).map_or(0.into(), |at| AffineExpr::Dim(at as u32));
        let coords: Vec<AffineExpr> = (0..c.dims.len()).map(coord).collect();
        let over = |map: &AffineMap| {
            let results: Option<Vec<_>> = map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            let map = AffineMap::new(kept.len() as u32, 0, results?)?;
            Some(Over { map, over: Vec::new() })
        };
        let domain: Vec<i64> = kept.iter().map(|n| c.dims[*n].size).collect();
        for target in &c.outputs[out].maps {
            let (from_at, to_at) = over(map).zip(over(target)).ok_or("an index function is too deep")?;
            let (from, to) = ((from, Use::Read, from_at), (to, Use::Write, to_at));
            self.copy(&domain, Some(from.into()), to.into(), (Around::default(), None));
        }
        Ok(())
    }

    /// The caller's buffer of an output
    pub(super) fn destination(&mut self, out: usize) -> BufferId {
        let buffer = given(self.geometry.c.results[out].clone());
        let nest = &mut self.nest;
        let Some(results) = &mut self.results else { return nest.buffers.push(buffer) };
        *results.destinations[out].get_or_insert_with(|| nest.buffers.push(buffer))
    }

    fn start_buffer(&mut self, out: usize, start: &Start) -> BufferId {
        if let Some(buffer) = start.buffer {
            return self.argument(buffer);
        }
        let buffer = given(start.memory.clone());
        let nest = &mut self.nest;
        let Some(results) = &mut self.results else { return nest.buffers.push(buffer) };
        *results.starts[out].get_or_insert_with(|| nest.buffers.push(buffer))
    }

    /// Both sides of a copy; the number of its place
    pub(super) fn copy(
        &mut self,
        domain: &[i64],
        from: Option<Side>,
        to: Side,
        (around, per): (Around, Option<Per>),
    ) -> u32 {
        let place = self.next_place();
        for Side { buffer, does, at, edges } in from.into_iter().chain([to]) {
            let side = Access {
                buffer,
                does,
                map: at.map,
                over: at.over,
                domain: domain.to_vec(),
                guarded: edges,
                copy: true,
                per,
                together: per.is_some(),
                around,
                place,
            };
            self.nest.accesses.push(side);
        }
        place
    }

    /// Copies between a tile and what is around it, in strips where it is in registers
    pub(super) fn copy_tile(
        &mut self,
        n: usize,
        (tile, of): (BufferId, &Footprint),
        outside: Option<Side>,
        around: Around,
    ) {
        let mut own = Over { map: identity(of.shape.len()).map, over: Vec::new() };
        of.turned(&mut own.map.results, |expr| expr);
        let strips = self.geometry.strips(n, of).filter(|_| of.registers && of.per().is_none());
        let Some((dim, strips)) = strips else {
            self.tile_sides(&of.shape, (tile, own), outside, (around, of.per()));
            return;
        };
        for (start, size, lanes) in strips {
            let mut domain = of.shape.clone();
            domain[dim] = size;
            let outside =
                outside.as_ref().map(|side| Side { at: shifted(&side.at, dim, start), ..side.clone() });
            let place = self.tile_sides(&domain, (tile, shifted(&own, dim, start)), outside, (around, None));
            if let Some(results) = &mut self.results {
                results.happenings.lanes.insert(place, lanes);
            }
        }
    }

    fn tile_sides(
        &mut self,
        domain: &[i64],
        (tile, own): (BufferId, Over),
        outside: Option<Side>,
        around: (Around, Option<Per>),
    ) -> u32 {
        let inside = |does: Use| Side { buffer: tile, does, at: own, edges: false };
        match outside {
            Some(from) if from.does == Use::Read => self.copy(domain, Some(from), inside(Use::Write), around),
            Some(to) => self.copy(domain, Some(inside(Use::Read)), to, around),
            None => self.copy(domain, None, inside(Use::Write), around),
        }
    }

    /// A result's tile with what it begins with
    pub(super) fn fill_result(&mut self, n: usize, out: usize, (id, of): Tile, state: &State) -> Done<Sink> {
        let geometry = self.geometry;
        let tile = Some((id, of));
        let Some(results) = &self.results else { return Ok(Sink { tile, ..Sink::default() }) };
        let (start, sink) = (results.of.starts[out].as_ref(), &state.sinks[out]);
        let (mut combine, mut direct) = (geometry.merges(n + 1, out), sink.direct);
        let Some((id, of)) = &tile else { return Ok(Sink::default()) };
        let (exprs, shape) = (&geometry.c.outputs[out].maps[0].results, &geometry.c.results[out].shape);
        let spoils = geometry.spoils(&state.pos, exprs, shape, Some(of));
        if let Some(dim) = spoils.filter(|_| sink.tile.is_none() && !sink.combine) {
            return Err(Rule::tile_overshoots(dim));
        }
        if let (Some(start), true, None) = (start, direct, &sink.tile) {
            let (buffer, mut at) = (self.start_buffer(out, start), geometry.base(of, &state.pos)?);
            let mut places = exprs;
            if let Some(own) = &start.map {
                let found = geometry.start_places(out, own, &at.map)?;
                at.map = found.ok_or("start values whose places do not follow from a tile's")?;
                places = &own.results;
            }
            let shape = &self.nest.buffers[buffer].shape;
            let edges = !geometry.fits(&state.pos, places, shape, true);
            self.copy_tile(n, (*id, of), Some(Side { buffer, does: Use::Read, at, edges }), state.around);
            (combine, direct) = (true, false);
        } else if combine || spoils.is_some() || geometry.leaves_places(out, &state.pos, of) {
            self.copy_tile(n, (*id, of), None, state.around);
        }
        Ok(Sink { tile, combine, direct })
    }

    /// A result's tile to its place in what is around
    pub(super) fn write_back(&mut self, n: usize, out: usize, (id, of): &Tile, state: &State) -> Done<()> {
        if self.results.is_none() {
            return Ok(());
        }
        let sink = &state.sinks[out];
        let (buffer, at) = match &sink.tile {
            Some((outer, around)) => (*outer, self.geometry.base_in(of, around, &state.pos)?),
            None => (self.destination(out), self.geometry.base(of, &state.pos)?),
        };
        let edges = match &sink.tile {
            Some((_, around)) => self.geometry.overshoots(of, around),
            None => !of.whole && self.geometry.drops(out, &state.pos)?,
        };
        let does = self.written(out, 0, sink.combine);
        self.copy_tile(n, (*id, of), Some(Side { buffer, does, at, edges }), state.around);
        Ok(())
    }

    fn written(&self, out: usize, access: usize, combine: bool) -> Use {
        let earlier = self.geometry.c.outputs[..out].iter().map(|out| out.maps.len()).sum::<usize>();
        match combine && self.nest.operators.len() > earlier + access {
            true => Use::Merge(OperatorId::new(earlier + access)),
            false => Use::Write,
        }
    }

    /// Something that happens right inside of the innermost loop
    pub(super) fn happens(&mut self, event: Event, state: &State) {
        if let Some(results) = &mut self.results {
            results.happenings.events.push((state.around.inside, event));
        }
    }

    /// Values that a point gives
    pub(super) fn values(&self) -> u32 {
        self.geometry.c.outputs.iter().map(|out| out.maps.len()).sum::<usize>() as u32
    }

    /// The innermost loops that give values, and what becomes of these
    pub(super) fn contribute(&mut self, n: usize, mut state: State) -> Done<()> {
        let c = self.geometry.c;
        state.valued = true;
        state.carried = c.in_order && n < self.geometry.plan.items.len();
        let outside = state.clone();
        if state.carried {
            // Folds begin with what there is.
            self.read_starts(&outside, |sink| sink.direct || sink.combine)?;
        }
        self.items(n, state)?;
        let mut after = outside;
        if after.carried {
            after.sinks.iter_mut().for_each(|sink| (sink.combine, sink.direct) = (false, false));
        }
        self.store(&after)
    }

    /// Reads of start values, where they are
    fn read_starts(&mut self, state: &State, wanted: impl Fn(&Sink) -> bool) -> Done<u32> {
        let (c, mut count) = (self.geometry.c, 0);
        for out in 0..c.outputs.len() {
            for (n, map) in c.outputs[out].maps.iter().enumerate() {
                if !wanted(&state.sinks[out]) {
                    continue;
                }
                let start = self.results.as_ref().and_then(|results| results.of.starts[out].as_ref());
                let (buffer, at) = match start.filter(|_| state.sinks[out].direct) {
                    Some(start) => {
                        let map = start.map.as_ref().unwrap_or(map);
                        let at = self.geometry.access(&state.pos, &map.results)?;
                        (self.start_buffer(out, start), at)
                    }
                    None => {
                        let place = self.place_of(out, n, state)?;
                        (place.buffer, place.at)
                    }
                };
                let place = self.next_place();
                let read = self.access(buffer, at, state, place);
                self.nest.accesses.push(read);
                count += 1;
            }
        }
        Ok(count)
    }

    /// Where an access of an output goes
    fn place_of(&mut self, out: usize, access: usize, state: &State) -> Done<Place> {
        let geometry = self.geometry;
        let exprs = &geometry.c.outputs[out].maps[access].results;
        if let Some((id, of)) = &state.sinks[out].tile {
            let at = geometry.inside_tile(of, exprs, &state.pos)?;
            return Ok(Place { buffer: *id, at, beyond: !geometry.picks.is_empty() });
        }
        let shape = &geometry.c.results[out].shape;
        if let Some(dim) = geometry.spoils(&state.pos, exprs, shape, None) {
            return Err(Rule::pad_overshoots(dim));
        }
        let padded = (0..geometry.c.dims.len()).any(|dim| geometry.padded(dim));
        let beyond = padded && !geometry.fits(&state.pos, exprs, shape, false) || !geometry.picks.is_empty();
        Ok(Place { buffer: self.destination(out), at: geometry.access(&state.pos, exprs)?, beyond })
    }

    /// Contributions to their places
    fn store(&mut self, state: &State) -> Done<()> {
        let geometry = self.geometry;
        let started = match geometry.c.combines() {
            true => self.read_starts(state, |sink| sink.direct)?,
            false => 0,
        };
        let fronts = self.fronts(state);
        if started + fronts > 0 {
            self.happens(Event::Joined(started + fronts), state);
        }
        for out in 0..geometry.c.outputs.len() {
            for n in 0..geometry.c.outputs[out].maps.len() {
                let Place { buffer, at, beyond } = self.place_of(out, n, state)?;
                let does = self.written(out, n, state.sinks[out].combine);
                let place = self.next_place();
                let write = Access { does, guarded: beyond, ..self.access(buffer, at, state, place) };
                self.nest.accesses.push(write);
            }
        }
        Ok(())
    }

    /// Sums that may be empty, whose zero is put in front of what is written
    fn fronts(&self, state: &State) -> u32 {
        let Some(results) = &self.results else { return 0 };
        let seen = |out: usize| {
            results.of.fronts[out] && results.of.starts[out].is_none() && !state.sinks[out].combine
        };
        let outs = self.geometry.c.outputs.iter().enumerate();
        outs.filter(|(out, _)| seen(*out)).map(|(_, out)| out.maps.len() as u32).sum()
    }

    /// The body at a point
    pub(super) fn body(&mut self, state: &State) {
        let merged = match state.merged {
            true => !state.carried,
            false => state.sinks.iter().all(|sink| sink.combine) && !state.carried,
        };
        self.happens(Event::Point { merged }, state);
        if state.carried {
            self.happens(Event::Joined(self.values()), state);
        }
    }
}

/// One side of a copy
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub buffer: BufferId,
    pub does: Use,
    pub at: Over,
    /// Elements outside of the buffer are left out
    pub edges: bool,
}

impl From<(BufferId, Use, Over)> for Side {
    fn from((buffer, does, at): (BufferId, Use, Over)) -> Side {
        Side { buffer, does, at, edges: false }
    }
}

/// Where a value goes
struct Place {
    buffer: BufferId,
    at: Over,
    /// It may be outside of the buffer, and is dropped then
    beyond: bool,
}

/// Does a condition leave out what is behind the end of a result, where its places are this?
fn is_end(bound: &AffineExpr, expr: &AffineExpr, size: i64) -> bool {
    let end = AffineExpr::sub((size - 1).into(), expr.clone()).as_linear();
    end.is_some() && bound.as_linear() == end
}

fn given(memory: Memory) -> Buffer {
    let Memory { shape, bytes, space } = memory;
    Buffer { space, named: None, shape, bytes, made: None, part: None }
}

pub(super) fn identity(rank: usize) -> Over {
    Over { map: AffineMap::identity(rank as u32), over: Vec::new() }
}

/// Indices that begin further along a dimension of the domain
fn shifted(at: &Over, dim: usize, start: i64) -> Over {
    let dims: Vec<AffineExpr> = (0..at.map.dims)
        .map(|n| match n as usize == dim {
            true => AffineExpr::add(AffineExpr::Dim(n), start.into()),
            false => AffineExpr::Dim(n),
        })
        .collect();
    let results: Option<Vec<AffineExpr>> =
        at.map.results.iter().map(|expr| expr.replace(&dims, &[])).collect();
    let map = results.and_then(|results| AffineMap::new(at.map.dims, 0, results));
    Over { map: map.unwrap_or_else(|| at.map.clone()), over: at.over.clone() }
}
