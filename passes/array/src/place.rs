//! `array-place`: memory for computed values that have none.

use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_lowering_array::place::{drop_last, place};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Give memory to computed values that have none
///
/// What several ops read, what windows would compute again and again, and what goes through a layout op without an inverse is
/// placed: in device memory where it stands outside of all maps, else in memory of the block or thread that computes it, on a
/// host in main memory. A place of the whole program from which all is only brought into another order and returned is dropped,
/// where it can be computed in that order at once.
#[pass("array-place", anchor = "func.func", stats("places", "places dropped"))]
pub struct ArrayPlace;

impl Pass for ArrayPlace {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let count = place(unit, cx.symbols, cx.scope);
        let dropped = drop_last(unit, cx.symbols, cx.scope);
        cx.count("places", count as u64);
        cx.count("places dropped", dropped as u64);
        cx.set_changed(count + dropped > 0);
        Ok(())
    }
}
