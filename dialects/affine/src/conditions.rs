//! The condition: `if`.

use super::IntegerSetAttr;
use super::parts::{parse_map, print_map, resolve};
use super::valid;
use terrace_diag::Reported;
use terrace_dialect_scf::syntax::{arrow_types, parse_branches, print_branches};
use terrace_ir::rules::{AnyType, Index};
use terrace_ir::{AttrKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Run one region where the point is in the set, else the other
///
/// ```mlir
/// func.func @f(%n: index, %x: f32, %y: f32, %m: memref<8xf32>) -> f32 {
///   affine.for %i = 0 to 8 {
///     affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 - d0 == 0)>(%i)[%n] {
///       affine.store %x, %m[%i] : memref<8xf32>
///     }
///   }
///   %r = affine.if affine_set<()[s0] : (s0 >= 0)>()[%n] -> f32 {
///     affine.yield %x : f32
///   } else {
///     affine.yield %y : f32
///   }
///   return %r : f32
/// }
/// ```
#[op(
    "affine.if",
    traits(SingleBlock, RecursiveEffects, RecursivelySpeculatable, terrace_dataflow::PlacedIndices),
    interfaces(
        CustomAsm,
        terrace_rewrite::Canonicalize,
        terrace_interp::Interpret,
        terrace_dataflow::RegionFlow
    ),
    hooks(verify),
    implicit_terminator = "affine.yield"
)]
pub struct If {
    operands: Variadic<Index>,
    #[attr]
    condition: IntegerSetAttr,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    then_region: Region,
    #[region(single_block, may_be_empty)]
    else_region: Region,
}

impl CustomAsm for If {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let (set, operands) = parse_map(p)?;
        p.set_attr("condition", set);
        resolve(p, &operands)?;
        parse_branches(p)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        print_map(p, self.condition(ir), &self.operands(ir));
        if ir.num_results(self.0) > 0 {
            p.text(" -> ");
            arrow_types(p, self.0);
        }
        print_branches(p, self.then_region(ir), self.else_region(ir));
        p.attr_dict(&["condition"]);
    }
}

impl Verify for If {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let AttrKind::IntegerSet(set) = self.condition(ir).kind(cx) else { return Ok(()) };
        let operands = self.operands(ir);
        let message = "operand count and condition integer set dimension and symbol count must match";
        valid::check_count(v, self.0, self.condition(ir), operands.len(), message)?;
        valid::check(v, self.0, set.dims as usize, &operands)?;
        if ir.num_results(self.0) > 0 && ir.entry(self.else_region(ir)).is_none() {
            return v.fail(self.0, &codes::OP_RULE, "must have an else block if defining values");
        }
        Ok(())
    }
}
