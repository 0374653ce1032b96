// test: opt --pipeline=to-host --emit=asm --target-cpu=x86-64-v4
// check: vpsrld
// not: __truncsfbf2

// Sums, products and conversions of bf16 call no function of the compiler's library: they are rounded by integers.
func.func @axpy(%a: vector<16xbf16>, %x: vector<16xbf16>, %y: vector<16xbf16>) -> vector<16xbf16> {
  %0 = arith.mulf %a, %x : vector<16xbf16>
  %1 = arith.addf %0, %y : vector<16xbf16>
  return %1 : vector<16xbf16>
}

func.func @fused(%a: vector<16xbf16>, %x: vector<16xbf16>, %y: vector<16xbf16>) -> vector<16xbf16> {
  %0 = vector.fma %a, %x, %y : vector<16xbf16>
  return %0 : vector<16xbf16>
}

func.func @narrow(%x: vector<16xf32>) -> vector<16xbf16> {
  %0 = arith.truncf %x : vector<16xf32> to vector<16xbf16>
  return %0 : vector<16xbf16>
}

func.func @root(%x: vector<16xbf16>) -> vector<16xbf16> {
  %0 = math.sqrt %x : vector<16xbf16>
  return %0 : vector<16xbf16>
}

func.func @masked(%m: memref<64xbf16>, %at: index, %mask: vector<16xi1>, %other: vector<16xbf16>) -> vector<16xbf16> {
  %0 = vector.maskedload %m[%at], %mask, %other : memref<64xbf16>, vector<16xi1>, vector<16xbf16> into vector<16xbf16>
  return %0 : vector<16xbf16>
}
