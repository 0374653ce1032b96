// test: opt --pipeline="array-expand,array-inline,func.func(array-bind,array-to-sched)"
// snapshot:
// Direct convolution, listing 4, at the sizes of layer 7 of the network: tiles of 5, 4 kernels and 3 windows together, chunks of 144.

#oh = #array.nat<(@H - @R) floordiv @sy + 1>
#ow = #array.nat<(@W - @S) floordiv @sx + 1>
#ws = #array.nat<@K^2 * @C>
#nch = #array.nat<#ws / @om>

func.func private @chunks(%w: !array.of<@K x @K x @C x f32>) -> !array.of<#nch x @om / 4 x vector<4xf32>> {
  %1 = array.as_vector 4 (array.join_nd 3 %w)
  %2 = array.reorder strided #nch %1
  %3 = array.split @om / 4 %2
  return %3 : !array.of<#nch x @om / 4 x vector<4xf32>>
}
func.func @partial(%in: !array.of<@H x @W x @C x f32>, %w: !array.of<@M x @K x @K x @C x f32>) -> !array.of<((@H - @theta) / @ts + 1) * ((@W - @theta) / @ts + 1) x @M / @ka x @ka x ((@theta - @K) floordiv @s + 1)^2 / @sg x @sg x #nch x f32> attributes {array.bind = {H=125,W=125,C=128,M=128,K=3,s=1,theta=5,ts=3,ka=4,sg=3,om=144}} {
  %z = arith.constant 0.0 : f32
  %t4 = array.join (array.slide_nd strict [@theta, @theta] by [@ts, @ts] %in)
  %wg = array.split @ka %w
  %p = array.map %t4 : block.y as %tile {
    %wn = array.split @sg (array.join (array.slide_nd [@K, @K] by [@s, @s] %tile))
    %q = array.map %wg : block.x as %kg {
      %kc = array.transpose (array.map @chunks %kg)
      %g = array.map %wn : thread.y as %w3 {
        %xc = array.transpose (array.map @chunks %w3)
        %c = array.map (array.zip %xc, %kc) : thread.x as %x2, %k2 {
          %a = array.reduceSeq add init %z (array.zip (array.transpose %x2), (array.transpose %k2)) as %x, %k {
            %r = array.let %x as %xp {
              %0 = array.map %k : unroll as %k1 {
                %kp = array.toPrivate %k1
                %d = array.map %xp : unroll as %x1 {
                  %m = arith.mulf %x1, %kp : vector<4xf32>
                  %h = vector.reduction <add>, %m : vector<4xf32> into f32
                  array.yield %h
                }
                array.yield %d
              }
              array.yield %0
            }
            array.yield %r
          }
          %ap = array.toPrivate %a
          array.yield %ap
        }
        array.yield %c
      }
      array.yield (array.transpose_nd [2, 0, 3, 1] %g)
    }
    array.yield %q
  }
  %pp = array.toGlobal %p
  return %pp : !array.of<((@H - @theta) / @ts + 1) * ((@W - @theta) / @ts + 1) x @M / @ka x @ka x ((@theta - @K) floordiv @s + 1)^2 / @sg x @sg x #nch x f32>
}
// check: func.func @partial(%in: memref<125x125x128xf32>, %w: memref<128x3x3x128xf32>, %pp: memref<1681x32x4x3x3x8xf32> {llvm.noalias}) {
// next: %z = arith.constant 0.000000e+00 : f32
// next: sched.kernel @partial grid [32, 1681, 1] block [8, 3, 1] {
// next: sched.for (%i in 1681 by 1 dim 0 : block.y, %j in 128 by 4 dim 1 : block.x, %k in 9 by 3 dim 2 : thread.y, %l in 32 by 4 dim 3 : thread.x) {
// next: %ap = sched.alloc : memref<4x3xf32, #gpu.address_space<private>>
// next: sched.copy (%d0, %d1) in (4, 3) %z to %ap[%d0, %d1] : f32 to memref<4x3xf32, #gpu.address_space<private>>
// next: sched.for (%m in 1152 by 32 dim 3 pw add) {
// next: %xp = sched.alloc : memref<3x4xf32, #gpu.address_space<private>>
// next: sched.copy (%d0, %d1) in (3, 4) by (unroll, vector 4) %in[%k floordiv 3 + (%i floordiv 41) * 3 + %m floordiv 384, %d0 + (%m floordiv 128) mod 3 + (%i mod 41) * 3, %d1 + %l + %m mod 128] to %xp[%d0, %d1] : memref<125x125x128xf32> to memref<3x4xf32, #gpu.address_space<private>>
// next: sched.for (%n in 4 by 1 dim 1 : unroll) {
// next: %kp = sched.alloc : memref<4xf32, #gpu.address_space<private>>
// next: sched.copy (%d0) in (4) by (vector 4) %w[%j + %n, %m floordiv 384, (%m floordiv 128) mod 3, %d0 + %l + %m mod 128] to %kp[%d0] : memref<128x3x3x128xf32> to memref<4xf32, #gpu.address_space<private>>
// next: sched.for (%o in 3 by 1 dim 2 : unroll) {
// next: %0 = sched.for (%l_0 in 4 by 1 dim 3 : vector pw add) -> f32 {
// next: %1 = sched.read %xp[%o, %l_0] : memref<3x4xf32, #gpu.address_space<private>>
// next: %2 = sched.read %kp[%l_0] : memref<4xf32, #gpu.address_space<private>>
// next: %3 = arith.mulf %1, %2 : f32
// next: sched.yield %3 : f32
// next: }
// next: sched.write %0, %ap[%n, %o] combine add : memref<4x3xf32, #gpu.address_space<private>>
// next: }
// next: }
// next: }
// next: sched.copy (%d0, %d1) in (4, 3) %ap[%d0, %d1] to %pp[%i, %j floordiv 4, %d0, %k floordiv 3, %d1, %l floordiv 4] : memref<4x3xf32, #gpu.address_space<private>> to memref<1681x32x4x3x3x8xf32>
// next: }
// next: }
// next: return
