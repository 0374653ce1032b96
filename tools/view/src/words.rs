//! Texts of figures and pages: numbers with grouped digits, lines of a given width, layers of cores and regions of memory by name.

/// A layer of cores: who runs the tiles of a step
#[derive(PartialEq, Eq, Debug)]
pub struct Layer {
    /// As schedules write it
    pub word: &'static str,
    /// Class of its color
    pub class: &'static str,
    /// Do its iterations run at the same time?
    pub together: bool,
    /// What its iterations are
    pub many: &'static str,
    /// For the legend
    pub meaning: &'static str,
}

const fn layer(
    word: &'static str,
    class: &'static str,
    together: bool,
    many: &'static str,
    meaning: &'static str,
) -> Layer {
    Layer { word, class, together, many, meaning }
}

/// From the widest to the narrowest
pub const LAYERS: [Layer; 11] = [
    layer("GPU", "dev", true, "devices", "graphics processors, each with tiles of its own"),
    layer("CPU", "dev", true, "devices", "processors, each with tiles of its own"),
    layer("CLU", "clu", true, "clusters", "clusters of blocks, at the same time"),
    layer("BLK", "blk", true, "blocks", "blocks of a grid, at the same time; x, y, z are its axes"),
    layer("WRP", "wrp", true, "warps", "warps of a block, at the same time"),
    layer("THR", "thr", true, "threads", "threads, at the same time; x, y, z are their axes"),
    layer("PE", "mma", true, "units", "units of hardware side by side, at the same time"),
    layer("FOR", "seq", false, "iterations", "a loop in order; in a step, FOR.1 is outside of FOR.2"),
    layer("UNR", "unr", false, "copies of the body", "an unrolled loop: copies of its body"),
    layer("VEC", "vec", true, "lanes", "lanes of a vector, at the same time"),
    layer("MMA", "mma", true, "lanes", "rows and columns of a matrix unit"),
];

/// The layer of a core's token
pub fn layer_of(token: &str) -> Option<&'static Layer> {
    let word = token.split('.').next().unwrap_or("");
    LAYERS.iter().find(|layer| layer.word == word)
}

/// Regions from the farthest to the nearest: word, class of the color, name, is it memory as the caller has it?
const REGIONS: [(&str, &str, &str, bool); 10] = [
    ("MM", "far", "main memory", true),
    ("DM", "far", "device memory", true),
    ("DEV", "far", "device memory", true),
    ("L3", "cache", "tiles for L3", false),
    ("L2", "cache", "tiles for L2", false),
    ("SM", "mid", "shared memory", false),
    ("SHR", "mid", "shared memory", false),
    ("L1", "mid", "tiles for L1", false),
    ("RM", "near", "registers", false),
    ("REG", "near", "registers", false),
];

/// Place of a region among all, what is not known last
pub fn depth_of(region: &str) -> usize {
    REGIONS.iter().position(|known| known.0 == region).unwrap_or(REGIONS.len())
}

/// Class of a region's color, and its name
pub fn region_of(region: &str) -> (&'static str, &'static str) {
    REGIONS.iter().find(|known| known.0 == region).map_or(("open", "a region"), |known| (known.1, known.2))
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
