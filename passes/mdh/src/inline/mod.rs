//! The pass `mdh-inline`: element-wise results that are computed where they are read, in place of being stored.
//!
//! A result without reductions need not be stored if each reader can compute the elements that it reads. The body of its computation becomes part of
//! the readers' bodies, and its inputs become theirs. Values are the same bit for bit.
//!
//! - [`producer`]: what may be inlined, and whether that saves operations;
//! - [`merge`]: one computation from two.

mod merge;
mod producer;

use producer::Producer;
use terrace_diag::{Diagnostic, Reported};
use terrace_dialect_mdh::Compute;
use terrace_ir::{BlockId, Ir};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Compute element-wise results where they are read
///
/// A computation that only keeps dimensions is inlined into all computations that read its result, if that saves operations: a store and a load
/// of each element against computing it again for each further reading, and against the loads of its inputs. Values do not change. A result
/// stays stored if the function returns it, if anything but a computation reads it, if it transposes an input, or if a reader has prefixes or operators
/// that are functions. So do computations with a schedule. Remarks state what was inlined.
#[pass("mdh-inline", anchor = "func.func", stats("computations inlined"))]
pub struct MdhInline;

impl Pass for MdhInline {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut blocks: Vec<BlockId> = Vec::new();
        for op in unit.walk() {
            let block = Compute::cast(unit, op).and_then(|_| unit.block(op));
            if let Some(block) = block.filter(|block| blocks.last() != Some(block)) {
                blocks.push(block);
            }
        }
        let mut inlined = 0;
        for block in blocks {
            // Each producer in order: a reader that takes it in may be a producer itself.
            let mut at = unit.block_ops(block).next();
            while let Some(op) = at {
                at = unit.next(op);
                let Some(op) = Compute::cast(unit, op) else { continue };
                let Some(producer) = Producer::read(unit, op) else { continue };
                if !producer.pays(unit) {
                    continue;
                }
                let (span, said) = (unit.span(op.id()), producer.said(unit));
                // The next op may be a reader, which another one replaces.
                let before = unit.prev(op.id());
                if merge::into_readers(unit, &producer) {
                    inlined += 1;
                    let _ = cx.emit(Diagnostic::remark(None, said).at(span));
                    at = before.map_or_else(|| unit.block_ops(block).next(), |before| unit.next(before));
                }
            }
        }
        cx.count("computations inlined", inlined);
        cx.set_changed(inlined > 0);
        Ok(())
    }
}
