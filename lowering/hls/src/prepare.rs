//! `hls-prepare`: scheduled loops in the form that high-level synthesis takes.

use terrace_diag::Reported;
use terrace_dialect_builtin::marks::{PARTITION, UNROLL};
use terrace_dialect_sched::{Alloc, Copy, For, Level, Space, space};
use terrace_ir::{AttrKind, Ir, OpId};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Loops, copies and tiles in the form that high-level synthesis takes
///
/// Unrolled loops stay loops with the mark `terrace.unroll`, since its compilers make the copies. Copies move one element at a time, in
/// order. A buffer is an array on the chip (`terrace.partition`). Run it between `mdh-to-sched` and `sched-legalize`.
#[pass("hls-prepare", anchor = "func.func", stats("loops marked", "copies in order", "arrays"))]
pub struct HlsPrepare;

impl Pass for HlsPrepare {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let ops: Vec<OpId> = unit.walk().collect();
        let (mut loops, mut copies, mut arrays) = (0, 0, 0);
        for op in ops {
            loops += u64::from(mark(unit, op));
            copies += u64::from(in_order(unit, op));
            arrays += u64::from(array(unit, op));
        }
        cx.count("loops marked", loops);
        cx.count("copies in order", copies);
        cx.count("arrays", arrays);
        cx.set_changed(loops + copies + arrays > 0);
        Ok(())
    }
}

/// An unrolled loop becomes a sequential one with a mark
fn mark(ir: &mut Ir, op: OpId) -> bool {
    let Some(one) = For::cast(ir, op) else { return false };
    if one.info(ir).is_none_or(|info| info.level != Level::Unroll) {
        return false;
    }
    one.set_level(ir, None);
    let unit = ir.cx().common().unit;
    ir.set_discardable(op, UNROLL, Some(unit));
    true
}

/// A copy without levels runs element by element
fn in_order(ir: &mut Ir, op: OpId) -> bool {
    let Some(copy) = Copy::cast(ir, op).filter(|copy| copy.by(ir).is_none() && !copy.is_collective(ir))
    else {
        return false;
    };
    let seq = ir.cx().str_attr(&Level::Seq.to_string());
    let by = ir.cx().array_attr(&vec![seq; copy.sizes(ir).len()]);
    copy.set_by(ir, Some(by));
    true
}

/// A buffer is an array on the chip, in one bank so far
fn array(ir: &mut Ir, op: OpId) -> bool {
    let Some(alloc) = Alloc::cast(ir, op) else { return false };
    let ty = ir.ty(alloc.memref(ir));
    let Some(rank) = ty.shape(ir.cx()).map(<[i64]>::len) else { return false };
    if !matches!(space::of(ir.cx(), ty), Space::Main | Space::Chip) {
        return false;
    }
    let cx = ir.cx();
    let banks = cx.attr(AttrKind::DenseArray { elem: cx.common().i64, values: vec![1; rank].into() });
    ir.set_discardable(op, PARTITION, Some(banks));
    true
}
