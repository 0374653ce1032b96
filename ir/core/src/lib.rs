//! The IR: units, ops, blocks, regions, values, types, attributes, op tables, verifier
