//! The author's own declaration of a function, for those who call its code: the attribute `terrace.c`.

use crate::ast::{Elem, Function, Object};
use crate::bindings::Bindings;
use crate::lowering::Lowering;
use crate::refusal::Done;
use std::collections::BTreeSet;
use terrace_ir::{Attr, DYNAMIC};

impl Bindings<'_> {
    fn c_type(&self, elem: Elem) -> String {
        match elem {
            Elem::Bool => "bool".into(),
            Elem::Int { bits: 8, signed: true } => "signed char".into(),
            Elem::Int { bits, signed } => {
                let word = match bits {
                    8 => "char",
                    16 => "short",
                    32 => "int",
                    _ => "long",
                };
                if signed { word.into() } else { format!("unsigned {word}") }
            }
            Elem::Float(16) => "_Float16".into(),
            Elem::Float(32) => "float".into(),
            Elem::Float(_) => "double".into(),
            Elem::Struct(n) => format!("struct {}", self.file.structs[n].name),
        }
    }

    /// A parameter as it is declared, with its sizes as numbers; `double A[n][n]` is passed as a pointer to elements
    fn declarator(&self, param: &Object) -> Done<String> {
        let sizes = self.sizes(param)?;
        let behind = |sizes: &[Option<i64>]| -> String {
            sizes
                .iter()
                .map(|size| format!("[{}]", size.map_or(String::new(), |size| size.to_string())))
                .collect()
        };
        let constant = if param.constant && !sizes.is_empty() { "const " } else { "" };
        let (ty, name) = (self.c_type(param.elem), &param.name);
        Ok(match sizes.split_first() {
            _ if sizes.contains(&Some(DYNAMIC)) => format!("{constant}{ty} *{name}"),
            None => format!("{ty} {name}"),
            Some((None, [])) => format!("{constant}{ty} *{name}"),
            Some((None, inner)) => format!("{constant}{ty} (*{name}){}", behind(inner)),
            Some(_) => format!("{constant}{ty} {name}{}", behind(&sizes)),
        })
    }

    fn definition(&self, n: usize) -> String {
        let structure = &self.file.structs[n];
        let fields =
            structure.fields.iter().map(|(name, elem)| format!("  {} {name};\n", self.c_type(*elem)));
        format!("struct {} {{\n{}}};", structure.name, fields.collect::<String>())
    }
}

impl Lowering<'_> {
    /// What a function's code has to take and give: see [`terrace_dialect_builtin::marks::C`]
    pub fn declared(&self, function: &Function) -> Done<Attr> {
        let cx = self.emit.ir.cx_arc().clone();
        let mut structures = BTreeSet::new();
        let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
        for param in &function.params {
            parameters.push(self.names.declarator(param)?);
            for (field, _) in self.names.field_elems(param.elem).iter().take(if param.dims.is_empty() {
                usize::MAX
            } else {
                1
            }) {
                let whole = field.is_empty() || !param.dims.is_empty();
                let text = if whole { param.name.clone() } else { format!("{}.{field}", param.name) };
                arguments.push(cx.str_attr(&text));
            }
            structures.extend(structure(param.elem));
        }
        structures.extend(function.result.and_then(structure));
        let text = |text: &str| cx.str_attr(text);
        let mut entries = vec![
            (cx.intern("arguments"), cx.array_attr(&arguments)),
            (cx.intern("parameters"), text(&parameters.join(", "))),
            (
                cx.intern("result"),
                text(&function.result.map_or("void".into(), |elem| self.names.c_type(elem))),
            ),
        ];
        if let Some(elem @ Elem::Struct(_)) = function.result {
            let fields: Vec<Attr> = self.names.field_elems(elem).iter().map(|(name, _)| text(name)).collect();
            entries.push((cx.intern("fields"), cx.array_attr(&fields)));
        }
        if !structures.is_empty() {
            let all: Vec<Attr> = structures.into_iter().map(|n| text(&self.names.definition(n))).collect();
            entries.push((cx.intern("structures"), cx.array_attr(&all)));
        }
        Ok(cx.dict_attr(entries))
    }
}

fn structure(elem: Elem) -> Option<usize> {
    match elem {
        Elem::Struct(n) => Some(n),
        _ => None,
    }
}
