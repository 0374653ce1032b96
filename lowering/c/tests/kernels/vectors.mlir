// Vectors of every kind of memory, with and without masks, of sizes that the languages have and have not.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @stir(%in: memref<?xf32>, %out: memref<?xf32>, %n: index)
        workgroup(%w : memref<64xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c7 = arith.constant 7 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant dense<0.0> : vector<8xf32>
      %ramp = arith.constant dense<[0.5, 1.5, -1.0, 2.0, 3.0, -0.25, 8.0, 1.0]> : vector<8xf32>
      %t = gpu.thread_id x
      %at = arith.muli %t, %c8 : index
      %rest = arith.subi %n, %at : index
      %m = vector.create_mask %rest : vector<8xi1>
      %a = vector.maskedload %in[%at], %m, %zero : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
      %b = vector.fma %a, %ramp, %a : vector<8xf32>
      vector.store %b, %w[%at] : memref<64xf32, #gpu.address_space<workgroup>>, vector<8xf32>
      gpu.barrier
      %other = arith.subi %c7, %t : index
      %back = arith.muli %other, %c8 : index
      %c = vector.load %w[%back] : memref<64xf32, #gpu.address_space<workgroup>>, vector<8xf32>
      %d = arith.maximumf %c, %b : vector<8xf32>
      %less = arith.cmpf olt, %c, %b : vector<8xf32>
      %e = arith.select %less, %d, %a : vector<8xi1>, vector<8xf32>
      %x = vector.extract %e[5] : f32 from vector<8xf32>
      %f = vector.insert %x, %e [0] : f32 into vector<8xf32>
      %s = vector.reduction <add>, %f : vector<8xf32> into f32
      %g = vector.insert %s, %f [1] : f32 into vector<8xf32>
      %three = vector.shuffle %g, %ramp [1, 9, 7] : vector<8xf32>, vector<8xf32>
      %most = vector.reduction <maxnumf>, %three : vector<3xf32> into f32
      %h = vector.insert %most, %g [2] : f32 into vector<8xf32>
      vector.maskedstore %out[%at], %m, %h : memref<?xf32>, vector<8xi1>, vector<8xf32>
      gpu.return
    }
  }
  func.func @main(%in: memref<?xf32>, %out: memref<?xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@stir blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%in : memref<?xf32>, %out : memref<?xf32>, %n : index)
    return
  }
}
