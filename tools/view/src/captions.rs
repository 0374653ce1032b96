//! Captions of figures and pages: numbers with grouped digits, lines of a given width, names and colors of layers and regions.

use terrace_devices::{Layer, Region};

/// How figures show a layer of cores
#[derive(PartialEq, Eq, Debug)]
pub struct LayerLook {
    /// Who runs the tiles of a step
    pub layer: Layer,
    /// Class of its color
    pub class: &'static str,
    /// Do its iterations run at the same time?
    pub together: bool,
    /// What its iterations are
    pub many: &'static str,
    /// For the legend
    pub meaning: &'static str,
}

const fn look(
    layer: Layer,
    class: &'static str,
    together: bool,
    many: &'static str,
    meaning: &'static str,
) -> LayerLook {
    LayerLook { layer, class, together, many, meaning }
}

/// From the widest to the narrowest, in the order of [`Layer`]
pub const LAYERS: [LayerLook; 8] = [
    look(Layer::Gpu, "dev", true, "devices", "graphics processors, each with tiles of its own"),
    look(Layer::Cpu, "dev", true, "devices", "processors, each with tiles of its own"),
    look(Layer::Blk, "blk", true, "blocks", "blocks of a grid, at the same time; x, y, z are its axes"),
    look(Layer::Wrp, "wrp", true, "warps", "warps of a block, at the same time"),
    look(Layer::Thr, "thr", true, "threads", "threads, at the same time; x, y, z are their axes"),
    look(Layer::For, "seq", false, "iterations", "a loop in order; in a step, FOR.1 is outside of FOR.2"),
    look(Layer::Unr, "unr", false, "copies of the body", "an unrolled loop: copies of its body"),
    look(Layer::Vec, "vec", true, "lanes", "lanes of a vector, at the same time"),
];

/// The look of a layer
pub fn look_of(layer: Layer) -> &'static LayerLook {
    &LAYERS[layer as usize]
}

/// The look of the layer of a core's token
pub fn layer_of(token: &str) -> Option<&'static LayerLook> {
    token.split('.').next()?.parse().ok().map(look_of)
}

/// Place of a region from the farthest to the nearest, what is not known last
pub fn depth_of(region: &str) -> usize {
    let Ok(region) = region.parse() else { return FAR_TO_NEAR.len() };
    FAR_TO_NEAR.iter().position(|known| *known == region).unwrap_or(FAR_TO_NEAR.len())
}

const FAR_TO_NEAR: [Region; 10] = [
    Region::Mm,
    Region::Dm,
    Region::Dev,
    Region::L3,
    Region::L2,
    Region::Sm,
    Region::Shr,
    Region::L1,
    Region::Rm,
    Region::Reg,
];

/// Class of a region's color, and its name
pub fn region_of(region: &str) -> (&'static str, &'static str) {
    match region.parse() {
        Ok(Region::Mm) => ("far", "main memory"),
        Ok(Region::Dm | Region::Dev) => ("far", "device memory"),
        Ok(Region::Sm | Region::Shr) => ("mid", "shared memory"),
        Ok(Region::Rm | Region::Reg) => ("near", "registers"),
        Ok(Region::L1) => ("mid", "tiles for L1"),
        Ok(Region::L2) => ("cache", "tiles for L2"),
        Ok(Region::Cache(_)) => ("cache", "tiles for L3"),
        Err(()) => ("open", "a region"),
    }
}

/// `65,536,000`
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// A count that may be beyond whole numbers of 64 bits
pub fn count(number: f64) -> String {
    if number.abs() < 9e15 { grouped(number as i64) } else { format!("{number:.3e}") }
}

/// `8 × 256`; `?` for what is open
pub fn shape(sizes: &[Option<i64>]) -> String {
    let words: Vec<String> = sizes.iter().map(|n| n.map_or("?".into(), grouped)).collect();
    if words.is_empty() { "1".into() } else { words.join(" × ") }
}

/// Lines of at most so many characters; longer words stand alone
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// For a text or an attribute of HTML
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
