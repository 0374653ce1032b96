// test: opt --pipeline=to-opencl --split-input-file --verify-diagnostics
// A barrier that some threads of a block would not reach is refused, with the map whose threads they are.

// Five rows beside eight: the others would not meet those that hand their rows over.
// expected-error @+1 {{[E0214]: pass `array-to-sched` left IR that is not valid}}
func.func @rows(%x: !array.of<4 x 5 x 8 x i32>) -> !array.of<4 x 5 x 8 x i32> {
  %o = array.map %x : block.x as %a {
    %b = array.map %a : thread.y as %row {
      %c = array.map %row : thread.x as %e {
        %d = arith.addi %e, %e : i32
        array.yield %d
      }
      %line = array.toLocal %c
      %g = array.gather %line by 7 - $i size 8
      %h = array.map %g : thread.x as %e {
        // expected-error @+1 {{[E0660]: 'sched.read' op SYNC: waits for other threads of the block, which has 8 along y, but the loop around has 5}}
        %d = arith.muli %e, %e : i32
        array.yield %d
      }
      array.yield %h
    }
    %m = array.toLocal %b
    %t = array.map (array.transpose %m) : thread.y as %col {
      %h = array.map %col : thread.x as %e {
        %d = arith.addi %e, %e : i32
        array.yield %d
      }
      array.yield %h
    }
    array.yield (array.transpose %t)
  }
  return %o : !array.of<4 x 5 x 8 x i32>
}
