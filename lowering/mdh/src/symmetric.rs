//! Squares of a symmetric result below its diagonal: copies of those above it, when all of these are computed.

use crate::nest::{Done, Nest};
use crate::scalar;
use crate::tile::space;
use terrace_devices::Region;
use terrace_dialect_sched::{self as sched, CopySpec};
use terrace_ir::{InsertPoint, Name, OpId, TypeKind};
use terrace_schedule_model::nest::Index;
use terrace_support::affine::AffineMap;

impl Nest<'_> {
    /// Write the copies before an op
    pub(crate) fn reflect(&mut self, before: OpId) -> Done<()> {
        let Some(reflection) = self.geometry.reflection() else { return Ok(()) };
        let (mut at, mut loops) = (InsertPoint::Before(before), Vec::<Index>::new());
        while let Some(form) = self.geometry.reflection_loop(&reflection, &loops) {
            let spec = self.spec(form);
            let inner = spec.build(&mut self.b(at));
            at = self.inside(inner);
            let block = self.ir.entry(inner.body(self.ir)).ok_or("a loop without a block")?;
            let variable = self.ir.block_args(block)[0];
            loops.push(self.loop_variable(variable));
        }
        let [from, to] = self.geometry.reflection_sides(&reflection, &loops)?;
        let (from, to) = (self.over(from), self.over(to));
        let result = self.dests[0];
        let cx = self.ir.cx();
        let elem = self.ir.ty(result).element(cx).unwrap_or(cx.common().f32);
        let shape = vec![reflection.side; 2];
        let kind = TypeKind::MemRef {
            shape: shape.clone().into(),
            elem,
            layout: None,
            space: space(cx, Region::L1),
        };
        let zero = if elem.is_float(cx) { cx.float_attr(0, elem) } else { cx.int_attr(0, elem) };
        let ty = cx.ty(kind);
        let square = sched::Alloc::build(&mut self.b(at), ty).memref(self.ir);
        if let Some(name) = self.ir.value_name(result).map(|name| format!("{name}_square")) {
            let name = Name::Str(self.ir.cx().intern(&name));
            self.ir.set_value_name(square, name);
        }
        let whole = || sched::access::Access { map: AffineMap::identity(2), values: Vec::new() };
        let padding = Some(scalar::constant(&mut self.b(at), zero));
        let above = CopySpec::new(shape.clone(), (result, Some(from)), (square, whole()));
        CopySpec { padding, ..above }.build(&mut self.b(at));
        let below = CopySpec::new(shape, (square, Some(whole())), (result, to));
        CopySpec { clip: true, ..below }.build(&mut self.b(at));
        Ok(())
    }
}
