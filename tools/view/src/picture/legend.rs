//! What the signs of this picture mean; only those that it has.

use super::LINE;
use super::parts::{PROSE, ground, label, round};
use crate::captions::{LAYERS, LayerLook, region_of, wrapped};
use crate::document::Document;
use crate::nest::Nest;
use svg::Node;
use svg::node::element::{Group, Rectangle};
use terrace_devices::{Layer, Mechanism, Region};
use terrace_dialect_mdh::schedule::{Core, Entry, Field, Tail, Word};

/// Sign, class of its color, meaning
type Sign = (String, &'static str, String);

fn sign(sign: impl ToString, class: &'static str, meaning: &str) -> Sign {
    (sign.to_string(), class, meaning.into())
}

/// The signs that this picture has, with their meanings
pub(crate) fn entries(document: &Document, nest: Option<&Nest>) -> Vec<Sign> {
    let mut all =
        vec![sign("^", "plain", "as the step above: the same tile, core or order; of a buffer: no new one")];
    if let Some((_, field)) = document.draft.fields().iter().find(|(_, field)| field.is_open()) {
        all.push(sign(field, "hole", "open: a search fills it in"));
    }
    all.extend(layers(document));
    all.extend(mechanisms(document));
    all.extend(tails(document));
    all.extend(regions(document, nest));
    all.extend(layouts_and_words(document));
    all.extend(operators(document));
    let order = "place of the step's loops in the nest, from the outside; the bands are from coarse to fine";
    all.push(sign("1", "order", order));
    all.push(sign("↓ A", "in", "an input, with region, storage order and words; data go down"));
    all.push(sign("↑ C", "out", "a result; partial results go up"));
    all
}

fn cores(document: &Document) -> impl Iterator<Item = &Field<Option<Core>>> {
    document.draft.steps.iter().flat_map(|step| &step.cores)
}

fn buffers(document: &Document) -> impl Iterator<Item = &Entry> {
    document.draft.steps.iter().flat_map(|step| step.ins.iter().chain(&step.outs))
}

fn layers(document: &Document) -> Vec<Sign> {
    let used = |look: &&LayerLook| cores(document).find(|core| core.layer() == Some(look.layer));
    let found = LAYERS.iter().filter_map(|look| Some((look, used(&look)?)));
    let pool = "tasks for a pool of threads, at the same time";
    let all = found.map(|(look, core)| {
        let meaning = if look.layer == Layer::Thr && !document.on_grid() { pool } else { look.meaning };
        let text = core.to_string();
        sign(text.split('(').next().unwrap_or(""), look.class, meaning)
    });
    all.collect()
}

fn mechanisms(document: &Document) -> Vec<Sign> {
    let known = [
        (Mechanism::Partials, "each has partial results of its own, merged in order at the end"),
        (Mechanism::Shared, "partial results are merged in the block's memory"),
        (Mechanism::Shuffle, "partial results are handed between lanes of a warp"),
        (Mechanism::Atomic, "results are merged in memory, in any order"),
        (Mechanism::Last, "the last block to arrive merges the results, in order"),
        (Mechanism::Kernel, "a second computation merges the results"),
    ];
    let used = |own: Mechanism| cores(document).any(|core| core.mechanism() == Some(own));
    let all = known.into_iter().filter(|(own, _)| used(*own));
    all.map(|(own, meaning)| sign(format!("({own})"), "plain", meaning)).collect()
}

fn tails(document: &Document) -> Vec<Sign> {
    let known = [
        (Tail::Limit, "the last tile is smaller: its loop ends early"),
        (Tail::Mask, "the last tile is smaller: lanes beyond it are masked"),
        (Tail::Peel, "the last tile is smaller: it has loops of its own"),
        (Tail::Pad, "the last tile is as large as the others: reads beyond give zero, writes are dropped"),
    ];
    let used = |own: Tail| {
        let mut sizes = document.draft.steps.iter().flat_map(|step| &step.sizes);
        sizes.any(|size| size.tail() == Some(own))
    };
    let all = known.into_iter().filter(|(own, _)| used(*own));
    all.map(|(own, meaning)| sign(format!("~{}", own.word()), "plain", meaning)).collect()
}

fn regions(document: &Document, nest: Option<&Nest>) -> Vec<Sign> {
    let said = buffers(document).filter_map(|entry| entry.region.known().copied().flatten());
    let mut regions: Vec<&str> = said.map(Region::word).collect();
    regions.extend(nest.iter().flat_map(|nest| nest.own().map(|n| nest.traffic.buffers[n].memory.as_str())));
    regions.retain(|region| region_of(region).0 != "open");
    regions.sort_by_key(|region| crate::captions::depth_of(region));
    regions.dedup();
    let all = regions.into_iter().map(|region| {
        let (class, name) = region_of(region);
        sign(region, class, &format!("a region of memory: {name}"))
    });
    all.collect()
}

fn layouts_and_words(document: &Document) -> Vec<Sign> {
    let mut all = Vec::new();
    if buffers(document).any(|entry| !entry.layout.is_empty()) {
        let meaning = "storage order: the dimensions of a buffer, from the slowest; 2/64 and 2%64 are panels";
        all.push(sign("2,1", "plain", meaning));
    }
    for (word, meaning) in [
        (Word::Nt, "results are written by non-temporal stores"),
        (Word::Stages(1), "tiles are copied ahead, so many at a time"),
        (Word::Swizzle(1), "rows are turned against each other, for the banks"),
        (Word::Xor(1), "groups change places in each row, for the banks"),
        (Word::Prefetch(1), "prefetched so many iterations ahead"),
    ] {
        let mut words = buffers(document).flat_map(|entry| &entry.words);
        let used = words.find(|own| own.frame().name() == word.name());
        all.extend(used.map(|own| sign(own, "plain", meaning)));
    }
    all
}

fn operators(document: &Document) -> Vec<Sign> {
    let mut all = vec![sign("++", "op", "concatenation: tiles of this dimension are side by side")];
    let mut operators: Vec<&str> =
        document.dims.iter().map(|dim| dim.operator.as_str()).filter(|operator| *operator != "++").collect();
    operators.dedup();
    for operator in operators {
        let meaning = match operator.starts_with("++prefix") {
            true => "prefixes: each result has all before it",
            false => "partial results of this dimension are merged by this operator",
        };
        all.push(sign(operator, "op", meaning));
    }
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
