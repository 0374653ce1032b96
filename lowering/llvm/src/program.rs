//! A module as a whole: symbols, signatures, and the order of work.
//!
//! Host code is the functions of the module, device code those of its `gpu.module`s: each of these has symbols of its own.
//!
//! A kernel takes, for each buffer, the pointer, then what its type leaves open: offset, sizes, and strides unless rows lie
//! after rows, each as `i64`. Its name is that of the `gpu.func`, or `MODULE_NAME` where several have one name.
//! Its pointers are multiples of 16 bytes unless an argument's `llvm.align` says otherwise.

use crate::check::{Check, bad_type};
use crate::emit::Emitter;
use crate::form::{Elem, Form, MemForm, Spaces, form};
use crate::globals::{emit_global, global_form};
use crate::module::{Function, Program, symbol};
use crate::parts::part;
use crate::raw::{Linkage, Llvm, Opcode, T, V, Visibility};
use crate::table::unsupported;
use crate::target::Processor;
use crate::{abi, table, versions};
use std::collections::BTreeSet;
use terrace_diag::{Diagnostic, Diags};
use terrace_dialect_builtin::marks::{C, NOALIAS, READONLY};
use terrace_dialect_func::Func;
use terrace_dialect_gpu as gpu;
use terrace_dialect_memref::Global;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, DYNAMIC, Ir, OpId, RegionId, Type};
use terrace_native_client::codes;
use terrace_support::HashMap;

/// A function in the input: `func.func`, or `gpu.func` in device code
#[derive(Clone, Copy)]
struct Source<'a> {
    unit: &'a Ir,
    name: &'a str,
    inputs: &'a [Type],
    results: &'a [Type],
    body: RegionId,
    arg_attrs: Option<Attr>,
    public: bool,
    kernel: bool,
}

impl<'a> Source<'a> {
    fn of(unit: &'a Ir) -> Option<Source<'a>> {
        let root = unit.root();
        if let Some(func) = Func::cast(unit, root) {
            let (inputs, results) = func.types(unit);
            let visibility = func.sym_visibility(unit).and_then(|attr| attr.as_str(unit.cx()));
            let name = symbol_name(unit, root).map_or("", |name| unit.cx().str(name));
            let public = matches!(visibility, None | Some("public"));
            let (body, arg_attrs) = (func.body(unit), func.arg_attrs(unit));
            return Some(Source { unit, name, inputs, results, body, arg_attrs, public, kernel: false });
        }
        let func = gpu::Func::cast(unit, root)?;
        let (inputs, results) = func.types(unit);
        let (name, kernel) = (func.sym_name(unit).unwrap_or(""), func.is_kernel(unit));
        let (body, arg_attrs) = (func.body(unit), func.arg_attrs(unit));
        Some(Source { unit, name, inputs, results, body, arg_attrs, public: kernel, kernel })
    }
}

impl Source<'_> {
    fn defined(&self) -> bool {
        self.unit.entry(self.body).is_some()
    }

    /// Is it called from outside as its author declared it in C?
    fn declared(&self) -> Option<Attr> {
        self.unit.discardable(self.unit.root(), C).filter(|_| self.public && self.defined())
    }

    /// A structure that its declaration in C passes by value
    fn by_value(&self) -> Option<&'static str> {
        let (cx, declared) = (self.unit.cx(), self.declared()?.as_dict(self.unit.cx())?);
        let arguments = terrace_ir::attrs::dict_get(cx, declared, "arguments")?.as_array(cx)?;
        if arguments.iter().any(|text| text.as_str(cx).is_some_and(|text| text.contains('.'))) {
            return Some("takes");
        }
        terrace_ir::attrs::dict_get(cx, declared, "fields").map(|_| "gives")
    }

    /// Its name in LLVM
    fn symbol(&self, spaces: Spaces) -> String {
        symbol(self.name, spaces, self.defined(), self.public && self.declared().is_none())
    }
}

/// What a module holds, in order
#[derive(Default)]
struct Found<'a> {
    functions: Vec<Source<'a>>,
    globals: Vec<OpId>,
    /// `gpu.module`s
    devices: Vec<&'a Ir>,
}

/// Functions and buffers of a module; reports what is neither
fn find<'a>(module: &'a Ir, diags: &mut Diags) -> Found<'a> {
    let mut found = Found::default();
    for region in module.regions(module.root()) {
        for op in module.blocks(region).flat_map(|block| module.block_ops(block)) {
            match (module.child(op), module.child(op).and_then(Source::of)) {
                (_, Some(source)) => found.functions.push(source),
                (Some(unit), _) if gpu::Module::cast(unit, unit.root()).is_some() => found.devices.push(unit),
                (None, _) if Global::cast(module, op).is_some() => found.globals.push(op),
                _ => {
                    let _ = diags.emit(unsupported(module, op));
                }
            }
        }
    }
    found
}

/// A function's forms, or what is wrong with its signature
fn signature(source: &Source<'_>, spaces: Spaces, diags: &mut Diags) -> Option<(Vec<Form>, Vec<Form>)> {
    let (unit, cx) = (source.unit, source.unit.cx());
    let span = unit.span(unit.root());
    let mut good = true;
    let mut forms = |types: &[Type]| {
        let mut all = Vec::new();
        for &ty in types {
            match form(cx, ty, spaces) {
                Ok(form) => all.push(form),
                Err(why) => {
                    good = false;
                    let _ = diags.emit(bad_type(cx, ty, &why.why).at(span));
                }
            }
        }
        all
    };
    let (inputs, results) = (forms(source.inputs), forms(source.results));
    let passed = inputs.iter().chain(&results).any(|form| matches!(form, Form::Matrix(_)));
    if let Some(entry) = unit.entry(source.body) {
        // Buffers that a device function begins with
        let types: Vec<Type> = unit.block_args(entry).iter().map(|arg| unit.ty(*arg)).collect();
        forms(&types);
    }
    if let Some(way) = source.by_value() {
        let message =
            format!("`{}` {way} a structure by value, which code for C cannot have yet", source.name);
        let error = Diagnostic::error(&codes::UNSUPPORTED_TYPE, message).at(span);
        let _ =
            diags
                .emit(error.help(
                    "pass a pointer to it; or print C, which a C compiler passes right: --emit=openmp",
                ));
        good = false;
    }
    if passed {
        let message =
            format!("`{}` is given or gives a matrix, which only lives inside of functions", source.name);
        let _ = diags.emit(Diagnostic::error(&codes::UNSUPPORTED_TYPE, message).at(span));
        good = false;
    }
    if source.kernel && inputs.iter().any(|form| matches!(form, Form::Function)) {
        let message = format!("kernel `{}` takes a function, which no launch can give", source.name);
        let _ = diags.emit(Diagnostic::error(&codes::UNSUPPORTED_TYPE, message).at(span));
        good = false;
    }
    good.then_some((inputs, results))
}

type Signatures = Vec<(Vec<Form>, Vec<Form>)>;

/// Check what was found; `None` if there were errors
fn check(module: &Ir, found: &Found<'_>, spaces: Spaces, diags: &mut Diags) -> Option<Signatures> {
    for &op in &found.globals {
        if let Err(why) = global_form(module, op, spaces) {
            let message = format!("`memref.global` {}", why.why);
            let _ = diags.emit(Diagnostic::error(&codes::UNSUPPORTED_OP, message).at(module.span(op)));
        }
    }
    let mut signatures = Vec::new();
    for source in &found.functions {
        signatures.push(signature(source, spaces, diags));
        table::check(&Check { ir: source.unit, spaces }, diags);
        if let Err(why) = versions::check(source.unit, |name| {
            found.functions.iter().find(|other| other.name == name).map(|other| other.unit)
        }) {
            let message = format!("`{}` {}", source.name, why.why);
            let at = source.unit.span(source.unit.root());
            let _ = diags.emit(Diagnostic::error(&codes::UNSUPPORTED_OP, message).at(at));
        }
    }
    if diags.has_errors() { None } else { signatures.into_iter().collect() }
}

/// Names of functions that the module's own code calls or takes the address of
fn used<'a>(found: &Found<'a>) -> BTreeSet<&'a str> {
    let mut used = BTreeSet::new();
    for unit in found.functions.iter().map(|source| source.unit) {
        for op in unit.walk() {
            let names =
                ["callee", "value"].into_iter().filter_map(|key| unit.attr(op, key)?.as_symbol(unit.cx()));
            used.extend(names.map(|(name, _)| unit.cx().str(name)));
        }
    }
    used
}

/// Emit what was checked
fn emit<'a>(
    ll: &'a Llvm,
    module: &Ir,
    found: &Found<'_>,
    signatures: Signatures,
    (spaces, processor): (Spaces, &'a Processor),
) -> Program<'a> {
    let mut program =
        Program { ll, spaces, functions: HashMap::default(), globals: HashMap::default(), processor };
    for &op in &found.globals {
        if let Some((name, made)) = emit_global(&program, module, op) {
            program.globals.insert(name, made);
        }
    }
    for (source, (inputs, results)) in found.functions.iter().zip(signatures) {
        let ty = if source.kernel {
            ll.function_type(ll.void(), &kernel_params(ll, &inputs, spaces))
        } else {
            abi::function_type(ll, &inputs, &results)
        };
        let callee = ll.add_function(&source.symbol(spaces), ty);
        let cpu = versions::target(source.unit).map(str::to_owned);
        let defined = source.defined();
        program.functions.insert(source.name.to_owned(), Function { callee, inputs, results, cpu, defined });
    }
    let used = used(found);
    for source in &found.functions {
        emit_function(&program, source);
        let shared = source.public && source.defined() && source.declared().is_none();
        if shared && spaces == Spaces::Host && used.contains(source.name) {
            // A library that has a function of this name does not get the module's own calls.
            ll.set_visibility(
                program.functions[source.name].callee.value,
                Visibility::LLVMProtectedVisibility,
            );
        }
    }
    program
}

/// Check a module and emit its host code; nothing is emitted where the check finds something
pub(crate) fn emit_module(
    ll: &Llvm,
    module: &Ir,
    processor: &Processor,
    entry: Option<&str>,
    diags: &mut Diags,
) -> bool {
    let spaces = Spaces::Host;
    let mut found = find(module, diags);
    if entry.is_some() {
        // There are no other callers: what the entry does not need goes.
        found.functions.iter_mut().for_each(|source| source.public = false);
    }
    let Some(signatures) = check(module, &found, spaces, diags) else { return false };
    let program = emit(ll, module, &found, signatures, (spaces, processor));
    if let Some(function) = entry.and_then(|name| program.functions.get(name)) {
        abi::invoke(&program, function);
    }
    true
}

/// The same for the device code of a module
pub(crate) fn emit_devices(ll: &Llvm, module: &Ir, spaces: Spaces, diags: &mut Diags) -> bool {
    let processor = &Processor::default();
    // What the host does is not looked at.
    let mut ignored = Diags::default();
    let devices = find(module, &mut ignored).devices;
    if devices.is_empty() {
        let form = if spaces == Spaces::Spirv { "SPIR-V" } else { "PTX" };
        let message = format!("the module has no `gpu.module`, which {form} is made from");
        let error = Diagnostic::error(&codes::UNSUPPORTED_OP, message).at(module.span(module.root()));
        let _ = diags.emit(error.help("`gpu-kernel-outlining` makes one of `gpu.launch`"));
        return false;
    }
    // Several kernels of one name are distinguished by their modules.
    let mut kernels: HashMap<String, usize> = HashMap::default();
    for device in &devices {
        for source in find(device, &mut ignored).functions.iter().filter(|source| source.kernel) {
            *kernels.entry(source.name.to_owned()).or_default() += 1;
        }
    }
    for device in devices {
        let found = find(device, diags);
        let Some(signatures) = check(device, &found, spaces, diags) else { return false };
        let module = symbol_name(device, device.root()).map_or("", |name| device.cx().str(name));
        let program = emit(ll, device, &found, signatures, (spaces, processor));
        for source in found.functions.iter().filter(|source| source.kernel) {
            if kernels.get(source.name) != Some(&1) {
                let name = format!("{module}_{}", source.name);
                ll.set_name(program.functions[source.name].callee.value, &symbol(&name, spaces, true, true));
            }
        }
    }
    true
}

fn emit_function(program: &Program<'_>, source: &Source<'_>) {
    let Some(first) = source.unit.entry(source.body) else { return };
    let function = &program.functions[source.name];
    let ll = program.ll;
    if !source.public || source.declared().is_some() {
        ll.set_linkage(function.callee.value, Linkage::LLVMInternalLinkage);
    }
    let body = versions::of(source.unit).map(|all| versions::dispatch(program, function, &all));
    let body = body.unwrap_or(function.callee);
    let value = body.value;
    program.attribute(body, function.cpu.as_deref());
    let mut emitter = Emitter::new(program, table::table(), source.unit, value);
    ll.at_end(emitter.entry);
    let mut at = 0;
    let mut args = Vec::new();
    for (n, form) in function.inputs.iter().enumerate() {
        let pointer = if source.kernel { at } else { at + 1 };
        for (said, attribute) in [(NOALIAS, "noalias"), (READONLY, "readonly")] {
            if let Form::MemRef(_) = form
                && arg_attr(source, n, said).is_some()
            {
                ll.known_attr(value, Some(pointer), attribute, 0);
            }
        }
        if let Form::MemRef(_) = form {
            let said = arg_attr(source, n, "llvm.align").and_then(|attr| attr.as_i64(source.unit.cx()));
            let said =
                said.and_then(|bytes| u64::try_from(bytes).ok()).filter(|bytes| bytes.is_power_of_two());
            let align = said.unwrap_or(if source.kernel { KERNEL_ALIGN } else { 1 }).min(1 << 20);
            if align > 1 {
                ll.known_attr(value, Some(pointer), "align", align);
            }
        }
        let count = if source.kernel {
            kernel_part(ll, form, program.spaces).len()
        } else {
            abi::param_types(ll, form).len()
        };
        let params: Vec<V> = (at..at + count).map(|n| ll.param(value, n)).collect();
        args.push(if source.kernel {
            from_kernel(&emitter, form, &params)
        } else {
            abi::from_params(&emitter, form, &params)
        });
        at += count;
    }
    if program.spaces != Spaces::Host {
        device_function(&mut emitter, source, &mut args);
    }
    emitter.body(first, args);
    if source.public && program.spaces == Spaces::Host {
        match source.declared() {
            Some(_) => abi::c_function(program, source.name, function),
            None => abi::c_interface(program, source.name, function),
        }
    }
}

/// A discardable attribute of an argument
fn arg_attr(source: &Source<'_>, n: usize, name: &str) -> Option<Attr> {
    let cx = source.unit.cx();
    let dict = source.arg_attrs?.as_array(cx)?.get(n)?.as_dict(cx)?;
    terrace_ir::attrs::dict_get(cx, dict, name)
}

/// Numbers that a kernel is given for a buffer: positions in its parts
fn open_parts(mem: &MemForm) -> Vec<usize> {
    let rank = mem.rank();
    let offset = [(part::OFFSET, mem.offset)];
    let sizes = mem.shape.iter().enumerate().map(|(n, size)| (part::SIZES + n, *size));
    let strides = mem.strides.iter().enumerate().map(|(n, stride)| (part::SIZES + rank + n, *stride));
    let strides = strides.filter(|_| !mem.is_row_major());
    let all = offset.into_iter().chain(sizes).chain(strides);
    all.filter(|(_, known)| *known == DYNAMIC).map(|(n, _)| n).collect()
}

/// Parameters of a kernel for an argument; bits are bytes
fn kernel_part(ll: &Llvm, form: &Form, spaces: Spaces) -> Vec<T> {
    match form {
        Form::MemRef(mem) => {
            let mut types = vec![ll.ptr(spaces.outside(mem.space))];
            types.extend(open_parts(mem).iter().map(|_| ll.i64()));
            types
        }
        Form::Scalar(elem) if !elem.fills_bytes() => vec![ll.int(8 * elem.bytes())],
        _ => vec![abi::whole_type(ll, form)],
    }
}

fn kernel_params(ll: &Llvm, inputs: &[Form], spaces: Spaces) -> Vec<T> {
    inputs.iter().flat_map(|form| kernel_part(ll, form, spaces)).collect()
}

/// Parts of an argument from a kernel's parameters
fn from_kernel(e: &Emitter<'_>, form: &Form, params: &[V]) -> Vec<V> {
    match form {
        Form::MemRef(mem) => {
            let pointer = e.ll.cast_if(Opcode::LLVMAddrSpaceCast, params[0], e.ll.ptr(mem.space));
            let mut parts = vec![Some(pointer); 2];
            parts.extend(e.static_parts(form).into_iter().skip(part::OFFSET));
            for (n, param) in open_parts(mem).into_iter().zip(&params[1..]) {
                parts[n] = Some(*param);
            }
            let (rank, one) = (mem.rank(), e.ll.const_i64(1));
            // What is still open are strides of rows after rows.
            for n in (0..rank).rev() {
                let at = part::SIZES + rank + n;
                if parts[at].is_none() {
                    let inner = parts.get(at + 1).copied().flatten().unwrap_or(one);
                    let size = parts[part::SIZES + n + 1].unwrap_or(one);
                    parts[at] = Some(e.ll.mul_index(inner, size));
                }
            }
            parts.into_iter().map(|part| part.unwrap_or(one)).collect()
        }
        Form::Scalar(elem @ Elem::Int(_)) if !elem.fills_bytes() => {
            vec![e.ll.cast(Opcode::LLVMTrunc, params[0], e.elem_type(*elem))]
        }
        _ => abi::unpack(e.ll, form, params[0]),
    }
}

/// Alignment of the pointers that kernels are given: the widest access of a thread. Drivers allocate at more
const KERNEL_ALIGN: u64 = 16;

/// LLVM's numbers for the calling conventions of kernels
const PTX_KERNEL: u32 = 71;
const SPIR_KERNEL: u32 = 76;

/// What only device functions have: launch bounds, and buffers that they begin with
fn device_function(e: &mut Emitter<'_>, source: &Source<'_>, args: &mut Vec<Vec<V>>) {
    let (ll, unit, value) = (e.ll, source.unit, e.function);
    ll.known_attr(value, None, "convergent", 0);
    if source.kernel {
        let spirv = e.spaces() == Spaces::Spirv;
        ll.set_call_conv(value, if spirv { SPIR_KERNEL } else { PTX_KERNEL });
        if let Some(size) = crate::gpu::known(unit, "known_block_size").filter(|_| !spirv) {
            let text: Vec<String> = size.iter().map(i64::to_string).collect();
            ll.function_attr(value, "nvvm.reqntid", &text.join(","));
        }
    }
    let Some(func) = gpu::Func::cast(unit, unit.root()) else { return };
    let (block, thread) = (func.workgroup_attributions(unit), func.private_attributions(unit));
    for (n, &arg) in block.iter().chain(thread).enumerate() {
        let mem = e.mem_of(arg);
        let count = mem.shape.iter().product::<i64>().max(0) as u64;
        let ty = ll.array(ll.int(8), count * mem.elem_bytes());
        let at = if n < block.len() {
            let name = format!("{}.shared.{n}", ll.name_of(e.function));
            let made = ll.add_global(&name, ty, mem.space);
            ll.set_linkage(made, Linkage::LLVMInternalLinkage);
            ll.set_initializer(made, ll.poison(ty));
            ll.set_alignment(made, mem.elem.align().max(16));
            made
        } else {
            let made = ll.alloca(ty);
            ll.set_alignment(made, mem.elem.align().max(16));
            made
        };
        let form = Form::MemRef(mem);
        let zero = ll.const_i64(0);
        let known = e.static_parts(&form).into_iter().skip(part::OFFSET);
        let parts = [at, at].into_iter().chain(known.map(|known| known.unwrap_or(zero))).collect();
        args.push(parts);
    }
}
