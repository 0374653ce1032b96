//! What all pictures are drawn with: curves, dots and words in axes, and bars of parts. SVG, the same every time.

use super::scale::Axis;
use crate::errors::NoReport;
use plotters::coord::Shift;
use plotters::prelude::{
    BLACK, ChartBuilder, Circle, Color, DrawingArea, IntoDrawingArea, IntoFont, LineSeries, PathElement,
    RGBColor, Rectangle, SVGBackend, Text, WHITE,
};
use std::collections::BTreeSet;
use std::fmt::Display;

/// Colors that people with any color vision tell apart (Okabe and Ito)
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// Dots that are drawn, at most: of those that lie on each other one is enough
const MOST_DOTS: usize = 1500;

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Words and ends of the axes
pub(crate) struct Axes<'a> {
    /// Empty where the words stand elsewhere
    pub title: &'a str,
    pub x: (&'a str, Axis),
    pub y: (&'a str, Axis),
}

/// A curve to draw
#[derive(Clone)]
pub(crate) struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// What is drawn within axes
#[derive(Clone, Copy, Default)]
pub(crate) struct Drawn<'a> {
    pub curves: &'a [Line],
    /// Points with a word of each
    pub marks: &'a [((f64, f64), String)],
    /// Points without one, below all else
    pub dots: &'a [(f64, f64)],
}

fn fail(error: &dyn Display) -> NoReport {
    NoReport::Drawing(error.to_string())
}

/// A picture of this size
pub(crate) fn picture(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Result<(), NoReport>,
) -> Result<String, NoReport> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE).map_err(|error| fail(&error))?;
        draw(&area)?;
        area.present().map_err(|error| fail(&error))?;
    }
    Ok(text)
}

/// Curves, dots, and single points with a word of each
pub(crate) fn chart(area: &Area<'_>, axes: &Axes<'_>, drawn: Drawn<'_>) -> Result<(), NoReport> {
    let Drawn { curves, marks, dots } = drawn;
    let font = ("sans-serif", 15).into_font();
    let mut builder = ChartBuilder::on(area);
    if !axes.title.is_empty() {
        builder.caption(axes.title, ("sans-serif", 20).into_font());
    }
    builder.margin(16).x_label_area_size(44).y_label_area_size(70);
    let ((x, wide), (y, high)) = (axes.x, axes.y);
    let mut chart = builder.build_cartesian_2d(wide.scale(), high.scale()).map_err(|error| fail(&error))?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(x).y_desc(y).label_style(font.clone());
    mesh.draw().map_err(|error| fail(&error))?;
    let apart = apart(dots, |at| chart.backend_coord(at));
    let dots = apart.into_iter().map(|at| Circle::new(at, 3, COLORS[5].mix(0.55).filled()));
    chart.draw_series(dots).map_err(|error| fail(&error))?;
    for (line, color) in curves.iter().zip(COLORS.iter().cycle()) {
        let series = LineSeries::new(bends(&line.points), color.stroke_width(2));
        let series = chart.draw_series(series).map_err(|error| fail(&error))?;
        let color = *color;
        series.label(&line.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
    }
    let dots = marks.iter().map(|(at, _)| Circle::new(*at, 3, COLORS[1].filled()));
    chart.draw_series(dots).map_err(|error| fail(&error))?;
    // Above the point, and a little to the right.
    let (wide, high) = (wide.high, high.high);
    let lift = (wide * 0.008, high * 0.04);
    let lifted = |(x, y): (f64, f64)| (x + lift.0, (y + lift.1).min(high));
    let words = marks.iter().map(|(at, word)| Text::new(word.clone(), lifted(*at), font.clone()));
    chart.draw_series(words).map_err(|error| fail(&error))?;
    if !curves.is_empty() {
        let mut labels = chart.configure_series_labels();
        labels.background_style(WHITE.mix(0.9)).border_style(BLACK).label_font(font);
        let place = match high_is_good(axes) {
            true => plotters::chart::SeriesLabelPosition::LowerRight,
            false => plotters::chart::SeriesLabelPosition::UpperRight,
        };
        labels.position(place);
        labels.draw().map_err(|error| fail(&error))?;
    }
    Ok(())
}

/// Do curves end at the top? Those of times fall
fn high_is_good(axes: &Axes<'_>) -> bool {
    !axes.y.1.is_log
}

/// Where a curve bends: what lies between two points of one height is not drawn
fn bends(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let is_bend = |n: &usize| match (n.checked_sub(1).and_then(|n| points.get(n)), points.get(n + 1)) {
        (Some(before), Some(after)) => before.1 != points[*n].1 || after.1 != points[*n].1,
        _ => true,
    };
    (0..points.len()).filter(is_bend).map(|n| points[n]).collect()
}

/// Dots that do not lie on each other; where there are very many, fewer, evenly over the picture
fn apart(dots: &[(f64, f64)], place: impl Fn(&(f64, f64)) -> (i32, i32)) -> Vec<(f64, f64)> {
    for cell in [3, 5, 8, 13, 21, 34] {
        let mut taken = BTreeSet::new();
        let first = |at: &&(f64, f64)| {
            let (x, y) = place(at);
            taken.insert((x.div_euclid(cell), y.div_euclid(cell)))
        };
        let left: Vec<(f64, f64)> = dots.iter().filter(first).copied().collect();
        if left.len() <= MOST_DOTS {
            return left;
        }
    }
    Vec::new()
}

/// Parts of a whole, with their words
pub(crate) type Parts<'a> = Vec<(&'a str, f64)>;

/// Where bars begin, how long they are, and how strong their colors, from 0 to 1
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub left: i32,
    pub wide: i32,
    pub strength: f64,
}

/// A bar for each whole: its parts
pub(crate) fn bars(
    area: &Area<'_>,
    title: &str,
    all: &[(&str, Parts<'_>)],
    Place { left, wide, strength }: Place,
) -> Result<(), NoReport> {
    let draw = |error: &dyn Display| fail(error);
    let font = ("sans-serif", 14).into_font();
    let top = if title.is_empty() { 4 } else { 34 };
    let heading = Text::new(title.to_string(), (16, 4), ("sans-serif", 17).into_font());
    area.draw(&heading).map_err(|error| draw(&error))?;
    for (n, (name, parts)) in all.iter().enumerate() {
        let y = top + 34 * n as i32;
        area.draw(&Text::new((*name).to_string(), (16, y + 4), font.clone()))
            .map_err(|error| draw(&error))?;
        let whole = parts.iter().map(|(_, part)| part).sum::<f64>().max(1e-9);
        let mut at = f64::from(left);
        for ((_, part), color) in parts.iter().zip(COLORS.iter().cycle()) {
            let part = part / whole;
            let next = at + part * f64::from(wide);
            let corners = [(at.round() as i32, y), (next.round() as i32, y + 24)];
            area.draw(&Rectangle::new(corners, color.mix(strength).filled()))
                .map_err(|error| draw(&error))?;
            if part > 0.06 {
                let label = Text::new(format!("{:.0} %", part * 100.0), (at as i32 + 4, y + 5), font.clone());
                area.draw(&label).map_err(|error| draw(&error))?;
            }
            at = next;
        }
    }
    let y = top + 10 + 34 * all.len() as i32;
    let words = all.first().map(|(_, parts)| parts.as_slice()).unwrap_or_default();
    let each = ((area.dim_in_pixel().0 as i32 - 32) / words.len().max(1) as i32).min(140);
    for (n, ((word, _), color)) in words.iter().zip(COLORS.iter().cycle()).enumerate() {
        let x = 16 + each * n as i32;
        let square = Rectangle::new([(x, y), (x + 14, y + 14)], color.mix(strength).filled());
        area.draw(&square).map_err(|error| draw(&error))?;
        area.draw(&Text::new((*word).to_string(), (x + 20, y), font.clone()))
            .map_err(|error| draw(&error))?;
    }
    Ok(())
}

/// Characters of a name next to a bar
const NAME: usize = 28;

/// A bar for each share of a whole, from 0 to 1, with its name before it
pub(crate) fn ranks(area: &Area<'_>, all: &[(&str, f64)]) -> Result<(), NoReport> {
    let font = ("sans-serif", 14).into_font();
    let (left, wide) = (230, area.dim_in_pixel().0 as i32 - 300);
    for (n, (name, share)) in all.iter().enumerate() {
        let y = 12 + 26 * n as i32;
        let long = name.chars().count() > NAME;
        let name: String = name.chars().take(NAME).chain(long.then_some('…')).collect();
        area.draw(&Text::new(name, (16, y + 3), font.clone())).map_err(|error| fail(&error))?;
        let end = left + (share.clamp(0.0, 1.0) * f64::from(wide)).round() as i32;
        let bar = Rectangle::new([(left, y), (end.max(left + 1), y + 18)], COLORS[0].filled());
        area.draw(&bar).map_err(|error| fail(&error))?;
        let label = Text::new(format!("{:.0} %", share * 100.0), (end + 6, y + 3), font.clone());
        area.draw(&label).map_err(|error| fail(&error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_keeps_its_bends() {
        let steps = [(0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (2.0, 3.0), (3.0, 3.0), (4.0, 3.0)];
        assert_eq!(bends(&steps), [(0.0, 1.0), (2.0, 1.0), (2.0, 3.0), (4.0, 3.0)]);
        assert_eq!(bends(&[(1.0, 1.0)]), [(1.0, 1.0)]);
        assert!(bends(&[]).is_empty());
    }

    #[test]
    fn dots_on_each_other_are_one_and_many_are_few() {
        let place = |at: &(f64, f64)| (at.0 as i32, at.1 as i32);
        assert_eq!(apart(&[(0.0, 0.0), (1.0, 1.0), (9.0, 0.0)], place), [(0.0, 0.0), (9.0, 0.0)]);
        let many: Vec<(f64, f64)> =
            (0..800).flat_map(|x| (0..500).map(move |y| (f64::from(x), f64::from(y)))).collect();
        let few = apart(&many, place);
        assert!((500..=MOST_DOTS).contains(&few.len()), "{}", few.len());
        // In all corners.
        assert!(few.iter().any(|at| at.0 > 780.0 && at.1 > 480.0));
    }
}
