// test: opt --pipeline="func.func(mdh-to-sched)"
// Lanes of a warp that exchange values; OpenCL C 1.2 has no shuffles.

// Lanes of a warp by shuffles.
func.func @greatest_in_lanes(%A: tensor<4x64xf32>) -> tensor<4xf32> {
  %C = mdh.compute (i in 4, k in 64 pw max) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (2,^) (^ ; ^) (BLK.x,^)",
         "2: (1,^) (^ ; ^) (WRP.x,^)",
         "3: (^,2) (^ ; ^) (^,THR.x(shuffle))",
         "4: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<4x64xf32>) -> tensor<4xf32>
  return %C : tensor<4xf32>
}
// check: func.func @greatest_in_lanes
// check: : lane pw max via shuffle) -> f32

// A warp of 64 lanes.
func.func @sums_in_wide_warps(%A: tensor<4x128xi32>) -> tensor<4xi32> {
  %C = mdh.compute (i in 4, k in 128 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (2,^) (^ ; ^) (BLK.x,^)",
         "2: (1,^) (^ ; ^) (WRP.y,^)",
         "3: (^,2) (^ ; ^) (^,THR.x(shuffle))",
         "4: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : i32
  } : (tensor<4x128xi32>) -> tensor<4xi32>
  return %C : tensor<4xi32>
}
// check: func.func @sums_in_wide_warps
// check: subgroup 64
// check: : lane pw add via shuffle) -> i32
