// test: opt --pipeline="func.func(array-obligations)" --verify-diagnostics
// What must hold of the symbols; what is proved or bound is not said.

func.func @open(%x: !array.of<@n x f32>, %y: !array.of<4 * @k x f32>) attributes {array.bind = {k = 6}} {
  // expected-remark @+2 {{array.split: size of parts: 1 <= @m is open}}
  // expected-remark @+1 {{array.split: size of parts: @m divides @n is open}}
  %0 = array.split @m %x
  %1 = array.split 8 %y
  %2 = array.join %0
  // expected-remark @+2 {{array.slide: window: 3 <= @n is open}}
  // expected-remark @+1 {{array.slide: step: 2 divides @n - 3 is open}}
  %3 = array.slide strict 3 by 2 %2
  // expected-remark @+2 {{array.split_nd: size of parts: 1 <= @m is open}}
  // expected-remark @+1 {{array.split_nd: size of parts: @m divides @n is open}}
  %4 = array.split_nd [@m] %x
  // expected-remark @+1 {{array.cast: sizes of a cast: @n = @l is open}}
  %5 = array.cast %x to !array.of<@l x f32>
  return
}

// An order that is proved to permute leaves nothing open, whatever the size; nor do indices that are proved inside.
func.func @orders(%x: !array.of<4 * @n x f32>, %y: !array.of<@n x f32>) {
  %0 = array.reorder by @n - 1 - $i inverse @n - 1 - $i %y
  %1 = array.reorder by $i floordiv 4 + @n * ($i mod 4) inverse 4 * ($i mod @n) + $i floordiv @n %x
  %2 = array.gather %x by 2 * $i + 1 size 2 * @n
  // expected-remark @+1 {{array.gather: index: 2 * $i + 1 <= @n is open}}
  %3 = array.gather %y by 2 * $i size @n
  return
}
