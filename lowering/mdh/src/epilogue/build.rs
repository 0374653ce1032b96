//! The body at each place.

use super::{Joined, Place};
use crate::placed::{builder, over};
use terrace_dialect_sched::{Alloc, By, Copy, Level, LoopSpec, Read, Write};
use terrace_ir::{InsertPoint, Ir, Name, Value};

impl Joined<'_> {
    /// Put the body at all places; what is read is dropped where nothing else reads it
    pub fn build(self, ir: &mut Ir, dests: &[Value]) {
        let alone = ir.uses(self.how.result).all(|(user, _)| user == self.body.op.id())
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
        let _ =
            self.body.body(ir, InsertPoint::Before(write.0), (&access, &leaves), Some(value), (dests, clip));
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
        let _ = self.body.body(ir, at, (&to, &leaves), Some(value), (dests, clip));
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
            if let Some(dim) = axis.and_then(|axis| self.body.dims[axis]).map(|dim| &self.body.view.dims[dim])
            {
                let name = Name::Str(ir.cx().intern(&dim.name));
                ir.set_value_name(info.iv, name);
            }
        }
        leaves
    }
}
