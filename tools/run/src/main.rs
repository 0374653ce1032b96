//! Run a program on the interpreter, this CPU, OpenCL or CUDA
fn main() {}
