// test: round-trip

func.func @f(%m: memref<8x16xf32>, %d: memref<?x?xf32>, %u: memref<*xf32>, %n: index, %b: memref<2048xi8>, %one: memref<64xf32>, %sh: memref<2xi32>, %tag: memref<1xi32>, %dy: memref<?xf32>) -> f32 {
  memref.prefetch %m[%n, %n], write, locality<2>, instr : memref<8x16xf32>
  %a = memref.assume_alignment %m, 16 : memref<8x16xf32>
  %e:2 = memref.distinct_objects %m, %d : memref<8x16xf32>, memref<?x?xf32>
  %c = memref.memory_space_cast %m : memref<8x16xf32> to memref<8x16xf32, 3>
  %r = memref.rank %u : memref<*xf32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<8x16xf32> -> index
  %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<8x16xf32> -> memref<f32>, index, index, index, index, index
  %x = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  %y = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32> into memref<128xf32>
  %x2 = memref.expand_shape %d [[0, 1], [2]] output_shape [%n, 4, %n] : memref<?x?xf32> into memref<?x4x?xf32>
  %t = memref.transpose %m (i, j) -> (j, i) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
  %rs = memref.reshape %m(%sh) : (memref<8x16xf32>, memref<2xi32>) -> memref<?x?xf32>
  %v = memref.view %b[%n][%n] : memref<2048xi8> to memref<64x?xf32>
  %v2 = memref.view %b[%n][] : memref<2048xi8> to memref<64x4xf32>
  %ra = memref.realloc %one {alignment = 8} : memref<64xf32> to memref<124xf32>
  %rb = memref.realloc %dy(%n) : memref<?xf32> to memref<?xf32>
  memref.alloca_scope {
    %q = memref.alloca() : memref<4xf32>
  }
  %z = memref.alloca_scope -> f32 {
    %cc = arith.constant 1.0 : f32
    memref.alloca_scope.return %cc : f32
  }
  memref.dma_start %m[%n, %n], %d[%n, %n], %n, %tag[%n] : memref<8x16xf32>, memref<?x?xf32>, memref<1xi32>
  memref.dma_start %m[%n, %n], %d[%n, %n], %n, %tag[%n], %n, %n : memref<8x16xf32>, memref<?x?xf32>, memref<1xi32>
  memref.dma_wait %tag[%n], %n : memref<1xi32>
  return %z : f32
}
