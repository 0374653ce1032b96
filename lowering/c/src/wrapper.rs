//! What callers of C texts see: descriptors by pointer as in upstream's C interface, and one packed entry point.

use crate::buffer::Shape;
use crate::expr::quoted;
use crate::helpers::Helpers;
use crate::language::{Lang, Language, OpenMp};
use crate::linker::is_plain;
use crate::signature::{Part, Signature};
use crate::types::Scalar;
use crate::vector_type::Vector;
use terrace_ir::{Context, Ir, Type, TypeKind};

/// Beginning of the names of packed forms: `void __terrace_invoke_f(int64_t *args, int64_t *results)` calls the C function
/// `f`. Every number, and every part of a descriptor, lies at the front of a slot of 8 bytes.
pub const INVOKE: &str = "__terrace_invoke_";

fn is_buffer(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::MemRef { .. })
}

fn result_type(cx: &Context, ty: Type, helpers: &mut Helpers) -> String {
    match (Scalar::of(cx, ty), Vector::of(cx, ty)) {
        (Some(scalar), _) => OpenMp.scalar(scalar).to_string(),
        // Declared by the function that has it.
        (_, Some(vector)) => vector.name(),
        _ => descriptor_of(cx, ty, helpers),
    }
}

/// The type in C of a number or of a buffer's descriptor; nothing if it has none
pub(crate) fn c_type(cx: &Context, ty: Type, helpers: &mut Helpers) -> Option<String> {
    match (Scalar::of(cx, ty), Shape::of(cx, ty)) {
        (Some(scalar), _) => Some(OpenMp.scalar(scalar).to_string()),
        (_, Some(shape)) if is_buffer(cx, ty) => Some(helpers.descriptor(&shape)),
        _ => None,
    }
}

fn descriptor_of(cx: &Context, ty: Type, helpers: &mut Helpers) -> String {
    Shape::of(cx, ty).map_or("void".into(), |shape| helpers.descriptor(&shape))
}

/// Types of the arguments of the IR's function
fn inputs(ir: &Ir) -> Vec<Type> {
    let cx = ir.cx();
    let ty = ir.attr(ir.root(), "function_type").and_then(|attr| attr.as_type(cx));
    ty.and_then(|ty| ty.as_function(cx)).map_or(Vec::new(), |(inputs, _)| inputs.to_vec())
}

/// Name that the wrapper gives an argument: that of the number or of the pointer
fn argument(signature: &Signature, n: usize) -> String {
    let main = signature.params.iter().find(|p| p.arg == n && matches!(p.part, Part::Value | Part::Pointer));
    main.map_or(format!("arg{n}"), |param| param.name.clone())
}

/// A name that neither the function nor a parameter has
fn free(signature: &Signature, wanted: &str) -> String {
    let mut name = wanted.to_string();
    while signature.name == name || signature.params.iter().any(|param| param.name == name) {
        name.push('_');
    }
    name
}

/// `_mlir_ciface_f`: buffers are pointers to descriptors, and so is a result that is not one number
pub(crate) fn descriptors(ir: &Ir, signature: &Signature, helpers: &mut Helpers) -> String {
    let cx = ir.cx();
    let mut params = Vec::new();
    for (n, ty) in inputs(ir).into_iter().enumerate() {
        let name = argument(signature, n);
        params.push(match is_buffer(cx, ty) {
            false => format!("{} {name}", result_type(cx, ty, helpers)),
            true => format!("{} *{name}", descriptor_of(cx, ty, helpers)),
        });
    }
    let mut args: Vec<String> = signature
        .params
        .iter()
        .map(|param| match param.part {
            Part::Value => param.name.clone(),
            Part::Pointer => {
                let name = &param.name;
                format!("{name}->aligned + {name}->offset")
            }
            part => format!("{}->{}", argument(signature, param.arg), part.field()),
        })
        .collect();
    let mut result = "void".to_string();
    let mut before = "";
    let out = free(signature, "results");
    match &signature.results[..] {
        [] => {}
        [one] if !is_buffer(cx, *one) => {
            result = result_type(cx, *one, helpers);
            before = "return ";
        }
        [one] => {
            params.insert(0, format!("{} *{out}", descriptor_of(cx, *one, helpers)));
            args.push(out);
        }
        many => {
            let name = format!("{}_results", signature.name);
            let fields = many.iter().enumerate();
            let fields: String =
                fields.map(|(n, ty)| format!("  {} r{n};\n", result_type(cx, *ty, helpers))).collect();
            helpers.declare(&name, format!("struct {name} {{\n{fields}}};"));
            params.insert(0, format!("struct {name} *{out}"));
            args.extend((0..many.len()).map(|n| format!("&{out}->r{n}")));
        }
    }
    if params.is_empty() {
        params.push("void".into());
    }
    let symbol = format!("_mlir_ciface_{}", crate::linker::host_name(&signature.symbol));
    let plain = is_plain(&symbol);
    let (name, label) = match plain {
        true => (symbol, String::new()),
        false => {
            // A symbol that is no C identifier is spelled to the assembler.
            let name = format!("terrace_ciface_{}", signature.name);
            let quoted = quoted(&symbol);
            let label = format!("\n{result} {name}({}) __asm__({quoted});", params.join(", "));
            (name, label)
        }
    };
    let (params, args) = (params.join(", "), args.join(", "));
    format!("{label}\n{result} {name}({params}) {{\n  {before}{}({args});\n}}\n", signature.name)
}

/// Has the function a packed form? Vectors have no place in it
pub(crate) fn can_be_packed(ir: &Ir, signature: &Signature) -> bool {
    let cx = ir.cx();
    inputs(ir).iter().chain(&signature.results).all(|ty| Vector::of(cx, *ty).is_none())
}

/// The packed form of a function
pub(crate) fn packed(ir: &Ir, signature: &Signature, lang: Lang, helpers: &mut Helpers) -> String {
    let cx = ir.cx();
    let (given, out) = (free(signature, "args"), free(signature, "results"));
    let mut lines = String::new();
    let mut slot = 0;
    let slots = |ty: Type| ty.shape(cx).map_or(1, |shape| 3 + 2 * shape.len());
    for (n, ty) in inputs(ir).into_iter().enumerate() {
        let name = argument(signature, n);
        lines += &match Scalar::of(cx, ty) {
            Some(scalar) => {
                let c_type = OpenMp.scalar(scalar);
                format!("  {c_type} {name} = *({c_type} *)({given} + {slot});\n")
            }
            None => {
                let c_type = descriptor_of(cx, ty, helpers);
                format!("  {c_type} *{name} = ({c_type} *)({given} + {slot});\n")
            }
        };
        slot += slots(ty);
    }
    let mut args: Vec<String> = signature
        .params
        .iter()
        .map(|param| match param.part {
            Part::Value => param.name.clone(),
            Part::Pointer => format!("{0}->aligned + {0}->offset", param.name),
            part => format!("{}->{}", argument(signature, param.arg), part.field()),
        })
        .collect();
    let mut before = String::new();
    match &signature.results[..] {
        [one] if !is_buffer(cx, *one) => {
            before = format!("*({} *){out} = ", result_type(cx, *one, helpers));
        }
        many => {
            let mut slot = 0;
            for ty in many {
                args.push(format!("({} *)({out} + {slot})", result_type(cx, *ty, helpers)));
                slot += slots(*ty);
            }
        }
    }
    let call = format!("  {before}{}({});\n", signature.name, args.join(", "));
    let exported = lang.exported();
    format!(
        "\n{exported}void {INVOKE}{}(int64_t *{given}, int64_t *{out}) {{\n{lines}{call}}}\n",
        signature.name
    )
}
