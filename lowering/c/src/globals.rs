//! `memref.global`: buffers of the module as arrays of C.

use crate::Flavor;
use crate::emit::{Done, Emit, Val};
use crate::linker::host_name;
use crate::memref::{Dim, Shape, Space, View};
use crate::module::labelled;
use crate::names::{Names, identifier};
use crate::table::{Lowering, any};
use crate::types::Scalar;
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, AttrKind, Context, DenseData, Ir};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { memref:
    GetGlobal any, |e, op| e.get_global(memref::GetGlobal(op));
};

/// A buffer of the module
#[derive(Clone, Debug)]
pub(crate) struct Global {
    pub name: String,
    /// Its definition; empty if the language has none for it
    pub text: String,
    space: Space,
    constant: bool,
}

impl Global {
    /// What a `memref.global` is in this language; `None` for a type that cannot be said
    pub fn read(
        ir: &Ir,
        global: memref::Global,
        flavor: Flavor,
        names: &mut Names,
    ) -> Option<(String, Global)> {
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
            None if !labelled(&outside, flavor) => {
                names.take(&outside);
                outside.into_owned()
            }
            _ => {
                if initial.is_none() {
                    label = format!(" __asm__({})", crate::gpu::quoted(&outside));
                }
                names.fresh(&identifier(&symbol).unwrap_or_else(|| "g".into()))
            }
        };
        let (elem, count) = (flavor.stored(shape.elem), shape.count()?.max(1));
        let start = match initial.map(|attr| attr.kind(cx)) {
            None | Some(AttrKind::Unit) => String::new(),
            Some(_) => format!(" = {}", elements(cx, initial?, shape.elem, flavor)?),
        };
        let words = match flavor {
            Flavor::OpenMp => match (initial, private, constant) {
                (None, ..) => "extern ",
                (_, true, true) => "static const ",
                (_, true, false) => "static ",
                (_, false, true) => "const ",
                (_, false, false) => "",
            },
            Flavor::OpenCl if constant && !start.is_empty() => "__constant ",
            Flavor::OpenCl => "",
            Flavor::Cuda if constant && !start.is_empty() => "static __constant__ ",
            Flavor::Cuda => "static __device__ ",
        };
        let missing =
            flavor == Flavor::OpenCl && words.is_empty() || flavor != Flavor::OpenMp && initial.is_none();
        let text =
            if missing { String::new() } else { format!("{words}{elem} {name}[{count}]{label}{start};\n") };
        let space = if flavor == Flavor::OpenCl { Space::Constant } else { Space::Global };
        Some((symbol, Global { name, text, space, constant }))
    }
}

/// `{1, 2, 3}`
fn elements(cx: &Context, attr: Attr, ty: Scalar, flavor: Flavor) -> Option<String> {
    let AttrKind::Dense { ty: whole, data } = attr.kind(cx) else { return None };
    let bytes = terrace_ir::show::elem_bytes(cx, whole.scalar(cx));
    let spell = |raw: &[u8]| {
        let mut wide = [0; 8];
        wide.get_mut(..raw.len())?.copy_from_slice(raw);
        Some(spell(ty, u64::from_le_bytes(wide), flavor))
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
fn spell(ty: Scalar, bits: u64, flavor: Flavor) -> String {
    let signed = |width: u32| i128::from((bits << (64 - width)) as i64 >> (64 - width));
    match ty {
        Scalar::Bool => (bits & 1).to_string(),
        Scalar::Int(width) => crate::arith::integer(flavor, ty, signed(width)).text,
        _ => crate::arith::constant_float(ty, bits, flavor),
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
        };
        self.values.set(result, Val::View(view));
        Ok(())
    }
}
