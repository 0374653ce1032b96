// test: round-trip
// runge kutta: Four stages a step, in a loop; the state is a tuple
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 3xf32: 1.5625 -1.375 1.4375
// in 3xf32: 0.3125 -0.3125 -0.5
// in f32: 0.25
// out 3xf32: 0.8135638 -0.74939096 0.04592672
// out 3xf32: -1.3148768 1.1476024 -1.4089571
module @jit_runge_kutta attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<f32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<3xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:5 = stablehlo.while(%iterArg = %arg2, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %arg0, %iterArg_4 = %arg1) : tensor<f32>, tensor<i32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>
    cond {
      %c_5 = stablehlo.constant dense<5> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_1, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:3 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3, %iterArg_4) : (tensor<f32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>, tensor<3xf32>)
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_1, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %2, %1#0, %1#1, %1#2 : tensor<f32>, tensor<i32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>
    }
    return %0#3, %0#4 : tensor<3xf32>, tensor<3xf32>
  }
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<i32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>, tensor<3xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.negate %arg2 : tensor<3xf32>
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %3 = stablehlo.multiply %2, %arg3 : tensor<3xf32>
    %4 = stablehlo.subtract %1, %3 : tensor<3xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.divide %arg0, %cst_0 : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %7 = stablehlo.multiply %6, %arg3 : tensor<3xf32>
    %8 = stablehlo.add %arg2, %7 : tensor<3xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.divide %arg0, %cst_1 : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %11 = stablehlo.multiply %10, %4 : tensor<3xf32>
    %12 = stablehlo.add %arg3, %11 : tensor<3xf32>
    %13 = stablehlo.negate %8 : tensor<3xf32>
    %cst_2 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %15 = stablehlo.multiply %14, %12 : tensor<3xf32>
    %16 = stablehlo.subtract %13, %15 : tensor<3xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.divide %arg0, %cst_3 : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %19 = stablehlo.multiply %18, %12 : tensor<3xf32>
    %20 = stablehlo.add %arg2, %19 : tensor<3xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %21 = stablehlo.divide %arg0, %cst_4 : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %23 = stablehlo.multiply %22, %16 : tensor<3xf32>
    %24 = stablehlo.add %arg3, %23 : tensor<3xf32>
    %25 = stablehlo.negate %20 : tensor<3xf32>
    %cst_5 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %27 = stablehlo.multiply %26, %24 : tensor<3xf32>
    %28 = stablehlo.subtract %25, %27 : tensor<3xf32>
    %29 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %30 = stablehlo.multiply %29, %24 : tensor<3xf32>
    %31 = stablehlo.add %arg2, %30 : tensor<3xf32>
    %32 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %33 = stablehlo.multiply %32, %28 : tensor<3xf32>
    %34 = stablehlo.add %arg3, %33 : tensor<3xf32>
    %35 = stablehlo.negate %31 : tensor<3xf32>
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %37 = stablehlo.multiply %36, %34 : tensor<3xf32>
    %38 = stablehlo.subtract %35, %37 : tensor<3xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %40 = stablehlo.multiply %39, %12 : tensor<3xf32>
    %41 = stablehlo.add %arg3, %40 : tensor<3xf32>
    %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %43 = stablehlo.multiply %42, %24 : tensor<3xf32>
    %44 = stablehlo.add %41, %43 : tensor<3xf32>
    %45 = stablehlo.add %44, %34 : tensor<3xf32>
    %cst_9 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %47 = stablehlo.divide %45, %46 : tensor<3xf32>
    %48 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %49 = stablehlo.multiply %48, %47 : tensor<3xf32>
    %50 = stablehlo.add %arg2, %49 : tensor<3xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %52 = stablehlo.multiply %51, %16 : tensor<3xf32>
    %53 = stablehlo.add %4, %52 : tensor<3xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %55 = stablehlo.multiply %54, %28 : tensor<3xf32>
    %56 = stablehlo.add %53, %55 : tensor<3xf32>
    %57 = stablehlo.add %56, %38 : tensor<3xf32>
    %cst_12 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %59 = stablehlo.divide %57, %58 : tensor<3xf32>
    %60 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %61 = stablehlo.multiply %60, %59 : tensor<3xf32>
    %62 = stablehlo.add %arg3, %61 : tensor<3xf32>
    return %0, %50, %62 : tensor<i32>, tensor<3xf32>, tensor<3xf32>
  }
}
