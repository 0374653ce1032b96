// test: opt
// check: gpu.module

// A tile of 16 x 16 on tensor cores, carried over k.
gpu.module @kernels {
  gpu.func @product(%a: memref<64x256xf16>, %b: memref<256x64xf16>, %c: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %x = gpu.block_id x
    %y = gpu.block_id y
    %i = arith.muli %x, %c16 : index
    %j = arith.muli %y, %c16 : index
    %start = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    cf.br ^head(%c0, %start : index, !gpu.mma_matrix<16x16xf32, "COp">)
  ^head(%k: index, %sum: !gpu.mma_matrix<16x16xf32, "COp">):
    %more = arith.cmpi slt, %k, %c256 : index
    cf.cond_br %more, ^body, ^done
  ^body:
    %p = gpu.subgroup_mma_load_matrix %a[%i, %k] {leadDimension = 256 : index} : memref<64x256xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %q = gpu.subgroup_mma_load_matrix %b[%k, %j] {leadDimension = 64 : index} : memref<256x64xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %next = gpu.subgroup_mma_compute %p, %q, %sum : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    %l = arith.addi %k, %c16 : index
    cf.br ^head(%l, %next : index, !gpu.mma_matrix<16x16xf32, "COp">)
  ^done:
    %half = arith.constant 0.5 : f32
    %h = gpu.subgroup_mma_constant_matrix %half : !gpu.mma_matrix<16x16xf32, "COp">
    %scaled = gpu.subgroup_mma_elementwise mulf %sum, %h : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %scaled, %c[%i, %j] {leadDimension = 64 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<64x64xf32>
    gpu.return
  }
}
