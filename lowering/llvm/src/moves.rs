//! Types that values are moved as: bf16 of processors as integers, whose lanes LLVM would widen and narrow again.

use crate::form::Spaces;
use crate::raw::{Llvm, Opcode, T, V};
use terrace_ir::FloatKind;

/// The type that accesses, phis and choices move a type as
pub(crate) fn moved_as(ll: &Llvm, spaces: Spaces, ty: T) -> T {
    if is_rounded(ll, spaces, ty) { like(ll, ll.int(16), ty) } else { ty }
}

/// The same bits as a type
pub(crate) fn typed(ll: &Llvm, value: V, ty: T) -> V {
    if ll.type_of(value) == ty { value } else { ll.cast(Opcode::LLVMBitCast, value, ty) }
}

/// Is it bf16 of a processor, in lanes or alone?
pub(crate) fn is_rounded(ll: &Llvm, spaces: Spaces, ty: T) -> bool {
    let narrow = ll.float(FloatKind::BF16);
    spaces == Spaces::Host && narrow.is_some_and(|narrow| ty == like(ll, narrow, ty))
}

/// As many lanes of another type as a type has
pub(crate) fn like(ll: &Llvm, elem: T, ty: T) -> T {
    ll.lanes(ty).map_or(elem, |lanes| ll.vector(elem, lanes))
}
