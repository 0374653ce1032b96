//! The options of `mlir-opt`: what each takes and sets. Here are those that are a truth value.

use super::absent;
use super::known::Known;
use super::values::VALUES;
use super::words::{Takes, truth};

/// Options that are a truth value: name, help, the place that it is written to
macro_rules! flags {
    ($($name:literal $help:literal => $($place:ident).+ $(= $not:tt)?;)*) => {
        &[$(Known {
            name: $name,
            takes: Takes::Flag,
            help: $help,
            set: |request, name, value| {
                request.$($place).+ = flags!(@not truth(name, value)? $(, $not)?);
                Ok(())
            },
        }),*]
    };
    (@not $value:expr) => { $value };
    (@not $value:expr, not) => { !$value };
}

const FLAGS: &[Known] = flags! {
    "allow-unregistered-dialect" "Accept ops, types and attributes of dialects that are not known" => allow_unregistered;
    "dump-pass-pipeline" "Print the pipeline with all options, on standard error" => dump_pipeline;
    "emit-bytecode" "Write bytecode" => emit_bytecode;
    "mlir-disable-diagnostic-notes" "Print messages without their notes" => notes = not;
    "mlir-pass-pipeline-local-reproducer" "A reproducer has only the pass that fails; needs one thread" => local_reproducer;
    "mlir-pass-statistics" "Print what passes counted, on standard error" => statistics;
    "mlir-print-debuginfo" "Print the location of each op" => print.debuginfo;
    "mlir-print-ir-after-change" "Print IR after a pass only if it changed" => dumps.on_change;
    "mlir-print-ir-after-failure" "Print IR after a pass only if it fails" => dumps.on_failure;
    "mlir-print-ir-module-scope" "Print the whole module around nested passes too; needs one thread" => dumps.module_scope;
    "mlir-print-local-scope" "Print without aliases" => print.local_scope;
    "mlir-print-op-generic" "Print ops in generic form" => print.generic;
    "mlir-print-op-on-diagnostic" "Print the op that a message is about (default)" => op_in_messages;
    "mlir-print-skip-regions" "Print `{...}` for regions" => print.skip_regions;
    "mlir-print-unique-ssa-ids" "Number values across functions" => print.unique_ids;
    "mlir-timing" "Print times, on standard error" => timing;
    "mlir-very-unsafe-disable-verifier-on-parsing" "Do not verify the input" => verify_input = not;
    "no-implicit-module" "Do not wrap the input in a module" => implicit_module = not;
    "run-reproducer" "Run the pipeline that the input has as a reproducer" => run_reproducer;
    "verify-each" "Verify after each pass (default)" => verify_each;
    "verify-roundtrip" "Print the input, parse that, and compare" => verify_roundtrip;
};

/// An option by name
pub fn find(name: &str) -> Option<&'static Known> {
    all().find(|option| option.name == name)
}

/// All options that are here
pub fn all() -> impl Iterator<Item = &'static Known> {
    FLAGS.iter().chain(VALUES)
}

/// Names that may have been meant
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|option| option.name).chain(absent::names())
}
