// test: round-trip
// softmaxes
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 3x11xf32: 1.625 1.5 1.3125 1.4375 -1.75 1.25 1.8125 -1 -1.3125 -1.6875 1.1875 1.8125 0.4375 0.4375 1.1875 -2 1.375 1.6875 -1.5 2
//   1.4375 -0.875 -0.0625 1.25 1.625 -1.6875 0.625 -0.25 -0.625 1.3125 0.75 -0.375 1.5625
// out 3x11xf32: 0.41819802 0.470723 0.35923412 0.5486253 0.07980965 0.42439806 0.5076462 0.08542502 0.027533583 0.036396265 0.3872776
//   0.5044431 0.16267753 0.14975107 0.42726982 0.062155817 0.480906 0.4479962 0.05181289 0.755898 0.82837516 0.04923682 0.07735886
//   0.36659944 0.4910148 0.024104914 0.85803455 0.09469601 0.044357628 0.8627621 0.21656841 0.13522853 0.56348556
// out 3x11xf32: -1.8210579 -1.9460579 -2.1335578 -2.0085578 -5.196058 -2.1960578 -1.6335579 -4.446058 -4.758558 -5.133558 -2.2585578
//   -1.7208315 -3.0958314 -3.0958314 -2.3458314 -5.5333314 -2.1583314 -1.8458315 -5.0333314 -1.5333315 -2.0958314 -4.4083314 -3.2474442
//   -1.9349442 -1.5599442 -4.872444 -2.5599442 -3.4349442 -3.8099442 -1.8724442 -2.4349442 -3.5599442 -1.6224442
// out f32: 4.497365
// out 3xf32: 3.4460578 3.5333314 3.1849442
module @jit_softmaxes attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x11xf32>) -> (tensor<3x11xf32> {jax.result_info = "result[0]"}, tensor<3x11xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}, tensor<3xf32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<3x11xf32>, tensor<f32>) -> tensor<11xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<11xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<11xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<11xf32>) -> tensor<1x11xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x11xf32>) -> tensor<3x11xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x11xf32>
    %6 = stablehlo.exponential %5 : tensor<3x11xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<3x11xf32>, tensor<f32>) -> tensor<11xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<11xf32>) -> tensor<1x11xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x11xf32>) -> tensor<3x11xf32>
    %10 = stablehlo.divide %6, %9 : tensor<3x11xf32>
    %11 = call @log_softmax(%arg0) : (tensor<3x11xf32>) -> tensor<3x11xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x11xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.maximum %cst_3, %12 : tensor<f32>
    %14 = stablehlo.is_finite %13 : (tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.select %14, %13, %cst_4 : tensor<i1>, tensor<f32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<3x11xf32>
    %18 = stablehlo.subtract %arg0, %17 : tensor<3x11xf32>
    %19 = stablehlo.exponential %18 : tensor<3x11xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x11xf32>, tensor<f32>) -> tensor<f32>
    %21 = stablehlo.sign %20 : tensor<f32>
    %22 = stablehlo.abs %20 : tensor<f32>
    %23 = stablehlo.log %22 : tensor<f32>
    %24 = stablehlo.add %23, %15 : tensor<f32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.reduce(%arg0 init: %cst_6) applies stablehlo.maximum across dimensions = [1] : (tensor<3x11xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %27 = stablehlo.maximum %26, %25 : tensor<3xf32>
    %28 = stablehlo.is_finite %27 : (tensor<3xf32>) -> tensor<3xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %30 = stablehlo.select %28, %27, %29 : tensor<3xi1>, tensor<3xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x11xf32>
    %33 = stablehlo.subtract %arg0, %32 : tensor<3x11xf32>
    %34 = stablehlo.exponential %33 : tensor<3x11xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<3x11xf32>, tensor<f32>) -> tensor<3xf32>
    %36 = stablehlo.sign %35 : tensor<3xf32>
    %37 = stablehlo.abs %35 : tensor<3xf32>
    %38 = stablehlo.log %37 : tensor<3xf32>
    %39 = stablehlo.add %38, %30 : tensor<3xf32>
    return %10, %11, %24, %39 : tensor<3x11xf32>, tensor<3x11xf32>, tensor<f32>, tensor<3xf32>
  }
  func.func private @log_softmax(%arg0: tensor<3x11xf32>) -> tensor<3x11xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<3x11xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<3xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x11xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x11xf32>
    %6 = stablehlo.exponential %5 : tensor<3x11xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<3x11xf32>, tensor<f32>) -> tensor<3xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %9 = stablehlo.log %8 : tensor<3x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x11xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<3x11xf32>
    return %11 : tensor<3x11xf32>
  }
}
