//! Convolutional layers as array patterns, at the sizes that tests of lowering share.

/// Height, width, channels, kernels, window, stride, border
pub type Sizes = [i64; 7];

/// The nine layers of VGG-16 that differ, reduced
pub const VGG16: [Sizes; 9] = [
    [8, 8, 3, 4, 3, 1, 1],
    [8, 8, 4, 4, 3, 1, 1],
    [6, 6, 4, 6, 3, 1, 1],
    [6, 6, 6, 6, 3, 1, 1],
    [4, 4, 6, 8, 3, 1, 1],
    [4, 4, 8, 8, 3, 1, 1],
    [3, 3, 8, 10, 3, 1, 1],
    [3, 3, 10, 10, 3, 1, 1],
    [2, 2, 10, 10, 3, 1, 1],
];

/// Sizes that divide nothing, windows of one element, strides
pub const ODD: [Sizes; 4] =
    [[5, 7, 3, 5, 3, 1, 1], [7, 5, 2, 3, 3, 2, 1], [4, 6, 5, 3, 1, 1, 0], [5, 5, 3, 2, 1, 2, 0]];

/// Windows of 7 and 11 with stride 2 and 4
pub const LARGE: [Sizes; 2] = [[9, 11, 2, 3, 7, 2, 3], [15, 13, 2, 2, 11, 4, 2]];

/// Listing 3 of GPGPU'20 on `elem` (`f32`, `i32`): `@layer` of an image and kernels with their channels last, and biases; the kernels'
/// results are the result's first dimension
pub fn layer([h, w, c, o, k, s, p]: Sizes, elem: &str) -> String {
    let (oh, ow) = ((h + 2 * p - k) / s + 1, (w + 2 * p - k) / s + 1);
    let (zero, mul) = if elem.starts_with('f') { ("0.0", "mulf") } else { ("0", "muli") };
    format!(
        "func.func @layer(%in: !array.of<{h} x {w} x {c} x {elem}>, %w: !array.of<{o} x {k} x {k} x {c} x {elem}>, %bias: !array.of<{o} x {elem}>) -> !array.of<{o} x {oh} x {ow} x {elem}> {{
  %z = arith.constant {zero} : {elem}
  %pd = array.pad_nd [({p}, {p}), ({p}, {p})] value %z %in
  %ws = array.slide_nd [{k}, {k}] by [{s}, {s}] %pd
  %o0 = array.map_nd 2 %ws as %win {{
    %r = array.map (array.zip %w, %bias) as %k, %b {{
      %s = array.reduce add init %b (array.zip (array.join_nd 3 %win), (array.join_nd 3 %k)) as %x, %y {{
        %m = arith.{mul} %x, %y : {elem}
        array.yield %m
      }}
      array.yield %s
    }}
    array.yield %r
  }}
  %o = array.transpose_nd [2, 0, 1] %o0
  return %o : !array.of<{o} x {oh} x {ow} x {elem}>
}}
"
    )
}
