//! What there is in the features that are on: dialects, passes, pipelines, codes.

use terrace_diag::Code;
use terrace_ir::Dialect;
#[cfg(feature = "pass")]
use terrace_pass::{NamedPipeline, Registry};

/// Named pipelines: those of back ends, and those that stand for a few passes
#[cfg(feature = "targets")]
const PIPELINES: &[&[NamedPipeline]] = &{
    let mut all = [terrace_passes_sched::PIPELINES; terrace_targets::PIPELINES.len() + 1];
    let mut n = 0;
    while n < terrace_targets::PIPELINES.len() {
        all[n] = terrace_targets::PIPELINES[n];
        n += 1;
    }
    all
};

/// Named pipelines: those of back ends, and those that stand for a few passes
#[cfg(all(feature = "pass", not(feature = "targets")))]
const PIPELINES: &[&[NamedPipeline]] = &[
    #[cfg(feature = "jit")]
    terrace_target_host::PIPELINES,
    #[cfg(feature = "sched")]
    terrace_passes_sched::PIPELINES,
];

/// Passes, by group, and named pipelines
#[cfg(feature = "pass")]
pub const REGISTRY: Registry = Registry {
    passes: &[
        #[cfg(feature = "upstream")]
        terrace_passes_general::PASSES,
        #[cfg(feature = "array")]
        terrace_passes_array::PASSES,
        #[cfg(feature = "array")]
        terrace_passes_saturate::PASSES,
        #[cfg(feature = "targets")]
        terrace_lowering_hls::PASSES,
        #[cfg(feature = "upstream")]
        terrace_lowering_upstream::PASSES,
        #[cfg(feature = "sched")]
        terrace_lowering_sched::PASSES,
        #[cfg(feature = "upstream")]
        terrace_passes_upstream::PASSES,
        #[cfg(feature = "sched")]
        terrace_passes_sched::PASSES,
        #[cfg(feature = "mdh")]
        terrace_passes_mdh::PASSES,
        #[cfg(feature = "mdh")]
        terrace_lowering_mdh::PASSES,
        #[cfg(feature = "array")]
        terrace_passes_mapping::PASSES,
        #[cfg(feature = "array")]
        terrace_lowering_array::PASSES,
    ],
    pipelines: PIPELINES,
};

/// Dialects
pub fn standard_dialects() -> Vec<&'static Dialect> {
    let groups: &[&[&'static Dialect]] = &[
        #[cfg(feature = "upstream")]
        terrace_dialect_upstream::ALL,
        #[cfg(all(feature = "text", not(feature = "upstream")))]
        &[&terrace_dialect_builtin::BUILTIN],
        #[cfg(feature = "sched")]
        terrace_dialect_sched::ALL,
        #[cfg(feature = "mdh")]
        terrace_dialect_mdh::ALL,
        #[cfg(feature = "array")]
        terrace_dialect_array::ALL,
        #[cfg(any(feature = "array", feature = "mdh"))]
        terrace_dialect_tune::ALL,
        #[cfg(feature = "mdh")]
        terrace_dialect_stablehlo::ALL,
    ];
    groups.concat()
}

/// All diagnostic codes, crate by crate
pub fn codes() -> Vec<&'static [Code]> {
    vec![
        terrace_ir::codes::ALL,
        #[cfg(feature = "text")]
        terrace_text::codes::ALL,
        #[cfg(feature = "bytecode")]
        terrace_bytecode::codes::ALL,
        #[cfg(feature = "rewrite")]
        terrace_rewrite::codes::ALL,
        #[cfg(feature = "pass")]
        terrace_pass::codes::ALL,
        #[cfg(feature = "interp")]
        terrace_interp::codes::ALL,
        #[cfg(feature = "targets")]
        terrace_lowering_c::codes::ALL,
        #[cfg(feature = "targets")]
        terrace_lowering_hls::codes::ALL,
        #[cfg(feature = "targets")]
        terrace_lowering_calyx::codes::ALL,
        #[cfg(feature = "upstream")]
        terrace_lowering_upstream::codes::ALL,
        #[cfg(feature = "sched")]
        terrace_lowering_sched::codes::ALL,
        #[cfg(feature = "upstream")]
        terrace_passes_upstream::codes::ALL,
        #[cfg(feature = "sched")]
        terrace_passes_sched::codes::ALL,
        #[cfg(feature = "jit")]
        terrace_native_client::codes::ALL,
        #[cfg(feature = "sched")]
        terrace_dialect_sched::codes::ALL,
        #[cfg(feature = "mdh")]
        terrace_dialect_mdh::codes::ALL,
        #[cfg(feature = "array")]
        terrace_dialect_array::codes::ALL,
        #[cfg(any(feature = "array", feature = "mdh"))]
        terrace_dialect_tune::codes::ALL,
        #[cfg(feature = "mdh")]
        terrace_passes_mdh::codes::ALL,
        #[cfg(feature = "array")]
        terrace_passes_array::codes::ALL,
        #[cfg(feature = "array")]
        terrace_passes_saturate::codes::ALL,
        #[cfg(feature = "c")]
        terrace_frontend_c::codes::ALL,
        #[cfg(feature = "graphs")]
        terrace_frontend_composite::codes::ALL,
        #[cfg(feature = "mdh")]
        terrace_frontend_mdh::codes::ALL,
        #[cfg(feature = "graphs")]
        terrace_frontend_onnx::codes::ALL,
        #[cfg(feature = "graphs")]
        terrace_frontend_tvm::codes::ALL,
        #[cfg(feature = "mdh")]
        terrace_lowering_mdh::codes::ALL,
        #[cfg(feature = "array")]
        terrace_search_mapping::errors::ALL,
        #[cfg(feature = "mdh")]
        terrace_search_records::codes::ALL,
        #[cfg(feature = "array")]
        terrace_lowering_array::codes::ALL,
        #[cfg(feature = "jit")]
        terrace_target_api::codes::ALL,
        terrace_diag::expected::codes::ALL,
    ]
}
