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
    %8 = array.map "tiles" %5 : block.y as %arg0 {
      %16 = array.map %arg0 as %arg1 {
        %20 = array.slide 2 by 1 %arg1
        array.yield %20
      }
      %17 = array.slide 2 by 1 %16
      %18 = array.map %17 as %arg1 {
        %20 = array.transpose %arg1
        array.yield %20
      }
      %19 = array.map "groups" %7 : block.x as %arg1 {
        %20 = array.map "kernel" %arg1 as %k, %b {
          %23 = array.join %k
          %24 = array.join %23
          %25 = array.as_vector 4 %24
          %26 = array.reorder strided 4 %25
          %kc = array.split 2 %26
          array.yield %kc
        }
        %21 = array.transpose %20
        %22 = array.map "windows" %18 : thread.y as %arg2 {
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
          %26 = array.map "chunks" %25 : thread.x as %arg3, %arg4 {
            %29 = array.transpose %arg4
            %30 = array.transpose %arg3
            %31 = array.zip %30, %29
            %partial = array.reduce add %31 as %arg5, %arg6 {
              %32 = array.map "block" %arg5 : seq as %arg7 {
                %33 = array.place #gpu.address_space<private> %arg7
                %34 = array.map "dots" %arg6 : seq as %arg8 {
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
    %10 = array.map "sums" %9 : block.y as %arg0 {
      %16 = array.zip %7, %arg0
      %17 = array.map %16 : block.x as %arg1, %arg2 {
        %20 = array.map %arg2 : thread.y as %arg3 {
          %21 = array.map %arg3 : thread.x as %arg4 {
            %22 = array.zip %arg1, %arg4
            %23 = array.map %22 : seq as %arg5, %arg6 {
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
}
