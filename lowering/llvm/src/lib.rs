//! From cf-level IR to LLVM, in process.
//!
//! Input is a module of `func arith math cf memref vector ub`, and `gpu.func` for PTX; what else there is, is refused before
//! anything is emitted. LLVM IR is built straight from the ops: there is no dialect in between.
//!
//! Only with the feature `llvm` is there anything here, and only the worker `terrace-native` switches it on;
//! tools talk to it through `terrace-native-client`.
#![cfg(feature = "llvm")]

mod abi;
mod arith;
mod atomics;
mod bf16;
mod builder;
mod casts;
mod cf;
mod check;
mod contract;
mod emit;
mod flow;
mod form;
mod func;
mod globals;
mod gpu;
mod jit;
mod math;
mod memory;
mod memref;
mod mma;
mod module;
mod moves;
mod parts;
mod printf;
mod program;
mod raw;
mod reshapes;
mod rotate;
mod runtime;
mod storage;
mod table;
mod target;
mod ub;
mod vector;
mod vector_elements;
mod vector_functions;
mod vector_memory;
mod vector_shape;
mod versions;
mod views;

pub use jit::run;

use inkwell::context::Context;
use inkwell::targets::FileType;
use std::path::Path;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Ir;
use terrace_native_client::{EmitKind, EmitOptions};

/// Code of a module; what is wrong with it goes to `diags`
///
/// `libdevice` is NVIDIA's library of mathematical functions for PTX, if it is there.
pub fn emit(
    ir: &Ir,
    kind: EmitKind,
    options: &EmitOptions,
    libdevice: Option<&Path>,
    diags: &mut Diags,
) -> Option<Vec<u8>> {
    let made = match kind {
        EmitKind::Ptx => device_code(ir, options, libdevice, diags)?,
        EmitKind::Spirv => spirv_code(ir, options, FileType::Object, diags)?,
        EmitKind::SpirvText => spirv_code(ir, options, FileType::Assembly, diags)?,
        _ => host_code(ir, kind, options, diags)?,
    };
    made.map_err(|error| diags.emit(error)).ok()
}

/// `None` if the module cannot be lowered, which has been reported
fn host_code(
    ir: &Ir,
    kind: EmitKind,
    options: &EmitOptions,
    diags: &mut Diags,
) -> Option<Result<Vec<u8>, Diagnostic>> {
    let context = Context::create();
    let (module, machine) = match build(&context, ir, options, None, diags)? {
        Ok(built) => built,
        Err(error) => return Some(Err(error)),
    };
    Some(match kind {
        EmitKind::Llvm => Ok(module.print_to_string().to_string().into_bytes()),
        EmitKind::Asm => target::code(&module, &machine, FileType::Assembly),
        _ => target::code(&module, &machine, FileType::Object),
    })
}

/// PTX of all `gpu.module`s; `None` as for host code
fn device_code(
    ir: &Ir,
    options: &EmitOptions,
    libdevice: Option<&Path>,
    diags: &mut Diags,
) -> Option<Result<Vec<u8>, Diagnostic>> {
    let context = Context::create();
    let machine = match target::nvptx(options) {
        Ok(machine) => machine,
        Err(error) => return Some(Err(error)),
    };
    let module = context.create_module("terrace");
    target::set_target(&module, &machine);
    if !program::emit_devices(&raw::Llvm::new(&module), ir, form::Spaces::Nvptx, diags) {
        return None;
    }
    let linked = target::link_math(&context, &module, libdevice);
    let optimized = linked.and_then(|()| target::optimize(&module, &machine, options.opt_level));
    Some(optimized.and_then(|()| target::code(&module, &machine, FileType::Assembly)))
}

/// SPIR-V of all `gpu.module`s; `None` as for host code
fn spirv_code(
    ir: &Ir,
    options: &EmitOptions,
    file: FileType,
    diags: &mut Diags,
) -> Option<Result<Vec<u8>, Diagnostic>> {
    let context = Context::create();
    let machine = match target::spirv() {
        Ok(machine) => machine,
        Err(error) => return Some(Err(error)),
    };
    let module = context.create_module("terrace");
    target::set_target(&module, &machine);
    if !program::emit_devices(&raw::Llvm::new(&module), ir, form::Spaces::Spirv, diags) {
        return None;
    }
    let optimized = target::optimize(&module, &machine, options.opt_level);
    Some(optimized.and_then(|()| target::code(&module, &machine, file)))
}

type Built<'c> = (inkwell::module::Module<'c>, inkwell::targets::TargetMachine);

/// The optimized module; with an entry, also its packed form ([`jit::INVOKE`])
fn build<'c>(
    context: &'c Context,
    ir: &Ir,
    options: &EmitOptions,
    entry: Option<&str>,
    diags: &mut Diags,
) -> Option<Result<Built<'c>, Diagnostic>> {
    let cpu = target::Cpu::of(options);
    let machine = match target::host(&cpu) {
        Ok(machine) => machine,
        Err(error) => return Some(Err(error)),
    };
    let module = context.create_module("terrace");
    target::set_target(&module, &machine);
    if !program::emit_module(&raw::Llvm::new(&module), ir, &cpu.processor(), entry, diags) {
        return None;
    }
    Some(target::optimize(&module, &machine, options.opt_level).map(|()| (module, machine)))
}
