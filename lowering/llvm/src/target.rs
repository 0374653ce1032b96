//! Targets: which CPU, which features, the pass pipeline, and the forms that code takes.

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{
    CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};
use std::path::Path;
use terrace_devices::MatrixUnit;
use terrace_diag::Diagnostic;
use terrace_native_client::{EmitOptions, codes};

/// Features whose conversions to bf16 flush subnormal numbers to zero, which the IR's do not
const FLUSHES: [&str; 2] = ["avx512bf16", "avxneconvert"];

/// CPUs that have such a feature by their name
const FLUSHING: [&str; 11] = [
    "arrowlake",
    "arrowlake-s",
    "cooperlake",
    "diamondrapids",
    "emeraldrapids",
    "graniterapids",
    "graniterapids-d",
    "lunarlake",
    "sapphirerapids",
    "znver4",
    "znver5",
];

/// A list of features with those switched off
fn without_flushing(features: &str) -> String {
    let one = |feature: &str| match feature.strip_prefix('+') {
        Some(name) if FLUSHES.contains(&name) => format!("-{name}"),
        _ => feature.to_owned(),
    };
    features.split(',').map(one).collect::<Vec<_>>().join(",")
}

/// A CPU with the features that code may use
pub(crate) struct Cpu {
    pub(crate) name: String,
    pub(crate) features: String,
    /// Units for products of narrow types, also where the features leave theirs out
    units: Vec<MatrixUnit>,
}

/// What functions are compiled for
#[derive(Default)]
pub(crate) struct Processor {
    /// Attributes that every function gets
    pub(crate) attributes: Vec<(&'static str, String)>,
    /// Units for products of narrow types
    pub(crate) units: Vec<MatrixUnit>,
}

impl Cpu {
    /// This machine's unless the options name another
    pub(crate) fn of(options: &EmitOptions) -> Cpu {
        let own = options.cpu.is_none();
        let name = options.cpu.clone().unwrap_or_else(|| text(&TargetMachine::get_host_cpu_name()));
        let here = if own { text(&TargetMachine::get_host_cpu_features()) } else { String::new() };
        let stated = options.features.as_deref().unwrap_or(&here);
        let units = MatrixUnit::of_processor(&name, stated);
        let found = || match own {
            true => without_flushing(&here),
            false if FLUSHING.contains(&name.as_str()) => format!("-{}", FLUSHES.join(",-")),
            false => String::new(),
        };
        let features = options.features.clone().unwrap_or_else(found);
        Cpu { name, features, units }
    }

    /// What each function says of it: code that is run in process takes it from there
    pub(crate) fn processor(self) -> Processor {
        let mut all = vec![("target-cpu", self.name)];
        if !self.features.is_empty() {
            all.push(("target-features", self.features));
        }
        // Vectors are as wide as the program writes them; LLVM would halve them on some CPUs.
        all.push(("prefer-vector-width", "512".to_owned()));
        Processor { attributes: all, units: self.units }
    }
}

fn text(text: &inkwell::support::LLVMString) -> String {
    text.to_string()
}

/// An error of LLVM's as ours
pub(crate) fn llvm_error(what: &str, error: &str) -> Diagnostic {
    Diagnostic::error(&codes::LLVM, format!("{what}: {}", error.trim()))
}

/// A target machine for the host's kind of machine
pub(crate) fn host(cpu: &Cpu) -> Result<TargetMachine, Diagnostic> {
    Target::initialize_native(&InitializationConfig::default())
        .map_err(|error| llvm_error("this machine", &error))?;
    machine(&TargetMachine::get_default_triple(), cpu, RelocMode::PIC)
}

/// Chip of PTX unless the options name another: what runs on all that is newer
const CHIP: &str = "sm_80";

/// A target machine for NVIDIA's devices
pub(crate) fn nvptx(options: &EmitOptions) -> Result<TargetMachine, Diagnostic> {
    Target::initialize_nvptx(&InitializationConfig::default());
    let name = options.cpu.clone().unwrap_or_else(|| CHIP.to_owned());
    let known =
        name.strip_prefix("sm_").is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()));
    if !known {
        let message = format!("`{name}` is no chip: they are named as `sm_80`");
        return Err(Diagnostic::error(&codes::TARGET, message));
    }
    let cpu = Cpu { name, features: options.features.clone().unwrap_or_default(), units: Vec::new() };
    machine(&TargetTriple::create("nvptx64-nvidia-cuda"), &cpu, RelocMode::PIC)
}

/// A target machine for SPIR-V as OpenCL takes it
pub(crate) fn spirv() -> Result<TargetMachine, Diagnostic> {
    // Not every LLVM has it: a reference by name would keep the worker from being linked.
    Target::initialize_all(&InitializationConfig::default());
    crate::raw::option("-spirv-ext=+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float_min_max");
    // Loop strength reduction steps pointers into shared memory through a phi. Intel's runtime reads wrong values there as
    // soon as a kernel has two shared buffers; with indices computed in place it does not.
    crate::raw::option("-disable-lsr");
    let cpu = Cpu { name: String::new(), features: String::new(), units: Vec::new() };
    machine(&TargetTriple::create("spirv64-unknown-unknown"), &cpu, RelocMode::Default)
}

/// Bring in the functions of libdevice that the module calls
pub(crate) fn link_math<'c>(
    context: &'c Context,
    module: &Module<'c>,
    libdevice: Option<&Path>,
) -> Result<(), Diagnostic> {
    let missing: Vec<String> = module
        .get_functions()
        .filter(|function| function.count_basic_blocks() == 0)
        .filter_map(|function| function.get_name().to_str().ok().map(str::to_owned))
        .filter(|name| name.starts_with("__nv_"))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let Some(path) = libdevice else {
        let message = format!("`{}` is a function of libdevice, which is not there", missing[0]);
        return Err(Diagnostic::error(&codes::TARGET, message).help(
            "`cargo xtask setup` brings it; or name the file in the environment variable TERRACE_LIBDEVICE",
        ));
    };
    let library = Module::parse_bitcode_from_path(path, context)
        .map_err(|error| llvm_error("libdevice", &error.to_string()))?;
    library.set_triple(&module.get_triple());
    library.set_data_layout(&module.get_data_layout());
    let own: Vec<String> = library
        .get_functions()
        .filter(|function| function.count_basic_blocks() > 0)
        .filter_map(|function| function.get_name().to_str().ok().map(str::to_owned))
        .collect();
    module.link_in_module(library).map_err(|error| llvm_error("libdevice", &error.to_string()))?;
    for name in own {
        if let Some(function) = module.get_function(&name) {
            function.set_linkage(inkwell::module::Linkage::Internal);
        }
    }
    Ok(())
}

/// A target machine of a triple
pub(crate) fn machine(
    triple: &TargetTriple,
    cpu: &Cpu,
    reloc: RelocMode,
) -> Result<TargetMachine, Diagnostic> {
    let target = Target::from_triple(triple).map_err(|error| llvm_error("no target", &error.to_string()))?;
    let (level, model) = (OptimizationLevel::Aggressive, CodeModel::Default);
    let machine = target.create_target_machine(triple, &cpu.name, &cpu.features, level, reloc, model);
    machine.ok_or_else(|| {
        let message = format!("LLVM has no CPU `{}` with features `{}`", cpu.name, cpu.features);
        Diagnostic::error(&codes::TARGET, message)
    })
}

/// Tell the module what it is for
pub(crate) fn set_target(module: &Module<'_>, machine: &TargetMachine) {
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
}

/// Verify what was built, then run the middle end
pub(crate) fn optimize(module: &Module<'_>, machine: &TargetMachine, level: u8) -> Result<(), Diagnostic> {
    if let Err(error) = module.verify() {
        return Err(llvm_error("LLVM's verifier", &error.to_string()));
    }
    let options = PassBuilderOptions::create();
    // SPIR-V has short vectors only. The pipeline's name turns both vectorizers on, whatever these options are.
    options.set_loop_interleaving(!machine.get_triple().as_str().to_bytes().starts_with(b"spirv"));
    // Nothing is changed at level 0, only what is not needed goes.
    let pipeline = if level == 0 { "globaldce".to_owned() } else { format!("default<O{}>", level.min(3)) };
    module.run_passes(&pipeline, machine, options).map_err(|error| llvm_error("passes", &error.to_string()))
}

/// Assembly or an object file
pub(crate) fn code(
    module: &Module<'_>,
    machine: &TargetMachine,
    kind: FileType,
) -> Result<Vec<u8>, Diagnostic> {
    let buffer: MemoryBuffer<'_> = machine
        .write_to_memory_buffer(module, kind)
        .map_err(|error| llvm_error("code generation", &error.to_string()))?;
    let mut bytes = buffer.as_slice().to_vec();
    if matches!(kind, FileType::Assembly) {
        // LLVM's buffers of text end in a NUL.
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
    }
    Ok(bytes)
}
