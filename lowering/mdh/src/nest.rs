//! The loops of a computation, with what is read, combined and written.
//!
//! The innermost loops over reduced dimensions give values (`pw` loops with results); where other loops stand inside of a
//! reduced one, contributions are combined in memory. Conditions on points are loops of one iteration with a limit: they
//! run or they do not.

use crate::scalar::{self, Combine, Yields};
use crate::tile::Tile;
use terrace_dialect_builtin::marks::LAST;
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::scatter::Scatter;
use terrace_dialect_mdh::schedule::{JOINS, SUBGROUP};
use terrace_dialect_mdh::taps::ROLLED;
use terrace_dialect_mdh::view::{self, CombineKind, View};
use terrace_dialect_sched::access::Access;
use terrace_dialect_sched::{self as sched, Bound, LoopSpec, Yield};
use terrace_ir::{Attr, BlockId, Builder, InsertPoint, Ir, Loc, Name, OpId, Value};
pub(crate) use terrace_schedule_model::apply::geometry::Done;
use terrace_schedule_model::apply::geometry::{Form, Geometry, Over, Position};
use terrace_schedule_model::apply::launch::{MOST_LANES, WARP};
use terrace_schedule_model::apply::{Item, Loop, Plan, pieces};
use terrace_schedule_model::computation::Computation;
use terrace_schedule_model::nest::{Index, LoopId, OpaqueId};
use terrace_schedule_model::nest_arena::Id;
use terrace_support::affine::AffineExpr;

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
    /// Threads of a warp on the device that the schedule is for
    /// Its kernel joins the one in front of it
    joins: bool,
    device_warp: Option<i64>,
    /// Dimensions that points visit only where they hit
    pub(crate) scatter: Option<Scatter>,
    /// First of the items that give values
    pub(crate) ssa: usize,
    /// Per input: its access group
    pub(crate) groups: Vec<usize>,
    /// What its loops are
    pub(crate) geometry: Geometry<'a>,
    /// The mark of computations that the last block of the kernel before may run
    last: Option<Attr>,
    /// Values of loops' variables
    loops: Vec<Value>,
    /// Values of other variables
    others: Vec<Value>,
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

/// One of the loops that a loop becomes
pub(crate) struct Piece {
    pub st: State,
    /// Extent and tile
    pub header: (i64, i64),
    pub limit: Option<Over>,
    /// It happens only where this is above 0
    pub guard: Option<Bound>,
}

impl Piece {
    /// Does it run exactly once?
    pub fn once(&self) -> bool {
        let (extent, tile) = self.header;
        extent > 0 && extent <= tile && self.limit.is_none()
    }
}

/// Where generation stands
#[derive(Clone)]
pub(crate) struct State {
    pub at: InsertPoint,
    /// Of the loops
    pub pos: Position,
    /// Per access group: the innermost tile
    pub tiles: Vec<Option<Tile>>,
    /// Per output
    pub sinks: Vec<Sink>,
}

impl<'a> Nest<'a> {
    /// Of a computation
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        ir: &'a mut Ir,
        view: &'a View,
        c: &'a Computation,
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
        let rolled = ir.discardable(op.id(), ROLLED).and_then(|attr| attr.as_dense_array(ir.cx()));
        let rolled = rolled.unwrap_or(&[]).iter().filter_map(|dim| usize::try_from(*dim).ok()).collect();
        let picks = scatter.iter().flat_map(|scatter| &scatter.picks).map(|pick| pick.dim).collect();
        let geometry = Geometry { c, plan, rolled, picks };
        let device_warp = ir.discardable(op.id(), SUBGROUP).and_then(|attr| attr.as_i64(ir.cx()));
        let mut of_reads = c.inputs.iter().map(|input| input.group);
        let read = |input: &view::Input| buffers.contains(&input.value);
        let groups = view.inputs.iter().map(|input| match read(input) {
            true => of_reads.next().unwrap_or(0),
            false => 0,
        });
        Ok(Nest {
            groups: groups.collect(),
            ssa: geometry.values_from(),
            geometry,
            last: ir.discardable(op.id(), LAST),
            loops: Vec::new(),
            others: view.extents.iter().map(|extent| extent.value).collect(),
            joins: ir.discardable(op.id(), JOINS).is_some(),
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
        })
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
        let mut at = InsertPoint::Before(before);
        if self.view.dims.iter().any(|dim| dim.size == 0) {
            // There are no points: what is filled is all.
            let sink = Sink { tile: None, combine: true, direct: false };
            return self.fill(at, &vec![sink; self.view.outputs.len()]);
        }
        let geometry = &self.geometry;
        let sinks: Vec<Sink> = (0..self.view.outputs.len())
            .map(|out| {
                let start = self.starts[out].is_some();
                let direct =
                    start && geometry.covers(out) && !geometry.merges(0, out) && !geometry.guarded(out);
                Sink { tile: None, combine: geometry.merges(0, out) || start && !direct, direct }
            })
            .collect();
        self.threads_meet()?;
        self.fill(at, &sinks)?;
        if self.plan.kernel && self.plan.launch == 0 {
            at = self.kernel(at)?;
        }
        self.geometry.larger_tiles_outside()?;
        let st = State {
            at,
            pos: self.geometry.outside(),
            tiles: vec![None; self.geometry.c.groups.len()],
            sinks,
        };
        self.nest(0, st)?;
        self.reflect(before)
    }

    /// The launch around levels of a grid
    fn kernel(&mut self, at: InsertPoint) -> Done<InsertPoint> {
        let launch = self.geometry.launch(self.device_warp)?;
        let name = self.view.name.clone().unwrap_or_else(|| "compute".into());
        let last = self.last;
        let block = last.and_then(|_| self.block_before(at)).unwrap_or(launch.block);
        let kernel = sched::Kernel::make(&mut self.b(at), &name, launch.grid, block);
        self.ir.set_discardable(kernel.0, LAST, last);
        let (cx, width) = (self.ir.cx(), launch.subgroup);
        let subgroup = (width != WARP).then(|| cx.int_attr(width.into(), cx.common().i64));
        kernel.set_subgroup(self.ir, subgroup);
        if self.joins {
            let mark = self.ir.cx().common().unit;
            self.ir.set_attr(kernel.0, sched::JOINS, Some(mark));
        }
        let body = kernel.body(self.ir);
        let block = self.ir.entry(body).ok_or("a kernel without a block")?;
        Ok(InsertPoint::End(block))
    }

    /// Threads of the kernel before, whose last block runs this one
    fn block_before(&self, at: InsertPoint) -> Option<[i64; 3]> {
        let InsertPoint::Before(op) = at else { return None };
        let before = std::iter::successors(self.ir.prev(op), |op| self.ir.prev(*op));
        before
            .into_iter()
            .find_map(|op| sched::Kernel::cast(self.ir, op))
            .map(|kernel| kernel.block_size(self.ir))
    }

    pub(crate) fn reduces(&self) -> bool {
        !matches!(self.yields.combine, Combine::None)
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
                let (limit, step) = (Some(self.open(&st, &bound)?), self.geometry.step(n));
                let spec = LoopSpec { extent: 1, tile: 1, limit, step, ..Default::default() };
                let inner = spec.build(&mut self.b(st.at));
                let mut st = State { at: self.inside(inner), ..st };
                st.pos.taken.push(bound);
                self.nest(n + 1, st)
            }
            Item::Loop(one) => {
                if let CombineKind::Ps(_) = self.view.dims[one.dim].kind {
                    return match Plan::trip(&st.pos.sizes[one.dim], one.layer) {
                        1 => self.nest(n + 1, st),
                        _ if self.prefix_in_parts(n, &one, &st) => self.prefix_parts(n, &one, st),
                        _ => self.prefixes(n, &one, st),
                    };
                }
                for mut piece in self.pieces(n, &one, st)? {
                    if let Some(limit) = piece.guard.take() {
                        let step = self.geometry.step(n);
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
                            spec.kind = sched::Combination::Ordered;
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
        let Piece { mut st, header, limit, .. } = piece;
        let form = Form { limit, ..self.geometry.form(one, header) };
        let form = self.geometry.bounded(n, one, form, &mut st.pos)?;
        let mut spec = self.spec(form);
        change(&mut spec);
        let inner = spec.build(&mut self.b(st.at));
        let stages = one.stages.map(|stages| self.ir.cx().int_attr(stages.into(), self.ir.cx().common().i64));
        inner.set_stages(self.ir, stages);
        let st = self.enter(inner, one, header, st);
        Ok((inner, st))
    }

    /// A loop's form in IR, without results
    pub(crate) fn spec(&self, form: Form) -> LoopSpec {
        LoopSpec {
            extent: form.extent,
            tile: form.tile,
            dim: form.dim.map(|dim| dim as i64),
            level: form.level,
            ops: if form.kind == sched::Combination::Cc { Vec::new() } else { self.yields.operators() },
            kind: form.kind,
            order: form.order,
            via: form.mechanism,
            tail: form.tail,
            from: form.from.map(|from| self.bound(from)),
            limit: form.limit.map(|limit| self.bound(limit)),
            step: form.step,
            ..Default::default()
        }
    }

    /// The value of a variable
    fn value(&self, index: Index) -> Value {
        match index {
            Index::Loop(id) => self.loops[id.index()],
            Index::Opaque(id) => self.others[id.index()],
        }
    }

    /// The variable that a value is; a new one if it is none yet
    pub(crate) fn variable(&mut self, value: Value) -> Index {
        if let Some(n) = self.loops.iter().position(|other| *other == value) {
            return Index::Loop(LoopId::new(n));
        }
        let known = self.others.iter().position(|other| *other == value);
        Index::Opaque(OpaqueId::new(known.unwrap_or_else(|| {
            self.others.push(value);
            self.others.len() - 1
        })))
    }

    /// Indices over variables as indices over values
    pub(crate) fn over(&self, over: Over) -> Access {
        Access { map: over.map, values: over.over.into_iter().map(|index| self.value(index)).collect() }
    }

    /// A bound over variables as one over values
    pub(crate) fn bound(&self, over: Over) -> Bound {
        let Access { map, values } = self.over(over);
        Bound { map, values }
    }

    /// Index functions at the coordinates reached so far
    pub(crate) fn access(&self, st: &State, exprs: &[AffineExpr]) -> Done<Access> {
        Ok(self.over(self.geometry.access(&st.pos, exprs)?))
    }

    /// Where a condition holds
    pub(crate) fn open(&self, st: &State, bound: &AffineExpr) -> Done<Bound> {
        Ok(self.bound(self.geometry.open(&st.pos, bound)?))
    }

    /// Is nothing to be done for a condition here?
    pub(crate) fn passes(&self, n: usize, st: &State, bound: &AffineExpr) -> bool {
        self.geometry.passes(n, &st.pos, bound)
    }

    /// The loops that a loop becomes here, in order
    pub(crate) fn pieces(&self, n: usize, one: &Loop, st: State) -> Done<Vec<Piece>> {
        let pieces = self.geometry.pieces(n, one, st.pos.clone())?;
        let piece = |piece: pieces::Piece| Piece {
            st: State { pos: piece.pos, ..st.clone() },
            header: piece.header,
            limit: piece.limit,
            guard: piece.guard.map(|guard| self.bound(guard)),
        };
        Ok(pieces.into_iter().map(piece).collect())
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
    pub(crate) fn enter(&mut self, op: sched::For, one: &Loop, header: (i64, i64), mut st: State) -> State {
        st.at = self.inside(op);
        let block = self.ir.entry(op.body(self.ir)).expect("just built with a block");
        let value = self.ir.block_args(block)[0];
        let name = &self.view.dims[one.dim].name;
        let name = if self.plan.steps.len() > 1 { format!("{name}{}", one.layer) } else { name.clone() };
        let name = Name::Str(self.ir.cx().intern(&name));
        self.ir.set_value_name(value, name);
        let index = self.loop_variable(value);
        self.geometry.enter(one, header, index, &mut st.pos);
        st
    }

    /// The variable of a loop that was just built
    pub(crate) fn loop_variable(&mut self, value: Value) -> Index {
        self.loops.push(value);
        Index::Loop(LoopId::new(self.loops.len() - 1))
    }

    /// A loop over prefixes: what it carries and its own contribution go to their places
    pub(crate) fn prefixes(&mut self, n: usize, one: &Loop, mut st: State) -> Done<()> {
        let identity: Option<Vec<_>> = self.yields.identity.iter().copied().collect();
        let Some(identity) = identity else {
            return Err("prefixes by an operator without identity".into());
        };
        let joint = matches!(self.yields.combine, Combine::Joint(_));
        let header = (st.pos.sizes[one.dim][one.layer - 1], st.pos.sizes[one.dim][one.layer]);
        let form = self.geometry.bounded(n, one, self.geometry.form(one, header), &mut st.pos)?;
        self.geometry.behind_prefixes(n, &st.pos)?;
        let mut spec = LoopSpec { results: self.yields.types.clone(), ..self.spec(form) };
        if joint {
            // The whole prefix is carried: operators of loops are on single values.
            let mut b = self.b(st.at);
            spec.inits = identity.into_iter().map(|attr| scalar::constant(&mut b, attr)).collect();
            (spec.kind, spec.ops) = (sched::Combination::Ordered, Vec::new());
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
        let carries = self.carries() || self.geometry.c.in_order;
        if carries && n < self.plan.items.len() && !self.meets_from(n) {
            return self.joint(n, st);
        }
        let values = self.fold(n, st.clone())?;
        Ok((st, values))
    }

    fn fold(&mut self, n: usize, st: State) -> Done<Vec<Value>> {
        if self.carries() && n < self.plan.items.len() && !self.meets_from(n) {
            return Ok(self.joint(n, st)?.1);
        }
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
                st.pos.taken.push(bound);
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
            kind: sched::Combination::Pw,
            inits,
            ops: self.yields.operators(),
            results: self.yields.types.clone(),
            step: self.geometry.step(n),
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
