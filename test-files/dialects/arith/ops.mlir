// test: round-trip

// Every op of the dialect in its custom form.
func.func @ints(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %0, %b overflow<nsw, nuw> : i32
  %2 = arith.subi %1, %b overflow<nuw> : i32
  %3 = arith.muli %2, %b : i32
  %4 = arith.divsi %3, %b : i32
  %5 = arith.divui %4, %b exact : i32
  %6 = arith.ceildivsi %5, %b : i32
  %7 = arith.ceildivui %6, %b : i32
  %8 = arith.floordivsi %7, %b : i32
  %9 = arith.remsi %8, %b : i32
  %10 = arith.remui %9, %b : i32
  %11 = arith.andi %10, %b : i32
  %12 = arith.ori %11, %b : i32
  %13 = arith.xori %12, %b : i32
  %14 = arith.shli %13, %b overflow<nsw> : i32
  %15 = arith.shrsi %14, %b exact : i32
  %16 = arith.shrui %15, %b : i32
  %17 = arith.maxsi %16, %b : i32
  %18 = arith.maxui %17, %b : i32
  %19 = arith.minsi %18, %b : i32
  %20 = arith.minui %19, %b : i32
  return %20 : i32
}

func.func @extended(%a: i32, %b: i32) -> (i32, i1) {
  %sum, %overflow = arith.addui_extended %a, %b : i32, i1
  %low, %high = arith.mulsi_extended %a, %b : i32
  %low2, %high2 = arith.mului_extended %low, %high : i32
  return %low2, %overflow : i32, i1
}

func.func @floats(%a: f32, %b: f32) -> f32 {
  %0 = arith.addf %a, %b : f32
  %1 = arith.subf %0, %b fastmath<fast> : f32
  %2 = arith.mulf %1, %b fastmath<reassoc,contract> : f32
  %3 = arith.divf %2, %b : f32
  %4 = arith.remf %3, %b : f32
  %5 = arith.negf %4 : f32
  %6 = arith.maximumf %5, %b : f32
  %7 = arith.minimumf %6, %b : f32
  %8 = arith.maxnumf %7, %b : f32
  %9 = arith.minnumf %8, %b fastmath<nnan> : f32
  return %9 : f32
}

func.func @compare(%a: vector<4xi32>, %b: vector<4xi32>, %x: f64, %y: f64) -> vector<4xi32> {
  %c = arith.cmpi ult, %a, %b : vector<4xi32>
  %d = arith.cmpf one, %x, %y : f64
  %e = arith.select %c, %a, %b : vector<4xi1>, vector<4xi32>
  %f = arith.select %d, %e, %b : vector<4xi32>
  return %f : vector<4xi32>
}

func.func @select_of_any_rank(%c: tensor<*xi1>, %d: i1, %a: tensor<*xi32>, %b: tensor<*xi32>) -> tensor<*xi32> {
  %e = arith.select %c, %a, %b : tensor<*xi1>, tensor<*xi32>
  %f = arith.select %d, %e, %b : tensor<*xi32>
  return %f : tensor<*xi32>
}

func.func @casts(%a: i8, %f: f32, %i: index) -> f64 {
  %0 = arith.extsi %a : i8 to i32
  %1 = arith.extui %a : i8 to i64
  %2 = arith.trunci %1 : i64 to i16
  %3 = arith.extf %f : f32 to f64
  %4 = arith.truncf %3 : f64 to bf16
  %5 = arith.sitofp %0 : i32 to f32
  %6 = arith.uitofp %2 : i16 to f64
  %7 = arith.fptosi %f : f32 to i32
  %8 = arith.fptoui %f : f32 to i32
  %9 = arith.index_cast %i : index to i64
  %10 = arith.index_castui %9 : i64 to index
  %11 = arith.bitcast %7 : i32 to f32
  return %6 : f64
}

func.func @constants() {
  %true = arith.constant true
  %c42_i32 = arith.constant 42 : i32
  %c-1 = arith.constant -1 : index
  %cst = arith.constant 1.500000e+00 : f32
  %dense = arith.constant dense<[1, 2, 3]> : vector<3xi8>
  %splat = arith.constant dense<0.000000e+00> : tensor<4x4xf64>
  return
}
