//! Conditions and regions: `if`, `execute_region`.

use super::loops::{result_types, yielded};
use super::syntax::{parse_branches, print_branches};
use terrace_diag::Reported;
use terrace_ir::codes;
use terrace_ir::rules::{AnyType, I1, UnitAttr};
use terrace_ir::{Verify, VerifyCx};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Run one of two regions; with results both must give them
///
/// ```mlir
/// func.func @abs(%x: i32) -> i32 {
///   %zero = arith.constant 0 : i32
///   %negative = arith.cmpi slt, %x, %zero : i32
///   %r = scf.if %negative -> (i32) {
///     %n = arith.subi %zero, %x : i32
///     scf.yield %n : i32
///   } else {
///     scf.yield %x : i32
///   }
///   return %r : i32
/// }
/// ```
#[op(
    "scf.if",
    traits(SingleBlock, RecursiveEffects, InlinesCalls, Sequential),
    implicit_terminator = "scf.yield",
    hooks(verify),
    interfaces(
        CustomAsm,
        terrace_rewrite::Canonicalize,
        terrace_interp::Interpret,
        terrace_dataflow::RegionFlow
    )
)]
pub struct If {
    condition: I1,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    then_region: Region,
    #[region(single_block, may_be_empty)]
    else_region: Region,
}

impl CustomAsm for If {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let condition = p.operand()?;
        let i1 = p.cx().common().i1;
        p.resolve(&condition, i1)?;
        parse_branches(p)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.condition(ir));
        let results = result_types(ir, self.0);
        if !results.is_empty() {
            p.text(" -> (");
            p.types(results.iter().copied());
            p.text(")");
        }
        print_branches(p, self.then_region(ir), self.else_region(ir));
        p.attr_dict(&[]);
    }
}

impl Verify for If {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let results = result_types(ir, self.0);
        if !results.is_empty() && ir.entry(self.else_region(ir)).is_none() {
            return v.fail(self.0, &codes::OP_RULE, "must have an else block if defining values");
        }
        for region in [self.then_region(ir), self.else_region(ir)] {
            if let Some((last, given)) = yielded(ir, region)
                && given != results
            {
                return v.fail(
                    last,
                    &codes::OP_RULE,
                    "must give the results of the op around it, in number and type",
                );
            }
        }
        Ok(())
    }
}

/// Run a region of several blocks in a place for one op
///
/// ```mlir
/// func.func @f(%x: i32) -> i32 {
///   %r = scf.execute_region -> i32 {
///     scf.yield %x : i32
///   }
///   return %r : i32
/// }
/// ```
#[op(
    "scf.execute_region",
    traits(RecursiveEffects, InlinesCalls, Sequential),
    interfaces(
        CustomAsm,
        terrace_rewrite::Canonicalize,
        terrace_interp::Interpret,
        terrace_dataflow::RegionFlow
    )
)]
pub struct ExecuteRegion {
    #[attr(optional)]
    no_inline: UnitAttr,
    #[result]
    results: Variadic<AnyType>,
    #[region]
    region: Region,
}

impl CustomAsm for ExecuteRegion {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let results = p.arrow_types_opt()?;
        p.add_results(&results);
        if p.keyword_opt("no_inline") {
            let unit = p.cx().common().unit;
            p.set_attr("no_inline", unit);
        }
        p.region(&[])?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        if ir.num_results(self.0) > 0 {
            p.text(" -> ");
            super::syntax::arrow_types(p, self.0);
        }
        p.text(if self.no_inline(ir).is_some() { " no_inline " } else { " " });
        p.region(self.region(ir), false, true);
        p.attr_dict(&["no_inline"]);
    }
}
