//! The list of back ends. Each is a crate; here it is a word.
//!
//! Tools read the list for everything that names a back end: options, `--help`, named pipelines, forms of output, the grids
//! of tests, what is skipped and why.

use terrace_target_api::{Emission, NamedPipeline, Target};

/// The list of back ends, and the pipelines that they bring
macro_rules! targets {
    ($($name:ident)*) => {
        /// Every back end; the reference first
        pub const TARGETS: &[&dyn Target] = &[$(&$name::TARGET),*];

        /// Named pipelines, by back end
        pub const PIPELINES: &[&[NamedPipeline]] = &[$($name::PIPELINES),*];
    };
}

targets! {
    terrace_target_interp
    terrace_target_host
    terrace_target_openmp
    terrace_target_opencl
    terrace_target_cuda
    terrace_target_mlir
    terrace_target_ptx
    terrace_target_spirv
    terrace_target_hls
    terrace_target_calyx
}

/// The back end of this name
pub fn find(name: &str) -> Option<&'static dyn Target> {
    TARGETS.iter().copied().find(|target| target.name() == name)
}

/// All forms of output that back ends make
pub fn emissions() -> impl Iterator<Item = &'static Emission> {
    TARGETS.iter().flat_map(|target| target.emissions())
}
