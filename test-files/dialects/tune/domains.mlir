// test: round-trip
// Domains, sizes that follow, and formulas, with names as a stranger would choose them.

tune.space @ranges {
  tune.param @unroll_factor in 1 to 1
  tune.param @x in 0 to 0
  tune.param @tile_m in 16 to 128 step 16
  tune.param @odd in 1 to 15 step 2
  tune.param @sizes in {1, 3, 7, 31}
  tune.param @only in {42}
}

tune.space @words {
  tune.param @order in {row_major, column_major}
  tune.param @where in {seq}
  tune.constraint "one of two" user : @order in {row_major} or @where in {seq}
}

tune.space @divisors {
  tune.size @n = 96
  tune.size @M
  tune.param @a divides @n
  tune.param @b divides @M
  tune.param @c divides @a
  tune.constraint "nested" user : @c divides @n
}

tune.space @follow {
  tune.size @n = 100
  tune.param @t in 1 to 100
  tune.derived @tiles = (@n + @t - 1) floordiv @t
  tune.derived @waste = @tiles * @t - @n
  tune.derived @half = min(@t, @n - @t)
  tune.derived @more = max(@t, 32)
  tune.constraint "little waste" heuristic : @waste * 10 <= @n because "a tenth at most"
  tune.objective minimize "waste" : @waste
  tune.objective maximize "tile" : @t
}

tune.space @comparisons {
  tune.param @p in 1 to 64
  tune.param @q in 1 to 64
  tune.constraint "1" user : @p == @q
  tune.constraint "2" user : @p != 2 * @q
  tune.constraint "3" user : @p < @q + 1
  tune.constraint "4" user : @p > @q - 1
  tune.constraint "5" user : @p >= 1 and @q >= 1
  tune.constraint "6" user : not @p == 63
  tune.constraint "7" user : [@p == 1 or @p == 2] and [@q == 1 or @q == 2]
  tune.constraint "8" user : @p divides 64 and 2 divides @q
  tune.constraint "9" user : true
}

func.func @kernel() {
  return
}
tune.space @for_a_device for @kernel on "cuda" {
  tune.param @m.outer "outer" in {seq, block.x}
  tune.param @m.inner "inner" in {seq, fused, thread.x}
  tune.constraint "not both" printed : not [@m.outer in {seq} and @m.inner in {seq}]
}

// Values of parameters are bound by a function, and may be parts of sums.
func.func @values() -> (index, index) attributes {array.bind = {rows = 7, cols = 3}} {
  %0 = tune.value @rows * @cols + 1 : index
  %1 = tune.value @rows floordiv @cols : index
  return %0, %1 : index, index
}
// eval: @values() == (22, 2)
