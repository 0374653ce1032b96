//! Rules: masks that are known, and memory under them.
//!
//! Terminates: each rule gives an op that says more, or removes one.

use super::{ConstantMask, CreateMask, Load, MaskedLoad, MaskedStore, Store, vector_shape};
use terrace_ir::fold::constant_of;
use terrace_ir::{Attr, Ir, OpDef, OpId, TypeKind, Value};
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Pattern, Rewriter, Rule};

/// Is every element of the mask the same, and which?
pub(super) fn known_mask(ir: &Ir, mask: Value) -> Option<bool> {
    if let Some(attr) = constant_of(ir, mask) {
        return crate::arith::fold::uniform_int(ir.cx(), attr).map(|bit| bit != 0);
    }
    let mask = ConstantMask::cast(ir, ir.defining_op(mask)?)?;
    uniform(ir, mask)
}

/// The value of all elements, if it is one
pub(super) fn uniform(ir: &Ir, mask: ConstantMask) -> Option<bool> {
    let shape = vector_shape(ir.cx(), ir.ty(mask.mask(ir)))?;
    let bounds = mask.bounds(ir);
    if bounds.contains(&0) {
        return Some(false);
    }
    (shape.is_empty() || bounds == shape).then_some(true)
}

/// A mask with constant bounds
struct CreateConst;

impl Pattern for CreateConst {
    const NAME: &'static str = "create_mask_const";
    const ROOT: Option<&'static OpDef> = Some(CreateMask::DEF);
    type Found = Attr;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Attr, Miss> {
        let cx = ir.cx();
        let TypeKind::Vector { shape, scalable, .. } = ir.ty(CreateMask(op).mask(ir)).kind(cx) else {
            return Err(Miss("not a vector"));
        };
        let sizes: &[i64] = if shape.is_empty() { &[1] } else { shape };
        let mut bounds = Vec::new();
        for (n, (bound, &size)) in CreateMask(op).operands(ir).into_iter().zip(sizes).enumerate() {
            let bound =
                constant_of(ir, bound).and_then(|attr| attr.as_i64(cx)).or_miss("a bound is not constant")?;
            // How long a scalable dimension is, is not known: only nothing is surely nothing.
            (scalable >> n & 1 == 0 || bound <= 0).or_miss("a bound in a scalable dimension")?;
            bounds.push(bound.clamp(0, size));
        }
        if bounds.contains(&0) {
            bounds.fill(0);
        }
        Ok(cx.i64_array(&bounds))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, bounds: Attr) {
        let ty = rw.ir().ty(CreateMask(op).mask(rw.ir()));
        let new = rw.build_before(op, |b| ConstantMask::build(b, bounds, ty));
        let value = new.mask(rw.ir());
        rw.replace(op, &[value]);
    }
}

/// A load under a mask that is all set is a load, under one that is all clear what it passes through
struct LoadKnown;

impl Pattern for LoadKnown {
    const NAME: &'static str = "maskedload_known_mask";
    const ROOT: Option<&'static OpDef> = Some(MaskedLoad::DEF);
    type Found = bool;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<bool, Miss> {
        known_mask(ir, MaskedLoad(op).mask(ir)).or_miss("the mask is not known")
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, set: bool) {
        let (ir, load) = (rw.ir(), MaskedLoad(op));
        let mut value = load.pass_thru(ir);
        if set {
            let (base, indices, ty) = (load.base(ir), load.indices(ir), ir.ty(load.result(ir)));
            let alignment = load.alignment(ir);
            value = rw.build_before(op, |b| {
                let new = Load::build(b, base, &indices, ty);
                new.set_alignment(b.ir(), alignment);
                new.result(b.read())
            });
        }
        rw.replace(op, &[value]);
    }
}

/// A store under a mask that is all set is a store, under one that is all clear nothing
struct StoreKnown;

impl Pattern for StoreKnown {
    const NAME: &'static str = "maskedstore_known_mask";
    const ROOT: Option<&'static OpDef> = Some(MaskedStore::DEF);
    type Found = bool;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<bool, Miss> {
        known_mask(ir, MaskedStore(op).mask(ir)).or_miss("the mask is not known")
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, set: bool) {
        let (ir, store) = (rw.ir(), MaskedStore(op));
        if set {
            let (value, base, indices) = (store.value_to_store(ir), store.base(ir), store.indices(ir));
            let alignment = store.alignment(ir);
            rw.build_before(op, |b| {
                let new = Store::build(b, value, base, &indices);
                new.set_alignment(b.ir(), alignment);
            });
        }
        rw.erase(op);
    }
}

impl Canonicalize for CreateMask {
    const RULES: &'static [&'static dyn Rule] = &[&CreateConst];
}

impl Canonicalize for MaskedLoad {
    const RULES: &'static [&'static dyn Rule] = &[&LoadKnown];
}

impl Canonicalize for MaskedStore {
    const RULES: &'static [&'static dyn Rule] = &[&StoreKnown];
}
