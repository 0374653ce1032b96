//! Reading, changing and writing an element at once: `atomic_rmw generic_atomic_rmw atomic_yield`.

use super::rules::{IntOrFloat, NumberMemRef};
use terrace_diag::Reported;
use terrace_interp::combine::Combining;
use terrace_ir::rules::{AnyType, Index};
use terrace_ir::{Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter};

terrace_ir::attr_enums! {
    /// How an atomic update combines the element with the value
    pub AtomicRmwKind = "arith.atomic_rmw_kind",
    "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    i64 {
        AddF "addf" 0, AddI "addi" 1, AndI "andi" 2, Assign "assign" 3, MaximumF "maximumf" 4, MaxNumF "maxnumf" 5,
        MaxS "maxs" 6, MaxU "maxu" 7, MinimumF "minimumf" 8, MinNumF "minnumf" 9, MinS "mins" 10, MinU "minu" 11,
        MulF "mulf" 12, MulI "muli" 13, OrI "ori" 14, XOrI "xori" 15,
    }
}

impl AtomicRmwKind {
    /// How the element and the value are combined; `None` where the value replaces the element
    pub fn combining(self) -> Option<Combining> {
        Some(match self {
            AtomicRmwKind::Assign => return None,
            AtomicRmwKind::AddF | AtomicRmwKind::AddI => Combining::Add,
            AtomicRmwKind::MulF | AtomicRmwKind::MulI => Combining::Mul,
            AtomicRmwKind::AndI => Combining::And,
            AtomicRmwKind::OrI => Combining::Or,
            AtomicRmwKind::XOrI => Combining::Xor,
            AtomicRmwKind::MaximumF => Combining::MaximumF,
            AtomicRmwKind::MaxNumF => Combining::MaxNumF,
            AtomicRmwKind::MaxS => Combining::MaxSI,
            AtomicRmwKind::MaxU => Combining::MaxUI,
            AtomicRmwKind::MinimumF => Combining::MinimumF,
            AtomicRmwKind::MinNumF => Combining::MinNumF,
            AtomicRmwKind::MinS => Combining::MinSI,
            AtomicRmwKind::MinU => Combining::MinUI,
        })
    }

    /// Does it need floats (`true`) or integers (`false`)? `None` for both
    pub fn needs_float(self) -> Option<bool> {
        let float = self.combining()?.is_float() || matches!(self, AtomicRmwKind::AddF | AtomicRmwKind::MulF);
        Some(float)
    }
}

/// Combine an element with a value in one step that no other access divides; gives the element before
///
/// Floats may be added in any order between threads; in the interpreter the order is that of the program.
///
/// ```mlir
/// func.func @f(%m: memref<8xf32>, %i: index, %x: f32) -> f32 {
///   %old = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<8xf32>) -> f32
///   return %old : f32
/// }
/// ```
#[op("memref.atomic_rmw", effects(read, write),
     interfaces(terrace_interp::Interpret, terrace_rewrite::Canonicalize),
     relations(same(value, result), element_of(memref => value)), hooks(verify))]
#[asm(
    "$kind $value `,` $memref `` `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)"
)]
pub struct AtomicRmw {
    value: IntOrFloat,
    memref: NumberMemRef,
    indices: Variadic<Index>,
    #[attr]
    kind: AtomicRmwKind,
    #[result]
    result: IntOrFloat,
}

/// The same with a region that says what is written; gives the element before, as lowered code does
///
/// ```mlir
/// func.func @f(%m: memref<8xf32>, %i: index) -> f32 {
///   %old = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {
///   ^bb0(%x: f32):
///     %double = arith.addf %x, %x : f32
///     memref.atomic_yield %double : f32
///   }
///   return %old : f32
/// }
/// ```
#[op(
    "memref.generic_atomic_rmw",
    traits(SingleBlock),
    effects(read, write),
    interfaces(CustomAsm, terrace_interp::Interpret),
    relations(element_of(memref => result)),
    hooks(verify),
    implicit_terminator = "memref.atomic_yield"
)]
pub struct GenericAtomicRmw {
    memref: NumberMemRef,
    indices: Variadic<Index>,
    #[result]
    result: IntOrFloat,
    #[region(single_block)]
    atomic_body: Region,
}

/// Ends the region of `generic_atomic_rmw`: what is written
///
/// ```mlir
/// func.func @f(%m: memref<i32>, %x: i32) {
///   %old = memref.generic_atomic_rmw %m[] : memref<i32> {
///   ^bb0(%y: i32):
///     memref.atomic_yield %x : i32
///   }
///   return
/// }
/// ```
#[op(
    "memref.atomic_yield",
    traits(Pure, Terminator, ReturnLike),
    parents("memref.generic_atomic_rmw"),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("$result attr-dict `:` type($result)")]
pub struct AtomicYield {
    result: AnyType,
}

impl Verify for AtomicRmw {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let rank = ir.ty(self.memref(ir)).shape(cx).map_or(0, <[i64]>::len);
        if self.indices(ir).len() != rank {
            let message = "expects the number of subscripts to be equal to memref rank";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        let (kind, float) = (self.kind(ir).word(), ir.ty(self.value(ir)).is_float(cx));
        match self.kind(ir).needs_float() {
            Some(true) if !float => {
                v.fail(self.0, &codes::OP_RULE, format!("with kind '{kind}' expects a floating-point type"))
            }
            Some(false) if float => {
                v.fail(self.0, &codes::OP_RULE, format!("with kind '{kind}' expects an integer type"))
            }
            _ => Ok(()),
        }
    }
}

impl CustomAsm for GenericAtomicRmw {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let memref = p.operand()?;
        let indices = p.operands(Delim::Square)?;
        let ty = p.colon_type()?;
        p.resolve(&memref, ty)?;
        let index = p.cx().common().index;
        indices.iter().try_for_each(|value| p.resolve(value, index))?;
        let result = ty.element(p.cx()).unwrap_or(ty);
        p.add_result(result);
        p.region(&[])?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.memref(ir));
        p.text("[");
        p.operands(self.indices(ir));
        p.text("] : ");
        p.ty(ir.ty(self.memref(ir)));
        p.text(" ");
        p.region(self.atomic_body(ir), true, true);
        p.attr_dict(&[]);
    }
}

impl Verify for GenericAtomicRmw {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        // Upstream accepts any number here, although such an op means nothing.
        let rank = ir.ty(self.memref(ir)).shape(ir.cx()).map_or(0, <[i64]>::len);
        if self.indices(ir).len() != rank {
            return fail("expects the number of subscripts to be equal to memref rank");
        }
        let Some(entry) = ir.entry(self.atomic_body(ir)) else { return Ok(()) };
        let [arg] = ir.block_args(entry) else {
            return fail("expected single number of entry block arguments");
        };
        if ir.ty(*arg) != ir.ty(self.result(ir)) {
            return fail("expected block argument of the same type result type");
        }
        if let Some(op) = ir
            .walk_below(self.0)
            .find(|op| terrace_rewrite::dead::effects_with_inside(ir, *op) != terrace_ir::Effects::NONE)
        {
            return v.fail(
                op,
                &codes::OP_RULE,
                "has effects, which the body of 'memref.generic_atomic_rmw' must not have",
            );
        }
        Ok(())
    }
}

impl Verify for AtomicYield {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let given = ir.ty(self.result(ir));
        let wanted = ir.parent(self.0).and_then(|parent| GenericAtomicRmw::cast(ir, parent));
        match wanted.map(|op| ir.ty(op.result(ir))) {
            Some(wanted) if wanted != given => {
                let message = format!(
                    "types mismatch between yield op: '{}' and its parent: '{}'",
                    v.show(given),
                    v.show(wanted)
                );
                v.fail(self.0, &codes::OP_RULE, message)
            }
            _ => Ok(()),
        }
    }
}
