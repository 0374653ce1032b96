//! A place where automatic buffers end: `alloca_scope alloca_scope.return`.

use terrace_dataflow::flow::Known;
use terrace_dataflow::{From, To, Way};
use terrace_diag::Reported;
use terrace_ir::rules::AnyType;
use terrace_ir::{Ir, OpId, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Run a region whose automatic buffers end with it
///
/// ```mlir
/// func.func @f(%x: f32) -> f32 {
///   %r = memref.alloca_scope -> (f32) {
///     %m = memref.alloca() : memref<4xf32>
///     memref.alloca_scope.return %x : f32
///   }
///   return %r : f32
/// }
/// ```
#[op(
    "memref.alloca_scope",
    traits(SingleBlock, RecursiveEffects, AllocationScope),
    implicit_terminator = "memref.alloca_scope.return",
    hooks(verify),
    interfaces(CustomAsm, terrace_interp::Interpret, terrace_dataflow::RegionFlow)
)]
pub struct AllocaScope {
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    body: Region,
}

/// End the region of an `alloca_scope` with its results
///
/// ```mlir
/// func.func @f() {
///   memref.alloca_scope {
///     memref.alloca_scope.return
///   }
///   return
/// }
/// ```
#[op(
    "memref.alloca_scope.return",
    traits(Pure, Terminator, ReturnLike),
    parents("memref.alloca_scope"),
    interfaces(terrace_interp::Interpret)
)]
#[asm("attr-dict ($results^ `:` type($results))?")]
pub struct AllocaScopeReturn {
    results: Variadic<AnyType>,
}

impl CustomAsm for AllocaScope {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let results = p.arrow_types_opt()?;
        p.add_results(&results);
        p.region(&[])?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let results = ir.num_results(self.0) > 0;
        if results {
            p.text("  -> (");
            p.types(ir.results(self.0).map(|value| ir.ty(value)));
            p.text(") ");
        } else {
            p.text("  ");
        }
        p.region(self.body(ir), false, results);
        p.attr_dict(&[]);
    }
}

impl Verify for AllocaScope {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let last = ir.entry(self.body(ir)).and_then(|block| ir.last_op(block));
        let Some(last) = last else { return Ok(()) };
        let same = ir.num_operands(last) == ir.num_results(self.0)
            && ir.operands(last).zip(ir.results(self.0)).all(|(a, b)| ir.ty(a) == ir.ty(b));
        if same {
            return Ok(());
        }
        let message = "must give the results of the op around it, in number and type";
        v.fail(last, &codes::OP_RULE, message)
    }
}

impl terrace_dataflow::RegionFlow for AllocaScope {
    fn ways(ir: &Ir, _: OpId, from: From, _: Known<'_>) -> Vec<Way> {
        match from {
            From::Op => vec![Way::bare(To::Region(0))],
            From::End(_, end) => vec![Way { to: To::After, given: 0..ir.num_operands(end), first: 0 }],
        }
    }
}
