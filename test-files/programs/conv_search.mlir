// test: round-trip
// Direct convolution in four kernels, as in four_kernels.mlir, with everything open that is searched: the eight parameters of
// GPGPU 2020, and the levels of eight maps. With `@co` threads beside each other have vectors beside each other; with `@unroll` the
// loops of a thread are written out. What types ask of the numbers is not written: it is read off the program. Sizes of a layer
// are given from outside:
//   terrace-tune conv_search.mlir --space=@tuning --set=H=28 --set=W=28 --set=C=512 --set=M=512 --set=K=3 --set=p=1

#n = #array.nat<@H + 2 * @p + @r>
#m = #array.nat<@W + 2 * @p + @r>
#ws = #array.nat<@K^2 * @C>
#nch = #array.nat<#ws / @om>
#th = #array.nat<(#n - @theta) / @ts + 1>
#tw = #array.nat<(#m - @theta) / @ts + 1>
#wins = #array.nat<@theta - @K + 1>

func.func private @chunks(%w: !array.of<@K x @K x @C x f32>) -> !array.of<#nch x @om / @v x !array.vector<@v x f32>> {
  %1 = array.as_vector @v (array.join_nd 3 %w)
  %2 = array.reorder strided 1 + @co * (#nch - 1) %1
  %3 = array.split @om / @v %2
  return %3 : !array.of<#nch x @om / @v x !array.vector<@v x f32>>
}

func.func @conv(%in: !array.of<@H x @W x @C x f32>, %w: !array.of<@M x @K x @K x @C x f32>, %bias: !array.of<@M x f32>) -> !array.of<@H + 2 * @p - @K + 1 x @W + 2 * @p - @K + 1 x @M x f32> {
  %z = arith.constant 0.0 : f32

  // The input with zeros around.
  %p0 = array.pad_nd [(@p, @p + @r), (@p, @p + @r)] value %z %in
  %pd = array.toGlobal %p0

  // Partial sums.
  %t4 = array.join (array.slide_nd strict [@theta, @theta] by [@ts, @ts] %pd)
  %wg = array.split @ka %w
  %p = array.map "tiles" %t4 as %tile {
    %wn = array.split @sg (array.join (array.slide_nd [@K, @K] by [1, 1] %tile))
    %q = array.map "groups" %wg as %kg {
      %kc = array.transpose (array.map @chunks %kg)
      %g = array.map "windows" %wn as %w3 {
        %xc = array.transpose (array.map @chunks %w3)
        %c = array.map "chunks" (array.zip %xc, %kc) as %x2, %k2 {
          %a = array.reduceSeq add init %z (array.zip (array.transpose %x2), (array.transpose %k2)) as %x, %k {
            %r = array.let %x as %xp {
              %0 = array.map %k : @unroll as %k1 {
                %kp = array.toPrivate %k1
                %d = array.map %xp : @unroll as %x1 {
                  %m = arith.mulf %x1, %kp : !array.vector<@v x f32>
                  %h = vector.reduction <add>, %m : !array.vector<@v x f32> into f32
                  array.yield %h
                }
                array.yield %d
              }
              array.yield %0
            }
            array.yield %r
          }
          %ap = array.toPrivate %a
          array.yield %ap
        }
        array.yield %c
      }
      array.yield (array.transpose_nd [2, 0, 3, 1] %g)
    }
    array.yield %q
  }
  %pp = array.toGlobal %p

  // Chunks summed, with the bias once.
  %kb = array.split @ka %bias
  %s0 = array.map "sum_tiles" %pp as %tile {
    %0 = array.map "sum_groups" (array.zip %tile, %kb) as %kg, %bg {
      %1 = array.map "sum_kernels" (array.zip %kg, %bg) as %one, %b {
        %2 = array.map "sum_windows" (array.join %one) as %parts {
          %3 = array.reduce add init %b %parts as %x {
            array.yield %x
          }
          array.yield %3
        }
        array.yield %2
      }
      array.yield %1
    }
    array.yield (array.transpose (array.join %0))
  }
  %sums = array.toGlobal %s0

  // Tiles of windows to rows and columns; what was added is cut off.
  %tiles = array.split #tw (array.map %sums as %tile {
    %0 = array.split #wins %tile
    array.yield %0
  })
  %rows = array.map %tiles as %line {
    %0 = array.transpose %line
    %1 = array.map %0 as %across {
      %2 = array.join %across
      array.yield %2
    }
    array.yield %1
  }
  %all = array.join %rows
  %cropped = array.slice 0, @H + 2 * @p - @K + 1 %all
  %out = array.map %cropped as %row {
    %0 = array.slice 0, @W + 2 * @p - @K + 1 %row
    array.yield %0
  }
  return %out : !array.of<@H + 2 * @p - @K + 1 x @W + 2 * @p - @K + 1 x @M x f32>
}

tune.space @tuning for @conv {
  tune.size @H
  tune.size @W
  tune.size @C
  tune.size @M
  tune.size @K
  tune.size @p
  tune.param @theta in @K to 2 * @H + 4 * @p
  tune.param @r in 0 to 32
  tune.derived @ts = @theta - @K + 1
  tune.param @ka divides @M
  tune.derived @nW = @ts^2
  tune.param @sg divides @nW
  tune.param @om divides @K^2 * @C
  tune.param @v in {1, 2, 3, 4, 8, 16}
  tune.param @co in {0, 1}
  tune.param @unroll in {seq, unroll}
}
