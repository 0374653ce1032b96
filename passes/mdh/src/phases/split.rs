//! A window over spaced elements as one computation for each phase.
//!
//! Coordinates of a dimension are divided by remainders: `y = m·q + p` of a kept one, `k = m·l + r` of a reduced one. An element is met where
//! `α·p + β·r + shift` is a multiple of the stride, for at most one `r` of each `p`. The other remainders meet the
//! constant, in terms that do not depend on `q`.

use super::spaced::{Along, Elements, Spaced};
use crate::collapse::{Collapsed, Place};
use crate::parts;
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::view::{CombineKind, Condition, Dim, Input, Order, Other, Output, View};
use terrace_dialect_mdh::{Compute, Index};
use terrace_ir::{Builder, Ir, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_support::gcd;

/// Most phases of a computation: each is code of its own
const MOST: usize = 16;

/// Operations that an element between two computations costs, as for elements that are stored in place of being computed again
const BETWEEN: u128 = 4;

/// Remainders along one subscript
struct Residues {
    /// What kept coordinates are divided by
    kept: i64,
    /// What reduced coordinates are divided by
    reduced: i64,
    /// For each remainder of the kept coordinate, that of the reduced one at which elements are met
    meets: Vec<Option<i64>>,
}

/// Sums with the constant
struct Terms {
    value: Value,
    /// Dimensions of the computation that each dimension of the tensor is
    dims: Vec<Vec<usize>>,
}

/// A computation and its phases
pub struct Split<'a> {
    op: Compute,
    view: &'a View,
    spaced: Spaced,
    residues: Vec<Residues>,
    /// Kept dimensions that terms with the constant depend on
    shared: Vec<usize>,
    /// Remainders of the kept and of the reduced coordinates, for each phase that meets elements
    phases: Vec<Vec<(i64, i64)>>,
}

impl<'a> Split<'a> {
    /// The phases; `None` where sums may not be taken apart
    pub fn of(ir: &Ir, op: Compute, view: &'a View, spaced: Spaced) -> Option<Split<'a>> {
        let [out] = view.outputs.as_slice() else { return None };
        let ([place], None) = (out.maps.as_slice(), &out.init) else { return None };
        let known = |dim: &Dim| match &dim.kind {
            CombineKind::Cc => true,
            // Phases change brackets.
            CombineKind::Pw(_, Order::Tree | Order::Invariant | Order::Exact) => false,
            CombineKind::Pw(operators, _) => operators.iter().all(|one| matches!(one, Operator::Builtin(_))),
            CombineKind::Ps(_) => false,
        };
        let kept: Vec<u32> = parts::kept(view, view.dims.len()).into_iter().map(|dim| dim as u32).collect();
        let mut places = place.result_dims()?;
        places.sort_unstable();
        let plain = view.conditions.is_empty() && !view.in_order(ir, op) && places == kept;
        let indexed = ir.walk_below(op.id()).any(|op| ir.is(op, Index::DEF));
        if !plain || indexed || !view.dims.iter().all(|dim| known(dim) && dim.size > 0) {
            return None;
        }
        let residues: Vec<Residues> = spaced.along.iter().map(Residues::of).collect();
        let count = residues.iter().try_fold(1usize, |all, one| all.checked_mul(one.meets.len()))?;
        if count > MOST {
            return None;
        }
        let uses = |input: &Input, dim: usize| {
            let uses = |expr: &AffineExpr| expr.uses_dim(dim as u32);
            input.map.iter().flat_map(|map| &map.results).chain(&input.guard).any(uses)
        };
        let others = || view.inputs.iter().enumerate().filter(|(n, _)| *n != spaced.input);
        let shared = kept.iter().map(|dim| *dim as usize);
        let shared = shared.filter(|dim| others().any(|(_, input)| uses(input, *dim))).collect();
        let mut split = Split { op, view, spaced, residues, shared, phases: vec![Vec::new()] };
        for (along, residues) in split.spaced.along.iter().zip(&split.residues) {
            let (y, k) = (view.dims[along.kept.0].size, view.dims[along.reduced.0].size);
            let met = residues.meets.iter().zip(0..).filter_map(|(meets, p)| Some((p, (*meets)?)));
            let met: Vec<(i64, i64)> = met.filter(|(p, r)| *p < y && *r < k).collect();
            let with = |phase: &Vec<(i64, i64)>| {
                met.iter().map(|one| [phase.as_slice(), &[*one]].concat()).collect::<Vec<_>>()
            };
            split.phases = split.phases.iter().flat_map(with).collect();
        }
        Some(split)
    }

    /// How many phases there are, with those that meet no element
    pub fn phases(&self) -> usize {
        self.residues.iter().map(|one| one.meets.len()).product()
    }

    /// Are all phases with what they start from fewer operations?
    pub fn pays(&self, ir: &Ir) -> bool {
        let product = |sizes: &mut dyn Iterator<Item = i64>| {
            sizes.fold(1u128, |all, size| all.saturating_mul(size.max(0) as u128))
        };
        let ops = ir.entry(self.op.body(ir)).map_or(1, |body| ir.block_ops(body).count()) as u128;
        let whole = product(&mut self.view.dims.iter().map(|dim| dim.size));
        let phases = self.phases.iter().map(|phase| product(&mut self.sizes(phase).into_iter()));
        let phases = phases.fold(0, u128::saturating_add);
        let results = parts::kept(self.view, self.view.dims.len()).into_iter();
        let results = product(&mut results.map(|dim| self.view.dims[dim].size));
        let shared = product(&mut self.shared.iter().map(|dim| self.view.dims[*dim].size));
        let reduced = self.view.dims.iter().filter(|dim| !dim.kind.kept()).map(|dim| dim.size);
        let constant = product(&mut reduced.into_iter()).saturating_mul(shared);
        // `between` visits every tap for every phase, once for each subscript.
        let taps = self.spaced.along.iter().map(|along| self.view.dims[along.reduced.0].size);
        let between = product(&mut self.residues.iter().map(|residues| residues.kept).chain(taps));
        let between = between.saturating_mul(shared).saturating_mul(self.residues.len() as u128);
        let divided = phases.saturating_add(constant).saturating_mul(ops).saturating_add(between);
        divided.saturating_add(results.saturating_mul(BETWEEN)) < whole.saturating_mul(ops)
    }

    /// Put the phases in place of the computation
    pub fn replace(self, ir: &mut Ir) -> Option<()> {
        let constant = self.constant(ir);
        let terms = self.terms(ir, constant)?;
        let between = self.between(ir, terms)?;
        let mut result = self.everywhere(ir, between)?;
        let elements = self.elements(ir, constant)?;
        for phase in &self.phases {
            result = self.phase(ir, phase, elements, result)?;
        }
        ir.replace_all_uses(ir.result(self.op.id(), 0), result);
        ir.erase(self.op.id());
        Some(())
    }

    /// Sizes of all dimensions in a phase
    fn sizes(&self, phase: &[(i64, i64)]) -> Vec<i64> {
        let mut sizes = self.view.sizes();
        for ((along, residues), (p, r)) in self.spaced.along.iter().zip(&self.residues).zip(phase) {
            sizes[along.kept.0] = places(sizes[along.kept.0], *p, residues.kept);
            sizes[along.reduced.0] = places(sizes[along.reduced.0], *r, residues.reduced);
        }
        sizes
    }

    fn constant(&self, ir: &mut Ir) -> Value {
        match self.spaced.constant {
            Other::Value(value) => value,
            Other::Constant(attr) => {
                let constant = arith::Constant::build(&mut Builder::before(ir, self.op.id()), attr);
                constant.result(ir)
            }
        }
    }

    fn elem(&self, ir: &Ir) -> Type {
        ir.ty(ir.result(self.op.id(), 0)).scalar(ir.cx())
    }

    fn name(&self, what: &str) -> Option<String> {
        self.view.name.as_ref().map(|name| format!("{name}_{what}"))
    }

    fn shared_dims(&self) -> impl Iterator<Item = Dim> {
        self.shared.iter().map(|dim| self.view.dims[*dim].clone())
    }

    /// Dimensions of the terms with the constant: reduced ones that meet elements, and kept ones, as the other inputs have them in rows
    fn rows(&self) -> Vec<usize> {
        let taps: Vec<usize> = self.spaced.along.iter().map(|along| along.reduced.0).collect();
        let others = self.view.inputs.iter().enumerate().filter(|(n, _)| *n != self.spaced.input);
        let last = |(_, input): (usize, &Input)| input.map.as_ref()?.results.last().cloned();
        let in_row = others.filter_map(last).any(|expr| taps.iter().any(|tap| expr.uses_dim(*tap as u32)));
        if in_row {
            [self.shared.as_slice(), &taps].concat()
        } else {
            [taps.as_slice(), &self.shared].concat()
        }
    }

    /// A coordinate of the terms, turned where the other inputs have it from its end, so that they are read forward
    fn turned(&self, own: usize, at: AffineExpr) -> AffineExpr {
        let falls = |(n, input): (usize, &Input)| {
            let falls = |expr: &AffineExpr| expr.as_linear().is_some_and(|linear| linear.dim(own) < 0);
            n != self.spaced.input && input.map.as_ref().is_some_and(|map| map.results.iter().any(falls))
        };
        match self.view.inputs.iter().enumerate().any(falls) {
            true => AffineExpr::sub((self.view.dims[own].size - 1).into(), at),
            false => at,
        }
    }

    /// What the terms are with the constant in place of elements, summed over what does not decide whether an element is met
    fn terms(&self, ir: &mut Ir, constant: Value) -> Option<Terms> {
        let view = self.view;
        let rows = self.rows();
        let mut dims: Vec<Dim> = Vec::new();
        let mut coords: Vec<AffineExpr> = vec![0.into(); view.dims.len()];
        for own in &rows {
            coords[*own] = self.turned(*own, dim(dims.len()));
            dims.push(Dim { kind: CombineKind::Cc, ..view.dims[*own].clone() });
        }
        for (n, own) in view.dims.iter().enumerate() {
            if !own.kind.kept() && !rows.contains(&n) {
                coords[n] = dim(dims.len());
                dims.push(own.clone());
            }
        }
        let kept = rows.len();
        let mut inputs = self.moved_inputs(&coords, dims.len())?;
        inputs[self.spaced.input] = Input { value: constant, map: None, other: None, guard: None };
        let shape: Vec<i64> = dims[..kept].iter().map(|dim| dim.size).collect();
        let outputs = vec![Output { maps: vec![map(dims.len(), (0..kept).map(dim).collect())?], init: None }];
        let body = parts::copied_body(ir, self.op, |_, _| None)?;
        let (name, conditions) = (self.name("terms"), Vec::new());
        let made = View { name, dims, inputs, outputs, conditions, extents: Vec::new() };
        let ty = ir.cx().tensor(&shape, self.elem(ir));
        let terms = made.build(&mut Builder::before(ir, self.op.id()), &[ty], body);
        // Rows of few taps are read as the long ones that they are parts of.
        Some(match Collapsed::before(ir, terms, &made, Place::Anywhere) {
            Some(long) => {
                let (value, groups) = long.flat(ir, terms);
                let whole = |group: Vec<i64>| group.into_iter().map(|n| rows[n as usize]).collect();
                Terms { value, dims: groups.into_iter().map(whole).collect() }
            }
            None => {
                Terms { value: ir.result(terms.id(), 0), dims: rows.into_iter().map(|n| vec![n]).collect() }
            }
        })
    }

    /// For each remainder of the kept coordinates: the terms that meet no element
    ///
    /// These are the ones with another remainder along the first subscript, then those with the right one there and another along the second,
    /// and so on: no term is taken twice.
    fn between(&self, ir: &mut Ir, terms: Terms) -> Option<Value> {
        let count = self.residues.len();
        let rank = 2 * count + self.shared.len();
        let kept = count + self.shared.len();
        let mut made: Option<Value> = None;
        for last in 0..count {
            let mut dims: Vec<Dim> = self.numbered("p", |residues| residues.kept, CombineKind::Cc);
            dims.extend(self.shared_dims());
            let kind = self.view.dims[self.spaced.along[last].reduced.0].kind.clone();
            let taps = self.spaced.along.iter().map(|along| &self.view.dims[along.reduced.0]);
            dims.extend(taps.map(|tap| Dim { kind: kind.clone(), ..tap.clone() }));
            let mut conditions = Vec::new();
            for (n, along) in self.spaced.along[..=last].iter().enumerate() {
                let sum = AffineExpr::add(
                    AffineExpr::mul(dim(n), along.kept.1.into()),
                    AffineExpr::mul(dim(kept + n), along.reduced.1.into()),
                );
                let expr = AffineExpr::modulo(AffineExpr::add(sum, along.shift.into()), along.stride.into());
                conditions.push(match n == last {
                    true => Condition { low: Some(1.into()), expr, high: along.stride.into() },
                    false => Condition { low: None, expr, high: 1.into() },
                });
            }
            let at = |own: &usize| {
                let shared = self.shared.iter().position(|shared| shared == own).map(|n| count + n);
                let tap = || self.spaced.along.iter().position(|along| along.reduced.0 == *own);
                Some(self.turned(*own, dim(shared.or_else(|| Some(kept + tap()?))?)))
            };
            let in_run = |sum: AffineExpr, own: &usize| {
                Some(AffineExpr::add(AffineExpr::mul(sum, self.view.dims[*own].size.into()), at(own)?))
            };
            let run = |dims: &Vec<usize>| dims.iter().try_fold(0.into(), in_run);
            let read = terms.dims.iter().map(run).collect::<Option<_>>()?;
            let inputs =
                vec![Input { value: terms.value, map: Some(map(rank, read)?), other: None, guard: None }];
            let init = made.map(|value| (value, None));
            let outputs = vec![Output { maps: vec![map(rank, (0..kept).map(dim).collect())?], init }];
            let shape: Vec<i64> = dims[..kept].iter().map(|dim| dim.size).collect();
            let body = parts::pass_on(ir, &[self.elem(ir)]);
            let view =
                View { name: self.name("between"), dims, inputs, outputs, conditions, extents: Vec::new() };
            made = Some(self.build(ir, &view, &shape, body));
        }
        made
    }

    /// These sums at every place of the result
    fn everywhere(&self, ir: &mut Ir, between: Value) -> Option<Value> {
        let kept = parts::kept(self.view, self.view.dims.len());
        let at = |n: usize| kept.iter().position(|dim| *dim == n).map_or(0.into(), dim);
        let phase = self.spaced.along.iter().zip(&self.residues);
        let phase = phase.map(|(along, residues)| AffineExpr::modulo(at(along.kept.0), residues.kept.into()));
        let read = phase.chain(self.shared.iter().map(|n| at(*n))).collect();
        let read = map(kept.len(), read)?;
        let inputs = vec![Input { value: between, map: Some(read), other: None, guard: None }];
        let place = self.view.outputs[0].maps[0].result_dims()?;
        let place = place.into_iter().map(|n| at(n as usize)).collect();
        let outputs = vec![Output { maps: vec![map(kept.len(), place)?], init: None }];
        let dims = kept.iter().map(|dim| self.view.dims[*dim].clone()).collect();
        let body = parts::pass_on(ir, &[self.elem(ir)]);
        let view = View {
            name: self.name("starts"),
            dims,
            inputs,
            outputs,
            conditions: Vec::new(),
            extents: Vec::new(),
        };
        let shape = ir.ty(ir.result(self.op.id(), 0)).shape(ir.cx())?.to_vec();
        Some(self.build(ir, &view, &shape, body))
    }

    /// The elements without the places between them; a slice in a margin of the constant, which is itself where it has none
    fn elements(&self, ir: &mut Ir, constant: Value) -> Option<Value> {
        let Elements::Slice { value, places: all } = &self.spaced.elements else {
            return Some(self.view.inputs[self.spaced.input].value);
        };
        let sizes = ir.ty(*value).shape(ir.cx())?.to_vec();
        let shape: Vec<i64> =
            all.iter().map(|(size, from, stride)| places(*size, from % stride, *stride)).collect();
        if shape == sizes {
            return Some(*value);
        }
        let dims = |sizes: &[i64]| {
            let dim = |(n, size): (usize, &i64)| Dim {
                name: terrace_dialect_mdh::view::default_name(n),
                size: *size,
                kind: CombineKind::Cc,
            };
            sizes.iter().enumerate().map(dim).collect()
        };
        let rank = sizes.len();
        let elem = ir.ty(*value).scalar(ir.cx());
        let identity = AffineMap::identity(rank as u32);
        let mut view = View {
            name: self.name("margin"),
            dims: dims(&shape),
            inputs: vec![Input { value: constant, map: None, other: None, guard: None }],
            outputs: vec![Output { maps: vec![identity.clone()], init: None }],
            conditions: Vec::new(),
            extents: Vec::new(),
        };
        let ty = ir.cx().tensor(&shape, elem);
        let body = parts::pass_on(ir, &[elem]);
        let filled = view.build(&mut Builder::before(ir, self.op.id()), &[ty], body);
        let filled = ir.result(filled.id(), 0);
        let at = all.iter().enumerate();
        let at = at.map(|(n, (_, from, stride))| AffineExpr::add(dim(n), (from / stride).into())).collect();
        view.name = self.name("elements");
        view.dims = dims(&sizes);
        view.inputs = vec![Input { value: *value, map: Some(identity), other: None, guard: None }];
        view.outputs = vec![Output { maps: vec![map(rank, at)?], init: Some((filled, None)) }];
        let body = parts::pass_on(ir, &[elem]);
        let inserted = view.build(&mut Builder::before(ir, self.op.id()), &[ty], body);
        Some(ir.result(inserted.id(), 0))
    }

    /// The places of one phase: written over the starts, or as rows that `spread` merges
    fn phase(&self, ir: &mut Ir, phase: &[(i64, i64)], elements: Value, before: Value) -> Option<Value> {
        let rank = self.view.dims.len();
        let mut coords: Vec<AffineExpr> = (0..rank).map(dim).collect();
        for ((along, residues), (p, r)) in self.spaced.along.iter().zip(&self.residues).zip(phase) {
            let at = |n: usize, step: i64, rest: i64| {
                AffineExpr::add(AffineExpr::mul(dim(n), step.into()), rest.into())
            };
            coords[along.kept.0] = at(along.kept.0, residues.kept, *p);
            coords[along.reduced.0] = at(along.reduced.0, residues.reduced, *r);
        }
        let mut made = self.view.clone();
        for (dim, size) in made.dims.iter_mut().zip(self.sizes(phase)) {
            dim.size = size;
        }
        made.inputs = self.moved_inputs(&coords, rank)?;
        let input = &mut made.inputs[self.spaced.input];
        let mut read = input.map.clone()?.results;
        for ((along, residues), (p, r)) in self.spaced.along.iter().zip(&self.residues).zip(phase) {
            let stride = along.stride;
            let term = |(n, factor): (usize, i64), step: i64| {
                AffineExpr::mul(dim(n), (factor * step / stride).into())
            };
            let rest = (along.kept.1 * p + along.reduced.1 * r + along.shift).div_euclid(stride);
            let margin = match &self.spaced.elements {
                Elements::Slice { places, .. } => places[along.subscript].1 / stride,
                Elements::Guarded => 0,
            };
            let sum = AffineExpr::add(term(along.kept, residues.kept), term(along.reduced, residues.reduced));
            read[along.subscript] = AffineExpr::add(sum, (rest + margin).into());
        }
        (input.value, input.map, input.guard) = (elements, Some(map(rank, read)?), None);
        let place = &self.view.outputs[0].maps[0];
        let result = ir.ty(ir.result(self.op.id(), 0)).shape(ir.cx())?.to_vec();
        let body = parts::copied_body(ir, self.op, |_, _| None)?;
        let at = place.replace(&coords, &[], rank as u32, 0)?;
        if !self.in_rows() {
            made.outputs = vec![Output { maps: vec![at], init: Some((before, None)) }];
            return Some(self.build(ir, &made, &result, body));
        }
        made.outputs = vec![Output { maps: vec![place.clone()], init: None }];
        let sizes = self.sizes(phase);
        let shape: Vec<i64> = place.result_dims()?.into_iter().map(|dim| sizes[dim as usize]).collect();
        let sums = self.build(ir, &made, &shape, body);
        self.spread(ir, sums, (&sizes, at), before)
    }

    /// Do neighbors in a row of the result belong to different phases? Then a phase has rows of its own, which are spread afterwards
    fn in_rows(&self) -> bool {
        let last = self.view.outputs[0].maps[0].results.last();
        let phased = |(along, residues): (&Along, &Residues)| {
            residues.kept > 1 && last.is_some_and(|last| last.uses_dim(along.kept.0 as u32))
        };
        self.spaced.along.iter().zip(&self.residues).any(phased)
    }

    /// The sums of a phase merged with what is at their places
    fn spread(
        &self,
        ir: &mut Ir,
        sums: Value,
        (sizes, at): (&[i64], AffineMap),
        before: Value,
    ) -> Option<Value> {
        // One point of a fold, whose other operand is what is there.
        let mut dims = self.view.dims.clone();
        for (dim, size) in dims.iter_mut().zip(sizes) {
            dim.size = if dim.kind.kept() { *size } else { 1 };
        }
        let read = Some(self.view.outputs[0].maps[0].clone());
        let view = View {
            name: self.name("spread"),
            dims,
            inputs: vec![Input { value: sums, map: read, other: None, guard: None }],
            outputs: vec![Output { maps: vec![at], init: Some((before, None)) }],
            conditions: Vec::new(),
            extents: Vec::new(),
        };
        let shape = ir.ty(before).shape(ir.cx())?.to_vec();
        let body = parts::pass_on(ir, &[self.elem(ir)]);
        Some(self.build(ir, &view, &shape, body))
    }

    /// Dimensions for remainders, one for each subscript
    fn numbered(&self, name: &str, size: impl Fn(&Residues) -> i64, kind: CombineKind) -> Vec<Dim> {
        let dim = |(n, residues)| {
            let mut name = format!("{name}_{n}");
            while self.view.dims.iter().any(|dim| dim.name == name) {
                name.push('_');
            }
            Dim { name, size: size(residues), kind: kind.clone() }
        };
        self.residues.iter().enumerate().map(dim).collect()
    }

    /// All inputs at coordinates of another computation
    fn moved_inputs(&self, coords: &[AffineExpr], rank: usize) -> Option<Vec<Input>> {
        let moved = |input: &Input| {
            let mut input = input.clone();
            if let Some(own) = &mut input.map {
                // As sums of coordinates: what is turned twice is as it was.
                let plain = |expr: AffineExpr| expr.as_linear().map_or(expr, |sum| sum.to_expr());
                let all: Option<Vec<AffineExpr>> =
                    own.results.iter().map(|expr| expr.replace(coords, &[]).map(plain)).collect();
                *own = map(rank, all?)?;
            }
            if let Some(guard) = &mut input.guard {
                *guard = guard.replace(coords, &[])?;
            }
            Some(input)
        };
        self.view.inputs.iter().map(moved).collect()
    }

    fn build(&self, ir: &mut Ir, view: &View, shape: &[i64], body: terrace_ir::BlockId) -> Value {
        let ty = ir.cx().tensor(shape, self.elem(ir));
        let made = view.build(&mut Builder::before(ir, self.op.id()), &[ty], body);
        ir.result(made.id(), 0)
    }
}

impl Residues {
    fn of(along: &Along) -> Residues {
        let stride = along.stride;
        let step = |factor: i64| stride / gcd(factor.unsigned_abs(), stride.unsigned_abs()) as i64;
        let (kept, reduced) = (step(along.kept.1), step(along.reduced.1));
        let meets = |p: i64| {
            let sum = |r: i64| along.kept.1 * p + along.reduced.1 * r + along.shift;
            (0..reduced).find(|r| sum(*r).rem_euclid(stride) == 0)
        };
        Residues { kept, reduced, meets: (0..kept).map(meets).collect() }
    }
}

/// How many coordinates below an extent have a remainder
fn places(extent: i64, remainder: i64, step: i64) -> i64 {
    ((extent - remainder).max(0) as u64).div_ceil(step as u64) as i64
}

fn dim(n: usize) -> AffineExpr {
    AffineExpr::Dim(n as u32)
}

fn map(rank: usize, results: Vec<AffineExpr>) -> Option<AffineMap> {
    AffineMap::new(rank as u32, 0, results)
}
