// test: opt --pipeline="func.func(linalg-to-mdh)" --split-input-file --verify-diagnostics

func.func @dynamic(%A: tensor<?x6xf32>, %o: tensor<?xf32>, %b: tensor<6xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{[E0644]: 'linalg.matvec' op L-DYN: a size is not a number}}
  %r = linalg.matvec ins(%A, %b : tensor<?x6xf32>, tensor<6xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @difference(%A: tensor<4x6xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{L-BODY: output 0 is not `out ⊕ e`}}
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%A : tensor<4x6xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %s: f32):
    %0 = arith.subf %x, %s : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @twice(%A: tensor<4x6xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{L-BODY: output 0 is read by more than its own operator}}
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%A : tensor<4x6xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %s: f32):
    %0 = arith.mulf %s, %x : f32
    %1 = arith.addf %s, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func @read() -> tensor<4xf32> {
  // expected-error @+1 {{L-BODY: elements of an empty tensor are read}}
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----
func.func @turned(%A: memref<4x4xf32>) {
  // expected-error @+1 {{L-ALIAS: input 0 is output 0, and points read elements that other points write; copy the input before}}
  linalg.transpose ins(%A : memref<4x4xf32>) outs(%A : memref<4x4xf32>) permutation = [1, 0]
  return
}

// -----
func.func @parts(%A: memref<8xf32>) {
  %a = memref.subview %A[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  %b = memref.subview %A[1] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1], offset: 1>>
  // expected-error @+1 {{L-ALIAS: input 0 and output 0 are parts of one buffer: whether they overlap is not looked at}}
  linalg.exp ins(%a : memref<7xf32, strided<[1]>>) outs(%b : memref<7xf32, strided<[1], offset: 1>>)
  return
}

// -----
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// Which of two equal elements it is depends on the order: an operator of the author, which linalg can't name.
func.func @place_of_largest(%A: tensor<4x6xf32>, %o: tensor<4xf32>, %p: tensor<4xindex>) -> (tensor<4xf32>, tensor<4xindex>) {
  // expected-error @+1 {{L-BODY: output 0 is not combined by an operator that has a name: add, mul, min, max, and, or, xor}}
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%A : tensor<4x6xf32>) outs(%o, %p : tensor<4xf32>, tensor<4xindex>) {
  ^bb0(%x: f32, %s: f32, %q: index):
    %k = linalg.index 1 : index
    %c = arith.cmpf ogt, %x, %s : f32
    %0 = arith.select %c, %x, %s : f32
    %1 = arith.select %c, %k, %q : index
    linalg.yield %0, %1 : f32, index
  } -> (tensor<4xf32>, tensor<4xindex>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xindex>
}

// -----
func.func @beyond_numbers(%a: tensor<4000000000x4000000000x4000000000xf32>, %o: tensor<4000000000x4000000000x4000000000xf32>) -> tensor<4000000000x4000000000x4000000000xf32> {
  // expected-error @+1 {{points are too many: 2^48 at most}}
  %r = linalg.exp ins(%a : tensor<4000000000x4000000000x4000000000xf32>) outs(%o : tensor<4000000000x4000000000x4000000000xf32>) -> tensor<4000000000x4000000000x4000000000xf32>
  return %r : tensor<4000000000x4000000000x4000000000xf32>
}
