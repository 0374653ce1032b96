//! Reductions whose loops carry what they combine: operators on tuples, ones that start from nothing, and left folds.

use crate::nest::{Done, Nest, Piece, State};
use crate::scalar::{self, Combine};
use terrace_devices::{Level, Mechanism};
use terrace_dialect_mdh::view::{CombineKind, Order};
use terrace_dialect_sched::{self as sched, Bound, LoopSpec, Yield};
use terrace_ir::{InsertPoint, Type, Value};
use terrace_schedule_model::apply::{Item, Loop};
use terrace_schedule_model::broken::Rule;
use terrace_support::affine::AffineMap;

impl Nest<'_> {
    /// Do loops carry what they combine, because their operator is on tuples or starts from nothing?
    pub(crate) fn carries(&self) -> bool {
        match &self.yields.combine {
            Combine::None => false,
            Combine::Joint(_) => true,
            Combine::Each(all) => all.iter().zip(&self.yields.identity).any(|(operator, identity)| {
                matches!(operator, sched::Operator::Function(_)) && identity.is_none()
            }),
        }
    }

    /// Do iterations of a reduced loop give values that meet: those of threads in a block, and of tasks after their join?
    fn meets(&self, one: &Loop) -> bool {
        let level = one.level.is_thread_like() || one.level == Level::Task;
        level && self.plan.is_loop(one) && !self.geometry.c.in_order && !self.yields.operators().is_empty()
    }

    /// Does one of the items from here on meet so?
    pub(crate) fn meets_from(&self, n: usize) -> bool {
        self.plan.items[n..].iter().any(|item| match item {
            Item::Loop(one) => !self.view.dims[one.dim].kind.kept() && self.meets(one),
            _ => false,
        })
    }

    /// Threads of a block bring together one value at a time, or merge into memory in any order: is one of both possible?
    pub(crate) fn threads_meet(&self) -> Done<()> {
        let items = &self.plan.items;
        let cx = self.ir.cx();
        let any_order = |order: &Order| {
            let exact = |(operator, ty): (&sched::Operator, &Type)| match operator {
                sched::Operator::Builtin(builtin) => builtin.algebra(cx, *ty).exact,
                sched::Operator::Function(_) => false,
            };
            *order == Order::Free || self.yields.operators().iter().zip(&self.yields.types).all(exact)
        };
        for (n, item) in items.iter().enumerate() {
            let Item::Loop(one) = item else { continue };
            let CombineKind::Pw(_, order) = &self.view.dims[one.dim].kind else { continue };
            let at = format!("dimension {} in step {}", one.dim + 1, one.layer);
            if !self.plan.is_loop(one) {
                continue;
            }
            let lanes = one.level == Level::Vector && self.lanes_may_carry();
            let meet = n >= self.ssa && self.meets(one);
            if self.carries() && one.via == Mechanism::Atomic {
                return Err(Rule::Reduce.broken(format!(
                    "(atomic) of {at}: an atomic update takes one value with a neutral element, this operator several or \
                     none; use (last), (kernel), or threads of one block"
                )));
            }
            if self.carries() && one.level.is_parallel() && !lanes && !meet {
                return Err(Rule::Reduce.broken(format!(
                    "{at} runs in parallel, and is reduced by an operator on several values at once or without a neutral \
                     element, whose values are carried from one iteration to the next; use FOR there"
                )));
            }
            if !one.level.is_thread_like() {
                continue;
            }
            let several = items[n + 1..].iter().find_map(|item| match item {
                Item::Loop(inner) => {
                    (self.plan.is_loop(inner) && self.view.dims[inner.dim].kind.kept()).then_some(inner)
                }
                _ => None,
            });
            if let Some(inner) = several.filter(|_| !any_order(order)) {
                return Err(Rule::Reduce.broken(format!(
                    "{at} is reduced and spread over threads, each with several places of the result (dimension {} in step \
                     {}); threads bring one place's values together at a time. Give each thread one place, label the threads' step \
                     after those loops, or say `free` of the operator",
                    inner.dim + 1,
                    inner.layer
                )));
            }
        }
        Ok(())
    }

    /// Neutral elements that a reduction by functions starts from: only built-in operators have their own
    pub(crate) fn inits(&mut self, at: InsertPoint) -> Vec<Value> {
        let functions = self.yields.operators().iter().any(|op| matches!(op, sched::Operator::Function(_)));
        let identity: Option<Vec<_>> = self.yields.identity.iter().copied().collect();
        match identity.filter(|_| functions) {
            Some(all) => {
                let mut b = self.b(at);
                all.into_iter().map(|attr| scalar::constant(&mut b, attr)).collect()
            }
            None => Vec::new(),
        }
    }

    /// Reduced loops with an operator on tuples, or in the order of the source: they carry what there is so far
    pub(crate) fn joint(&mut self, n: usize, st: State) -> Done<(State, Vec<Value>)> {
        if self.starts_first() && self.begins(&st) {
            let (first, after) = self.begun(&st)?;
            return Ok((after, self.carry(n, st, first, false)?));
        }
        if let Some(loops) = self.lane_loops(n, &st)? {
            let values = self.joined(&loops, &st)?;
            return Ok((st, values));
        }
        let identity: Option<Vec<_>> = self.yields.identity.iter().copied().collect();
        let loops: Vec<&Loop> = self.plan.items[n..]
            .iter()
            .filter_map(|item| match item {
                Item::Loop(one) if self.plan.is_loop(one) => Some(one),
                _ => None,
            })
            .collect();
        let (first, skip) = match identity {
            // Lanes begin with what is first, like those along a reduced dimension.
            Some(_) if self.lanes_begin(n, &loops, &st) => (self.contribution(&st)?, true),
            Some(identity) => {
                let mut b = self.b(st.at);
                (identity.into_iter().map(|attr| scalar::constant(&mut b, attr)).collect(), false)
            }
            None => {
                let one = match loops.as_slice() {
                    [one] if self.plan.sizes[one.dim][0] > 0 => (*one).clone(),
                    [] => return Ok((st.clone(), self.contribution(&st)?)),
                    _ => return Err("an operator on tuples without identity, over several loops".into()),
                };
                if !self.in_whole_parts(&one, &st) {
                    return Err(
                        "parts of several sizes, of which some may be empty, by an operator without identity"
                            .into(),
                    );
                }
                (self.contribution(&st)?, true)
            }
        };
        let values = self.carry(n, st.clone(), first, skip)?;
        Ok((st, values))
    }

    /// Are these loops one in lanes, of several iterations and with nothing else in it, which can start at its second one?
    fn lanes_begin(&self, n: usize, loops: &[&Loop], st: &State) -> bool {
        let in_lanes = |item: &Item| matches!(item, Item::Loop(one) if one.level == Level::Vector && self.plan.is_loop(one));
        let (around, inside) = self.plan.items.split_at(n);
        let alone = inside.iter().all(|item| matches!(item, Item::Loop(_)));
        let [one] = loops else { return false };
        let several = st.pos.sizes[one.dim][one.layer - 1] > 1 && one.level == Level::Seq;
        alone && several && around.iter().any(in_lanes) && self.in_whole_parts(one, st)
    }

    /// Do loops outside of this one cut its dimension into parts of one size?
    pub(crate) fn in_whole_parts(&self, one: &Loop, st: &State) -> bool {
        let sizes = &st.pos.sizes[one.dim];
        let mut outer = st.pos.ivs[one.dim].iter();
        outer.all(|iv| iv.tile > 0 && iv.extent % iv.tile == 0) && sizes[one.layer - 1] > 0
    }

    fn carry(&mut self, n: usize, st: State, so_far: Vec<Value>, skip: bool) -> Done<Vec<Value>> {
        if let Some(loops) = self.lane_loops(n, &st)? {
            let values = self.joined(&loops, &st)?;
            let yields = self.yields;
            return Ok(yields.apply(&mut self.b(st.at), &so_far, &values));
        }
        let Some(item) = self.plan.items.get(n) else {
            let values = self.contribution(&st)?;
            let yields = self.yields;
            return Ok(yields.apply(&mut self.b(st.at), &so_far, &values));
        };
        let carried = LoopSpec {
            step: self.geometry.step(n),
            kind: sched::Combination::Ordered,
            inits: so_far.clone(),
            results: self.yields.types.clone(),
            ..Default::default()
        };
        let (inner, inside) = match item.clone() {
            Item::Owner(layer) => {
                let mut inner = st;
                self.inputs_of(n, layer, &mut inner)?;
                return self.carry(n + 1, inner, so_far, skip);
            }
            Item::Guard(bound) if self.passes(n, &st, &bound) => {
                return self.carry(n + 1, st, so_far, skip);
            }
            Item::Loop(one) => {
                let mut so_far = so_far;
                for mut piece in self.pieces(n, &one, st)? {
                    let (at, before) = (piece.st.at, so_far.clone());
                    if let Some(limit) = piece.guard.take() {
                        let inner = LoopSpec {
                            extent: 1,
                            tile: 1,
                            limit: Some(limit),
                            inits: before,
                            ..carried.clone()
                        }
                        .build(&mut self.b(at));
                        piece.st.at = self.inside(inner);
                        let (inside, block) = (piece.st.at, self.ir.entry(inner.body(self.ir)));
                        let block = block.expect("just built with a block");
                        so_far = self.ir.block_args(block)[1..].to_vec();
                        let values = self.carry_piece(n, &one, piece, so_far, skip)?;
                        Yield::build(&mut self.b(inside), &values);
                        so_far = self.ir.results(inner.id()).collect();
                    } else {
                        so_far = self.carry_piece(n, &one, piece, so_far, skip)?;
                    }
                }
                return Ok(so_far);
            }
            Item::Guard(bound) => {
                let limit = Some(self.open(&st, &bound)?);
                let inner = LoopSpec { extent: 1, tile: 1, limit, ..carried }.build(&mut self.b(st.at));
                let mut st = State { at: self.inside(inner), ..st };
                st.pos.taken.push(bound);
                (inner, st)
            }
        };
        self.carried(n, inner, inside)
    }

    /// One of the loops that a loop becomes, carrying
    fn carry_piece(
        &mut self,
        n: usize,
        one: &Loop,
        piece: Piece,
        so_far: Vec<Value>,
        skip: bool,
    ) -> Done<Vec<Value>> {
        if piece.once() {
            return self.carry(n + 1, piece.st, so_far, skip);
        }
        let results = self.yields.types.clone();
        let (inner, inside) = self.open_loop(n, one, piece, |spec| {
            spec.kind = sched::Combination::Ordered;
            (spec.order, spec.via, spec.ops) = (sched::Order::Fixed, sched::Mechanism::Auto, Vec::new());
            (spec.inits, spec.results) = (so_far, results);
            if skip {
                spec.from = Some(Bound { map: AffineMap::constant(1), values: Vec::new() });
            }
        })?;
        self.carried(n, inner, inside)
    }

    /// The body of a loop that carries a tuple
    fn carried(&mut self, n: usize, inner: sched::For, inside: State) -> Done<Vec<Value>> {
        let at = inside.at;
        let block = self.ir.entry(inner.body(self.ir)).expect("just built with a block");
        let acc = self.ir.block_args(block)[1..].to_vec();
        let values = self.carry(n + 1, inside, acc, false)?;
        Yield::build(&mut self.b(at), &values);
        Ok(self.ir.results(inner.id()).collect())
    }
}
