// test: opt --pipeline="func.func(linalg-to-mdh)"
// Short forms, other layouts of matrices, windows, several outputs, slices at places that constants say.

func.func @short(%A: tensor<4x6xf32>, %o: tensor<4x6xf32>, %s: tensor<4xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
  %e = linalg.map { math.exp } ins(%A : tensor<4x6xf32>) outs(%o : tensor<4x6xf32>)
  %m = linalg.reduce { arith.maximumf } ins(%e : tensor<4x6xf32>) outs(%s : tensor<4xf32>) dimensions = [1]
  return %e, %m : tensor<4x6xf32>, tensor<4xf32>
}
// check: @short
// check: (d0 in 4, d1 in 6) ins(%arg0 = %A[d0, d1]) outs([d0, d1])
// check: (d0 in 4, d1 in 6 pw max) ins(%arg0 = %e[d0, d1]) outs([d0] into %s)

#ta = affine_map<(b, i, j, k) -> (b, k, i)>
#tb = affine_map<(b, i, j, k) -> (b, j, k)>
#c = affine_map<(b, i, j, k) -> (b, i, j)>
func.func @transposed(%A: tensor<2x6x4xf32>, %B: tensor<2x5x6xf32>, %o: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %r = linalg.batch_matmul indexing_maps = [#ta, #tb, #c] ins(%A, %B : tensor<2x6x4xf32>, tensor<2x5x6xf32>) outs(%o : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}
// check: @transposed
// check: ins(%arg0 = %A[d0, d3, d1], %arg1 = %B[d0, d2, d3]) outs([d0, d1, d2] into %o)

// The window says how large it is and is not read; the start value is the neutral one.
func.func @pool(%I: tensor<1x9x9x3xf32>) -> tensor<1x4x4x3xf32> {
  %low = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x4x4x3xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%I, %w : tensor<1x9x9x3xf32>, tensor<3x3xf32>) outs(%f : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %r : tensor<1x4x4x3xf32>
}
// check: @pool
// check: mdh.compute "pooling_nhwc_max" (d0 in 1, d1 in 4, d2 in 4, d3 in 3, d4 in 3 pw max, d5 in 3 pw max) ins(%arg0 = %I[d0, 2 * d1 + d4, 2 * d2 + d5, d3]) outs([d0, d1, d2, d3])

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @two(%A: tensor<4x6xf32>, %s: tensor<4xf32>, %m: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%A : tensor<4x6xf32>) outs(%s, %m : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %a: f32, %b: f32):
    %0 = arith.addf %a, %x : f32
    %1 = arith.maximumf %b, %x : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
// check: @two
// check: d1 in 6 pw (add, max)) ins(%arg0 = %A[d0, d1]) outs([d0] into %s, [d0] into %m)

func.func @places(%A: tensor<4x6xf32>) -> (tensor<2x3xf32>, tensor<24xf32>, tensor<2x2x6xf32>, tensor<8x6xf32>, index) {
  %one = arith.constant 1 : index
  %t = tensor.cast %A : tensor<4x6xf32> to tensor<?x6xf32>
  %u = tensor.cast %t : tensor<?x6xf32> to tensor<4x6xf32>
  %p = tensor.extract_slice %u[%one, 0] [2, 3] [1, %one] : tensor<4x6xf32> to tensor<2x3xf32>
  %c = tensor.collapse_shape %A [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %e = tensor.expand_shape %A [[0, 1], [2]] output_shape [2, 2, 6] : tensor<4x6xf32> into tensor<2x2x6xf32>
  %j = tensor.concat dim(0) %A, %A : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %n = tensor.dim %A, %one : tensor<4x6xf32>
  return %p, %c, %e, %j, %n : tensor<2x3xf32>, tensor<24xf32>, tensor<2x2x6xf32>, tensor<8x6xf32>, index
}
// check: @places
// check: ins(%arg0 = %A[d0 + 1, d1]) outs([d0, d1])
// check: ins(%arg0 = %A[d0 floordiv 6, d0 mod 6]) outs([d0])
// check: ins(%arg0 = %A[2 * d0 + d1, d2]) outs([d0, d1, d2])
// check: tensor.insert_slice %A into {{.*}}[4, 0] [4, 6] [1, 1]
// check: arith.constant 6 : index

#i1 = affine_map<(i) -> (i)>
func.func @gather(%T: tensor<50xf32>, %P: tensor<300xi32>) -> tensor<300xf32> {
  %e = tensor.empty() : tensor<300xf32>
  %r = linalg.generic {indexing_maps = [#i1, #i1], iterator_types = ["parallel"]} ins(%P : tensor<300xi32>) outs(%e : tensor<300xf32>) {
  ^bb0(%p: i32, %o: f32):
    %mask = arith.constant 31 : i32
    %q = arith.andi %p, %mask : i32
    %k = arith.index_cast %q : i32 to index
    %x = tensor.extract %T[%k] : tensor<50xf32>
    linalg.yield %x : f32
  } -> tensor<300xf32>
  return %r : tensor<300xf32>
}
// check: @gather
// check: ins(%arg0 = %P[d0], %arg1 = %T) outs([d0])

// Without sign: the same reductions by other operators.
func.func @unsigned(%I: tensor<1x6x6x2xi8>) -> (tensor<1x3x3x2xi8>, tensor<1x3x3x2xi8>) {
  %w = tensor.empty() : tensor<2x2xi8>
  %z = arith.constant 0 : i8
  %f = arith.constant -1 : i8
  %e = tensor.empty() : tensor<1x3x3x2xi8>
  %o = linalg.fill ins(%z : i8) outs(%e : tensor<1x3x3x2xi8>) -> tensor<1x3x3x2xi8>
  %p = linalg.fill ins(%f : i8) outs(%e : tensor<1x3x3x2xi8>) -> tensor<1x3x3x2xi8>
  %r = linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%I, %w : tensor<1x6x6x2xi8>, tensor<2x2xi8>) outs(%o : tensor<1x3x3x2xi8>) -> tensor<1x3x3x2xi8>
  %s = linalg.pooling_nhwc_min_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%I, %w : tensor<1x6x6x2xi8>, tensor<2x2xi8>) outs(%p : tensor<1x3x3x2xi8>) -> tensor<1x3x3x2xi8>
  return %r, %s : tensor<1x3x3x2xi8>, tensor<1x3x3x2xi8>
}
// check: @unsigned
// check: pw maxui, d5 in 2 pw maxui) {{.*}} outs([d0, d1, d2, d3]) {
// check: pw minui, d5 in 2 pw minui) {{.*}} outs([d0, d1, d2, d3]) {
