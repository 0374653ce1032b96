//! The loops of a computation, with what is read, combined and written.
//!
//! The innermost loops over reduced dimensions give values (`pw` loops with results); where other loops stand inside of a
//! reduced one, contributions are combined in memory. Conditions on points are loops of one iteration with a limit: they
//! run or they do not.

use crate::plan::{Item, Loop, Plan};
use crate::scalar::{self, Combine, Yields};
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::view::{Input, Kind, Order, Other, View};
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{self as sched, Bound, CopySpec, LoopSpec, Read, Write, Yield};
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, InsertPoint, Ir, Loc, Name, OpId, Value};
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
    /// First of the items that give values
    ssa: usize,
}

/// A placed loop's variable
#[derive(Clone, Debug)]
struct Iv {
    value: Value,
}

/// Where generation stands
#[derive(Clone)]
struct State {
    at: InsertPoint,
    /// Per dimension: where it starts, and the variables whose sum it is
    offsets: Vec<i64>,
    ivs: Vec<Vec<Iv>>,
    /// Per dimension: sizes by layer
    sizes: Vec<Vec<i64>>,
    /// Contributions of outer loops meet in the destination
    combine: bool,
    /// Conditions that loops have taken as their bounds, by item
    taken: Vec<usize>,
}

type Done<T> = Result<T, String>;

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
    ) -> Done<Nest<'a>> {
        let body = ir.entry(op.body(ir)).ok_or("the computation has no body")?;
        let loc = ir.loc(op.id());
        Ok(Nest { ir, view, plan, yields, body, inputs, dests, starts, loc, ssa: ssa_from(view, plan) })
    }

    fn b(&mut self, at: InsertPoint) -> Builder<'_> {
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
        let at = InsertPoint::Before(before);
        let st = State {
            at,
            offsets: vec![0; self.view.dims.len()],
            ivs: vec![Vec::new(); self.view.dims.len()],
            sizes: self.plan.sizes.clone(),
            combine: self.combines_in_memory() || self.starts.iter().any(Option::is_some),
            taken: Vec::new(),
        };
        self.fill(at)?;
        self.nest(0, st)
    }

    /// Do reduced loops stand outside of the ones that give values?
    fn combines_in_memory(&self) -> bool {
        self.plan.items[..self.ssa].iter().any(|item| match item {
            Item::Loop(one) => !self.view.dims[one.dim].kind.kept() && self.plan.is_loop(one),
            _ => false,
        })
    }

    /// Start values, or neutral elements where contributions meet in memory or may be missing
    fn fill(&mut self, at: InsertPoint) -> Done<()> {
        let merges = !matches!(self.yields.combine, Combine::None);
        let missing = !self.view.conditions.is_empty() || self.view.dims.iter().any(|dim| dim.size == 0);
        let needed = merges && (missing || self.combines_in_memory());
        for (n, out) in self.view.outputs.iter().enumerate() {
            if let (Some(start), Some((_, own))) = (self.starts[n], &out.init) {
                match own {
                    None => self.copy_all(at, start, self.dests[n]),
                    Some(own) => {
                        for map in &out.maps {
                            self.copy_kept(at, start, own, self.dests[n], map)?;
                        }
                    }
                }
            } else if needed {
                let id = self.yields.place.iter().position(|place| *place == (n, 0)).unwrap_or(0);
                let Some(identity) = self.yields.identity[id] else {
                    return Err("an operator without identity: nothing stands for what is missing".into());
                };
                let value = scalar::constant(&mut self.b(at), identity);
                self.copy_all(at, value, self.dests[n]);
            }
        }
        Ok(())
    }

    /// Every element of a buffer, from a buffer of its shape or from a value
    fn copy_all(&mut self, at: InsertPoint, from: Value, to: Value) {
        let shape = self.ir.ty(to).shape(self.ir.cx()).unwrap_or(&[]).to_vec();
        let access = Access { map: AffineMap::identity(shape.len() as u32), values: Vec::new() };
        let whole = self.ir.ty(from).shape(self.ir.cx()).is_some();
        let spec = CopySpec {
            domain: shape,
            names: Vec::new(),
            src: from,
            from: whole.then(|| access.clone()),
            dst: to,
            to: access,
            padding: None,
            per: None,
            by: Vec::new(),
            clip: false,
            combine: None,
            step: None,
        };
        spec.build(&mut self.b(at));
    }

    /// For every kept coordinate an element from one place to another
    fn copy_kept(
        &mut self,
        at: InsertPoint,
        from: Value,
        source: &AffineMap,
        to: Value,
        target: &AffineMap,
    ) -> Done<()> {
        let dims = &self.view.dims;
        let kept: Vec<usize> = (0..dims.len()).filter(|n| dims[*n].kind.kept()).collect();
        let place = |n: usize| kept.iter().position(|m| *m == n);
        let coords: Vec<AffineExpr> =
            (0..dims.len()).map(|n| place(n).map_or(0.into(), |at| AffineExpr::Dim(at as u32))).collect();
        let access = |map: &AffineMap| {
            let results: Option<Vec<AffineExpr>> =
                map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            let map = AffineMap::new(kept.len() as u32, 0, results?)?;
            Some(Access { map, values: Vec::new() })
        };
        let too_deep = || "an index function is too deep".to_string();
        let spec = CopySpec {
            domain: kept.iter().map(|n| dims[*n].size).collect(),
            names: kept.iter().map(|n| dims[*n].name.clone()).collect(),
            src: from,
            from: Some(access(source).ok_or_else(too_deep)?),
            dst: to,
            to: access(target).ok_or_else(too_deep)?,
            padding: None,
            per: None,
            by: Vec::new(),
            clip: false,
            combine: None,
            step: None,
        };
        spec.build(&mut self.b(at));
        Ok(())
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
    fn access(&self, st: &State, exprs: &[AffineExpr]) -> Done<Access> {
        let mut dims = Dims::default();
        let coords = self.coords(st, &mut dims);
        let results: Option<Vec<AffineExpr>> = exprs.iter().map(|expr| expr.replace(&coords, &[])).collect();
        let access = results.and_then(|results| compact(dims, results));
        access.ok_or_else(|| "an index function is too deep".into())
    }

    /// One expression as a bound
    fn bound(&self, st: &State, expr: &AffineExpr) -> Done<Bound> {
        let access = self.access(st, std::slice::from_ref(expr))?;
        Ok(Bound { map: access.map, values: access.values })
    }

    /// Items from here on, when none outside gives values
    fn nest(&mut self, n: usize, st: State) -> Done<()> {
        if n >= self.ssa {
            let (st, values) = self.values(n, st)?;
            return self.store(&st, &values);
        }
        match self.plan.items[n].clone() {
            Item::Owner(_) => self.nest(n + 1, st),
            Item::Guard(_) if st.taken.contains(&n) => self.nest(n + 1, st),
            Item::Guard(bound) => {
                let spec = LoopSpec {
                    extent: 1,
                    tile: 1,
                    limit: Some(self.open(&st, &bound)?),
                    ..Default::default()
                };
                let inner = spec.build(&mut self.b(st.at));
                let at = self.inside(inner);
                self.nest(n + 1, State { at, ..st })
            }
            Item::Loop(one) if self.trip(&st, &one) == 1 => self.nest(n + 1, st),
            Item::Loop(one) => {
                if let Kind::Ps(_) = self.view.dims[one.dim].kind {
                    return self.prefixes(n, &one, st);
                }
                let mut spec = self.spec(&st, &one)?;
                let st = self.bounded(n, &one, &mut spec, st)?;
                let inner = spec.build(&mut self.b(st.at));
                let st = self.enter(inner, &one, st);
                self.nest(n + 1, st)
            }
        }
    }

    fn trip(&self, st: &State, one: &Loop) -> i64 {
        Plan::trip(&st.sizes[one.dim], one.layer)
    }

    /// `0 < bound + 1`
    fn open(&self, st: &State, bound: &AffineExpr) -> Done<Bound> {
        self.bound(st, &AffineExpr::add(bound.clone(), 1.into()))
    }

    /// A loop as the plan says, without results
    fn spec(&self, st: &State, one: &Loop) -> Done<LoopSpec> {
        let sizes = &st.sizes[one.dim];
        let kind = &self.view.dims[one.dim].kind;
        let (word, order) = match kind {
            Kind::Cc => (sched::Kind::Cc, Order::Fixed),
            Kind::Pw(_, order) => (sched::Kind::Pw, *order),
            Kind::Ps(_) => (sched::Kind::Ps, Order::Fixed),
        };
        Ok(LoopSpec {
            extent: sizes[one.layer - 1],
            tile: sizes[one.layer],
            dim: Some(one.dim as i64),
            level: one.level,
            kind: word,
            ops: if word == sched::Kind::Cc { Vec::new() } else { self.yields.operators() },
            order: match order {
                Order::Source => sched::Order::Source,
                Order::Fixed => sched::Order::Fixed,
                Order::Free => sched::Order::Free,
            },
            step: (self.plan.steps.len() > 1).then_some((one.layer as i64, one.label as i64)),
            ..Default::default()
        })
    }

    /// Conditions right inside of a loop over single coordinates become its bounds where they are of its variable alone
    fn bounded(&self, n: usize, one: &Loop, spec: &mut LoopSpec, mut st: State) -> Done<State> {
        if spec.tile != 1 || spec.level != sched::Level::Seq {
            return Ok(st);
        }
        for (at, item) in self.plan.items.iter().enumerate().skip(n + 1) {
            let Item::Guard(bound) = item else { break };
            let factor = bound.as_linear().map_or(0, |linear| linear.dim(one.dim));
            // The bound with this loop's variable at 0: what has been placed so far.
            if factor == 1 && spec.from.is_none() {
                spec.from = Some(self.bound(&st, &AffineExpr::negated(bound.clone()))?);
            } else if factor == -1 && spec.limit.is_none() {
                spec.limit = Some(self.open(&st, bound)?);
            } else {
                continue;
            }
            st.taken.push(at);
        }
        Ok(st)
    }

    /// Where the body of a loop goes on
    fn inside(&self, op: sched::For) -> InsertPoint {
        let block = self.ir.entry(op.body(self.ir)).expect("just built with a block");
        match self.ir.last_op(block) {
            Some(end) => InsertPoint::Before(end),
            None => InsertPoint::End(block),
        }
    }

    /// Step into a loop; its variable is part of its dimension's coordinate
    fn enter(&mut self, op: sched::For, one: &Loop, mut st: State) -> State {
        st.at = self.inside(op);
        let block = self.ir.entry(op.body(self.ir)).expect("just built with a block");
        let value = self.ir.block_args(block)[0];
        let name = &self.view.dims[one.dim].name;
        let name = if self.plan.steps.len() > 1 { format!("{name}{}", one.layer) } else { name.clone() };
        let name = Name::Str(self.ir.cx().intern(&name));
        self.ir.set_value_name(value, name);
        st.ivs[one.dim].push(Iv { value });
        st
    }

    /// A loop over prefixes: what it carries and its own contribution go to their places
    fn prefixes(&mut self, n: usize, one: &Loop, st: State) -> Done<()> {
        if n + 1 < self.ssa {
            return Err("prefixes with other kept loops inside".into());
        }
        let identity: Option<Vec<_>> = self.yields.identity.iter().copied().collect();
        let Some(identity) = identity else {
            return Err("prefixes by an operator without identity".into());
        };
        let joint = matches!(self.yields.combine, Combine::Joint(_));
        let mut spec = LoopSpec { results: self.yields.types.clone(), ..self.spec(&st, one)? };
        if joint {
            // The whole prefix is carried: operators of loops are on single values.
            let mut b = self.b(st.at);
            spec.inits = identity.into_iter().map(|attr| scalar::constant(&mut b, attr)).collect();
            spec.kind = sched::Kind::Ordered;
        }
        let inner = spec.build(&mut self.b(st.at));
        let block = self.ir.entry(inner.body(self.ir)).expect("just built with a block");
        let before = self.ir.block_args(block)[1..].to_vec();
        let st = self.enter(inner, one, st);
        let (st, values) = self.values(n + 1, st)?;
        let yields = self.yields;
        let all = yields.apply(&mut self.b(st.at), &before, &values);
        self.store(&st, &all)?;
        Yield::build(&mut self.b(st.at), if joint { &all } else { &values });
        Ok(())
    }

    /// Items from here on as values; the state gives where to go on
    fn values(&mut self, n: usize, st: State) -> Done<(State, Vec<Value>)> {
        if let Combine::Joint(_) = self.yields.combine
            && n < self.plan.items.len()
        {
            return self.joint(n, st);
        }
        let values = self.fold(n, st.clone())?;
        Ok((st, values))
    }

    fn fold(&mut self, n: usize, st: State) -> Done<Vec<Value>> {
        let Some(item) = self.plan.items.get(n) else { return self.contribution(&st) };
        match item.clone() {
            Item::Owner(_) => self.fold(n + 1, st),
            Item::Loop(one) if self.trip(&st, &one) == 1 => self.fold(n + 1, st),
            Item::Loop(one) => {
                let mut spec = LoopSpec { results: self.yields.types.clone(), ..self.spec(&st, &one)? };
                let st = self.bounded(n, &one, &mut spec, st)?;
                let inner = spec.build(&mut self.b(st.at));
                let inside = self.enter(inner, &one, st);
                self.finish(n, inner, inside)
            }
            Item::Guard(_) if st.taken.contains(&n) => self.fold(n + 1, st),
            Item::Guard(bound) => {
                let spec = LoopSpec {
                    extent: 1,
                    tile: 1,
                    limit: Some(self.open(&st, &bound)?),
                    kind: sched::Kind::Pw,
                    ops: self.yields.operators(),
                    results: self.yields.types.clone(),
                    ..Default::default()
                };
                let inner = spec.build(&mut self.b(st.at));
                let at = self.inside(inner);
                self.finish(n, inner, State { at, ..st })
            }
        }
    }

    fn finish(&mut self, n: usize, inner: sched::For, st: State) -> Done<Vec<Value>> {
        let at = st.at;
        let values = self.fold(n + 1, st)?;
        Yield::build(&mut self.b(at), &values);
        Ok(self.ir.results(inner.id()).collect())
    }

    /// Reduced loops with an operator on tuples: they carry the tuple
    fn joint(&mut self, n: usize, st: State) -> Done<(State, Vec<Value>)> {
        let identity: Option<Vec<_>> = self.yields.identity.iter().copied().collect();
        let items = &self.plan.items[n..];
        let (first, skip) = match identity {
            Some(identity) => {
                let mut b = self.b(st.at);
                (identity.into_iter().map(|attr| scalar::constant(&mut b, attr)).collect(), false)
            }
            None => {
                let loops: Vec<&Loop> = items
                    .iter()
                    .filter_map(|item| match item {
                        Item::Loop(one) if self.plan.is_loop(one) => Some(one),
                        _ => None,
                    })
                    .collect();
                let one = match loops.as_slice() {
                    [one] if self.plan.sizes[one.dim][0] > 0 => (*one).clone(),
                    [] => return Ok((st.clone(), self.contribution(&st)?)),
                    _ => return Err("an operator on tuples without identity, over several loops".into()),
                };
                let mut at_first = st.clone();
                at_first.ivs[one.dim].clear();
                (self.contribution(&at_first)?, true)
            }
        };
        let values = self.carry(n, st.clone(), first, skip)?;
        Ok((st, values))
    }

    fn carry(&mut self, n: usize, st: State, so_far: Vec<Value>, skip: bool) -> Done<Vec<Value>> {
        let Some(item) = self.plan.items.get(n) else {
            let values = self.contribution(&st)?;
            let yields = self.yields;
            return Ok(yields.apply(&mut self.b(st.at), &so_far, &values));
        };
        let carried = LoopSpec {
            kind: sched::Kind::Ordered,
            ops: Vec::new(),
            inits: so_far.clone(),
            results: self.yields.types.clone(),
            ..Default::default()
        };
        let (inner, inside) = match item.clone() {
            Item::Owner(_) => return self.carry(n + 1, st, so_far, skip),
            Item::Guard(_) if st.taken.contains(&n) => return self.carry(n + 1, st, so_far, skip),
            Item::Loop(one) if self.trip(&st, &one) == 1 => return self.carry(n + 1, st, so_far, skip),
            Item::Loop(one) => {
                let plain = self.spec(&st, &one)?;
                let from = skip.then(|| Bound { map: AffineMap::constant(1), values: Vec::new() });
                let spec = LoopSpec {
                    kind: carried.kind,
                    ops: Vec::new(),
                    inits: carried.inits,
                    results: carried.results,
                    order: sched::Order::Fixed,
                    from,
                    ..plain
                };
                let inner = spec.build(&mut self.b(st.at));
                (inner, self.enter(inner, &one, st))
            }
            Item::Guard(bound) => {
                let limit = Some(self.open(&st, &bound)?);
                let inner = LoopSpec { extent: 1, tile: 1, limit, ..carried }.build(&mut self.b(st.at));
                let at = self.inside(inner);
                (inner, State { at, ..st })
            }
        };
        let at = inside.at;
        let block = self.ir.entry(inner.body(self.ir)).expect("just built with a block");
        let acc = self.ir.block_args(block)[1..].to_vec();
        let values = self.carry(n + 1, inside, acc, false)?;
        Yield::build(&mut self.b(at), &values);
        Ok(self.ir.results(inner.id()).collect())
    }

    /// The body at a point
    fn contribution(&mut self, st: &State) -> Done<Vec<Value>> {
        let mut map = ValueMap::default();
        let args = self.ir.block_args(self.body).to_vec();
        let view = self.view;
        for ((n, input), arg) in view.inputs.iter().enumerate().zip(args) {
            let value = self.read(st, n, input)?;
            map.insert(arg, value);
        }
        let ops: Vec<OpId> = self.ir.block_ops(self.body).collect();
        for op in ops {
            if let Some(index) = mdh::Index::cast(self.ir, op) {
                let dim = index.dim(self.ir).as_i64(self.ir.cx()).unwrap_or(0);
                let value = self.expr(st, &AffineExpr::Dim(dim as u32))?;
                map.insert(self.ir.result(op, 0), value);
            } else if mdh::Yield::cast(self.ir, op).is_some() {
                let given: Option<Vec<Value>> = self.ir.operands(op).map(|value| map.get(value)).collect();
                return given.ok_or_else(|| "the body uses values from outside".into());
            } else {
                let copy = self.ir.clone_op(None, op, &mut map);
                self.b(st.at).place(copy);
            }
        }
        Err("the body has no yield".into())
    }

    /// An index expression over dimensions as a value
    fn expr(&mut self, st: &State, expr: &AffineExpr) -> Done<Value> {
        let access = self.access(st, std::slice::from_ref(expr))?;
        let expr = access.map.results.first().cloned().unwrap_or(0.into());
        Ok(scalar::affine(&mut self.b(st.at), &expr, &access.values))
    }

    fn read(&mut self, st: &State, n: usize, input: &Input) -> Done<Value> {
        let Some(map) = &input.map else { return Ok(self.inputs[n]) };
        let access = self.access(st, &map.results)?;
        let other = match input.other {
            None => None,
            Some(Other::Value(value)) => Some(value),
            Some(Other::Constant(attr)) => Some(scalar::constant(&mut self.b(st.at), attr)),
        };
        let memref = self.inputs[n];
        let mut b = self.b(st.at);
        let read = Read::make(&mut b, memref, &access, other).id();
        let value = b.read().result(read, 0);
        let (Some(guard), Some(other)) = (&input.guard, other) else { return Ok(value) };
        let rest = self.expr(st, guard)?;
        let mut b = self.b(st.at);
        Ok(scalar::where_zero(&mut b, rest, value, other))
    }

    /// Contributions to their places
    fn store(&mut self, st: &State, values: &[Value]) -> Done<()> {
        let mut values = values.to_vec();
        let (view, yields) = (self.view, self.yields);
        let operators = yields.operators();
        let places: Vec<Access> = yields
            .place
            .iter()
            .map(|(out, access)| self.access(st, &view.outputs[*out].maps[*access].results))
            .collect::<Done<_>>()?;
        if st.combine && matches!(yields.combine, Combine::Joint(_)) {
            // Start values in front, read from where the results go.
            if self.starts.iter().any(Option::is_none) {
                return Err("start values for some components of a tuple only".into());
            }
            let mut before = Vec::new();
            for (n, (out, _)) in yields.place.iter().enumerate() {
                let memref = self.dests[*out];
                let mut b = self.b(st.at);
                let read = Read::make(&mut b, memref, &places[n], None).id();
                before.push(b.read().result(read, 0));
            }
            values = yields.apply(&mut self.b(st.at), &before, &values);
        }
        for (n, (out, _)) in yields.place.iter().enumerate() {
            let memref = self.dests[*out];
            let started = self.starts[*out].is_some() || self.combines_in_memory();
            let operator = operators.get(n).filter(|_| started);
            Write::make(&mut self.b(st.at), values[n], memref, &places[n], operator);
        }
        Ok(())
    }
}

/// Number the dimensions that are used, in order of use
fn compact(dims: Dims, results: Vec<AffineExpr>) -> Option<Access> {
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
            Item::Loop(one) if matches!(view.dims[one.dim].kind, Kind::Pw(..)) && !one.partial => from = n,
            Item::Loop(_) => break,
            Item::Owner(layer) if plan.steps[layer - 1].outs.iter().any(Option::is_some) => break,
            Item::Owner(_) | Item::Guard(_) => {}
        }
    }
    from
}
