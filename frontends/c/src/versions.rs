//! Two versions of a function, and the choice between them where pointers may overlap.

use crate::emitter::Emitter;
use terrace_dialect_arith as arith;
use terrace_dialect_arith::CmpIPredicate;
use terrace_dialect_memref as memref;
use terrace_ir::{DYNAMIC, Value};

impl Emitter<'_> {
    /// Do two buffers share bytes?
    pub fn overlap(&mut self, a: Value, b: Value) -> Value {
        let index = self.ir.cx().common().index;
        let mut ends = Vec::new();
        for memref in [a, b] {
            let start = self.op(memref::ExtractAlignedPointerAsIndex::DEF, &[memref], index);
            let ty = self.ir.ty(memref);
            let (shape, elem) = (ty.shape(self.ir.cx()).unwrap_or(&[]).to_vec(), ty.element(self.ir.cx()));
            let bytes = elem.and_then(|elem| elem.bit_width(self.ir.cx())).unwrap_or(8).div_ceil(8);
            let mut size = self.index(i64::from(bytes));
            for (n, extent) in shape.iter().enumerate() {
                let extent = match *extent {
                    DYNAMIC => {
                        let n = self.index(n as i64);
                        self.op(memref::Dim::DEF, &[memref, n], index)
                    }
                    extent => self.index(extent),
                };
                size = self.op(arith::MulI::DEF, &[size, extent], index);
            }
            let end = self.op(arith::AddI::DEF, &[start, size], index);
            ends.push((start, end));
        }
        let bit = self.ir.cx().int(1);
        let first = self.compare_ints(CmpIPredicate::Ult, ends[0].0, ends[1].1);
        let second = self.compare_ints(CmpIPredicate::Ult, ends[1].0, ends[0].1);
        self.op(arith::AndI::DEF, &[first, second], bit)
    }
}
