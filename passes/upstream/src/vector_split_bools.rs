//! Vectors of booleans in memory, element by element.
//!
//! Here a boolean in memory is a byte. Upstream's lowering stores single ones so as well, and reads vectors of them as bits, eight to a
//! byte: what one writes the other does not read. Elements are bytes on both sides.

use terrace_diag::Reported;
use terrace_dialect_arith::{AddI, Constant};
use terrace_dialect_memref as memref;
use terrace_dialect_scf::{If, Yield};
use terrace_dialect_vector::{Extract, FromElements, Load, MaskedLoad, MaskedStore, Store};
use terrace_ir::{Builder, Ir, NewOp, OpId, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Vectors of booleans are read and written element by element
///
/// `vector.load`, `vector.store`, `vector.maskedload` and `vector.maskedstore` of `i1`, in one dimension. Masked elements are in a branch each.
///
/// ```mlir
/// func.func @f(%m: memref<8xi1>, %i: index) -> vector<4xi1> {
///   %v = vector.load %m[%i] : memref<8xi1>, vector<4xi1>
///   return %v : vector<4xi1>
/// }
/// ```
#[pass("vector-split-bools", stats("accesses split"))]
pub struct VectorSplitBools;

impl Pass for VectorSplitBools {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let all: Vec<Access> = unit.walk().filter_map(|op| Access::of(unit, op)).collect();
        let count = all.len() as u64;
        for access in all {
            access.split(unit);
        }
        cx.count("accesses split", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// A read or write of a vector of booleans
struct Access {
    op: OpId,
    base: Value,
    indices: Vec<Value>,
    lanes: i64,
    mask: Option<Value>,
    /// What is written
    written: Option<Value>,
    /// What elements are that the mask leaves out
    others: Option<Value>,
}

impl Access {
    fn of(ir: &Ir, op: OpId) -> Option<Access> {
        let none =
            |base, indices| Access { op, base, indices, lanes: 0, mask: None, written: None, others: None };
        let (access, vector) = if let Some(load) = Load::cast(ir, op) {
            (none(load.base(ir), load.indices(ir)), load.result(ir))
        } else if let Some(store) = Store::cast(ir, op) {
            let value = store.value_to_store(ir);
            (Access { written: Some(value), ..none(store.base(ir), store.indices(ir)) }, value)
        } else if let Some(load) = MaskedLoad::cast(ir, op) {
            let (mask, others) = (Some(load.mask(ir)), Some(load.pass_thru(ir)));
            (Access { mask, others, ..none(load.base(ir), load.indices(ir)) }, load.result(ir))
        } else {
            let store = MaskedStore::cast(ir, op)?;
            let (mask, value) = (Some(store.mask(ir)), store.value_to_store(ir));
            (Access { mask, written: Some(value), ..none(store.base(ir), store.indices(ir)) }, value)
        };
        let bool = ir.cx().common().i1;
        let TypeKind::Vector { shape, scalable: 0, elem } = ir.ty(vector).kind(ir.cx()) else { return None };
        let &[lanes] = &shape[..] else { return None };
        (*elem == bool && ir.ty(access.base).scalar(ir.cx()) == bool).then_some(Access { lanes, ..access })
    }

    fn split(self, ir: &mut Ir) {
        let elements: Vec<Value> = (0..self.lanes).filter_map(|lane| self.one(ir, lane)).collect();
        if self.written.is_none() {
            let old = ir.result(self.op, 0);
            let (ty, loc) = (ir.ty(old), ir.loc(self.op));
            let mut b = Builder::before(ir, self.op);
            b.set_loc(loc);
            let all = FromElements::build(&mut b, &elements, ty).dest(b.read());
            ir.replace_all_uses(old, all);
        }
        ir.erase(self.op);
    }

    /// One element: what is read
    fn one(&self, ir: &mut Ir, lane: i64) -> Option<Value> {
        let loc = ir.loc(self.op);
        let mut b = Builder::before(ir, self.op);
        b.set_loc(loc);
        let indices = self.place(&mut b, lane);
        let element = |b: &mut Builder<'_>, of: Value| {
            Extract::build(b, of, &[], b.cx().i64_array(&[lane])).result(b.read())
        };
        let written = self.written.map(|value| element(&mut b, value));
        let others = self.others.map(|value| element(&mut b, value));
        let access = |b: &mut Builder<'_>| match written {
            Some(value) => {
                memref::Store::build(b, value, self.base, &indices);
                None
            }
            None => Some(memref::Load::build(b, self.base, &indices).result(b.read())),
        };
        let Some(mask) = self.mask else { return access(&mut b) };
        let is_set = element(&mut b, mask);
        let results: Vec<_> = others.map(|value| b.read().ty(value)).into_iter().collect();
        let kind = b.kind(If::DEF);
        let choice =
            b.insert(&NewOp { operands: &[is_set], results: &results, regions: 2, loc, ..NewOp::new(kind) });
        for n in 0..2 {
            let region = ir.region(choice, n);
            let block = ir.append_block(region);
            let mut b = Builder::at_end(ir, block);
            b.set_loc(loc);
            let given = if n == 0 { access(&mut b) } else { others };
            Yield::build(&mut b, &given.into_iter().collect::<Vec<_>>());
        }
        others.map(|_| ir.result(choice, 0))
    }

    /// Indices of an element
    fn place(&self, b: &mut Builder<'_>, lane: i64) -> Vec<Value> {
        let mut indices = self.indices.clone();
        if let Some(last) = indices.last_mut().filter(|_| lane > 0) {
            let by = b.cx().index_attr(lane);
            let by = Constant::build(b, by).result(b.read());
            *last = AddI::build(b, *last, by).result(b.read());
        }
        indices
    }
}
