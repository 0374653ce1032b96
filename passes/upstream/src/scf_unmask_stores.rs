//! Stores whose lanes all lie within are plain stores.
//!
//! A tile at the edge of a result masks the lanes beyond it. One loop computes all tiles, so that each of them masks, although only
//! the last has something to leave out. A masked store of AVX2 takes some of AMD's processors 10 to 18 cycles, a plain one takes one
//! (docs/performance.md). One comparison for a tile decides between both.

use std::collections::HashSet;

use terrace_diag::Reported;
use terrace_dialect_arith::{AndI, CmpI, CmpIPredicate, Constant};
use terrace_dialect_scf::{If, Yield};
use terrace_dialect_vector::{CreateMask, MaskedStore, Store};
use terrace_ir::fold::constant_of;
use terrace_ir::ir::ValueMap;
use terrace_ir::{Builder, Ir, NewOp, OpId, Traits, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Masked stores become plain ones in a branch that is taken where all of their lanes are set
///
/// For masks of `vector.create_mask` whose number of lanes is no constant. Neighboring masked stores share a branch, with the plain stores
/// between them. What else is between them must be pure, and moves before.
///
/// ```mlir
/// func.func @f(%v: vector<8xf32>, %m: memref<?xf32>, %at: index, %left: index) {
///   %mask = vector.create_mask %left : vector<8xi1>
///   vector.maskedstore %m[%at], %mask, %v : memref<?xf32>, vector<8xi1>, vector<8xf32>
///   return
/// }
/// ```
#[pass("scf-unmask-stores", stats("stores unmasked"))]
pub struct ScfUnmaskStores;

impl Pass for ScfUnmaskStores {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let runs = runs(unit);
        let count = runs.iter().flatten().filter(|op| MaskedStore::cast(unit, **op).is_some()).count();
        for run in runs {
            unmask(unit, &run);
        }
        cx.count("stores unmasked", count as u64);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// Neighboring stores, from a masked one to a masked one
fn runs(ir: &Ir) -> Vec<Vec<OpId>> {
    let mut all: Vec<Vec<OpId>> = Vec::new();
    // Up to the last masked store, and the plain ones since.
    let (mut run, mut since): (Vec<OpId>, Vec<OpId>) = (Vec::new(), Vec::new());
    let mut block = None;
    for op in ir.walk() {
        let same = ir.block(op) == block;
        if same && !run.is_empty() && Store::cast(ir, op).is_some() {
            since.push(op);
        } else if same && ir.has(op, Traits::Pure) && ir.num_regions(op) == 0 {
            continue;
        } else {
            let found = mask_of(ir, op).is_some();
            if !(same && found) {
                all.push(std::mem::take(&mut run));
                since.clear();
            }
            block = ir.block(op);
            if found {
                run.append(&mut since);
                run.push(op);
            }
        }
    }
    all.push(run);
    all.retain(|run| !run.is_empty());
    all
}

/// How many lanes of a masked store are set, as a value that is not known, of how many
fn mask_of(ir: &Ir, op: OpId) -> Option<(Value, i64)> {
    let mask = MaskedStore::cast(ir, op)?.mask(ir);
    let made = CreateMask::cast(ir, ir.defining_op(mask)?)?;
    let TypeKind::Vector { shape, scalable: 0, .. } = ir.ty(mask).kind(ir.cx()) else { return None };
    let (&[lanes], count) = (&shape[..], ir.operand(made.0, 0)) else { return None };
    constant_of(ir, count).is_none().then_some((count, lanes))
}

/// A branch in place of the stores
fn unmask(ir: &mut Ir, run: &[OpId]) {
    let Some(&last) = run.last() else { return };
    let mut seen = HashSet::new();
    let masks = run.iter().filter_map(|op| mask_of(ir, *op)).filter(|mask| seen.insert(*mask));
    let masks: Vec<(Value, i64)> = masks.collect();
    let loc = ir.loc(last);
    // Behind all that is between the stores, which is pure.
    let mut b = Builder::after(ir, last);
    b.set_loc(loc);
    let mut whole: Option<Value> = None;
    for (count, lanes) in masks {
        let lanes = b.cx().index_attr(lanes);
        let lanes = Constant::build(&mut b, lanes).result(b.read());
        let fits = CmpI::build(&mut b, count, lanes, CmpIPredicate::Sge).result(b.read());
        whole = Some(match whole {
            Some(others) => AndI::build(&mut b, others, fits).result(b.read()),
            None => fits,
        });
    }
    let Some(whole) = whole else { return };
    let kind = b.kind(If::DEF);
    let choice = b.insert(&NewOp { operands: &[whole], regions: 2, loc, ..NewOp::new(kind) });
    for n in 0..2 {
        let region = ir.region(choice, n);
        let block = ir.append_block(region);
        for op in run {
            match MaskedStore::cast(ir, *op).filter(|_| n == 0) {
                Some(store) => plain(&mut Builder::at_end(ir, block), store),
                None => {
                    let copy = ir.clone_op(None, *op, &mut ValueMap::default());
                    Builder::at_end(ir, block).place(copy);
                }
            }
        }
        Yield::build(&mut Builder::at_end(ir, block), &[]);
    }
    for op in run {
        ir.erase(*op);
    }
}

/// The same store of all lanes
fn plain(b: &mut Builder<'_>, store: MaskedStore) {
    let ir = b.read();
    b.set_loc(ir.loc(store.id()));
    let ir = b.read();
    let (value, base, at) = (store.value_to_store(ir), store.base(ir), store.indices(ir));
    let (alignment, dict) = (store.alignment(ir), ir.dict(store.id()));
    let new = Store::build(b, value, base, &at);
    new.set_alignment(b.ir(), alignment);
    b.ir().set_dict(new.id(), dict);
}
