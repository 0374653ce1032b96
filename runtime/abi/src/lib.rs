//! The C-ABI runtime that compiled programs call: parallel regions
