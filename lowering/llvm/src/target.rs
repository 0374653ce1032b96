//! Targets: which CPU, which features, the pass pipeline, and the forms that code takes.

use inkwell::OptimizationLevel;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{
    CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};
use terrace_diag::Diagnostic;
use terrace_native_client::{EmitOptions, codes};

/// A CPU with the features that code may use
pub(crate) struct Cpu {
    pub(crate) name: String,
    pub(crate) features: String,
}

impl Cpu {
    /// This machine's unless the options name another
    pub(crate) fn of(options: &EmitOptions) -> Cpu {
        let own = options.cpu.is_none();
        let name = options.cpu.clone().unwrap_or_else(|| text(&TargetMachine::get_host_cpu_name()));
        let found = || if own { text(&TargetMachine::get_host_cpu_features()) } else { String::new() };
        Cpu { name, features: options.features.clone().unwrap_or_else(found) }
    }

    /// What each function says of it: code that is run in process takes it from there
    pub(crate) fn attributes(&self) -> Vec<(&'static str, String)> {
        let mut all = vec![("target-cpu", self.name.clone())];
        if !self.features.is_empty() {
            all.push(("target-features", self.features.clone()));
        }
        // Vectors are as wide as the program writes them; LLVM would halve them on some CPUs.
        all.push(("prefer-vector-width", "512".to_owned()));
        all
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
    Target::initialize_x86(&InitializationConfig::default());
    machine(&TargetMachine::get_default_triple(), cpu, RelocMode::PIC)
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
    if level == 0 {
        return Ok(());
    }
    let options = PassBuilderOptions::create();
    options.set_loop_vectorization(true);
    options.set_loop_interleaving(true);
    options.set_loop_slp_vectorization(false);
    let pipeline = format!("default<O{}>", level.min(3));
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
