//! What iterations of `scf.forall` put into the tensors that they share.

use super::interp::{elements_of, places, sizes};
use terrace_diag::Reported;
use terrace_dialect_shapes::slices;
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes};
use terrace_ir::rules::{AnyRankedTensor, DenseI64Array, Index};
use terrace_ir::{OpId, ValueDef, Verify, VerifyCx, codes as rules};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

terrace_dialect_shapes::sliced! {
    /// A rectangular part of a tensor that the iterations of `scf.forall` share
    ///
    /// Parts of different iterations, and of one, must not meet: the interpreter finds those that do.
    ///
    /// ```mlir
    /// func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
    ///   %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    ///     %p = tensor.extract_slice %o[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    ///     %at = arith.addi %i, %i : index
    ///     scf.forall.in_parallel {
    ///       tensor.parallel_insert_slice %p into %o[%at] [2] [1] : tensor<2xf32> into tensor<8xf32>
    ///     }
    ///   }
    ///   return %r : tensor<8xf32>
    /// }
    /// ```
    #[op(
        "tensor.parallel_insert_slice",
        parents("scf.forall.in_parallel"),
        hooks(verify),
        interfaces(CustomAsm, Interpret)
    )]
    pub struct ParallelInsertSlice {
        source: AnyRankedTensor,
        dest: AnyRankedTensor,
        ..slice
    }
}

impl CustomAsm for ParallelInsertSlice {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        super::syntax::parse_insertion(p).map(|_| ())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (source, dest) = (self.source(p.ir()), self.dest(p.ir()));
        super::syntax::print_insertion(p, source, dest);
    }
}

impl Verify for ParallelInsertSlice {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let around = ir.parent(self.0).and_then(|end| ir.parent(end));
        let shared = match (around, ir.value_def(self.dest(ir))) {
            (Some(around), Some(ValueDef::Arg(block, _))) => ir.block_parent(block) == Some(around),
            _ => false,
        };
        if !shared {
            return v.fail(self.0, &rules::OP_RULE, "may only insert into an output block argument");
        }
        super::verify::slice(v, self.0, 2, ir.ty(self.dest(ir)), ir.ty(self.source(ir)))
    }
}

/// It runs with the op that holds it
impl Interpret for ParallelInsertSlice {
    fn interpret(self, _: &mut Machine<'_>) -> Step {
        Step::Trap(Trap::new(&codes::UNSUPPORTED, "means something only at the end of 'scf.forall'"))
    }
}

impl ParallelInsertSlice {
    /// Places in the shared tensor, and the elements written there
    pub fn part(self, m: &Machine<'_>) -> Result<(Vec<usize>, Vec<RtValue>), Trap> {
        let whole = sizes(m, self.dest(m.ir()))?;
        let op: OpId = self.0;
        let places = places(&slices::numbers_of(m, op, 2)?, &whole)?;
        let part = elements_of(m, self.source(m.ir()), places.len());
        Ok((places, part))
    }
}
