// test: opt --pipeline="array-expand, array-inline, canonicalize"
// snapshot: after=array-expand,array-inline
// The listings of both papers, at small sizes, as they are written by hand; the values are the same when macros and functions
// are written out. `listings_values.rs` compares them with plain loops on larger inputs.

#dm = #gpu.address_space<global>
#rm = #gpu.address_space<private>
#oh = #array.nat<(@H - @R) floordiv @sy + 1>
#ow = #array.nat<(@W - @S) floordiv @sx + 1>
#ws = #array.nat<@K^2 * @C>
#nch = #array.nat<#ws / @om>

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
    %l = array.toLocal %b
    %d = array.map "D" (array.transpose %l) as %col {
      %e = array.map "E" %col as %x {
        %0 = arith.muli %x, %two : i32
        array.yield %0
      }
      array.yield %e
    }
    array.yield (array.transpose %d)
  }
  return %o : !array.of<@I x @J x @K x i32>
}
// eval: @two_nests([[[1, 2, 3], [4, 5, 6]]], 2) == [[[6, 8, 10], [12, 14, 16]]]

// Listing 2: a direct convolution of any stride.
// check: func.func @conv
// not: _nd
func.func @conv(%in: !array.of<@H x @W x @C x f32>, %ks: !array.of<@O x @R x @S x @C x f32>) -> !array.of<#oh x #ow x @O x f32> attributes {array.bind = {sx = 1, sy = 1}} {
  %z = arith.constant 0.0 : f32
  %ws = array.slide_nd [@R, @S] by [@sy, @sx] %in
  %o = array.map_nd 2 %ws as %win {
    %r = array.map %ks as %k {
      %zz = array.zip_nd 3 %win, %k
      %f = array.join_nd 3 %zz
      %s = array.reduce add init %z %f as %a, %b {
        %p = arith.mulf %a, %b : f32
        array.yield %p
      }
      array.yield %s
    }
    array.yield %r
  }
  return %o : !array.of<#oh x #ow x @O x f32>
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

// Direct convolution, listing 1: windows to groups and threads, by LIFT's names.
// check: func.func @stencil
// check: array.map {{.*}} : block.x as
// check: array.map {{.*}} : thread.x as
// check: array.reduce add init %z : seq
func.func @stencil(%inData: !array.of<@h x @w x i32>, %weights: !array.of<3 x 3 x i32>, %z: i32) -> !array.of<@h - 2 x @w - 2 x i32> {
  %n = array.slide_nd [3, 3] by [1, 1] %inData
  %o = array.mapWrg(0) %n as %row {
    %p = array.mapLcl(0) %row as %w {
      %f = array.zip (array.join %w), (array.join %weights)
      %s = array.reduceSeq add init %z %f as %l, %r {
        %m = arith.muli %l, %r : i32
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
  %pd = array.pad_nd [(@pt, @pb), (@pl, @pr)] value %z %in
  %ws = array.slide_nd [@K, @K] by [@s, @s] %pd
  %o0 = array.map_nd 2 %ws as %win {
    %r = array.map (array.zip %w, %bias) as %k, %b {
      %s = array.reduce add init %b (array.zip (array.join_nd 3 %win), (array.join_nd 3 %k)) as %x, %y {
        %m = arith.muli %x, %y : i32
        array.yield %m
      }
      array.yield %s
    }
    array.yield %r
  }
  %o = array.transpose_nd [2, 0, 1] %o0
  return %o : !array.of<@O x (@H + @pb + @pt - @K) floordiv @s + 1 x (@W + @pl + @pr - @K) floordiv @s + 1 x i32>
}
// eval: @layer([[[2]]], [[[[1], [1], [1]], [[1], [5], [1]], [[1], [1], [1]]]], [100]) == [[[110]]]

// Listing 4: partial sums of tiles. Vectors first, then the order, so that neighbors in a chunk are far apart in memory.
func.func private @chunks(%w: !array.of<@K x @K x @C x i32>) -> !array.of<#nch x @om / @v x !array.vector<@v x i32>> {
  %1 = array.as_vector @v (array.join_nd 3 %w)
  %2 = array.reorder strided #nch %1
  %3 = array.split @om / @v %2
  return %3 : !array.of<#nch x @om / @v x !array.vector<@v x i32>>
}
func.func @partial(%in: !array.of<@H x @W x @C x i32>, %w: !array.of<@M x @K x @K x @C x i32>) -> !array.of<((@H - @theta) / @ts + 1) * ((@W - @theta) / @ts + 1) x @M / @ka x @ka x ((@theta - @K) floordiv @s + 1)^2 / @sg x @sg x #nch x i32> attributes {array.bind = {K = 2, ka = 2, om = 8, s = 1, sg = 2, theta = 3, ts = 2, v = 4}} {
  %z = arith.constant 0 : i32
  %t4 = array.join (array.slide_nd strict [@theta, @theta] by [@ts, @ts] %in)
  %wg = array.split @ka %w
  %p = array.map %t4 : block.y as %tile {
    %wn = array.split @sg (array.join (array.slide_nd [@K, @K] by [@s, @s] %tile))
    %q = array.map %wg : block.x as %kg {
      %kc = array.transpose (array.map @chunks %kg)
      %g = array.map %wn : thread.y as %w3 {
        %xc = array.transpose (array.map @chunks %w3)
        %c = array.map (array.zip %xc, %kc) : thread.x as %x2, %k2 {
          %a = array.reduceSeq add init %z (array.zip (array.transpose %x2), (array.transpose %k2)) as %x, %k {
            %xp = array.place #rm by (unroll, vector) %x
            %r = array.map %k : unroll as %k1 {
              %kp = array.place #rm by (vector) %k1
              %d = array.map %xp : unroll as %x1 {
                %m = arith.muli %x1, %kp : !array.vector<@v x i32>
                %h = vector.reduction <add>, %m : !array.vector<@v x i32> into i32
                array.yield %h
              }
              array.yield %d
            }
            array.yield %r
          }
          %ap = array.place #rm %a
          array.yield %ap
        }
        array.yield %c
      }
      array.yield (array.transpose_nd [2, 0, 3, 1] %g)
    }
    array.yield %q
  }
  %pp = array.place #dm %p
  return %pp : !array.of<((@H - @theta) / @ts + 1) * ((@W - @theta) / @ts + 1) x @M / @ka x @ka x ((@theta - @K) floordiv @s + 1)^2 / @sg x @sg x #nch x i32>
}
