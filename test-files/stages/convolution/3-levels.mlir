// test: round-trip
module {
  func.func @conv(%in: !array.of<4 x 6 x 8 x f32>, %w: !array.of<4 x 2 x 2 x 8 x f32>, %bias: !array.of<4 x f32>) -> !array.of<4 x 5 x 7 x f32> {
    %z = arith.constant 0.000000e+00 : f32
    %0 = array.map %in as %arg0 {
      %16 = array.pad 1, 1 value %z %arg0
      array.yield %16
    }
    %1 = array.pad 1, 2 value %z %0
    %padded = array.map %1 as %arg0 {
      %16 = array.pad 0, 1 value %z %arg0
      array.yield %16
    }
    %padded_0 = array.place #gpu.address_space<global> %padded
    %2 = array.map %padded_0 as %arg0 {
      %16 = array.slide strict 3 by 2 %arg0
      array.yield %16
    }
    %3 = array.slide strict 3 by 2 %2
    %4 = array.map %3 as %arg0 {
      %16 = array.transpose %arg0
      array.yield %16
    }
    %5 = array.join %4
    %6 = array.zip %w, %bias
    %7 = array.split 2 %6
    %8 = array.map "tiles" %5 : @m.tiles as %arg0 {
      %16 = array.map %arg0 as %arg1 {
        %20 = array.slide 2 by 1 %arg1
        array.yield %20
      }
      %17 = array.slide 2 by 1 %16
      %18 = array.map %17 as %arg1 {
        %20 = array.transpose %arg1
        array.yield %20
      }
      %19 = array.map "groups" %7 : @m.groups as %arg1 {
        %20 = array.map "kernel" %arg1 as %k, %b {
          %23 = array.join %k
          %24 = array.join %23
          %25 = array.as_vector 4 %24
          %26 = array.reorder strided 4 %25
          %kc = array.split 2 %26
          array.yield %kc
        }
        %21 = array.transpose %20
        %22 = array.map "windows" %18 : @m.windows as %arg2 {
          %23 = array.map "window" %arg2 as %win {
            %29 = array.join %win
            %30 = array.join %29
            %31 = array.as_vector 4 %30
            %32 = array.reorder strided 4 %31
            %wc = array.split 2 %32
            array.yield %wc
          }
          %24 = array.transpose %23
          %25 = array.zip %24, %21
          %26 = array.map "chunks" %25 : @m.chunks as %arg3, %arg4 {
            %29 = array.transpose %arg4
            %30 = array.transpose %arg3
            %31 = array.zip %30, %29
            %partial = array.reduce add %31 as %arg5, %arg6 {
              %32 = array.map "block" %arg5 : @m.block as %arg7 {
                %33 = array.place #gpu.address_space<private> %arg7
                %34 = array.map "dots" %arg6 : @m.dots as %arg8 {
                  %35 = arith.mulf %33, %arg8 : vector<4xf32>
                  %36 = vector.reduction <add>, %35 : vector<4xf32> into f32
                  array.yield %36
                }
                array.yield %34
              }
              array.yield %32
            }
            %partial_1 = array.place #gpu.address_space<private> %partial
            array.yield %partial_1
          }
          %27 = array.transpose %26
          %28 = array.map %27 as %arg3 {
            %29 = array.transpose %arg3
            array.yield %29
          }
          array.yield %28
        }
        array.yield %22
      }
      array.yield %19
    }
    %9 = array.place #gpu.address_space<global> %8
    %10 = array.map "sums" %9 : @m.sums as %arg0 {
      %16 = array.zip %7, %arg0
      %17 = array.map %16 : @m.m7 as %arg1, %arg2 {
        %20 = array.map %arg2 : @m.m8 as %arg3 {
          %21 = array.map %arg3 : @m.m9 as %arg4 {
            %22 = array.zip %arg1, %arg4
            %23 = array.map %22 : @m.m10 as %arg5, %arg6 {
              %24 = array.get 0 %arg5
              %25 = array.get 1 %arg5
              %s = array.reduce add init %25 %arg6 as %arg7 {
                array.yield %arg7
              }
              array.yield %s
            }
            array.yield %23
          }
          array.yield %21
        }
        array.yield %20
      }
      %18 = array.transpose %17
      %19 = array.map %18 as %arg1 {
        %20 = array.transpose %arg1
        %21 = array.map %20 as %arg2 {
          %r = array.join %arg2
          array.yield %r
        }
        array.yield %21
      }
      array.yield %19
    }
    %11 = array.place #gpu.address_space<global> %10
    %12 = array.split 4 %11
    %13 = array.map %12 as %arg0 {
      %16 = array.transpose %arg0
      %17 = array.map %16 as %arg1 {
        %18 = array.join %arg1
        array.yield %18
      }
      array.yield %17
    }
    %extended = array.join %13
    %14 = array.slice 0, 5 %extended
    %o0 = array.map %14 as %arg0 {
      %16 = array.slice 0, 7 %arg0
      array.yield %16
    }
    %15 = array.map %o0 as %arg0 {
      %16 = array.transpose %arg0
      array.yield %16
    }
    %o = array.transpose %15
    return %o : !array.of<4 x 5 x 7 x f32>
  }
  tune.space @conv_levels for @conv on "opencl" {
    tune.param @m.tiles "tiles" in {seq, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.groups "groups" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.windows "windows" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.chunks "chunks" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.block "block" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.dots "dots" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.sums "sums" in {seq, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.m7 "m7" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.m8 "m8" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.m9 "m9" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.param @m.m10 "m10" in {seq, fused, thread.x, thread.y, thread.z, block.x, block.y, block.z, global.x, global.y, global.z}
    tune.constraint "1" printed : @m.block floordiv 10 < 1 because "block uses private memory, which belongs to one thread"
    tune.constraint "1" printed : @m.dots floordiv 10 < 1 because "dots uses private memory, which belongs to one thread"
    tune.constraint "3" printed : [@m.tiles floordiv 10 < 1 or @m.tiles != @m.groups] and [@m.tiles floordiv 10 < 1 or @m.tiles != @m.windows] and [@m.tiles floordiv 10 < 1 or @m.tiles != @m.chunks] and [@m.tiles floordiv 10 < 1 or @m.tiles != @m.block] and [@m.tiles floordiv 10 < 1 or @m.tiles != @m.dots] because "tiles and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.tiles floordiv 10 == 1 and @m.groups floordiv 10 == 2 and @m.groups mod 10 == @m.tiles mod 10] and not [@m.tiles floordiv 10 == 1 and @m.windows floordiv 10 == 2 and @m.windows mod 10 == @m.tiles mod 10] and not [@m.tiles floordiv 10 == 1 and @m.chunks floordiv 10 == 2 and @m.chunks mod 10 == @m.tiles mod 10] and not [@m.tiles floordiv 10 == 1 and @m.block floordiv 10 == 2 and @m.block mod 10 == @m.tiles mod 10] and not [@m.tiles floordiv 10 == 1 and @m.dots floordiv 10 == 2 and @m.dots mod 10 == @m.tiles mod 10] because "tiles cannot be threads of a group dimension that is inside of it"
    tune.constraint "3" printed : [@m.groups floordiv 10 < 1 or @m.groups != @m.windows] and [@m.groups floordiv 10 < 1 or @m.groups != @m.chunks] and [@m.groups floordiv 10 < 1 or @m.groups != @m.block] and [@m.groups floordiv 10 < 1 or @m.groups != @m.dots] because "groups and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.groups floordiv 10 == 1 and @m.windows floordiv 10 == 2 and @m.windows mod 10 == @m.groups mod 10] and not [@m.groups floordiv 10 == 1 and @m.chunks floordiv 10 == 2 and @m.chunks mod 10 == @m.groups mod 10] and not [@m.groups floordiv 10 == 1 and @m.block floordiv 10 == 2 and @m.block mod 10 == @m.groups mod 10] and not [@m.groups floordiv 10 == 1 and @m.dots floordiv 10 == 2 and @m.dots mod 10 == @m.groups mod 10] because "groups cannot be threads of a group dimension that is inside of it"
    tune.constraint "3" printed : [@m.windows floordiv 10 < 1 or @m.windows != @m.chunks] and [@m.windows floordiv 10 < 1 or @m.windows != @m.block] and [@m.windows floordiv 10 < 1 or @m.windows != @m.dots] because "windows and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.windows floordiv 10 == 1 and @m.chunks floordiv 10 == 2 and @m.chunks mod 10 == @m.windows mod 10] and not [@m.windows floordiv 10 == 1 and @m.block floordiv 10 == 2 and @m.block mod 10 == @m.windows mod 10] and not [@m.windows floordiv 10 == 1 and @m.dots floordiv 10 == 2 and @m.dots mod 10 == @m.windows mod 10] because "windows cannot be threads of a group dimension that is inside of it"
    tune.constraint "3" printed : [@m.chunks floordiv 10 < 1 or @m.chunks != @m.block] and [@m.chunks floordiv 10 < 1 or @m.chunks != @m.dots] because "chunks and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.chunks floordiv 10 == 1 and @m.block floordiv 10 == 2 and @m.block mod 10 == @m.chunks mod 10] and not [@m.chunks floordiv 10 == 1 and @m.dots floordiv 10 == 2 and @m.dots mod 10 == @m.chunks mod 10] because "chunks cannot be threads of a group dimension that is inside of it"
    tune.constraint "3" printed : @m.block floordiv 10 < 1 or @m.block != @m.dots because "block and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.block floordiv 10 == 1 and @m.dots floordiv 10 == 2 and @m.dots mod 10 == @m.block mod 10] because "block cannot be threads of a group dimension that is inside of it"
    tune.constraint "3" printed : [@m.sums floordiv 10 < 1 or @m.sums != @m.m7] and [@m.sums floordiv 10 < 1 or @m.sums != @m.m8] and [@m.sums floordiv 10 < 1 or @m.sums != @m.m9] and [@m.sums floordiv 10 < 1 or @m.sums != @m.m10] because "sums and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.sums floordiv 10 == 1 and @m.m7 floordiv 10 == 2 and @m.m7 mod 10 == @m.sums mod 10] and not [@m.sums floordiv 10 == 1 and @m.m8 floordiv 10 == 2 and @m.m8 mod 10 == @m.sums mod 10] and not [@m.sums floordiv 10 == 1 and @m.m9 floordiv 10 == 2 and @m.m9 mod 10 == @m.sums mod 10] and not [@m.sums floordiv 10 == 1 and @m.m10 floordiv 10 == 2 and @m.m10 mod 10 == @m.sums mod 10] because "sums cannot be threads of a group dimension that is inside of it"
    tune.constraint "3" printed : [@m.m7 floordiv 10 < 1 or @m.m7 != @m.m8] and [@m.m7 floordiv 10 < 1 or @m.m7 != @m.m9] and [@m.m7 floordiv 10 < 1 or @m.m7 != @m.m10] because "m7 and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.m7 floordiv 10 == 1 and @m.m8 floordiv 10 == 2 and @m.m8 mod 10 == @m.m7 mod 10] and not [@m.m7 floordiv 10 == 1 and @m.m9 floordiv 10 == 2 and @m.m9 mod 10 == @m.m7 mod 10] and not [@m.m7 floordiv 10 == 1 and @m.m10 floordiv 10 == 2 and @m.m10 mod 10 == @m.m7 mod 10] because "m7 cannot be threads of a group dimension that is inside of it"
    tune.constraint "3" printed : [@m.m8 floordiv 10 < 1 or @m.m8 != @m.m9] and [@m.m8 floordiv 10 < 1 or @m.m8 != @m.m10] because "m8 and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.m8 floordiv 10 == 1 and @m.m9 floordiv 10 == 2 and @m.m9 mod 10 == @m.m8 mod 10] and not [@m.m8 floordiv 10 == 1 and @m.m10 floordiv 10 == 2 and @m.m10 mod 10 == @m.m8 mod 10] because "m8 cannot be threads of a group dimension that is inside of it"
    tune.constraint "3" printed : @m.m9 floordiv 10 < 1 or @m.m9 != @m.m10 because "m9 and a map inside of it cannot share a level and dimension"
    tune.constraint "6" printed : not [@m.m9 floordiv 10 == 1 and @m.m10 floordiv 10 == 2 and @m.m10 mod 10 == @m.m9 mod 10] because "m9 cannot be threads of a group dimension that is inside of it"
    tune.constraint "4,5" printed : [not any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {thread.x} or any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {block.x}] and [not any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {thread.y} or any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {block.y}] and [not any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {thread.z} or any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {block.z}] and [not any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {block.x} or any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {thread.x}] and [not any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {block.y} or any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {thread.y}] and [not any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {block.z} or any(@m.tiles, @m.groups, @m.windows, @m.chunks, @m.block, @m.dots) in {thread.z}] and [not any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {thread.x} or any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {block.x}] and [not any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {thread.y} or any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {block.y}] and [not any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {thread.z} or any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {block.z}] and [not any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {block.x} or any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {thread.x}] and [not any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {block.y} or any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {thread.y}] and [not any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {block.z} or any(@m.sums, @m.m7, @m.m8, @m.m9, @m.m10) in {thread.z}] because "on each chain, dimensions of threads are those of work-groups"
  }
}
