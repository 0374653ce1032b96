//! A band of the picture: a step, from its tile inside of the tile around it to its fields.

use super::parts::{MONO, PROSE, SMALL, chars, free, ground, label, marked, round};
use super::{Columns, LINE, solid};
use crate::captions::{grouped, region_of, shape, wrapped};
use crate::cuts::{self, Cut};
use crate::document::{Buffer, Dim, Document};
use svg::Node;
use svg::node::element::{Group, Line, Path, Rectangle, Title};
use terrace_dialect_mdh::schedule::{Entry, Field, OpenStep, Size, Spelled};

/// Between dimensions
const ROW: f64 = 23.0;
/// Between lines of buffers
const CARD: f64 = 27.0;

/// A band, how high it is, and where its box stands
pub(super) struct Band {
    pub(super) group: Group,
    pub(super) height: f64,
    pub(super) outline: Option<solid::Outline>,
}

/// What a tile of a dimension is, in few words: `50 × 20`
pub(super) fn parts(cut: &Cut) -> String {
    let (above, size) = match (cut.above, cut.size) {
        (Some(above), Some(size)) => (above, size),
        (None, Some(size)) => return format!("? × {}", grouped(size)),
        _ => return "?".into(),
    };
    match (cut.parts().unwrap_or(1), cut.remainder()) {
        (1, _) => grouped(size.min(above)),
        (2, Some(rest)) => format!("{} + {}", grouped(size), grouped(rest)),
        (n, Some(rest)) => format!("{} × {} + {}", grouped(n - 1), grouped(size), grouped(rest)),
        (n, None) => format!("{} × {}", grouped(n), grouped(size)),
    }
}

/// Parts of a storage order, or words, as one field
pub(super) fn listed<T: Spelled>(fields: &[Field<T>]) -> String {
    let parts: Vec<String> = fields.iter().map(Field::to_string).collect();
    if parts.is_empty() { "^".to_owned() } else { parts.join(",") }
}

/// The band of a step; 0 is the whole, before any step
pub(super) fn band(document: &Document, columns: &Columns, n: usize, cuts: &[Cut]) -> Band {
    let step = n.checked_sub(1).and_then(|n| document.draft.steps.get(n));
    let mut group = Group::new();
    let sep = Line::new().set("class", "sep").set("x1", 10).set("x2", round(columns.width - 10.0));
    group.append(sep.set("y1", 0).set("y2", 0));
    let mut y = 28.0;
    let order = Rectangle::new().set("class", "order").set("x", columns.name - 2.0).set("y", y - 16.0);
    let said = match step {
        Some(step) => {
            let label = step.label.to_string();
            let width = ground(&label);
            let field = free(columns.name, y, &format!("step.{n}.label"), &label, None, 40.0);
            group.append(order.set("width", round(width + 4.0)).set("height", 23).set("rx", 5));
            group.append(marked(field, &format!("S{n}"), &format!("S{n}")));
            (columns.name + width + 14.0, format!("step {n}"), cuts::spoken(document, cuts))
        }
        None => {
            group.append(order.set("width", 26).set("height", 23).set("rx", 5));
            group.append(label(columns.name + 7.0, y, "", "0"));
            (columns.name + 36.0, String::new(), "the whole, before any step".to_owned())
        }
    };
    let (mut x, name, sentence) = said;
    if !name.is_empty() {
        group.append(label(x, y, "step-name", &name));
        x += PROSE * chars(&name) + 10.0;
    }
    let room = ((columns.lane - x - 12.0) / PROSE).max(20.0) as usize;
    for (n, line) in wrapped(&sentence, room).iter().enumerate() {
        y += if n == 0 { 0.0 } else { LINE };
        group.append(label(x, y, "prose", line));
    }
    y += 27.0;
    let mut flow = Flow { x: columns.name, y, columns };
    for (dim, known) in document.dims.iter().enumerate() {
        let Some((step, cut)) = step.zip(cuts.get(dim)) else {
            flow.put(&mut group, whole(known));
            continue;
        };
        if document.dims.len() > FEW && as_above(step, dim) && !cut.splits() {
            continue;
        }
        group.append(dimension(document, columns, (n, dim), step, cut, flow.y));
        flow.y += ROW;
    }
    if let Some(step) = step.filter(|_| document.dims.len() > FEW) {
        let rest: Vec<usize> = (0..document.dims.len().min(cuts.len()))
            .filter(|dim| as_above(step, *dim) && !cuts[*dim].splits())
            .collect();
        if !rest.is_empty() {
            flow.y += 3.0;
            group.append(label(flow.x, flow.y, "head", "as above"));
            flow.x += 52.0;
        }
        for dim in rest {
            flow.put(&mut group, unchanged(document, (n, dim), &cuts[dim]));
        }
    }
    y = flow.end();
    y = buffers(&mut group, document, columns, (n, step), y + 4.0);
    let mut outline = None;
    if cuts.iter().any(|cut| cut.splits() || cut.is_open()) {
        let height = (y - 62.0).clamp(90.0, 150.0);
        let mut drawn = Group::new();
        outline =
            Some(solid::draw(&mut drawn, document, cuts, (columns.margin, 34.0), (columns.solid, height)));
        group.append(marked(drawn, &format!("S{n}"), &format!("S{n}")));
        y = y.max(34.0 + height + 26.0);
    }
    y += 8.0;
    recomposition(&mut group, columns, y);
    Band { group, height: y, outline }
}

/// Computations with more dimensions have rows only for what a step says something of
const FEW: usize = 3;

/// Parts side by side, as many on a line as fit
struct Flow<'a> {
    x: f64,
    y: f64,
    columns: &'a Columns,
}

impl Flow<'_> {
    fn put(&mut self, group: &mut Group, (part, width): (Group, f64)) {
        if self.x > self.columns.name && self.x + width > self.columns.lane - 8.0 {
            (self.x, self.y) = (self.columns.name, self.y + CARD);
        }
        group.append(part.set("transform", format!("translate({} {})", round(self.x), round(self.y))));
        self.x += width + 6.0;
    }

    /// Where the next line begins
    fn end(&self) -> f64 {
        if self.x > self.columns.name { self.y + CARD } else { self.y }
    }
}

/// Does the step say nothing of a dimension?
fn as_above(step: &OpenStep, dim: usize) -> bool {
    let nothing = Size { value: None, tail: None };
    step.sizes.get(dim).is_none_or(|size| size.known() == Some(&nothing))
        && step.cores.get(dim).is_none_or(|core| core.known() == Some(&None))
}

/// A dimension before any step: `i 16 ++`
fn whole(known: &Dim) -> (Group, f64) {
    let mut part = Group::new();
    let size = grouped(known.size);
    let at = MONO * chars(&known.name) + 8.0;
    let end = at + SMALL * chars(&size) + 8.0;
    part.append(label(0.0, 0.0, "dim", &known.name));
    part.append(label(at, 0.0, "small split", &size));
    part.append(label(end, 0.0, "op", &known.operator));
    (part, end + MONO * chars(&known.operator) + 10.0)
}

/// A dimension of which a step says nothing; its fields are there to be filled in
fn unchanged(document: &Document, (n, dim): (usize, usize), cut: &Cut) -> (Group, f64) {
    let mut part = Group::new();
    let name = &document.dims[dim].name;
    part.append(label(0.0, 0.0, "dim", name));
    let mut x = MONO * chars(name) + 5.0;
    let size = cut.size.map_or("?".into(), grouped);
    part.append(label(x, 0.0, "small", &size));
    x += SMALL * chars(&size) + 5.0;
    for (what, side) in [("core", Some("in")), ("size", None), ("core", Some("out"))] {
        part.append(free(x, 0.0, &format!("step.{n}.{what}.{}", dim + 1), "^", side, ground("^")));
        x += ground("^") + 2.0;
    }
    let key = format!("L{n}.{dim}");
    (marked(part.set("class", "dimension"), &format!("{key} S{n}"), &key), x + 4.0)
}

/// A row of a dimension: core and operator of the input side, its tiles, its size, core and operator of the output side
fn dimension(
    document: &Document,
    columns: &Columns,
    (n, dim): (usize, usize),
    step: &OpenStep,
    cut: &Cut,
    y: f64,
) -> Group {
    let known = &document.dims[dim];
    let mut row = Group::new();
    row.append(label(columns.name, y, "dim", &known.name));
    row.append(label(columns.op_in, y, "op", "++"));
    let merges = !known.kept && cut.splits();
    let size = step.sizes.get(dim).map_or("^".to_owned(), Field::to_string);
    let core = step.cores.get(dim).map_or("^".to_owned(), Field::to_string);
    row.append(free(
        columns.core_in,
        y,
        &format!("step.{n}.core.{}", dim + 1),
        &core,
        Some("in"),
        columns.core,
    ));
    row.append(ruler(columns, cut, y));
    row.append(label(columns.parts, y, if cut.splits() { "small split" } else { "small" }, &parts(cut)));
    row.append(free(columns.size, y, &format!("step.{n}.size.{}", dim + 1), &size, None, columns.sizes));
    row.append(free(
        columns.core_out,
        y,
        &format!("step.{n}.core.{}", dim + 1),
        &core,
        Some("out"),
        columns.core,
    ));
    if merges {
        let width = MONO * chars(&known.operator) + 12.0;
        let pill =
            Rectangle::new().set("class", "merge").set("x", round(columns.op_out - 6.0)).set("y", y - 14.0);
        row.append(pill.set("width", round(width)).set("height", 19).set("rx", 9));
        let arrow = format!("M{} {}H{}", round(columns.op_out - 6.0 + width), y - 4.5, round(columns.lane));
        row.append(Path::new().set("class", "flow result").set("d", arrow));
        let parts = cut.parts().map_or("?".into(), grouped);
        row.append(Title::new(format!("{parts} partial results are merged by {}", known.operator)));
    }
    row.append(label(columns.op_out, y, if merges { "op merged" } else { "op" }, &known.operator));
    let key = format!("L{n}.{dim}");
    marked(row.set("class", "dimension"), &format!("{key} S{n}"), &key)
}

/// Tiles of a dimension side by side, in scale
fn ruler(columns: &Columns, cut: &Cut, y: f64) -> Group {
    let mut group = Group::new().set("class", "ruler");
    let (left, width, top) = (columns.ruler, columns.ruler_width, y - 10.0);
    let bar = |x: f64, width: f64, class: String| {
        let bar = Rectangle::new().set("class", class).set("x", round(x)).set("y", top);
        bar.set("width", round(width)).set("height", 11).set("rx", 2)
    };
    group.append(bar(left, width, "whole".into()));
    if !cut.splits() {
        return group;
    }
    let (class, share) = (cut.class(), cut.share());
    if cut.together() {
        group.append(bar(left, width, format!("busy {class}")));
    }
    group.append(bar(left, (share * width).max(2.0), format!("tile {class}")));
    let every = (3.0 / (share * width)).ceil().max(1.0);
    let mut at = every * share;
    let mut lines = String::new();
    while at < 1.0 - 1e-9 && lines.len() < 4000 {
        lines.push_str(&format!("M{} {top}v11", round(left + at * width)));
        at += every * share;
    }
    group.append(Path::new().set("class", format!("grid {class}")).set("d", lines));
    group
}

/// Buffers of the step, as many on a line as fit; where they end
fn buffers(
    group: &mut Group,
    document: &Document,
    columns: &Columns,
    (n, step): (usize, Option<&OpenStep>),
    y: f64,
) -> f64 {
    let tile = document.tile(n);
    let none: &[Entry] = &[];
    let sides = [
        ("in", ins_of(document, step), step.map_or(none, |step| &step.ins)),
        ("out", document.outs.as_slice(), step.map_or(none, |step| &step.outs)),
    ];
    let mut flow = Flow { x: columns.name, y: y + 12.0, columns };
    for (side, buffers, entries) in sides {
        for (k, buffer) in buffers.iter().enumerate() {
            flow.put(group, card(buffer, (n, side, k), entries.get(k), &tile));
        }
    }
    flow.y + 14.0
}

/// What the input entries of a step are for
fn ins_of<'d>(document: &'d Document, step: Option<&OpenStep>) -> &'d [Buffer] {
    step.map_or(&document.ins, |step| document.ins_of(step.ins.len()))
}

/// A buffer in a step: its region, storage order and words, and what a tile reaches of it
fn card(
    buffer: &Buffer,
    (n, side, k): (usize, &str, usize),
    entry: Option<&Entry>,
    tile: &[Option<i64>],
) -> (Group, f64) {
    let mut card = Group::new();
    let reach = buffer.reach(tile);
    let mut x = 6.0;
    let sign = if side == "in" { "↓" } else { "↑" };
    let name = format!("{sign} {}", buffer.name);
    let mut inner = Group::new();
    inner.append(label(x, 0.0, &format!("buffer-name {side}"), &name));
    x += MONO * chars(&name) + 6.0;
    if let Some(entry) = entry {
        let said = [
            ("region", entry.region.to_string()),
            ("layout", listed(&entry.layout)),
            ("words", listed(&entry.words)),
        ];
        for (what, token) in said {
            let width = ground(&token);
            inner.append(free(x, 0.0, &format!("step.{n}.{side}.{}.{what}", k + 1), &token, None, width));
            x += width + 2.0;
        }
        x += 3.0;
    }
    let mut size = shape(&reach).replace(" × ", "×");
    let bytes = reach.iter().try_fold(buffer.bytes as i64, |all, n| all.checked_mul((*n)?));
    if let (None, Some(bytes)) = (entry, bytes.filter(|bytes| *bytes > 0)) {
        size = format!("{size} · {} B", grouped(bytes));
    }
    inner.append(label(x, 0.0, "small", &size));
    x += SMALL * chars(&size) + 5.0;
    let own = entry.filter(|entry| entry.region.known() != Some(&None));
    let class =
        own.map_or("card".to_owned(), |entry| format!("card own {}", region_of(&entry.region.to_string()).0));
    let ground = Rectangle::new().set("class", class).set("x", 0).set("y", -17);
    card.append(ground.set("width", round(x)).set("height", 24).set("rx", 6));
    card.append(inner);
    let (all, one) = (format!("B{side}.{k}"), format!("M{n}.{side}.{k}"));
    let card = match own {
        Some(_) => marked(card, &format!("{all} {one} S{n}"), &one),
        None => marked(card, &all, &all),
    };
    (card.set("class", "card-of"), x)
}

/// Width of the widest card
pub(super) fn widest(document: &Document) -> f64 {
    let mut most = 0.0_f64;
    for n in 0..=document.draft.steps.len() {
        let step = n.checked_sub(1).and_then(|n| document.draft.steps.get(n));
        let tile = document.tile(n);
        for (side, buffers) in [("in", ins_of(document, step)), ("out", &document.outs)] {
            for (k, buffer) in buffers.iter().enumerate() {
                let entries = step.map(|step| if side == "in" { &step.ins } else { &step.outs });
                let entry = entries.and_then(|entries| entries.get(k));
                most = most.max(card(buffer, (n, side, k), entry, &tile).1);
            }
        }
    }
    most
}

/// Partial results go up, from the finer step to the coarser
fn recomposition(group: &mut Group, columns: &Columns, height: f64) {
    let x = columns.lane;
    let arrow = format!("M{x} {}V6M{} 12L{x} 6L{} 12", round(height), round(x - 4.0), round(x + 4.0));
    group.append(Path::new().set("class", "flow recomp").set("d", arrow));
}
