//! Everything of this repository that `terrace-opt` knows.

use terrace_diag::Code;
use terrace_ir::Dialect;
use terrace_pass::{NamedPipeline, Registry};

/// Groups of named pipelines: those of back ends, and those that stand for a few passes
const PIPELINES: [&[NamedPipeline]; terrace_targets::PIPELINES.len() + 1] = {
    let mut all = [terrace_passes_sched::PIPELINES; terrace_targets::PIPELINES.len() + 1];
    let mut n = 0;
    while n < terrace_targets::PIPELINES.len() {
        all[n] = terrace_targets::PIPELINES[n];
        n += 1;
    }
    all
};

/// Passes, by group
pub const REGISTRY: Registry = Registry {
    passes: &[
        terrace_passes_general::PASSES,
        terrace_passes_array::PASSES,
        terrace_passes_saturate::PASSES,
        terrace_lowering_hls::PASSES,
        terrace_lowering_upstream::PASSES,
        terrace_lowering_sched::PASSES,
        terrace_passes_upstream::PASSES,
        terrace_passes_sched::PASSES,
        terrace_passes_mdh::PASSES,
        terrace_lowering_mdh::PASSES,
        terrace_passes_mapping::PASSES,
        terrace_lowering_array::PASSES,
    ],
    pipelines: &PIPELINES,
};

/// Dialects
pub fn all_dialects() -> Vec<&'static Dialect> {
    [
        terrace_dialect_upstream::ALL,
        terrace_dialect_sched::ALL,
        terrace_dialect_mdh::ALL,
        terrace_dialect_array::ALL,
        terrace_dialect_tune::ALL,
        terrace_dialect_stablehlo::ALL,
    ]
    .concat()
}

/// All diagnostic codes, crate by crate
pub fn all_codes() -> Vec<&'static [Code]> {
    vec![
        terrace_text::codes::ALL,
        terrace_bytecode::codes::ALL,
        terrace_irdl::codes::ALL,
        terrace_ir::codes::ALL,
        terrace_rewrite::codes::ALL,
        terrace_pass::codes::ALL,
        terrace_interp::codes::ALL,
        terrace_lowering_c::codes::ALL,
        terrace_lowering_hls::codes::ALL,
        terrace_lowering_calyx::codes::ALL,
        terrace_lowering_upstream::codes::ALL,
        terrace_lowering_sched::codes::ALL,
        terrace_passes_upstream::codes::ALL,
        terrace_passes_sched::codes::ALL,
        terrace_native_client::codes::ALL,
        terrace_dialect_sched::codes::ALL,
        terrace_dialect_mdh::codes::ALL,
        terrace_dialect_array::codes::ALL,
        terrace_dialect_tune::codes::ALL,
        terrace_passes_mdh::codes::ALL,
        terrace_passes_array::codes::ALL,
        terrace_passes_saturate::codes::ALL,
        terrace_frontend_c::codes::ALL,
        terrace_frontend_composite::codes::ALL,
        terrace_frontend_mdh::codes::ALL,
        terrace_frontend_onnx::codes::ALL,
        terrace_frontend_tvm::codes::ALL,
        terrace_lowering_mdh::codes::ALL,
        terrace_search_mapping::errors::ALL,
        terrace_search_records::codes::ALL,
        terrace_lowering_array::codes::ALL,
        crate::codes::ALL,
        terrace_target_api::codes::ALL,
        terrace_diag::expected::codes::ALL,
    ]
}
