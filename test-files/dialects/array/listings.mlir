// test: round-trip
// The listings of both papers, with the patterns of several dimensions written out, at small sizes.

// Mapping parallelism, listing 1: two nests, the second one on columns of what the first one left in local memory.
func.func @two_nests(%in: !array.of<@I x @J x @K x i32>, %two: i32) -> !array.of<@I x @J x @K x i32> {
  %o = array.map "A" %in as %a {
    %b = array.map "B" %a as %r {
      %c = array.map "C" %r as %x {
        %0 = arith.addi %x, %two : i32
        array.yield %0
      }
      array.yield %c
    }
    %l = array.place "local" %b
    %t = array.transpose %l
    %d = array.map "D" %t as %col {
      %e = array.map "E" %col as %x {
        %0 = arith.muli %x, %two : i32
        array.yield %0
      }
      array.yield %e
    }
    %u = array.transpose %d
    array.yield %u
  }
  return %o : !array.of<@I x @J x @K x i32>
}
// eval: @two_nests([[[1, 2, 3], [4, 5, 6]]], 2) == [[[6, 8, 10], [12, 14, 16]]]

// Listing 2: a direct convolution of any stride.
func.func @conv(%in: !array.of<@H x @W x @C x f32>, %ks: !array.of<@O x @R x @S x @C x f32>) -> !array.of<(@H - @R) floordiv @sy + 1 x (@W - @S) floordiv @sx + 1 x @O x f32> attributes {array.bind = {sx = 1, sy = 1}} {
  %z = arith.constant 0.0 : f32
  %rows = array.map %in as %row {
    %0 = array.slide @S by @sx %row
    array.yield %0
  }
  %grid = array.slide @R by @sy %rows
  %ws = array.map %grid as %g {
    %0 = array.transpose %g
    array.yield %0
  }
  %o = array.map %ws as %line {
    %p = array.map %line as %win {
      %r = array.map %ks as %k {
        %zz = array.zip %win, %k
        %pairs = array.map %zz as %a, %b {
          %ab = array.zip %a, %b
          %inner = array.map %ab as %c, %d {
            %cd = array.zip %c, %d
            array.yield %cd
          }
          array.yield %inner
        }
        %flat = array.join %pairs
        %f = array.join %flat
        %s = array.reduce add init %z %f as %a, %b {
          %m = arith.mulf %a, %b : f32
          array.yield %m
        }
        array.yield %s
      }
      array.yield %r
    }
    array.yield %p
  }
  return %o : !array.of<(@H - @R) floordiv @sy + 1 x (@W - @S) floordiv @sx + 1 x @O x f32>
}
// eval: @conv([[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]], [[7.0], [8.0], [9.0]]], [[[[1.0], [0.0]], [[0.0], [1.0]]]]) == [[[6.0], [8.0]], [[12.0], [14.0]]]

// Listing 3: parts in parts, and no cast at the end, since (@n / @s0) * @s0 is @n.
func.func @tiled(%X: !array.of<@n x i32>, %y: i32, %z: i32) -> !array.of<@n x i32> attributes {array.bind = {s0 = 4, s1 = 2}} {
  %0 = array.split @s0 %X
  %1 = array.map "A" %0 as %c {
    %2 = array.split @s1 %c
    %3 = array.map "C" %2 as %d {
      %4 = array.map "D" %d as %e {
        %5 = arith.muli %e, %y : i32
        array.yield %5
      }
      array.yield %4
    }
    %6 = array.join %3
    %7 = array.map "B" %6 as %e {
      %8 = arith.addi %e, %z : i32
      array.yield %8
    }
    array.yield %7
  }
  %9 = array.join %1
  return %9 : !array.of<@n x i32>
}
// eval: @tiled([1, 2, 3, 4, 5, 6, 7, 8], 2, 1) == [3, 5, 7, 9, 11, 13, 15, 17]

// Direct convolution, listing 1: windows to groups and threads.
func.func @stencil(%in: !array.of<@h x @w x i32>, %weights: !array.of<3 x 3 x i32>, %z: i32) -> !array.of<@h - 2 x @w - 2 x i32> {
  %rows = array.map %in as %row {
    %0 = array.slide 3 by 1 %row
    array.yield %0
  }
  %grid = array.slide 3 by 1 %rows
  %n = array.map %grid as %g {
    %0 = array.transpose %g
    array.yield %0
  }
  %o = array.map %n : block.x as %line {
    %p = array.map %line : thread.x as %w {
      %l = array.join %w
      %r = array.join %weights
      %f = array.zip %l, %r
      %s = array.reduce add init %z : seq %f as %a, %b {
        %m = arith.muli %a, %b : i32
        array.yield %m
      }
      array.yield %s
    }
    array.yield %p
  }
  return %o : !array.of<@h - 2 x @w - 2 x i32>
}
// eval: @stencil([[1, 2, 3, 4], [4, 5, 6, 7], [7, 8, 9, 10]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]], 0) == [[45, 54]]

// Listing 3: borders of zeros, and the biases as start values.
func.func @layer(%in: !array.of<@H x @W x @C x i32>, %w: !array.of<@O x @K x @K x @C x i32>, %bias: !array.of<@O x i32>) -> !array.of<@O x (@H + @pb + @pt - @K) floordiv @s + 1 x (@W + @pl + @pr - @K) floordiv @s + 1 x i32> attributes {array.bind = {pb = 1, pl = 1, pr = 1, pt = 1, s = 1}} {
  %z = arith.constant 0 : i32
  %p0 = array.map %in as %row {
    %0 = array.pad @pl, @pr value %z %row
    array.yield %0
  }
  %pd = array.pad @pt, @pb value %z %p0
  %rows = array.map %pd as %row {
    %0 = array.slide @K by @s %row
    array.yield %0
  }
  %grid = array.slide @K by @s %rows
  %ws = array.map %grid as %g {
    %0 = array.transpose %g
    array.yield %0
  }
  %wb = array.zip %w, %bias
  %o = array.map %ws as %line {
    %p = array.map %line as %win {
      %win1 = array.join %win
      %win2 = array.join %win1
      %r = array.map %wb as %k, %b {
        %k1 = array.join %k
        %k2 = array.join %k1
        %f = array.zip %win2, %k2
        %s = array.reduce add init %b %f as %x, %y {
          %m = arith.muli %x, %y : i32
          array.yield %m
        }
        array.yield %s
      }
      array.yield %r
    }
    %t = array.transpose %p
    array.yield %t
  }
  %u = array.transpose %o
  return %u : !array.of<@O x (@H + @pb + @pt - @K) floordiv @s + 1 x (@W + @pl + @pr - @K) floordiv @s + 1 x i32>
}
// eval: @layer([[[2]]], [[[[1], [1], [1]], [[1], [5], [1]], [[1], [1], [1]]]], [100]) == [[[110]]]

// Listing 4: the weights in chunks for coalesced access; vectors first, then the order.
func.func @chunks(%w: !array.of<@K x @K x @C x i32>) -> !array.of<@K^2 * @C / @om x @om / 4 x vector<4xi32>> attributes {array.bind = {om = 8}} {
  %0 = array.join %w
  %1 = array.join %0
  %2 = array.as_vector 4 %1
  %3 = array.reorder strided @K^2 * @C / @om %2
  %4 = array.split @om / 4 %3
  return %4 : !array.of<@K^2 * @C / @om x @om / 4 x vector<4xi32>>
}
// eval: @chunks([[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]]) == [[[0, 1, 2, 3], [8, 9, 10, 11]], [[4, 5, 6, 7], [12, 13, 14, 15]]]
