//! Tuples along a reduced dimension whose coordinates are lanes: each lane carries its own, and halves of them are joined.
//!
//! Lane `l` of `L` takes the coordinates `l`, `l + L`, `l + 2·L`, …, so that reads are contiguous; operators commute. Copies of
//! the body (`UNR` outside of the lanes) carry a tuple each. What is left behind the last whole vector is less than `L` elements:
//! each power of two of them is joined where the tree has so many lanes left.

use crate::nest::{Done, Nest, State};
use crate::scalar::Combine;
use crate::tile::space;
use terrace_devices::{Level, Region};
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{self as sched, Bound, LoopSpec, Read, Write, Yield};
use terrace_ir::{TypeKind, Value};
use terrace_schedule_model::apply::{Item, Loop};
use terrace_schedule_model::broken::Rule;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Most copies of a body that carry tuples of their own
const MOST_COPIES: i64 = 16;

/// Loops over one reduced dimension, the innermost at lanes
pub(crate) struct LaneLoops {
    /// The loop of the lanes
    lanes: Loop,
    /// Number of lanes
    width: i64,
    /// Coordinates that the loops run over
    extent: i64,
    /// Copies of the body
    copies: i64,
    /// Number of the item behind the loops
    item: usize,
}

impl Nest<'_> {
    /// May lanes carry tuples along reduced dimensions?
    pub(crate) fn lanes_may_carry(&self) -> bool {
        matches!(self.yields.combine, Combine::Joint(_))
            && self.yields.commutes
            && self.yields.identity.iter().all(Option::is_some)
            && !self.geometry.c.in_order
    }

    /// The loops from here on, if they are over one reduced dimension with lanes inside
    pub(crate) fn lane_loops(&self, n: usize, st: &State) -> Done<Option<LaneLoops>> {
        let items = &self.plan.items[n..];
        let loops: Vec<&Loop> = items
            .iter()
            .filter_map(|item| match item {
                Item::Loop(one) if self.plan.is_loop(one) => Some(one),
                _ => None,
            })
            .collect();
        let Some(lanes) = loops.last().filter(|last| last.level == Level::Vector) else { return Ok(None) };
        let (dim, kind) = (lanes.dim, &self.view.dims[lanes.dim].kind);
        if kind.kept() || loops.iter().any(|one| one.dim != dim) || !self.lanes_may_carry() {
            return Ok(None);
        }
        let at = format!("dimension {} in step {}", dim + 1, lanes.layer);
        let plain = items.iter().enumerate().all(|(m, item)| match item {
            Item::Loop(_) => true,
            Item::Owner(_) => false,
            Item::Guard(bound) => self.passes(n + m, st, bound),
        });
        let sizes = &st.pos.sizes[dim];
        let width = self.plan.sizes[dim][lanes.layer - 1];
        let extent = sizes[loops[0].layer - 1];
        if !plain || !self.in_whole_parts(loops[0], st) || sizes[lanes.layer] != 1 || width.count_ones() != 1
        {
            return Err(Rule::Reduce.broken(format!(
                "{at} gives each of {width} lanes a tuple of its own; lanes are a power of two of single coordinates, all loops \
                 of the dimension stand right outside of them, and nothing else does"
            )));
        }
        // What is left behind whole parts may be less than a vector.
        let width = if extent < width { 1 << extent.max(1).ilog2() } else { width };
        let unrolled = loops.iter().find(|one| one.level == Level::Unroll);
        let copies = unrolled.map_or(1, |one| sizes[one.layer - 1] / width).clamp(1, MOST_COPIES);
        Ok(Some(LaneLoops { lanes: (*lanes).clone(), width, extent, copies, item: n + items.len() }))
    }

    /// All contributions along the loops, joined
    pub(crate) fn joined(&mut self, loops: &LaneLoops, st: &State) -> Done<Vec<Value>> {
        let dim = loops.lanes.dim;
        let extent = loops.extent;
        if extent == 1 {
            return self.contribution(st);
        }
        let rest = extent % loops.width;
        let mut lanes = loops.width;
        let buffers = self.lane_buffers(loops, st);
        self.each_lane(loops, lanes, st, |nest, own, lane| {
            let values = nest.whole_vectors(loops, own)?;
            nest.keep(&buffers, own, lane, &values)
        })?;
        let mut behind = extent - rest;
        while lanes > 1 {
            lanes /= 2;
            let more = (rest & lanes != 0).then_some(behind);
            behind += rest & lanes;
            if lanes == 1 {
                return self.halves(&buffers, (st, lanes), None, (dim, more));
            }
            self.each_lane(loops, lanes, st, |nest, own, lane| {
                let values = nest.halves(&buffers, (own, lanes), Some(lane), (dim, more))?;
                nest.keep(&buffers, own, lane, &values)
            })?;
        }
        Err("lanes of one".into())
    }

    /// A loop over lanes; the body is given the state inside of it and its variable
    fn each_lane(
        &mut self,
        loops: &LaneLoops,
        lanes: i64,
        st: &State,
        body: impl FnOnce(&mut Self, &State, Value) -> Done<()>,
    ) -> Done<()> {
        let step = self.geometry.step(loops.item - 1);
        let spec = LoopSpec { extent: lanes, tile: 1, level: Level::Vector, step, ..Default::default() };
        let inner = spec.build(&mut self.b(st.at));
        let inside = self.enter(inner, &loops.lanes, (lanes, 1), st.clone());
        let block = self.ir.entry(inner.body(self.ir)).ok_or("a loop without a block")?;
        let lane = self.ir.block_args(block)[0];
        body(self, &inside, lane)
    }

    /// What a lane carries along all whole vectors: the first ones begin, with nothing to be joined to
    fn whole_vectors(&mut self, loops: &LaneLoops, st: &State) -> Done<Vec<Value>> {
        let (dim, width) = (loops.lanes.dim, loops.width);
        let vectors = loops.extent / width;
        let (rounds, copies) = (vectors / loops.copies, loops.copies.min(vectors));
        let (values, types) = (self.yields.types.len(), self.yields.types.clone());
        let mut so_far = self.first_round(&mut st.clone(), (dim, width), copies)?;
        // A loop without iterations says that one round is all of the tile.
        if rounds > 0 {
            let tile = copies * width;
            let spec = LoopSpec {
                extent: rounds * tile,
                tile,
                from: Some(Bound { map: AffineMap::constant(tile), values: Vec::new() }),
                kind: sched::Combination::Ordered,
                inits: so_far.concat(),
                results: std::iter::repeat_n(types, copies as usize).flatten().collect(),
                step: self.geometry.step(loops.item - 1),
                ..Default::default()
            };
            let inner = spec.build(&mut self.b(st.at));
            let one = Loop { level: Level::Seq, ..loops.lanes.clone() };
            let mut inside = self.enter(inner, &one, (rounds * tile, tile), st.clone());
            let block = self.ir.entry(inner.body(self.ir)).ok_or("a loop without a block")?;
            let args = self.ir.block_args(block)[1..].to_vec();
            let before: Vec<Vec<Value>> = args.chunks(values).map(<[Value]>::to_vec).collect();
            let after = self.one_round(&mut inside, (dim, 0, width), before)?;
            Yield::build(&mut self.b(inside.at), &after.concat());
            let results: Vec<Value> = self.ir.results(inner.id()).collect();
            so_far = results.chunks(values).map(<[Value]>::to_vec).collect();
        }
        let (more, start) = ((vectors % loops.copies) as usize, rounds * loops.copies * width);
        if rounds > 0 && more > 0 {
            let last = self.one_round(&mut st.clone(), (dim, start, width), so_far[..more].to_vec())?;
            so_far.splice(..more, last);
        }
        let yields = self.yields;
        while so_far.len() > 1 {
            let half = so_far.len().div_ceil(2);
            let second = so_far.split_off(half);
            for (one, other) in so_far.iter_mut().zip(second) {
                *one = yields.apply(&mut self.b(st.at), one, &other);
            }
        }
        so_far.pop().ok_or_else(|| "a tuple without values".into())
    }

    /// What the first vectors contribute, one for each copy
    fn first_round(
        &mut self,
        st: &mut State,
        (dim, width): (usize, i64),
        copies: i64,
    ) -> Done<Vec<Vec<Value>>> {
        let begin = st.pos.offsets[dim];
        let mut first = Vec::with_capacity(copies as usize);
        for n in 0..copies {
            st.pos.offsets[dim] = begin + n * width;
            first.push(self.contribution(st)?);
        }
        Ok(first)
    }

    /// Each tuple with the contribution of one vector more, of those that begin at a coordinate
    fn one_round(
        &mut self,
        st: &mut State,
        (dim, start, width): (usize, i64, i64),
        so_far: Vec<Vec<Value>>,
    ) -> Done<Vec<Vec<Value>>> {
        let begin = st.pos.offsets[dim] + start;
        let mut after = Vec::with_capacity(so_far.len());
        for (n, before) in so_far.iter().enumerate() {
            st.pos.offsets[dim] = begin + n as i64 * width;
            let values = self.contribution(st)?;
            let yields = self.yields;
            after.push(yields.apply(&mut self.b(st.at), before, &values));
        }
        Ok(after)
    }

    /// One buffer for each component, with an element for each lane
    fn lane_buffers(&mut self, loops: &LaneLoops, st: &State) -> Vec<Value> {
        let types = self.yields.types.clone();
        let step = self.ir.cx().i64_array(&[loops.lanes.layer as i64, loops.lanes.label as i64]);
        let buffer = |elem| {
            let cx = self.ir.cx();
            let space = space(cx, if self.plan.kernel { Region::Rm } else { Region::Reg });
            let shape = [loops.width][..].into();
            let ty = cx.ty(TypeKind::MemRef { shape, elem, layout: None, space });
            let alloc = sched::Alloc::build(&mut self.b(st.at), ty);
            alloc.set_step(self.ir, Some(step));
            alloc.memref(self.ir)
        };
        types.into_iter().map(buffer).collect()
    }

    /// A tuple into its lane's place
    fn keep(&mut self, buffers: &[Value], st: &State, lane: Value, values: &[Value]) -> Done<()> {
        for (memref, value) in buffers.iter().zip(values) {
            Write::make(&mut self.b(st.at), *value, *memref, &place(Some(lane), 0), None);
        }
        Ok(())
    }

    /// A lane's tuple, the one so many lanes behind it, and what its element from some coordinate on contributes
    fn halves(
        &mut self,
        buffers: &[Value],
        (st, apart): (&State, i64),
        lane: Option<Value>,
        (dim, more): (usize, Option<i64>),
    ) -> Done<Vec<Value>> {
        let mut read = |at: i64| -> Vec<Value> {
            let one = |memref: &Value| {
                let mut b = self.b(st.at);
                let read = Read::make(&mut b, *memref, &place(lane, at), None).id();
                b.read().result(read, 0)
            };
            buffers.iter().map(one).collect()
        };
        let (first, second) = (read(0), read(apart));
        let yields = self.yields;
        let both = yields.apply(&mut self.b(st.at), &first, &second);
        let Some(start) = more else { return Ok(both) };
        let mut own = st.clone();
        own.pos.offsets[dim] += start;
        let last = self.contribution(&own)?;
        Ok(yields.apply(&mut self.b(st.at), &both, &last))
    }
}

/// An element of a lane's buffer: so many behind the lane's own
fn place(lane: Option<Value>, behind: i64) -> Access {
    let number = AffineExpr::Constant(behind);
    let expr = if lane.is_some() { AffineExpr::add(AffineExpr::Dim(0), number) } else { number };
    let values: Vec<Value> = lane.into_iter().collect();
    let map =
        AffineMap::new(values.len() as u32, 0, vec![expr]).unwrap_or_else(|| AffineMap::constant(behind));
    Access { map, values }
}
