// What lanes exchange; memory whose size the launch says.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @lanes(%in: memref<64xf32>, %out: memref<64xf32>, %ints: memref<64xi32>)
        kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %t = gpu.thread_id x
      %x = memref.load %in[%t] : memref<64xf32>
      %n = memref.load %ints[%t] : memref<64xi32>
      %sum = gpu.subgroup_reduce add %x : (f32) -> f32
      %most = gpu.subgroup_reduce maxsi %n cluster(size = 8) : (i32) -> i32
      %other, %valid = gpu.shuffle xor %x, %one, %width : f32
      %next, %inside = gpu.rotate %x, 3, 16 : f32
      %first = gpu.subgroup_broadcast %n, first_active_lane : i32
      %lane = gpu.lane_id
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %floats = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
      %a = arith.addf %sum, %other : f32
      %b = arith.select %inside, %next, %a : f32
      %c = arith.select %valid, %b, %x : f32
      memref.store %c, %floats[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %d = memref.load %floats[%lane] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %d, %out[%t] : memref<64xf32>
      %m = arith.addi %most, %first : i32
      memref.store %m, %ints[%t] : memref<64xi32>
      gpu.return
    }
  }
}
