//! MLIR's dialects together: complete, printed as upstream prints them, converted

mod attr_enums;
mod complete;
mod conversion;
mod printed;
