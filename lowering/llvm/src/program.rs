//! A module as a whole: symbols, signatures, and the order of work.

use crate::abi;
use crate::check::{Check, Lowering, bad_type, table, unsupported};
use crate::emit::Emitter;
use crate::form::{Form, Spaces, form};
use crate::raw::{Callee, Linkage, Llvm};
use terrace_diag::{Diagnostic, Diags};
use terrace_dialect_upstream::func::Func;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, Ir, OpId};
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

/// Units of the functions of a module, in order; reports what is neither function nor known
fn functions<'a>(module: &'a Ir, diags: &mut Diags) -> Vec<&'a Ir> {
    let mut found = Vec::new();
    for region in module.regions(module.root()) {
        for op in module.blocks(region).flat_map(|block| module.block_ops(block)) {
            match module.child(op) {
                Some(unit) if Func::cast(unit, unit.root()).is_some() => found.push(unit),
                // Device code is for the device.
                Some(unit) if unit.op_name(unit.root()) == "gpu.module" => {}
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
    let units = functions(module, diags);
    let mut signatures = Vec::new();
    for &unit in &units {
        signatures.push(signature(unit, spaces, diags));
        Check { ir: unit, spaces }.function(&table, diags);
    }
    if diags.has_errors() {
        return false;
    }
    let mut program = Program { ll, spaces, functions: HashMap::default(), attributes };
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
