// test: opt --pipeline=expand-floats

// Nothing of a small float stays: memory, calls, block arguments, constants, globals.
memref.global constant @table : memref<4xf8E4M3FN> = dense<[0.5, 1.0, 448.0, -2.0]>
memref.global constant @short : memref<2x2xf4E2M1FN> = dense<6.0>
func.func private @id(%x: f8E5M2) -> f8E5M2 {
  return %x : f8E5M2
}
func.func @moved(%n: index) -> (f32, f32) {
  %half = arith.constant 0.5 : f8E5M2
  %table = memref.get_global @table : memref<4xf8E4M3FN>
  %short = memref.get_global @short : memref<2x2xf4E2M1FN>
  %c0 = arith.constant 0 : index
  %one = memref.load %table[%n] : memref<4xf8E4M3FN>
  %six = memref.load %short[%c0, %c0] : memref<2x2xf4E2M1FN>
  %same = func.call @id(%half) : (f8E5M2) -> f8E5M2
  cf.br ^next(%one, %same : f8E4M3FN, f8E5M2)
^next(%a: f8E4M3FN, %b: f8E5M2):
  %wide = arith.extf %a : f8E4M3FN to f32
  %mul = arith.scaling_extf %six, %b : f4E2M1FN, f8E5M2 to f32
  return %wide, %mul : f32, f32
}
// eval: @moved(0) == (0.5, 3.0)
// eval: @moved(2) == (448.0, 3.0)
// eval: @moved(3) == (-2.0, 3.0)
// check: memref.global constant @table : memref<4xi8> = dense<[48, 56, 126, -64]>
// check: memref.global constant @short : memref<2x2xi8> = dense<7>
// check: func.func private @id(%x: i8) -> i8 {
// check: %half = arith.constant 56 : i8
// check: cf.br ^next(%one, %same : i8, i8)

// A sum is made in f32 and rounded once; a comparison is made there.
func.func @sum(%x: f32, %y: f32) -> (f32, i1) {
  %a = arith.truncf %x : f32 to f8E4M3FN
  %b = arith.truncf %y : f32 to f8E4M3FN
  %s = arith.addf %a, %b : f8E4M3FN
  %c = arith.cmpf olt, %a, %b : f8E4M3FN
  %r = arith.extf %s : f8E4M3FN to f32
  return %r, %c : f32, i1
}
// eval: @sum(1.0, 0.0625) == (1.0, false)
// eval: @sum(1.0, 0.1) == (1.125, false)
// eval: @sum(-1.0, 300.0) == (288.0, true)
// eval: @sum(448.0, 448.0) == (0x7FC00000, false)
// check: func.func @sum
// check: arith.addf
// same: : f32
// check: arith.cmpf olt
// same: : f32

// One scale for a vector is spread; f16 stays what it is.
func.func @vector(%x: vector<3xf16>, %s: f16) -> vector<3xf16> {
  %a = arith.scaling_truncf %x, %s : vector<3xf16>, f16 to vector<3xf6E2M3FN>
  %r = arith.scaling_extf %a, %s : vector<3xf6E2M3FN>, f16 to vector<3xf16>
  return %r : vector<3xf16>
}
// eval: @vector([1.0, -3.1, 100.0], 4.0) == [1.0, -3.0, 30.0]
// check: func.func @vector
// check: vector.broadcast
// same: f16 to vector<3xf16>
// check: arith.divf
// same: : vector<3xf16>
