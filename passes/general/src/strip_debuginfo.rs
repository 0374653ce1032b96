//! Locations become unknown.

use terrace_diag::Reported;
use terrace_ir::{Ir, Loc, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Forget where ops and block arguments come from
///
/// Messages of later passes then have no place in the source.
#[pass("strip-debuginfo")]
pub struct StripDebuginfo;

impl Pass for StripDebuginfo {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let ops: Vec<OpId> = std::iter::once(unit.root()).chain(unit.walk()).collect();
        let mut args: Vec<Value> = Vec::new();
        for op in ops {
            unit.set_loc(op, Loc::UNKNOWN);
            for region in unit.regions(op) {
                args.extend(unit.blocks(region).flat_map(|block| unit.block_args(block)));
            }
        }
        args.sort_by_key(|arg| arg.raw());
        for arg in args {
            unit.set_arg_loc(arg, Loc::UNKNOWN);
        }
        cx.set_changed(true);
        Ok(())
    }
}
