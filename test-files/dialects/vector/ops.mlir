// test: round-trip

func.func @memory(%m: memref<8x16xf32>, %w: memref<4xvector<16xf32>>, %i: index) -> vector<2x4xf32> {
  %v = vector.load %m[%i, %i] : memref<8x16xf32>, vector<2x4xf32>
  vector.store %v, %m[%i, %i] {alignment = 16 : i64, nontemporal = true} : memref<8x16xf32>, vector<2x4xf32>
  %r = vector.load %w[%i] : memref<4xvector<16xf32>>, vector<16xf32>
  vector.store %r, %w[%i] : memref<4xvector<16xf32>>, vector<16xf32>
  return %v : vector<2x4xf32>
}

func.func @arrange(%x: f32, %v: vector<4x8xf32>, %i: index) -> vector<4x8xf32> {
  %a = vector.broadcast %x : f32 to vector<8xf32>
  %b = vector.extract %v[2] : vector<8xf32> from vector<4x8xf32>
  %c = vector.extract %v[%i, 1] : f32 from vector<4x8xf32>
  %d = vector.insert %a, %v [%i] : vector<8xf32> into vector<4x8xf32>
  %e = vector.insert %c, %d [0, 7] : f32 into vector<4x8xf32>
  %f = vector.extract %v[] : vector<4x8xf32> from vector<4x8xf32>
  return %e : vector<4x8xf32>
}

func.func @compute(%v: vector<8xf32>, %x: f32, %n: vector<[4]xi32>) -> f32 {
  %a = vector.fma %v, %v, %v : vector<8xf32>
  %b = vector.reduction <add>, %a : vector<8xf32> into f32
  %c = vector.reduction <maximumf>, %a, %b fastmath<reassoc> : vector<8xf32> into f32
  %d = vector.reduction <minui>, %n : vector<[4]xi32> into i32
  return %c : f32
}
