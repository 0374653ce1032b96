//! Named pipelines: from any level to what a back end takes.
//!
//! Each is idempotent, so that a file that was lowered by hand to some point goes the rest of the way: its steps do nothing
//! where the level they lower from has gone.

use terrace_pass::NamedPipeline;

/// All named pipelines, alphabetical
pub static PIPELINES: &[NamedPipeline] = &[
    NamedPipeline {
        name: "to-cuda",
        text: "func.func(mdh-schedule{target=cuda},mdh-to-sched),sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm,gpu-launch-sink-index-computations,gpu-kernel-outlining,canonicalize,cse",
        summary: "To kernels with loops: what CUDA C is printed from",
    },
    NamedPipeline {
        name: "to-host",
        text: "func.func(mdh-schedule,mdh-to-sched),sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm,scf-parallel-to-calls,lower-affine,convert-scf-to-cf,canonicalize,cse",
        summary: "To blocks over scalars, vectors and memory: what the LLVM back end takes",
    },
    NamedPipeline {
        name: "to-mlir",
        text: "func.func(mdh-schedule,mdh-to-sched),sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm",
        summary: "To upstream's own dialects, loops still in them: what upstream's passes take",
    },
    NamedPipeline {
        name: "to-opencl",
        text: "func.func(mdh-schedule{target=opencl},mdh-to-sched),sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm,gpu-launch-sink-index-computations,gpu-kernel-outlining,canonicalize,cse",
        summary: "To kernels with loops: what OpenCL C is printed from",
    },
    NamedPipeline {
        name: "to-openmp",
        text: "func.func(mdh-schedule{target=openmp},mdh-to-sched),sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm",
        summary: "To host code with loops: what C with OpenMP is printed from",
    },
    NamedPipeline {
        name: "to-ptx",
        text: "func.func(mdh-schedule{target=cuda},mdh-to-sched),sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm,gpu-launch-sink-index-computations,gpu-kernel-outlining,lower-affine,convert-scf-to-cf,canonicalize,cse",
        summary: "To kernels over blocks: what PTX is made of",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_diag::{Diags, Sources, render_all};

    #[test]
    fn each_parses() {
        for named in PIPELINES {
            let sources = Sources::new();
            let mut diags = Diags::default();
            let parsed = terrace_pass::Pipeline::parse(named.name, &crate::REGISTRY, &sources, &mut diags);
            assert!(parsed.is_ok(), "{}: {}", named.name, render_all(diags.iter(), &sources, false));
        }
        assert!(PIPELINES.is_sorted_by_key(|named| named.name));
    }
}
