// What the verifier refuses, in upstream's words but for the last parts of constraints that several ops share.
// test: opt --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @clusters(%n: index) {
  // expected-error @+1 {{cluster size must be all present}}
  "gpu.launch"(%n, %n, %n, %n, %n, %n, %n) ({
  ^bb0(%a: index, %b: index, %c: index, %d: index, %e: index, %f: index,
       %g: index, %h: index, %i: index, %j: index, %k: index, %l: index):
    gpu.terminator
  }) {operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>} : (index, index, index, index, index, index, index) -> ()
  return
}

// -----

func.func @arguments(%n: index) {
  // expected-error @+1 {{unexpected number of region arguments}}
  "gpu.launch"(%n, %n, %n, %n, %n, %n) ({
  ^bb0(%a: index):
    gpu.terminator
  }) {operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>} : (index, index, index, index, index, index) -> ()
  return
}

// -----

func.func @no_terminator(%n: index) {
  // expected-note @+1 {{in 'gpu.launch' body region}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error @+1 {{expected 'gpu.terminator' or a terminator with successors}}
    "gpu.yield"() : () -> ()
  }
  return
}

// -----

func.func @attribution(%n: index) {
  // expected-error @+1 {{expected memref type in attribution}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) workgroup(%w : i32) {
    gpu.terminator
  }
  return
}

// -----

func.func @space(%n: index) {
  // expected-error @+1 {{expected memory space workgroup in attribution}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n)
             workgroup(%w : memref<4xf32, #gpu.address_space<private>>) {
    gpu.terminator
  }
  return
}

// -----

func.func @stray() {
  // expected-error @+1 {{expects parent op 'gpu.launch'}}
  "gpu.terminator"() : () -> ()
}

// -----

func.func @container(%n: index) {
  // expected-error @+1 {{expected the closest surrounding module to have the 'gpu.container_module' attribute}}
  gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----

module attributes {gpu.container_module} {
  func.func @nothing(%n: index) {
    // expected-error @+1 {{kernel container 'm' is undefined}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  module @m {
  }
  func.func @module(%n: index) {
    // expected-error @+1 {{kernel module 'm' is undefined}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
  }
  func.func @function(%n: index) {
    // expected-error @+1 {{kernel function '@m::@k' is undefined}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k() {
      gpu.return
    }
  }
  func.func @no_kernel(%n: index) {
    // expected-error @+1 {{kernel function is missing the 'gpu.kernel' attribute}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: i32) kernel {
      gpu.return
    }
  }
  func.func @count(%n: index) {
    // expected-error @+1 {{got 0 kernel operands but expected 1}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: i32) kernel {
      gpu.return
    }
  }
  func.func @types(%n: index) {
    // expected-error @+1 {{type of function argument 0 does not match}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    return
  }
}

// -----

// expected-error @+1 {{attribute 'targets' failed to satisfy constraint: array of GPU target attributes with at least 1 elements}}
gpu.module @m [] {
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected void return type for kernel function}}
  gpu.func @k() -> i32 kernel {
    %c = arith.constant 1 : i32
    gpu.return %c : i32
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected body with at least one block}}
  "gpu.func"() ({
  }) {function_type = () -> (), sym_name = "k"} : () -> ()
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected at least 1 arguments to body region}}
  "gpu.func"() ({
    gpu.return
  }) {function_type = (i32) -> (), sym_name = "k"} : () -> ()
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected body region argument #0 to be of type 'i32', got 'f32'}}
  "gpu.func"() ({
  ^bb0(%x: f32):
    gpu.return
  }) {function_type = (i32) -> (), sym_name = "k"} : () -> ()
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected memory space private in attribution}}
  gpu.func @k() private(%w : memref<4xf32, #gpu.address_space<global>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-note @+1 {{return type declared here}}
  gpu.func @f() -> i32 {
    // expected-error @+1 {{expected 1 result operands}}
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @f(%x: f32) -> i32 {
    // expected-error @+1 {{unexpected type `'f32'' for operand #0}}
    gpu.return %x : f32
  }
}

// -----

func.func @return() {
  // expected-error @+1 {{expects parent op 'gpu.func'}}
  "gpu.return"() : () -> ()
}

// -----

func.func @rotate(%x: f32) {
  // expected-error @+1 {{offset must be in the range [0, 16)}}
  %y, %v = gpu.rotate %x, 16, 16 : f32
  return
}

// -----

func.func @width(%x: f32) {
  // expected-error @+1 {{attribute 'width' failed to satisfy constraint: 32-bit signless integer attribute whose value is a power of two > 0}}
  %y, %v = "gpu.rotate"(%x) <{offset = 4 : i32, width = 12 : i32}> : (f32) -> (f32, i1)
  return
}

// -----

func.func @shuffle(%x: f32, %n: i32) {
  // expected-error @+1 {{requires the same type for `value` and `shuffle_result`}}
  %y, %v = "gpu.shuffle"(%x, %n, %n) <{mode = #gpu<shuffle_mode xor>}> : (f32, i32, i32) -> (i32, i1)
  return
}

// -----

func.func @shuffled(%x: index, %n: i32) {
  // expected-error @+1 {{operand #0 must be Integer or Float or fixed-length vector of Integer or Float values of ranks 1, but got 'index'}}
  %y, %v = gpu.shuffle xor %x, %n, %n : index
  return
}

// -----

func.func @no_lane(%x: f32) {
  // expected-error @+1 {{lane must be specified for `specific_lane` broadcast}}
  %y = gpu.subgroup_broadcast %x, specific_lane : f32
  return
}

// -----

func.func @lane(%x: f32, %l: i32) {
  // expected-error @+1 {{lane can only be specified for `specific_lane` broadcast}}
  %y = gpu.subgroup_broadcast %x, first_active_lane %l : f32
  return
}

// -----

func.func @neither(%x: f32) {
  // expected-error @+1 {{expected either an op attribute or a non-empty body}}
  %y = gpu.all_reduce %x {
  } : (f32) -> f32
  return
}

// -----

func.func @operator(%x: f32) {
  // expected-error @+1 {{`and` reduction operation is not compatible with type 'f32'}}
  %y = gpu.all_reduce and %x {
  } : (f32) -> f32
  return
}

// -----

func.func @two(%x: f32) {
  // expected-error @+1 {{expected two region arguments}}
  %y = gpu.all_reduce %x {
  ^bb0(%a: f32):
    gpu.yield %a : f32
  } : (f32) -> f32
  return
}

// -----

func.func @argument(%x: f32) {
  // expected-error @+1 {{incorrect region argument type}}
  %y = gpu.all_reduce %x {
  ^bb0(%a: f32, %b: i32):
    gpu.yield %a : f32
  } : (f32) -> f32
  return
}

// -----

func.func @yields(%x: f32) {
  // expected-error @+1 {{expected gpu.yield op in region}}
  %y = gpu.all_reduce %x {
  ^bb0(%a: f32, %b: f32):
    "test.end"() : () -> ()
  } : (f32) -> f32
  return
}

// -----

func.func @one_yield(%x: f32) {
  // expected-error @+1 {{expected one gpu.yield operand}}
  %y = gpu.all_reduce %x {
  ^bb0(%a: f32, %b: f32):
    gpu.yield
  } : (f32) -> f32
  return
}

// -----

func.func @yield_type(%x: f32) {
  // expected-error @+1 {{incorrect gpu.yield type}}
  %y = gpu.all_reduce %x {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant 1 : i32
    gpu.yield %c : i32
  } : (f32) -> f32
  return
}

// -----

func.func @reduce(%x: vector<4xf32>) {
  // expected-error @+1 {{`maxsi` reduction operation is not compatible with type 'vector<4xf32>'}}
  %y = gpu.subgroup_reduce maxsi %x : (vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @cluster(%x: f32) {
  // expected-error @+1 {{cluster size 3 is not a power of two}}
  %y = gpu.subgroup_reduce add %x cluster(size = 3) : (f32) -> f32
  return
}

// -----

func.func @stride(%x: f32) {
  // expected-error @+1 {{cluster stride 3 is not a power of two}}
  %y = gpu.subgroup_reduce add %x cluster(size = 4, stride = 3) : (f32) -> f32
  return
}

// -----

func.func @stride_alone(%x: f32) {
  // expected-error @+1 {{cluster stride can only be specified if cluster size is specified}}
  %y = "gpu.subgroup_reduce"(%x) <{op = #gpu<all_reduce_op add>, cluster_stride = 4 : i32}> : (f32) -> f32
  return
}

// -----

func.func @warp_args(%lane: index, %x: vector<4xi32>) {
  // expected-error @+1 {{expected same number op arguments and block arguments.}}
  gpu.warp_execute_on_lane_0(%lane)[32] args(%x : vector<4xi32>) {
  ^bb0:
  }
  return
}

// -----

func.func @warp_results(%lane: index) {
  // expected-error @+1 {{expected same number of yield operands and return values.}}
  %r = gpu.warp_execute_on_lane_0(%lane)[32] -> (i32) {
    gpu.yield
  }
  return
}

// -----

func.func @warp_scalar(%lane: index) {
  // expected-error @+1 {{expected vector type for distributed operands.}}
  %r = gpu.warp_execute_on_lane_0(%lane)[32] -> (i32) {
    %c = arith.constant 1 : i64
    gpu.yield %c : i64
  }
  return
}

// -----

func.func @warp_size(%lane: index) {
  // expected-error @+1 {{incompatible distribution dimensions from 'vector<64xi32>' to 'vector<1xi32>' with warp size = 32}}
  %r = gpu.warp_execute_on_lane_0(%lane)[32] -> (vector<1xi32>) {
    %c = arith.constant dense<1> : vector<64xi32>
    gpu.yield %c : vector<64xi32>
  }
  return
}

// -----

func.func @sizes() {
  // expected-error @+1 {{incorrect number of dynamic sizes, has 0, expected 1}}
  %m = gpu.alloc () : memref<?xf32>
  return
}

// -----

func.func @symbols(%n: index) {
  // expected-error @+1 {{symbol operand count does not equal memref symbol count}}
  %m = gpu.alloc (%n)[%n] : memref<?xf32>
  return
}

// -----

func.func @element(%a: memref<4xf32>, %b: memref<4xi32>) {
  // expected-error @+1 {{arguments have incompatible element type}}
  gpu.memcpy %a, %b : memref<4xf32>, memref<4xi32>
  return
}

// -----

func.func @shape(%a: memref<4xf32>, %b: memref<5xf32>) {
  // expected-error @+1 {{arguments have incompatible shape}}
  gpu.memcpy %a, %b : memref<4xf32>, memref<5xf32>
  return
}

// -----

func.func @fill(%a: memref<4xf32>, %x: i32) {
  // expected-error @+1 {{requires the same element type for `dst` and `value`}}
  gpu.memset %a, %x : memref<4xf32>, i32
  return
}

// -----

func.func @dynamic_space() {
  // expected-error @+1 {{address space must be address_space<workgroup>}}
  %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<private>>
  return
}

// -----

func.func @dynamic_size() {
  // expected-error @+1 {{result memref type must be memref<?xi8, #gpu.address_space<workgroup>>}}
  %m = gpu.dynamic_shared_memory : memref<4xi8, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @dynamic_element() {
  // expected-error @+1 {{result #0 must be 1D memref of 8-bit signless integer values, but got 'memref<?xf32, #gpu.address_space<workgroup>>'}}
  %m = "gpu.dynamic_shared_memory"() : () -> memref<?xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @dimension() {
  // expected-error @+1 {{expected one of x, y, z for `gpu.dim`}}
  %x = gpu.thread_id w
  return
}
