//! How functions take and give values: upstream's memref descriptors, C wrappers, and a packed form for running.
//!
//! A memref argument is its descriptor field by field: allocated pointer, aligned pointer, offset, sizes, strides; as a
//! result it is the struct of these. `_mlir_ciface_<name>` takes pointers to descriptors instead. All fields are passed, also
//! those that the type knows; inside of a function these are not read.

use crate::emit::Emitter;
use crate::form::{Form, MemForm, VectorForm};
use crate::module::{Function, Program, symbol};
use crate::parts::{elem_type, part, part_types};
use crate::raw::{Llvm, Opcode, T, V};
use terrace_ir::DYNAMIC;

/// LLVM parameters of an argument
pub(crate) fn param_types(ll: &Llvm, form: &Form) -> Vec<T> {
    match form {
        Form::MemRef(_) => part_types(ll, form),
        _ => vec![whole_type(ll, form)],
    }
}

/// A descriptor: `{ptr, ptr, i64, [rank x i64], [rank x i64]}`
pub(crate) fn descriptor_type(ll: &Llvm, mem: &MemForm) -> T {
    let ptr = ll.ptr(mem.space);
    let mut fields = vec![ptr, ptr, ll.i64()];
    if mem.rank() > 0 {
        let list = ll.array(ll.i64(), mem.rank() as u64);
        fields.extend([list, list]);
    }
    ll.structure(&fields)
}

/// The type of a value in one piece
pub(crate) fn whole_type(ll: &Llvm, form: &Form) -> T {
    match form {
        Form::MemRef(mem) => descriptor_type(ll, mem),
        Form::Vector(vector) if vector.shape.len() > 1 => {
            let row = ll.vector(elem_type(ll, vector.elem), vector.lanes());
            let lead = vector.shape[..vector.shape.len() - 1].iter().rev();
            lead.fold(row, |ty, size| ll.array(ty, *size as u64))
        }
        _ => part_types(ll, form)[0],
    }
}

fn result_type(ll: &Llvm, results: &[Form]) -> T {
    match results {
        [] => ll.void(),
        [one] => whole_type(ll, one),
        many => {
            let types: Vec<T> = many.iter().map(|form| whole_type(ll, form)).collect();
            ll.structure(&types)
        }
    }
}

/// Type of a function of these arguments and results
pub(crate) fn function_type(ll: &Llvm, inputs: &[Form], results: &[Form]) -> T {
    let params: Vec<T> = inputs.iter().flat_map(|form| param_types(ll, form)).collect();
    ll.function_type(result_type(ll, results), &params)
}

/// Positions of the fields of a value in its whole: one path per part
fn paths(form: &Form) -> Vec<Vec<u32>> {
    match form {
        Form::MemRef(mem) => {
            let mut paths = vec![vec![0], vec![1], vec![2]];
            for list in [3, 4] {
                paths.extend((0..mem.rank() as u32).map(|n| vec![list, n]));
            }
            paths
        }
        Form::Vector(vector) => {
            let lead = &vector.shape[..vector.shape.len().saturating_sub(1)];
            lead.iter().fold(vec![Vec::new()], |paths, size| {
                let with = |path: &Vec<u32>, n: i64| path.iter().copied().chain([n as u32]).collect();
                paths.iter().flat_map(|path| (0..*size).map(move |n| with(path, n))).collect()
            })
        }
        _ => vec![Vec::new()],
    }
}

/// A value in one piece
pub(crate) fn pack(ll: &Llvm, form: &Form, parts: &[V]) -> V {
    let paths = paths(form);
    if paths[0].is_empty() {
        return parts[0];
    }
    let mut whole = ll.poison(whole_type(ll, form));
    for (path, part) in paths.iter().zip(parts) {
        whole = insert(ll, whole, path, *part);
    }
    whole
}

fn insert(ll: &Llvm, whole: V, path: &[u32], value: V) -> V {
    match path {
        [] => value,
        [n] => ll.insert_value(whole, value, *n),
        [n, rest @ ..] => {
            let inner = insert(ll, ll.extract_value(whole, *n), rest, value);
            ll.insert_value(whole, inner, *n)
        }
    }
}

/// Parts of a value in one piece
pub(crate) fn unpack(ll: &Llvm, form: &Form, whole: V) -> Vec<V> {
    let field = |path: &Vec<u32>| path.iter().fold(whole, |value, n| ll.extract_value(value, *n));
    paths(form).iter().map(field).collect()
}

/// Parameters that pass these parts
pub(crate) fn to_params(ll: &Llvm, form: &Form, parts: &[V]) -> Vec<V> {
    match form {
        Form::MemRef(_) => parts.to_vec(),
        _ => vec![pack(ll, form, parts)],
    }
}

/// Parts of an argument, with constants where the type knows better
pub(crate) fn from_params(e: &Emitter<'_>, form: &Form, params: &[V]) -> Vec<V> {
    match form {
        Form::MemRef(_) => constants(e, form, params.to_vec()),
        _ => unpack(e.ll, form, params[0]),
    }
}

/// Put constants where the type knows the part
pub(crate) fn constants(e: &Emitter<'_>, form: &Form, parts: Vec<V>) -> Vec<V> {
    parts.into_iter().zip(e.static_parts(form)).map(|(part, known)| known.unwrap_or(part)).collect()
}

/// Parts of a call's results
pub(crate) fn from_result(e: &Emitter<'_>, results: &[Form], value: V) -> Vec<Vec<V>> {
    let parts = |form: &Form, whole: V| constants(e, form, unpack(e.ll, form, whole));
    match results {
        [] => Vec::new(),
        [one] => vec![parts(one, value)],
        many => many
            .iter()
            .enumerate()
            .map(|(n, form)| parts(form, e.ll.extract_value(value, n as u32)))
            .collect(),
    }
}

/// What a function returns
pub(crate) fn to_result(ll: &Llvm, results: &[Form], values: &[impl AsRef<[V]>]) -> Option<V> {
    match results {
        [] => None,
        [one] => Some(pack(ll, one, values[0].as_ref())),
        many => {
            let mut whole = ll.poison(result_type(ll, many));
            for (n, (form, parts)) in many.iter().zip(values).enumerate() {
                whole = ll.insert_value(whole, pack(ll, form, parts.as_ref()), n as u32);
            }
            Some(whole)
        }
    }
}

/// `_mlir_ciface_<name>`: memrefs by pointer, a struct result through the first argument
pub(crate) fn c_interface(program: &Program<'_>, name: &str, function: &Function) {
    let ll = program.ll;
    if program.functions.contains_key(&format!("_mlir_ciface_{name}")) {
        return;
    }
    let wrapper = format!("_mlir_ciface_{}", terrace_lowering_c::host_name(name));
    let is_mem = |form: &Form| matches!(form, Form::MemRef(_));
    let through = function.results.len() > 1 || function.results.first().is_some_and(is_mem);
    let result = result_type(ll, &function.results);
    let mut params: Vec<T> = if through { vec![ll.ptr(0)] } else { Vec::new() };
    params.extend(
        function.inputs.iter().map(|form| if is_mem(form) { ll.ptr(0) } else { whole_type(ll, form) }),
    );
    let ty = ll.function_type(if through { ll.void() } else { result }, &params);
    let made = ll.add_function(&wrapper, ty);
    program.attribute(made, None);
    ll.at_end(ll.append_block(made.value, "entry"));
    let mut args = Vec::new();
    for (n, form) in function.inputs.iter().enumerate() {
        let param = ll.param(made.value, n + usize::from(through));
        match form {
            Form::MemRef(mem) => {
                let whole = ll.load(descriptor_type(ll, mem), param, 8);
                args.extend(unpack(ll, form, whole));
            }
            _ => args.push(param),
        }
    }
    let value = ll.call(function.callee, &args);
    match (through, function.results.is_empty()) {
        (true, _) => {
            ll.store(value, ll.param(made.value, 0), 8);
            ll.ret(None);
        }
        (false, true) => ll.ret(None),
        (false, false) => ll.ret(Some(value)),
    }
}

/// Bytes of a buffer whose size its caller does not say: more than there are, and no sum with an address wraps
const UNKNOWN: i64 = 1 << 62;

/// The function as its author declared it in C: buffers are pointers to rows after rows
///
/// The size that a pointer leaves open is taken for as large as can be: two such buffers may always overlap.
pub(crate) fn c_function(program: &Program<'_>, name: &str, function: &Function) {
    let ll = program.ll;
    let params: Vec<T> = function
        .inputs
        .iter()
        .map(|form| match form {
            Form::MemRef(_) => ll.ptr(0),
            _ => whole_type(ll, form),
        })
        .collect();
    let ty = ll.function_type(result_type(ll, &function.results), &params);
    let made = ll.add_function(&symbol(name, program.spaces, true, true), ty);
    program.attribute(made, None);
    if let [Form::Scalar(elem)] = &function.results[..]
        && !elem.fills_bytes()
    {
        // A `bool` is a whole byte.
        ll.result_attr(made.value, "zeroext", 0);
    }
    ll.at_end(ll.append_block(made.value, "entry"));
    let mut args = Vec::new();
    for (n, form) in function.inputs.iter().enumerate() {
        let param = ll.param(made.value, n);
        match form {
            Form::MemRef(mem) => args.extend(pointed(ll, mem, param)),
            _ => args.push(param),
        }
    }
    let value = ll.call(function.callee, &args);
    ll.ret((!function.results.is_empty()).then_some(value));
}

/// Parts of a buffer that begins at a pointer
fn pointed(ll: &Llvm, mem: &MemForm, pointer: V) -> Vec<V> {
    let known = |value: i64, other: i64| ll.const_i64(if value == DYNAMIC { other } else { value });
    let mut row = mem.elem_bytes() as i64;
    let mut sizes = Vec::new();
    for size in mem.shape.iter().rev() {
        sizes.insert(0, known(*size, UNKNOWN / row.max(1)));
        row = row.saturating_mul((*size).max(1));
    }
    let strides = mem.strides.iter().map(|stride| known(*stride, 1));
    [pointer, pointer, known(mem.offset, 0)].into_iter().chain(sizes).chain(strides).collect()
}

/// Name of the packed form of an entry point
pub const INVOKE: &str = "__terrace_invoke";

/// `void __terrace_invoke(ptr args, ptr results)`: every part that is passed or given lies in a slot of 8 bytes
///
/// Scalars lie at the front of their slot. The slot of a vector points to its rows, each at a multiple of [`row_bytes`];
/// that of a result too, before the call.
pub(crate) fn invoke(program: &Program<'_>, function: &Function) {
    let ll = program.ll;
    let ty = ll.function_type(ll.void(), &[ll.ptr(0), ll.ptr(0)]);
    let made = ll.add_function(INVOKE, ty);
    program.attribute(made, None);
    ll.at_end(ll.append_block(made.value, "entry"));
    let slot = |base: V, n: usize| ll.gep(ll.i64(), base, ll.const_i64(n as i64));
    let row = |vector: &VectorForm, base: V, n: usize| {
        let bytes = ll.const_i64((n as u64 * row_bytes(vector)) as i64);
        ll.gep(ll.int(8), base, bytes)
    };
    let mut at = 0;
    let mut args = Vec::new();
    for form in &function.inputs {
        let base = slot(ll.param(made.value, 0), at);
        at += form_slots(form);
        let parts: Vec<V> = match form {
            Form::Vector(vector) => {
                let place = ll.load(ll.ptr(0), base, 8);
                let ty = part_types(ll, form)[0];
                (0..vector.parts()).map(|n| load_row(ll, vector, ty, row(vector, place, n))).collect()
            }
            _ => {
                let types = part_types(ll, form).into_iter().enumerate();
                types.map(|(n, ty)| ll.load(ty, slot(base, n), 1)).collect()
            }
        };
        args.extend(to_params(ll, form, &parts));
    }
    let value = ll.call(function.callee, &args);
    let wholes: Vec<V> = match &function.results[..] {
        [] => Vec::new(),
        [_] => vec![value],
        many => (0..many.len()).map(|n| ll.extract_value(value, n as u32)).collect(),
    };
    let mut at = 0;
    for (form, whole) in function.results.iter().zip(wholes) {
        let base = slot(ll.param(made.value, 1), at);
        at += form_slots(form);
        let parts = unpack(ll, form, whole);
        match form {
            Form::Vector(vector) => {
                let place = ll.load(ll.ptr(0), base, 8);
                for (n, part) in parts.into_iter().enumerate() {
                    ll.store(stored_row(ll, vector, part), row(vector, place, n), 1);
                }
            }
            _ => {
                for (n, part) in parts.into_iter().enumerate() {
                    ll.store(part, slot(base, n), 1);
                }
            }
        }
    }
    ll.ret(None);
}

/// Bytes of a row in the packed form: elements as arrays have them
pub(crate) fn row_bytes(vector: &VectorForm) -> u64 {
    u64::from(vector.lanes()) * u64::from(vector.elem.bytes())
}

fn load_row(ll: &Llvm, vector: &VectorForm, ty: T, at: V) -> V {
    if vector.elem.fills_bytes() {
        return ll.load(ty, at, 1);
    }
    let wide = ll.vector(ll.int(8 * vector.elem.bytes()), vector.lanes());
    ll.cast(Opcode::LLVMTrunc, ll.load(wide, at, 1), ty)
}

fn stored_row(ll: &Llvm, vector: &VectorForm, row: V) -> V {
    if vector.elem.fills_bytes() {
        return row;
    }
    let wide = ll.vector(ll.int(8 * vector.elem.bytes()), vector.lanes());
    ll.cast(Opcode::LLVMZExt, row, wide)
}

/// Slots of a value in the packed form
pub(crate) fn form_slots(form: &Form) -> usize {
    match form {
        Form::MemRef(mem) => part::SIZES + 2 * mem.rank(),
        _ => 1,
    }
}
