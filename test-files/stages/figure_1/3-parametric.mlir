// test: round-trip
module {
  func.func @f(%X: !array.of<@n x i32>, %y: i32, %z: i32) -> !array.of<@n x i32> {
    %0 = array.split @s0 %X
    %1 = array.map "A" %0 : @m.A as %arg0 {
      %2 = array.split @s1 %arg0
      %3 = array.map "C" %2 : @m.C as %arg1 {
        %5 = array.map "D" %arg1 : @m.D as %e {
          %m = arith.muli %e, %y : i32
          %s = arith.addi %m, %z : i32
          array.yield %s
        }
        array.yield %5
      }
      %4 = array.join %3
      array.yield %4
    }
    %o = array.join %1
    return %o : !array.of<@n x i32>
  }
  tune.space @f_levels for @f on "opencl" {
    tune.size @n
    tune.size @s0
    tune.size @s1
    tune.param @m.A "A" in {seq, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.C "C" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.D "D" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.constraint "3" printed : [@m.A floordiv 10 < 1 or @m.A != @m.C] and [@m.A floordiv 10 < 1 or @m.A != @m.D] because "A and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.A floordiv 10 == 1 and @m.C floordiv 10 == 2 and @m.C mod 10 == @m.A mod 10] and not [@m.A floordiv 10 == 1 and @m.D floordiv 10 == 2 and @m.D mod 10 == @m.A mod 10] because "A cannot be threads of a group dimension that is inside of it"
    tune.constraint "3" printed : @m.C floordiv 10 < 1 or @m.C != @m.D because "C and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.C floordiv 10 == 1 and @m.D floordiv 10 == 2 and @m.D mod 10 == @m.C mod 10] because "C cannot be threads of a group dimension that is inside of it"
    tune.constraint "4,5" printed : [not any(@m.A, @m.C, @m.D) in {thread.x} or any(@m.A, @m.C, @m.D) in {block.x}] and [not any(@m.A, @m.C, @m.D) in {thread.y} or any(@m.A, @m.C, @m.D) in {block.y}] and [not any(@m.A, @m.C, @m.D) in {thread.z} or any(@m.A, @m.C, @m.D) in {block.z}] and [not any(@m.A, @m.C, @m.D) in {block.x} or any(@m.A, @m.C, @m.D) in {thread.x}] and [not any(@m.A, @m.C, @m.D) in {block.y} or any(@m.A, @m.C, @m.D) in {thread.y}] and [not any(@m.A, @m.C, @m.D) in {block.z} or any(@m.A, @m.C, @m.D) in {thread.z}] because "on each chain, dimensions of threads are those of work-groups"
    tune.constraint "8" heuristic : not [@m.C in {seq} and @m.D in {seq}] because "D stands alone in C: two sequential ones are one, fused"
    tune.constraint "split" type : 1 <= @s0 because "size of parts"
    tune.constraint "split" type : @s0 divides @n because "size of parts"
    tune.constraint "split" type : 1 <= @s1 because "size of parts"
    tune.constraint "split" type : @s1 divides @s0 because "size of parts"
  }
}
