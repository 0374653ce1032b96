//! A reduction as computations that state its bracket.
//!
//! First the sums of all lanes and parts, as results that are kept, and what lanes leave over at the end of a row. Then lanes by halves, each
//! with its element of what is left over; then parts from the left. Start values come in front of the last one.
//!
//! Where conditions leave points out, as those of an extent that is known at run time do, nothing is left over: lanes have one step more, and points behind
//! the end of the row are left out, too.

use super::bracket::Bracket;
use crate::parts;
use terrace_dialect_arith::{self as arith, CmpIPredicate};
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::view::{CombineKind, Condition, Dim, Extent, Input, Order, Other, Output, View};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_ir::{Attr, BlockId, Builder, Ir, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A coordinate of the whole in those of a computation: what is added to a multiple of each
#[derive(Clone)]
struct Coordinate {
    terms: Vec<(usize, i64)>,
    constant: i64,
}

impl Coordinate {
    fn expr(&self) -> AffineExpr {
        self.terms.iter().fold(self.constant.into(), |sum, (dim, by)| {
            AffineExpr::add(sum, AffineExpr::mul(AffineExpr::Dim(*dim as u32), (*by).into()))
        })
    }

    fn value(&self, b: &mut Builder<'_>) -> Value {
        let mut sum = None;
        for (dim, by) in &self.terms {
            let mut here = parts::index(b, *dim);
            if *by != 1 {
                let by = parts::index_constant(b, *by);
                here = arith::MulI::build(b, here, by).result(b.read());
            }
            sum = Some(plus(b, sum, here));
        }
        if self.constant != 0 || sum.is_none() {
            let constant = parts::index_constant(b, self.constant);
            sum = Some(plus(b, sum, constant));
        }
        sum.unwrap_or_else(|| parts::index_constant(b, 0))
    }
}

fn plus(b: &mut Builder<'_>, sum: Option<Value>, more: Value) -> Value {
    match sum {
        Some(sum) => arith::AddI::build(b, sum, more).result(b.read()),
        None => more,
    }
}

/// The points of a computation, and where they are in the whole
struct Points {
    dims: Vec<Dim>,
    coordinates: Vec<Coordinate>,
}

/// A reduction to divide
struct Division<'a> {
    op: Compute,
    view: &'a View,
    bracket: &'a Bracket,
    /// Dimensions in front of lanes and reduced ones: the part, then what is kept in the whole
    kept: Vec<Dim>,
    /// Elements at the end of a row that do not fill all lanes, and where they begin
    left: Option<(i64, i64)>,
    /// Steps of lanes at the end of a row are steps like others, in which some lanes have no element
    rounds_up: bool,
}

/// Put computations that state the bracket in place of the one as written; `None` for an index function that is too deep
pub fn replace(ir: &mut Ir, op: Compute, view: &View, bracket: &Bracket) -> Option<()> {
    let division = Division::of(op, view, bracket);
    // What is left over comes first, so that sums and what folds them are neighbors.
    let left = match division.left {
        Some(_) if division.has_one_reduced() => None,
        Some(_) => Some(division.left_over(ir)?),
        None => None,
    };
    let mut last = division.sums(ir)?;
    if bracket.lanes.is_some() {
        last = division.lanes(ir, last, left)?;
    }
    if bracket.parts.is_some() {
        last = division.parts(ir, last)?;
    }
    parts::replace(ir, op, last);
    Some(())
}

impl Division<'_> {
    fn of<'a>(op: Compute, view: &'a View, bracket: &'a Bracket) -> Division<'a> {
        let mut kept = Vec::new();
        let rounds_up = !view.conditions.is_empty();
        if let Some(parts) = bracket.parts {
            let lanes = bracket.lanes.filter(|lanes| lanes.dim == parts.dim).map_or(1, |lanes| lanes.count);
            let size = view.dims[parts.dim].size;
            let size = count(if rounds_up { size } else { size / lanes * lanes }, parts.step);
            kept.push(Dim { name: fresh(view, "part"), size, kind: CombineKind::Cc });
        }
        kept.extend(view.dims.iter().filter(|dim| dim.kind.kept()).cloned());
        let left = bracket.lanes.filter(|_| !rounds_up).and_then(|lanes| {
            let size = view.dims[lanes.dim].size;
            (size % lanes.count != 0).then_some((size % lanes.count, size / lanes.count * lanes.count))
        });
        Division { op, view, bracket, kept, left, rounds_up }
    }

    fn part(&self) -> usize {
        usize::from(self.bracket.parts.is_some())
    }

    /// The points of all sums: kept dimensions, the lane, then reduced ones
    fn of_sums(&self) -> Points {
        let mut dims = self.kept.clone();
        let lane = dims.len();
        if let Some(lanes) = self.bracket.lanes {
            dims.push(Dim { name: fresh(self.view, "lanes"), size: lanes.count, kind: CombineKind::Cc });
        }
        let mut kept = self.part();
        let mut coordinates = Vec::new();
        for (n, dim) in self.view.dims.iter().enumerate() {
            let mut terms = Vec::new();
            if dim.kind.kept() {
                terms.push((kept, 1));
                kept += 1;
            } else {
                let part = self.bracket.parts.filter(|parts| parts.dim == n);
                let lanes = self.bracket.lanes.filter(|lanes| lanes.dim == n);
                let by = lanes.map_or(1, |lanes| lanes.count);
                terms.extend(part.map(|parts| (0, parts.step)));
                terms.extend(lanes.map(|_| (lane, 1)));
                terms.push((dims.len(), by));
                let size = part.map_or(dim.size, |parts| parts.step);
                let size = if self.rounds_up { count(size, by) } else { size / by };
                dims.push(Dim { name: dim.name.clone(), size, kind: dim.kind.clone() });
            }
            coordinates.push(Coordinate { terms, constant: 0 });
        }
        Points { dims, coordinates }
    }

    /// The same computation over other points
    fn over(&self, ir: &mut Ir, points: Points, made: Made) -> Option<Compute> {
        let (rank, dims) = (points.dims.len() as u32, points.dims);
        let coords: Vec<AffineExpr> = points.coordinates.iter().map(Coordinate::expr).collect();
        let moved = |map: &AffineMap| {
            let all: Option<Vec<AffineExpr>> =
                map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            AffineMap::new(rank, 0, all?)
        };
        let mut inputs = self.view.inputs.clone();
        for input in &mut inputs {
            if let Some(map) = &mut input.map {
                *map = moved(map)?;
            }
            if let Some(guard) = &mut input.guard {
                *guard = guard.replace(&coords, &[])?;
            }
        }
        let name = self.view.name.as_deref().unwrap_or("reduction");
        let name = Some(format!("{name}_{}", made.name));
        let outputs = self.outputs(rank as usize, made.part, made.lane)?;
        let all = self.view.conditions.iter().map(|condition| along(condition, &coords));
        let conditions: Vec<Condition> =
            all.collect::<Option<Vec<_>>>()?.into_iter().chain(made.conditions).collect();
        let extents = self.extents(&conditions);
        let view = View { name, dims, inputs, outputs, conditions, extents };
        let body = parts::copied_body(ir, self.op, |b, each| {
            let dim = Index::cast(b.read(), each)?.dim(b.read()).as_i64(b.cx());
            let dim = dim.and_then(|dim| usize::try_from(dim).ok())?;
            Some(points.coordinates.get(dim)?.value(b))
        })?;
        let types = self.types(ir, made.part, made.lane.map(|_| made.lanes));
        Some(view.build(&mut Builder::before(ir, self.op.id()), &types, body))
    }

    /// Where results with part and lane are: part, places of the whole, lane
    fn outputs(&self, rank: usize, part: bool, lane: Option<usize>) -> Option<Vec<Output>> {
        let lane = lane.map(|lane| AffineExpr::Dim(lane as u32));
        let made = |out: &Output| {
            let maps = vec![self.place(&out.maps[0], rank, part, lane.clone())?];
            Some(Output { maps, init: None })
        };
        self.view.outputs.iter().map(made).collect()
    }

    /// An index function of a result of the whole, where kept dimensions are in front; with part and lane
    fn place(&self, map: &AffineMap, rank: usize, part: bool, lane: Option<AffineExpr>) -> Option<AffineMap> {
        let mut kept = if part { self.part() } else { 0 };
        let coords: Vec<AffineExpr> = (self.view.dims.iter())
            .map(|dim| match dim.kind.kept() {
                true => {
                    kept += 1;
                    AffineExpr::Dim(kept as u32 - 1)
                }
                false => 0.into(),
            })
            .collect();
        let all: Option<Vec<AffineExpr>> =
            map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
        let part = (part && self.part() > 0).then_some(AffineExpr::Dim(0));
        AffineMap::new(rank as u32, 0, part.into_iter().chain(all?).chain(lane).collect())
    }

    /// Types of results with part and lane
    fn types(&self, ir: &Ir, part: bool, lanes: Option<i64>) -> Vec<Type> {
        let part: Vec<i64> = self.kept[..self.part()].iter().filter(|_| part).map(|dim| dim.size).collect();
        let of = |value: Value| {
            let ty = ir.ty(value);
            let own = ty.shape(ir.cx()).unwrap_or(&[]);
            let shape: Vec<i64> = part.iter().chain(own).copied().chain(lanes).collect();
            ir.cx().tensor(&shape, ty.scalar(ir.cx()))
        };
        ir.results(self.op.id()).map(of).collect()
    }

    /// The conditions on kept dimensions alone, of which the first is this one
    fn conditions(&self, first: usize) -> Option<Vec<Condition>> {
        let reduced = |condition: &&Condition| {
            let uses = |(n, dim): (usize, &Dim)| {
                let exprs = condition.at_least_zero();
                !dim.kind.kept() && exprs.iter().any(|expr| expr.uses_dim(n as u32))
            };
            self.view.dims.iter().enumerate().any(uses)
        };
        let mut kept = first;
        let coords: Vec<AffineExpr> = (self.view.dims.iter())
            .map(|dim| match dim.kind.kept() {
                true => {
                    kept += 1;
                    AffineExpr::Dim(kept as u32 - 1)
                }
                false => 0.into(),
            })
            .collect();
        let all = self.view.conditions.iter().filter(|condition| !reduced(condition));
        all.map(|condition| along(condition, &coords)).collect()
    }

    /// What symbols of conditions stand for, where there are conditions
    fn extents(&self, conditions: &[Condition]) -> Vec<Extent> {
        if conditions.is_empty() { Vec::new() } else { self.view.extents.clone() }
    }

    /// Where points are behind the end of a dimension that lanes and parts take in whole steps
    fn ends(&self, points: &Points) -> Vec<Condition> {
        let lanes = self.bracket.lanes.map(|lanes| lanes.dim);
        let mut cut: Vec<usize> =
            lanes.into_iter().chain(self.bracket.parts.map(|parts| parts.dim)).collect();
        cut.dedup();
        let ends = cut.into_iter().filter_map(|dim| {
            let (place, size) = (&points.coordinates[dim], self.view.dims[dim].size);
            let last = |(at, by): &(usize, i64)| (points.dims[*at].size - 1).saturating_mul(*by);
            let most = place.terms.iter().map(last).fold(0i64, i64::saturating_add);
            (most >= size).then(|| Condition { low: None, expr: place.expr(), high: size.into() })
        });
        ends.collect()
    }

    /// Where the last part is shorter: steps of whole lanes, so that the condition is on part and step alone
    fn end_of_parts(&self, points: &Points) -> Vec<Condition> {
        if self.rounds_up {
            return self.ends(points);
        }
        let Some(parts) = self.bracket.parts else { return Vec::new() };
        let lanes = self.bracket.lanes.filter(|lanes| lanes.dim == parts.dim);
        let (size, by) = (self.view.dims[parts.dim].size, lanes.map_or(1, |lanes| lanes.count));
        if size / by * by % parts.step == 0 {
            return Vec::new();
        }
        let own = points.coordinates[parts.dim].terms.iter();
        let own = own.filter(|(dim, _)| points.dims[*dim].kind != CombineKind::Cc || *dim < self.part());
        let expr = Coordinate { terms: own.copied().collect(), constant: 0 }.expr();
        // The first lane's element: with it, those of all lanes are there.
        vec![Condition { low: None, expr, high: (size / by * by - by + 1).into() }]
    }

    /// Sums of all lanes and parts
    fn sums(&self, ir: &mut Ir) -> Option<Compute> {
        let points = self.of_sums();
        let conditions = self.end_of_parts(&points);
        let lane = self.bracket.lanes.map(|_| self.kept.len());
        let lanes = self.bracket.lanes.map_or(1, |lanes| lanes.count);
        self.over(ir, points, Made { name: "sums", part: true, lane, lanes, conditions })
    }

    /// Is what lanes leave over an element for each lane? Then it is computed where lanes are folded
    fn has_one_reduced(&self) -> bool {
        self.view.dims.iter().filter(|dim| !dim.kind.kept()).count() == 1
    }

    /// Is another dimension cut into parts than the one whose neighbors are lanes? Then each part has elements left over
    fn cuts_another(&self) -> bool {
        self.bracket.parts.zip(self.bracket.lanes).is_some_and(|(parts, lanes)| parts.dim != lanes.dim)
    }

    /// What lanes leave over: sums over the other reduced dimensions
    fn left_over(&self, ir: &mut Ir) -> Option<Compute> {
        let (lanes, (left, from)) = (self.bracket.lanes?, self.left?);
        let mut points = self.of_sums();
        let lane = self.kept.len();
        let step = points.coordinates[lanes.dim].terms.last()?.0;
        points.dims[lane].size = left;
        points.coordinates[lanes.dim] = Coordinate { terms: vec![(lane, 1)], constant: from };
        let mut gone = vec![step];
        if !self.cuts_another() {
            gone.extend((0..self.part()).rev());
        }
        for dim in gone {
            points.dims.remove(dim);
            let terms = points.coordinates.iter_mut().flat_map(|coordinate| &mut coordinate.terms);
            terms.filter(|(at, _)| *at > dim).for_each(|(at, _)| *at -= 1);
        }
        let part = self.cuts_another();
        let lane = if part { lane } else { lane - self.part() };
        let conditions = if part { self.end_of_parts(&points) } else { Vec::new() };
        self.over(ir, points, Made { name: "left", part, lane: Some(lane), lanes: left, conditions })
    }

    /// Lanes of each part by halves; those of the last part with what is left over
    fn lanes(&self, ir: &mut Ir, sums: Compute, left: Option<Compute>) -> Option<Compute> {
        let lanes = self.bracket.lanes?;
        let last = self.part() == 0;
        let kind = CombineKind::Pw(self.operators()?, Order::Tree);
        let (mut dims, rows) = (self.kept.clone(), lanes.count / lanes.wide);
        let mut lane = Coordinate { terms: vec![(dims.len(), 1)], constant: 0 };
        dims.push(Dim { name: fresh(self.view, "lanes"), size: lanes.wide, kind: kind.clone() });
        if rows > 1 {
            lane.terms.push((dims.len(), lanes.wide));
            dims.push(Dim { name: fresh(self.view, "rows"), size: rows, kind });
        }
        let rank = dims.len();
        let mut inputs = Vec::new();
        for of in [Some(sums), left].into_iter().flatten() {
            let results: Vec<Value> = ir.results(of.id()).collect();
            for (out, value) in self.view.outputs.iter().zip(results) {
                let map = Some(self.place(&out.maps[0], rank, true, Some(lane.expr()))?);
                inputs.push(Input { value, map, other: None, guard: None });
            }
        }
        // Behind the lanes that have an element left over there is none.
        let behind = inputs.split_at_mut(self.view.outputs.len()).1;
        for (n, input) in behind.iter_mut().enumerate() {
            input.other = Some(Other::Constant(self.neutral(ir, n)?));
        }
        let body = match (self.left, left) {
            (Some(_), None) => self.with_elements(ir, &lane, rank, &mut inputs)?,
            _ => self.merged(ir, left.is_some())?,
        };
        let outputs = match last {
            true => self.results(rank)?,
            false => self.outputs(rank, true, None)?,
        };
        let name = self.view.name.clone();
        let name = if last { name } else { name.map(|name| format!("{name}_parts")) };
        let conditions = self.conditions(self.part())?;
        let extents = self.extents(&conditions);
        let made = View { name, dims, inputs, outputs, conditions, extents };
        let types = self.types(ir, !last, None);
        Some(made.build(&mut Builder::before(ir, self.op.id()), &types, body))
    }

    /// A body that merges each sum with the lane's element that is left over; inputs of the whole are added in front
    fn with_elements(
        &self,
        ir: &mut Ir,
        lane: &Coordinate,
        rank: usize,
        inputs: &mut Vec<Input>,
    ) -> Option<BlockId> {
        let (lanes, (left, from)) = (self.bracket.lanes?, self.left?);
        let mut place = lane.clone();
        if let Some(part) = self.kept[..self.part()].first() {
            // In front of the last part it is below zero.
            place.terms.push((0, lanes.count));
            place.constant = -lanes.count * (part.size - 1);
        }
        let mut kept = self.part();
        let coordinates: Vec<Coordinate> = (self.view.dims.iter())
            .map(|dim| match dim.kind.kept() {
                true => {
                    kept += 1;
                    Coordinate { terms: vec![(kept - 1, 1)], constant: 0 }
                }
                false => Coordinate { constant: place.constant + from, ..place.clone() },
            })
            .collect();
        let coords: Vec<AffineExpr> = coordinates.iter().map(Coordinate::expr).collect();
        let mut all = self.view.inputs.clone();
        for input in &mut all {
            let Some(map) = &mut input.map else { continue };
            let moved: Option<Vec<AffineExpr>> =
                map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            *map = AffineMap::new(rank as u32, 0, moved?)?;
            if let Some(guard) = &mut input.guard {
                *guard = guard.replace(&coords, &[])?;
            }
            let ty = ir.ty(input.value).scalar(ir.cx());
            input.other = input.other.or_else(|| Some(Other::Constant(zero(ir, ty))));
        }
        inputs.splice(0..0, all);
        let body = parts::copied_body(ir, self.op, |b, each| {
            let dim = Index::cast(b.read(), each)?.dim(b.read()).as_i64(b.cx());
            let dim = dim.and_then(|dim| usize::try_from(dim).ok())?;
            Some(coordinates.get(dim)?.value(b))
        })?;
        let end = ir.last_op(body)?;
        let elements: Vec<Value> = ir.operands(end).collect();
        ir.erase(end);
        let sums: Vec<Value> = elements
            .iter()
            .map(|value| ir.ty(*value))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|ty| ir.add_block_arg(body, ty))
            .collect();
        let neutral: Option<Vec<Attr>> = (0..sums.len()).map(|n| self.neutral(ir, n)).collect();
        let operators: Option<Vec<Builtin>> = (0..sums.len()).map(|n| self.built_in(n)).collect();
        let mut b = Builder::at_end(ir, body);
        let at = place.value(&mut b);
        let count = parts::index_constant(&mut b, left);
        let there = arith::CmpI::build(&mut b, at, count, CmpIPredicate::Ult).result(b.read());
        let mut merged = Vec::new();
        for (((sum, element), neutral), operator) in sums.iter().zip(elements).zip(neutral?).zip(operators?) {
            let neutral = arith::Constant::build(&mut b, neutral).result(b.read());
            let element = arith::Select::build(&mut b, there, element, neutral).result(b.read());
            merged.push(operator.as_op(&mut b, *sum, element));
        }
        Yield::build(&mut b, &merged);
        Some(body)
    }

    /// The neutral element of an output's operator
    fn neutral(&self, ir: &Ir, out: usize) -> Option<Attr> {
        let ty = ir.ty(ir.result(self.op.id(), out)).scalar(ir.cx());
        self.built_in(out)?.identity(ir.cx(), ty)
    }

    /// Parts from the left
    fn parts(&self, ir: &mut Ir, of: Compute) -> Option<Compute> {
        let rank = self.kept.len();
        let mut dims = self.kept.clone();
        // Kept dimensions first: results are written once for each.
        dims.rotate_left(1);
        dims[rank - 1].kind = CombineKind::Pw(self.operators()?, Order::Source);
        let turn: Vec<AffineExpr> =
            (0..rank).map(|n| AffineExpr::Dim((n + rank - 1) as u32 % rank as u32)).collect();
        let mut inputs = Vec::new();
        for (out, value) in self.view.outputs.iter().zip(ir.results(of.id())) {
            let map = self.place(&out.maps[0], rank, true, None)?;
            let all: Option<Vec<AffineExpr>> =
                map.results.iter().map(|expr| expr.replace(&turn, &[])).collect();
            let map = AffineMap::new(rank as u32, 0, all?);
            inputs.push(Input { value, map: Some(map?), other: None, guard: None });
        }
        let (outputs, conditions) = (self.results(rank)?, self.conditions(0)?);
        let extents = self.extents(&conditions);
        let made = View { name: self.view.name.clone(), dims, inputs, outputs, conditions, extents };
        let body = self.merged(ir, false)?;
        let types = self.types(ir, false, None);
        Some(made.build(&mut Builder::before(ir, self.op.id()), &types, body))
    }

    /// Results of the whole with their start values, where kept dimensions are in front
    fn results(&self, rank: usize) -> Option<Vec<Output>> {
        let made = |out: &Output| {
            let init = match &out.init {
                Some((value, Some(own))) => Some((*value, Some(self.place(own, rank, false, None)?))),
                other => other.clone(),
            };
            Some(Output { maps: vec![self.place(&out.maps[0], rank, false, None)?], init })
        };
        self.view.outputs.iter().map(made).collect()
    }

    fn operators(&self) -> Option<Vec<Operator>> {
        self.view.dims.iter().find_map(|dim| match &dim.kind {
            CombineKind::Pw(operators, _) => Some(operators.clone()),
            _ => None,
        })
    }

    /// The operator of an output
    fn built_in(&self, out: usize) -> Option<Builtin> {
        let group = self.view.groups()?.into_iter().find(|group| group.first == out)?;
        match group.operator {
            Operator::Builtin(builtin) => Some(builtin),
            Operator::Func(_) | Operator::Accumulated(_) => None,
        }
    }

    /// A body that hands sums on, each merged with what is left over if there is something
    fn merged(&self, ir: &mut Ir, left: bool) -> Option<BlockId> {
        let types: Vec<Type> = ir.results(self.op.id()).map(|value| ir.ty(value).scalar(ir.cx())).collect();
        if !left {
            return Some(parts::pass_on(ir, &types));
        }
        let body = ir.create_block();
        let args: Vec<Value> = types.iter().chain(&types).map(|ty| ir.add_block_arg(body, *ty)).collect();
        let operators: Option<Vec<Builtin>> = (0..types.len()).map(|n| self.built_in(n)).collect();
        let mut b = Builder::at_end(ir, body);
        let pairs = args.iter().zip(&args[types.len()..]).zip(operators?);
        let all: Vec<Value> =
            pairs.map(|((sum, left), operator)| operator.as_op(&mut b, *sum, *left)).collect();
        Yield::build(&mut b, &all);
        Some(body)
    }
}

/// A condition over other points
fn along(condition: &Condition, coords: &[AffineExpr]) -> Option<Condition> {
    let moved = |expr: &AffineExpr| expr.replace(coords, &[]);
    let low = match &condition.low {
        Some(low) => Some(moved(low)?),
        None => None,
    };
    Some(Condition { low, expr: moved(&condition.expr)?, high: moved(&condition.high)? })
}

/// What other points give
struct Made {
    name: &'static str,
    /// Results have the part in front
    part: bool,
    /// Which dimension the lane is, and how many there are
    lane: Option<usize>,
    lanes: i64,
    conditions: Vec<Condition>,
}

/// Zero of a type of numbers
fn zero(ir: &Ir, ty: Type) -> Attr {
    let cx = ir.cx();
    if ty.is_float(cx) { cx.float_attr(0, ty) } else { cx.int_attr(0, ty) }
}

/// A name that no dimension of the whole has
fn fresh(view: &View, name: &str) -> String {
    let mut name = String::from(name);
    while view.dims.iter().any(|dim| dim.name == name) {
        name.push('_');
    }
    name
}

/// Parts of a dimension
fn count(size: i64, step: i64) -> i64 {
    (size + step - 1) / step
}
