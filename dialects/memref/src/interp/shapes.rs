//! Descriptors: other shapes of the same elements, and what they hold.

use super::super::shapes::rows;
use super::super::{
    AllocaScope, AllocaScopeReturn, AssumeAlignment, CollapseShape, DistinctObjects, ExpandShape,
    ExtractAlignedPointerAsIndex, ExtractStridedMetadata, MemorySpaceCast, Prefetch, Rank, Realloc, Reshape,
    Transpose,
};
use super::filled;
use terrace_interp::{Fault, Interpret, Machine, MemRef, RtValue, Step, Trap, codes};

terrace_interp::interpret_by_run!(
    AssumeAlignment CollapseShape DistinctObjects ExpandShape ExtractAlignedPointerAsIndex ExtractStridedMetadata
    MemorySpaceCast Prefetch Rank Realloc
    Reshape Transpose
);

fn mismatch() -> Trap {
    Trap::new(&codes::BOUNDS, "the shapes have different numbers of elements")
}

impl Prefetch {
    fn run(self, _: &mut Machine<'_>) -> Result<(), Trap> {
        Ok(())
    }
}

impl AssumeAlignment {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        // Numbered allocations have no address: every one is aligned.
        let value = m.operand(0);
        m.set_result(0, value);
        Ok(())
    }
}

impl DistinctObjects {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let values = m.operands();
        m.set_results(values);
        Ok(())
    }
}

impl MemorySpaceCast {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let value = m.operand(0);
        m.set_result(0, value);
        Ok(())
    }
}

impl Rank {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.memref(m.ir()))?;
        m.set_result(0, RtValue::index(view.sizes.len() as i64));
        Ok(())
    }
}

impl ExtractAlignedPointerAsIndex {
    /// Allocations lie so far apart that none reaches into another one
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.source(m.ir()))?;
        m.set_result(0, RtValue::index((view.alloc as i64 + 1).wrapping_shl(40)));
        Ok(())
    }
}

impl ExtractStridedMetadata {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.source(m.ir()))?;
        let base = MemRef { offset: 0, sizes: [].into(), strides: [].into(), ..view.clone() };
        let numbers = view.sizes.iter().chain(&*view.strides).map(|n| RtValue::index(*n));
        let values =
            [RtValue::MemRef(base), RtValue::index(view.offset)].into_iter().chain(numbers).collect();
        m.set_results(values);
        Ok(())
    }
}

impl ExpandShape {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.src(ir))?;
        let sizes = filled(m, self.sizes(ir), self.output_shape(ir), "a size")?;
        let mut strides = vec![1i64; sizes.len()];
        for ((group, stride), size) in self.groups(ir).iter().zip(&*view.strides).zip(&*view.sizes) {
            let mut count = 1i64;
            for dim in group.iter().rev() {
                let dim = *dim as usize;
                strides[dim] = stride.checked_mul(count).ok_or_else(mismatch)?;
                count = count.checked_mul(sizes[dim]).ok_or_else(mismatch)?;
            }
            if count != *size {
                return Err(mismatch());
            }
        }
        let value = MemRef { sizes: sizes.into(), strides: strides.into(), ..view };
        m.set_result(0, RtValue::MemRef(value));
        Ok(())
    }
}

impl CollapseShape {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.src(m.ir()))?;
        let (mut sizes, mut strides) = (Vec::new(), Vec::new());
        for group in self.groups(m.ir()) {
            let real = group.iter().map(|dim| *dim as usize).filter(|dim| view.sizes[*dim] != 1);
            let (mut size, mut stride) = (1i64, None);
            for dim in real.rev() {
                let first = *stride.get_or_insert(view.strides[dim]);
                if Some(view.strides[dim]) != first.checked_mul(size) && view.sizes[dim] != 0 {
                    return Err(Trap::new(&codes::BOUNDS, "the dimensions do not follow each other"));
                }
                size = size.checked_mul(view.sizes[dim]).ok_or_else(mismatch)?;
            }
            sizes.push(size);
            let last = group.last().map_or(1, |dim| view.strides[*dim as usize]);
            strides.push(stride.unwrap_or(last));
        }
        let value = MemRef { sizes: sizes.into(), strides: strides.into(), ..view };
        m.set_result(0, RtValue::MemRef(value));
        Ok(())
    }
}

impl Transpose {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.source(m.ir()))?;
        let order = self.order(m.ir()).unwrap_or_default();
        let pick = |list: &[i64]| order.iter().filter_map(|dim| list.get(*dim).copied()).collect();
        let value = MemRef { sizes: pick(&view.sizes), strides: pick(&view.strides), ..view };
        m.set_result(0, RtValue::MemRef(value));
        Ok(())
    }
}

fn product(sizes: &[i64]) -> Option<i64> {
    sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size))
}

impl Reshape {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let view = m.decide_memref(self.source(ir))?;
        let shape = m.decide_memref(self.shape(ir))?;
        let mut sizes = Vec::new();
        for n in 0..shape.sizes.first().copied().unwrap_or(0) {
            let size = m.memory().load(&shape, &[n])?.as_i64();
            sizes.push(size.filter(|size| *size >= 0).ok_or_else(mismatch)?);
        }
        let given = ir.ty(self.result(ir)).shape(m.cx()).unwrap_or(&[]);
        let fits = given.iter().zip(&sizes).all(|(a, b)| *a == terrace_ir::DYNAMIC || a == b);
        if product(&sizes).is_none() || product(&sizes) != product(&view.sizes) || !fits {
            return Err(mismatch());
        }
        let value = MemRef { strides: rows(&sizes).into(), sizes: sizes.into(), ..view };
        m.set_result(0, RtValue::MemRef(value));
        Ok(())
    }
}

impl Realloc {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let old = m.decide_memref(self.source(ir))?;
        let size = match self.size(ir) {
            Some(size) => m.decide_i64(size, "the size")?,
            None => {
                ir.ty(self.result(ir)).shape(m.cx()).and_then(|shape| shape.first().copied()).unwrap_or(0)
            }
        };
        let new = m.memory().alloc(&[size])?;
        for n in 0..size.min(old.sizes.first().copied().unwrap_or(0)) {
            match m.memory().load(&old, &[n]) {
                Ok(value) => m.memory().store(&new, &[n], value)?,
                // What was never written is not written in the new one.
                Err(Fault::Uninitialized) => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        m.memory().free(&old)?;
        m.set_result(0, RtValue::MemRef(new));
        Ok(())
    }
}

impl Interpret for AllocaScope {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Enter { region: self.body(m.ir()), args: Vec::new() }
    }
}

impl Interpret for AllocaScopeReturn {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}
