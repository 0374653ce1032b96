// test: round-trip


func.func @f(%m: memref<32x32xf16, 3>, %i: index, %x: f16, %c: memref<32x32xf32>, %dep: !gpu.async.token, %d: memref<?xf64>, %ix: memref<?xindex>, %b: memref<?xi8>) {
  %0 = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %1 = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index, transpose} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %2 = gpu.subgroup_mma_load_matrix %c[%i, %i] {leadDimension = 32 : index} : memref<32x32xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
  %3 = gpu.subgroup_mma_compute %0, %1, %2 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  %b3 = gpu.subgroup_mma_compute %0, %1, %2 {a_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  gpu.subgroup_mma_store_matrix %3, %c[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32>
  %4 = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf16, "COp">
  %5 = gpu.subgroup_mma_elementwise addf %4, %4 : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
  %6 = gpu.subgroup_mma_extract_thread_local %4[%i] : !gpu.mma_matrix<16x16xf16, "COp"> -> f16
  %7 = gpu.subgroup_mma_insert_thread_local %6, %4[%i] : f16, !gpu.mma_matrix<16x16xf16, "COp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  %dn, %t0 = gpu.create_dn_tensor async [%dep] %d, %i : index into memref<?xf64>
  %dn2, %t0b = gpu.create_dn_tensor async [%dep] %d, %i, %i : index, index into memref<?xf64>
  %dn3 = gpu.create_dn_tensor %d, %i, %i : index, index into memref<?xf64>
  %coo, %t1 = gpu.create_coo async [%t0] %i, %i, %i, %ix, %ix, %d : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %aos, %t2 = gpu.create_coo_aos async [%t0] %i, %i, %i, %ix, %d : memref<?xindex>, memref<?xf64>
  %csr, %t3 = gpu.create_csr async [%t0] %i, %i, %i, %ix, %ix, %d : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %csc, %t4 = gpu.create_csc async %i, %i, %i, %ix, %ix, %d : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %bsr = gpu.create_bsr %i, %i, %i, %i, %i, %ix, %ix, %d : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %s24, %t5 = gpu.create_2to4_spmat async [%t4] {PRUNE_AND_CHECK} %i, %i, %d : memref<?xf64>
  %sz, %t6 = gpu.spmv_buffer_size async [%t4] %csr, %dn, %dn into f64
  %sz2, %t6b = gpu.spmv_buffer_size async [%t4] %csr{TRANSPOSE}, %dn, %dn into f64
  %t7 = gpu.spmv async [%t6] %csr{TRANSPOSE}, %dn, %dn, %b : memref<?xi8> into f64
  %sz3:2, %t8 = gpu.spmm_buffer_size async [%t6] %csr{TRANSPOSE}, %dn2, %dn2 : index, index into f64
  %t9 = gpu.spmm async [%t8] %csr, %dn2{CONJUGATE_TRANSPOSE}, %dn2, %b : memref<?xi8> into f64
  %sz4, %t10 = gpu.sddmm_buffer_size async [%t9] %dn2{TRANSPOSE}, %dn2, %csr into f32
  %t11 = gpu.sddmm async [%t10] %dn2{TRANSPOSE}, %dn2, %csr, %b : memref<?xi8> into f32
  %desc, %t12 = gpu.spgemm_create_descr async [%t11]
  %sz5, %t13 = gpu.spgemm_work_estimation_or_compute async [%t12] {COMPUTE} %csr, %csr{TRANSPOSE}, %csr, %desc, %i, %b : f32 into memref<?xi8>
  %t14 = gpu.spgemm_copy async [%t13] %csr, %csr{TRANSPOSE}, %csr, %desc : f32
  %r, %cc, %nnz, %t15 = gpu.spmat_get_size async [%t14] %csr
  %t16 = gpu.set_csr_pointers async [%t15] %csr, %ix, %ix, %d : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %t17 = gpu.spgemm_destroy_descr async [%t16] %desc
  %t18 = gpu.destroy_sp_mat async [%t17] %csr
  gpu.destroy_dn_tensor [%t18] %dn
  %t19 = gpu.destroy_dn_tensor async [%t18] %dn2
  return
}
