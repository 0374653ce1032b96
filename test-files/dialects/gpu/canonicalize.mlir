// test: opt --pipeline="func.func(canonicalize)"
// rule: gpu_barrier_twice, gpu_launch_id_of_one, gpu_all_reduce_uniform, gpu_subgroup_reduce_uniform
// rule: gpu_copy_to_nobody, gpu_wait_for_nothing, gpu_wait_for_one, gpu_wait_for_done

func.func @ids(%n: index, %m: memref<?xindex>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    memref.store %by, %m[%tx] : memref<?xindex>
    gpu.barrier
    gpu.barrier
    memref.store %tz, %m[%tx] : memref<?xindex>
    gpu.terminator
  }
  return
}
// check: func.func @ids
// check: %by = arith.constant 0 : index
// check: gpu.launch
// next: memref.store %by, %m[%tx]
// next: gpu.barrier
// next: memref.store %by, %m[%tx]
// next: gpu.terminator

func.func @uniform(%n: index, %x: f32, %m: memref<?xf32>, %c: i1) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %a = gpu.all_reduce add %x {
    } : (f32) -> f32
    memref.store %a, %m[%tx] : memref<?xf32>
    %b = gpu.subgroup_reduce mul %x : (f32) -> f32
    memref.store %b, %m[%ty] : memref<?xf32>
    scf.if %c {
      %d = gpu.all_reduce mul %x {
      } : (f32) -> f32
      memref.store %d, %m[%tz] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
// check: func.func @uniform
// check: gpu.all_reduce add %x uniform
// check: gpu.subgroup_reduce mul %x uniform
// check: scf.if
// next: gpu.all_reduce mul %x {

// The last lane alone, a value that all have.
func.func @folds(%x: f32, %l: i32) -> (f32, f32) {
  %a = gpu.subgroup_reduce add %x cluster(size = 1) : (f32) -> f32
  %b = gpu.subgroup_broadcast %x, first_active_lane : f32
  %c = gpu.subgroup_broadcast %b, specific_lane %l : f32
  return %a, %c : f32, f32
}
// check: func.func @folds
// check: %b = gpu.subgroup_broadcast %x, first_active_lane
// next: return %x, %b

func.func @unread(%s: memref<4xf32>) {
  %m = gpu.alloc () : memref<4xf32, 1>
  gpu.memcpy %m, %s : memref<4xf32, 1>, memref<4xf32>
  gpu.dealloc %m : memref<4xf32, 1>
  return
}
// check: func.func @unread
// not: gpu.memcpy
// check: return

func.func @waits(%m: memref<4xf32, 1>, %s: memref<4xf32>) {
  %none = gpu.wait async
  gpu.wait
  %t = gpu.memcpy async [%none] %m, %s : memref<4xf32, 1>, memref<4xf32>
  %one = gpu.wait async [%t]
  %done = gpu.wait async
  gpu.wait [%one, %done]
  return
}
// check: func.func @waits
// next: %none = gpu.wait async
// next: %t = gpu.memcpy async [%none]
// next: gpu.wait [%t]
// next: return

// The size of device memory is what it was made with.
func.func @size(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %m = gpu.alloc (%n) : memref<4x?xf32>
  %d = memref.dim %m, %c1 : memref<4x?xf32>
  gpu.dealloc %m : memref<4x?xf32>
  return %d : index
}
// eval: @size(7) == 7
// check: func.func @size
// not: memref.dim
// check: return %n : index
