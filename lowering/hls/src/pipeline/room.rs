//! Whether a device has blocks of memory and multipliers for a program.

use super::{callee, functions, is_pipelined, is_unrolled};
use crate::codes;
use crate::memory::{banks, is_array};
use crate::rounds::trips;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_builtin::marks::DATAFLOW;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::fold::constant_of;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Ir, OpId, Str};
use terrace_pass::PassCx;
use terrace_schedule_fpga::{Fpga, blocks};
use terrace_support::HashMap;

/// What functions take, one by one
#[derive(Clone, Copy, Default)]
struct Taken {
    bram: i64,
    products: i64,
}

/// Refuse functions that the device has no room for
pub(super) fn check(cx: &mut PassCx<'_>, table: &Ir, device: &Fpga) -> Result<(), Reported> {
    let mut own: HashMap<Str, Taken> = HashMap::default();
    for function in functions(table) {
        if let Some(name) = symbol_name(function, function.root()) {
            own.insert(name, alone(function, device));
        }
    }
    for function in functions(table) {
        let Some(mut all) = symbol_name(function, function.root()).and_then(|name| own.get(&name).copied())
        else {
            continue;
        };
        for op in function.walk() {
            let called = callee(function, op).and_then(|name| own.get(&name));
            let Some(called) = called else { continue };
            let copies = copies(function, op);
            all.bram = all.bram.saturating_add(called.bram.saturating_mul(copies));
            all.products = all.products.saturating_add(called.products.saturating_mul(copies));
        }
        let dsp = all.products.saturating_mul(device.dsp_per_mac);
        for (what, wanted, there) in
            [("blocks of memory", all.bram, device.bram_blocks), ("multipliers", dsp, device.dsp)]
        {
            if wanted > there {
                let message = format!("takes {wanted} {what}, and the device has {there}");
                let error = terrace_ir::verify::op_error(function, function.root(), &codes::ROOM, message);
                return Err(cx.emit(error.help("make tiles smaller, or copies of hardware fewer")));
            }
        }
    }
    Ok(())
}

/// What a function takes without those that it calls
fn alone(ir: &Ir, device: &Fpga) -> Taken {
    let mut all = Taken::default();
    for op in ir.walk() {
        let copies = copies(ir, op);
        if ir.is_any(op, &[memref::Alloca::DEF, memref::Alloc::DEF]) {
            all.bram = all.bram.saturating_add(memory(ir, op, device).saturating_mul(copies));
        }
        let product = ir.is_any(op, &[arith::MulF::DEF, arith::MulI::DEF])
            && !ir.ty(ir.result(op, 0)).is_index(ir.cx())
            && in_pipeline(ir, op);
        all.products = all.products.saturating_add(if product { copies } else { 0 });
    }
    all
}

/// Blocks of memory of an array
fn memory(ir: &Ir, op: OpId, device: &Fpga) -> i64 {
    let (cx, value) = (ir.cx(), ir.result(op, 0));
    let ty = ir.ty(value);
    let bits = i64::from(ty.scalar(cx).bit_width(cx).unwrap_or(64));
    // Open sizes are refused where the text is printed.
    let bytes = ty.num_elements(cx).unwrap_or(0).saturating_mul(bits.max(8) / 8);
    let banks = banks(ir, op).unwrap_or_default().iter().fold(1i64, |all, banks| all.saturating_mul(*banks));
    let overlaps = ir.parent(op).is_some_and(|around| ir.discardable(around, DATAFLOW).is_some());
    blocks(device, bytes, banks, is_array(ir, value) && overlaps)
}

fn in_pipeline(ir: &Ir, op: OpId) -> bool {
    std::iter::successors(ir.parent(op), |op| ir.parent(*op)).any(|around| is_pipelined(ir, around))
}

/// Copies of hardware of an op: iterations of loops around it that are copies
fn copies(ir: &Ir, op: OpId) -> i64 {
    let around = std::iter::successors(ir.parent(op), |op| ir.parent(*op));
    around.fold(1i64, |all, op| {
        let own = match scf::Parallel::cast(ir, op) {
            Some(parallel) => units(ir, parallel),
            None if is_unrolled(ir, op) => trips(ir, op).unwrap_or(1),
            None => 1,
        };
        all.saturating_mul(own)
    })
}

/// Iterations of a parallel loop, whose bounds are numbers
fn units(ir: &Ir, parallel: scf::Parallel) -> i64 {
    let number = |value| constant_of(ir, value).and_then(|attr| attr.as_i64(ir.cx()));
    let bounds = parallel.lower(ir).into_iter().zip(parallel.upper(ir)).zip(parallel.steps(ir));
    bounds.fold(1i64, |all, ((low, high), step)| {
        let trips = number(low).zip(number(high)).zip(number(step)).map_or(1, |((low, high), step)| {
            let span = high.saturating_sub(low);
            if span <= 0 { 0 } else { (span - 1) / step.max(1) + 1 }
        });
        all.saturating_mul(trips)
    })
}
