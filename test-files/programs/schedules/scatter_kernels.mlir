// test: opt --pipeline="func.func(mdh-to-sched)"
// Blocks and threads that name their bins.

// Blocks meet by atomic updates.
func.func @by_blocks(%A: tensor<96xi32>) -> tensor<8xi32> {
  %C = mdh.compute (e in 96 pw add, b in 8) ins(%a = %A[e]) outs([b])
       attributes {mdh.scatter = array<i64: 1>, mdh.schedule = [
         "1: (32,^) (^ ; ^) (BLK.x(atomic),^)",
         "2: (1,1) (^ ; ^) (THR.x(atomic),FOR.1)"]} {
    %bin = mdh.index 1
    %at = arith.index_cast %bin : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.extui %hit : i1 to i32
    mdh.yield %n : i32
  } : (tensor<96xi32>) -> tensor<8xi32>
  return %C : tensor<8xi32>
}
// check: func.func @by_blocks
// check: grid [3, 1, 1] block [32, 1, 1]
// check: combine add

// Each block has bins of its own in shared memory, and adds them once.
func.func @bins_of_a_block(%A: tensor<128xi32>) -> tensor<8xi32> {
  %C = mdh.compute (e in 128 pw add, b in 8) ins(%a = %A[e]) outs([b])
       attributes {mdh.scatter = array<i64: 1>, mdh.schedule = [
         "1: (64,^) (^ ; ^) (BLK.x(atomic),^)",
         "2: (^,^) (^ ; SM) (^,^)",
         "3: (1,1) (^ ; ^) (THR.x(atomic),FOR.1)"]} {
    %bin = mdh.index 1
    %at = arith.index_cast %bin : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.extui %hit : i1 to i32
    mdh.yield %n : i32
  } : (tensor<128xi32>) -> tensor<8xi32>
  return %C : tensor<8xi32>
}
// check: func.func @bins_of_a_block
// check: memref<8xi32, #gpu.address_space<workgroup>>
// check: combine add
