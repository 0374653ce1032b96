// test: round-trip
// rope: Rotary places: halves are turned and joined again
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 5x2x6xf32: -0.25 0.125 0.0625 -0.625 1.8125 -0.5625 0.625 -0.5 -0.1875 2 -1.25 0.5625 -0.3125 0.6875 1.0625 -0.6875 0.6875 0.75
//   -0.1875 -1.5625 0.5 -1.8125 1.5625 1.4375 1.4375 -2 1.9375 1.9375 0.375 1.3125 1.0625 1.1875 -1.4375 -1.8125 -0.9375 -1.1875 0.1875
//   1.4375 1 -0.25 0.1875 0.5 1.125 -1.5625 1.125 -1.25 0.3125 0 1.4375 1.0625 -1.3125 0.1875 -1.8125 -1.625 -0.125 1.5 -1.125 -1.4375
//   1.8125 -0.25
// in 5xi32: 1 5 2 2 3
// out 5x2x6xf32: 0.39084375 0.04076679 0.063711725 -0.54805666 1.8163478 -0.56236404 -1.345253 -0.4414625 -0.18871143 1.6065239 -1.2718533
//   0.56209475 -0.7479049 0.51094216 1.0543594 0.10464608 0.82719445 0.7614017 -1.7912369 -1.8799874 0.4844863 -0.33433944 1.1612321
//   1.4428027 -2.3599749 -2.0261505 1.9318266 0.5008306 0.18798834 1.3208362 1.2059455 1.2692918 -1.4323698 1.7203946 -0.82338387
//   -1.1936829 0.14929682 1.4139295 0.9978363 0.27452996 0.31994674 0.50430423 0.6684565 -1.5847405 1.1249895 1.5431432 0.16631305
//   0.0048474623 -1.4495742 1.3037872 -1.3019698 0.017236404 -1.6474832 -1.6334491 0.32660908 1.2339095 -1.1233608 1.4054742 2.0031533
//   -0.25726596
module @jit_rope attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x2x6xf32>, %arg1: tensor<5xi32>) -> (tensor<5x2x6xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<3xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.multiply %1, %0 : tensor<3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %4 = stablehlo.add %3, %2 : tensor<3xi32>
    %5 = stablehlo.convert %4 : (tensor<3xi32>) -> tensor<3xf32>
    %cst = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %7 = stablehlo.divide %5, %6 : tensor<3xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %9 = stablehlo.power %8, %7 : tensor<3xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %11 = stablehlo.divide %10, %9 : tensor<3xf32>
    %12 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<5xi32>) -> tensor<5x1x1xi32>
    %13 = stablehlo.convert %12 : (tensor<5x1x1xi32>) -> tensor<5x1x1xf32>
    %14 = stablehlo.broadcast_in_dim %11, dims = [2] : (tensor<3xf32>) -> tensor<1x1x3xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<5x1x1xf32>) -> tensor<5x1x3xf32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<5x1x3xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<5x1x3xf32>
    %18 = stablehlo.slice %arg0 [0:5, 0:2, 0:3] : (tensor<5x2x6xf32>) -> tensor<5x2x3xf32>
    %19 = stablehlo.slice %arg0 [0:5, 0:2, 3:6] : (tensor<5x2x6xf32>) -> tensor<5x2x3xf32>
    %20 = stablehlo.cosine %17 : tensor<5x1x3xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<5x1x3xf32>) -> tensor<5x2x3xf32>
    %22 = stablehlo.multiply %18, %21 : tensor<5x2x3xf32>
    %23 = stablehlo.sine %17 : tensor<5x1x3xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<5x1x3xf32>) -> tensor<5x2x3xf32>
    %25 = stablehlo.multiply %19, %24 : tensor<5x2x3xf32>
    %26 = stablehlo.subtract %22, %25 : tensor<5x2x3xf32>
    %27 = stablehlo.cosine %17 : tensor<5x1x3xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<5x1x3xf32>) -> tensor<5x2x3xf32>
    %29 = stablehlo.multiply %19, %28 : tensor<5x2x3xf32>
    %30 = stablehlo.sine %17 : tensor<5x1x3xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<5x1x3xf32>) -> tensor<5x2x3xf32>
    %32 = stablehlo.multiply %18, %31 : tensor<5x2x3xf32>
    %33 = stablehlo.add %29, %32 : tensor<5x2x3xf32>
    %34 = stablehlo.concatenate %26, %33, dim = 2 : (tensor<5x2x3xf32>, tensor<5x2x3xf32>) -> tensor<5x2x6xf32>
    return %34 : tensor<5x2x6xf32>
  }
}
