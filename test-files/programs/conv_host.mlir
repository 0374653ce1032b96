// test: round-trip
// A layer of a convolutional network for a processor: zeros around the input, windows, and for each window and each kernel a dot
// product. Weights have kernels side by side, as panels of `convHost` want them. The flags of the product
// let `sched-skip-zeros` leave rows of the border out. The numbers of `@host` are the strategy's:
//   terrace-tune conv_host.mlir --space=@host --pipeline='func.func(array-rewrite{strategy="convHost(@h, @q, @o, @v)"})'
//     --set=H=56 --set=W=56 --set=C=128 --set=M=256 --set=K=3 --set=p=1 --set=s=1 --on=host --budget=3m
// and those of `@parts` are of `convHostParts(@h, @q, @o, @c, @v)`.

#oh = #array.nat<(@H + 2 * @p - @K) floordiv @s + 1>
#ow = #array.nat<(@W + 2 * @p - @K) floordiv @s + 1>

func.func @conv(%in: !array.of<@H x @W x @C x f32>, %w: !array.of<@K x @K x @C x @M x f32>) -> !array.of<#oh x #ow x @M x f32> {
  %z = arith.constant 0.0 : f32
  %pd = array.pad_nd [(@p, @p), (@p, @p)] value %z %in
  %ws = array.slide_nd [@K, @K] by [@s, @s] %pd
  %ks = array.transpose_nd [3, 0, 1, 2] %w
  %out = array.map "Y" %ws as %line {
    %x = array.map "X" %line as %win {
      %o = array.map "O" %ks as %k {
        %xs = array.join_nd 3 %win
        %ys = array.join_nd 3 %k
        %sum = array.reduce add init %z (array.zip %xs, %ys) as %a, %b {
          %m = arith.mulf %a, %b fastmath<nnan,nsz> : f32
          array.yield %m
        }
        array.yield %sum
      }
      array.yield %o
    }
    array.yield %x
  }
  return %out : !array.of<#oh x #ow x @M x f32>
}

// Rows of a strip, windows of a tile, kernels of a panel, lanes: sums of a tile and a panel, a vector of weights and a number of a
// window have registers; a panel and a strip stay in the second cache, as far as one can tell.
tune.space @host for @conv {
  tune.size @H
  tune.size @W
  tune.size @C
  tune.size @M
  tune.size @K
  tune.size @p
  tune.size @s
  tune.derived @oh = (@H + 2 * @p - @K) floordiv @s + 1
  tune.derived @ow = (@W + 2 * @p - @K) floordiv @s + 1
  tune.param @h divides @oh
  tune.param @q divides @ow
  tune.param @o divides @M
  tune.param @v in {4, 8, 16}
  tune.constraint "lanes" type : @v divides @o because "a panel is whole vectors"
  tune.constraint "registers" user : @q * (@o / @v) + @o / @v <= 30 because "sums of a tile stay in registers"
  tune.constraint "latency" user : @q * (@o / @v) >= 8 because "multiply-adds that wait for each other leave units idle"
}

// The same with parts of channels.
tune.space @parts for @conv {
  tune.size @H
  tune.size @W
  tune.size @C
  tune.size @M
  tune.size @K
  tune.size @p
  tune.size @s
  tune.derived @oh = (@H + 2 * @p - @K) floordiv @s + 1
  tune.derived @ow = (@W + 2 * @p - @K) floordiv @s + 1
  tune.param @h divides @oh
  tune.param @q divides @ow
  tune.param @o divides @M
  tune.param @c divides @C
  tune.param @v in {4, 8, 16}
  tune.constraint "lanes" type : @v divides @o because "a panel is whole vectors"
  tune.constraint "registers" user : @q * (@o / @v) + @o / @v <= 30 because "sums of a tile stay in registers"
  tune.constraint "latency" user : @q * (@o / @v) >= 8 because "multiply-adds that wait for each other leave units idle"
}
