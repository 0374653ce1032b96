//! Layers of YOLO-v1 with fewer channels, filters and places, so that a simulation ends, and designs of each.

use terrace_schedule_fpga::{Convolution, Design, Tiled};
use terrace_search_primitives::Chosen;

/// A layer whose window, stride and ratio of channels are those of the whole one: channels, height and width with the border, filters,
/// window, stride
pub struct Layer {
    pub name: &'static str,
    numbers: [i64; 5],
}

const fn layer(name: &'static str, numbers: [i64; 5]) -> Layer {
    Layer { name, numbers }
}

/// C1 to C15 without those that have the form of another one
pub const LAYERS: [Layer; 8] = [
    layer("C1", [3, 19, 4, 7, 2]),
    layer("C2", [4, 14, 12, 3, 1]),
    layer("C3", [12, 14, 8, 1, 1]),
    layer("C4", [8, 16, 16, 3, 1]),
    layer("C8", [16, 9, 32, 3, 1]),
    layer("C9", [32, 7, 32, 1, 1]),
    layer("C13", [32, 9, 32, 3, 1]),
    layer("C14", [16, 9, 16, 3, 2]),
];

impl Layer {
    fn convolution(&self) -> Convolution {
        let [channels, height, filters, window, stride] = self.numbers;
        Convolution { batch: 1, channels, height, width: height, filters, window, stride, bytes: 1 }
    }

    /// As the model sees it: bytes in, sums of 32 bits out
    pub fn tiled(&self) -> Tiled {
        let mut tiled = self.convolution().tiled();
        tiled.writes.bytes = 4;
        tiled
    }

    /// Its program, of bytes
    pub fn program(&self) -> String {
        let [channels, height, filters, window, stride] = self.numbers;
        let [rows, columns] = self.convolution().extents();
        let image = format!("tensor<1x{channels}x{height}x{height}xi8>");
        let weights = format!("tensor<{filters}x{channels}x{window}x{window}xi8>");
        let result = format!("tensor<1x{filters}x{rows}x{columns}xi32>");
        format!(
            "func.func @f(%A: {image}, %B: {weights}) -> {result} {{\n  \
             %C = mdh.compute (n in 1, f in {filters}, y in {rows}, x in {columns}, c in {channels} pw add, r in {window} pw add, s in {window} pw add)\n    \
             ins(%a = %A[n, c, {stride} * y + r, {stride} * x + s], %b = %B[f, c, r, s]) outs([n, f, y, x]) {{\n    \
             %v = arith.extsi %a : i8 to i32\n    %w = arith.extsi %b : i8 to i32\n    %p = arith.muli %v, %w : i32\n    \
             mdh.yield %p : i32\n  }} : ({image}, {weights}) -> {result}\n  return %C : {result}\n}}\n"
        )
    }

    /// Designs that differ in what bounds them: one lane; ports of one bank; lanes with banks; sums that wait; pipelines next to each other
    pub fn designs(&self) -> Vec<Chosen> {
        let tiled = self.tiled();
        let [rows, columns] = self.convolution().extents();
        let folded = tiled.extents[tiled.lane()].size;
        let wide = [8, 7, 4, 3].into_iter().find(|lanes| folded % lanes == 0).unwrap_or(1);
        let two = [2, 3, 7].into_iter().find(|lanes| folded % lanes == 0).unwrap_or(1);
        let row = [1, 1, 1, columns];
        let along = tiled.rounds(&row).map_or(1, |rounds| rounds.along);
        let many = (2..=along).find(|pipelines| along % pipelines == 0).unwrap_or(1);
        let chosen = |tiles: [i64; 4], lanes, banks, pipelines| Chosen {
            tiles: tiles.to_vec(),
            design: Design { lanes, banks, pipelines },
        };
        vec![
            chosen(row, 1, 1, 1),
            chosen([1, 1, rows, columns], wide, 1, 1),
            chosen([1, 2, 1, columns], wide, wide, 1),
            chosen([1, 1, 1, 1], two, two, 1),
            chosen(row, two, two, many),
        ]
    }
}
