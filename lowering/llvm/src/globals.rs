//! `memref.global`: buffers of the module.

use crate::builder::{const_bits, from_bytes};
use crate::form::{Elem, Form, MemForm, Spaces, form};
use crate::module::{Program, symbol};
use crate::raw::{Linkage, V};
use crate::runtime::BLOCK;
use terrace_dialect_memref::Global;
use terrace_ir::show::elem_bytes;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{AttrKind, DenseData, Ir, OpId};
use terrace_lowering_table::Refusal;

/// The form of a buffer of the module, if its content can be emitted
pub(crate) fn global_form(module: &Ir, op: OpId, spaces: Spaces) -> Result<(MemForm, Elem), Refusal> {
    let cx = module.cx();
    let ty = Global(op).ty(module).as_type(cx).ok_or("has no type")?;
    let Form::MemRef(mem) = form(cx, ty, spaces)? else { return Err("has no type of a buffer".into()) };
    let Form::Scalar(elem) = *mem.elem else { return Err("holds scalars only".into()) };
    let content = Global(op).initial_value(module).map(|attr| attr.kind(cx));
    let dense = matches!(
        content,
        None | Some(AttrKind::Unit | AttrKind::Dense { data: DenseData::Splat(_) | DenseData::Raw(_), .. })
    );
    if !dense || !mem.is_row_major() {
        return Err("holds dense numbers row by row only".into());
    }
    Ok((mem, elem))
}

/// A buffer of the module as an array of elements as they lie in memory
pub(crate) fn emit_global(program: &Program<'_>, module: &Ir, op: OpId) -> Option<(String, V)> {
    let (cx, ll, global) = (module.cx(), program.ll, Global(op));
    let (mem, elem) = global_form(module, op, program.spaces).ok()?;
    let count = mem.shape.iter().product::<i64>().max(0) as u64;
    let one = |raw: &[u8]| {
        let bits = from_bytes(raw);
        if elem.fills_bytes() {
            const_bits(ll, elem, bits)
        } else {
            ll.const_wide(ll.int(8 * elem.bytes()), bits as i128)
        }
    };
    let stored = ll.type_of(one(&[0]));
    let ty = ll.array(stored, count);
    let name = symbol_name(module, op).map_or("", |name| cx.str(name));
    let private = global.sym_visibility(module).and_then(|attr| attr.as_str(cx)) == Some("private");
    let local = private && global.initial_value(module).is_some();
    let symbol = symbol(name, program.spaces, global.initial_value(module).is_some(), !private);
    let made = ll.add_global(&symbol, ty, program.spaces.outside(mem.space));
    match global.initial_value(module).map(|attr| attr.kind(cx)) {
        None => {}
        Some(AttrKind::Dense { ty: of, data }) => {
            let elems: Vec<V> = match data {
                DenseData::Splat(raw) => vec![one(raw); count as usize],
                DenseData::Raw(raw) => raw.chunks(elem_bytes(cx, of.scalar(cx)).max(1)).map(one).collect(),
                DenseData::Strs(_) => Vec::new(),
            };
            ll.set_initializer(made, ll.const_array(stored, &elems));
        }
        // Memory of a block starts undefined, and LLVM wants that said.
        Some(_) => ll.set_initializer(made, if mem.space == 3 { ll.poison(ty) } else { ll.zero(ty) }),
    }
    if global.constant(module).is_some() {
        ll.set_constant(made);
    }
    if local {
        ll.set_linkage(made, Linkage::LLVMInternalLinkage);
    }
    let said = global.alignment(module).and_then(|attr| attr.as_i64(cx)).unwrap_or(1);
    ll.set_alignment(made, u32::try_from(said).unwrap_or(1).clamp(BLOCK, 1 << 20));
    Some((name.to_owned(), made))
}
