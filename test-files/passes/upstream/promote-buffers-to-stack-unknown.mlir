// test: opt --pipeline="func.func(promote-buffers-to-stack)" --allow-unregistered-dialect

// An op that nothing is known of may free or keep it.
func.func @unknown() {
  %m = memref.alloc() : memref<4xf32>
  "mine.keep"(%m) : (memref<4xf32>) -> ()
  return
}
// check: func.func @unknown
// next: %m = memref.alloc()

// An op that does not say when it runs its regions: often, or later.
func.func @regions(%x: f32) {
  %c0 = arith.constant 0 : index
  %outer = memref.alloc() : memref<4xf32>
  "mine.region"() ({
    %inner = memref.alloc() : memref<4xf32>
    memref.store %x, %inner[%c0] : memref<4xf32>
    memref.store %x, %outer[%c0] : memref<4xf32>
    "mine.end"() : () -> ()
  }) : () -> ()
  return
}
// check: func.func @regions
// check: %outer = memref.alloc()
// check: %inner = memref.alloc()
