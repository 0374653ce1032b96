// Types of every kind, as they are written.
// test: round-trip

func.func private @ints(i1, i2, i7, i8, i16, i32, i64, i128, si8, ui8, si64, ui1)
func.func private @floats(f16, bf16, f32, f64, f80, f128, tf32, f8E5M2, f8E4M3FN, f8E4M3, f8E3M4, f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU)
func.func private @tuples(tuple<>, tuple<i32>, tuple<i32, tuple<f32, index>>)
func.func private @complex(complex<f32>, complex<i8>)
func.func private @none(none)
func.func private @vectors(vector<f32>, vector<1xi1>, vector<2x3xindex>, vector<[4]xf32>, vector<2x[1]xi8>)
func.func private @tensors(tensor<f32>, tensor<0xi8>, tensor<?xf32>, tensor<?x0x1xindex>, tensor<*xf64>, tensor<2x?xi1, "encoded">)
func.func private @buffers(memref<f32>, memref<0xi8>, memref<?xf32>, memref<?x1x?xindex>, memref<*xf64>)
func.func private @spaces(memref<4xf32, 1>, memref<4xf32, "shared">, memref<*xf32, 3>, memref<f32, 0 : i8>)
func.func private @layouts(memref<4x4xf32, strided<[8, 1]>>, memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<4xf32, strided<[0]>>, memref<4xf32, strided<[-1], offset: 3>>)
func.func private @maps(memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, memref<16xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>)
func.func private @functions(() -> (), (i32) -> i32, (i32, f32) -> (f32, i32), ((i32) -> i32) -> ((f32) -> f32))
func.func private @results() -> (i32, (i32) -> i32)
