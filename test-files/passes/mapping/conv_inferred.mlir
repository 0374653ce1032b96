// test: opt --pipeline='func.func(array-expand,array-rewrite{strategy="convTuned(@theta, @rho, @kappa, @sigma, @omega, @v, @coalescing, 0)" assume=true}),array-space{device=mali-g72}'
// The tuning space of the direct convolution, its constraints taken from the types of the program that rewriting makes: nobody
// wrote them down. 5,854,592 points: those of conv_space.mlir, times coalescing and unrolling on and off. Layer 7 of VGG; ranges of the tile and of what is added are the paper's, all else
// follows. Unrolling stands in no type.
func.func @layer(%in: !array.of<@H x @W x @C x f32>, %w: !array.of<@M x @K x @K x @C x f32>, %bias: !array.of<@M x f32>) -> !array.of<@M x @H x @W x f32> attributes {array.bind = {H = 112, W = 112, C = 128, M = 128, K = 3}} {
  %z = arith.constant 0.0 : f32
  %pd = array.pad_nd [(1, 1), (1, 1)] value %z %in
  %ws = array.slide_nd [@K, @K] by [1, 1] %pd
  %o0 = array.map_nd 2 %ws as %win {
    %r = array.map (array.zip %w, %bias) as %k, %b {
      %s = array.reduce add init %b (array.zip (array.join_nd 3 %win), (array.join_nd 3 %k)) as %x, %y {
        %m = arith.mulf %x, %y : f32
        array.yield %m
      }
      array.yield %s
    }
    array.yield %r
  }
  %o1 = array.transpose_nd [2, 0, 1] %o0
  %o = array.cast %o1 to !array.of<@M x @H x @W x f32>
  return %o : !array.of<@M x @H x @W x f32>
}
tune.space @layer_space for @layer on "mali-g72" {
  tune.size @H = 112
  tune.size @K = 3
  tune.param @theta in @K to 2 * (@H + 2)
  tune.param @rho in 0 to 32
  tune.param @coalescing in {0, 1}
  tune.param @unrolling in {0, 1}
}
// check: tune.space @layer_space for @layer on "mali-g72" {
// next: tune.size @H = 112
// next: tune.size @K = 3
// next: tune.param @theta in @K to 2 * @H + 4
// next: tune.param @rho in 0 to 32
// next: tune.param @coalescing in {0, 1}
// next: tune.param @unrolling in {0, 1}
// next: tune.param @kappa divides 128
// next: tune.param @omega divides 1152
// next: tune.param @sigma divides @theta^2 - 4 * @theta + 4
// next: tune.param @v in {1, 2, 3, 4, 8, 16}
// next: tune.constraint "slideStrict" type : 1 <= @theta - 2 because "step"
// next: tune.constraint "slideStrict" type : @theta <= @rho + 114 because "window"
// next: tune.constraint "slideStrict" type : @theta - 2 divides @rho - @theta + 114 because "step"
// next: tune.constraint "split" type : 1 <= @kappa because "size of parts"
// next: tune.constraint "split" type : @kappa divides 128 because "size of parts"
// next: tune.constraint "slide" type : 3 <= @theta because "window"
// next: tune.constraint "split" type : 1 <= @sigma because "size of parts"
// next: tune.constraint "split" type : @sigma divides @theta^2 - 4 * @theta + 4 because "size of parts"
// next: tune.constraint "asVector" type : 1 <= @v because "lanes"
// next: tune.constraint "asVector" type : @v divides 1152 because "lanes"
// next: tune.constraint "reorder" type : @omega divides 1152 * @coalescing - @coalescing * @omega + @omega because "stride"
// next: tune.constraint "reorder" type : 1 <= (1152 * @coalescing) floordiv @omega - @coalescing + 1 because "stride"
// next: tune.constraint "reorder" type : (1152 * @coalescing) floordiv @omega - @coalescing + 1 divides 1152 floordiv @v because "stride"
// next: tune.constraint "split" type : @v divides @omega because "size of parts"
// next: tune.constraint "split" type : 1 <= @omega floordiv @v because "size of parts"
// next: tune.constraint "split" type : @omega divides 1152 because "size of parts"
// next: tune.constraint "split" type : @theta - 2 divides @rho + 112 because "size of parts"
// next: tune.constraint "split" type : 1 <= (@rho + 112) floordiv (@theta - 2) because "size of parts"
// next: tune.constraint "split" type : @theta^2 - 4 * @theta + 4 divides @rho^2 + 224 * @rho + 12544 because "size of parts"
// next: tune.constraint "split" type : (@rho + 112) floordiv (@theta - 2) divides (@rho^2 + 224 * @rho + 12544) floordiv (@theta^2 - 4 * @theta + 4) because "size of parts"
