// test: round-trip

func.func @floats(%x: f32) -> f32 {
  %0 = math.absf %x fastmath<nnan,ninf> : f32
  %1 = math.acos %0 : f32
  %2 = math.acosh %1 : f32
  %3 = math.asin %2 fastmath<nnan,ninf> : f32
  %4 = math.asinh %3 : f32
  %5 = math.atan %4 : f32
  %6 = math.atanh %5 fastmath<nnan,ninf> : f32
  %7 = math.cbrt %6 : f32
  %8 = math.ceil %7 : f32
  %9 = math.cos %8 fastmath<nnan,ninf> : f32
  %10 = math.cosh %9 : f32
  %11 = math.erf %10 : f32
  %12 = math.erfc %11 fastmath<nnan,ninf> : f32
  %13 = math.exp %12 : f32
  %14 = math.exp2 %13 : f32
  %15 = math.expm1 %14 fastmath<nnan,ninf> : f32
  %16 = math.floor %15 : f32
  %17 = math.log %16 : f32
  %18 = math.log10 %17 fastmath<nnan,ninf> : f32
  %19 = math.log1p %18 : f32
  %20 = math.log2 %19 : f32
  %21 = math.round %20 fastmath<nnan,ninf> : f32
  %22 = math.roundeven %21 : f32
  %23 = math.rsqrt %22 : f32
  %24 = math.sin %23 fastmath<nnan,ninf> : f32
  %25 = math.sinh %24 : f32
  %26 = math.sqrt %25 : f32
  %27 = math.tan %26 fastmath<nnan,ninf> : f32
  %28 = math.tanh %27 : f32
  %29 = math.trunc %28 : f32
  return %29 : f32
}

func.func @several(%x: f32, %v: vector<4xf64>, %n: i32, %i: vector<4xindex>) -> (f32, vector<4xf64>) {
  %0 = math.atan2 %x, %x : f32
  %1 = math.clampf %0 to [%x, %x] fastmath<fast> : f32
  %2 = math.copysign %1, %x : f32
  %3 = math.fma %2, %x, %x fastmath<contract> : f32
  %4 = math.powf %3, %x : f32
  %5 = math.fpowi %4, %n fastmath<afn> : f32, i32
  %6 = math.fpowi %v, %i : vector<4xf64>, vector<4xindex>
  %sin, %cos = math.sincos %6 fastmath<nsz> : vector<4xf64>
  %7 = math.absf %sin : vector<4xf64>
  return %5, %7 : f32, vector<4xf64>
}

func.func @ints(%a: i32, %i: index, %t: tensor<?xi8>) -> (i32, index, tensor<?xi8>) {
  %0 = math.absi %a : i32
  %1 = math.ctlz %0 : i32
  %2 = math.cttz %1 : i32
  %3 = math.ipowi %2, %a : i32
  %4 = math.ctpop %i : index
  %5 = math.absi %t : tensor<?xi8>
  return %3, %4, %5 : i32, index, tensor<?xi8>
}

func.func @questions(%x: f32, %v: vector<4xf16>) -> (i1, vector<4xi1>) {
  %0 = math.isfinite %x : f32
  %1 = math.isinf %x : f32
  %2 = math.isnan %x {fastmath = #arith.fastmath<nnan>} : f32
  %3 = math.isnormal %v : vector<4xf16>
  return %0, %3 : i1, vector<4xi1>
}
