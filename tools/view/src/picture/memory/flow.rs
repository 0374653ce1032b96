//! Arrows between boxes, or between a box and the scalar function, with the number of elements that go there.

use super::super::Columns;
use super::super::parts::{SMALL, chars, label, round};
use super::{BOX, BoxPosition, GAP, LEFT};
use crate::captions::count;
use svg::Node;
use svg::node::element::{Group, Path, Text, Title};

/// An arrow of data, or of results and the partial results that they are merged of; `None` is the scalar function
pub(super) struct Flow<'a> {
    pub(super) from: Option<&'a BoxPosition>,
    pub(super) to: Option<&'a BoxPosition>,
    pub(super) elements: Option<f64>,
    pub(super) results: bool,
    pub(super) merged: bool,
}

/// Where an arrow goes
struct Course {
    start: (f64, f64),
    end: (f64, f64),
    /// Between boxes side by side?
    level: bool,
    /// From the tip to the middle of its back
    back: (f64, f64),
}

impl Course {
    fn line(&self) -> String {
        let ((x, start), (end_x, end)) = (self.start, self.end);
        if self.level {
            return format!("M{} {}H{}", round(x), round(start), round(end_x));
        }
        let bend = round((start + end) / 2.0);
        let (x, end_x) = (round(x), round(end_x));
        format!("M{x} {}C{x} {bend} {end_x} {bend} {end_x} {}", round(start), round(end))
    }

    fn tip(&self) -> String {
        let ((x, y), (dx, dy)) = (self.end, self.back);
        let wing = |side: f64| {
            (x + dx + if dx == 0.0 { side } else { 0.0 }, y + dy + if dy == 0.0 { side } else { 0.0 })
        };
        let (a, b) = (wing(-3.5), wing(3.5));
        format!("M{} {}L{} {}L{} {}Z", round(x), round(y), round(a.0), round(a.1), round(b.0), round(b.1))
    }
}

impl Flow<'_> {
    /// The arrow; the scalar function begins at `floor`
    pub(super) fn draw(&self, operators: &str, columns: &Columns, floor: f64) -> Group {
        let class = if self.results { "flow result" } else { "flow data" };
        let course = self.course(floor);
        let mut group = Group::new();
        group.append(Path::new().set("class", class).set("d", course.line()));
        group.append(Path::new().set("class", format!("{class} tip")).set("d", course.tip()));
        let (short, long) = self.captions(operators);
        if let Some(text) = self.number(&course, short, columns, floor) {
            group.append(text);
        }
        group.append(Title::new(long));
        group
    }

    fn course(&self, floor: f64) -> Course {
        let (from, to) = (self.from, self.to);
        let middle = |place: &BoxPosition| place.x + place.width / 2.0;
        let down = from.map_or(f64::MAX, |place| place.y) < to.map_or(f64::MAX, |place| place.y);
        let x = from.or(to).map_or(0.0, middle);
        let end_x = to.or(from).map_or(x, middle);
        let edge = |place: &BoxPosition, below: bool| if below { place.y + BOX } else { place.y };
        let start = from.map_or(floor, |place| edge(place, down));
        let end = to.map_or(floor, |place| edge(place, !down));
        if from.zip(to).is_some_and(|(from, to)| (from.y - to.y).abs() < 1.0) {
            let sign = (end_x - x).signum();
            let half = |place: Option<&BoxPosition>| place.map_or(0.0, |place| place.width / 2.0);
            let y = start.min(end) + BOX / 2.0;
            let (start, end) = ((x + sign * half(from), y), (end_x - sign * half(to), y));
            return Course { start, end, level: true, back: (-6.0 * sign, 0.0) };
        }
        let back = (0.0, if down { -6.0 } else { 6.0 });
        Course { start: (x, start), end: (end_x, end), level: false, back }
    }

    /// What goes along the arrow, in short and as a sentence
    fn captions(&self, operators: &str) -> (String, String) {
        let number = self.elements.map_or(String::new(), count);
        match (self.results, self.from.is_none()) {
            (true, _) if self.merged => (
                format!("{number} by {operators}"),
                format!("{number} partial results, merged by {operators}"),
            ),
            (true, true) if number == "1" => ("1 result".into(), "1 result".into()),
            (true, true) => (format!("{number} results"), format!("{number} results")),
            (true, false) => (format!("{number} copied"), format!("{number} results are copied")),
            (false, _) if self.to.is_none() => {
                (format!("{number} reads"), format!("{number} elements are read"))
            }
            (false, _) => (format!("{number} copied"), format!("{number} elements are copied")),
        }
    }

    /// The number of elements next to the arrow, with as many words as there is room for
    fn number(&self, course: &Course, short: String, columns: &Columns, floor: f64) -> Option<Text> {
        let (at, all) = self.from.or(self.to).map_or((0, 1), |place| place.beside);
        let shown = !course.level && (at == 0 || at + 1 == all);
        let number = self.elements.map(count).filter(|_| shown)?;
        let ((x, start), (end_x, end)) = (course.start, course.end);
        // Next to the end in the scalar function, or between two boxes; on the side where nothing comes.
        let inner = self.from.is_none() || self.to.is_none();
        let middle = if inner { floor - GAP / 2.0 } else { (start + end) / 2.0 };
        let y = if self.results { middle + 11.0 } else { middle - 3.0 };
        let right = if all > 1 {
            at > 0
        } else if (end_x - x).abs() > 1.0 {
            end_x < x
        } else {
            !self.results
        };
        let wide = |text: &str| SMALL * 0.92 * chars(text);
        let room = if right { columns.width - 18.0 - x } else { x - LEFT };
        let text = [short, number].into_iter().find(|text| wide(text) + 10.0 <= room)?;
        let (at, class) = if right { (x + 6.0, "tiny") } else { (x - 6.0, "tiny end") };
        Some(label(at, y, class, &text))
    }
}
