//! A module as a whole: symbols, signatures, and the order of work.

use crate::abi;
use crate::check::{Check, Lowering, bad_type, table, unsupported};
use crate::emit::Emitter;
use crate::form::{Elem, Form, MemForm, Spaces, form};
use crate::raw::{Callee, Linkage, Llvm, V};
use terrace_diag::{Diagnostic, Diags};
use terrace_dialect_upstream::func::Func;
use terrace_dialect_upstream::memref::Global;
use terrace_ir::show::elem_bytes;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, AttrKind, DenseData, Ir, OpId};
use terrace_native_client::codes;
use terrace_support::HashMap;

/// What calls need to know of a function
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) callee: Callee,
    pub(crate) inputs: Vec<Form>,
    pub(crate) results: Vec<Form>,
}

/// A module under way
pub(crate) struct Program<'a> {
    pub(crate) ll: &'a Llvm,
    pub(crate) spaces: Spaces,
    pub(crate) functions: HashMap<String, Function>,
    /// Attributes that every function gets: what the CPU is
    pub(crate) attributes: &'a [(&'static str, String)],
}

/// What a module holds, in order
#[derive(Default)]
struct Found<'a> {
    functions: Vec<&'a Ir>,
    globals: Vec<OpId>,
}

/// Functions and buffers of a module; reports what is neither
fn find<'a>(module: &'a Ir, diags: &mut Diags) -> Found<'a> {
    let mut found = Found::default();
    for region in module.regions(module.root()) {
        for op in module.blocks(region).flat_map(|block| module.block_ops(block)) {
            match module.child(op) {
                Some(unit) if Func::cast(unit, unit.root()).is_some() => found.functions.push(unit),
                // Device code is for the device.
                Some(unit) if unit.op_name(unit.root()) == "gpu.module" => {}
                None if Global::cast(module, op).is_some() => found.globals.push(op),
                _ => {
                    let _ = diags.emit(unsupported(module, op));
                }
            }
        }
    }
    found
}

fn name_of(unit: &Ir) -> &str {
    symbol_name(unit, unit.root()).map_or("", |name| unit.cx().str(name))
}

/// A function's forms, or what is wrong with its signature
fn signature(unit: &Ir, spaces: Spaces, diags: &mut Diags) -> Option<(Vec<Form>, Vec<Form>)> {
    let cx = unit.cx();
    let (inputs, results) = Func(unit.root()).types(unit);
    let mut good = true;
    let mut forms = |types: &[terrace_ir::Type]| {
        let mut all = Vec::new();
        for &ty in types {
            match form(cx, ty, spaces) {
                Ok(form) => all.push(form),
                Err(why) => {
                    good = false;
                    let _ = diags.emit(bad_type(cx, ty, &why).at(unit.span(unit.root())));
                }
            }
        }
        all
    };
    let (inputs, results) = (forms(inputs), forms(results));
    let name = name_of(unit);
    if name.contains('\0') || name.starts_with("llvm.") || name.is_empty() {
        let message = format!("LLVM cannot have a function named `{}`", name.escape_default());
        let _ = diags.emit(Diagnostic::error(&codes::UNSUPPORTED_OP, message).at(unit.span(unit.root())));
        good = false;
    }
    good.then_some((inputs, results))
}

/// Check a module and emit it; nothing is emitted where the check finds something
pub(crate) fn emit_module(
    ll: &Llvm,
    module: &Ir,
    attributes: &[(&'static str, String)],
    entry: Option<&str>,
    diags: &mut Diags,
) -> bool {
    let spaces = Spaces::Host;
    let table = table();
    let Found { functions: units, globals } = find(module, diags);
    for &op in &globals {
        if let Err(why) = global_form(module, op, spaces) {
            let message = format!("`memref.global` {why}");
            let _ = diags.emit(Diagnostic::error(&codes::UNSUPPORTED_OP, message).at(module.span(op)));
        }
    }
    let mut signatures = Vec::new();
    for &unit in &units {
        signatures.push(signature(unit, spaces, diags));
        Check { ir: unit, spaces }.function(&table, diags);
    }
    if diags.has_errors() {
        return false;
    }
    let mut program = Program { ll, spaces, functions: HashMap::default(), attributes };
    for op in globals {
        emit_global(&program, module, op);
    }
    for (unit, (inputs, results)) in units.iter().zip(signatures.into_iter().flatten()) {
        let callee = ll.add_function(name_of(unit), abi::function_type(ll, &inputs, &results));
        program.functions.insert(name_of(unit).to_owned(), Function { callee, inputs, results });
    }
    for unit in units {
        emit_function(&program, &table, unit);
    }
    if let Some(function) = entry.and_then(|name| program.functions.get(name)) {
        abi::invoke(&program, function);
    }
    true
}

/// The form of a buffer of the module, if its content can be emitted
fn global_form(module: &Ir, op: OpId, spaces: Spaces) -> Result<(MemForm, Elem), String> {
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
fn emit_global(program: &Program<'_>, module: &Ir, op: OpId) {
    let (cx, ll, global) = (module.cx(), program.ll, Global(op));
    let Ok((mem, elem)) = global_form(module, op, program.spaces) else { return };
    let count = mem.shape.iter().product::<i64>().max(0) as u64;
    let one = |raw: &[u8]| {
        let bits = crate::arith::from_bytes(raw);
        if elem.fills_bytes() {
            crate::arith::const_bits(ll, elem, bits)
        } else {
            ll.const_wide(ll.int(8 * elem.bytes()), bits as i128)
        }
    };
    let stored = ll.type_of(one(&[0]));
    let ty = ll.array(stored, count);
    let name = symbol_name(module, op).map_or("", |name| cx.str(name));
    let made = ll.add_global(name, ty, mem.space);
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
        Some(_) => ll.set_initializer(made, ll.zero(ty)),
    }
    if global.constant(module).is_some() {
        ll.set_constant(made);
    }
    let private = global.sym_visibility(module).and_then(|attr| attr.as_str(cx)) == Some("private");
    if private && global.initial_value(module).is_some() {
        ll.set_linkage(made, Linkage::LLVMInternalLinkage);
    }
    let said = global.alignment(module).and_then(|attr| attr.as_i64(cx)).unwrap_or(1);
    ll.set_alignment(made, u32::try_from(said).unwrap_or(1).clamp(crate::memref::BLOCK, 1 << 20));
}

fn emit_function(program: &Program<'_>, table: &HashMap<&str, &'static Lowering>, unit: &Ir) {
    let func = Func(unit.root());
    let Some(first) = unit.entry(func.body(unit)) else { return };
    let function = &program.functions[name_of(unit)];
    let value = function.callee.value;
    program.attribute(function.callee);
    let visibility = func.sym_visibility(unit).and_then(|attr| attr.as_str(unit.cx()));
    let public = matches!(visibility, None | Some("public"));
    if !public {
        program.ll.set_linkage(value, Linkage::LLVMInternalLinkage);
    }
    let mut emitter = Emitter::new(program, unit, value);
    program.ll.at_end(emitter.entry);
    let mut at = 0;
    let mut args = Vec::new();
    for (n, form) in function.inputs.iter().enumerate() {
        if let Form::MemRef(_) = form
            && arg_attr(unit, func, n, "llvm.noalias").is_some()
        {
            program.ll.known_attr(value, Some(at + 1), "noalias", 0);
        }
        let count = abi::param_types(program.ll, form).len();
        let params: Vec<_> = (at..at + count).map(|n| program.ll.param(value, n)).collect();
        args.push(abi::from_params(&emitter, form, &params));
        at += count;
    }
    emitter.body(table, first, args);
    if public {
        abi::c_interface(program, name_of(unit), function);
    }
}

/// A discardable attribute of an argument
fn arg_attr(unit: &Ir, func: Func, n: usize, name: &str) -> Option<Attr> {
    let cx = unit.cx();
    let dict = func.arg_attrs(unit)?.as_array(cx)?.get(n)?.as_dict(cx)?;
    terrace_ir::attrs::dict_get(cx, dict, name)
}

impl Program<'_> {
    /// Attributes of every function with a body
    pub(crate) fn attribute(&self, function: Callee) {
        for (key, value) in self.attributes {
            self.ll.function_attr(function.value, key, value);
        }
        self.ll.known_attr(function.value, None, "nounwind", 0);
    }

    /// The function that an op's symbol names
    pub(crate) fn function(&self, ir: &Ir, op: OpId, attr: &str) -> Option<&Function> {
        let (root, _) = ir.attr(op, attr)?.as_symbol(ir.cx())?;
        self.functions.get(ir.cx().str(root))
    }
}
