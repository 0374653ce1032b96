//! The real binary on programs, arrays and mistakes; one program for all, since each is linked whole

#[path = "../../../lowering/array/tests/common/program.rs"]
mod program;

#[path = "../../../benches/src/reductions/corpus.rs"]
mod corpus;

mod common;

mod accepted;
mod accumulators;
mod arrays;
mod atomics;
mod backends;
mod bad_input;
mod bits;
mod c_programs;
mod calyx;
mod composite;
mod contractions;
mod conv_host;
mod devices;
mod edges;
mod extents;
mod flags;
mod forms;
mod gpu_reductions;
mod hls;
mod instructions;
mod jax;
mod kernels;
mod last;
mod layers;
mod levels;
mod linalg;
mod listings;
mod mappings;
mod mdh_text;
mod model_graphs;
mod names;
mod networks;
mod npy;
mod onnx;
mod operator_types;
mod operators;
mod order;
mod orphans;
mod overlaps;
mod prepared;
mod programs;
mod reductions;
mod runs;
mod schedule_extensions;
mod schedules;
mod shapes;
mod small_floats;
mod small_ops;
mod spirv;
mod stages;
mod sub_graphs;
mod table_3;
mod tensor_files;
mod tensor_steps;
mod trees;
mod tuples;
mod upstream;
