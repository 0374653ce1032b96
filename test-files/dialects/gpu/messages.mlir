// test: opt --split-input-file --verify-diagnostics

func.func @buffers(%i: index, %ix: memref<?xindex>, %v: memref<?xf64>) {
  // expected-error @+1 {{expected a type for each buffer}}
  %a = gpu.create_coo %i, %i, %i, %ix, %ix, %v : memref<?xindex>, memref<?xindex>
  return
}

// -----

func.func @more_types(%i: index, %v: memref<?xf64>) {
  // expected-error @+1 {{expected a type for each buffer}}
  %a = gpu.create_csr %i, %i, %i, %v, %v, %v : memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>
  return
}

// -----

func.func @stride(%m: memref<32x32xf32, strided<[64, 2]>>, %i: index, %x: f32) {
  %c = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf32, "COp">
  // expected-error @+1 {{expected destination memref most minor dim must have unit stride}}
  gpu.subgroup_mma_store_matrix %c, %m[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32, strided<[64, 2]>>
  return
}

// -----

func.func @value(%x: f16) {
  // expected-error @+1 {{failed to verify that value type matches element type of mma_matrix}}
  %c = "gpu.subgroup_mma_constant_matrix"(%x) : (f16) -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}

// -----

func.func @no_matrix(%x: f16) {
  // expected-error @+1 {{expected a gpu.mma_matrix}}
  %c = gpu.subgroup_mma_constant_matrix %x : f16
  return
}

// -----

func.func @elementwise(%x: f16, %y: f32) {
  %a = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf16, "COp">
  %b = gpu.subgroup_mma_constant_matrix %y : !gpu.mma_matrix<16x16xf32, "COp">
  // expected-error @+1 {{have same type}}
  %c = gpu.subgroup_mma_elementwise addf %a, %b : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
  return
}
