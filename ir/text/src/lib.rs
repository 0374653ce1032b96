//! MLIR's textual form: parser and printer driven by the op tables
