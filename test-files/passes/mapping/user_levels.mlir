// test: opt --pipeline="array-map{point=0 device=opencl}" --stats
// A user's condition on levels narrows what is left: without it all is sequential, or fused.

func.func @scale(%x: !array.of<8 x 4 x i32>) -> !array.of<8 x 4 x i32> {
  // check: array.map "A" %x : block.y as
  %o = array.map "A" %x as %a {
    // check: array.map "B" %a : thread.y as
    %p = array.map "B" %a as %b {
      %d = arith.addi %b, %b : i32
      array.yield %d
    }
    array.yield %p
  }
  return %o : !array.of<8 x 4 x i32>
}

tune.space @mine for @scale on "opencl" {
  tune.param @m.A "A" in {seq, thread.x, block.x, block.y}
  tune.param @m.B "B" in {seq, fused, thread.x, thread.y}
  tune.constraint "blocks" user : @m.A in {block.y} because "another kernel has taken x"
}
