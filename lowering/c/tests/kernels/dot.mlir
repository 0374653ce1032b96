// Sums of products of two, three and four lanes, some of which permit any order; and of four bytes.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @dots(%x: memref<64xf32>, %y: memref<64xf32>, %p: memref<64xi8>, %q: memref<64xi8>, %out: memref<64xf32>, %n: memref<32xi32>)
        kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %at = arith.muli %t, %c4 : index
      %a4 = vector.load %x[%at] : memref<64xf32>, vector<4xf32>
      %b4 = vector.load %y[%at] : memref<64xf32>, vector<4xf32>
      %m4 = arith.mulf %a4, %b4 fastmath<contract> : vector<4xf32>
      %s4 = vector.reduction <add>, %m4 fastmath<reassoc,contract> : vector<4xf32> into f32
      memref.store %s4, %out[%at] : memref<64xf32>
      %a3 = vector.load %x[%at] : memref<64xf32>, vector<3xf32>
      %b3 = vector.load %y[%at] : memref<64xf32>, vector<3xf32>
      %m3 = arith.mulf %a3, %b3 fastmath<contract> : vector<3xf32>
      %s3 = vector.reduction <add>, %m3, %s4 fastmath<reassoc,contract> : vector<3xf32> into f32
      %at1 = arith.addi %at, %c1 : index
      memref.store %s3, %out[%at1] : memref<64xf32>
      %a2 = vector.load %x[%at] : memref<64xf32>, vector<2xf32>
      %b2 = vector.load %y[%at] : memref<64xf32>, vector<2xf32>
      %m2 = arith.mulf %a2, %b2 fastmath<reassoc,contract> : vector<2xf32>
      %s2 = vector.reduction <add>, %m2 fastmath<reassoc,contract> : vector<2xf32> into f32
      %at2 = arith.addi %at, %c2 : index
      memref.store %s2, %out[%at2] : memref<64xf32>
      // In order.
      %o4 = arith.mulf %b4, %b4 : vector<4xf32>
      %r4 = vector.reduction <add>, %o4 : vector<4xf32> into f32
      %at3 = arith.addi %at, %c3 : index
      memref.store %r4, %out[%at3] : memref<64xf32>
      %p4 = vector.load %p[%at] : memref<64xi8>, vector<4xi8>
      %q4 = vector.load %q[%at] : memref<64xi8>, vector<4xi8>
      %pw = arith.extsi %p4 : vector<4xi8> to vector<4xi32>
      %qw = arith.extsi %q4 : vector<4xi8> to vector<4xi32>
      %mw = arith.muli %pw, %qw : vector<4xi32>
      %sw = vector.reduction <add>, %mw : vector<4xi32> into i32
      memref.store %sw, %n[%t] : memref<32xi32>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>, %y: memref<64xf32>, %p: memref<64xi8>, %q: memref<64xi8>, %out: memref<64xf32>, %n: memref<32xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@dots blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>, %p : memref<64xi8>, %q : memref<64xi8>, %out : memref<64xf32>, %n : memref<32xi32>)
    return
  }
}
