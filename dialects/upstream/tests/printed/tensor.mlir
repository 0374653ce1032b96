module {
  func.func @f(%arg0: tensor<8x8xf32>, %arg1: index) -> (tensor<?x2xf32>, tensor<4xf32>) {
    %extracted_slice = tensor.extract_slice %arg0[%arg1, 1] [%arg1, 2] [2, 1] : tensor<8x8xf32> to tensor<?x2xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, 1] [4, 1] [2, 1] : tensor<8x8xf32> to tensor<4xf32>
    %0 = tensor.empty(%arg1) : tensor<?x4xf32>
    %dim = tensor.dim %0, %arg1 : tensor<?x4xf32>
    %extracted = tensor.extract %arg0[%arg1, %dim] : tensor<8x8xf32>
    %padded = tensor.pad %arg0 low[%arg1, 1] high[1, %dim] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %extracted : f32
    } : tensor<8x8xf32> to tensor<?x?xf32>
    %padded_1 = tensor.pad %arg0 nofold low[1, 1] high[1, 2] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %extracted : f32
    } : tensor<8x8xf32> to tensor<10x11xf32>
    %from_elements = tensor.from_elements %extracted, %extracted : tensor<2xf32>
    %splat = tensor.splat %extracted : tensor<2x3xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
    %expanded = tensor.expand_shape %collapsed [[0, 1]] output_shape [4, 16] : tensor<64xf32> into tensor<4x16xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice_0 into %arg0[0, %arg1] [4, 1] [2, 1] : tensor<4xf32> into tensor<8x8xf32>
    %inserted = tensor.insert %extracted into %arg0[%arg1, %arg1] : tensor<8x8xf32>
    %concat = tensor.concat dim(0) %arg0, %arg0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    return %extracted_slice, %extracted_slice_0 : tensor<?x2xf32>, tensor<4xf32>
  }
}

