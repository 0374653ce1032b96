//! Making a computation from plain data: what front ends use.

use crate::compute::Compute;
use crate::view::{Other, View, kind_attr};
use terrace_ir::{Attr, BlockId, Builder, Type, Value};
use terrace_support::affine::AffineMap;

impl View {
    /// Put the computation here; `body` is a block of its own with one argument for each input, ending in `mdh.yield`
    ///
    /// Nothing is checked: that is the verifier's.
    pub fn build(&self, b: &mut Builder<'_>, results: &[Type], body: BlockId) -> Compute {
        let cx = b.cx();
        let unit = cx.common().unit;
        let list = |map: &AffineMap| cx.map_attr(map.clone());
        let maps: Vec<Attr> = self.inputs.iter().map(|input| input.map.as_ref().map_or(unit, list)).collect();
        let mut others: Vec<Value> = Vec::new();
        let mut elses = Vec::new();
        for input in &self.inputs {
            elses.push(match input.other {
                None => unit,
                Some(Other::Constant(attr)) => attr,
                Some(Other::Value(value)) => {
                    others.push(value);
                    cx.str_attr("value")
                }
            });
        }
        let guard = |expr: &terrace_support::affine::AffineExpr| {
            AffineMap::new(self.dims.len() as u32, 0, vec![expr.clone()]).map(|map| cx.map_attr(map))
        };
        let guards: Vec<Attr> =
            self.inputs.iter().map(|input| input.guard.as_ref().and_then(guard).unwrap_or(unit)).collect();
        let mut inits: Vec<Value> = Vec::new();
        let (mut outs, mut intos) = (Vec::new(), Vec::new());
        for out in &self.outputs {
            let maps: Vec<Attr> = out.maps.iter().map(list).collect();
            outs.push(cx.array_attr(&maps));
            intos.push(match &out.init {
                None => unit,
                Some((value, own)) => {
                    inits.push(*value);
                    own.as_ref().map_or_else(|| cx.str_attr("same"), list)
                }
            });
        }
        let conditions: Vec<Attr> = self
            .conditions
            .iter()
            .filter_map(|one| one.attr(cx, self.dims.len(), self.extents.len()))
            .collect();
        let ins: Vec<Value> = self.inputs.iter().map(|input| input.value).collect();
        let combine: Vec<Attr> = self.dims.iter().map(|dim| kind_attr(cx, &dim.kind)).collect();
        let names: Vec<Attr> = self.dims.iter().map(|dim| cx.str_attr(&dim.name)).collect();
        let (sizes, combine) = (cx.i64_array(&self.sizes()), cx.array_attr(&combine));
        let (maps, outs) = (cx.array_attr(&maps), cx.array_attr(&outs));
        let names = cx.array_attr(&names);
        let optional = |list: &[Attr]| list.iter().any(|attr| *attr != unit).then(|| cx.array_attr(list));
        let (elses, guards, intos) = (optional(&elses), optional(&guards), optional(&intos));
        let conditions = optional(&conditions);
        let extents: Vec<Value> = self.extents.iter().map(|extent| extent.value).collect();
        let most: Vec<i64> = self.extents.iter().map(|extent| extent.most).collect();
        let most = (!most.is_empty()).then(|| cx.i64_array(&most));
        let name = self.name.as_ref().map(|name| cx.str_attr(name));
        let op = Compute::build(b, &ins, &inits, &others, &extents, sizes, combine, maps, outs, results);
        let ir = b.ir();
        op.set_name(ir, name);
        op.set_elses(ir, elses);
        op.set_guards(ir, guards);
        op.set_intos(ir, intos);
        op.set_conditions(ir, conditions);
        op.set_most(ir, most);
        op.set_dim_names(ir, Some(names));
        let region = op.body(ir);
        ir.place_block(region, body);
        op
    }
}
