//! Running a function in process.
//!
//! The entry point is called in a packed form ([`INVOKE`]): one slot of 8 bytes for each LLVM parameter, one for each part of
//! the results. The program may do what it likes with this process: that is why it is a worker's.
#![allow(unsafe_code)]

use crate::abi::{INVOKE, form_slots, row_bytes};
use crate::form::{Form, MemForm, Spaces, form};
use crate::parts::part;
use crate::storage::Storage;

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use std::time::Instant;
use terrace_diag::{Diagnostic, Diags};
use terrace_dialect_func::Func;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{DYNAMIC, FloatKind, Ir, Type, TypeKind};
use terrace_lowering_table::conversions;
use terrace_native_client::protocol::{elem_size, is_slow};
use terrace_native_client::{Arg, RunReply, RunRequest, codes};

/// What generated code may call, with the address
pub type Symbol = (&'static str, usize);

/// Alignment of buffers that programs return
const LINE: usize = 64;

fn entry_error(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(&codes::ENTRY, message.into())
}

/// The signature of the public function of a name
fn signature(ir: &Ir, name: &str) -> Result<(Vec<Type>, Vec<Type>), Diagnostic> {
    let ops = ir.regions(ir.root()).flat_map(|region| ir.blocks(region));
    let units: Vec<&Ir> = ops.flat_map(|block| ir.block_ops(block)).filter_map(|op| ir.child(op)).collect();
    let named =
        |unit: &&&Ir| symbol_name(unit, unit.root()).is_some_and(|found| unit.cx().str(found) == name);
    let unit = units.iter().find(named).filter(|unit| Func::cast(unit, unit.root()).is_some());
    let Some(unit) = unit else { return Err(entry_error(format!("there is no function `{name}`"))) };
    let func = Func(unit.root());
    if unit.entry(func.body(unit)).is_none() {
        return Err(entry_error(format!("`{name}` has no body")));
    }
    let (inputs, results) = func.types(unit);
    Ok((inputs.to_vec(), results.to_vec()))
}

/// An element type as the protocol spells it
fn elem_name(ir: &Ir, ty: Type) -> Option<&'static str> {
    let cx = ir.cx();
    Some(match ty.kind(cx) {
        TypeKind::Index => "index",
        TypeKind::Int { width: 1, .. } => "i1",
        TypeKind::Int { width: 8, .. } => "i8",
        TypeKind::Int { width: 16, .. } => "i16",
        TypeKind::Int { width: 32, .. } => "i32",
        TypeKind::Int { width: 64, .. } => "i64",
        TypeKind::Float(FloatKind::F16) => "f16",
        TypeKind::Float(FloatKind::BF16) => "bf16",
        TypeKind::Float(FloatKind::F32) => "f32",
        TypeKind::Float(FloatKind::F64) => "f64",
        _ => return None,
    })
}

/// A parameter or result: what passes through the packed form
struct Slot {
    elem: &'static str,
    form: Form,
}

impl Slot {
    fn mem(&self) -> Option<&MemForm> {
        match &self.form {
            Form::MemRef(mem) => Some(mem),
            _ => None,
        }
    }

    fn width(&self) -> usize {
        form_slots(&self.form)
    }
}

fn slot(ir: &Ir, ty: Type, what: &str) -> Result<Slot, Diagnostic> {
    let cx = ir.cx();
    let text = terrace_ir::show::type_text(cx, ty);
    let bad = |why: &str| entry_error(format!("{what} of type `{text}` cannot be passed: {why}"));
    let form = form(cx, ty, Spaces::Host).map_err(|refusal| bad(&refusal.why))?;
    let numbers = match &form {
        Form::Scalar(_) | Form::Vector(_) => true,
        Form::MemRef(mem) => matches!(*mem.elem, Form::Scalar(_)),
        _ => false,
    };
    if !numbers {
        return Err(bad("arguments and results are numbers, and arrays and vectors of numbers"));
    }
    let elem = elem_name(ir, ty.scalar(cx)).ok_or_else(|| bad("the width is not one of memory"))?;
    Ok(Slot { elem, form })
}

/// Slots of a buffer: pointers, offset, sizes, strides
fn descriptor(mem: &MemForm, shape: &[u64], address: usize, n: usize) -> Result<Vec<u64>, Diagnostic> {
    let fits = mem.rank() == shape.len()
        && mem.shape.iter().zip(shape).all(|(wanted, size)| *wanted == DYNAMIC || *wanted as u64 == *size);
    if !fits {
        return Err(entry_error(format!("the array for argument {n} has another shape than the parameter")));
    }
    let mut strides = vec![1u64; shape.len()];
    for k in (1..shape.len()).rev() {
        strides[k - 1] = strides[k] * shape[k].max(1);
    }
    let mut known = mem.strides.iter().zip(&strides).zip(shape);
    // The stride of a dimension of size one is never used; where there are no elements, none is.
    let strided = shape.contains(&0)
        || known.all(|((wanted, is), size)| *size <= 1 || *wanted == DYNAMIC || *wanted as u64 == *is);
    if !strided || !(mem.offset == 0 || mem.offset == DYNAMIC) {
        return Err(entry_error(format!("parameter {n} wants another layout than row by row")));
    }
    Ok([&[address as u64, address as u64, 0][..], shape, &strides].concat())
}

/// Elements of a result, read where it lies
///
/// # Safety
/// The slots are those that the program gave for a memref of this form.
unsafe fn gather(mem: &MemForm, slots: &[u64], size: usize) -> Result<(Vec<u64>, Vec<u8>), Diagnostic> {
    let rank = mem.rank();
    let known = |value: i64, slot: u64| if value == DYNAMIC { slot as i64 } else { value };
    let offset = known(mem.offset, slots[part::OFFSET]);
    let shape: Vec<i64> = (0..rank).map(|n| known(mem.shape[n], slots[part::SIZES + n])).collect();
    let strides: Vec<i64> = (0..rank).map(|n| known(mem.strides[n], slots[part::SIZES + rank + n])).collect();
    let count = shape.iter().try_fold(1i64, |all, size| all.checked_mul(*size)).filter(|count| *count >= 0);
    let count = count.ok_or_else(|| entry_error("a result has an impossible shape"))?;
    let mut bytes = Vec::with_capacity(count as usize * size);
    let mut at = vec![0i64; rank];
    for _ in 0..count {
        let place = at.iter().zip(&strides).fold(offset, |sum, (at, stride)| sum + at * stride);
        let from = (slots[part::ALIGNED] as *const u8).wrapping_offset(place as isize * size as isize);
        // SAFETY: by this function's contract the program says that an element lies here.
        bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(from, size) });
        for n in (0..rank).rev() {
            at[n] += 1;
            if at[n] < shape[n] {
                break;
            }
            at[n] = 0;
        }
    }
    Ok((shape.into_iter().map(|size| size as u64).collect(), bytes))
}

/// Compile a module and call one of its functions; `symbols` are the runtime's. Once it is compiled, and before it runs, it is `built`
pub fn run(
    ir: &Ir,
    request: &RunRequest,
    symbols: &[Symbol],
    built: &mut dyn FnMut(),
    diags: &mut Diags,
) -> Option<RunReply> {
    let mut report = |error: Diagnostic| diags.emit(error);
    let prepared = signature(ir, &request.entry).and_then(|(inputs, results)| {
        let inputs: Vec<Slot> =
            inputs.iter().map(|ty| slot(ir, *ty, "an argument")).collect::<Result<_, _>>()?;
        let results: Vec<Slot> =
            results.iter().map(|ty| slot(ir, *ty, "a result")).collect::<Result<_, _>>()?;
        if inputs.len() != request.args.len() {
            let (wanted, given) = (inputs.len(), request.args.len());
            return Err(entry_error(format!(
                "`{}` takes {wanted} arguments, {given} are given",
                request.entry
            )));
        }
        Ok((inputs, results))
    });
    let (inputs, results) = prepared.map_err(&mut report).ok()?;
    let context = Context::create();
    let made = crate::build(&context, ir, &request.options, Some(&request.entry), diags)?;
    let (module, _machine) = made.map_err(|error| diags.emit(error)).ok()?;
    call(&module, request, (&inputs, &results), symbols, built).map_err(|error| diags.emit(error)).ok()
}

/// Every function that is only declared must be there
fn resolve(module: &inkwell::module::Module<'_>, symbols: &[Symbol]) -> Result<(), Diagnostic> {
    use inkwell::llvm_sys::support::{
        LLVMAddSymbol, LLVMLoadLibraryPermanently, LLVMSearchForAddressOfSymbol,
    };
    // SAFETY: no name stands for this program with the libraries it has, the one of mathematics among them; nothing is loaded.
    unsafe { LLVMLoadLibraryPermanently(std::ptr::null()) };
    for (name, address) in conversions::ALL {
        // SAFETY: the name ends in a NUL; the address is that of a function of this program, which stays.
        unsafe { LLVMAddSymbol(name.as_ptr(), address().cast_mut().cast()) }
    }
    for function in module.get_functions().filter(|function| function.count_basic_blocks() == 0) {
        let name = function.get_name();
        let text = name.to_string_lossy();
        let known = text.starts_with("llvm.") || symbols.iter().any(|(known, _)| *known == text);
        // SAFETY: the name ends in a NUL.
        if !known && unsafe { LLVMSearchForAddressOfSymbol(name.as_ptr()) }.is_null() {
            return Err(entry_error(format!(
                "the function `{text}` is only declared, and this process has none"
            )));
        }
    }
    Ok(())
}

/// What the packed form of a call is given: slots, and the buffers and vectors that some of them point to
struct Given {
    slots: Vec<u64>,
    storages: Vec<Storage>,
}

impl Given {
    fn new(inputs: &[Slot], args: &[Arg]) -> Result<Given, Diagnostic> {
        let mut given = Given { slots: Vec::new(), storages: Vec::new() };
        for (n, (slot, arg)) in inputs.iter().zip(args).enumerate() {
            match (arg, &slot.form) {
                (Arg::Scalar { elem, bits }, Form::Scalar(_)) if elem == slot.elem => given.slots.push(*bits),
                (Arg::Buffer { shape, elem, bytes }, Form::Vector(vector)) if elem == slot.elem => {
                    if !shape.iter().map(|size| *size as i64).eq(vector.shape.iter().copied()) {
                        let message = format!("argument {n} has another shape than the parameter");
                        return Err(entry_error(message));
                    }
                    let address = given.store(bytes)?;
                    given.slots.push(address as u64);
                }
                (Arg::Buffer { shape, elem, bytes }, Form::MemRef(mem)) if elem == slot.elem => {
                    let address = given.store(bytes)?;
                    given.slots.extend(descriptor(mem, shape, address, n)?);
                }
                _ => {
                    return Err(entry_error(format!(
                        "argument {n} is not of the parameter's type (`{}`)",
                        slot.elem
                    )));
                }
            }
        }
        Ok(given)
    }

    fn store(&mut self, bytes: &[u8]) -> Result<usize, Diagnostic> {
        let storage = Storage::new(bytes, self.storages.len())?;
        let address = storage.address();
        self.storages.push(storage);
        Ok(address)
    }

    /// Nothing was written around the arguments
    fn check(&self) -> Result<(), Diagnostic> {
        match self.storages.iter().all(Storage::is_whole) {
            true => Ok(()),
            false => Err(Diagnostic::error(&codes::STRAY, "the program wrote outside of its arguments")),
        }
    }

    /// The arguments as the program left them
    fn args(&self, args: &[Arg]) -> Vec<Arg> {
        let mut storages = self.storages.iter();
        let after = |arg: &Arg| match arg {
            Arg::Buffer { shape, elem, .. } => {
                let bytes = storages.next().map(Storage::bytes).unwrap_or_default();
                Arg::Buffer { shape: shape.clone(), elem: elem.clone(), bytes }
            }
            scalar => scalar.clone(),
        };
        args.iter().map(after).collect()
    }
}

/// Room for results: slots, and rows for the vectors that some of them point to
struct Room {
    slots: Vec<u64>,
    rows: Vec<Storage>,
}

impl Room {
    fn new(results: &[Slot]) -> Result<Room, Diagnostic> {
        let mut room = Room { slots: vec![0; results.iter().map(Slot::width).sum()], rows: Vec::new() };
        let mut at = 0;
        for slot in results {
            if let Form::Vector(vector) = &slot.form {
                let bytes = vec![0; vector.parts() * row_bytes(vector) as usize];
                let storage = Storage::new(&bytes, room.rows.len())?;
                room.slots[at] = storage.address() as u64;
                room.rows.push(storage);
            }
            at += slot.width();
        }
        Ok(room)
    }

    /// The results
    ///
    /// # Safety
    /// The program has written the slots of these results.
    unsafe fn read(&self, results: &[Slot]) -> Result<Vec<Arg>, Diagnostic> {
        let (mut all, mut rows, mut at) = (Vec::new(), self.rows.iter(), 0);
        for slot in results {
            let own = &self.slots[at..at + slot.width()];
            at += slot.width();
            all.push(match &slot.form {
                Form::Vector(vector) => {
                    let shape = vector.shape.iter().map(|size| *size as u64).collect();
                    let bytes = rows.next().map(Storage::bytes).unwrap_or_default();
                    Arg::Buffer { shape, elem: slot.elem.into(), bytes }
                }
                Form::MemRef(mem) => {
                    let size = elem_size(slot.elem).unwrap_or(1);
                    // SAFETY: by this function's contract the program gave these slots for this result.
                    let (shape, bytes) = unsafe { gather(mem, own, size) }?;
                    Arg::Buffer { shape, elem: slot.elem.into(), bytes }
                }
                _ => Arg::Scalar { elem: slot.elem.into(), bits: own[0] & mask(slot.elem) },
            });
        }
        Ok(all)
    }
}

fn call(
    module: &inkwell::module::Module<'_>,
    request: &RunRequest,
    (inputs, results): (&[Slot], &[Slot]),
    symbols: &[Symbol],
    built: &mut dyn FnMut(),
) -> Result<RunReply, Diagnostic> {
    resolve(module, symbols)?;
    let engine = module
        .create_jit_execution_engine(OptimizationLevel::Aggressive)
        .map_err(|error| crate::target::llvm_error("JIT", &error.to_string()))?;
    for (name, address) in symbols {
        if let Some(function) = module.get_function(name) {
            engine.add_global_mapping(&function, *address);
        }
    }
    let given = Given::new(inputs, &request.args)?;
    let mut room = Room::new(results)?;
    // SAFETY: `abi::invoke` made the function with this signature; the engine outlives the calls.
    let function = unsafe { engine.get_function::<unsafe extern "C" fn(*const u64, *mut u64)>(INVOKE) };
    let function = function.map_err(|error| crate::target::llvm_error("JIT", &error.to_string()))?;
    let once = |room: &mut Room| {
        let start = Instant::now();
        // SAFETY: the slots are as many as the signature has parts; what the program does is its own affair.
        unsafe { function.call(given.slots.as_ptr(), room.slots.as_mut_ptr()) };
        u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    };
    built();
    once(&mut room);
    given.check()?;
    // SAFETY: the program has been called, and gave the slots of its results.
    let made = unsafe { room.read(results) }?;
    let args = given.args(&request.args);
    let mut times_ns = Vec::new();
    // One that warms up again: reading has moved other data through the caches.
    for _ in 0..request.bench.map_or(0, |runs| runs.saturating_add(1)) {
        free_results(results, &room.slots, &given.slots, symbols);
        times_ns.push(once(&mut room));
        if is_slow(&times_ns, request.stop_ns) {
            break;
        }
    }
    given.check()?;
    times_ns.drain(..times_ns.len().min(1));
    free_results(results, &room.slots, &given.slots, symbols);
    Ok(RunReply { times_ns, results: made, args })
}

/// Bits that a scalar's type has
fn mask(elem: &str) -> u64 {
    match (elem, elem_size(elem)) {
        ("i1", _) => 1,
        (_, Some(size @ 1..=7)) => (1 << (8 * size)) - 1,
        _ => u64::MAX,
    }
}

/// Give back the buffers that a call returned, where it can be known that it made them
fn free_results(results: &[Slot], out: &[u64], given: &[u64], symbols: &[Symbol]) {
    let Some((_, free)) = symbols.iter().find(|(name, _)| *name == "terrace_free") else { return };
    // SAFETY: the runtime's entry point of this name has this signature.
    let free: unsafe extern "C" fn(*mut u8, i64, i64) = unsafe { std::mem::transmute(*free) };
    let mut done: Vec<u64> = Vec::new();
    let mut at = 0;
    for slot in results {
        let own = &out[at..at + slot.width()];
        at += slot.width();
        let Some(mem) = slot.mem() else { continue };
        let block = own[part::ALLOCATED];
        // A view, an over-aligned buffer or a returned argument is not freed.
        let whole = mem.is_row_major() && block != 0 && block == own[part::ALIGNED];
        if !whole || given.contains(&block) || done.contains(&block) {
            continue;
        }
        done.push(block);
        let sizes = mem.shape.iter().zip(&own[part::SIZES..]);
        let count: u64 =
            sizes.map(|(known, size)| if *known == DYNAMIC { *size } else { *known as u64 }).product();
        let bytes = count * mem.elem_bytes();
        // SAFETY: a row-major buffer that starts where its block does was made by `terrace_alloc` with this size.
        unsafe { free(block as *mut u8, bytes as i64, LINE as i64) };
    }
}
