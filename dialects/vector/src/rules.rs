//! Rules: masks that are known, and memory under them; transfers that stay inside.
//!
//! Terminates: each rule gives an op that says more, or removes one.

use super::memory::unit_stride;
use super::transfer::Transfer;
use super::{
    CompressStore, ConstantMask, CreateMask, ExpandLoad, Gather, Load, MaskOp, MaskedLoad, MaskedStore,
    Scatter, Store, TransferRead, TransferWrite, vector_shape,
};
use terrace_ir::fold::constant_of;
use terrace_ir::{Attr, BlockId, Ir, OpDef, OpId, TypeKind, Value};
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Pattern, Rewriter, Rule};
use terrace_support::affine::AffineExpr;

/// Is every element of the mask the same, and which?
pub(super) fn known_mask(ir: &Ir, mask: Value) -> Option<bool> {
    if let Some(attr) = constant_of(ir, mask) {
        return terrace_dialect_arith::fold::uniform_int(ir.cx(), attr).map(|bit| bit != 0);
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

/// A mask that is all set is none
struct TransferMask<const WRITE: bool>;

impl<const WRITE: bool> Pattern for TransferMask<WRITE> {
    const NAME: &'static str = if WRITE { "transfer_write_full_mask" } else { "transfer_read_full_mask" };
    const ROOT: Option<&'static OpDef> = Some(if WRITE { TransferWrite::DEF } else { TransferRead::DEF });
    type Found = usize;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<usize, Miss> {
        let mask = Transfer::of(ir, op).and_then(|transfer| transfer.mask).or_miss("there is no mask")?;
        (known_mask(ir, mask) == Some(true)).or_miss("the mask is not all set")?;
        Ok(ir.num_operands(op) - 1)
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, last: usize) {
        let operands: Vec<Value> = rw.ir().operands(op).take(last).collect();
        let mut segments = rw.ir().operand_segments(op).unwrap_or(&[]).to_vec();
        if let Some(mask) = segments.last_mut() {
            *mask = 0;
        }
        rw.set_operands(op, &operands, &segments);
    }
}

/// Promise what can be seen: that a dimension stays inside of memory
struct TransferInBounds<const WRITE: bool>;

impl<const WRITE: bool> Pattern for TransferInBounds<WRITE> {
    const NAME: &'static str = if WRITE { "transfer_write_in_bounds" } else { "transfer_read_in_bounds" };
    const ROOT: Option<&'static OpDef> = Some(if WRITE { TransferWrite::DEF } else { TransferRead::DEF });
    type Found = Attr;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Attr, Miss> {
        let cx = ir.cx();
        let transfer = Transfer::of(ir, op).or_miss("not a transfer")?;
        let map = transfer.map.as_affine_map(cx).or_miss("no map")?;
        let memory = ir.ty(transfer.base).shape(cx).or_miss("no shape")?;
        let TypeKind::Vector { shape, scalable, .. } = transfer.vector.kind(cx) else {
            return Err(Miss("not a vector"));
        };
        let indices = transfer.indices(ir);
        let old = transfer.promises(cx);
        let mut promises = old.clone();
        let mut all = true;
        for (n, result) in map.results.iter().enumerate() {
            let AffineExpr::Dim(dim) = result else { continue };
            let inside = || {
                let at = constant_of(ir, *indices.get(*dim as usize)?)?.as_i64(cx)?;
                let end = at.checked_add(*shape.get(n)?)?;
                Some(at >= 0 && end <= *memory.get(*dim as usize)? && scalable >> n & 1 == 0)
            };
            promises[n] |= inside() == Some(true);
            all &= promises[n];
        }
        // Nothing lies outside along dimensions that repeat.
        if all {
            promises.fill(true);
        }
        (promises != old).or_miss("no dimension is surely inside")?;
        let items: Vec<Attr> = promises.into_iter().map(|each| cx.bool_attr(each)).collect();
        Ok(cx.array_attr(&items))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, promises: Attr) {
        if let Some(slot) = rw.ir().def(op).attr_slot("in_bounds") {
            rw.set_slot(op, slot, Some(promises));
        }
    }
}

impl Canonicalize for TransferRead {
    const RULES: &'static [&'static dyn Rule] = &[&TransferMask::<false>, &TransferInBounds::<false>];
}

impl Canonicalize for TransferWrite {
    const RULES: &'static [&'static dyn Rule] = &[&TransferMask::<true>, &TransferInBounds::<true>];
}

/// Are all elements of a vector, as neighbors in memory, one slice of it?
fn is_slice(ir: &Ir, vector: Value, base: Value) -> Result<(), Miss> {
    let rank = vector_shape(ir.cx(), ir.ty(vector)).map(<[i64]>::len);
    (rank == Some(1)).or_miss("the vector has several dimensions")?;
    unit_stride(ir.cx(), ir.ty(base)).or_miss("neighbors do not lie side by side")
}

/// Nothing is read where no mask is set; all of them set, neighbors are one slice
struct ReadKnown<const GATHER: bool>;

impl<const GATHER: bool> Pattern for ReadKnown<GATHER> {
    const NAME: &'static str = if GATHER { "gather_known_mask" } else { "expandload_known_mask" };
    const ROOT: Option<&'static OpDef> = Some(if GATHER { Gather::DEF } else { ExpandLoad::DEF });
    type Found = Option<(Value, Vec<Value>)>;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let mask = if GATHER { Gather(op).mask(ir) } else { ExpandLoad(op).mask(ir) };
        match known_mask(ir, mask).or_miss("the mask is not known")? {
            false => Ok(None),
            // Elements anywhere, or several rows of neighbors, are no slice.
            true if GATHER => Err(Miss("elements may lie anywhere")),
            true => {
                let load = ExpandLoad(op);
                is_slice(ir, load.result(ir), load.base(ir))?;
                Ok(Some((load.base(ir), load.indices(ir))))
            }
        }
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, found: Self::Found) {
        let value = match found {
            Some((base, indices)) => {
                let ty = rw.ir().ty(ExpandLoad(op).result(rw.ir()));
                rw.build_before(op, |b| Load::build(b, base, &indices, ty).result(b.read()))
            }
            None if GATHER => Gather(op).pass_thru(rw.ir()),
            None => ExpandLoad(op).pass_thru(rw.ir()),
        };
        rw.replace(op, &[value]);
    }
}

/// The same for writes
struct WriteKnown<const SCATTER: bool>;

impl<const SCATTER: bool> Pattern for WriteKnown<SCATTER> {
    const NAME: &'static str = if SCATTER { "scatter_known_mask" } else { "compressstore_known_mask" };
    const ROOT: Option<&'static OpDef> = Some(if SCATTER { Scatter::DEF } else { CompressStore::DEF });
    type Found = Option<(Value, Vec<Value>)>;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let mask = if SCATTER { Scatter(op).mask(ir) } else { CompressStore(op).mask(ir) };
        match known_mask(ir, mask).or_miss("the mask is not known")? {
            false => Ok(None),
            true if SCATTER => Err(Miss("elements may lie anywhere")),
            true => {
                let store = CompressStore(op);
                is_slice(ir, store.value(ir), store.base(ir))?;
                Ok(Some((store.base(ir), store.indices(ir))))
            }
        }
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, found: Self::Found) {
        if let Some((base, indices)) = found {
            let value = CompressStore(op).value(rw.ir());
            rw.build_before(op, |b| Store::build(b, value, base, &indices));
        }
        // Into a tensor nothing is written: it stays what it was.
        match (SCATTER && rw.ir().num_results(op) > 0).then(|| Scatter(op).base(rw.ir())) {
            Some(base) => rw.replace(op, &[base]),
            None => rw.erase(op),
        }
    }
}

impl Canonicalize for Gather {
    const RULES: &'static [&'static dyn Rule] = &[&ReadKnown::<true>];
}

impl Canonicalize for ExpandLoad {
    const RULES: &'static [&'static dyn Rule] = &[&ReadKnown::<false>];
}

impl Canonicalize for Scatter {
    const RULES: &'static [&'static dyn Rule] = &[&WriteKnown::<true>];
}

impl Canonicalize for CompressStore {
    const RULES: &'static [&'static dyn Rule] = &[&WriteKnown::<false>];
}

/// An op under a full mask, and what is handed on under any
struct MaskFull;

impl Pattern for MaskFull {
    const NAME: &'static str = "mask_full_or_empty";
    const ROOT: Option<&'static OpDef> = Some(MaskOp::DEF);
    type Found = BlockId;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<BlockId, Miss> {
        let mask = MaskOp(op);
        let block = ir.entry(mask.region(ir)).or_miss("there is no region")?;
        let empty = mask.masked(ir).is_none();
        (empty || known_mask(ir, mask.mask(ir)) == Some(true)).or_miss("the mask is not all set")?;
        Ok(block)
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, block: BlockId) {
        let last = rw.ir().last_op(block).expect("verified: the region ends with a yield");
        rw.inline_block(block, op, &[]);
        let values: Vec<Value> = rw.ir().operands(last).collect();
        rw.erase(last);
        rw.replace(op, &values);
    }
}

impl Canonicalize for MaskOp {
    const RULES: &'static [&'static dyn Rule] = &[&MaskFull];
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
