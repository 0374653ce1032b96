//! What ops on shapes share, whatever their dialect: lists of static and dynamic numbers, slices, groups of dimensions.
//!
//! There are no ops here. Static lists have [`DYNAMIC`](terrace_ir::DYNAMIC) where an operand gives the number.

pub mod casts;
pub mod lists;
pub mod numbers;
pub mod reassociation;
pub mod slices;

use terrace_interp::RtValue;

/// Elements of a tensor, poison if it is
pub fn elements(value: &RtValue, len: usize) -> Vec<RtValue> {
    match value {
        RtValue::Vector(all) if all.len() == len => all.to_vec(),
        _ => vec![RtValue::Poison; len],
    }
}
