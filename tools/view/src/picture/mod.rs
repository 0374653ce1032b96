//! The picture: what the paper's Figure 2 says, drawn. A band per step, regions of memory, and what the signs mean.
//!
//! On the left of a band is the step's tile inside of the tile around it, in scale ([`solid`]); from there it is enlarged
//! into the next band: de-composition goes down. On the right are dimensions with their tiles and cores, and buffers;
//! re-composition goes up at the edge. Below, buffers stand in their regions, with arrows of data and of partial results
//! ([`memory`]). A gray field is one `<text>` whose content is the token and whose `data-field` is the field's name; everything
//! else is decoration. So a picture edited manually, or by a script, can be read back ([`crate::reading`]). `data-is` and
//! `data-marks` say which loops and buffers a part stands for; the page joins them with its loop nest.

pub(crate) mod legend;
mod memory;
mod parts;
mod solid;
mod step;

use crate::cuts::{self, Cut};
use crate::document::{Buffer, Document, VERSION};
use crate::nest::Nest;
use parts::{MONO, SMALL, chars, ground, label, round};
use svg::Node;
use svg::node::element::{Circle, Group, Path, Rectangle, Style, Title};

/// Between lines of text
const LINE: f64 = 16.0;
/// Least width; a page of 800 pixels shows it as it is
const WIDTH: f64 = 752.0;
/// Colors, light and dark
const STYLE: &str = include_str!("style.css");

/// Where columns begin; as far apart as the longest fields need
struct Columns {
    /// Where boxes begin; names of their rows stand before
    margin: f64,
    /// Width of boxes
    solid: f64,
    name: f64,
    op_in: f64,
    core_in: f64,
    ruler: f64,
    ruler_width: f64,
    parts: f64,
    size: f64,
    core_out: f64,
    op_out: f64,
    lane: f64,
    width: f64,
    /// Room of a core's field
    core: f64,
    /// Room of a size's field
    sizes: f64,
}

impl Columns {
    fn of(document: &Document, cuts: &[Vec<Cut>]) -> Columns {
        let steps = &document.draft.steps;
        let longest = |widths: &mut dyn Iterator<Item = f64>| widths.fold(0.0, f64::max);
        let core =
            longest(&mut steps.iter().flat_map(|step| &step.cores).map(|core| ground(&core.to_string())))
                .max(52.0);
        let sizes =
            longest(&mut steps.iter().flat_map(|step| &step.sizes).map(|size| ground(&size.to_string())))
                .max(34.0);
        let names = longest(&mut document.dims.iter().map(|dim| MONO * chars(&dim.name)));
        let operators = longest(&mut document.dims.iter().map(|dim| MONO * chars(&dim.operator)));
        let wholes = document.dims.iter().map(|dim| crate::captions::grouped(dim.size));
        let texts = cuts.iter().flatten().map(step::parts).chain(wholes);
        let texts = longest(&mut texts.map(|text| SMALL * chars(&text)));
        let names_and_sizes = document
            .dims
            .iter()
            .map(|dim| SMALL * (chars(&dim.name) + 1.0 + chars(&crate::captions::grouped(dim.size))));
        let margin = longest(&mut names_and_sizes.map(|width| width + 10.0)).max(58.0);
        let solid = (236.0 - margin).max(130.0);
        let name = margin + solid + 14.0;
        let op_in = name + names + 10.0;
        let core_in = op_in + 22.0;
        let ruler = core_in + core + 12.0;
        let rest = 8.0 + texts + 10.0 + sizes + 12.0 + core + 12.0 + operators + 26.0;
        let lines = document.ins.iter().chain(&document.outs).flat_map(|buffer| {
            buffer.maps.iter().map(|map| 72.0 + SMALL * (chars(&buffer.name) + 2.0 + chars(map)))
        });
        let body = document.body.iter().map(|line| memory::LEFT + SMALL * chars(line));
        let title = 20.0
            + 12.0
                * (chars(&document.compute)
                    + chars(document.target.as_deref().unwrap_or("any target"))
                    + 4.0);
        let fixed = longest(&mut lines.chain(body).chain([title, name + step::widest(document) + 10.0]));
        let width = (ruler + 80.0 + rest + 14.0).max(fixed + 18.0).max(WIDTH);
        let ruler_width = width - 14.0 - rest - ruler;
        let parts = ruler + ruler_width + 8.0;
        let size = parts + texts + 10.0;
        let core_out = size + sizes + 12.0;
        let op_out = core_out + core + 12.0;
        let lane = op_out + operators + 26.0;
        Columns {
            margin,
            solid,
            name,
            op_in,
            core_in,
            ruler,
            ruler_width,
            parts,
            size,
            core_out,
            op_out,
            lane,
            width,
            core,
            sizes,
        }
    }
}

/// A picture, its width, and its height without the legend, which pages have next to it
pub(crate) struct Drawn {
    pub(crate) svg: String,
    pub(crate) width: f64,
    pub(crate) figure: f64,
}

/// The SVG; with the nest that the schedule becomes, if it is lowered, its memory has bytes and counts
pub fn draw(document: &Document, nest: Option<&Nest>) -> String {
    drawn(document, nest).svg
}

/// The same with its measures
pub(crate) fn drawn(document: &Document, nest: Option<&Nest>) -> Drawn {
    let mut cuts = cuts::of(document);
    let columns = Columns::of(document, &cuts);
    let (mut views, mut y) = header(document, &columns);
    cuts.insert(0, Vec::new());
    let mut bands = Vec::new();
    let mut funnel = Group::new().set("class", "decomp");
    let mut tile: Option<(f64, f64, f64, &'static str)> = None;
    for (n, cuts) in cuts.iter().enumerate() {
        let band = step::band(document, &columns, n, cuts);
        if let Some(outline) = band.outline {
            let (left, right, top) = outline.top;
            if let Some(from) = tile {
                funnel.append(enlarged(from, (left, right, top + y)));
            }
            let (left, right, bottom) = outline.tile;
            tile = Some((left, right, bottom + y, solid::leading(cuts)));
        }
        let group = band.group.set("id", format!("s{n}")).set("class", "step");
        bands.push(group.set("transform", format!("translate(0 {})", round(y))));
        y += band.height;
    }
    if let Some(from) = tile {
        let (x, below) = (columns.margin + columns.solid / 2.0, y + 14.0);
        funnel.append(enlarged(from, (x, x, below)));
        funnel.append(Circle::new().set("class", "point").set("cx", x).set("cy", below).set("r", 4));
        views.append(label(x + 12.0, below + 4.0, "prose", "one point: the scalar phase"));
    }
    y += 34.0;
    let (regions, height) = memory::draw(document, nest, &columns);
    let regions = regions.set("transform", format!("translate(0 {})", round(y)));
    y += height;
    let (legend, height) = legend::draw(document, nest, columns.width);
    let legend = legend.set("transform", format!("translate(0 {})", round(y)));
    let figure = y;
    y += height;

    let (width, height) = (columns.width.ceil(), y.ceil());
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
    root.append(Rectangle::new().set("class", "paper").set("width", width).set("height", height));
    root.append(views);
    for band in bands {
        root.append(band);
    }
    root.append(funnel);
    root.append(regions);
    root.append(legend);
    Drawn { svg: format!("{root}\n"), width, figure: figure.ceil() }
}

/// From a tile to its enlargement in the next band
fn enlarged(from: (f64, f64, f64, &str), to: (f64, f64, f64)) -> Path {
    let shape = format!(
        "M{} {}L{} {}L{} {}L{} {}Z",
        from.0,
        round(from.2),
        from.1,
        round(from.2),
        to.1,
        round(to.2),
        to.0,
        round(to.2)
    );
    Path::new().set("class", format!("funnel {}", from.3)).set("d", shape)
}

/// Title, index functions, and heads of the columns; how high they are
fn header(document: &Document, columns: &Columns) -> (Group, f64) {
    let mut group = Group::new().set("id", "views");
    let target = document.target.as_deref().unwrap_or("any target");
    group.append(label(20.0, 30.0, "title", &format!("{} on {target}", document.compute)));
    let mut y = 54.0;
    let room = ((columns.width - 100.0) / SMALL) as usize;
    for (what, side, buffers) in [("reads", "in", &document.ins), ("writes", "out", &document.outs)] {
        group.append(label(20.0, y, &format!("head {side}"), what));
        for line in maps(buffers, room) {
            group.append(label(72.0, y, "small map", &line));
            y += LINE;
        }
        y += 3.0;
    }
    y += 14.0;
    group.append(label(columns.margin, y, "head", "tile in the tile around it"));
    group.append(label(columns.name, y, "head", "INP MDA"));
    group.append(label(columns.ruler, y, "head", "tiles"));
    group.append(label(columns.size, y, "head", "size"));
    group.append(label(columns.core_out, y, "head", "OUT MDA"));
    (group, y + 10.0)
}

/// Index functions of buffers, as many on a line as fit
fn maps(buffers: &[Buffer], room: usize) -> Vec<String> {
    let items = buffers.iter().flat_map(|buffer| {
        let first = |n: usize, map: &String| match n {
            0 => format!("{}: {map}", buffer.name),
            _ => map.clone(),
        };
        buffer.maps.iter().enumerate().map(move |(n, map)| first(n, map))
    });
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + item.chars().count() <= room => {
                line.push_str("   ");
                line.push_str(&item);
            }
            _ => lines.push(item),
        }
    }
    if lines.is_empty() { vec!["nothing".into()] } else { lines }
}
