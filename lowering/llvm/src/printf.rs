//! `gpu.printf` inside of device functions: the driver's `vprintf`, which takes the numbers in one piece of memory.
//!
//! Numbers lie there as a call with variable arguments would pass them: small integers as 32 bits, floats as 64, each at a multiple
//! of its own size.

use crate::check::Check;
use crate::emit::{Emitter, Lowering};
use crate::form::{Elem, Form};
use crate::gpu::nvptx;
use crate::raw::{Linkage, Opcode, V};
use terrace_dialect_gpu as gpu;
use terrace_dialect_gpu::format::{PrintedArg, adapted};
use terrace_ir::{Ir, OpId};
use terrace_lowering_table::{Checked, Refusal, rows};

pub(crate) static OPS: &[Lowering] = rows! { gpu: Printf check, printf; };

fn kind(elem: Elem) -> Result<PrintedArg, Refusal> {
    match elem {
        Elem::Int(bits) if bits <= 32 => Ok(PrintedArg::Int),
        Elem::Int(bits) if bits <= 64 => Ok(PrintedArg::Long),
        Elem::Int(bits) => Err(format!("prints integers of at most 64 bits, not {bits}").into()),
        Elem::Float(kind) if kind.width() <= 64 => Ok(PrintedArg::Float),
        Elem::Float(_) => Err("prints floats of at most 64 bits".into()),
    }
}

fn format(ir: &Ir, op: OpId, kinds: &[PrintedArg]) -> Result<String, Refusal> {
    let said = ir.attr(op, "format").and_then(|attr| attr.as_str(ir.cx())).unwrap_or("");
    adapted(said, kinds, "ll").map_err(|error| error.to_string().into())
}

fn check(c: &Check<'_>, op: OpId) -> Checked {
    nvptx(c, op)?;
    let mut kinds = Vec::new();
    for value in c.ir.operands(op) {
        let Form::Scalar(elem) = c.form(value)? else { return Err("prints numbers only".into()) };
        kinds.push(kind(elem)?);
    }
    format(c.ir, op, &kinds)?;
    Ok(())
}

fn printf(e: &mut Emitter<'_>, op: OpId) {
    let ll = e.ll;
    let elems: Vec<Elem> = e.ir.operands(op).map(|value| e.elem_of(value)).collect();
    let kinds: Vec<PrintedArg> = elems.iter().filter_map(|elem| kind(*elem).ok()).collect();
    let text = format(e.ir, op, &kinds).expect("the check has looked at the format");
    let values: Vec<V> =
        e.ir.operands(op)
            .zip(&elems)
            .map(|(value, elem)| {
                let value = e.one(value);
                match elem {
                    Elem::Int(1) => ll.cast(Opcode::LLVMZExt, value, ll.int(32)),
                    Elem::Int(bits) => {
                        e.ll.cast_if(Opcode::LLVMSExt, value, ll.int(if *bits <= 32 { 32 } else { 64 }))
                    }
                    Elem::Float(_) => {
                        let double = ll.float(terrace_ir::FloatKind::F64).expect("LLVM has doubles");
                        e.ll.cast_if(Opcode::LLVMFPExt, value, double)
                    }
                }
            })
            .collect();
    let generic = ll.ptr(0);
    let (byte, zero) = (ll.int(8), ll.const_int(ll.int(8), 0));
    let bytes: Vec<V> = text.bytes().map(|byte| ll.const_int(ll.int(8), byte.into())).chain([zero]).collect();
    let format = ll.add_global("__terrace_format", ll.array(byte, bytes.len() as u64), 1);
    ll.set_linkage(format, Linkage::LLVMPrivateLinkage);
    ll.set_initializer(format, ll.const_array(byte, &bytes));
    ll.set_constant(format);
    let format = ll.cast(Opcode::LLVMAddrSpaceCast, format, generic);
    let place = if values.is_empty() {
        ll.zero(generic)
    } else {
        let types: Vec<_> = values.iter().map(|value| ll.type_of(*value)).collect();
        let fields = ll.structure(&types);
        let place = e.slot(fields);
        ll.set_alignment(place, 8);
        for (n, value) in values.iter().enumerate() {
            let size = if kinds[n] == PrintedArg::Int { 4 } else { 8 };
            ll.store(*value, ll.field(fields, place, n as u32), size);
        }
        place
    };
    let function = ll.declare("vprintf", ll.int(32), &[generic, generic]);
    ll.call(function, &[format, place]);
}
