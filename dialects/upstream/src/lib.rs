//! The upstream MLIR vocabulary: builtin func arith math cf scf memref vector gpu affine ub
