//! Folds over windows; the second input only says how large a window is.

use super::named::named;
use super::spec::Binary;
use terrace_ir::rules::{AnyAttr, AnyRankedTensor, AnyShaped, AnyType};
use terrace_macros::op;

named! {
    /// Largest elements over windows: input nchw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x8x11xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
    ///   %r = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x3x8x11xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ///   return %r : tensor<2x3x4x5xf32>
    /// }
    /// ```
    PoolingNchwMax "linalg.pooling_nchw_max" "pppprr" ["0 1 2:4 3:5", "4 5", "0 1 2 3"] Body::Fold(Binary::MaxSigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Sums over windows: input nchw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x8x11xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
    ///   %r = linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x3x8x11xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ///   return %r : tensor<2x3x4x5xf32>
    /// }
    /// ```
    PoolingNchwSum "linalg.pooling_nchw_sum" "pppprr" ["0 1 2:4 3:5", "4 5", "0 1 2 3"] Body::Fold(Binary::Add) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Largest elements over windows: input ncw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x9xf32>, %b: tensor<3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    ///   %r = linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x3x9xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    ///   return %r : tensor<2x3x4xf32>
    /// }
    /// ```
    PoolingNcwMax "linalg.pooling_ncw_max" "pppr" ["0 1 2:3", "3", "0 1 2"] Body::Fold(Binary::MaxSigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Sums over windows: input ncw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x9xf32>, %b: tensor<3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    ///   %r = linalg.pooling_ncw_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x3x9xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    ///   return %r : tensor<2x3x4xf32>
    /// }
    /// ```
    PoolingNcwSum "linalg.pooling_ncw_sum" "pppr" ["0 1 2:3", "3", "0 1 2"] Body::Fold(Binary::Add) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Largest elements over windows: input ndhwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x8x11x2xf32>, %b: tensor<3x2x3xf32>, %o: tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32> {
    ///   %r = linalg.pooling_ndhwc_max {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x7x8x11x2xf32>, tensor<3x2x3xf32>) outs(%o : tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32>
    ///   return %r : tensor<2x3x4x5x2xf32>
    /// }
    /// ```
    PoolingNdhwcMax "linalg.pooling_ndhwc_max" "ppppprrr" ["0 1:5 2:6 3:7 4", "5 6 7", "0 1 2 3 4"] Body::Fold(Binary::MaxSigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Smallest elements over windows: input ndhwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x8x11x2xf32>, %b: tensor<3x2x3xf32>, %o: tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32> {
    ///   %r = linalg.pooling_ndhwc_min {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x7x8x11x2xf32>, tensor<3x2x3xf32>) outs(%o : tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32>
    ///   return %r : tensor<2x3x4x5x2xf32>
    /// }
    /// ```
    PoolingNdhwcMin "linalg.pooling_ndhwc_min" "ppppprrr" ["0 1:5 2:6 3:7 4", "5 6 7", "0 1 2 3 4"] Body::Fold(Binary::MinSigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Sums over windows: input ndhwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x8x11x2xf32>, %b: tensor<3x2x3xf32>, %o: tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32> {
    ///   %r = linalg.pooling_ndhwc_sum {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x7x8x11x2xf32>, tensor<3x2x3xf32>) outs(%o : tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32>
    ///   return %r : tensor<2x3x4x5x2xf32>
    /// }
    /// ```
    PoolingNdhwcSum "linalg.pooling_ndhwc_sum" "ppppprrr" ["0 1:5 2:6 3:7 4", "5 6 7", "0 1 2 3 4"] Body::Fold(Binary::Add) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Largest elements over windows: input nhwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x5xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
    ///   %r = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x6x9x5xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ///   return %r : tensor<2x3x4x5xf32>
    /// }
    /// ```
    PoolingNhwcMax "linalg.pooling_nhwc_max" "pppprr" ["0 1:4 2:5 3", "4 5", "0 1 2 3"] Body::Fold(Binary::MaxSigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Largest elements over windows: input nhwc, without sign
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x5xi32>, %b: tensor<2x3xi32>, %o: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
    ///   %r = linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x6x9x5xi32>, tensor<2x3xi32>) outs(%o : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
    ///   return %r : tensor<2x3x4x5xi32>
    /// }
    /// ```
    PoolingNhwcMaxUnsigned "linalg.pooling_nhwc_max_unsigned" "pppprr" ["0 1:4 2:5 3", "4 5", "0 1 2 3"] Body::Fold(Binary::MaxUnsigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Smallest elements over windows: input nhwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x5xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
    ///   %r = linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x6x9x5xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ///   return %r : tensor<2x3x4x5xf32>
    /// }
    /// ```
    PoolingNhwcMin "linalg.pooling_nhwc_min" "pppprr" ["0 1:4 2:5 3", "4 5", "0 1 2 3"] Body::Fold(Binary::MinSigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Smallest elements over windows: input nhwc, without sign
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x5xi32>, %b: tensor<2x3xi32>, %o: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
    ///   %r = linalg.pooling_nhwc_min_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x6x9x5xi32>, tensor<2x3xi32>) outs(%o : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
    ///   return %r : tensor<2x3x4x5xi32>
    /// }
    /// ```
    PoolingNhwcMinUnsigned "linalg.pooling_nhwc_min_unsigned" "pppprr" ["0 1:4 2:5 3", "4 5", "0 1 2 3"] Body::Fold(Binary::MinUnsigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Sums over windows: input nhwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x5xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
    ///   %r = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x6x9x5xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ///   return %r : tensor<2x3x4x5xf32>
    /// }
    /// ```
    PoolingNhwcSum "linalg.pooling_nhwc_sum" "pppprr" ["0 1:4 2:5 3", "4 5", "0 1 2 3"] Body::Fold(Binary::Add) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Largest elements over windows: input nwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x4xf32>, %b: tensor<3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    ///   %r = linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    ///   return %r : tensor<2x3x4xf32>
    /// }
    /// ```
    PoolingNwcMax "linalg.pooling_nwc_max" "pppr" ["0 1:3 2", "3", "0 1 2"] Body::Fold(Binary::MaxSigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Largest elements over windows: input nwc, without sign
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x4xi32>, %b: tensor<3xi32>, %o: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
    ///   %r = linalg.pooling_nwc_max_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xi32>, tensor<3xi32>) outs(%o : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
    ///   return %r : tensor<2x3x4xi32>
    /// }
    /// ```
    PoolingNwcMaxUnsigned "linalg.pooling_nwc_max_unsigned" "pppr" ["0 1:3 2", "3", "0 1 2"] Body::Fold(Binary::MaxUnsigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Smallest elements over windows: input nwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x4xf32>, %b: tensor<3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    ///   %r = linalg.pooling_nwc_min {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    ///   return %r : tensor<2x3x4xf32>
    /// }
    /// ```
    PoolingNwcMin "linalg.pooling_nwc_min" "pppr" ["0 1:3 2", "3", "0 1 2"] Body::Fold(Binary::MinSigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Smallest elements over windows: input nwc, without sign
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x4xi32>, %b: tensor<3xi32>, %o: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
    ///   %r = linalg.pooling_nwc_min_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xi32>, tensor<3xi32>) outs(%o : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
    ///   return %r : tensor<2x3x4xi32>
    /// }
    /// ```
    PoolingNwcMinUnsigned "linalg.pooling_nwc_min_unsigned" "pppr" ["0 1:3 2", "3", "0 1 2"] Body::Fold(Binary::MinUnsigned) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Sums over windows: input nwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x4xf32>, %b: tensor<3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    ///   %r = linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    ///   return %r : tensor<2x3x4xf32>
    /// }
    /// ```
    PoolingNwcSum "linalg.pooling_nwc_sum" "pppr" ["0 1:3 2", "3", "0 1 2"] Body::Fold(Binary::Add) { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
}
