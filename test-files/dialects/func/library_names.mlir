// Functions and buffers may have names that the C library has: texts in C include its headers.
// test: opt --pipeline="builtin.module(canonicalize)"

memref.global "private" constant @remove : memref<2xf32> = dense<[1.0, 2.0]>

func.func private @strlen(%x: f32) -> f32 {
  %r = arith.addf %x, %x : f32
  return %r : f32
}

func.func @nan(%x: f32) -> (f32, i1) {
  %nan = arith.constant 0x7FC00000 : f32
  %p = arith.cmpf uno, %x, %nan : f32
  %q = math.absf %x : f32
  return %q, %p : f32, i1
}
// eval: @nan(-2.0) == (2.0, true)

func.func @scalbn(%x: f32, %i: index) -> f32 {
  %m = memref.get_global @remove : memref<2xf32>
  %a = memref.load %m[%i] : memref<2xf32>
  %b = func.call @strlen(%x) : (f32) -> f32
  %c = arith.mulf %a, %b : f32
  return %c : f32
}
// eval: @scalbn(3.0, 0) == 6.0
// eval: @scalbn(3.0, 1) == 12.0

func.func @system(%x: f32) -> f32 {
  %a:2 = func.call @nan(%x) : (f32) -> (f32, i1)
  %b = math.sqrt %a#0 : f32
  return %b : f32
}
// eval: @system(-16.0) == 4.0
// check: func.func @system
