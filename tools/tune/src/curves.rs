//! Search-efficiency curves from logs alone: how good the best point is after so many tries (the form of LIFT, CC 2022, Fig. 5
//! and 6).
//!
//! Each log is a curve: best rate so far as a part of the best of all logs. Tries that failed count as tries.

use plotters::prelude::{
    BLACK, ChartBuilder, Color, IntoDrawingArea, IntoFont, LineSeries, PathElement, RGBColor, SVGBackend,
    WHITE,
};
use terrace_search_explore::log::{self, Entry, Header};

/// A log with its name
pub(crate) struct Curve {
    pub name: String,
    pub entries: Vec<Entry>,
}

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

/// Read a log; its technique and seed name the curve
pub(crate) fn read(file: &str, text: &str) -> Result<Curve, String> {
    let (Header { technique, seed, .. }, entries) =
        log::read(text).map_err(|why| format!("`{file}`: {why}"))?;
    let stem = std::path::Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file);
    Ok(Curve { name: format!("{stem} ({technique}, seed {seed})"), entries })
}

/// After each try, the best so far as a part of the best of all
pub(crate) fn steps(entries: &[Entry], best: f64) -> Vec<(f64, f64)> {
    let mut so_far = f64::INFINITY;
    let mut points = vec![(0.0, 0.0)];
    for (n, entry) in entries.iter().enumerate() {
        let before = if so_far.is_finite() { best / so_far } else { 0.0 };
        so_far = so_far.min(entry.cost().unwrap_or(f64::INFINITY));
        let now = if so_far.is_finite() { best / so_far } else { 0.0 };
        let x = (n + 1) as f64;
        points.extend([(x, before), (x, now)]);
    }
    points
}

/// The picture
pub(crate) fn draw(curves: &[Curve]) -> Result<String, String> {
    let costs = curves.iter().flat_map(|curve| &curve.entries).filter_map(Entry::cost);
    let best = costs.fold(f64::INFINITY, f64::min);
    if !best.is_finite() {
        return Err("no point of these logs ran".into());
    }
    let tries = curves.iter().map(|curve| curve.entries.len()).max().unwrap_or(1).max(1);
    let mut text = String::new();
    let fail = |error: &dyn std::fmt::Display| format!("cannot draw: {error}");
    {
        let area = SVGBackend::with_string(&mut text, (900, 520)).into_drawing_area();
        area.fill(&WHITE).map_err(|error| fail(&error))?;
        let font = ("sans-serif", 15).into_font();
        let mut chart = ChartBuilder::on(&area)
            .caption("Best point so far", ("sans-serif", 20).into_font())
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..tries as f64, 0.0..1.05)
            .map_err(|error| fail(&error))?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc("points tried").y_desc("speed, best of all = 1").label_style(font.clone());
        mesh.draw().map_err(|error| fail(&error))?;
        for (curve, color) in curves.iter().zip(COLORS.iter().cycle()) {
            let series = LineSeries::new(steps(&curve.entries, best), color.stroke_width(2));
            let series = chart.draw_series(series).map_err(|error| fail(&error))?;
            let color = *color;
            series.label(&curve.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
        }
        let mut labels = chart.configure_series_labels();
        labels.background_style(WHITE.mix(0.9)).border_style(BLACK).label_font(font);
        labels.position(plotters::chart::SeriesLabelPosition::LowerRight);
        labels.draw().map_err(|error| fail(&error))?;
        area.present().map_err(|error| fail(&error))?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_search_explore::log::Outcome;

    fn entry(seconds: Option<f64>) -> Entry {
        let failed = Outcome::Failed { kind: "wrong".into(), reason: String::new() };
        let outcome = seconds.map_or(failed, |seconds| Outcome::Ran { seconds });
        Entry { number: 1, point: Vec::new(), outcome, at: 0.0 }
    }

    #[test]
    fn a_curve_rises_where_a_point_is_better() {
        let entries = [entry(None), entry(Some(4.0)), entry(Some(8.0)), entry(Some(2.0))];
        let found = steps(&entries, 2.0);
        let wanted = [
            (0.0, 0.0),
            (1.0, 0.0),
            (1.0, 0.0),
            (2.0, 0.0),
            (2.0, 0.5),
            (3.0, 0.5),
            (3.0, 0.5),
            (4.0, 0.5),
            (4.0, 1.0),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn logs_without_a_run_have_no_picture() {
        let curve = Curve { name: "none".into(), entries: vec![entry(None)] };
        assert!(draw(&[curve]).is_err());
    }
}
