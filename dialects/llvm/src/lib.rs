//! `llvm`: of upstream's dialect the one op that no other dialect has, the fence.
//!
//! Fences order what threads of different blocks do: `gpu` has barriers of a block only. Everything else of LLVM is made by the back end.

use terrace_interp::{Interpret, Machine, Step, Trap, codes};
use terrace_ir::rules::StrAttr;
use terrace_macros::{dialect, op};

terrace_ir::attr_enums! {
    /// What a fence orders
    pub AtomicOrdering = "llvm.atomic_ordering",
    "allowed 64-bit signless integer cases: 0, 1, 2, 4, 5, 6, 7",
    i64 {
        NotAtomic "not_atomic" 0, Unordered "unordered" 1, Monotonic "monotonic" 2, Acquire "acquire" 4,
        Release "release" 5, AcqRel "acq_rel" 6, SeqCst "seq_cst" 7,
    }
}

/// Order memory between threads that meet in atomic updates
///
/// What a thread has done before a fence, and what its block had done before its last barrier, happens before what a thread does
/// behind a fence of its own, if the second thread has seen an atomic update that the first one made behind its fence.
///
/// ```mlir
/// func.func @f() {
///   llvm.fence syncscope("device") acq_rel
///   return
/// }
/// ```
#[op("llvm.fence", effects(read, write), interfaces(Interpret))]
#[asm("(`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict")]
pub struct Fence {
    #[attr]
    ordering: AtomicOrdering,
    #[attr(optional)]
    syncscope: StrAttr,
}

/// The scope of fences between blocks of a device
pub const DEVICE: &str = "device";

impl Interpret for Fence {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let scope = self.syncscope(m.ir()).and_then(|scope| scope.as_str(m.ir().cx()));
        let (scoped, both) = (scope.is_none_or(|scope| scope == DEVICE), self.ordering(m.ir()));
        if !scoped || !matches!(both, AtomicOrdering::AcqRel | AtomicOrdering::SeqCst) {
            let message = "a fence orders both ways, in the scope \"device\" or everywhere";
            return Step::Trap(Trap::new(&codes::KERNEL, message));
        }
        m.fence();
        Step::Next
    }
}

dialect! {
    /// Of LLVM's dialect, the fence
    pub LLVM = "llvm" { ops: [Fence], attrs: [] }
}
