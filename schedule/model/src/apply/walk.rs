//! The nest that a schedule makes of a computation: kernels, loops, buffers and accesses.
//!
//! Writes, start values and neutral elements need to know what becomes of values ([`Contributions`]); without that they are left out.

use super::footprint::Footprint;
use super::geometry::{Done, Form, Geometry, Over};
use super::loops::{Item, Loop as PlanLoop, Plan};
use super::pieces::Piece;
use super::plan::plan;
use super::results::Side;
use super::state::{Event, Happenings, Results, State, Walk};
use super::{order, tiles};
use crate::broken::Broken;
use crate::computation::{Computation, Contributions, DimKind, Input, Memory};
use crate::nest::{
    Access, Around, Bound, Buffer, BufferId, Combine, Index, Loop, LoopId, Made, Nest, Opaque, Open, Use,
};
use crate::nest_combine::Combination;
use crate::schedule::Schedule;
use crate::values::{Part, Placement};
use std::rc::Rc;
use std::sync::Arc;
use terrace_devices::{Level, Region};
use terrace_support::affine::AffineMap;

/// What is known next to a schedule
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Extras {
    /// It is for a device with a grid, whatever its layers
    pub grid: bool,
    /// Threads of a warp of the device
    pub warp: Option<i64>,
    /// Dimensions that are unrolled only where that decides a condition
    pub rolled: Vec<usize>,
    /// Dimensions that points visit only where they hit
    pub picks: Vec<usize>,
}

/// Apply a schedule; the error names the rule that it breaks. Left out is what becomes of values
pub fn apply(c: &Computation, schedule: &Schedule, extras: &Extras) -> Result<Nest, Broken> {
    Ok(walk(c, None, schedule, extras)?.0)
}

/// Apply a schedule, with writes and with what happens besides accesses
pub fn apply_with(
    c: &Computation,
    contributions: &Contributions,
    schedule: &Schedule,
    extras: &Extras,
) -> Result<(Nest, Happenings), Broken> {
    walk(c, Some(contributions), schedule, extras)
}

fn walk(
    c: &Computation,
    contributions: Option<&Contributions>,
    schedule: &Schedule,
    extras: &Extras,
) -> Result<(Nest, Happenings), Broken> {
    let mut plan = plan(c, schedule, extras.grid)?;
    if c.in_order {
        order::check(&plan, c, schedule)?;
    }
    if !extras.picks.is_empty() {
        plan.pick(c, &extras.picks)?;
    }
    if c.dims.iter().any(|dim| dim.size == 0) {
        return Ok(Default::default());
    }
    let (rolled, picks) = (extras.rolled.clone(), extras.picks.clone());
    let geometry = Geometry { c, plan: &plan, rolled, picks };
    geometry.larger_tiles_outside()?;
    let mut walk = Walk {
        ssa: geometry.values_from(),
        warp: extras.warp,
        nest: Nest::default(),
        arguments: vec![None; c.buffers.len()],
        place: 0,
        geometry: &geometry,
        results: contributions.map(|of| Results::of(of, c.outputs.len())),
    };
    if let Some(of) = contributions {
        of.operators.iter().for_each(|operator| {
            walk.nest.operators.push(operator.clone());
        });
    }
    for _ in &c.extents {
        walk.nest.opaque.push(Opaque { constant: None, around: Around::default(), computed: None });
    }
    let mut state = State {
        pos: geometry.outside(),
        around: Around::default(),
        tiles: vec![None; c.groups.len()],
        sinks: walk.sinks()?,
        valued: false,
        carried: false,
        merged: false,
    };
    if plan.kernel && plan.launch == 0 {
        walk.launch(&mut state)?;
    }
    walk.items(0, state.clone())?;
    walk.reflect(state)?;
    Ok(walk.finish())
}

impl Walk<'_> {
    /// What is inside of the loops so far, from an item on
    pub(super) fn items(&mut self, n: usize, mut state: State) -> Done<()> {
        let plan = self.geometry.plan;
        if plan.kernel && n == plan.launch && n > 0 {
            self.launch(&mut state)?;
        }
        if self.results.is_some() && n >= self.ssa && !state.valued {
            return self.contribute(n, state);
        }
        let Some(item) = plan.items.get(n) else { return self.point(state) };
        match item {
            Item::Owner(layer) => self.owner(n, *layer, state),
            Item::Guard(bound) if self.geometry.passes(n, &state.pos, bound) => self.items(n + 1, state),
            Item::Guard(bound) => {
                let limit = self.geometry.open(&state.pos, bound)?;
                self.guard(n, limit, &mut state);
                state.pos.taken.push(bound.clone());
                self.items(n + 1, state)
            }
            Item::Loop(one) if self.is_whole_prefix(n, one, &state) => {
                let sizes = &state.pos.sizes[one.dim];
                let header = (sizes[one.layer - 1], sizes[one.layer]);
                if Plan::trip(sizes, one.layer) != 1 {
                    let form = self.geometry.form(one, header);
                    let form = self.geometry.bounded(n, one, form, &mut state.pos)?;
                    self.geometry.behind_prefixes(n, &state.pos)?;
                    self.enter(one, header, Form { stages: None, ..form }, &mut state);
                }
                self.items(n + 1, state)
            }
            Item::Loop(one) => {
                // Each piece has a place of its own: the one outside is not needed any more.
                let pieces = self.geometry.pieces(n, one, std::mem::take(&mut state.pos))?;
                if state.valued && !state.carried && pieces.len() > 1 {
                    self.happens(Event::Joined(self.values() * (pieces.len() as u32 - 1)), &state);
                }
                let mut pieces = pieces.into_iter();
                let last = pieces.next_back();
                pieces.try_for_each(|piece| self.piece(n, one, piece, state.clone()))?;
                last.map_or(Ok(()), |piece| self.piece(n, one, piece, state))
            }
        }
    }

    /// Is it a loop over prefixes whose inside is values only, or that runs once?
    fn is_whole_prefix(&self, n: usize, one: &PlanLoop, state: &State) -> bool {
        let sizes = &state.pos.sizes[one.dim];
        let values = n >= self.ssa.saturating_sub(1);
        self.geometry.c.dims[one.dim].kind == DimKind::Prefixes
            && (Plan::trip(sizes, one.layer) == 1 || values && Geometry::inexact(sizes).is_none())
    }

    /// One of the loops that a loop becomes
    fn piece(&mut self, n: usize, one: &PlanLoop, mut piece: Piece, mut state: State) -> Done<()> {
        if let Some(guard) = piece.guard.take() {
            self.guard(n, guard, &mut state);
        }
        let once = piece.once();
        let Piece { mut pos, header, limit, .. } = piece;
        if !once {
            let form = Form { limit, ..self.geometry.form(one, header) };
            let form = self.geometry.bounded(n, one, form, &mut pos)?;
            state.pos = pos;
            self.enter(one, header, form, &mut state);
        } else {
            state.pos = pos;
        }
        self.items(n + 1, state)
    }

    fn enter(&mut self, one: &PlanLoop, header: (i64, i64), form: Form, state: &mut State) {
        let id = self.push_loop(form, state);
        self.geometry.enter(one, header, Index::Loop(id), &mut state.pos);
        self.yields(state);
    }

    /// A condition: a loop that runs once or not at all
    fn guard(&mut self, n: usize, limit: Over, state: &mut State) {
        let kind = if state.valued { Combination::Pw } else { Combination::Cc };
        let form = Form { limit: Some(limit), step: self.geometry.step(n), kind, ..Form::once() };
        self.push_loop(form, state);
        self.yields(state);
    }

    /// Inside of a loop that gives values
    fn yields(&mut self, state: &mut State) {
        if state.valued {
            state.merged = true;
            self.happens(Event::Yielded(self.values()), state);
        }
    }

    pub(super) fn push_loop(&mut self, form: Form, state: &mut State) -> LoopId {
        let bound = |over: Over| Bound { map: over.map, over: over.over };
        let merges = form.kind != Combination::Cc;
        let operators = if merges { self.nest.operators.ids().collect() } else { Vec::new() };
        let own = Loop {
            around: state.around,
            end: self.nest.loops.len() as u32 + 1,
            dim: form.dim.map(|dim| dim as i64),
            extent: Open::Is(form.extent),
            tile: Open::Is(form.tile),
            level: Open::Is(form.level),
            merged: Open::Is(false),
            combine: Combine {
                kind: form.kind,
                order: form.order,
                mechanism: form.mechanism,
                results: if merges && state.valued { operators.len() } else { 0 },
                operators,
            },
            from: form.from.map(bound),
            limit: form.limit.map(bound),
            tail: form.tail,
            stages: form.stages,
            nowait: false,
            step: form.step,
        };
        let id = self.nest.loops.push(own);
        state.around.inside = Some(id);
        id
    }

    fn launch(&mut self, state: &mut State) -> Done<()> {
        let launch = self.geometry.launch(self.warp)?;
        state.around.launch = Some(self.nest.launches.push(launch));
        Ok(())
    }

    /// Buffers of a step, and what is inside of them
    fn owner(&mut self, n: usize, layer: usize, mut state: State) -> Done<()> {
        let geometry = self.geometry;
        for (group, place) in geometry.plan.steps[layer - 1].ins.iter().enumerate() {
            let Some(place) = place else { continue };
            let buffer = geometry.c.groups[group];
            let of = geometry.input_tile(n, layer, &state.pos, group, place)?;
            let id = self.alloc(layer, place, &of, geometry.c.buffers[buffer].bytes, &state);
            let (source, from) = match &state.tiles[group] {
                Some((around, outer)) => {
                    let from = geometry.base_in(&of, outer, &state.pos);
                    (*around, from.map_err(|why| tiles::stated(why, place, layer))?)
                }
                None => (self.argument(buffer), geometry.base(&of, &state.pos)?),
            };
            // Panels may be longer than what they hold.
            let panels = place.layout.iter().any(|part| matches!(part, Part::Div(..)));
            let edges = state.tiles[group].is_some() || panels || !self.group_fits(group, &state);
            let from = Side { buffer: source, does: Use::Read, at: from, edges };
            self.copy_tile(n, (id, &of), Some(from), state.around);
            state.tiles[group] = Some((id, Rc::new(of)));
        }
        let owned = geometry.owned_results(layer).next().filter(|_| n < self.ssa);
        if owned.is_none() {
            return self.items(n + 1, state);
        }
        let (mut inner, mut made) = (state.clone(), Vec::new());
        for (out, place) in geometry.owned_results(layer) {
            let of = Rc::new(geometry.result_tile(n, layer, &state.pos, out, place)?);
            let id = self.alloc(layer, place, &of, geometry.c.results[out].bytes, &state);
            inner.sinks[out] = self.fill_result(n, out, (id, of.clone()), &state)?;
            made.push((out, (id, of)));
        }
        self.items(n + 1, inner)?;
        made.into_iter().try_for_each(|(out, tile)| self.write_back(n, out, &tile, &state))
    }

    /// Are all reads of a group inside of their buffer?
    fn group_fits(&self, group: usize, state: &State) -> bool {
        let geometry = self.geometry;
        let shape = &geometry.c.buffers[geometry.c.groups[group]].shape;
        let mut reads = geometry.c.inputs.iter().filter(|input| input.group == group);
        reads.all(|input| {
            let map = input.map.as_ref();
            map.is_some_and(|map| geometry.fits(&state.pos, &map.results, shape, true))
        })
    }

    fn alloc(
        &mut self,
        layer: usize,
        place: &Placement,
        of: &Footprint,
        bytes: i64,
        state: &State,
    ) -> BufferId {
        let named = matches!(place.region, Region::Cache(_) | Region::Reg)
            .then(|| Arc::from(place.region.word().to_ascii_lowercase()));
        let label = self.geometry.plan.steps[layer - 1].label;
        let made = Made {
            around: state.around,
            per: of.per(),
            place: self.next_place(),
            there: Open::Is(true),
            step: Some((layer as i64, label as i64)),
        };
        self.nest.buffers.push(Buffer {
            space: place.region.space(),
            named,
            shape: of.shape.clone(),
            bytes,
            made: Some(made),
            part: None,
        })
    }

    /// The caller's buffer
    pub(super) fn argument(&mut self, buffer: usize) -> BufferId {
        let Memory { shape, bytes, space } = self.geometry.c.buffers[buffer].clone();
        let nest = &mut self.nest;
        *self.arguments[buffer].get_or_insert_with(|| {
            nest.buffers.push(Buffer { space, named: None, shape, bytes, made: None, part: None })
        })
    }

    /// What a point reads
    fn point(&mut self, mut state: State) -> Done<()> {
        let geometry = self.geometry;
        for dim in &geometry.picks {
            let index = Index::Opaque(self.nest.opaque.push(Opaque {
                constant: None,
                around: state.around,
                computed: None,
            }));
            let (extent, layer) = (geometry.c.dims[*dim].size, geometry.plan.steps.len());
            let iv = super::geometry::Iv { index, layer, level: Level::Seq, extent, tile: 1 };
            state.pos.ivs[*dim].push(iv);
        }
        for input in &geometry.c.inputs {
            let Some(AffineMap { results, .. }) = &input.map else { continue };
            let (memory, at) = match &state.tiles[input.group] {
                Some((id, of)) => (*id, geometry.inside_tile(of, results, &state.pos)?),
                None => (self.argument(input.buffer), geometry.access(&state.pos, results)?),
            };
            let guarded =
                state.tiles[input.group].is_none() && (input.replaced || self.reads_beyond(input, &state));
            let place = self.next_place();
            let access = Access { guarded, ..self.access(memory, at, &state, place) };
            self.nest.accesses.push(access);
        }
        self.body(&state);
        Ok(())
    }

    /// Do whole tiles read beyond the end of the buffer?
    fn reads_beyond(&self, input: &Input, state: &State) -> bool {
        let (geometry, Some(map)) = (self.geometry, &input.map) else { return false };
        let shape = &geometry.c.buffers[input.buffer].shape;
        (0..geometry.c.dims.len()).any(|dim| geometry.padded(dim))
            && !geometry.fits(&state.pos, &map.results, shape, false)
    }

    pub(super) fn access(&self, buffer: BufferId, at: Over, state: &State, place: u32) -> Access {
        Access {
            buffer,
            does: Use::Read,
            map: at.map,
            over: at.over,
            domain: Vec::new(),
            guarded: false,
            copy: false,
            per: None,
            together: false,
            around: state.around,
            place,
        }
    }

    pub(super) fn next_place(&mut self) -> u32 {
        self.place += 1;
        self.place
    }

    /// With the end of each loop
    fn finish(mut self) -> (Nest, Happenings) {
        let inner_first: Vec<LoopId> = self.nest.loops.ids().rev().collect();
        for id in inner_first {
            let end = self.nest.loops[id].end;
            if let Some(parent) = self.nest.parent(id) {
                let outer = &mut self.nest.loops[parent].end;
                *outer = end.max(*outer);
            }
        }
        (self.nest, self.results.map(|results| results.happenings).unwrap_or_default())
    }
}
