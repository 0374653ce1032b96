//! `alloc`: one buffer per execution; its position, or `per`, states who shares it.

use super::*;
use terrace_ir::rules::AnyMemRef;
use terrace_ir::{DYNAMIC, Ir, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::CustomAsm;

/// A buffer that lives until the enclosing iteration ends; its contents are undefined
///
/// `per block` inside of thread loops: one for the threads of the block together.
///
/// ```mlir
/// func.func @f(%A: memref<64xf32>) {
///   sched.for (%i in 64 by 16 dim 0 : task) {
///     %t = sched.alloc step 1 at 1 : memref<16xf32, "l1">
///     sched.copy (%r) in (16) %A[%i + %r] to %t[%r] : memref<64xf32> to memref<16xf32, "l1">
///   }
///   return
/// }
/// ```
#[op("sched.alloc", effects(alloc), interfaces(CustomAsm, terrace_interp::Interpret), hooks(verify))]
pub struct Alloc {
    #[attr(optional)]
    per: PerAttr,
    #[attr(optional)]
    step: StepAttr,
    #[attr(optional)]
    when: HoleAttr,
    #[result]
    memref: AnyMemRef,
}

impl Alloc {
    /// Who owns it, if that is not the enclosing iteration
    pub fn owner(self, ir: &Ir) -> Option<Per> {
        self.per(ir)?.as_str(ir.cx())?.parse().ok()
    }
}

impl CustomAsm for Alloc {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        parse_per(p)?;
        if let Some(step) = parse_step(p)? {
            p.set_attr("step", step);
        }
        parse_hole(p, "when")?;
        p.attr_dict()?;
        let ty = p.colon_type()?;
        p.add_result(ty);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_word(p, " per ", self.per(ir));
        print_step(p, self.step(ir));
        print_hole(p, " when ", self.when(ir));
        p.attr_dict(&["per", "step", "when"]);
        p.text(" : ");
        p.ty(ir.ty(self.memref(ir)));
    }
}

impl Verify for Alloc {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let TypeKind::MemRef { shape, .. } = ir.ty(self.memref(ir)).kind(ir.cx()) else { return Ok(()) };
        if shape.contains(&DYNAMIC) {
            return v.fail(self.0, &codes::OP_RULE, "expects a static shape: the size of a tile is known");
        }
        Ok(())
    }
}
