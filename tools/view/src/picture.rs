//! The picture: Fig. 2 of the paper as SVG, one band per step.
//!
//! From left to right: input buffers with the size of what a tile reaches, region and layout, axes of the input side with their cores, order and sizes, axes
//! of the output side with combine operators, output buffers. A gray field is one `<text>` whose content is the token and
//! whose `data-field` is the field's name; everything else is decoration. So a picture edited by hand, or by a script, can be
//! read back ([`crate::reading`]).

use crate::document::{Buffer, Document, VERSION};
use svg::Node;
use svg::node::element::{Group, Line, Path, Rectangle, Style, Text, Title};
use terrace_dialect_mdh::schedule::{Memory, spoken};

const HEAD: usize = 96;
const ROW: usize = 26;
/// Between lines of index functions
const LINE: usize = 16;

/// Where columns begin; as far apart as the longest fields need
struct Columns {
    ins: usize,
    down: usize,
    inp: usize,
    order: usize,
    sizes: usize,
    out: usize,
    up: usize,
    outs: usize,
    width: usize,
    /// Height above the first band
    head: usize,
}

impl Columns {
    fn of(document: &Document) -> Columns {
        let steps = &document.draft.steps;
        let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let entries = |entries: &[Memory]| {
            let ends = entries.iter().map(|entry| {
                let (layout, words) = (layout_of(entry), words_of(entry));
                (76 + ground(&entry.region.text)).max(98 + 8 + ground(&layout) + ground(&words))
            });
            ends.max().unwrap_or(0)
        };
        let maps = |buffers: &[Buffer]| {
            buffers.iter().flat_map(lines_of).map(|line| 7 * line.chars().count()).max().unwrap_or(0)
        };
        let cores = longest(&mut steps.iter().flat_map(|step| &step.cores).map(|core| ground(&core.text)));
        let sizes = longest(&mut steps.iter().flat_map(|step| &step.sizes).map(|size| ground(&size.text)));
        let names = document.dims.iter().map(|dim| 8 * dim.name.chars().count()).max().unwrap_or(0);
        let ins = 20;
        let wide = longest(&mut steps.iter().map(|step| entries(&step.ins))).max(maps(&document.ins));
        let down = (ins + wide + 20).max(340);
        let inp = down + 20;
        let order = (inp + 66 + cores + 16).max(inp + 180);
        let sizes_at = order + (50 + names + 10).max(85);
        let out = (sizes_at + sizes + 20).max(order + 220);
        let up = (out + 66 + cores + 16).max(out + 160);
        let outs = up + 20;
        let wide = longest(&mut steps.iter().map(|step| entries(&step.outs))).max(maps(&document.outs));
        let lines = |buffers: &[Buffer]| buffers.iter().flat_map(lines_of).count();
        let head = HEAD + LINE * lines(&document.ins).max(lines(&document.outs)).saturating_sub(1);
        Columns {
            ins,
            down,
            inp,
            order,
            sizes: sizes_at,
            out,
            up,
            outs,
            width: (outs + wide + 20).max(outs + 240),
            head,
        }
    }
}

/// Width of a field's ground
fn ground(token: &str) -> usize {
    8 * token.chars().count().max(2) + 12
}

fn layout_of(entry: &Memory) -> String {
    let parts: Vec<&str> = entry.layout.iter().map(|part| part.text.as_str()).collect();
    if parts.is_empty() { "^".to_owned() } else { parts.join(",") }
}

fn words_of(entry: &Memory) -> String {
    let words: Vec<&str> = entry.words.iter().map(|word| word.text.as_str()).collect();
    if words.is_empty() { "^".to_owned() } else { words.join(",") }
}

/// A buffer's index functions, a few on a line
fn lines_of(buffer: &Buffer) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for map in &buffer.maps {
        match lines.last_mut() {
            Some(line) if line.chars().count() + map.chars().count() < 44 => {
                line.push(' ');
                line.push_str(map);
            }
            Some(_) => lines.push(format!("   {map}")),
            None => lines.push(format!("{}: {map}", buffer.name)),
        }
    }
    lines
}

const STYLE: &str = "text{font:13px ui-monospace,monospace;fill:#222} .free{font-weight:600} .box{fill:#e4e4e4;rx:3} \
                     .small{font-size:11px;fill:#666} .op{fill:#0a58a8} .axis{stroke:#555;stroke-width:1.2} \
                     .sep{stroke:#999;stroke-dasharray:3 4} .flow{stroke:#b5b5b5;fill:none;stroke-width:1.5} \
                     .buffer{fill:#fff;stroke:#555} .order{fill:#fff;stroke:#222}";

/// The SVG
pub fn draw(document: &Document) -> String {
    let band = band_height(document);
    let columns = Columns::of(document);
    let width = columns.width;
    let bands = document.draft.steps.len() + 1;
    let height = columns.head + bands * band + 40 + ROW * (document.body.len() + 1);
    let mut root = svg::Document::new()
        .set("id", "schedule")
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("data-terrace", VERSION)
        .set("data-compute", document.compute.clone())
        .set("data-dims", document.dim_names());
    if let Some(target) = &document.target {
        root = root.set("data-target", target.clone());
    }
    root.append(Title::new(format!("Schedule of {}", document.compute)));
    root.append(Style::new(STYLE));
    root.append(Rectangle::new().set("width", width).set("height", height).set("fill", "#fff"));
    root.append(header(document, &columns));
    for step in 0..bands {
        let mut group = step_band(document, &columns, step, band);
        group = group.set("id", format!("s{step}")).set("class", "step");
        root.append(group.set("transform", format!("translate(0 {})", columns.head + step * band)));
    }
    let mut scalar = Group::new().set("id", "scalar");
    let top = columns.head + bands * band + 30;
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

fn header(document: &Document, columns: &Columns) -> Group {
    let mut group = Group::new().set("id", "views");
    group.append(label(20, 28, "op", &format!("{} on {}", document.compute, target(document))));
    for (x, what, more) in [
        (columns.ins, "input buffers", "region, storage order, words"),
        (columns.inp, "INP MDA", "cores"),
        (columns.order, "order, sizes", ""),
        (columns.out, "OUT MDA", "cores"),
        (columns.outs, "outputs", "region, storage order, words"),
    ] {
        group.append(label(x, 56, "", what));
        if !more.is_empty() {
            group.append(label(x + 8 * what.chars().count() + 10, 56, "small", more));
        }
    }
    for (x, buffers) in [(columns.ins, &document.ins), (columns.outs, &document.outs)] {
        for (n, line) in buffers.iter().flat_map(lines_of).enumerate() {
            group.append(label(x, 80 + n * LINE, "small map", &line));
        }
    }
    group
}

fn target(document: &Document) -> &str {
    document.target.as_deref().unwrap_or("any target")
}

/// A band; the first shows the extents, which are the computation's
fn step_band(document: &Document, columns: &Columns, n: usize, height: usize) -> Group {
    let mut group = Group::new();
    group.append(
        Line::new().set("class", "sep").set("x1", 10).set("x2", columns.width - 10).set("y1", 0).set("y2", 0),
    );
    let step = n.checked_sub(1).map(|n| &document.draft.steps[n]);
    flow(&mut group, columns, height);
    let field = |name: &str| format!("step.{n}.{name}");

    group.append(
        Rectangle::new()
            .set("class", "order")
            .set("x", columns.order)
            .set("y", 12)
            .set("width", 34)
            .set("height", 22),
    );
    match step {
        Some(step) => group.append(free(columns.order + 5, 28, &field("label"), &step.label.text, None)),
        None => group.append(label(columns.order + 10, 28, "", "0")),
    }
    for (k, dim) in document.dims.iter().enumerate() {
        let y = 28 + k * ROW;
        group.append(label(columns.order + 50, y, "small", &dim.name));
        match step {
            Some(step) => {
                group.append(free(
                    columns.sizes,
                    y,
                    &field(&format!("size.{}", k + 1)),
                    &step.sizes[k].text,
                    None,
                ));
            }
            None => group.append(label(columns.sizes + 4, y, "", &dim.size.to_string())),
        }
        for (x, side, operator) in [(columns.inp, "in", "++"), (columns.out, "out", dim.operator.as_str())] {
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
        (columns.ins, "in", &document.ins, step.map_or(none, |step| &step.ins)),
        (columns.outs, "out", &document.outs, step.map_or(none, |step| &step.outs)),
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
            let (layout, words) = (layout_of(entry), words_of(entry));
            group.append(free(x + 98, y + ROW - 2, &name("layout"), &layout, None));
            let right = x + 98 + 8 + ground(&layout);
            group.append(free(right, y + ROW - 2, &name("words"), &words, None));
        }
    }
    group
}

/// De-composition down on the left, re-composition up on the right
fn flow(group: &mut Group, columns: &Columns, height: usize) {
    let (top, end) = (8, height - 8);
    for (class, x, from, to, tip) in
        [("decomp", columns.down, top, end, end - 6), ("recomp", columns.up, end, top, top + 6)]
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
    let width = ground(token);
    let mut text = label(x + 5, y, "free", token).set("data-field", field);
    if let Some(side) = side {
        text = text.set("data-side", side);
    }
    let ground = Rectangle::new().set("class", "box").set("x", x).set("y", y - 15);
    let hint = Title::new(spoken(field));
    Group::new().add(hint).add(ground.set("width", width).set("height", 20)).add(text)
}
