//! Functions of rows of floats on the host: LLVM would call the C library for each lane. What is computed is
//! [`terrace_dialect_math::polynomial_approximation`]'s.

use crate::bf16::{self, Wide};
use crate::emit::Emitter;
use crate::raw::{Linkage, Opcode, RealPred, T, V};
use crate::versions;
use terrace_dialect_math::polynomial_approximation::{FloatOp, Format, IntOp, Pred, Rows, approximate};
use terrace_ir::{FloatKind, OpDef};

/// LLVM's rows of one length
struct Row<'a, 'b> {
    e: &'a Emitter<'b>,
    lanes: u32,
}

impl Row<'_, '_> {
    fn floats(&self, format: Format) -> T {
        let kind = match format {
            Format::Single => FloatKind::F32,
            Format::Double => FloatKind::F64,
        };
        let elem = self.e.elem_type(crate::form::Elem::Float(kind));
        self.e.ll.vector(elem, self.lanes)
    }

    fn ints(&self, format: Format) -> T {
        self.e.ll.vector(self.e.ll.int(format.bits()), self.lanes)
    }

    /// Has AVX-512 ops with masks for these rows?
    fn has_masks(&self, format: Format) -> bool {
        match self.lanes * format.bits() {
            512 => self.e.has_feature("avx512f"),
            128 | 256 => self.e.has_feature("avx512vl"),
            _ => false,
        }
    }

    /// An op of AVX-512 that has a mask, in all lanes; `None` where the processor or its registers have none for these rows
    fn masked(&self, name: &str, format: Format, rows: &[V], more: &[V]) -> Option<V> {
        self.masked_where(None, name, format, rows, more)
    }

    /// The same in some lanes, by the bits of a number, and zero in the others
    fn masked_where(
        &self,
        lanes: Option<V>,
        name: &str,
        format: Format,
        rows: &[V],
        more: &[V],
    ) -> Option<V> {
        let (ll, bits) = (self.e.ll, self.lanes * format.bits());
        if !self.has_masks(format) {
            return None;
        }
        let suffix = format.pick("ps", "pd");
        let word = ll.int(self.lanes.max(8));
        let mask = match lanes {
            Some(lanes) if self.lanes < 8 => ll.cast(Opcode::LLVMZExt, lanes, word),
            Some(lanes) => lanes,
            None => ll.all_ones(word),
        };
        // Rounded as the processor is set to.
        let rounding = ll.const_int(ll.int(32), 4);
        let mut args = [rows, more, &[ll.zero(self.floats(format)), mask]].concat();
        // Estimates are not rounded, and have a mask without saying so.
        let estimate = name == "rsqrt14";
        args.extend((bits == 512 && !estimate).then_some(rounding));
        let kind = if estimate { "" } else { "mask." };
        Some(ll.intrinsic(&format!("llvm.x86.avx512.{kind}{name}.{suffix}.{bits}"), &[], &args))
    }

    /// The library's function lane by lane, out of line: it is rarely called, and long
    fn slow(&self, format: Format, name: &str, x: V) -> V {
        let ll = self.e.ll;
        let (ty, here) = (self.floats(format), ll.block());
        // Levels pass rows in different registers.
        let cpu = versions::target(self.e.ir);
        let level = cpu.map_or(String::new(), |cpu| format!("_{}", cpu.replace('-', "_")));
        let symbol = format!("__terrace_{name}_{}x{}{level}", self.lanes, format.bits());
        let function = ll.declare(&symbol, ty, &[ty]);
        if !ll.has_body(function.value) {
            ll.set_linkage(function.value, Linkage::LLVMInternalLinkage);
            self.e.program.attribute(function, cpu);
            for attribute in ["noinline", "cold", "nounwind"] {
                ll.known_attr(function.value, None, attribute, 0);
            }
            ll.at_end(ll.append_block(function.value, ""));
            let result = ll.intrinsic(&format!("llvm.{name}"), &[ty], &[ll.param(function.value, 0)]);
            ll.ret(Some(result));
            ll.at_end(here);
        }
        ll.call(function, &[x])
    }
}

impl Rows for Row<'_, '_> {
    type V = V;

    fn real(&self, format: Format, value: f64) -> V {
        self.e.ll.real_const(self.floats(format), value)
    }

    fn int(&self, format: Format, value: i64) -> V {
        self.e.ll.int_const(self.ints(format), value.into())
    }

    fn float_op(&self, _: Format, op: FloatOp, a: V, b: V) -> V {
        let opcode = match op {
            FloatOp::Add => Opcode::LLVMFAdd,
            FloatOp::Sub => Opcode::LLVMFSub,
            FloatOp::Mul => Opcode::LLVMFMul,
            FloatOp::Div => Opcode::LLVMFDiv,
        };
        self.e.ll.bin(opcode, a, b)
    }

    fn int_op(&self, _: Format, op: IntOp, a: V, b: V) -> V {
        let opcode = match op {
            IntOp::Add => Opcode::LLVMAdd,
            IntOp::Sub => Opcode::LLVMSub,
            IntOp::Xor => Opcode::LLVMXor,
            IntOp::Up => Opcode::LLVMShl,
            IntOp::Down => Opcode::LLVMAShr,
        };
        self.e.ll.bin(opcode, a, b)
    }

    fn fma(&self, format: Format, a: V, b: V, c: V) -> V {
        self.e.ll.intrinsic("llvm.fmuladd", &[self.floats(format)], &[a, b, c])
    }

    fn fused(&self, format: Format, a: V, b: V, c: V) -> Option<V> {
        self.e.has_feature("fma").then(|| self.e.ll.intrinsic("llvm.fma", &[self.floats(format)], &[a, b, c]))
    }

    fn sqrt(&self, format: Format, x: V) -> V {
        self.e.ll.intrinsic("llvm.sqrt", &[self.floats(format)], &[x])
    }

    fn rsqrt_estimate(&self, format: Format, x: V) -> Option<V> {
        self.masked("rsqrt14", format, &[x], &[])
    }

    fn convert(&self, from: Format, x: V) -> V {
        match from {
            Format::Single => self.e.ll.cast(Opcode::LLVMFPExt, x, self.floats(Format::Double)),
            Format::Double => self.e.ll.cast(Opcode::LLVMFPTrunc, x, self.floats(Format::Single)),
        }
    }

    fn bits(&self, format: Format, x: V) -> V {
        self.e.ll.cast(Opcode::LLVMBitCast, x, self.ints(format))
    }

    fn of_bits(&self, format: Format, x: V) -> V {
        self.e.ll.cast(Opcode::LLVMBitCast, x, self.floats(format))
    }

    fn abs(&self, format: Format, x: V) -> V {
        self.e.ll.intrinsic("llvm.fabs", &[self.floats(format)], &[x])
    }

    fn copysign(&self, format: Format, x: V, sign: V) -> V {
        self.e.ll.intrinsic("llvm.copysign", &[self.floats(format)], &[x, sign])
    }

    fn compare(&self, _: Format, pred: Pred, a: V, b: V) -> V {
        let pred = match pred {
            Pred::Greater => RealPred::LLVMRealOGT,
            Pred::GreaterOrEqual => RealPred::LLVMRealOGE,
            Pred::Less => RealPred::LLVMRealOLT,
            Pred::Equal => RealPred::LLVMRealOEQ,
        };
        self.e.ll.fcmp(pred, a, b)
    }

    fn both(&self, _: Format, a: V, b: V) -> V {
        self.e.ll.bin(Opcode::LLVMAnd, a, b)
    }

    fn either(&self, _: Format, a: V, b: V) -> V {
        self.e.ll.bin(Opcode::LLVMOr, a, b)
    }

    fn select(&self, _: Format, mask: V, yes: V, no: V) -> V {
        self.e.ll.select(mask, yes, no)
    }

    fn scaled(&self, format: Format, x: V, n: V, zero: Option<V>) -> Option<V> {
        let ll = self.e.ll;
        let lanes = ll.int(self.lanes);
        let wanted = zero.map(|zero| {
            let zero = ll.cast(Opcode::LLVMBitCast, zero, lanes);
            ll.bin(Opcode::LLVMXor, zero, ll.all_ones(lanes))
        });
        self.masked_where(wanted, "scalef", format, &[x, n], &[])
    }

    fn scales(&self, format: Format) -> bool {
        self.has_masks(format)
    }

    fn exponent_and_significand(&self, format: Format, x: V) -> Option<(V, V)> {
        // From three quarters, NaN for what is negative.
        let interval = self.e.ll.const_int(self.e.ll.int(32), 0b1011);
        Some((self.masked("getexp", format, &[x], &[])?, self.masked("getmant", format, &[x], &[interval])?))
    }

    fn library(&self, format: Format, mask: V, name: &str, x: V, no: V) -> V {
        let ll = self.e.ll;
        let (before, slow, after) =
            (ll.block(), ll.append_block(self.e.function, ""), ll.append_block(self.e.function, ""));
        let any = ll.intrinsic("llvm.vector.reduce.or", &[ll.type_of(mask)], &[mask]);
        let bit = ll.int(1);
        let any = ll.intrinsic("llvm.expect", &[bit], &[any, ll.const_int(bit, 0)]);
        ll.cond_br(any, slow, after);
        ll.at_end(slow);
        let exact = ll.select(mask, self.slow(format, name, x), no);
        ll.br(after);
        ll.at_end(after);
        let value = ll.phi(ll.type_of(no));
        ll.add_incoming(value, no, before);
        ll.add_incoming(value, exact, slow);
        value
    }
}

/// The function of whole rows, computed in a format; `None` for what has no form without calls
pub(crate) fn of_rows(e: &Emitter<'_>, def: &OpDef, format: Format, args: &[V]) -> Option<V> {
    let own = e.ll.type_of(args[0]);
    let of =
        |args: &[V]| approximate(&Row { e, lanes: e.ll.lanes(e.ll.type_of(args[0]))? }, def, format, args);
    if let Some(wide) = Wide::of(e, args) {
        let values: Vec<V> = wide.parts.iter().map(|args| of(args)).collect::<Option<_>>()?;
        return Some(wide.narrowed(e.ll, &values, bf16::round));
    }
    let wide = Row { e, lanes: e.ll.lanes(own)? }.floats(format);
    let args: Vec<V> = args.iter().map(|arg| bf16::extended(e, *arg, wide)).collect();
    Some(bf16::narrowed(e, of(&args)?, own))
}
