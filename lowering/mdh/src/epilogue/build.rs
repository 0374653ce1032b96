//! The body at each place.

use super::{Joined, Place};
use crate::scalar;
use terrace_dialect_mdh as mdh;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{self as sched, Alloc, By, Copy, Level, LoopSpec, Read, Write};
use terrace_ir::ir::ValueMap;
use terrace_ir::{Builder, InsertPoint, Ir, Name, Value};
use terrace_support::affine::AffineExpr;

impl Joined<'_> {
    /// Put the body at all places; what is read is dropped where nothing else reads it
    pub fn build(self, ir: &mut Ir, dests: &[Value]) {
        let alone = ir.uses(self.how.result).all(|(user, _)| user == self.op.id())
            && ir.defining_op(self.made).is_some_and(|op| Alloc::cast(ir, op).is_some());
        for place in &self.places {
            match place {
                Place::Tile(copy) => self.at_tile(ir, *copy, dests),
                Place::Point(write) => self.at_point(ir, *write, dests),
            };
            if alone {
                ir.erase(place.op());
            }
        }
        if let Some(op) = ir.defining_op(self.made).filter(|_| alone) {
            ir.erase(op);
        }
    }

    fn at_point(&self, ir: &mut Ir, write: Write, dests: &[Value]) {
        let access = write.access(ir);
        let leaves: Vec<Vec<Value>> = access.values.iter().map(|value| vec![*value]).collect();
        let value = write.value(ir);
        let clip = write.clip(ir).is_some();
        self.body(ir, InsertPoint::Before(write.0), &access, &leaves, value, dests, clip);
    }

    fn at_tile(&self, ir: &mut Ir, copy: Copy, dests: &[Value]) {
        let (to, Some(from)) = (copy.to(ir), copy.from(ir)) else { return };
        let mut at = InsertPoint::Before(copy.0);
        let mut leaves = self.loops(ir, copy, &mut at);
        let mut sources = leaves.clone();
        leaves.extend(to.values.iter().map(|value| vec![*value]));
        sources.extend(from.values.iter().map(|value| vec![*value]));
        let (tile, clip) = (copy.src(ir), copy.clip(ir).is_some());
        let Some(from) = over(&from.map.results, &sources) else { return };
        let mut b = builder(ir, at);
        let read = Read::make(&mut b, tile, &from, None).id();
        let value = b.read().result(read, 0);
        self.body(ir, at, &to, &leaves, value, dests, clip);
    }

    /// The loops that a copy stands for, lanes innermost: the variables that add up to each of its own, and where their body ends
    fn loops(&self, ir: &mut Ir, copy: Copy, at: &mut InsertPoint) -> Vec<Vec<Value>> {
        let (to, sizes, by) = (copy.to(ir), copy.sizes(ir), copy.by_levels(ir));
        let step = copy.step(ir).and_then(|step| step.as_dense_array(ir.cx()));
        let step = step.and_then(|step| <[i64; 2]>::try_from(step).ok()).map(Into::into);
        let outer = (0..).zip(&sizes).map(|(n, size)| match by.get(n) {
            Some(By::Vector(lanes)) => (n, *size, *lanes, Level::Unroll),
            Some(By::Level(level)) => (n, *size, 1, *level),
            None => (n, *size, 1, Level::Unroll),
        });
        let lanes = (0..).zip(&by).filter_map(|(n, by)| match by {
            By::Vector(lanes) => Some((n, *lanes, 1, Level::Vector)),
            By::Level(_) => None,
        });
        let mut leaves: Vec<Vec<Value>> = sizes.iter().map(|_| Vec::new()).collect();
        for (n, extent, tile, level) in outer.chain(lanes).filter(|(_, extent, tile, _)| extent != tile) {
            let spec = LoopSpec { extent, tile, level, step, ..LoopSpec::default() };
            let made = spec.build(&mut builder(ir, *at));
            let end = ir.entry(made.body(ir)).and_then(|block| ir.last_op(block));
            let (Some(info), Some(end)) = (made.info(ir), end) else { continue };
            leaves[n].push(info.iv);
            *at = InsertPoint::Before(end);
            let axis = to.map.results.iter().position(|expr| expr.uses_dim(n as u32));
            if let Some(dim) = axis.and_then(|axis| self.how.dims[axis]).map(|dim| &self.view.dims[dim]) {
                let name = Name::Str(ir.cx().intern(&dim.name));
                ir.set_value_name(info.iv, name);
            }
        }
        leaves
    }

    /// The body at a point of the nest, whose element is a value
    #[allow(clippy::too_many_arguments)]
    fn body(
        &self,
        ir: &mut Ir,
        at: InsertPoint,
        access: &Access,
        leaves: &[Vec<Value>],
        value: Value,
        dests: &[Value],
        clip: bool,
    ) {
        let Some(coords) = self.coordinates(access) else { return };
        let at_coords = |exprs: &[AffineExpr]| {
            let exprs: Option<Vec<AffineExpr>> =
                exprs.iter().map(|expr| expr.replace(&coords, &[])).collect();
            over(&exprs?, leaves)
        };
        let Some(block) = ir.entry(self.op.body(ir)) else { return };
        let mut map = ValueMap::default();
        for (n, arg) in ir.block_args(block).to_vec().into_iter().enumerate() {
            let input = &self.view.inputs[n];
            let given = match &input.map {
                _ if self.is_made(n) => value,
                None => self.inputs[n],
                Some(map) => {
                    let Some(place) = at_coords(&map.results) else { return };
                    let memref = self.inputs[n];
                    let padding = clip.then(|| zero(&mut builder(ir, at), memref)).flatten();
                    let mut b = builder(ir, at);
                    let read = Read::make(&mut b, memref, &place, padding).id();
                    b.read().result(read, 0)
                }
            };
            map.insert(arg, given);
        }
        for op in ir.block_ops(block).collect::<Vec<_>>() {
            if let Some(index) = mdh::Index::cast(ir, op) {
                let dim = index.dim(ir).as_i64(ir.cx()).unwrap_or(0);
                let Some(place) = at_coords(&[AffineExpr::Dim(dim as u32)]) else { return };
                let mut b = builder(ir, at);
                let value = scalar::affine(&mut b, &place.map.results[0], &place.values);
                map.insert(ir.result(op, 0), value);
            } else if mdh::Yield::cast(ir, op).is_some() {
                let given: Vec<Option<Value>> = ir.operands(op).map(|value| map.get(value)).collect();
                for (n, (out, given)) in self.view.outputs.iter().zip(given).enumerate() {
                    let (Some(place), Some(given)) = (at_coords(&out.maps[0].results), given) else { return };
                    let write = Write::make(&mut builder(ir, at), given, dests[n], &place, None);
                    let unit = ir.cx().common().unit;
                    write.set_clip(ir, clip.then_some(unit));
                    let past = self.past.contains(&(n as i64));
                    ir.set_discardable(write.0, sched::NONTEMPORAL, past.then_some(unit));
                }
            } else {
                let copy = ir.clone_op(None, op, &mut map);
                builder(ir, at).place(copy);
            }
        }
    }
}

/// Expressions over variables, each the sum of some values, as an access over those
fn over(exprs: &[AffineExpr], leaves: &[Vec<Value>]) -> Option<Access> {
    let mut dims = Dims::default();
    let leaves: Vec<AffineExpr> = leaves.iter().map(|values| dims.sum(values)).collect();
    let results: Option<Vec<AffineExpr>> = exprs.iter().map(|expr| expr.replace(&leaves, &[])).collect();
    dims.access(results?)
}

fn builder(ir: &mut Ir, at: InsertPoint) -> Builder<'_> {
    match at {
        InsertPoint::Before(op) => Builder::before(ir, op),
        InsertPoint::End(block) => Builder::at_end(ir, block),
    }
}

/// A zero of a buffer's type, for what is outside and is not written
fn zero(b: &mut Builder<'_>, buffer: Value) -> Option<Value> {
    let cx = b.cx();
    let elem = b.read().ty(buffer).element(cx)?;
    let attr = if elem.is_float(cx) { cx.float_attr(0, elem) } else { cx.int_attr(0, elem) };
    Some(scalar::constant(b, attr))
}
