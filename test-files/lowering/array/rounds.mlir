// test: opt --pipeline="func.func(array-bind,array-to-sched)" --split-input-file --verify-diagnostics
// Maps with more iterations than a block has threads, or a grid blocks, go round: in strips, the last one cut where there is
// a rest. Threads may wait for each other inside where there is none.

// Ten rows for four threads along y; each thread uses what it wrote.
func.func @straight(%x: !array.of<@n x 6 x i32>) -> !array.of<@n x 6 x i32> attributes {array.bind = {n = 10}, array.block = [4, 4]} {
  %o = array.map "A" %x : thread.y as %row {
    %c = array.map "C" %row : thread.x as %e {
      %0 = arith.addi %e, %e : i32
      array.yield %0
    }
    %p = array.place #gpu.address_space<workgroup> %c
    %b = array.map "B" %p : thread.x as %e {
      %0 = arith.muli %e, %e : i32
      array.yield %0
    }
    array.yield %b
  }
  return %o : !array.of<@n x 6 x i32>
}

// -----

// Threads use what others wrote: ten rows leave two for the last round, in which two threads of the four have none.
// expected-error@+1 {{[E0214]: pass `array-to-sched` left IR that is not valid}}
func.func @reversed(%x: !array.of<@n x 6 x i32>) -> !array.of<@n x 6 x i32> attributes {array.bind = {n = 10}, array.block = [6, 4]} {
  // expected-note@+1 {{the loop around}}
  %o = array.map "A" %x : thread.y as %row {
    // expected-note@+1 {{other threads do this before}}
    %c = array.map "C" %row : thread.x as %e {
      %0 = arith.addi %e, %e : i32
      array.yield %0
    }
    %p = array.place #gpu.address_space<workgroup> %c
    %t = array.gather %p by 5 - $i size 6
    %b = array.map "B" %t : thread.x as %e {
      // expected-error@+1 {{[E0660]: 'sched.read' op SYNC: waits for other threads of the block, but 10 iterations go round in strips of 4 for its threads along y: 2 of these have none in the last strip}}
      %0 = arith.muli %e, %e : i32
      array.yield %0
    }
    array.yield %b
  }
  return %o : !array.of<@n x 6 x i32>
}

// -----

// Twelve rows for four threads, a symbol that is bound too; along x two rounds.
func.func @even(%x: !array.of<@n x 6 x i32>) -> !array.of<@n x 6 x i32> attributes {array.bind = {n = 12, ly = 4}, array.block = [3, "@ly"]} {
  %o = array.map "A" %x : thread.y as %row {
    %c = array.map "C" %row : thread.x as %e {
      %0 = arith.addi %e, %e : i32
      array.yield %0
    }
    %p = array.place #gpu.address_space<workgroup> %c
    %t = array.gather %p by 5 - $i size 6
    %b = array.map "B" %t : thread.x as %e {
      %0 = arith.muli %e, %e : i32
      array.yield %0
    }
    array.yield %b
  }
  return %o : !array.of<@n x 6 x i32>
}

// -----

// Blocks and the whole grid; threads of a block may wait in blocks of which the last round has fewer.
func.func @grid(%x: !array.of<10 x 6 x i32>, %y: !array.of<40 x i32>) -> (!array.of<10 x 6 x i32>, !array.of<40 x i32>) attributes {array.block = [8], array.grid = [3]} {
  %o = array.map "A" %x : block.x as %row {
    %c = array.map "C" %row : thread.x as %e {
      %0 = arith.addi %e, %e : i32
      array.yield %0
    }
    %p = array.place #gpu.address_space<workgroup> %c
    %t = array.gather %p by 5 - $i size 6
    %b = array.map "B" %t : thread.x as %e {
      %0 = arith.muli %e, %e : i32
      array.yield %0
    }
    array.yield %b
  }
  %q = array.map "G" %y : global.x as %e {
    %0 = arith.addi %e, %e : i32
    array.yield %0
  }
  return %o, %q : !array.of<10 x 6 x i32>, !array.of<40 x i32>
}

// -----

// expected-error@+1 {{BIND: attribute 'array.block' must be one to three sizes along x, y, z, numbers from 0 or symbols, as in [16, "@n"]}}
func.func @wrong(%x: !array.of<10 x i32>) -> !array.of<10 x i32> attributes {array.block = 8} {
  %o = array.map %x as %e {
    array.yield %e
  }
  return %o : !array.of<10 x i32>
}
