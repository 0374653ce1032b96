//! `bufferization`: where values meet memory.
//!
//! A function written for memory (C) that holds computations on values says with these two ops what the values are of, and
//! where results go. The edge to buffers makes both disappear.

use terrace_diag::Reported;
use terrace_interp::{Fault, Interpret, Machine, RtValue, Step, Trap, codes as traps};
use terrace_ir::rules::{AnyMemRef, AnyRankedTensor, UnitAttr};
use terrace_ir::{Verify, VerifyCx, codes};
use terrace_macros::{dialect, op};

/// The content of a buffer as a value
///
/// `restrict`: no other such op of the function sees the same memory under another name.
///
/// ```mlir
/// func.func @f(%m: memref<4xf32>) -> tensor<4xf32> {
///   %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
///   return %t : tensor<4xf32>
/// }
/// ```
#[op("bufferization.to_tensor", effects(read), interfaces(terrace_interp::Interpret), hooks(verify))]
#[asm(
    "$buffer (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($buffer) `to` type($result)"
)]
pub struct ToTensor {
    buffer: AnyMemRef,
    #[attr(optional)]
    restrict: UnitAttr,
    #[attr(optional)]
    writable: UnitAttr,
    #[result]
    result: AnyRankedTensor,
}

/// A value becomes the content of a buffer
///
/// ```mlir
/// func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) {
///   bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
///   return
/// }
/// ```
#[op(
    "bufferization.materialize_in_destination",
    effects(write),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm(
    "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` functional-type(operands, results)"
)]
pub struct MaterializeInDestination {
    source: AnyRankedTensor,
    dest: AnyMemRef,
    #[attr(optional)]
    restrict: UnitAttr,
    #[attr(optional)]
    writable: UnitAttr,
    #[result]
    result: Optional<AnyRankedTensor>,
}

dialect! {
    /// Where values meet memory
    pub BUFFERIZATION = "bufferization" { ops: [MaterializeInDestination, ToTensor] }
}

/// Both sides have one shape and one element type
fn same(
    v: &VerifyCx<'_>,
    op: terrace_ir::OpId,
    tensor: terrace_ir::Type,
    memref: terrace_ir::Type,
) -> Result<(), Reported> {
    let cx = v.ir.cx();
    if tensor.shape(cx) == memref.shape(cx) && tensor.scalar(cx) == memref.element(cx).unwrap_or(memref) {
        return Ok(());
    }
    let message = format!("{} and {} differ in shape or elements", v.show(tensor), v.show(memref));
    v.fail(op, &codes::OP_RULE, message)
}

impl Verify for ToTensor {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        same(v, self.id(), v.ir.ty(self.result(v.ir)), v.ir.ty(self.buffer(v.ir)))
    }
}

impl Verify for MaterializeInDestination {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        if self.result(v.ir).is_some() {
            return v.fail(self.id(), &codes::OP_RULE, "a buffer as destination gives no result");
        }
        same(v, self.id(), v.ir.ty(self.source(v.ir)), v.ir.ty(self.dest(v.ir)))
    }
}

impl Interpret for ToTensor {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.run(m).map(|()| Step::Next).into()
    }
}

impl Interpret for MaterializeInDestination {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.run(m).map(|()| Step::Next).into()
    }
}

/// Indices of all elements in row order
fn indices(sizes: &[i64]) -> impl Iterator<Item = Vec<i64>> + '_ {
    let count: i64 = sizes.iter().product();
    (0..count).map(move |mut n| {
        let mut at = vec![0; sizes.len()];
        for (slot, size) in at.iter_mut().zip(sizes).rev() {
            *slot = n % size;
            n /= size;
        }
        at
    })
}

impl ToTensor {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.buffer(m.ir()))?;
        let mut all = Vec::new();
        for at in indices(&view.sizes) {
            all.push(match m.memory().load(&view, &at) {
                // No op reads it, or the reader traps.
                Err(Fault::Uninitialized) => RtValue::Poison,
                found => found?,
            });
        }
        m.set_result(0, RtValue::Vector(all.into()));
        Ok(())
    }
}

impl MaterializeInDestination {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let view = m.decide_memref(self.dest(m.ir()))?;
        let RtValue::Vector(all) = m.value(self.source(m.ir())) else {
            return Err(Trap::new(&traps::POISON, "the value is poison"));
        };
        let sizes = view.sizes.clone();
        for (at, value) in indices(&sizes).zip(&*all) {
            m.memory().store(&view, &at, value.clone())?;
        }
        Ok(())
    }
}
