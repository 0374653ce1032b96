//! Upstream MLIR through melior: verify, lower, run
