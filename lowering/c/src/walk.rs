//! The walk over the ops of a function: each is printed by its row, on an explicit stack of C blocks.

use crate::emit::{Check, Emit};
use crate::frame::End;
use crate::refusal::{Done, Refused};
use terrace_dialect_memref as memref;
use terrace_dialect_vector as vector;
use terrace_ir::{BlockId, OpDef, OpId, Traits, TypeKind, Value};
use terrace_lowering_table::Refusal;

/// Reads of memory that may be left out if their result is not used
static READS: &[&OpDef] = &[memref::Load::DEF, vector::Load::DEF, vector::MaskedLoad::DEF];

impl Emit<'_> {
    /// Print all ops of a function's body
    pub fn body(&mut self, entry: BlockId) {
        self.enter(entry, End::Function);
        while let Some(block) = self.frame.blocks.last_mut() {
            match block.next {
                Some(op) => {
                    block.next = self.ir.next(op);
                    // The error has been reported; what follows may have more.
                    let _ = self.visit(op);
                }
                None => {
                    if let Some(block) = self.frame.blocks.pop() {
                        self.values.forget(block.waiting);
                        self.leave(block.end);
                    }
                }
            }
        }
    }

    /// Print an op by its row
    fn visit(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        if ir.child(op).is_some() || self.is_idle(op) {
            return Ok(());
        }
        let row = self.table.row_of(ir, op);
        let known = row.is_some() || self.table.gap_of(ir, op).is_some_and(|gap| !gap.why.is_empty());
        // The reason is that of the op that gives the buffer.
        if known && ir.operands(op).any(|value| self.is_lost(value)) {
            return Err(Refused);
        }
        let Some(row) = row else { return self.unknown(op) };
        if let Err(Refusal { code, why, help }) = (row.check)(&Check { ir, lang: self.lang }, op) {
            return match code {
                Some(code) => self.refuse(op, code, &why, help),
                None => self.no_op(op, &why, help),
            };
        }
        if self.is_lanewise(op) { self.lanewise(op, row) } else { (row.emit)(self, op) }
    }

    /// May the op be left out?
    fn is_idle(&self, op: OpId) -> bool {
        let ir = self.ir;
        let harmless = ir.has(op, Traits::Pure)
            || ir.has(op, Traits::NoEffect)
            || READS.iter().any(|def| ir.is(op, def));
        harmless && ir.num_results(op) > 0 && ir.is_unused(op)
    }

    /// Is the value a buffer whose op was refused?
    fn is_lost(&self, value: Value) -> bool {
        matches!(self.ir.ty(value).kind(self.ir.cx()), TypeKind::MemRef { .. })
            && self.values.get(value).is_none()
    }

    /// The ops of a block have ended
    fn leave(&mut self, end: End) {
        match end {
            End::Function => {}
            End::Assign(_) | End::Before(_) | End::Update(_) => self.text.close("}"),
            End::Reduction { around, n, .. } => self.reduction_end(*around, n),
            End::Else { slots, start } => {
                self.text.close("}");
                self.shorten(&slots, start);
            }
            End::Then { slots, other, start } => match other.and_then(|other| self.ir.single_block(other)) {
                Some(block) => {
                    self.text.names.pop();
                    self.text.depth -= 1;
                    self.text.open("} else {");
                    self.enter(block, End::Else { slots, start });
                }
                None => self.text.close("}"),
            },
            End::Case { slots, rest } => self.case_end(slots, rest),
            End::Forall { loops, pragma } => self.loops_end(loops, pragma),
            // Its terminator has ended it.
            End::Parallel(_) => {}
        }
    }
}
