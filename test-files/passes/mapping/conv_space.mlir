// test: opt --pipeline="tune-solve" --split-input-file --verify-diagnostics
// The tuning space of the direct convolution (Mogers and others, GPGPU 2020), layer 7 of VGG: 128 to 128 channels, 112 x 112, window 3, step 1,
// before what the hardware allows. Constraints are those of the types of `split`, `asVector`, `slideStrict`.

// expected-remark @+1 {{1463648 points, chosen in order @theta @ts @nW @rho @sigma; @kappa; @omega @v}}
tune.space @layer_7 {
  tune.size @H = 114
  tune.size @K = 3
  tune.size @s = 1
  tune.size @C = 128
  tune.size @M = 128
  tune.param @theta in @K to 2 * @H
  tune.param @rho in 0 to 32
  tune.param @kappa divides @M
  tune.derived @ts = @theta - @K + @s
  tune.derived @nW = ((@theta - @K) floordiv @s + 1)^2
  tune.param @sigma divides @nW
  tune.param @omega divides @K^2 * @C
  tune.param @v in {1, 2, 3, 4, 8, 16}
  tune.constraint "slide" type : @theta <= @H + @rho because "a tile is part of the input"
  tune.constraint "slideStrict" type : @ts divides @H + @rho - @theta because "tiles cover all windows and no more"
  tune.constraint "asVector" type : @v divides @omega because "chunks are whole vectors"
}

// -----

// What is wanted comes in order: no padding first, then much reuse.
// expected-remark @+2 {{34 points, chosen in order @theta @rho; @v}}
// expected-remark @+1 {{best: @theta = 12, @rho = 0, @v = 2; padding 0, reuse 24 (118 nodes)}}
tune.space @wanted {
  tune.param @theta in 4 to 12 step 2
  tune.param @rho in 0 to 20
  tune.param @v in {1, 2}
  tune.constraint "even" type : @theta divides 24 + @rho
  tune.objective minimize "padding" : @rho
  tune.objective maximize "reuse" : @theta * @v
}

// -----

// expected-error @+2 {{[E0767]: no point satisfies all constraints; these 2 contradict each other}}
// expected-note @+5 {{split [type]: tiles are whole}}
tune.space @none {
  tune.param @T in 5 to 7
  tune.param @v in {1, 2, 4}
  tune.constraint "vector" type : @v divides @T because "rows are whole vectors"
  tune.constraint "split" type : @T divides 48 because "tiles are whole"
  tune.constraint "odd" user : @T mod 2 == 1 // expected-note {{odd [user]}}
}
