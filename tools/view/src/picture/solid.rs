//! A step's tile inside of the tile around it: a box of up to three dimensions, in scale.
//!
//! Along each axis the tile has its true share of what is around. Axes that are much shorter than the longest are drawn longer,
//! or they would be hidden. What runs at the same time is tinted; of tiles in order only the first is.

use super::parts::{SMALL, chars, label, round};
use crate::captions::grouped;
use crate::cuts::Cut;
use crate::document::Document;
use svg::Node;
use svg::node::element::{Group, Path, Text};

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
    name: Option<&'a str>,
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

/// What an axis is cut into that there is not
const WHOLE: Cut = Cut { above: Some(1), size: Some(1), layer: None };

/// Points of a box as shares along its axes
type Shares = (f64, f64, f64);

/// A box in the picture
struct Solid<'a> {
    axes: [Axis<'a>; 3],
    /// Where its first corner stands
    origin: (f64, f64),
}

impl<'a> Solid<'a> {
    /// As large as there is room for; an axis of the box for each dimension, or none
    fn new(
        document: &'a Document,
        cuts: &'a [Cut],
        picked: [Option<usize>; 3],
        (left, top): (f64, f64),
        (width, height): (f64, f64),
    ) -> Solid<'a> {
        let longest = picked.iter().flatten().filter_map(|dim| cuts[*dim].above).max().unwrap_or(1).max(1);
        let length = |dim: Option<usize>| match dim {
            Some(dim) => (cuts[dim].above.unwrap_or(longest) as f64 / longest as f64).max(LEAST),
            None => 0.0,
        };
        let [lx, ly, lz] = picked.map(length);
        let (lx, ly) = (lx.max(LEAST), ly.max(LEAST));
        let unit = (width / (lx + DEPTH.0 * lz)).min(height / (ly + DEPTH.1 * lz));
        let axis = |dim: Option<usize>, length: f64| Axis {
            name: dim.map(|dim| document.dims[dim].name.as_str()),
            cut: dim.map_or(&WHOLE, |dim| &cuts[dim]),
            length: length * unit,
        };
        let axes = [axis(picked[0], lx), axis(picked[1], ly), axis(picked[2], lz)];
        let origin = (left, top + DEPTH.1 * axes[2].length);
        Solid { axes, origin }
    }

    /// A point of the box in the picture
    fn at(&self, (sx, sy, sz): Shares) -> (f64, f64) {
        let [x, y, z] = &self.axes;
        let deep = sz * z.length;
        let origin = self.origin;
        (round(origin.0 + sx * x.length + DEPTH.0 * deep), round(origin.1 + sy * y.length - DEPTH.1 * deep))
    }

    /// A line through these points
    fn line(&self, points: &[Shares], class: &str) -> Path {
        let mut path = String::new();
        for (n, point) in points.iter().enumerate() {
            let (px, py) = self.at(*point);
            path.push_str(&format!("{}{px} {py}", if n == 0 { "M" } else { "L" }));
        }
        Path::new().set("class", class).set("d", path)
    }

    /// Faces in front, above and on the right of a part of the box that begins at its first corner
    fn part(&self, (sx, sy, sz): Shares, class: &str) -> Vec<Path> {
        let front = [(0., 0., 0.), (sx, 0., 0.), (sx, sy, 0.), (0., sy, 0.), (0., 0., 0.)];
        let mut faces = vec![self.line(&front, class)];
        if self.axes[2].length > 0.0 {
            let points = [(0., 0., 0.), (sx, 0., 0.), (sx, 0., sz), (0., 0., sz), (0., 0., 0.)];
            faces.push(self.line(&points, &format!("{class} above")));
            if sx >= 1.0 {
                let points = [(1., 0., 0.), (1., 0., sz), (1., sy, sz), (1., sy, 0.), (1., 0., 0.)];
                faces.push(self.line(&points, &format!("{class} beside")));
            }
        }
        faces
    }

    /// The first tile, large enough to be seen
    fn tile(&self) -> Shares {
        let [x, y, z] = &self.axes;
        (
            x.cut.share().max(2.5 / x.length.max(1.0)).min(1.0),
            y.cut.share().max(2.5 / y.length.max(1.0)).min(1.0),
            if z.length > 0.0 { z.cut.share().max(4.0 / z.length).min(1.0) } else { 1.0 },
        )
    }

    /// Lines between tiles
    fn grid(&self) -> Vec<Path> {
        let [x, y, z] = &self.axes;
        let class = |axis: &Axis<'_>| format!("grid {}", axis.cut.class());
        let mut lines = Vec::new();
        for end in x.ends() {
            lines.push(self.line(&[(end, 1., 0.), (end, 0., 0.), (end, 0., 1.)], &class(x)));
        }
        for end in y.ends() {
            lines.push(self.line(&[(0., end, 0.), (1., end, 0.), (1., end, 1.)], &class(y)));
        }
        for end in z.ends() {
            lines.push(self.line(&[(0., 0., end), (1., 0., end), (1., 1., end)], &class(z)));
        }
        lines
    }

    /// Names and lengths of the axes, inside of a room that begins at `left`
    fn names(&self, left: f64, width: f64) -> Vec<Text> {
        let [x, y, z] = &self.axes;
        let text =
            |axis: &Axis<'_>| Some(format!("{} {}", axis.name?, axis.cut.above.map_or("?".into(), grouped)));
        // They stay inside of the room, however long they are.
        let centered = |x: f64, text: &str| {
            let half = SMALL * chars(text) / 2.0;
            x.min(left + width - half).max(half + 6.0)
        };
        let mut names = Vec::new();
        if let Some(name) = text(x) {
            let (px, py) = self.at((0.5, 1., 0.));
            names.push(label(centered(px, &name), py + 13.0, "axis-name middle", &name));
        }
        if let Some(name) = text(y) {
            let (px, py) = self.at((0., 0.5, 0.));
            names.push(label(px - 5.0, py + 4.0, "axis-name end", &name));
        }
        if let Some(name) = text(z) {
            let (name, (px, py)) = (format!("{name} ↗"), self.at((0.5, 0., 1.)));
            names.push(label(centered(px, &name), py - 5.0, "axis-name middle", &name));
        }
        names
    }

    /// Where it stands
    fn outline(&self) -> Outline {
        let tile = self.tile();
        let (from, to) = (self.at((0., tile.1, 0.)), self.at((tile.0, tile.1, 0.)));
        let (start, end) = (self.at((0., 0., 1.)), self.at((1., 0., 1.)));
        Outline { top: (start.0, end.0, start.1), tile: (from.0, to.0, from.1) }
    }
}

/// Draw it at a place into a room of this width and height
pub(super) fn draw(
    group: &mut Group,
    document: &Document,
    cuts: &[Cut],
    place: (f64, f64),
    room: (f64, f64),
) -> Outline {
    let picked = chosen(document, cuts);
    let solid = Solid::new(document, cuts, picked, place, room);
    let [x, y, z] = &solid.axes;
    let open = picked.iter().flatten().any(|dim| cuts[*dim].is_open());
    let class = leading(cuts);
    let mut paths = solid.part((1., 1., 1.), "whole");
    paths.extend(solid.part((x.busy(), y.busy(), z.busy()), &format!("busy {class}")));
    if !open && cuts.iter().any(Cut::splits) {
        paths.extend(solid.part(solid.tile(), &format!("tile {class}")));
    }
    paths.extend(solid.grid());
    paths.extend(solid.part((1., 1., 1.), "edge"));
    let mut drawn = Group::new().set("class", if open { "solid unknown" } else { "solid" });
    paths.into_iter().for_each(|path| drawn.append(path));
    solid.names(place.0, room.0).into_iter().for_each(|name| drawn.append(name));
    group.append(drawn);
    solid.outline()
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
