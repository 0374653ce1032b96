// test: round-trip
// A stencil by tiles: the threads of a block copy a tile to local memory together, wait, and read their windows from there.

func.func @stencil(%in: !array.of<18 x 34 x f32>) -> !array.of<16 x 32 x f32> {
  %t = array.slide_nd strict [6, 10] by [4, 8] %in
  %o = array.map "A" %t : block.y as %line {
    %p = array.map "B" %line : block.x as %tile {
      %l = array.toLocal %tile
      %ws = array.slide_nd [3, 3] by [1, 1] %l
      %q = array.map "C" %ws : thread.y as %row {
        %r = array.map "D" %row : thread.x as %w {
          %s = array.reduce add (array.join %w) as %x {
            array.yield %x
          }
          array.yield %s
        }
        array.yield %r
      }
      array.yield %q
    }
    array.yield %p
  }
  %rows = array.map %o as %line {
    %0 = array.map (array.transpose %line) as %across {
      %1 = array.join %across
      array.yield %1
    }
    array.yield %0
  }
  %all = array.join %rows
  return %all : !array.of<16 x 32 x f32>
}
