//! The pass `stablehlo-to-mdh`: functions are inlined, then the edge converts what is in them.

use terrace_diag::Reported;
use terrace_ir::Ir;
use terrace_lowering_mdh::stablehlo::{convert_all, has_graph};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx, PassInfo, PassOptions};
use terrace_passes_general::inline::Inline;
use terrace_passes_general::symbol_dce::SymbolDce;

/// Graphs of StableHLO become computations of mdh
///
/// Element-wise ops, reductions, windows, products and convolutions become `mdh.compute` with the dimensions that the op has; ops that
/// move elements become index functions; loops and conditions become `scf` on tensors. Functions that are called become part of their
/// callers. An op without a road (sorting, random numbers, Fourier transforms, complex numbers, calls of foreign code, sizes that
/// are values) is an error with its name and the reason. Programs without such ops stay as they are.
#[pass("stablehlo-to-mdh", scope = tree, stats("ops converted"))]
pub struct StablehloToMdh;

impl Pass for StablehloToMdh {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        if !has_graph(unit) {
            cx.set_changed(false);
            return Ok(());
        }
        // Before, so that calls in regions of reductions go; and behind, in loops that are `scf` by then.
        by_default(Inline::INFO, cx, unit)?;
        let converted = convert_all(cx, unit)?;
        cx.count("ops converted", converted);
        by_default(Inline::INFO, cx, unit)?;
        let gone = by_default(SymbolDce::INFO, cx, unit);
        cx.set_changed(true);
        gone
    }
}

/// Run another pass with its default options
fn by_default(pass: &PassInfo, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
    (pass.make)(&PassOptions::default()).map_or(Ok(()), |pass| pass.run(cx, unit))
}
