//! Products of matrices and vectors, with the maps that upstream gives them.

use super::named::named;
use super::spec::Named;
use terrace_ir::rules::{AnyRankedTensor, AnyShaped, AnyType, ArrayAttr};
use terrace_ir::{Attr, Context};
use terrace_macros::op;

fn matmul_maps(cx: &Context) -> Attr {
    Matmul::SPEC.maps_attr(cx)
}

fn batch_matmul_maps(cx: &Context) -> Attr {
    BatchMatmul::SPEC.maps_attr(cx)
}

fn batch_reduce_matmul_maps(cx: &Context) -> Attr {
    BatchReduceMatmul::SPEC.maps_attr(cx)
}

named! {
    /// Products of matrices, one for each element of a batch
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x5xf32>, %b: tensor<2x5x4xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    ///   %r = linalg.batch_matmul ins(%a, %b : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    ///   return %r : tensor<2x3x4xf32>
    /// }
    /// ```
    BatchMatmul "linalg.batch_matmul" "pppr" ["0 1 3", "0 3 2", "0 1 2"] Body::Product { #[attr(default = batch_matmul_maps)] indexing_maps: ArrayAttr }
    /// Products of matrices and vectors, one for each element of a batch
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x4xf32>, %b: tensor<2x4xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.batch_matvec ins(%a, %b : tensor<2x3x4xf32>, tensor<2x4xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    BatchMatvec "linalg.batch_matvec" "ppr" ["0 1 2", "0 2", "0 1"] Body::Product {}
    /// Products of matrices of tiles and transposed matrices of tiles
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x5x2x2xf32>, %b: tensor<2x4x5x3x2xf32>, %o: tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32> {
    ///   %r = linalg.batch_mmt4d ins(%a, %b : tensor<2x3x5x2x2xf32>, tensor<2x4x5x3x2xf32>) outs(%o : tensor<2x3x4x2x3xf32>) -> tensor<2x3x4x2x3xf32>
    ///   return %r : tensor<2x3x4x2x3xf32>
    /// }
    /// ```
    BatchMmt4D "linalg.batch_mmt4d" "ppprppr" ["0 1 3 4 6", "0 2 3 5 6", "0 1 2 4 5"] Body::Product {}
    /// Sum over a batch of products of matrices
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x5xf32>, %b: tensor<2x5x4xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
    ///   %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    ///   return %r : tensor<3x4xf32>
    /// }
    /// ```
    BatchReduceMatmul "linalg.batch_reduce_matmul" "rppr" ["0 1 3", "0 3 2", "1 2"] Body::Product { #[attr(default = batch_reduce_matmul_maps)] indexing_maps: ArrayAttr }
    /// Products of vectors and matrices, one for each element of a batch
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x4xf32>, %b: tensor<2x4x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.batch_vecmat ins(%a, %b : tensor<2x4xf32>, tensor<2x4x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    BatchVecmat "linalg.batch_vecmat" "ppr" ["0 2", "0 2 1", "0 1"] Body::Product {}
    /// Product of two vectors
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>, %o: tensor<f32>) -> tensor<f32> {
    ///   %r = linalg.dot ins(%a, %b : tensor<2xf32>, tensor<2xf32>) outs(%o : tensor<f32>) -> tensor<f32>
    ///   return %r : tensor<f32>
    /// }
    /// ```
    Dot "linalg.dot" "r" ["0", "0", ""] Body::Product {}
    /// Product of two matrices, added to a third
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.matmul ins(%a, %b : tensor<2x4xf32>, tensor<4x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Matmul "linalg.matmul" "ppr" ["0 2", "2 1", "0 1"] Body::Product { #[attr(default = matmul_maps)] indexing_maps: ArrayAttr }
    /// Product of a matrix and a vector
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
    ///   %r = linalg.matvec ins(%a, %b : tensor<2x3xf32>, tensor<3xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
    ///   return %r : tensor<2xf32>
    /// }
    /// ```
    Matvec "linalg.matvec" "pr" ["0 1", "1", "0"] Body::Product {}
    /// Product of a matrix of tiles and a transposed matrix of tiles
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x4x5x3xf32>, %b: tensor<3x4x2x3xf32>, %o: tensor<2x3x5x2xf32>) -> tensor<2x3x5x2xf32> {
    ///   %r = linalg.mmt4d ins(%a, %b : tensor<2x4x5x3xf32>, tensor<3x4x2x3xf32>) outs(%o : tensor<2x3x5x2xf32>) -> tensor<2x3x5x2xf32>
    ///   return %r : tensor<2x3x5x2xf32>
    /// }
    /// ```
    Mmt4D "linalg.mmt4d" "pprppr" ["0 2 3 5", "1 2 4 5", "0 1 3 4"] Body::Product {}
    /// Products of matrices whose elements count from a zero point
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x5xi8>, %b: tensor<2x5x4xi8>, %c: i32, %d: i32, %o: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
    ///   %r = linalg.quantized_batch_matmul ins(%a, %b, %c, %d : tensor<2x3x5xi8>, tensor<2x5x4xi8>, i32, i32) outs(%o : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
    ///   return %r : tensor<2x3x4xi32>
    /// }
    /// ```
    QuantizedBatchMatmul "linalg.quantized_batch_matmul" "pppr" ["0 1 3", "0 3 2", "", "", "0 1 2"] Body::Shifted {}
    /// Product of two matrices whose elements count from a zero point
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x4xi8>, %b: tensor<4x3xi8>, %c: i32, %d: i32, %o: tensor<2x3xi32>) -> tensor<2x3xi32> {
    ///   %r = linalg.quantized_matmul ins(%a, %b, %c, %d : tensor<2x4xi8>, tensor<4x3xi8>, i32, i32) outs(%o : tensor<2x3xi32>) -> tensor<2x3xi32>
    ///   return %r : tensor<2x3xi32>
    /// }
    /// ```
    QuantizedMatmul "linalg.quantized_matmul" "ppr" ["0 2", "2 1", "", "", "0 1"] Body::Shifted {}
    /// Product of a vector and a matrix
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<3xf32>, %b: tensor<3x2xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
    ///   %r = linalg.vecmat ins(%a, %b : tensor<3xf32>, tensor<3x2xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
    ///   return %r : tensor<2xf32>
    /// }
    /// ```
    Vecmat "linalg.vecmat" "pr" ["1", "1 0", "0"] Body::Product {}
}
