// test: opt --pipeline='func.func(array-rewrite{strategy="(at(splitReduce) splitReduce(4))?; (at(splitReduceStrided) splitReduceStrided(4))?; (at(reduceFlatten) reduceFlatten)?; (at(initOut) initOut)?; (at(reduceLayout) reduceLayout(sum))?; (at(foldToReduce) foldToReduce)?; (at(reduceToFold) reduceToFold)?; (at(coalesce) coalesce(4))?"})'
// rule: splitReduce, splitReduceStrided, reduceFlatten, initOut, reduceLayout, foldToReduce, reduceToFold, coalesce

// Reductions in parts.

func.func @splitReduce(%x: !array.of<4 * @n x f32>, %z: f32) -> f32 {
  %splitReduce = array.reduce add init %z %x as %a {
    %b = arith.mulf %a, %a : f32
    array.yield %b
  }
  return %splitReduce : f32
}
// check: func.func @splitReduce
// next: %0 = array.split 4 %x
// next: %1 = array.map %0 as %arg0 {
// next: %2 = array.reduce add %arg0 as %a {
// next: %b = arith.mulf %a, %a : f32
// next: array.yield %b
// next: }
// next: array.yield %2
// next: }
// next: %splitReduce = array.reduce add init %z %1 as %arg0 {
// next: array.yield %arg0
// next: }
// next: return %splitReduce : f32
// next: }
// eval: @splitReduce([1.0, 2.0, 3.0, 4.0], 0.5) == 30.5

func.func @splitReduceStrided(%x: !array.of<4 * @n x i32>) -> i32 {
  %splitReduceStrided = array.reduce add %x as %a {
    array.yield %a
  }
  return %splitReduceStrided : i32
}
// check: func.func @splitReduceStrided
// next: %0 = array.split 4 %x
// next: %1 = array.transpose %0
// next: %2 = array.map %1 as %arg0 {
// next: %3 = array.reduce add %arg0 as %a {
// next: array.yield %a
// next: }
// next: array.yield %3
// next: }
// next: %splitReduceStrided = array.reduce add %2 as %arg0 {
// next: array.yield %arg0
// next: }
// next: return %splitReduceStrided : i32
// next: }

func.func @reduceFlatten(%x: !array.of<@n x 4 x i32>, %z: i32) -> i32 {
  %t = array.map %x as %row {
    %s = array.reduce add %row as %a {
      %b = arith.muli %a, %a : i32
      array.yield %b
    }
    array.yield %s
  }
  %reduceFlatten = array.reduce add init %z %t as %a {
    array.yield %a
  }
  return %reduceFlatten : i32
}
// check: func.func @reduceFlatten
// next: %0 = array.join %x
// next: %reduceFlatten = array.reduce add init %z %0 as %a {
// next: %b = arith.muli %a, %a : i32
// next: array.yield %b
// next: }
// next: return %reduceFlatten : i32
// next: }

func.func @initOut(%x: !array.of<@n x f32>, %z: f32) -> f32 {
  %initOut = array.reduce add init %z %x as %a {
    array.yield %a
  }
  return %initOut : f32
}
// check: func.func @initOut
// next: %0 = array.reduce add %x as %a {
// next: array.yield %a
// next: }
// next: %1 = array.single %0
// next: %initOut = array.reduce add init %z %1 as %arg0 {
// next: array.yield %arg0
// next: }
// next: return %initOut : f32
// next: }

func.func @foldToReduce(%x: !array.of<@n x f32>, %z: f32) -> f32 {
  %foldToReduce = array.fold init %z %x as %acc, %a {
    %b = arith.mulf %a, %a : f32
    %c = arith.addf %b, %acc : f32
    array.yield %c
  }
  return %foldToReduce : f32
}
// check: func.func @foldToReduce
// next: %foldToReduce = array.reduce add init %z source %x as %a {
// next: %b = arith.mulf %a, %a : f32
// next: array.yield %b
// next: }
// next: return %foldToReduce : f32
// next: }

func.func @reduceToFold(%x: !array.of<@n x i32>) -> i32 {
  %reduceToFold = array.reduce max %x as %a {
    array.yield %a
  }
  return %reduceToFold : i32
}
// check: func.func @reduceToFold
// next: %c-2147483648_i32 = arith.constant -2147483648 : i32
// next: %reduceToFold = array.fold init %c-2147483648_i32 %x as %arg0, %a {
// next: %0 = arith.maxsi %arg0, %a : i32
// next: array.yield %0
// next: }
// next: return %reduceToFold : i32
// next: }

func.func @coalesce(%x: !array.of<12 x f32>, %z: f32) -> f32 {
  %coalesce = array.reduce add init %z %x as %a {
    array.yield %a
  }
  return %coalesce : f32
}
// check: func.func @coalesce
// next: %0 = array.reorder strided 3 %x
// next: %coalesce = array.reduce add init %z %0 as %a {
// next: array.yield %a
// next: }
// next: return %coalesce : f32
// next: }

func.func @reduceLayout(%x: !array.of<3 x 4 x i32>) -> !array.of<2 x 2 x i32> {
  %z = arith.constant 1 : i32
  %reduceLayout = array.reduce add init %z %x as %row {
    %0 = array.map %row as %a {
      %b = arith.muli %a, %a : i32
      array.yield %b
    }
    %1 = array.split 2 %0
    array.yield %1
  }
  return %reduceLayout : !array.of<2 x 2 x i32>
}
// eval: @reduceLayout([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]) == [[108, 141], [180, 225]]
