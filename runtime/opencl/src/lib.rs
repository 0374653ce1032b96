//! OpenCL devices through opencl3, loaded at run time
