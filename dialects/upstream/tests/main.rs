//! Upstream's vocabulary: complete, folded, printed, ordered

mod affine_order;
mod complete;
mod diverges;
mod folds;
mod kernels;
mod printed;
mod vector_rules;
