//! Named pipelines: from any level to what a back end takes.
//!
//! Each is idempotent, so that a file that was lowered by hand to some point goes the rest of the way: its steps do nothing
//! where the level they lower from has gone.

use terrace_pass::NamedPipeline;

/// From mathematics to loops over memory, vectors and scalars, scheduled for a target; then the rest
macro_rules! loops {
    ($target:literal, $rest:literal) => {
        concat!(
            "func.func(bind-sizes),linalg-operators,tensor-constants-to-globals,func.func(linalg-to-mdh,tensors-to-memory,mdh-operators),array-expand,array-inline,func.func(mdh-schedule",
            $target,
            ",mdh-to-sched,sched-fuse,array-bind,array-place,array-to-sched,sched-skip-zeros),inline,sched-legalize,sched-to-scf,canonicalize,lower-affine,cse,promote-buffers,canonicalize,cse,licm,expand-floats",
            $rest
        )
    };
}

/// All named pipelines, alphabetical
pub static PIPELINES: &[NamedPipeline] = &[
    NamedPipeline {
        name: "to-cuda",
        text: loops!(
            "{target=cuda}",
            ",gpu-launch-sink-index-computations,gpu-kernel-outlining,gpu-launch-on-devices,gpu-all-reduce-to-shared,gpu-shared-to-dynamic,disjoint-arguments,canonicalize,cse"
        ),
        summary: "To kernels with loops: what CUDA C is printed from",
    },
    NamedPipeline {
        name: "to-host",
        text: loops!(
            "",
            ",scf-peel-first,gpu-inline-kernels,gpu-all-reduce-to-shared,gpu-launch-to-parallel,scf-parallel-to-calls,convert-scf-to-cf,canonicalize,cse"
        ),
        summary: "To blocks over scalars, vectors and memory: what the LLVM back end takes",
    },
    NamedPipeline {
        name: "to-mlir",
        text: loops!("", ",gpu-inline-kernels,gpu-all-reduce-to-shared,gpu-launch-to-parallel"),
        summary: "To upstream's own dialects, loops still in them: what upstream's passes take",
    },
    NamedPipeline {
        name: "to-opencl",
        text: loops!(
            "{target=opencl}",
            ",gpu-launch-sink-index-computations,gpu-kernel-outlining,gpu-launch-on-devices,gpu-all-reduce-to-shared,disjoint-arguments,canonicalize,cse"
        ),
        summary: "To kernels with loops: what OpenCL C is printed from",
    },
    NamedPipeline {
        name: "to-openmp",
        text: loops!(
            "{target=openmp}",
            ",gpu-inline-kernels,gpu-all-reduce-to-shared,gpu-launch-to-parallel,disjoint-arguments"
        ),
        summary: "To host code with loops: what C with OpenMP is printed from",
    },
    NamedPipeline {
        name: "to-openmp-native",
        text: loops!(
            "",
            ",gpu-inline-kernels,gpu-all-reduce-to-shared,gpu-launch-to-parallel,disjoint-arguments"
        ),
        summary: "The same, scheduled for this machine: what `terrace-run --on=openmp` compiles",
    },
    NamedPipeline {
        name: "to-ptx",
        text: loops!(
            "{target=cuda}",
            ",gpu-launch-sink-index-computations,gpu-kernel-outlining,gpu-launch-on-devices,gpu-all-reduce-to-shared,gpu-shared-to-dynamic,disjoint-arguments,convert-scf-to-cf,canonicalize,cse"
        ),
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
