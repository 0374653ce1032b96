//! The loops of a computation, with what is read, combined and written.
//!
//! The innermost loops over reduced dimensions give values (`pw` loops with results); where other loops stand inside of a
//! reduced one, contributions are combined in memory. Conditions on points are loops of one iteration with a limit: they
//! run or they do not.

use crate::scalar::{self, Combine, Yields};
use crate::tails::Piece;
use crate::tile::Tile;
use terrace_analysis::Range;
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::scatter::Scatter;
use terrace_dialect_mdh::schedule::{SUBGROUP, Tail};
use terrace_dialect_mdh::taps::ROLLED;
use terrace_dialect_mdh::view::{Kind, Order, View};
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{self as sched, Bound, Level, LoopSpec, Yield};
use terrace_ir::{BlockId, Builder, InsertPoint, Ir, Loc, Name, OpId, Value};
use terrace_schedule_model::apply::pieces::{Cut, cut};
use terrace_schedule_model::apply::{Item, Loop, Plan};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A computation whose operands have become buffers
pub struct Nest<'a> {
    /// The function
    pub ir: &'a mut Ir,
    /// The computation
    pub view: &'a View,
    /// Its loops
    pub plan: &'a Plan,
    /// What its body yields
    pub yields: &'a Yields,
    /// Block of its body
    pub body: BlockId,
    /// Per input: the buffer or the scalar
    pub inputs: Vec<Value>,
    /// Per output: the destination
    pub dests: Vec<Value>,
    /// Per output: the buffer of start values
    pub starts: Vec<Option<Value>>,
    /// Location of the computation
    pub loc: Loc,
    /// Distinct input buffers in order of first access, as values of the computation
    pub buffers: Vec<Value>,
    /// Dimensions that are unrolled only where that decides a condition
    pub(crate) rolled: Vec<i64>,
    /// Threads of a warp on the device that the schedule is for
    device_warp: Option<i64>,
    /// Dimensions that points visit only where they hit
    pub(crate) scatter: Option<Scatter>,
    /// First of the items that give values
    pub(crate) ssa: usize,
    /// It is one left fold, and the plan fits that
    pub(crate) in_order: bool,
}

/// A placed loop's variable
#[derive(Clone, Debug)]
pub(crate) struct Iv {
    pub value: Value,
    pub layer: usize,
    pub level: Level,
    pub extent: i64,
    pub tile: i64,
}

impl Iv {
    /// Its values
    pub fn range(&self) -> Range {
        let last = (self.extent - 1).max(0) / self.tile.max(1) * self.tile.max(1);
        Range::stepped(0, last, self.tile.max(1)).unwrap_or(Range::one(0))
    }
}

/// Where an output's contributions go
#[derive(Clone, Debug)]
pub(crate) struct Sink {
    /// A tile, or the destination itself
    pub tile: Option<Tile>,
    /// Contributions meet there
    pub combine: bool,
    /// Start values are combined in front of what is written, straight from where they are
    pub direct: bool,
}

/// Where generation stands
#[derive(Clone)]
pub(crate) struct State {
    pub at: InsertPoint,
    /// Per dimension: where it starts, and the variables whose sum it is
    pub offsets: Vec<i64>,
    pub ivs: Vec<Vec<Iv>>,
    /// Per dimension: sizes by layer
    pub sizes: Vec<Vec<i64>>,
    /// Per dimension: where it is cut into pieces
    pub cuts: Vec<Option<Cut>>,
    /// Per dimension: the loop that is cut stands outside
    pub passed: Vec<bool>,
    /// Per dimension: it has been split where its conditions begin and end to hold
    pub split: Vec<bool>,
    /// Per dimension: first and last coordinate that can be reached
    pub reach: Vec<(i64, i64)>,
    /// Per dimension: its loops do not form one chain any more and say nothing of it
    pub unnamed: Vec<bool>,
    /// Per input buffer: the innermost tile
    pub tiles: Vec<Option<Tile>>,
    /// Per output
    pub sinks: Vec<Sink>,
    /// Conditions that hold here: guards and bounds of loops around
    pub taken: Vec<AffineExpr>,
}

pub(crate) type Done<T> = Result<T, String>;

/// Threads of a warp where nothing is said
const WARP: i64 = 32;

/// Threads of the widest warp of any device
const MOST_LANES: i64 = 128;

impl<'a> Nest<'a> {
    /// Of a computation
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        ir: &'a mut Ir,
        view: &'a View,
        plan: &'a Plan,
        yields: &'a Yields,
        op: mdh::Compute,
        inputs: Vec<Value>,
        dests: Vec<Value>,
        starts: Vec<Option<Value>>,
        scatter: Option<Scatter>,
    ) -> Done<Nest<'a>> {
        let body = ir.entry(op.body(ir)).ok_or("the computation has no body")?;
        let loc = ir.loc(op.id());
        let buffers = view.buffers();
        // What goes to places that only values name meets in memory.
        let ssa = if scatter.is_some() { plan.items.len() } else { ssa_from(view, plan) };
        let rolled = ir.discardable(op.id(), ROLLED).and_then(|attr| attr.as_dense_array(ir.cx()));
        let rolled = rolled.map(<[i64]>::to_vec).unwrap_or_default();
        let device_warp = ir.discardable(op.id(), SUBGROUP).and_then(|attr| attr.as_i64(ir.cx()));
        let in_order = view.in_order(ir, op);
        let mut nest = Nest {
            in_order,
            rolled,
            device_warp: device_warp.filter(|warp| (1..=MOST_LANES).contains(warp)),
            ir,
            view,
            plan,
            yields,
            body,
            inputs,
            dests,
            starts,
            loc,
            buffers,
            scatter,
            ssa,
        };
        // Sums of inner loops alone would be sums of parts: contributions go to memory one by one.
        if in_order && nest.reduces_before(ssa) {
            nest.ssa = plan.items.len();
        }
        Ok(nest)
    }

    pub(crate) fn b(&mut self, at: InsertPoint) -> Builder<'_> {
        let loc = self.loc;
        let mut b = match at {
            InsertPoint::Before(op) => Builder::before(self.ir, op),
            InsertPoint::End(block) => Builder::at_end(self.ir, block),
        };
        b.set_loc(loc);
        b
    }

    /// Generate everything before an op
    pub fn generate(&mut self, before: OpId) -> Done<()> {
        let dims = self.view.dims.len();
        let mut at = InsertPoint::Before(before);
        if self.view.dims.iter().any(|dim| dim.size == 0) {
            // There are no points: what is filled is all.
            let sink = Sink { tile: None, combine: true, direct: false };
            return self.fill(at, &vec![sink; self.view.outputs.len()]);
        }
        let sinks: Vec<Sink> = (0..self.view.outputs.len())
            .map(|out| {
                let start = self.starts[out].is_some();
                let direct = start && self.covers(out) && !self.merges(0, out) && !self.guarded(out);
                Sink { tile: None, combine: self.merges(0, out) || start && !direct, direct }
            })
            .collect();
        self.threads_meet()?;
        self.fill(at, &sinks)?;
        if self.plan.kernel && self.plan.launch == 0 {
            at = self.kernel(at)?;
        }
        let sizes = self.plan.sizes.clone();
        let cuts: Vec<Option<Cut>> =
            sizes.iter().zip(&self.plan.tails).map(|(sizes, tails)| cut(sizes, tails)).collect();
        for dim in (0..dims).filter(|dim| self.tail(*dim) == Some(Tail::Peel)) {
            let layers: Vec<usize> = self
                .plan
                .items
                .iter()
                .filter_map(|item| match item {
                    Item::Loop(one) if one.dim == dim && self.plan.is_loop(one) => Some(one.layer),
                    _ => None,
                })
                .collect();
            if !layers.is_sorted() {
                return Err(format!(
                    "S-DIV: `~peel` of dimension {} needs its larger tiles outside",
                    dim + 1
                ));
            }
        }
        let unnamed =
            (0..dims).map(|dim| self.tail(dim) == Some(Tail::Peel) && cuts[dim].is_none()).collect();
        let st = State {
            at,
            offsets: vec![0; dims],
            ivs: vec![Vec::new(); dims],
            sizes,
            cuts,
            passed: vec![false; dims],
            split: vec![false; dims],
            reach: self.view.dims.iter().map(|dim| (0, dim.size - 1)).collect(),
            unnamed,
            tiles: vec![None; self.buffers.len()],
            sinks,
            taken: Vec::new(),
        };
        self.nest(0, st)
    }

    /// The launch around levels of a grid
    fn kernel(&mut self, at: InsertPoint) -> Done<InsertPoint> {
        let (mut grid, mut block) = ([1; 3], [1; 3]);
        let (mut warps, mut lanes) = ([1; 3], [1; 3]);
        for item in &self.plan.items {
            let Item::Loop(one) = item else { continue };
            let trip = Plan::trip(&self.plan.sizes[one.dim], one.layer).max(1);
            let (sizes, axis) = match one.level {
                Level::Block(axis) => (&mut grid, axis),
                Level::Thread(axis) => (&mut block, axis),
                Level::Warp(axis) => (&mut warps, axis),
                Level::Lane(axis) => (&mut lanes, axis),
                _ => continue,
            };
            sizes[axis as usize] = trip.max(sizes[axis as usize]);
        }
        let spread = self.plan.items.iter().any(
            |item| matches!(item, Item::Loop(one) if matches!(one.level, Level::Warp(_) | Level::Lane(_))),
        );
        let mut subgroup = None;
        if spread {
            // Threads of the block by their numbers, a warp's one after the other.
            let own: i64 = lanes.iter().product();
            if own > MOST_LANES {
                return Err(format!("S-AXIS: {own} threads of a warp; the widest has {MOST_LANES}"));
            }
            let least = self.device_warp.unwrap_or(WARP);
            let width = own.unsigned_abs().next_power_of_two().max(least.unsigned_abs()) as i64;
            subgroup = Some(width).filter(|width| *width != WARP);
            block = [warps.iter().fold(width, |all, n| all.saturating_mul(*n)), 1, 1];
        }
        let name = self.view.name.clone().unwrap_or_else(|| "compute".into());
        let kernel = sched::Kernel::make(&mut self.b(at), &name, grid, block);
        let subgroup = subgroup.map(|width| self.ir.cx().int_attr(width.into(), self.ir.cx().common().i64));
        kernel.set_subgroup(self.ir, subgroup);
        let body = kernel.body(self.ir);
        let block = self.ir.entry(body).ok_or("a kernel without a block")?;
        Ok(InsertPoint::End(block))
    }

    /// Do contributions of several iterations meet in an output's buffer that stands before this item?
    pub(crate) fn merges(&self, from: usize, out: usize) -> bool {
        if self.scatter.is_some() {
            return true;
        }
        for item in &self.plan.items[from..self.ssa] {
            match item {
                Item::Loop(one) if !self.view.dims[one.dim].kind.kept() && self.plan.is_loop(one) => {
                    return true;
                }
                Item::Owner(layer) if self.plan.steps[layer - 1].outs[out].is_some() => return false,
                _ => {}
            }
        }
        false
    }

    /// Is every place of an output written, if every point happens?
    fn covers(&self, out: usize) -> bool {
        let kept = self.view.dims.iter().filter(|dim| dim.kind.kept());
        let points = kept.fold(1i64, |all, dim| all.saturating_mul(dim.size));
        let places = points.saturating_mul(self.view.outputs[out].maps.len() as i64);
        self.ir.ty(self.dests[out]).shape(self.ir.cx()).unwrap_or(&[]).iter().product::<i64>() == places
    }

    /// Does a condition stand outside of what gives values to an output, or fills a tile of it?
    pub(crate) fn guarded(&self, out: usize) -> bool {
        for item in &self.plan.items[..self.ssa] {
            match item {
                Item::Guard(_) => return true,
                Item::Owner(layer) if self.reduces() && self.plan.steps[layer - 1].outs[out].is_some() => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    pub(crate) fn reduces(&self) -> bool {
        !matches!(self.yields.combine, Combine::None)
    }

    /// Coordinates as sums of variables
    fn coords(&self, st: &State, dims: &mut Dims) -> Vec<AffineExpr> {
        (0..self.view.dims.len())
            .map(|dim| {
                let start = AffineExpr::Constant(st.offsets[dim]);
                st.ivs[dim].iter().fold(start, |sum, iv| AffineExpr::add(sum, dims.value(iv.value)))
            })
            .collect()
    }

    /// Index functions at the coordinates reached so far
    pub(crate) fn access(&self, st: &State, exprs: &[AffineExpr]) -> Done<Access> {
        let mut dims = Dims::default();
        let coords = self.coords(st, &mut dims);
        let results: Option<Vec<AffineExpr>> = exprs.iter().map(|expr| expr.replace(&coords, &[])).collect();
        let access = results.and_then(|results| compact(dims, results));
        access.ok_or_else(|| "an index function is too deep".into())
    }

    /// One expression as a bound
    pub(crate) fn bound(&self, st: &State, expr: &AffineExpr) -> Done<Bound> {
        let access = self.access(st, std::slice::from_ref(expr))?;
        Ok(Bound { map: access.map, values: access.values })
    }

    /// Items from here on, when none outside gives values
    pub(crate) fn nest(&mut self, n: usize, mut st: State) -> Done<()> {
        if self.plan.kernel && n == self.plan.launch && n > 0 {
            st.at = self.kernel(st.at)?;
        }
        if n >= self.ssa {
            let (st, values) = if self.scatter.is_some() { self.scattered(st)? } else { self.values(n, st)? };
            let values = self.seen(&st, values);
            return self.store(&st, &values);
        }
        match self.plan.items[n].clone() {
            Item::Owner(layer) => self.owner(n, layer, st),
            Item::Guard(bound) if self.passes(n, &st, &bound) => self.nest(n + 1, st),
            Item::Guard(bound) => {
                let (limit, step) = (Some(self.open(&st, &bound)?), self.step(n));
                let spec = LoopSpec { extent: 1, tile: 1, limit, step, ..Default::default() };
                let inner = spec.build(&mut self.b(st.at));
                let mut st = State { at: self.inside(inner), ..st };
                st.taken.push(bound);
                self.nest(n + 1, st)
            }
            Item::Loop(one) => {
                if let Kind::Ps(_) = self.view.dims[one.dim].kind {
                    return match Plan::trip(&st.sizes[one.dim], one.layer) {
                        1 => self.nest(n + 1, st),
                        _ if self.prefix_in_parts(n, &one, &st) => self.prefix_parts(n, &one, st),
                        _ => self.prefixes(n, &one, st),
                    };
                }
                for mut piece in self.pieces(n, &one, st)? {
                    if let Some(limit) = piece.guard.take() {
                        let step = self.step(n);
                        let spec =
                            LoopSpec { extent: 1, tile: 1, limit: Some(limit), step, ..Default::default() };
                        let inner = spec.build(&mut self.b(piece.st.at));
                        piece.st.at = self.inside(inner);
                    }
                    if piece.once() {
                        self.nest(n + 1, piece.st)?;
                        continue;
                    }
                    // Tuples are read, combined and written one component after the other.
                    let joint = matches!(self.yields.combine, Combine::Joint(_));
                    let reduced = joint && !self.view.dims[one.dim].kind.kept();
                    let (_, inside) = self.open_loop(n, &one, piece, |spec| {
                        if reduced {
                            spec.kind = sched::Kind::Ordered;
                            spec.ops = Vec::new();
                        }
                    })?;
                    self.nest(n + 1, inside)?;
                }
                Ok(())
            }
        }
    }

    /// Build the loop of a piece and step into it
    pub(crate) fn open_loop(
        &mut self,
        n: usize,
        one: &Loop,
        piece: Piece,
        change: impl FnOnce(&mut LoopSpec),
    ) -> Done<(sched::For, State)> {
        let Piece { st, header, limit, .. } = piece;
        let mut spec = LoopSpec { limit, ..self.spec(one, header) };
        if st.unnamed[one.dim] {
            spec.dim = None;
        }
        if spec.level == Level::Unroll && self.rolled.contains(&(one.dim as i64)) {
            // Copies that decide a condition are no loop any more.
            spec.level = Level::Seq;
        }
        let st = self.bounded(n, one, &mut spec, st)?;
        change(&mut spec);
        let inner = spec.build(&mut self.b(st.at));
        let stages = one.stages.map(|stages| self.ir.cx().int_attr(stages.into(), self.ir.cx().common().i64));
        inner.set_stages(self.ir, stages);
        let st = self.enter(inner, one, header, st);
        Ok((inner, st))
    }

    /// Layer and label of the last loop up to an item: what a condition behind it belongs to
    pub(crate) fn step(&self, n: usize) -> Option<(i64, i64)> {
        let last = self.plan.items[..=n].iter().rev().find_map(|item| match item {
            Item::Loop(one) => Some((one.layer as i64, one.label as i64)),
            _ => None,
        });
        last.filter(|_| self.plan.steps.len() > 1)
    }

    /// Is nothing to be done for a condition here: it holds, or has a place further in?
    pub(crate) fn passes(&self, n: usize, st: &State, bound: &AffineExpr) -> bool {
        let later = |item: &Item| match item {
            Item::Loop(one) => {
                bound.uses_dim(one.dim as u32) && Plan::trip(&st.sizes[one.dim], one.layer) > 1
            }
            _ => false,
        };
        st.taken.contains(bound) || self.always(st, bound) || self.plan.items[n + 1..].iter().any(later)
    }

    /// `0 < bound + 1`
    pub(crate) fn open(&self, st: &State, bound: &AffineExpr) -> Done<Bound> {
        self.bound(st, &AffineExpr::add(bound.clone(), 1.into()))
    }

    /// A loop as the plan says, without results
    fn spec(&self, one: &Loop, (extent, tile): (i64, i64)) -> LoopSpec {
        let kind = &self.view.dims[one.dim].kind;
        let (word, order) = match kind {
            Kind::Cc => (sched::Kind::Cc, Order::Fixed),
            Kind::Pw(_, order) => (sched::Kind::Pw, *order),
            Kind::Ps(_) => (sched::Kind::Ps, Order::Fixed),
        };
        LoopSpec {
            extent,
            tile,
            dim: Some(one.dim as i64),
            level: one.level,
            kind: word,
            ops: if word == sched::Kind::Cc { Vec::new() } else { self.yields.operators() },
            order: match order {
                Order::Source => sched::Order::Source,
                Order::Fixed => sched::Order::Fixed,
                Order::Free => sched::Order::Free,
            },
            via: if word == sched::Kind::Pw { one.via } else { sched::Mechanism::Auto },
            tail: match self.plan.peeled[one.dim] == Some(one.layer) {
                true => Some(sched::Tail::Peel),
                false => (self.padded(one.dim) && extent % tile.max(1) != 0).then_some(sched::Tail::Pad),
            },
            step: (self.plan.steps.len() > 1).then_some((one.layer as i64, one.label as i64)),
            ..Default::default()
        }
    }

    /// Conditions right inside of a loop over single coordinates become its bounds where they are of its variable alone
    fn bounded(&self, n: usize, one: &Loop, spec: &mut LoopSpec, mut st: State) -> Done<State> {
        if spec.tile != 1 || spec.level != sched::Level::Seq {
            return Ok(st);
        }
        for (at, item) in self.plan.items.iter().enumerate().skip(n + 1) {
            let Item::Guard(bound) = item else { break };
            if self.passes(at, &st, bound) {
                continue;
            }
            let factor = bound.as_linear().map_or(0, |linear| linear.dim(one.dim));
            // The bound with this loop's variable at 0: what has been placed so far.
            if factor == 1 && spec.from.is_none() {
                spec.from = Some(self.bound(&st, &AffineExpr::negated(bound.clone()))?);
            } else if factor == -1 && spec.limit.is_none() {
                spec.limit = Some(self.open(&st, bound)?);
            } else {
                continue;
            }
            st.taken.push(bound.clone());
        }
        Ok(st)
    }

    /// Where the body of a loop goes on
    pub(crate) fn inside(&self, op: sched::For) -> InsertPoint {
        let block = self.ir.entry(op.body(self.ir)).expect("just built with a block");
        match self.ir.last_op(block) {
            Some(end) => InsertPoint::Before(end),
            None => InsertPoint::End(block),
        }
    }

    /// Step into a loop; its variable is part of its dimension's coordinate
    fn enter(&mut self, op: sched::For, one: &Loop, (extent, tile): (i64, i64), mut st: State) -> State {
        st.at = self.inside(op);
        let block = self.ir.entry(op.body(self.ir)).expect("just built with a block");
        let value = self.ir.block_args(block)[0];
        let name = &self.view.dims[one.dim].name;
        let name = if self.plan.steps.len() > 1 { format!("{name}{}", one.layer) } else { name.clone() };
        let name = Name::Str(self.ir.cx().intern(&name));
        self.ir.set_value_name(value, name);
        st.ivs[one.dim].push(Iv { value, layer: one.layer, level: one.level, extent, tile });
        st
    }

    /// A loop over prefixes: what it carries and its own contribution go to their places
    pub(crate) fn prefixes(&mut self, n: usize, one: &Loop, st: State) -> Done<()> {
        let identity: Option<Vec<_>> = self.yields.identity.iter().copied().collect();
        let Some(identity) = identity else {
            return Err("prefixes by an operator without identity".into());
        };
        let joint = matches!(self.yields.combine, Combine::Joint(_));
        let header = (st.sizes[one.dim][one.layer - 1], st.sizes[one.dim][one.layer]);
        let mut spec = LoopSpec { results: self.yields.types.clone(), ..self.spec(one, header) };
        if joint {
            // The whole prefix is carried: operators of loops are on single values.
            let mut b = self.b(st.at);
            spec.inits = identity.into_iter().map(|attr| scalar::constant(&mut b, attr)).collect();
            spec.kind = sched::Kind::Ordered;
        }
        let inner = spec.build(&mut self.b(st.at));
        let block = self.ir.entry(inner.body(self.ir)).expect("just built with a block");
        let before = self.ir.block_args(block)[1..].to_vec();
        let st = self.enter(inner, one, header, st);
        let (st, values) = self.values(n + 1, st)?;
        let yields = self.yields;
        let all = yields.apply(&mut self.b(st.at), &before, &values);
        let seen = self.seen(&st, all.clone());
        self.store(&st, &seen)?;
        Yield::build(&mut self.b(st.at), if joint { &all } else { &values });
        Ok(())
    }

    /// Items from here on as values; the state gives where to go on
    pub(crate) fn values(&mut self, n: usize, st: State) -> Done<(State, Vec<Value>)> {
        if (self.carries() || self.in_order) && n < self.plan.items.len() {
            return self.joint(n, st);
        }
        let values = self.fold(n, st.clone())?;
        Ok((st, values))
    }

    fn fold(&mut self, n: usize, st: State) -> Done<Vec<Value>> {
        let Some(item) = self.plan.items.get(n) else { return self.contribution(&st) };
        match item.clone() {
            Item::Owner(layer) => {
                let mut inner = st;
                self.inputs_of(n, layer, &mut inner)?;
                self.fold(n + 1, inner)
            }
            Item::Loop(one) => {
                let at = st.at;
                let mut all: Option<Vec<Value>> = None;
                for mut piece in self.pieces(n, &one, st)? {
                    let values = match piece.guard.take() {
                        Some(limit) => {
                            let inner = self.guard_loop(n, piece.st.at, limit);
                            piece.st.at = self.inside(inner);
                            let at = piece.st.at;
                            let values = self.fold_piece(n, &one, piece)?;
                            Yield::build(&mut self.b(at), &values);
                            self.ir.results(inner.id()).collect()
                        }
                        None => self.fold_piece(n, &one, piece)?,
                    };
                    let yields = self.yields;
                    all = Some(match all {
                        Some(before) => yields.apply(&mut self.b(at), &before, &values),
                        None => values,
                    });
                }
                all.ok_or_else(|| "a loop without pieces".into())
            }
            Item::Guard(bound) if self.passes(n, &st, &bound) => self.fold(n + 1, st),
            Item::Guard(bound) => {
                let limit = self.open(&st, &bound)?;
                let inner = self.guard_loop(n, st.at, limit);
                let mut st = State { at: self.inside(inner), ..st };
                st.taken.push(bound);
                self.finish(n, inner, st)
            }
        }
    }

    /// One of the loops that a loop becomes, as values
    fn fold_piece(&mut self, n: usize, one: &Loop, piece: Piece) -> Done<Vec<Value>> {
        if piece.once() {
            return self.fold(n + 1, piece.st);
        }
        let results = self.yields.types.clone();
        let inits = self.inits(piece.st.at);
        let (inner, inside) = self.open_loop(n, one, piece, |spec| {
            (spec.results, spec.inits) = (results, inits);
        })?;
        self.finish(n, inner, inside)
    }

    /// A reduction that has one contribution, or none
    fn guard_loop(&mut self, n: usize, at: InsertPoint, limit: Bound) -> sched::For {
        let inits = self.inits(at);
        let spec = LoopSpec {
            extent: 1,
            tile: 1,
            limit: Some(limit),
            kind: sched::Kind::Pw,
            inits,
            ops: self.yields.operators(),
            results: self.yields.types.clone(),
            step: self.step(n),
            ..Default::default()
        };
        spec.build(&mut self.b(at))
    }

    fn finish(&mut self, n: usize, inner: sched::For, st: State) -> Done<Vec<Value>> {
        let at = st.at;
        let values = self.fold(n + 1, st)?;
        Yield::build(&mut self.b(at), &values);
        Ok(self.ir.results(inner.id()).collect())
    }
}

/// Number the dimensions that are used, in order of use
pub(crate) fn compact(dims: Dims, results: Vec<AffineExpr>) -> Option<Access> {
    let mut order = Vec::new();
    for expr in &results {
        expr.any_leaf(&mut |leaf| {
            if let AffineExpr::Dim(n) = leaf
                && !order.contains(n)
            {
                order.push(*n);
            }
            false
        });
    }
    let place: Vec<AffineExpr> = (0..dims.values.len() as u32)
        .map(|n| AffineExpr::Dim(order.iter().position(|m| *m == n).unwrap_or(0) as u32))
        .collect();
    let results: Option<Vec<AffineExpr>> = results.iter().map(|expr| expr.replace(&place, &[])).collect();
    let map = AffineMap::new(order.len() as u32, 0, results?)?;
    Some(Access { map, values: order.iter().map(|n| dims.values[*n as usize]).collect() })
}

/// First of the items that give values: the innermost loops over reduced dimensions, with conditions among them
fn ssa_from(view: &View, plan: &Plan) -> usize {
    let mut from = plan.items.len();
    for (n, item) in plan.items.iter().enumerate().rev() {
        match item {
            Item::Loop(one) if !plan.is_loop(one) => {}
            // Blocks have no values together: what they contribute meets in memory.
            Item::Loop(one) if matches!(one.level, Level::Block(_)) => break,
            Item::Loop(one) if matches!(view.dims[one.dim].kind, Kind::Pw(..)) => from = n,
            Item::Loop(_) => break,
            Item::Owner(layer) if plan.steps[layer - 1].outs.iter().any(Option::is_some) => break,
            Item::Owner(_) | Item::Guard(_) => {}
        }
    }
    from
}
