//! MLIR's bytecode (`.mlirbc`): reader and writer driven by the op tables.
//!
//! The format is upstream's, versions 0 to 6 (MLIR language reference, "MLIR Bytecode Format"): a header and sections with strings, dialects,
//! attributes and types, ops, properties and resources, in numbers of variable length.
//!
//! - `bytes`, `emitter`: numbers, strings and sections, in and out.
//! - `numbers`: what upstream numbers: sections, kinds of attributes and types, parts of an op.
//! - `layout`: in which order an op's properties are written.
//! - `read`, `write`: the two ways.
//!
//! Attributes and types of the builtin dialect have an encoding of their own here; others are text within the bytecode, as upstream does with those
//! that have none. What a dialect encodes in C++ is refused by name. Orders of uses are read over and not written: use lists have none here.
//!
//! No input panics. A count larger than the bytes that are left is an error, so that none of them takes memory by itself.

mod bytes;
pub mod codes;
mod emitter;
mod layout;
mod numbers;
mod read;
mod write;

pub use numbers::{MAGIC, VERSION};
pub use read::{ReadOptions, read};
pub use write::{WriteOptions, write};

/// Do these bytes begin as bytecode does?
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}
