//! What a table knows, and what it finds wrong with itself

mod faults;
