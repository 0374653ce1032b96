//! The picture: Fig. 2 of the paper as SVG, one band per step.
//!
//! From left to right: input buffers with the size of what a tile reaches, region and layout, axes of the input side with their cores, order and sizes, axes
//! of the output side with combine operators, output buffers. A gray field is one `<text>` whose content is the token and
//! whose `data-field` is the field's name; everything else is decoration. So a picture edited by hand, or by a script, can be
//! read back ([`crate::reading`]).

use crate::document::{Buffer, Document, VERSION};
use svg::Node;
use svg::node::element::{Group, Line, Path, Rectangle, Style, Text, Title};
use terrace_dialect_mdh::schedule::Memory;

const WIDTH: usize = 1180;
const HEAD: usize = 96;
const ROW: usize = 26;

const STYLE: &str = "text{font:13px ui-monospace,monospace;fill:#222} .free{font-weight:600} .box{fill:#e4e4e4;rx:3} \
                     .small{font-size:11px;fill:#666} .op{fill:#0a58a8} .axis{stroke:#555;stroke-width:1.2} \
                     .sep{stroke:#999;stroke-dasharray:3 4} .flow{stroke:#b5b5b5;fill:none;stroke-width:1.5} \
                     .buffer{fill:#fff;stroke:#555} .order{fill:#fff;stroke:#222}";

/// The SVG
pub fn draw(document: &Document) -> String {
    let band = band_height(document);
    let bands = document.draft.steps.len() + 1;
    let height = HEAD + bands * band + 40 + ROW * (document.body.len() + 1);
    let mut root = svg::Document::new()
        .set("id", "schedule")
        .set("viewBox", (0, 0, WIDTH, height))
        .set("width", WIDTH)
        .set("height", height)
        .set("data-terrace", VERSION)
        .set("data-compute", document.compute.clone())
        .set("data-dims", document.dim_names());
    if let Some(target) = &document.target {
        root = root.set("data-target", target.clone());
    }
    root.append(Title::new(format!("Schedule of {}", document.compute)));
    root.append(Style::new(STYLE));
    root.append(Rectangle::new().set("width", WIDTH).set("height", height).set("fill", "#fff"));
    root.append(header(document));
    for step in 0..bands {
        let mut group = step_band(document, step, band);
        group = group.set("id", format!("s{step}")).set("class", "step");
        root.append(group.set("transform", format!("translate(0 {})", HEAD + step * band)));
    }
    let mut scalar = Group::new().set("id", "scalar");
    let top = HEAD + bands * band + 30;
    scalar.append(label(480, top, "op", "scalar phase"));
    for (n, line) in document.body.iter().enumerate() {
        scalar.append(label(480, top + (n + 1) * ROW, "small", line));
    }
    root.append(scalar);
    format!("{root}\n")
}

fn band_height(document: &Document) -> usize {
    let rows = document.dims.len().max(document.ins.len() * 2).max(document.outs.len() * 2);
    ROW * (rows + 1) + 26
}

fn header(document: &Document) -> Group {
    let mut group = Group::new().set("id", "views");
    group.append(label(20, 28, "op", &format!("{} on {}", document.compute, target(document))));
    for (x, what) in
        [(20, "input buffers"), (360, "INP MDA"), (540, "order, sizes"), (760, "OUT MDA"), (940, "outputs")]
    {
        group.append(label(x, 56, "", what));
    }
    let views = |buffers: &[Buffer]| {
        let all: Vec<String> = buffers.iter().map(|b| format!("{}: {}", b.name, b.maps.join(" "))).collect();
        all.join("  ")
    };
    group.append(label(20, 80, "small map", &views(&document.ins)));
    group.append(label(940, 80, "small map", &views(&document.outs)));
    group
}

fn target(document: &Document) -> &str {
    document.target.as_deref().unwrap_or("any target")
}

/// A band; the first shows the extents, which are the computation's
fn step_band(document: &Document, n: usize, height: usize) -> Group {
    let mut group = Group::new();
    group.append(
        Line::new().set("class", "sep").set("x1", 10).set("x2", WIDTH - 10).set("y1", 0).set("y2", 0),
    );
    let step = n.checked_sub(1).map(|n| &document.draft.steps[n]);
    flow(&mut group, height);
    let field = |name: &str| format!("step.{n}.{name}");

    group.append(
        Rectangle::new().set("class", "order").set("x", 540).set("y", 12).set("width", 34).set("height", 22),
    );
    match step {
        Some(step) => group.append(free(545, 28, &field("label"), &step.label.text, None)),
        None => group.append(label(550, 28, "", "0")),
    }
    for (k, dim) in document.dims.iter().enumerate() {
        let y = 28 + k * ROW;
        group.append(label(590, y, "small", &dim.name));
        match step {
            Some(step) => {
                group.append(free(625, y, &field(&format!("size.{}", k + 1)), &step.sizes[k].text, None));
            }
            None => group.append(label(629, y, "", &dim.size.to_string())),
        }
        for (x, side, operator) in [(360, "in", "++"), (760, "out", dim.operator.as_str())] {
            axis(&mut group, x, y);
            group.append(label(x + 22, y, "op", operator));
            if let Some(step) = step {
                let name = field(&format!("core.{}", k + 1));
                group.append(free(x + 66, y, &name, &step.cores[k].text, Some(side)));
            }
        }
    }
    let none: &[Memory] = &[];
    let tile = document.tile(n);
    for (x, side, buffers, entries) in [
        (20, "in", &document.ins, step.map_or(none, |step| &step.ins)),
        (940, "out", &document.outs, step.map_or(none, |step| &step.outs)),
    ] {
        for (k, buffer) in buffers.iter().enumerate() {
            let y = 28 + k * 2 * ROW;
            group.append(
                Rectangle::new()
                    .set("class", "buffer")
                    .set("x", x)
                    .set("y", y - 16)
                    .set("width", 72)
                    .set("height", 40),
            );
            group.append(label(x + 8, y, "", &buffer.name));
            let shape: Vec<String> =
                buffer.reach(&tile).into_iter().map(|n| n.map_or("?".into(), |n| n.to_string())).collect();
            group.append(label(x + 4, y + 18, "small", &shape.join("×")));
            let Some(entry) = entries.get(k) else { continue };
            let name = |what: &str| field(&format!("{side}.{}.{what}", k + 1));
            group.append(free(x + 76, y, &name("region"), &entry.region.text, None));
            axis(&mut group, x + 76, y + ROW);
            let parts: Vec<&str> = entry.layout.iter().map(|part| part.text.as_str()).collect();
            let layout = if parts.is_empty() { "^".to_owned() } else { parts.join(",") };
            group.append(free(x + 98, y + ROW - 2, &name("layout"), &layout, None));
            let words: Vec<&str> = entry.words.iter().map(|word| word.text.as_str()).collect();
            let words = if words.is_empty() { "^".to_owned() } else { words.join(",") };
            let right = x + 98 + 20 + 8 * layout.chars().count().max(2);
            group.append(free(right, y + ROW - 2, &name("words"), &words, None));
        }
    }
    group
}

/// De-composition down on the left, re-composition up on the right
fn flow(group: &mut Group, height: usize) {
    let (top, end) = (8, height - 8);
    for (class, x, from, to, tip) in [("decomp", 340, top, end, end - 6), ("recomp", 920, end, top, top + 6)]
    {
        let arrow = format!("M{x} {from}V{to}M{} {tip}L{x} {to}L{} {tip}", x - 4, x + 4);
        group.append(Path::new().set("class", format!("flow {class}")).set("d", arrow));
    }
}

fn axis(group: &mut Group, x: usize, y: usize) {
    group.append(
        Line::new().set("class", "axis").set("x1", x).set("x2", x + 16).set("y1", y - 4).set("y2", y - 4),
    );
}

fn label(x: usize, y: usize, class: &str, text: &str) -> Text {
    Text::new(text).set("x", x).set("y", y).set("class", class)
}

/// A field on its gray ground
fn free(x: usize, y: usize, field: &str, token: &str, side: Option<&str>) -> Group {
    let width = 8 * token.chars().count().max(2) + 12;
    let mut text = label(x + 5, y, "free", token).set("data-field", field);
    if let Some(side) = side {
        text = text.set("data-side", side);
    }
    let ground = Rectangle::new().set("class", "box").set("x", x).set("y", y - 15);
    Group::new().add(ground.set("width", width).set("height", 20)).add(text)
}
