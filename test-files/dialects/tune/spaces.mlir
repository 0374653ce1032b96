// test: round-trip
// Search spaces: what is read is what is printed.

func.func @matmul() {
  return
}

tune.space @tiles for @matmul on "opencl" {
  tune.size @H = 114
  tune.size @n
  tune.param @theta in 3 to 228
  tune.param @rho in 0 to 32
  tune.param @T in 4 to 64 step 4
  tune.param @v in {1, 2, 4, 8}
  tune.param @k divides @n
  tune.derived @step = @theta - 2
  tune.constraint "slide" type : @step divides @H + @rho - @theta because "tiles cover all windows and no more"
  tune.constraint "local" user : [@T <= @k or @v in {1, 2}] and not @T == 12
  tune.objective minimize "waste" : (@H + @rho) mod @step
  tune.objective maximize "reuse" : @k * @v
}

// Levels of loops: words, which stand for numbers in sizes.
tune.space @levels {
  tune.param @m.A "A" in {seq, thread.x, thread.y, block.x, block.y, global.x}
  tune.param @m.B "B" in {seq, fused, thread.x, thread.y, block.x, block.y, global.x}
  tune.constraint "1" printed : @m.A floordiv 10 < 1 because "A uses private memory, which belongs to one thread"
  tune.constraint "3" printed : @m.A in {seq} or @m.A != @m.B
  tune.constraint "7" printed : any(@m.A, @m.B) in {thread.x}
  tune.constraint "8" heuristic : not [@m.A in {seq} and @m.B in {seq}]
  tune.derived @threads = 6 if @m.A in {thread.x}, 4 if any(@m.A, @m.B) in {thread.y}, else 1
  tune.constraint "HW" beyond : @threads <= 4
  tune.constraint "never" user : false
}

func.func @value() -> index attributes {array.bind = {T = 12}} {
  %0 = tune.value @T : index
  %1 = tune.value 4 * @T : index
  %2 = arith.addi %0, %1 : index
  return %2 : index
}
// eval: @value() == 60
