//! One point: its inputs read, the body, its contributions written.

use crate::nest::{Done, Nest, State};
use crate::scalar::{self, Combine};
use terrace_dialect_arith as arith;
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::view::{Input, Other};
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{AHEAD, Level, NONTEMPORAL, Read, Write};
use terrace_dialect_tensor::Extract;
use terrace_ir::ir::ValueMap;
use terrace_ir::{OpId, Value};
use terrace_schedule_model::apply::footprint::Footprint;
use terrace_schedule_model::apply::geometry::Iv;
use terrace_schedule_model::broken::Rule;
use terrace_support::affine::AffineExpr;

/// Most additions in a row that are taken apart in an index
const INDEX_OPS: usize = 8;

/// Where an element is
pub(crate) struct ElementAccess {
    pub memref: Value,
    pub access: Access,
    /// It may be outside
    pub beyond: bool,
}

impl Nest<'_> {
    /// Where a tile holds what the loops placed so far reach
    fn inside_tile(&self, tile: &Footprint, exprs: &[AffineExpr], st: &State) -> Done<Access> {
        Ok(self.over(self.geometry.inside_tile(tile, exprs, &st.pos)?))
    }

    /// The body at a point
    pub(crate) fn contribution(&mut self, st: &State) -> Done<Vec<Value>> {
        let mut map = self.arguments(st)?;
        let ops: Vec<OpId> = self.ir.block_ops(self.body).collect();
        self.body_at(st, &ops, &mut map)?.ok_or_else(|| "the body has no yield".into())
    }

    /// The body at the one point that is hit; the state gives its coordinates
    pub(crate) fn scattered(&mut self, mut st: State) -> Done<(State, Vec<Value>)> {
        let mut map = self.arguments(&st)?;
        let ops: Vec<OpId> = self.ir.block_ops(self.body).collect();
        let picks = self.scatter.as_ref().map_or(Vec::new(), |scatter| scatter.picks.clone());
        for pick in picks {
            // What names the coordinate comes first.
            let mut needed = vec![pick.value];
            let mut slice = Vec::new();
            for op in ops.iter().rev().copied() {
                if self.ir.results(op).any(|value| needed.contains(&value)) {
                    needed.extend(self.ir.operands(op));
                    slice.insert(0, op);
                }
            }
            self.body_at(&st, &slice, &mut map)?;
            let number = map.get(pick.value).ok_or("the body uses values from outside")?;
            let index = self.ir.cx().common().index;
            let value = match self.ir.ty(number) == index {
                true => number,
                false if pick.unsigned => {
                    let op = arith::IndexCastUI::build(&mut self.b(st.at), number, index);
                    self.ir.result(op.id(), 0)
                }
                false => {
                    let op = arith::IndexCast::build(&mut self.b(st.at), number, index);
                    self.ir.result(op.id(), 0)
                }
            };
            let (extent, layer) = (self.view.dims[pick.dim].size, self.plan.steps.len());
            let index = self.variable(value);
            st.pos.ivs[pick.dim].push(Iv { index, layer, level: Level::Seq, extent, tile: 1 });
        }
        let values = self.body_at(&st, &ops, &mut map)?.ok_or("the body has no yield")?;
        Ok((st, values))
    }

    /// What the body is given at a point
    fn arguments(&mut self, st: &State) -> Done<ValueMap> {
        let mut map = ValueMap::default();
        let args = self.ir.block_args(self.body).to_vec();
        let view = self.view;
        for ((n, input), arg) in view.inputs.iter().enumerate().zip(args) {
            let value = self.read(st, n, input)?;
            map.insert(arg, value);
        }
        Ok(map)
    }

    /// Copies of these ops of the body, but of those that have one; the values of its yield if that is among them
    fn body_at(&mut self, st: &State, ops: &[OpId], map: &mut ValueMap) -> Done<Option<Vec<Value>>> {
        for op in ops.iter().copied() {
            if self.ir.num_results(op) > 0 && self.ir.results(op).all(|value| map.get(value).is_some()) {
                continue;
            }
            if let Some(index) = mdh::Index::cast(self.ir, op) {
                let dim = index.dim(self.ir).as_i64(self.ir.cx()).unwrap_or(0);
                let value = self.expr(st, &AffineExpr::Dim(dim as u32))?;
                map.insert(self.ir.result(op, 0), value);
            } else if mdh::Yield::cast(self.ir, op).is_some() {
                let given: Option<Vec<Value>> = self.ir.operands(op).map(|value| map.get(value)).collect();
                return given.ok_or_else(|| "the body uses values from outside".into()).map(Some);
            } else if let Some(extract) = Extract::cast(self.ir, op) {
                let value = self.gathered(st, extract, map)?;
                map.insert(self.ir.result(op, 0), value);
            } else {
                let copy = self.ir.clone_op(None, op, map);
                self.b(st.at).place(copy);
            }
        }
        Ok(None)
    }

    /// An element of a whole tensor, at places that the body has computed
    fn gathered(&mut self, st: &State, extract: Extract, map: &ValueMap) -> Done<Value> {
        let memref = map.get(extract.tensor(self.ir)).ok_or("an element of a tensor from outside")?;
        let mut dims = Dims::default();
        let mut places = Vec::new();
        for value in extract.indices(self.ir) {
            places.push(self.place_of(st, value, map, &mut dims, INDEX_OPS)?);
        }
        let access = dims.access(places).ok_or("an index has no form")?;
        let mut b = self.b(st.at);
        let read = Read::make(&mut b, memref, &access, None).id();
        Ok(b.read().result(read, 0))
    }

    /// What a body computes as an index: sums of coordinates, constants and other values, so that lanes along a row find neighbors
    fn place_of(
        &self,
        st: &State,
        value: Value,
        map: &ValueMap,
        dims: &mut Dims,
        most: usize,
    ) -> Done<AffineExpr> {
        let op = self.ir.defining_op(value).filter(|op| most > 0 && self.ir.block(*op) == Some(self.body));
        if let Some(index) = op.and_then(|op| mdh::Index::cast(self.ir, op)) {
            let dim = index.dim(self.ir).as_i64(self.ir.cx()).unwrap_or(0);
            let access = self.access(st, &[AffineExpr::Dim(dim as u32)])?;
            let leaves: Vec<AffineExpr> = access.values.iter().map(|value| dims.value(*value)).collect();
            let place = access.map.results.first().and_then(|expr| expr.replace(&leaves, &[]));
            return place.ok_or_else(|| "a coordinate has no form".into());
        }
        if let Some(sum) = op.and_then(|op| arith::AddI::cast(self.ir, op)) {
            let (left, right) = (sum.lhs(self.ir), sum.rhs(self.ir));
            let left = self.place_of(st, left, map, dims, most - 1)?;
            return Ok(AffineExpr::add(left, self.place_of(st, right, map, dims, most - 1)?));
        }
        if let Some(constant) = terrace_ir::fold::constant_of(self.ir, value) {
            return Ok(constant.as_i64(self.ir.cx()).unwrap_or(0).into());
        }
        Ok(dims.value(map.get(value).ok_or("the body uses values from outside")?))
    }

    /// An index expression over dimensions as a value
    fn expr(&mut self, st: &State, expr: &AffineExpr) -> Done<Value> {
        let access = self.access(st, std::slice::from_ref(expr))?;
        let expr = access.map.results.first().cloned().unwrap_or(0.into());
        Ok(scalar::affine(&mut self.b(st.at), &expr, &access.values))
    }

    fn read(&mut self, st: &State, n: usize, input: &Input) -> Done<Value> {
        let Some(map) = &input.map else { return Ok(self.inputs[n]) };
        let group = self.groups[n];
        if let Some(Some(tile)) = st.tiles.get(group) {
            let access = self.inside_tile(&tile.of, &map.results, st)?;
            let memref = tile.memref;
            let mut b = self.b(st.at);
            let read = Read::make(&mut b, memref, &access, None).id();
            return Ok(b.read().result(read, 0));
        }
        let over = self.geometry.access(&st.pos, &map.results)?;
        let access = self.over(over.clone());
        let memref = self.inputs[n];
        let shape = self.ir.ty(memref).shape(self.ir.cx()).unwrap_or(&[]).to_vec();
        let other = match input.other {
            Some(Other::Value(value)) => Some(value),
            Some(Other::Constant(attr)) => Some(scalar::constant(&mut self.b(st.at), attr)),
            None if (0..self.view.dims.len()).any(|dim| self.geometry.padded(dim))
                && !self.geometry.fits(&st.pos, &map.results, &shape, false) =>
            {
                // Whole tiles read beyond the end; what they make of it is dropped.
                let cx = self.ir.cx();
                let elem = self.ir.ty(memref).element(cx).unwrap_or(cx.common().f32);
                let zero = if elem.is_float(cx) { cx.float_attr(0, elem) } else { cx.int_attr(0, elem) };
                Some(scalar::constant(&mut self.b(st.at), zero))
            }
            None => None,
        };
        let mut b = self.b(st.at);
        let read = Read::make(&mut b, memref, &access, other).id();
        let value = b.read().result(read, 0);
        let wish = self.plan.ahead.iter().find(|ahead| ahead.group == group).and_then(|ahead| {
            let (dim, layer) = ahead.around;
            let iv = st.pos.ivs[dim].iter().find(|iv| iv.layer == layer)?;
            let at = over.over.iter().position(|index| *index == iv.index)?;
            Some([at as i64, ahead.rounds.checked_mul(iv.tile)?])
        });
        let wish = wish.map(|wish| self.ir.cx().i64_array(&wish));
        self.ir.set_discardable(read, AHEAD, wish);
        let (Some(guard), Some(other)) = (&input.guard, other) else { return Ok(value) };
        let rest = self.expr(st, guard)?;
        let mut b = self.b(st.at);
        Ok(scalar::where_zero(&mut b, rest, value, other))
    }

    /// Where an access of an output goes at these coordinates
    fn place(&self, st: &State, out: usize, access: usize) -> Done<ElementAccess> {
        let view = self.view;
        let map = &view.outputs[out].maps[access];
        let scattered = self.scatter.is_some();
        if let Some(tile) = &st.sinks[out].tile {
            let access = self.inside_tile(&tile.of, &map.results, st)?;
            return Ok(ElementAccess { memref: tile.memref, access, beyond: scattered });
        }
        let memref = self.dests[out];
        let shape = self.ir.ty(memref).shape(self.ir.cx()).unwrap_or(&[]).to_vec();
        let padded = (0..view.dims.len()).any(|dim| self.geometry.padded(dim));
        if let Some(dim) = self.geometry.spoils(&st.pos, &map.results, &shape, None) {
            return Err(Rule::pad_overshoots(dim));
        }
        let beyond = padded && !self.geometry.fits(&st.pos, &map.results, &shape, false);
        Ok(ElementAccess { memref, access: self.access(st, &map.results)?, beyond: beyond || scattered })
    }

    /// Where what stands in front of an access of an output is: its start value, or what is in its place
    pub(crate) fn start(&self, st: &State, out: usize, access: usize) -> Done<ElementAccess> {
        let place = self.place(st, out, access)?;
        Ok(match (&self.starts[out], &self.view.outputs[out].init) {
            (Some(start), Some((_, Some(own)))) if st.sinks[out].direct => {
                ElementAccess { memref: *start, access: self.access(st, &own.results)?, ..place }
            }
            (Some(start), _) if st.sinks[out].direct => ElementAccess { memref: *start, ..place },
            _ => place,
        })
    }

    /// Contributions to their places
    pub(crate) fn store(&mut self, st: &State, values: &[Value]) -> Done<()> {
        let mut values = values.to_vec();
        let yields = self.yields;
        let operators = yields.operators();
        let places: Vec<ElementAccess> =
            yields.place.iter().map(|(out, access)| self.place(st, *out, *access)).collect::<Done<_>>()?;
        let joint = matches!(yields.combine, Combine::Joint(_));
        let starts = |out: usize| st.sinks[out].direct || joint && st.sinks[out].combine;
        if self.reduces() && yields.place.iter().any(|(out, _)| starts(*out)) {
            // Start values in front.
            let mut before = Vec::new();
            for (n, (out, access)) in yields.place.iter().enumerate() {
                if !starts(*out) {
                    // A component without a start value begins with its neutral element.
                    before.push(if joint { self.neutral(st.at, *out)? } else { values[n] });
                    continue;
                }
                let start = self.start(st, *out, *access)?;
                let mut b = self.b(st.at);
                let read = Read::make(&mut b, start.memref, &start.access, None).id();
                before.push(b.read().result(read, 0));
            }
            let all = yields.apply(&mut self.b(st.at), &before, &values);
            for (n, (out, _)) in yields.place.iter().enumerate() {
                if joint || starts(*out) {
                    values[n] = all[n];
                }
            }
        }
        for (n, ElementAccess { memref, access, beyond: clip }) in places.iter().enumerate() {
            let operator = operators.get(n).filter(|_| !joint && st.sinks[yields.place[n].0].combine);
            let write = Write::make(&mut self.b(st.at), values[n], *memref, access, operator);
            let unit = self.ir.cx().common().unit;
            write.set_clip(self.ir, clip.then_some(unit));
            let out = yields.place[n].0;
            let past =
                operator.is_none() && st.sinks[out].tile.is_none() && self.plan.past.contains(&(out as i64));
            self.ir.set_discardable(write.0, NONTEMPORAL, past.then_some(unit));
        }
        Ok(())
    }
}
