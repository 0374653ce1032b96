//! OpenCL on what this machine has, and under oclgrind

mod device;
mod oclgrind;
