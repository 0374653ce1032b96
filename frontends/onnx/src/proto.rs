//! Messages of the format: Rust that `prost` generates from `proto/onnx.proto`, which is part of ONNX (Apache-2.0). A test generates it anew and compares.
#![allow(missing_docs, dead_code, clippy::all)]

include!("../proto/onnx.rs");
