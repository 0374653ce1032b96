//! Blocks of memory of the runtime.

use crate::raw::{Llvm, V};

/// Alignment of blocks from the runtime: a cache line, which is the widest vector
pub(crate) const BLOCK: u32 = 64;

/// A block of the runtime
pub(crate) fn take(ll: &Llvm, bytes: V) -> V {
    let function = ll.declare("terrace_alloc", ll.ptr(0), &[ll.i64(), ll.i64()]);
    ll.result_attr(function.value, "noalias", 0);
    ll.result_attr(function.value, "nonnull", 0);
    ll.result_attr(function.value, "align", BLOCK.into());
    ll.call(function, &[bytes, ll.const_i64(BLOCK.into())])
}

/// A block back to the runtime
pub(crate) fn give(ll: &Llvm, block: V, bytes: V) {
    let free = ll.declare("terrace_free", ll.void(), &[ll.ptr(0), ll.i64(), ll.i64()]);
    ll.call(free, &[block, bytes, ll.const_i64(BLOCK.into())]);
}
