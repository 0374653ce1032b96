//! What the signs of this picture mean; only those that it has.

use super::LINE;
use super::parts::{PROSE, ground, label, round};
use crate::captions::{LAYERS, region_of, wrapped};
use crate::document::Document;
use crate::nest::Nest;
use svg::Node;
use svg::node::element::{Group, Rectangle};
use terrace_devices::Layer;

/// Sign, class of its color, meaning
pub(crate) fn entries(document: &Document, nest: Option<&Nest>) -> Vec<(String, &'static str, String)> {
    let draft = &document.draft;
    let fields = draft.fields();
    let mut all: Vec<(String, &'static str, String)> = Vec::new();
    let mut say =
        |sign: &str, class: &'static str, meaning: &str| all.push((sign.into(), class, meaning.into()));
    say("^", "plain", "as the step above: the same tile, core or order; of a buffer: no new one");
    if let Some((_, token)) = fields.iter().find(|(_, token)| token.is_hole()) {
        say(&token.text, "hole", "open: a search fills it in");
    }
    for layer in &LAYERS {
        let used = fields.iter().find(|(name, token)| {
            name.contains(".core.") && token.text.split('.').next() == Some(layer.layer.word())
        });
        if let Some((_, token)) = used {
            let sign = token.text.split('(').next().unwrap_or("");
            let pool = "tasks for a pool of threads, at the same time";
            let meaning = if layer.layer == Layer::Thr && !document.on_grid() { pool } else { layer.meaning };
            say(sign, layer.class, meaning);
        }
    }
    for (word, meaning) in [
        ("partials", "each has partial results of its own, merged in order at the end"),
        ("shared", "partial results are merged in the block's memory"),
        ("shuffle", "partial results are handed between lanes of a warp"),
        ("atomic", "results are merged in memory, in any order"),
        ("kernel", "a second computation merges the results"),
    ] {
        if fields.iter().any(|(_, token)| token.text.contains(&format!("({word})"))) {
            say(&format!("({word})"), "plain", meaning);
        }
    }
    for (word, meaning) in [
        ("limit", "the last tile is smaller: its loop ends early"),
        ("mask", "the last tile is smaller: lanes beyond it are masked"),
        ("peel", "the last tile is smaller: it has loops of its own"),
        ("pad", "the last tile is as large as the others: reads beyond give zero, writes are dropped"),
    ] {
        if fields.iter().any(|(_, token)| token.text.ends_with(&format!("~{word}"))) {
            say(&format!("~{word}"), "plain", meaning);
        }
    }
    let mut regions: Vec<&str> = fields
        .iter()
        .filter(|(name, _)| name.ends_with("region"))
        .map(|(_, token)| token.text.as_str())
        .collect();
    regions.extend(nest.iter().flat_map(|nest| nest.own().map(|n| nest.traffic.buffers[n].memory.as_str())));
    regions.retain(|region| region_of(region).0 != "open");
    regions.sort_by_key(|region| crate::captions::depth_of(region));
    regions.dedup();
    for region in regions {
        let (class, name) = region_of(region);
        say(region, class, &format!("a region of memory: {name}"));
    }
    if fields.iter().any(|(name, _)| name.contains(".layout.")) {
        say(
            "2,1",
            "plain",
            "storage order: the dimensions of a buffer, from the slowest; 2/64 and 2%64 are panels",
        );
    }
    for (word, meaning) in [
        ("nt", "results go past the caches"),
        ("stages", "tiles are copied ahead, so many at a time"),
        ("swizzle", "rows are turned against each other, for the banks"),
        ("xor", "groups change places in each row, for the banks"),
        ("prefetch", "asked for so many iterations before"),
    ] {
        let used = |token: &str| token.split('=').next() == Some(word);
        if let Some((_, token)) =
            fields.iter().find(|(name, token)| name.contains(".words.") && used(&token.text))
        {
            say(&token.text, "plain", meaning);
        }
    }
    say("++", "op", "concatenation: tiles of this dimension are side by side");
    let mut operators: Vec<&str> =
        document.dims.iter().map(|dim| dim.operator.as_str()).filter(|operator| *operator != "++").collect();
    operators.dedup();
    for operator in operators {
        let meaning = match operator.starts_with("++prefix") {
            true => "prefixes: each result has all before it",
            false => "partial results of this dimension are merged by this operator",
        };
        say(operator, "op", meaning);
    }
    say(
        "1",
        "order",
        "place of the step's loops in the nest, from the outside; the bands are from coarse to fine",
    );
    say("↓ A", "in", "an input, with region, storage order and words; data go down");
    say("↑ C", "out", "a result; partial results go up");
    all
}

/// The legend in two columns, and how high it is
pub(super) fn draw(document: &Document, nest: Option<&Nest>, width: f64) -> (Group, f64) {
    let mut group = Group::new().set("id", "legend");
    group.append(label(20.0, 20.0, "section", "How to read it"));
    let entries = entries(document, nest);
    let column = (width - 40.0) / 2.0;
    let key = entries.iter().map(|(sign, ..)| ground(sign)).fold(52.0, f64::max).min(130.0) + 8.0;
    let room = ((column - key - 14.0) / PROSE).max(12.0) as usize;
    let lines: Vec<Vec<String>> = entries.iter().map(|(.., meaning)| wrapped(meaning, room)).collect();
    let heights: Vec<f64> = lines.iter().map(|lines| LINE * lines.len() as f64 + 8.0).collect();
    let half = heights.iter().sum::<f64>() / 2.0;
    let (mut x, mut y, mut most) = (20.0, 44.0, 0.0_f64);
    for (((sign, class, _), lines), height) in entries.iter().zip(&lines).zip(&heights) {
        if x < column && y - 44.0 >= half {
            (x, y) = (20.0 + column, 44.0);
        }
        let shown: String =
            if ground(sign) <= key { sign.clone() } else { sign.chars().take(14).chain(['…']).collect() };
        let rect = Rectangle::new()
            .set("class", format!("key {class}"))
            .set("x", round(x))
            .set("y", round(y - 14.0));
        group.append(rect.set("width", round(ground(&shown))).set("height", 19).set("rx", 4));
        group.append(label(x + 6.0, y, &format!("sign {class}"), &shown));
        for (n, line) in lines.iter().enumerate() {
            group.append(label(x + key, y + n as f64 * LINE, "prose", line));
        }
        y += height;
        most = most.max(y);
    }
    (group, most + 4.0)
}
