//! Accesses of parts of a range as accesses of all of it.
//!
//! | access | in its place |
//! |---|---|
//! | `maskedload` | `load`, `select` by the mask |
//! | `maskedstore` | `load`, `select` by the mask, `store` |
//! | a lane is loaded | `load`, `extract` |
//! | a lane is stored | `load`, `insert`, `store` |
//!
//! Lanes that were never written are poison then, and are not chosen: no load of this kind may stay, since memory that
//! was never written must not be read. So this is done only for ranges that become slots.

use super::slots::{Part, Uneven};
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_vector as vector;
use terrace_ir::{Builder, Context, Ir, OpId, Type, Value};

/// Are the dialects there that this builds ops of?
pub(super) fn can_rewrite(cx: &Context) -> bool {
    [arith::Select::DEF, vector::Load::DEF].iter().all(|def| cx.kind_of(def).is_some())
}

/// Rewrite all
pub(super) fn rewrite(ir: &mut Ir, all: &[Uneven]) {
    for uneven in all {
        match &uneven.part {
            Part::Masked => masked(ir, uneven.op),
            Part::Lane { lane, vector, start } => one_lane(ir, uneven.op, *lane, *vector, start),
        }
    }
}

/// Let the users of a load use a value, and erase the access
fn finish(ir: &mut Ir, op: OpId, value: Option<Value>) {
    if let Some(value) = value {
        let old = ir.result(op, 0);
        if let Some(name) = ir.value_name(old).map(|name| ir.cx().intern(name)) {
            ir.set_value_name(value, terrace_ir::Name::Str(name));
        }
        ir.replace_all_uses(old, value);
    }
    ir.erase(op);
}

fn masked(ir: &mut Ir, op: OpId) {
    if let Some(load) = vector::MaskedLoad::cast(ir, op) {
        let (base, indices, mask) = (load.base(ir), load.indices(ir), load.mask(ir));
        let (otherwise, ty) = (load.pass_thru(ir), ir.ty(load.result(ir)));
        let b = &mut Builder::before(ir, op);
        let held = vector::Load::build(b, base, &indices, ty).result(b.read());
        let value = arith::Select::build(b, mask, held, otherwise).result(b.read());
        return finish(ir, op, Some(value));
    }
    let Some(store) = vector::MaskedStore::cast(ir, op) else { return };
    let (base, indices, mask) = (store.base(ir), store.indices(ir), store.mask(ir));
    let given = store.value_to_store(ir);
    let ty = ir.ty(given);
    let b = &mut Builder::before(ir, op);
    let held = vector::Load::build(b, base, &indices, ty).result(b.read());
    let value = arith::Select::build(b, mask, given, held).result(b.read());
    vector::Store::build(b, value, base, &indices);
    finish(ir, op, None);
}

fn one_lane(ir: &mut Ir, op: OpId, lane: i64, ty: Type, start: &[i64]) {
    let (base, given) = match (memref::Load::cast(ir, op), memref::Store::cast(ir, op)) {
        (Some(load), _) => (load.memref(ir), None),
        (_, Some(store)) => (store.memref(ir), Some(store.value(ir))),
        _ => return,
    };
    let b = &mut Builder::before(ir, op);
    let index = |b: &mut Builder<'_>, at: &i64| {
        let attr = b.cx().index_attr(*at);
        arith::Constant::build(b, attr).result(b.read())
    };
    let indices: Vec<Value> = start.iter().map(|at| index(b, at)).collect();
    let held = vector::Load::build(b, base, &indices, ty).result(b.read());
    let position = b.cx().i64_array(&[lane]);
    let loaded = match given {
        None => Some(vector::Extract::build(b, held, &[], position).result(b.read())),
        Some(given) => {
            let value = vector::Insert::build(b, given, held, &[], position).result(b.read());
            vector::Store::build(b, value, base, &indices);
            None
        }
    };
    finish(ir, op, loaded);
}
