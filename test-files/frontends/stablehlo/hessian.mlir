// test: round-trip
// hessian
// From JAX 0.10.2; `generate.py --stablehlo` in the folder `jax` made it.
// in 3xf32: 0.0625 -0.75 0.25
// out 3x3xf32: 0.046798736 0.25 -0.75 0.25 5.249258 0.0625 -0.75 0.0625 0.7305825
module @jit_hessian attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>) -> (tensor<3x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %1 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
    %3 = stablehlo.add %0, %2 : tensor<3x3xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %5 = stablehlo.convert %4 : (tensor<3x3xi1>) -> tensor<3x3xf32>
    %6 = stablehlo.slice %5 [0:3, 0:3] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %7 = stablehlo.convert %6 : tensor<3x3xf32>
    %8 = stablehlo.sine %arg0 : tensor<3xf32>
    %9 = stablehlo.cosine %arg0 : tensor<3xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %12 = stablehlo.multiply %7, %11 : tensor<3x3xf32>
    %13 = stablehlo.cosine %arg0 : tensor<3xf32>
    %14 = stablehlo.sine %arg0 : tensor<3xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %17 = stablehlo.multiply %7, %16 : tensor<3x3xf32>
    %18 = stablehlo.negate %17 : tensor<3x3xf32>
    %19 = stablehlo.multiply %arg0, %arg0 : tensor<3xf32>
    %20 = stablehlo.multiply %19, %arg0 : tensor<3xf32>
    %21 = stablehlo.multiply %arg0, %arg0 : tensor<3xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %23 = stablehlo.multiply %22, %21 : tensor<3xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %26 = stablehlo.multiply %7, %25 : tensor<3x3xf32>
    %27 = stablehlo.multiply %arg0, %arg0 : tensor<3xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %29 = stablehlo.multiply %28, %arg0 : tensor<3xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %32 = stablehlo.multiply %7, %31 : tensor<3x3xf32>
    %cst_1 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %34 = stablehlo.multiply %33, %27 : tensor<3xf32>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
    %36 = stablehlo.multiply %35, %32 : tensor<3x3xf32>
    %37 = stablehlo.multiply %8, %20 : tensor<3xf32>
    %38 = stablehlo.broadcast_in_dim %20, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %40 = stablehlo.multiply %12, %39 : tensor<3x3xf32>
    %41 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %43 = stablehlo.multiply %42, %26 : tensor<3x3xf32>
    %44 = stablehlo.add %40, %43 : tensor<3x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%37 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%44 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %47 = stablehlo.slice %arg0 [0:2] : (tensor<3xf32>) -> tensor<2xf32>
    %48 = stablehlo.slice %7 [0:3, 0:2] : (tensor<3x3xf32>) -> tensor<3x2xf32>
    %49 = stablehlo.slice %arg0 [2:3] : (tensor<3xf32>) -> tensor<1xf32>
    %50 = stablehlo.slice %7 [0:3, 2:3] : (tensor<3x3xf32>) -> tensor<3x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.pad %49, %cst_5, low = [0], high = [1], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.pad %50, %cst_6, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x2xf32>
    %53 = stablehlo.multiply %47, %51 : tensor<2xf32>
    %54 = stablehlo.broadcast_in_dim %51, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<3x2xf32>
    %56 = stablehlo.multiply %48, %55 : tensor<3x2xf32>
    %57 = stablehlo.broadcast_in_dim %47, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<3x2xf32>
    %59 = stablehlo.multiply %58, %52 : tensor<3x2xf32>
    %60 = stablehlo.add %56, %59 : tensor<3x2xf32>
    %61 = stablehlo.slice %53 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %62 = stablehlo.slice %60 [0:3, 0:1] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %63 = stablehlo.slice %53 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %64 = stablehlo.slice %60 [0:3, 1:2] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %65 = stablehlo.multiply %61, %63 : tensor<1xf32>
    %66 = stablehlo.broadcast_in_dim %63, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<3x1xf32>
    %68 = stablehlo.multiply %62, %67 : tensor<3x1xf32>
    %69 = stablehlo.broadcast_in_dim %61, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<3x1xf32>
    %71 = stablehlo.multiply %70, %64 : tensor<3x1xf32>
    %72 = stablehlo.add %68, %71 : tensor<3x1xf32>
    %73 = stablehlo.reshape %65 : (tensor<1xf32>) -> tensor<f32>
    %74 = stablehlo.reshape %72 : (tensor<3x1xf32>) -> tensor<3xf32>
    %75 = stablehlo.add %45, %73 : tensor<f32>
    %76 = stablehlo.add %46, %74 : tensor<3xf32>
    %77 = stablehlo.iota dim = 0 : tensor<1x1xi32>
    %78 = stablehlo.iota dim = 1 : tensor<1x1xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %79 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %80 = stablehlo.add %77, %79 : tensor<1x1xi32>
    %81 = stablehlo.compare EQ, %80, %78, SIGNED : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %82 = stablehlo.convert %81 : (tensor<1x1xi1>) -> tensor<1x1xf32>
    %83 = stablehlo.slice %82 [0:1, 0:1] : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %84 = stablehlo.reshape %83 : (tensor<1x1xf32>) -> tensor<1xf32>
    %85 = stablehlo.convert %84 : tensor<1xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %87 = stablehlo.broadcast_in_dim %61, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %88 = stablehlo.broadcast_in_dim %62, dims = [0, 2] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %89 = stablehlo.multiply %87, %86 : tensor<1x1xf32>
    %90 = stablehlo.broadcast_in_dim %86, dims = [1, 2] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<3x1x1xf32>
    %92 = stablehlo.multiply %88, %91 : tensor<3x1x1xf32>
    %93 = stablehlo.broadcast_in_dim %63, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %94 = stablehlo.broadcast_in_dim %64, dims = [0, 2] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %95 = stablehlo.multiply %86, %93 : tensor<1x1xf32>
    %96 = stablehlo.broadcast_in_dim %86, dims = [1, 2] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<3x1x1xf32>
    %98 = stablehlo.multiply %97, %94 : tensor<3x1x1xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.pad %89, %cst_8, low = [0, 1], high = [0, 0], interior = [0, 0] : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.pad %92, %cst_9, low = [0, 0, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<3x1x1xf32>, tensor<f32>) -> tensor<3x1x2xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.pad %95, %cst_10, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x2xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.pad %98, %cst_11, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<3x1x1xf32>, tensor<f32>) -> tensor<3x1x2xf32>
    %103 = stablehlo.add %99, %101 : tensor<1x2xf32>
    %104 = stablehlo.add %100, %102 : tensor<3x1x2xf32>
    %105 = stablehlo.broadcast_in_dim %47, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %106 = stablehlo.broadcast_in_dim %48, dims = [0, 2] : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
    %107 = stablehlo.multiply %105, %103 : tensor<1x2xf32>
    %108 = stablehlo.broadcast_in_dim %103, dims = [1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<3x1x2xf32>
    %110 = stablehlo.multiply %106, %109 : tensor<3x1x2xf32>
    %111 = stablehlo.broadcast_in_dim %105, dims = [1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<3x1x2xf32>
    %113 = stablehlo.multiply %112, %104 : tensor<3x1x2xf32>
    %114 = stablehlo.add %110, %113 : tensor<3x1x2xf32>
    %115 = stablehlo.broadcast_in_dim %51, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %116 = stablehlo.broadcast_in_dim %52, dims = [0, 2] : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
    %117 = stablehlo.multiply %103, %115 : tensor<1x2xf32>
    %118 = stablehlo.broadcast_in_dim %115, dims = [1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<3x1x2xf32>
    %120 = stablehlo.multiply %104, %119 : tensor<3x1x2xf32>
    %121 = stablehlo.broadcast_in_dim %103, dims = [1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<3x1x2xf32>
    %123 = stablehlo.multiply %122, %116 : tensor<3x1x2xf32>
    %124 = stablehlo.add %120, %123 : tensor<3x1x2xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.pad %107, %cst_12, low = [0, 0], high = [0, -1], interior = [0, 0] : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %126 = stablehlo.pad %114, %cst_13, low = [0, 0, 0], high = [0, 0, -1], interior = [0, 0, 0] : (tensor<3x1x2xf32>, tensor<f32>) -> tensor<3x1x1xf32>
    %127 = stablehlo.slice %125 [0:1, 0:1] : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %128 = stablehlo.slice %126 [0:3, 0:1, 0:1] : (tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.pad %127, %cst_14, low = [0, 2], high = [0, 0], interior = [0, 0] : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x3xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.pad %128, %cst_15, low = [0, 0, 2], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<3x1x1xf32>, tensor<f32>) -> tensor<3x1x3xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.pad %117, %cst_16, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x3xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.pad %124, %cst_17, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<3x1x2xf32>, tensor<f32>) -> tensor<3x1x3xf32>
    %133 = stablehlo.add %129, %131 : tensor<1x3xf32>
    %134 = stablehlo.add %130, %132 : tensor<3x1x3xf32>
    %135 = stablehlo.broadcast_in_dim %85, dims = [0] : (tensor<1xf32>) -> tensor<1x3xf32>
    %136 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %137 = stablehlo.broadcast_in_dim %12, dims = [0, 2] : (tensor<3x3xf32>) -> tensor<3x1x3xf32>
    %138 = stablehlo.multiply %136, %135 : tensor<1x3xf32>
    %139 = stablehlo.broadcast_in_dim %135, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<3x1x3xf32>
    %141 = stablehlo.multiply %137, %140 : tensor<3x1x3xf32>
    %142 = stablehlo.broadcast_in_dim %20, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %143 = stablehlo.broadcast_in_dim %26, dims = [0, 2] : (tensor<3x3xf32>) -> tensor<3x1x3xf32>
    %144 = stablehlo.multiply %135, %142 : tensor<1x3xf32>
    %145 = stablehlo.broadcast_in_dim %135, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<3x1x3xf32>
    %147 = stablehlo.multiply %146, %143 : tensor<3x1x3xf32>
    %148 = stablehlo.broadcast_in_dim %34, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %149 = stablehlo.broadcast_in_dim %36, dims = [0, 2] : (tensor<3x3xf32>) -> tensor<3x1x3xf32>
    %150 = stablehlo.multiply %138, %148 : tensor<1x3xf32>
    %151 = stablehlo.broadcast_in_dim %148, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<3x1x3xf32>
    %153 = stablehlo.multiply %141, %152 : tensor<3x1x3xf32>
    %154 = stablehlo.broadcast_in_dim %138, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<3x1x3xf32>
    %156 = stablehlo.multiply %155, %149 : tensor<3x1x3xf32>
    %157 = stablehlo.add %153, %156 : tensor<3x1x3xf32>
    %158 = stablehlo.add %133, %150 : tensor<1x3xf32>
    %159 = stablehlo.add %134, %157 : tensor<3x1x3xf32>
    %160 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %161 = stablehlo.broadcast_in_dim %18, dims = [0, 2] : (tensor<3x3xf32>) -> tensor<3x1x3xf32>
    %162 = stablehlo.multiply %144, %160 : tensor<1x3xf32>
    %163 = stablehlo.broadcast_in_dim %160, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<3x1x3xf32>
    %165 = stablehlo.multiply %147, %164 : tensor<3x1x3xf32>
    %166 = stablehlo.broadcast_in_dim %144, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<3x1x3xf32>
    %168 = stablehlo.multiply %167, %161 : tensor<3x1x3xf32>
    %169 = stablehlo.add %165, %168 : tensor<3x1x3xf32>
    %170 = stablehlo.add %158, %162 : tensor<1x3xf32>
    %171 = stablehlo.add %159, %169 : tensor<3x1x3xf32>
    %172 = stablehlo.slice %170 [0:1, 0:3] : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %173 = stablehlo.slice %171 [0:3, 0:1, 0:3] : (tensor<3x1x3xf32>) -> tensor<3x1x3xf32>
    %174 = stablehlo.reshape %172 : (tensor<1x3xf32>) -> tensor<3xf32>
    %175 = stablehlo.reshape %173 : (tensor<3x1x3xf32>) -> tensor<3x3xf32>
    %176 = stablehlo.transpose %175, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %177 = stablehlo.slice %176 [0:3, 0:3] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    return %177 : tensor<3x3xf32>
  }
}
