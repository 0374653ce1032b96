//! `memref`: atomic updates, by an instruction or in a loop that compares and exchanges.
//!
//! LLVM expands instructions that a processor does not have. SPIR-V exchanges no less than 32 bits: elements of 16 bits are
//! exchanged in the word that contains them.

use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::{Elem, Form, MemForm, Spaces};
use crate::memory;
use crate::memref::each_one;
use crate::raw::{Opcode, Rmw, V};
use terrace_devices::Updated;
use terrace_dialect_llvm as llvm;
use terrace_dialect_memref::{self as memref, AtomicRmwKind};
use terrace_ir::{OpId, Value};
use terrace_lowering_c::updates::Target;
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { memref:
    AtomicRmw |c, op| {
        let update = memref::AtomicRmw(op);
        check(c, op, update.memref(c.ir), Some(update.kind(c.ir)))
    }, atomic;
    AtomicYield any, |_, _| {};
    GenericAtomicRmw |c, op| check(c, op, memref::GenericAtomicRmw(op).memref(c.ir), None), generic;
};

pub(crate) static FENCE: &[Lowering] = rows! { llvm:
    Fence |c, _| match c.spaces {
        Spaces::Spirv => Err("is not in the SPIR-V that this back end makes".into()),
        Spaces::Nvptx | Spaces::Host => Ok(()),
    }, |e, _| e.ll.fence((e.spaces() == Spaces::Nvptx).then_some("device"));
};

/// The memory of blocks, on devices
const WORKGROUP: u32 = 3;

fn check(c: &Check<'_>, op: OpId, buffer: Value, kind: Option<AtomicRmwKind>) -> Checked {
    let elem = match c.form(c.ir.result(op, 0))? {
        Form::Scalar(elem) if elem.fills_bytes() && elem.bytes() <= 8 => elem,
        _ => return Err("updates numbers of 8, 16, 32 and 64 bits only".into()),
    };
    let shared = matches!(c.form(buffer)?, Form::MemRef(mem) if mem.space == WORKGROUP);
    let (device, memory) = match (c.spaces, shared) {
        (Spaces::Host, _) => ("openmp", Updated::Main),
        (Spaces::Nvptx, true) => ("cuda", Updated::Shared),
        (Spaces::Nvptx, false) => ("cuda", Updated::Device),
        (Spaces::Spirv, true) => ("opencl", Updated::Shared),
        (Spaces::Spirv, false) => ("opencl", Updated::Device),
    };
    let ty = match elem {
        Elem::Int(bits) => format!("i{bits}"),
        Elem::Float(kind) => kind.word().to_owned(),
    };
    Target { device, memory }.update(kind, &ty, elem.bits()).map(|_| ())
}

/// The instruction that LLVM has; none for products
fn instruction(kind: AtomicRmwKind) -> Option<Rmw> {
    use Rmw::*;
    Some(match kind {
        AtomicRmwKind::AddF => LLVMAtomicRMWBinOpFAdd,
        AtomicRmwKind::AddI => LLVMAtomicRMWBinOpAdd,
        AtomicRmwKind::AndI => LLVMAtomicRMWBinOpAnd,
        AtomicRmwKind::Assign => LLVMAtomicRMWBinOpXchg,
        AtomicRmwKind::MaximumF => LLVMAtomicRMWBinOpFMaximum,
        AtomicRmwKind::MaxNumF => LLVMAtomicRMWBinOpFMax,
        AtomicRmwKind::MaxS => LLVMAtomicRMWBinOpMax,
        AtomicRmwKind::MaxU => LLVMAtomicRMWBinOpUMax,
        AtomicRmwKind::MinimumF => LLVMAtomicRMWBinOpFMinimum,
        AtomicRmwKind::MinNumF => LLVMAtomicRMWBinOpFMin,
        AtomicRmwKind::MinS => LLVMAtomicRMWBinOpMin,
        AtomicRmwKind::MinU => LLVMAtomicRMWBinOpUMin,
        AtomicRmwKind::OrI => LLVMAtomicRMWBinOpOr,
        AtomicRmwKind::XOrI => LLVMAtomicRMWBinOpXor,
        AtomicRmwKind::MulF | AtomicRmwKind::MulI => return None,
    })
}

/// What an update writes, by ops on registers
fn combined(e: &Emitter<'_>, kind: AtomicRmwKind, elem: Elem, old: V, value: V) -> V {
    let ty = e.elem_type(elem);
    let opcode = match kind {
        AtomicRmwKind::AddF => Opcode::LLVMFAdd,
        AtomicRmwKind::MulF => Opcode::LLVMFMul,
        AtomicRmwKind::AddI => Opcode::LLVMAdd,
        AtomicRmwKind::MulI => Opcode::LLVMMul,
        AtomicRmwKind::AndI => Opcode::LLVMAnd,
        AtomicRmwKind::OrI => Opcode::LLVMOr,
        AtomicRmwKind::XOrI => Opcode::LLVMXor,
        AtomicRmwKind::Assign => return value,
        AtomicRmwKind::MaximumF => return e.ll.intrinsic("llvm.maximum", &[ty], &[old, value]),
        AtomicRmwKind::MinimumF => return e.ll.intrinsic("llvm.minimum", &[ty], &[old, value]),
        AtomicRmwKind::MaxNumF => return e.ll.intrinsic("llvm.maxnum", &[ty], &[old, value]),
        AtomicRmwKind::MinNumF => return e.ll.intrinsic("llvm.minnum", &[ty], &[old, value]),
        AtomicRmwKind::MaxS => return e.ll.intrinsic("llvm.smax", &[ty], &[old, value]),
        AtomicRmwKind::MinS => return e.ll.intrinsic("llvm.smin", &[ty], &[old, value]),
        AtomicRmwKind::MaxU => return e.ll.intrinsic("llvm.umax", &[ty], &[old, value]),
        AtomicRmwKind::MinU => return e.ll.intrinsic("llvm.umin", &[ty], &[old, value]),
    };
    e.ll.bin(opcode, old, value)
}

/// Does the target have the instruction? LLVM makes no loops of its own for SPIR-V.
fn has_instruction(e: &Emitter<'_>, kind: AtomicRmwKind, elem: Elem) -> bool {
    let extremum = matches!(kind, AtomicRmwKind::MaximumF | AtomicRmwKind::MinimumF);
    e.spaces() != Spaces::Spirv || !extremum && !in_word(e, elem)
}

/// Is the element exchanged in the word that contains it?
fn in_word(e: &Emitter<'_>, elem: Elem) -> bool {
    e.spaces() == Spaces::Spirv && elem.bits() == 16
}

fn atomic(e: &mut Emitter<'_>, op: OpId) {
    let rmw = memref::AtomicRmw(op);
    let (base, value) = (rmw.memref(e.ir), rmw.value(e.ir));
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address(e, &mem, &parts, &each_one(e, &rmw.indices(e.ir)));
    let (elem, value) = (e.elem_of(value), e.one(value));
    let kind = rmw.kind(e.ir);
    let old = match instruction(kind).filter(|_| has_instruction(e, kind, elem)) {
        Some(instruction) => e.ll.atomic_rmw(instruction, at, value, e.scope(&mem)),
        None => exchange(e, elem, at, &mem, |e, old| combined(e, kind, elem, old, value)),
    };
    e.set_result(op, 0, vec![old]);
}

/// The region computes what is written from what was there
fn generic(e: &mut Emitter<'_>, op: OpId) {
    let rmw = memref::GenericAtomicRmw(op);
    let base = rmw.memref(e.ir);
    let (mem, parts) = (e.mem_of(base), e.get(base));
    let at = memory::address(e, &mem, &parts, &each_one(e, &rmw.indices(e.ir)));
    let elem = e.elem_of(rmw.result(e.ir));
    let body = e.ir.entry(rmw.atomic_body(e.ir)).expect("the verifier wants a block there");
    let old = exchange(e, elem, at, &mem, |e, old| {
        e.set(e.ir.block_args(body)[0], vec![old]);
        let mut last = None;
        for op in e.ir.block_ops(body) {
            e.op(op);
            last = Some(op);
        }
        last.map_or(old, |op| e.one(memref::AtomicYield(op).result(e.ir)))
    });
    e.set_result(op, 0, vec![old]);
}

/// Compare and exchange until no other thread came between; gives the element before
fn exchange(
    e: &mut Emitter<'_>,
    elem: Elem,
    at: V,
    mem: &MemForm,
    new: impl FnOnce(&mut Emitter<'_>, V) -> V,
) -> V {
    let ll = e.ll;
    let (bits, own) = (ll.int(elem.bits()), e.elem_type(elem));
    let word = in_word(e, elem).then(|| Word::of(e, at, mem));
    let (at, held) = word.as_ref().map_or((at, bits), |word| (word.at, ll.int(32)));
    let first = ll.load(held, at, if word.is_some() { 4 } else { elem.bytes() });
    ll.set_monotonic(first);
    let before = ll.block();
    let (again, done) = (ll.append_block(e.function, ""), ll.append_block(e.function, ""));
    ll.br(again);
    ll.at_end(again);
    let there = ll.phi(held);
    ll.add_incoming(there, first, before);
    let element = word.as_ref().map_or(there, |word| word.element(e, there));
    let old = e.ll.cast_if(Opcode::LLVMBitCast, element, own);
    let value = new(e, old);
    let value = e.ll.cast_if(Opcode::LLVMBitCast, value, bits);
    let value = word.as_ref().map_or(value, |word| word.with(e, there, value));
    let pair = ll.cmpxchg(at, there, value, e.scope(mem));
    ll.add_incoming(there, ll.extract_value(pair, 0), ll.block());
    ll.cond_br(ll.extract_value(pair, 1), done, again);
    ll.at_end(done);
    old
}

/// The word of 32 bits that contains an element of 16 bits; devices are little-endian
struct Word {
    at: V,
    /// Bits of the word below the element
    shift: V,
}

impl Word {
    fn of(e: &Emitter<'_>, at: V, mem: &MemForm) -> Word {
        let ll = e.ll;
        let address = ll.cast(Opcode::LLVMPtrToInt, at, ll.i64());
        let start = ll.bin(Opcode::LLVMAnd, address, ll.const_i64(-4));
        let byte = ll.bin(Opcode::LLVMAnd, address, ll.const_i64(2));
        let bit = ll.bin(Opcode::LLVMShl, byte, ll.const_i64(3));
        Word {
            at: ll.cast(Opcode::LLVMIntToPtr, start, ll.ptr(mem.space)),
            shift: ll.cast(Opcode::LLVMTrunc, bit, ll.int(32)),
        }
    }

    fn element(&self, e: &Emitter<'_>, word: V) -> V {
        let low = e.ll.bin(Opcode::LLVMLShr, word, self.shift);
        e.ll.cast(Opcode::LLVMTrunc, low, e.ll.int(16))
    }

    /// A word with another element
    fn with(&self, e: &Emitter<'_>, word: V, element: V) -> V {
        let (ll, bits) = (e.ll, e.ll.int(32));
        let mask = ll.bin(Opcode::LLVMShl, ll.const_int(bits, 0xffff), self.shift);
        let others = ll.bin(Opcode::LLVMAnd, word, ll.bin(Opcode::LLVMXor, mask, ll.const_int(bits, -1)));
        let own = ll.bin(Opcode::LLVMShl, ll.cast(Opcode::LLVMZExt, element, bits), self.shift);
        ll.bin(Opcode::LLVMOr, others, own)
    }
}
