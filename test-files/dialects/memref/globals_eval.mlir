// Buffers of the module: constants of every rank, ones that are written, and what was never given.
// test: opt --pipeline="builtin.module(canonicalize)"

memref.global "private" constant @scalar : memref<f64> = dense<-0.0>
memref.global "private" constant @row : memref<5xi8> = dense<[-128, -1, 0, 1, 127]>
memref.global "private" constant @plane : memref<2x3xi16> = dense<[[1, 2, 3], [-4, -5, -6]]>
memref.global "private" constant @splat : memref<3x7xf16> = dense<65504.0>
memref.global "private" constant @bits : memref<3xi1> = dense<[true, false, true]>

func.func @read_scalar() -> f64 {
  %m = memref.get_global @scalar : memref<f64>
  %r = memref.load %m[] : memref<f64>
  return %r : f64
}
// eval: @read_scalar() == -0.0

func.func @read_row(%i: index) -> i8 {
  %m = memref.get_global @row : memref<5xi8>
  %r = memref.load %m[%i] : memref<5xi8>
  return %r : i8
}
// eval: @read_row(0) == -128
// eval: @read_row(4) == 127
// eval: @read_row(5) == trap E0308

func.func @read_plane(%i: index, %j: index) -> i16 {
  %m = memref.get_global @plane : memref<2x3xi16>
  %r = memref.load %m[%i, %j] : memref<2x3xi16>
  return %r : i16
}
// eval: @read_plane(0, 2) == 3
// eval: @read_plane(1, 0) == -4

func.func @read_splat(%i: index, %j: index) -> f16 {
  %m = memref.get_global @splat : memref<3x7xf16>
  %r = memref.load %m[%i, %j] : memref<3x7xf16>
  return %r : f16
}
// eval: @read_splat(0, 0) == 65504.0
// eval: @read_splat(2, 6) == 65504.0

func.func @read_bits(%i: index) -> i1 {
  %m = memref.get_global @bits : memref<3xi1>
  %r = memref.load %m[%i] : memref<3xi1>
  return %r : i1
}
// eval: @read_bits(0) == true
// eval: @read_bits(1) == false
// eval: @read_bits(2) == true

// A part of a constant, transposed.
func.func @view(%i: index, %j: index) -> i16 {
  %m = memref.get_global @plane : memref<2x3xi16>
  %s = memref.subview %m[0, 1] [2, 2] [1, 1] : memref<2x3xi16> to memref<2x2xi16, strided<[3, 1], offset: 1>>
  %t = memref.transpose %s (a, b) -> (b, a) : memref<2x2xi16, strided<[3, 1], offset: 1>> to memref<2x2xi16, strided<[1, 3], offset: 1>>
  %r = memref.load %t[%i, %j] : memref<2x2xi16, strided<[1, 3], offset: 1>>
  return %r : i16
}
// eval: @view(0, 0) == 2
// eval: @view(1, 0) == 3
// eval: @view(0, 1) == -5
// eval: @view(1, 1) == -6
