//! Functions of rows of f32 on the host: LLVM would call the C library for each lane. What is computed is
//! [`terrace_dialect_math::polynomial_approximation`]'s.

use crate::emit::Emitter;
use crate::raw::{Opcode, RealPred, T, V};
use terrace_dialect_math::polynomial_approximation::{self, Pred, Rows};

/// LLVM's rows of one length
struct Row<'a, 'b> {
    e: &'a Emitter<'b>,
    ty: T,
    ints: T,
}

impl<'a, 'b> Row<'a, 'b> {
    fn of(e: &'a Emitter<'b>, x: V) -> Row<'a, 'b> {
        let ty = e.ll.type_of(x);
        Row { e, ty, ints: e.ll.vector(e.ll.int(32), e.ll.lanes(ty).unwrap_or(1)) }
    }

    fn op(&self, opcode: Opcode, a: V, b: V) -> V {
        self.e.ll.bin(opcode, a, b)
    }
}

impl Rows for Row<'_, '_> {
    type V = V;

    fn real(&mut self, value: f32) -> V {
        self.e.ll.real_const(self.ty, value.into())
    }

    fn int(&mut self, value: i64) -> V {
        self.e.ll.int_const(self.ints, value.into())
    }

    fn add(&mut self, a: V, b: V) -> V {
        self.op(Opcode::LLVMFAdd, a, b)
    }

    fn sub(&mut self, a: V, b: V) -> V {
        self.op(Opcode::LLVMFSub, a, b)
    }

    fn mul(&mut self, a: V, b: V) -> V {
        self.op(Opcode::LLVMFMul, a, b)
    }

    fn div(&mut self, a: V, b: V) -> V {
        self.op(Opcode::LLVMFDiv, a, b)
    }

    fn fma(&mut self, a: V, b: V, c: V) -> V {
        self.e.ll.intrinsic("llvm.fmuladd", &[self.ty], &[a, b, c])
    }

    fn int_add(&mut self, a: V, b: V) -> V {
        self.e.ll.add(a, b)
    }

    fn int_sub(&mut self, a: V, b: V) -> V {
        self.e.ll.sub(a, b)
    }

    fn up(&mut self, a: V, bits: u32) -> V {
        let bits = self.int(bits.into());
        self.op(Opcode::LLVMShl, a, bits)
    }

    fn down(&mut self, a: V, bits: u32) -> V {
        let bits = self.int(bits.into());
        self.op(Opcode::LLVMAShr, a, bits)
    }

    fn bits(&mut self, x: V) -> V {
        self.e.ll.cast(Opcode::LLVMBitCast, x, self.ints)
    }

    fn of_bits(&mut self, x: V) -> V {
        self.e.ll.cast(Opcode::LLVMBitCast, x, self.ty)
    }

    fn to_real(&mut self, n: V) -> V {
        self.e.ll.cast(Opcode::LLVMSIToFP, n, self.ty)
    }

    fn abs(&mut self, x: V) -> V {
        self.e.ll.intrinsic("llvm.fabs", &[self.ty], &[x])
    }

    fn copysign(&mut self, x: V, sign: V) -> V {
        self.e.ll.intrinsic("llvm.copysign", &[self.ty], &[x, sign])
    }

    fn replace(&mut self, value: V, (x, pred, with): (V, Pred, f32), then: V) -> V {
        let pred = match pred {
            Pred::Greater => RealPred::LLVMRealOGT,
            Pred::Less => RealPred::LLVMRealOLT,
            Pred::Equal => RealPred::LLVMRealOEQ,
            Pred::LessOrNan => RealPred::LLVMRealULT,
        };
        let with = self.real(with);
        let holds = self.e.ll.fcmp(pred, x, with);
        self.e.ll.select(holds, then, value)
    }
}

/// e to each lane
pub(crate) fn exp(e: &Emitter<'_>, x: V) -> V {
    polynomial_approximation::exp(&mut Row::of(e, x), x)
}

/// The natural logarithm of each lane
pub(crate) fn log(e: &Emitter<'_>, x: V) -> V {
    polynomial_approximation::log(&mut Row::of(e, x), x)
}

/// The hyperbolic tangent of each lane
pub(crate) fn tanh(e: &Emitter<'_>, x: V) -> V {
    polynomial_approximation::tanh(&mut Row::of(e, x), x)
}
