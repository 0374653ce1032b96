//! Device memory as host memory: what was asynchronous happens where it stands.

use super::{Refused, index};
use terrace_dialect_gpu as gpu;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::{Builder, Ir, NewOp, OpDef, OpId, Value};

/// Ops of the host that the pass converts
const CONVERTED: [&OpDef; 8] = [
    gpu::Alloc::DEF,
    gpu::Dealloc::DEF,
    gpu::HostRegister::DEF,
    gpu::HostUnregister::DEF,
    gpu::Launch::DEF,
    gpu::Memcpy::DEF,
    gpu::Memset::DEF,
    gpu::Wait::DEF,
];

pub(super) fn converts(ir: &Ir, op: OpId) -> bool {
    CONVERTED.iter().any(|def| ir.is(op, def))
}

/// Why a token keeps an op from being converted
pub(super) fn token_is_used(ir: &Ir, token: Value) -> String {
    let user = ir.uses(token).next().map_or("another op", |(op, _)| ir.def(op).name);
    format!("gives a token that '{user}' waits for, which is not converted")
}

pub(super) fn convert(ir: &mut Ir, op: OpId) -> Result<(), Refused> {
    let tokens: Vec<Value> =
        ir.results(op).filter(|value| ir.ty(*value) == gpu::AsyncToken::get(ir.cx())).collect();
    if let Some(token) = tokens.into_iter().find(|token| ir.is_used(*token)) {
        return Err((op, token_is_used(ir, token)));
    }
    if let Some(alloc) = gpu::Alloc::cast(ir, op) {
        let (sizes, symbols) = (alloc.dynamic_sizes(ir), alloc.symbol_operands(ir));
        let old = alloc.memref(ir);
        let ty = ir.ty(old);
        let mut b = Builder::before(ir, op);
        let new = memref::Alloc::build(&mut b, &sizes, &symbols, ty).memref(b.read());
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    } else if let Some(dealloc) = gpu::Dealloc::cast(ir, op) {
        let buffer = dealloc.memref(ir);
        memref::Dealloc::build(&mut Builder::before(ir, op), buffer);
    } else if let Some(copy) = gpu::Memcpy::cast(ir, op) {
        let (from, to) = (copy.src(ir), copy.dst(ir));
        memref::Copy::build(&mut Builder::before(ir, op), from, to);
    } else if let Some(set) = gpu::Memset::cast(ir, op) {
        fill(ir, op, set.dst(ir), set.value(ir));
    }
    ir.erase(op);
    Ok(())
}

/// Write a value to all elements of a buffer
fn fill(ir: &mut Ir, op: OpId, buffer: Value, value: Value) {
    let rank = ir.ty(buffer).shape(ir.cx()).map_or(0, <[i64]>::len);
    let mut b = Builder::before(ir, op);
    let (zero, one) = (index(&mut b, 0), index(&mut b, 1));
    let ty = b.cx().common().index;
    let mut ivs: Vec<Value> = Vec::new();
    for n in 0..rank {
        let at = index(&mut b, n as i64);
        let size = memref::Dim::build(&mut b, buffer, at).result(b.read());
        let kind = b.kind(scf::For::DEF);
        let new =
            NewOp { operands: &[zero, size, one], segments: &[1, 1, 1, 0], regions: 1, ..NewOp::new(kind) };
        let looped = b.insert(&new);
        let ir = b.ir();
        let region = ir.region(looped, 0);
        let block = ir.append_block(region);
        ivs.push(ir.add_block_arg(block, ty));
        b.set_insert_point(terrace_ir::InsertPoint::End(block));
        let end = scf::Yield::build(&mut b, &[]).id();
        b.set_insert_point(terrace_ir::InsertPoint::Before(end));
    }
    memref::Store::build(&mut b, value, buffer, &ivs);
}
