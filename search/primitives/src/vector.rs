//! A point of a space as the vector of Figure 3e.

use std::fmt;

/// A value of a vector
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Factors of a loop that is split, outermost first
    Factors(Vec<i64>),
    /// Loops in their new order, by number from 1
    Permutation(Vec<usize>),
    /// Loops that stay, by nested depth from 1. Those that are not recorded are fused with their outer neighbours
    Kept(Vec<usize>),
    /// Is the loop of this depth unrolled; is a buffer moved?
    Flag(bool),
}

/// The values: splits, the order, what is fused, a flag for each loop, a flag for each buffer
///
/// The outermost loop is always parallel and the innermost always a vector, so neither is encoded.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Vector(pub Vec<Value>);

impl Value {
    /// What a value of this kind is called
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Factors(_) => "split factors",
            Value::Permutation(_) => "an order of loops",
            Value::Kept(_) => "loops that stay",
            Value::Flag(_) => "0 or 1",
        }
    }
}

fn list<T: fmt::Display>(all: &[T]) -> String {
    let all: Vec<String> = all.iter().map(T::to_string).collect();
    format!("[{}]", all.join(", "))
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Factors(all) => f.write_str(&list(all)),
            Value::Permutation(all) | Value::Kept(all) => f.write_str(&list(all)),
            Value::Flag(flag) => write!(f, "{}", u8::from(*flag)),
        }
    }
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&list(&self.0))
    }
}
