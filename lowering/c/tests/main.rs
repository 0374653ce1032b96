//! C, OpenCL C and CUDA C: files, coverage, values

mod common;

mod coverage;
mod files;
mod kernels;
mod values;
