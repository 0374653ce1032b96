// Names and spaces of every kind of op there is, in text whose values have numbers only.
func.func @f(%arg0: i32, %arg1: memref<4xf32, affine_map<(d0)->(d0)>>, %arg2: index, %arg3: i1, %arg4: f64) -> (i32, i64) attributes {llvm.x} {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 0 : index
  %2 = arith.constant true
  %3 = arith.constant -5 : i64
  %4 = arith.constant 1.5 : f32
  %5 = arith.constant dense<1.0> : vector<4xf32>
  %6 = arith.addi %0, %arg0 overflow<nsw, nuw> : i32
  %7 = arith.addf %4, %4 fastmath<fast> : f32
  %8 = arith.addf %4, %4 fastmath<nnan,contract> : f32
  %9 = arith.cmpi slt, %0, %arg0 : i32
  %10 = arith.cmpf oeq, %4, %4 : f32
  %11 = arith.select %9, %0, %arg0 : i32
  %12 = arith.extsi %0 : i32 to i64
  %13 = arith.truncf %arg4 to_nearest_even : f64 to f32
  %14:2 = arith.addui_extended %0, %0 : i32, i1
  %15 = scf.for %arg5 = %1 to %arg2 step %arg2 iter_args(%arg6 = %0) -> (i32) {
    %16 = arith.addi %arg6, %14#0 : i32
    scf.for %arg7 = %1 to %arg2 step %arg2 {
      %17 = arith.addi %16, %14#0 {my = 1 : i32} : i32
      func.call @g() : () -> ()
    }
    scf.yield %16 : i32
  } {tag}
  %18 = scf.if %9 -> (i32) {
    %20 = arith.constant 1 : i32
    scf.yield %20 : i32
  } else {
    %21 = arith.constant 1 : i32
    scf.yield %21 : i32
  }
  scf.if %9 {
    "t.x"() : () -> ()
  } else {
    "t.y"() : () -> ()
  }
  %19:2 = scf.while (%arg5 = %0, %arg6 = %4) : (i32, f32) -> (i32, f32) {
    scf.condition(%9) %arg5, %arg6 : i32, f32
  } do {
  ^bb0(%arg5: i32, %arg6: f32):
    scf.yield %arg5, %arg6 : i32, f32
  }
  %22 = scf.execute_region -> i32 {
    scf.yield %0 : i32
  }
  cf.cond_br %9, ^bb1(%0 : i32), ^bb2
^bb1(%24: i32):
  cf.br ^bb1(%24 : i32)
^bb2:
  cf.br ^bb3
^bb3:
  call @g() : () -> ()
  %25 = func.constant @g : () -> ()
  call_indirect %25() : () -> ()
  cf.assert %9, "msg"
  %26 = ub.poison : i32
  %27 = builtin.unrealized_conversion_cast %26 : i32 to i64
  return %26, %27 : i32, i64
}
func.func private @g()
func.func private @h(i32 {a.b = 1 : i32}, memref<?xf32> ) -> (f32 {x.y}) attributes {a.b = "c"}
func.func nested @h2(%arg0: i32 {a.b}) {
  return
}
module @inner attributes {x.y} {
  func.func @k() { return }
  %0 = builtin.unrealized_conversion_cast to i32
}
