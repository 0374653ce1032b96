//! Upstream's vocabulary: complete, folded, printed, ordered

mod affine_order;
mod attr_enums;
mod complete;
mod conversion;
mod diverges;
mod folds;
mod kernels;
mod printed;
mod vector_rules;
