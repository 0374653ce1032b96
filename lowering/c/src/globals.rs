//! `memref.global`: buffers of the module as arrays of C.

use crate::buffer::{Dim, Shape, View};
use crate::emit::{Emit, Lowering, any};
use crate::expr::quoted;
use crate::functions::{Global, labelled};
use crate::language::{GlobalFacts, Lang};
use crate::linker::host_name;
use crate::literals::{constant_float, integer};
use crate::names::{Names, identifier};
use crate::refusal::Done;
use crate::types::Scalar;
use crate::values::Val;
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, AttrKind, Context, DenseData, Ir};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { memref:
    GetGlobal any, |e, op| e.get_global(memref::GetGlobal(op));
};

impl Global {
    /// What a `memref.global` is in this language; `None` for a type that cannot be said
    pub fn read(ir: &Ir, global: memref::Global, lang: Lang, names: &mut Names) -> Option<(String, Global)> {
        let cx = ir.cx();
        let symbol = global.sym_name(ir).as_str(cx)?.to_string();
        let shape = Shape::of(cx, global.ty(ir).as_type(cx)?)?;
        let constant = global.constant(ir).is_some();
        let initial = global.initial_value(ir);
        let private = global.sym_visibility(ir).and_then(|attr| attr.as_str(cx)) == Some("private");
        // What others define keeps the name that the linker knows.
        let outside = host_name(&symbol);
        let mut label = String::new();
        let name = match initial {
            None if !labelled(&outside, lang) => {
                names.take(&outside);
                outside.into_owned()
            }
            _ => {
                if initial.is_none() {
                    label = format!(" __asm__({})", quoted(&outside));
                }
                names.fresh(&identifier(&symbol).unwrap_or_else(|| "g".into()))
            }
        };
        let (elem, count) = (lang.stored(shape.elem), shape.count()?.max(1));
        let start = match initial.map(|attr| attr.kind(cx)) {
            None | Some(AttrKind::Unit) => String::new(),
            Some(_) => format!(" = {}", elements(cx, initial?, shape.elem, lang)?),
        };
        let facts =
            GlobalFacts { defined: initial.is_some(), has_elements: !start.is_empty(), private, constant };
        let text = lang
            .global_words(facts)
            .map_or(String::new(), |words| format!("{words}{elem} {name}[{count}]{label}{start};\n"));
        let space = lang.global_space();
        Some((symbol, Global { name, text, space, constant }))
    }
}

/// `{1, 2, 3}`
fn elements(cx: &Context, attr: Attr, ty: Scalar, lang: Lang) -> Option<String> {
    let AttrKind::Dense { ty: whole, data } = attr.kind(cx) else { return None };
    let bytes = terrace_ir::show::elem_bytes(cx, whole.scalar(cx));
    let spell = |raw: &[u8]| {
        let mut wide = [0; 8];
        wide.get_mut(..raw.len())?.copy_from_slice(raw);
        Some(spell(ty, u64::from_le_bytes(wide), lang))
    };
    let count = usize::try_from(whole.num_elements(cx)?).ok()?;
    let all: Vec<String> = match data {
        DenseData::Splat(raw) if raw.iter().all(|byte| *byte == 0) => vec!["0".into()],
        DenseData::Splat(raw) => vec![spell(raw)?; count.min(1 << 20)],
        DenseData::Raw(raw) if bytes > 0 => raw.chunks(bytes).map(spell).collect::<Option<_>>()?,
        _ => return None,
    };
    let mut lines = vec![String::new()];
    for (n, text) in all.iter().enumerate() {
        let comma = if n + 1 < all.len() { ", " } else { "" };
        if let Some(last) = lines.last_mut().filter(|last| last.len() < 90) {
            *last += &format!("{text}{comma}");
        } else {
            lines.push(format!("{text}{comma}"));
        }
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    Some(if lines.len() == 1 {
        format!("{{{}}}", lines[0])
    } else {
        format!("{{\n  {}}}", lines.join("\n  "))
    })
}

/// A constant expression for an element
fn spell(ty: Scalar, bits: u64, lang: Lang) -> String {
    let signed = |width: u32| i128::from((bits << (64 - width)) as i64 >> (64 - width));
    match ty {
        Scalar::Bool => (bits & 1).to_string(),
        Scalar::Int(width) => integer(lang, ty, signed(width)).text,
        _ => constant_float(ty, bits, lang),
    }
}

impl Emit<'_> {
    fn get_global(&mut self, get: memref::GetGlobal) -> Done {
        let (ir, op, result) = (self.ir, get.id(), get.result(self.ir));
        let shape = self.shape(op, ir.ty(result))?;
        let global = get
            .name(ir)
            .as_symbol(self.ir.cx())
            .and_then(|(root, _)| self.functions.globals.get(self.ir.cx().str(root)).cloned());
        let Some(global) = global.filter(|global| !global.text.is_empty()) else {
            let help = "a `constant` one with a value";
            return self.no_op(op, "there are no such buffers of a module", help);
        };
        let dims = |known: &[Option<i64>]| known.iter().map(|n| Dim::Const(n.unwrap_or(0))).collect();
        let view = View {
            pointer: global.name.clone(),
            allocated: global.name,
            offset: Dim::Const(0),
            sizes: dims(&shape.sizes),
            strides: dims(&shape.strides),
            elem: shape.elem,
            space: global.space,
            constant: global.constant,
            array: false,
        };
        self.values.set(result, Val::View(view));
        Ok(())
    }
}
