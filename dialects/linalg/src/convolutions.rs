//! Convolutions: names say the order of dimensions of input and kernel.

use super::named::named;
use terrace_ir::rules::{AnyAttr, AnyRankedTensor, AnyShaped, AnyType};
use terrace_macros::op;

named! {
    /// Convolution of rows
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<4xf32>, %b: tensor<3xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
    ///   %r = linalg.conv_1d ins(%a, %b : tensor<4xf32>, tensor<3xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
    ///   return %r : tensor<2xf32>
    /// }
    /// ```
    Conv1D "linalg.conv_1d" "pr" ["0+1", "1", "0"] Body::Product {}
    /// Convolution of rows: input ncw, kernel fcw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x5x8xf32>, %b: tensor<3x5x2xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    ///   %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x5x8xf32>, tensor<3x5x2xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    ///   return %r : tensor<2x3x4xf32>
    /// }
    /// ```
    Conv1DNcwFcw "linalg.conv_1d_ncw_fcw" "ppprr" ["0 3 2:4", "1 3 4", "0 1 2"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of rows: input nwc, kernel wcf
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x2xf32>, %b: tensor<3x2x4xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    ///   %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x2xf32>, tensor<3x2x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    ///   return %r : tensor<2x3x4xf32>
    /// }
    /// ```
    Conv1DNwcWcf "linalg.conv_1d_nwc_wcf" "ppprr" ["0 1:3 4", "3 4 2", "0 1 2"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<3x5xf32>, %b: tensor<2x3xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
    ///   %r = linalg.conv_2d ins(%a, %b : tensor<3x5xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
    ///   return %r : tensor<2x3xf32>
    /// }
    /// ```
    Conv2D "linalg.conv_2d" "pprr" ["0+2 1+3", "2 3", "0 1"] Body::Product {}
    /// Convolution of planes: input nchw, kernel fchw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x2x9x10xf32>, %b: tensor<3x2x3x2xf32>, %o: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
    ///   %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x2x9x10xf32>, tensor<3x2x3x2xf32>) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ///   return %r : tensor<2x3x4x5xf32>
    /// }
    /// ```
    Conv2DNchwFchw "linalg.conv_2d_nchw_fchw" "pppprrr" ["0 4 2:5 3:6", "1 4 5 6", "0 1 2 3"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes: input nchw, kernel fchw, counted from zero points
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x2x9x10xi8>, %b: tensor<3x2x3x2xi8>, %c: i32, %d: i32, %o: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
    ///   %r = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x2x9x10xi8>, tensor<3x2x3x2xi8>, i32, i32) outs(%o : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
    ///   return %r : tensor<2x3x4x5xi32>
    /// }
    /// ```
    Conv2DNchwFchwQ "linalg.conv_2d_nchw_fchw_q" "pppprrr" ["0 4 2:5 3:6", "1 4 5 6", "", "", "0 1 2 3"] Body::Shifted { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes: input ngchw, kernel fgchw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x3x10x5xf32>, %b: tensor<4x3x3x2x3xf32>, %o: tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32> {
    ///   %r = linalg.conv_2d_ngchw_fgchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x3x3x10x5xf32>, tensor<4x3x3x2x3xf32>) outs(%o : tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32>
    ///   return %r : tensor<2x3x4x5x2xf32>
    /// }
    /// ```
    Conv2DNgchwFgchw "linalg.conv_2d_ngchw_fgchw" "ppppprrr" ["0 1 5 3:6 4:7", "2 1 5 6 7", "0 1 2 3 4"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes: input ngchw, kernel gfchw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x3x10x5xf32>, %b: tensor<3x4x3x2x3xf32>, %o: tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32> {
    ///   %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x3x3x10x5xf32>, tensor<3x4x3x2x3xf32>) outs(%o : tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32>
    ///   return %r : tensor<2x3x4x5x2xf32>
    /// }
    /// ```
    Conv2DNgchwGfchw "linalg.conv_2d_ngchw_gfchw" "ppppprrr" ["0 1 5 3:6 4:7", "1 2 5 6 7", "0 1 2 3 4"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes: input ngchw, kernel gfchw, counted from zero points
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x3x10x5xi8>, %b: tensor<3x4x3x2x3xi8>, %c: i32, %d: i32, %o: tensor<2x3x4x5x2xi32>) -> tensor<2x3x4x5x2xi32> {
    ///   %r = linalg.conv_2d_ngchw_gfchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x3x3x10x5xi8>, tensor<3x4x3x2x3xi8>, i32, i32) outs(%o : tensor<2x3x4x5x2xi32>) -> tensor<2x3x4x5x2xi32>
    ///   return %r : tensor<2x3x4x5x2xi32>
    /// }
    /// ```
    Conv2DNgchwGfchwQ "linalg.conv_2d_ngchw_gfchw_q" "ppppprrr" ["0 1 5 3:6 4:7", "1 2 5 6 7", "", "", "0 1 2 3 4"] Body::Shifted { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes: input nhwc, kernel fhwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x2xf32>, %b: tensor<5x2x3x2xf32>, %o: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
    ///   %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x6x9x2xf32>, tensor<5x2x3x2xf32>) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ///   return %r : tensor<2x3x4x5xf32>
    /// }
    /// ```
    Conv2DNhwcFhwc "linalg.conv_2d_nhwc_fhwc" "pppprrr" ["0 1:4 2:5 6", "3 4 5 6", "0 1 2 3"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes: input nhwc, kernel fhwc, counted from zero points
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x2xi8>, %b: tensor<5x2x3x2xi8>, %c: i32, %d: i32, %o: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
    ///   %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x6x9x2xi8>, tensor<5x2x3x2xi8>, i32, i32) outs(%o : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
    ///   return %r : tensor<2x3x4x5xi32>
    /// }
    /// ```
    Conv2DNhwcFhwcQ "linalg.conv_2d_nhwc_fhwc_q" "pppprrr" ["0 1:4 2:5 6", "3 4 5 6", "", "", "0 1 2 3"] Body::Shifted { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes: input nhwc, kernel hwcf
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x2xf32>, %b: tensor<2x3x2x5xf32>, %o: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
    ///   %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x6x9x2xf32>, tensor<2x3x2x5xf32>) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ///   return %r : tensor<2x3x4x5xf32>
    /// }
    /// ```
    Conv2DNhwcHwcf "linalg.conv_2d_nhwc_hwcf" "pppprrr" ["0 1:4 2:5 6", "4 5 6 3", "0 1 2 3"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes: input nhwc, kernel hwcf, counted from zero points
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x2xi8>, %b: tensor<2x3x2x5xi8>, %c: i32, %d: i32, %o: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
    ///   %r = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x6x9x2xi8>, tensor<2x3x2x5xi8>, i32, i32) outs(%o : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
    ///   return %r : tensor<2x3x4x5xi32>
    /// }
    /// ```
    Conv2DNhwcHwcfQ "linalg.conv_2d_nhwc_hwcf_q" "pppprrr" ["0 1:4 2:5 6", "4 5 6 3", "", "", "0 1 2 3"] Body::Shifted { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes: input nhwgc, kernel gfhwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x8x5x3xf32>, %b: tensor<5x2x3x2x3xf32>, %o: tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32> {
    ///   %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x7x8x5x3xf32>, tensor<5x2x3x2x3xf32>) outs(%o : tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32>
    ///   return %r : tensor<2x3x4x5x2xf32>
    /// }
    /// ```
    Conv2DNhwgcGfhwc "linalg.conv_2d_nhwgc_gfhwc" "ppppprrr" ["0 1:5 2:6 3 7", "3 4 5 6 7", "0 1 2 3 4"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes: input nhwgc, kernel gfhwc, counted from zero points
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x8x5x3xi8>, %b: tensor<5x2x3x2x3xi8>, %c: i32, %d: i32, %o: tensor<2x3x4x5x2xi32>) -> tensor<2x3x4x5x2xi32> {
    ///   %r = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x7x8x5x3xi8>, tensor<5x2x3x2x3xi8>, i32, i32) outs(%o : tensor<2x3x4x5x2xi32>) -> tensor<2x3x4x5x2xi32>
    ///   return %r : tensor<2x3x4x5x2xi32>
    /// }
    /// ```
    Conv2DNhwgcGfhwcQ "linalg.conv_2d_nhwgc_gfhwc_q" "ppppprrr" ["0 1:5 2:6 3 7", "3 4 5 6 7", "", "", "0 1 2 3 4"] Body::Shifted { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of volumes
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<4x4x6xf32>, %b: tensor<3x2x3xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    ///   %r = linalg.conv_3d ins(%a, %b : tensor<4x4x6xf32>, tensor<3x2x3xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    ///   return %r : tensor<2x3x4xf32>
    /// }
    /// ```
    Conv3D "linalg.conv_3d" "ppprrr" ["0+3 1+4 2+5", "3 4 5", "0 1 2"] Body::Product {}
    /// Convolution of volumes: input ncdhw, kernel fcdhw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x8x11x4xf32>, %b: tensor<3x3x2x3x2xf32>, %o: tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32> {
    ///   %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x3x8x11x4xf32>, tensor<3x3x2x3x2xf32>) outs(%o : tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32>
    ///   return %r : tensor<2x3x4x5x2xf32>
    /// }
    /// ```
    Conv3DNcdhwFcdhw "linalg.conv_3d_ncdhw_fcdhw" "ppppprrrr" ["0 5 2:6 3:7 4:8", "1 5 6 7 8", "0 1 2 3 4"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of volumes: input ndhwc, kernel dhwcf
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x8x11x2xf32>, %b: tensor<3x2x3x2x2xf32>, %o: tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32> {
    ///   %r = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x7x8x11x2xf32>, tensor<3x2x3x2x2xf32>) outs(%o : tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32>
    ///   return %r : tensor<2x3x4x5x2xf32>
    /// }
    /// ```
    Conv3DNdhwcDhwcf "linalg.conv_3d_ndhwc_dhwcf" "ppppprrrr" ["0 1:5 2:6 3:7 8", "5 6 7 8 4", "0 1 2 3 4"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of volumes: input ndhwc, kernel dhwcf, counted from zero points
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x8x11x2xi8>, %b: tensor<3x2x3x2x2xi8>, %c: i32, %d: i32, %o: tensor<2x3x4x5x2xi32>) -> tensor<2x3x4x5x2xi32> {
    ///   %r = linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b, %c, %d : tensor<2x7x8x11x2xi8>, tensor<3x2x3x2x2xi8>, i32, i32) outs(%o : tensor<2x3x4x5x2xi32>) -> tensor<2x3x4x5x2xi32>
    ///   return %r : tensor<2x3x4x5x2xi32>
    /// }
    /// ```
    Conv3DNdhwcDhwcfQ "linalg.conv_3d_ndhwc_dhwcf_q" "ppppprrrr" ["0 1:5 2:6 3:7 8", "5 6 7 8 4", "", "", "0 1 2 3 4"] Body::Shifted { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of rows, each channel for itself: input ncw, kernel cw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x4x7xf32>, %b: tensor<4x3xf32>, %o: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
    ///   %r = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x4x7xf32>, tensor<4x3xf32>) outs(%o : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    ///   return %r : tensor<2x4x3xf32>
    /// }
    /// ```
    DepthwiseConv1DNcwCw "linalg.depthwise_conv_1d_ncw_cw" "pppr" ["0 2 1:3", "2 3", "0 2 1"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of rows, each channel for itself: input nwc, kernel wc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x4xf32>, %b: tensor<3x4xf32>, %o: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    ///   %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x7x4xf32>, tensor<3x4xf32>) outs(%o : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    ///   return %r : tensor<2x3x4xf32>
    /// }
    /// ```
    DepthwiseConv1DNwcWc "linalg.depthwise_conv_1d_nwc_wc" "pppr" ["0 1:3 2", "3 2", "0 1 2"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of rows, each channel for itself: input nwc, kernel wcm
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x4xf32>, %b: tensor<2x4x5xf32>, %o: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
    ///   %r = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : tensor<2x6x4xf32>, tensor<2x4x5xf32>) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ///   return %r : tensor<2x3x4x5xf32>
    /// }
    /// ```
    DepthwiseConv1DNwcWcm "linalg.depthwise_conv_1d_nwc_wcm" "ppppr" ["0 1:4 2", "4 2 3", "0 1 2 3"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes, each channel for itself: input nchw, kernel chw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x5x6x9xf32>, %b: tensor<5x2x3xf32>, %o: tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32> {
    ///   %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x5x6x9xf32>, tensor<5x2x3xf32>) outs(%o : tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
    ///   return %r : tensor<2x5x3x4xf32>
    /// }
    /// ```
    DepthwiseConv2DNchwChw "linalg.depthwise_conv_2d_nchw_chw" "pppprr" ["0 3 1:4 2:5", "3 4 5", "0 3 1 2"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes, each channel for itself: input nhwc, kernel hwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x5xf32>, %b: tensor<2x3x5xf32>, %o: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
    ///   %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x6x9x5xf32>, tensor<2x3x5xf32>) outs(%o : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    ///   return %r : tensor<2x3x4x5xf32>
    /// }
    /// ```
    DepthwiseConv2DNhwcHwc "linalg.depthwise_conv_2d_nhwc_hwc" "pppprr" ["0 1:4 2:5 3", "4 5 3", "0 1 2 3"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes, each channel for itself: input nhwc, kernel hwc, counted from zero points
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x5xi8>, %b: tensor<2x3x5xi8>, %c: i32, %d: i32, %o: tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32> {
    ///   %r = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x6x9x5xi8>, tensor<2x3x5xi8>, i32, i32) outs(%o : tensor<2x3x4x5xi32>) -> tensor<2x3x4x5xi32>
    ///   return %r : tensor<2x3x4x5xi32>
    /// }
    /// ```
    DepthwiseConv2DNhwcHwcQ "linalg.depthwise_conv_2d_nhwc_hwc_q" "pppprr" ["0 1:4 2:5 3", "4 5 3", "", "", "0 1 2 3"] Body::Shifted { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes, each channel for itself: input nhwc, kernel hwcm
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x8x5xf32>, %b: tensor<3x2x5x2xf32>, %o: tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32> {
    ///   %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : tensor<2x7x8x5xf32>, tensor<3x2x5x2xf32>) outs(%o : tensor<2x3x4x5x2xf32>) -> tensor<2x3x4x5x2xf32>
    ///   return %r : tensor<2x3x4x5x2xf32>
    /// }
    /// ```
    DepthwiseConv2DNhwcHwcm "linalg.depthwise_conv_2d_nhwc_hwcm" "ppppprr" ["0 1:5 2:6 3", "5 6 3 4", "0 1 2 3 4"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of planes, each channel for itself: input nhwc, kernel hwcm, counted from zero points
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x8x5xi8>, %b: tensor<3x2x5x2xi8>, %c: i32, %d: i32, %o: tensor<2x3x4x5x2xi32>) -> tensor<2x3x4x5x2xi32> {
    ///   %r = linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : tensor<2x7x8x5xi8>, tensor<3x2x5x2xi8>, i32, i32) outs(%o : tensor<2x3x4x5x2xi32>) -> tensor<2x3x4x5x2xi32>
    ///   return %r : tensor<2x3x4x5x2xi32>
    /// }
    /// ```
    DepthwiseConv2DNhwcHwcmQ "linalg.depthwise_conv_2d_nhwc_hwcm_q" "ppppprr" ["0 1:5 2:6 3", "5 6 3 4", "", "", "0 1 2 3 4"] Body::Shifted { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of volumes, each channel for itself: input ncdhw, kernel cdhw
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x3x6x9x10xf32>, %b: tensor<3x2x3x2xf32>, %o: tensor<2x3x3x4x5xf32>) -> tensor<2x3x3x4x5xf32> {
    ///   %r = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x3x6x9x10xf32>, tensor<3x2x3x2xf32>) outs(%o : tensor<2x3x3x4x5xf32>) -> tensor<2x3x3x4x5xf32>
    ///   return %r : tensor<2x3x3x4x5xf32>
    /// }
    /// ```
    DepthwiseConv3DNcdhwCdhw "linalg.depthwise_conv_3d_ncdhw_cdhw" "pppprrrp" ["0 7 1:4 2:5 3:6", "7 4 5 6", "0 7 1 2 3"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of volumes, each channel for itself: input ndhwc, kernel dhwc
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x6x9x10x3xf32>, %b: tensor<2x3x2x3xf32>, %o: tensor<2x3x4x5x3xf32>) -> tensor<2x3x4x5x3xf32> {
    ///   %r = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x6x9x10x3xf32>, tensor<2x3x2x3xf32>) outs(%o : tensor<2x3x4x5x3xf32>) -> tensor<2x3x4x5x3xf32>
    ///   return %r : tensor<2x3x4x5x3xf32>
    /// }
    /// ```
    DepthwiseConv3DNdhwcDhwc "linalg.depthwise_conv_3d_ndhwc_dhwc" "pppprrrp" ["0 1:4 2:5 3:6 7", "4 5 6 7", "0 1 2 3 7"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
    /// Convolution of volumes, each channel for itself: input ndhwc, kernel dhwcm
    ///
    /// ```mlir
    /// func.func @f(%a: tensor<2x7x8x11x2xf32>, %b: tensor<3x2x3x2x2xf32>, %o: tensor<2x3x4x5x2x2xf32>) -> tensor<2x3x4x5x2x2xf32> {
    ///   %r = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<2x7x8x11x2xf32>, tensor<3x2x3x2x2xf32>) outs(%o : tensor<2x3x4x5x2x2xf32>) -> tensor<2x3x4x5x2x2xf32>
    ///   return %r : tensor<2x3x4x5x2x2xf32>
    /// }
    /// ```
    DepthwiseConv3DNdhwcDhwcm "linalg.depthwise_conv_3d_ndhwc_dhwcm" "ppppprrrp" ["0 1:5 2:6 3:7 8", "5 6 7 8 4", "0 1 2 3 8 4"] Body::Product { #[attr(optional)] strides: AnyAttr, #[attr(optional)] dilations: AnyAttr }
}
