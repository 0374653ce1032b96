//! A header for those who call a module's functions from C: the same functions that objects, libraries and printed C have.

use crate::codes;
use crate::declared::Declared;
use crate::expr::quoted;
use crate::helpers::Helpers;
use crate::language::OpenMp;
use crate::linker::{host_name, is_plain};
use crate::names::{identifier, reserved};
use crate::types::Scalar;
use std::collections::BTreeSet;
use terrace_diag::{Diagnostic, Diags};
use terrace_dialect_builtin::marks::NAME;
use terrace_dialect_func as func;
use terrace_ir::{Ir, Type, TypeKind, Value};

/// How functions are called that were not written in C
const DESCRIPTORS: &str = "\
/* Functions that were not written in C take each array as a pointer to its descriptor: `allocated` (not read), `aligned` and
   `offset` (the first element is aligned[offset]), then the size and the stride, in elements, of each dimension. A result that
   is no number is written through the first argument; an array in it was made by the function and belongs to the caller. */
";

/// Declarations of a module's public functions; reports what C cannot call
pub fn header(ir: &Ir, diags: &mut Diags) -> Option<String> {
    let mut helpers = Helpers::new(&OpenMp);
    let (mut structures, mut declared, mut others) = (BTreeSet::new(), String::new(), String::new());
    let errors = diags.errors();
    for unit in crate::module::children(ir) {
        let root = unit.root();
        let private =
            unit.attr(root, "sym_visibility").and_then(|attr| attr.as_str(unit.cx())) == Some("private");
        if !unit.is(root, func::Func::DEF) || private {
            continue;
        }
        let Some(entry) = unit.entry(unit.region(root, 0)) else { continue };
        match Declared::of(unit) {
            Some(one) => {
                declared += &one.prototype();
                structures.extend(one.structures);
            }
            None => others += &by_descriptor(unit, unit.block_args(entry), &mut helpers, diags),
        }
    }
    if diags.errors() > errors {
        return None;
    }
    if declared.is_empty() && others.is_empty() {
        let message = "the module has no function with a body that could be called from C";
        let _ = diags.emit(Diagnostic::error(&codes::NOTHING, message).help("make one public"));
        return None;
    }
    let mut text = String::from("#pragma once\n#include <stdbool.h>\n#include <stdint.h>\n\n");
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    for structure in structures {
        text += &format!("{structure}\n\n");
    }
    text += &declared;
    if !others.is_empty() {
        let first = if declared.is_empty() { "" } else { "\n" };
        let types = helpers.text();
        text += &format!(
            "{first}{DESCRIPTORS}\n{}\n{}",
            types.trim(),
            if types.trim().is_empty() { "" } else { "\n" }
        );
        text += others.trim_start();
    }
    text += "\n#ifdef __cplusplus\n}\n#endif\n";
    Some(text)
}

/// The declaration of the function that takes descriptors
fn by_descriptor(unit: &Ir, args: &[Value], helpers: &mut Helpers, diags: &mut Diags) -> String {
    let (cx, root) = (unit.cx(), unit.root());
    let ty = unit.attr(root, "function_type").and_then(|attr| attr.as_type(cx));
    let (inputs, results) = ty.and_then(|ty| ty.as_function(cx)).unwrap_or((&[], &[]));
    let symbol = unit.attr(root, "sym_name").and_then(|name| name.as_str(cx)).unwrap_or("");
    if inputs.iter().chain(results).any(|ty| matches!(ty.kind(cx), TypeKind::Vector { .. })) {
        return format!(
            "\n/* {} takes or gives a vector, which C passes in no portable way */\n",
            host_name(symbol)
        );
    }
    let mut spell = |ty: Type| {
        let found = crate::wrapper::c_type(cx, ty, helpers);
        if found.is_none() {
            let text = terrace_ir::show::type_text(cx, ty);
            let message = format!("`{symbol}` takes or gives {text}, which C has no type for");
            let error = Diagnostic::error(&codes::TYPE, message).at(unit.span(root));
            let _ = diags.emit(error.help("lower it first: --pipeline=to-host"));
        }
        found.unwrap_or_default()
    };
    let mut params = Vec::new();
    for (n, (ty, arg)) in inputs.iter().zip(args).enumerate() {
        let given = unit.attr(root, "arg_attrs").and_then(|all| all.as_array(cx)?.get(n)?.as_dict(cx));
        let given = given.and_then(|dict| terrace_ir::attrs::dict_get(cx, dict, NAME)?.as_str(cx));
        let name = given.or_else(|| unit.value_name(*arg)).and_then(identifier);
        let name = name.filter(|name| !reserved(name, "")).unwrap_or_else(|| format!("arg{n}"));
        let star = if Scalar::of(cx, *ty).is_some() { " " } else { " *" };
        params.push(format!("{}{star}{name}", spell(*ty)));
    }
    let mut result = "void".to_string();
    let mut types = String::new();
    match results {
        [] => {}
        [one] if Scalar::of(cx, *one).is_some() => result = spell(*one),
        [one] => params.insert(0, format!("{} *results", spell(*one))),
        many => {
            let name = format!("{}_results", identifier(symbol).unwrap_or_else(|| "f".into()));
            let fields: String =
                many.iter().enumerate().map(|(n, ty)| format!("  {} r{n};\n", spell(*ty))).collect();
            types = format!("\nstruct {name} {{\n{fields}}};\n");
            params.insert(0, format!("struct {name} *results"));
        }
    }
    let linker = format!("_mlir_ciface_{}", host_name(symbol));
    let (name, label) = match is_plain(&linker) {
        true => (linker, String::new()),
        false => {
            let name = format!("_mlir_ciface_{}", identifier(symbol).unwrap_or_else(|| "f".into()));
            (name, format!(" __asm__({})", quoted(&linker)))
        }
    };
    let params = if params.is_empty() { "void".to_string() } else { params.join(", ") };
    format!("{types}\n{result} {name}({params}){label};\n")
}
