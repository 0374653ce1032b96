//! A step's tile inside of the tile around it: a box of up to three dimensions, in scale.
//!
//! Along each axis the tile has its true share of what is around. Axes that are much shorter than the longest are drawn longer,
//! or they would be hidden. What runs at the same time is tinted; of tiles in order only the first is.

use super::parts::{SMALL, chars, label, round};
use crate::captions::grouped;
use crate::cuts::Cut;
use crate::document::Document;
use svg::Node;
use svg::node::element::{Group, Path};

/// Least length of an axis, as a share of the longest
const LEAST: f64 = 0.24;
/// How far depth goes to the right and up
const DEPTH: (f64, f64) = (0.4, 0.3);
/// Lines of a grid that are closer than this are thinned out
const CLOSE: f64 = 3.5;

/// Where a box stands, for what is drawn to it
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Outline {
    /// Left and right end of its upper edge
    pub(super) top: (f64, f64, f64),
    /// Left and right end of the lower edge of the first tile's face
    pub(super) tile: (f64, f64, f64),
}

/// An axis of the box
struct Axis<'a> {
    name: &'a str,
    cut: &'a Cut,
    /// Length in the picture, 0 if there is no such axis
    length: f64,
}

impl Axis<'_> {
    /// Share of the axis that is busy at one time
    fn busy(&self) -> f64 {
        if self.cut.together() { 1.0 } else { self.cut.share() }
    }

    /// Where tiles end, from 0 to 1; fewer if they are close
    fn ends(&self) -> Vec<f64> {
        let (share, parts) = (self.cut.share(), self.cut.parts().unwrap_or(1));
        let every = (CLOSE / (share * self.length).max(1e-9)).ceil().max(1.0);
        let mut at = every * share;
        let mut ends = Vec::new();
        while parts > 1 && at < 1.0 - 1e-9 && ends.len() < 200 {
            ends.push(at);
            at += every * share;
        }
        ends
    }
}

/// The dimensions that are drawn: those that the step splits first, then the largest; columns, rows, depth
fn chosen(document: &Document, cuts: &[Cut]) -> [Option<usize>; 3] {
    let size = |dim: usize| cuts[dim].above.unwrap_or(1);
    let mut dims: Vec<usize> = (0..cuts.len().min(document.dims.len())).collect();
    dims.retain(|dim| size(*dim) > 1 || cuts[*dim].above.is_none());
    dims.sort_by_key(|dim| (!cuts[*dim].splits(), std::cmp::Reverse(size(*dim)), *dim));
    dims.truncate(3);
    dims.sort_unstable();
    let kept: Vec<usize> = document.axes.iter().copied().filter(|dim| dims.contains(dim)).collect();
    match (dims.as_slice(), kept.as_slice()) {
        ([], _) => [None; 3],
        ([x], _) => [Some(*x), None, None],
        ([y, x], _) => [Some(*x), Some(*y), None],
        (_, [.., y, x]) => [Some(*x), Some(*y), dims.iter().copied().find(|dim| dim != x && dim != y)],
        ([z, y, x], _) => [Some(*x), Some(*y), Some(*z)],
        _ => [None; 3],
    }
}

/// Draw it at a place into a room of this width and height
pub(super) fn draw(
    group: &mut Group,
    document: &Document,
    cuts: &[Cut],
    (left, top): (f64, f64),
    (width, height): (f64, f64),
) -> Outline {
    let picked = chosen(document, cuts);
    let none = Cut { above: Some(1), size: Some(1), layer: None };
    let longest = picked.iter().flatten().filter_map(|dim| cuts[*dim].above).max().unwrap_or(1).max(1);
    let length = |dim: &Option<usize>| match dim {
        Some(dim) => (cuts[*dim].above.unwrap_or(longest) as f64 / longest as f64).max(LEAST),
        None => 0.0,
    };
    let (lx, ly, lz) = (length(&picked[0]), length(&picked[1]).max(LEAST), length(&picked[2]));
    let unit = (width / (lx.max(LEAST) + DEPTH.0 * lz)).min(height / (ly + DEPTH.1 * lz));
    let axis = |n: usize, length: f64| Axis {
        name: picked[n].map_or("", |dim| document.dims[dim].name.as_str()),
        cut: picked[n].map_or(&none, |dim| &cuts[dim]),
        length: length * unit,
    };
    let axes = [axis(0, lx.max(LEAST)), axis(1, ly), axis(2, lz)];
    let [x, y, z] = &axes;
    let origin = (left, top + DEPTH.1 * z.length);
    // A point of the box from its shares along the axes.
    let at = |sx: f64, sy: f64, sz: f64| {
        let deep = sz * z.length;
        (round(origin.0 + sx * x.length + DEPTH.0 * deep), round(origin.1 + sy * y.length - DEPTH.1 * deep))
    };
    let face = |points: &[(f64, f64, f64)], class: &str| {
        let mut path = String::new();
        for (n, (a, b, c)) in points.iter().enumerate() {
            let (px, py) = at(*a, *b, *c);
            path.push_str(&format!("{}{px} {py}", if n == 0 { "M" } else { "L" }));
        }
        Path::new().set("class", class).set("d", path)
    };
    // Faces in front, above and on the right of a part of the box that begins at its first corner.
    let part = |sx: f64, sy: f64, sz: f64, class: &str| {
        let mut faces =
            vec![face(&[(0., 0., 0.), (sx, 0., 0.), (sx, sy, 0.), (0., sy, 0.), (0., 0., 0.)], class)];
        if z.length > 0.0 {
            let points = [(0., 0., 0.), (sx, 0., 0.), (sx, 0., sz), (0., 0., sz), (0., 0., 0.)];
            faces.push(face(&points, &format!("{class} above")));
            if sx >= 1.0 {
                let points = [(1., 0., 0.), (1., 0., sz), (1., sy, sz), (1., sy, 0.), (1., 0., 0.)];
                faces.push(face(&points, &format!("{class} beside")));
            }
        }
        faces
    };
    let open = picked.iter().flatten().any(|dim| cuts[*dim].is_open());
    let class = leading(cuts);
    let mut solid = Group::new().set("class", if open { "solid unknown" } else { "solid" });
    let busy = part(x.busy(), y.busy(), z.busy(), &format!("busy {class}"));
    let tile = (x.cut.share(), y.cut.share(), z.cut.share());
    let tile = (
        tile.0.max(2.5 / x.length.max(1.0)).min(1.0),
        tile.1.max(2.5 / y.length.max(1.0)).min(1.0),
        if z.length > 0.0 { tile.2.max(4.0 / z.length).min(1.0) } else { 1.0 },
    );
    for path in part(1.0, 1.0, 1.0, "whole").into_iter().chain(busy) {
        solid.append(path);
    }
    if !open && cuts.iter().any(Cut::splits) {
        for path in part(tile.0, tile.1, tile.2, &format!("tile {class}")) {
            solid.append(path);
        }
    }
    for end in x.ends() {
        solid
            .append(face(&[(end, 1., 0.), (end, 0., 0.), (end, 0., 1.)], &format!("grid {}", x.cut.class())));
    }
    for end in y.ends() {
        solid
            .append(face(&[(0., end, 0.), (1., end, 0.), (1., end, 1.)], &format!("grid {}", y.cut.class())));
    }
    for end in z.ends() {
        solid
            .append(face(&[(0., 0., end), (1., 0., end), (1., 1., end)], &format!("grid {}", z.cut.class())));
    }
    for path in part(1.0, 1.0, 1.0, "edge") {
        solid.append(path);
    }
    let text = |axis: &Axis<'_>| format!("{} {}", axis.name, axis.cut.above.map_or("?".into(), grouped));
    let (bottom, upper) = (at(0.5, 1., 0.), at(0.5, 0., 1.));
    // Names stay inside of the room, however long they are.
    let centered = |x: f64, text: &str| {
        let half = SMALL * chars(text) / 2.0;
        x.min(left + width - half).max(half + 6.0)
    };
    if picked[0].is_some() {
        let name = text(x);
        solid.append(label(centered(bottom.0, &name), bottom.1 + 13.0, "axis-name middle", &name));
    }
    if picked[1].is_some() {
        let (px, py) = at(0., 0.5, 0.);
        solid.append(label(px - 5.0, py + 4.0, "axis-name end", &text(y)));
    }
    if picked[2].is_some() {
        let name = format!("{} ↗", text(z));
        solid.append(label(centered(upper.0, &name), upper.1 - 5.0, "axis-name middle", &name));
    }
    group.append(solid);
    let (from, to) = (at(0., tile.1, 0.), at(tile.0, tile.1, 0.));
    let (start, end) = (at(0., 0., 1.), at(1., 0., 1.));
    Outline { top: (start.0, end.0, start.1), tile: (from.0, to.0, from.1) }
}

/// Class of the widest layer that a step's tiles are spread over
pub(super) fn leading(cuts: &[Cut]) -> &'static str {
    let known = cuts.iter().filter(|cut| cut.splits()).filter_map(Cut::look);
    let rank = |layer: &&crate::captions::LayerLook| {
        let at = crate::captions::LAYERS.iter().position(|known| known == *layer);
        (!layer.together, at)
    };
    known.min_by_key(rank).map_or("seq", |layer| layer.class)
}
