//! Text back ends: OpenCL C, CUDA C, C with OpenMP
