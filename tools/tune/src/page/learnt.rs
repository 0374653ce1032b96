//! What can be learnt from a search: how good estimates were, which choices matter.

use super::course::SIZE;
use super::effects::{self, Effect};
use super::facts::{Facts, digits, time};
use super::parts::{figure, paragraph, plain, table};
use crate::errors::NoReport;
use crate::figures::chart::{Axes, Drawn, chart, picture, ranks};
use crate::figures::scale::Axis;
use terrace_search_explore::rank;

/// Choices that a picture shows
const SHOWN: usize = 12;
/// Rows of a table that is no list of all
const ROWS: usize = 20;

/// Estimates and times
pub(super) fn model(facts: &Facts<'_>) -> Result<String, NoReport> {
    let estimated = |estimate: &f64| (1e-15..=1e15).contains(estimate);
    let known: Vec<_> = (facts.ran.iter())
        .filter_map(|(entry, seconds)| Some((*entry, entry.estimate.filter(estimated)?, *seconds)))
        .collect();
    if known.is_empty() {
        return Ok(paragraph(
            "The log has no estimates: the technique measured every point, or nothing is known of the target.",
        ));
    }
    let pairs: Vec<(f64, f64)> = known.iter().map(|(_, estimate, seconds)| (*estimate, *seconds)).collect();
    let dots: Vec<(f64, f64)> = pairs.iter().map(|(estimate, seconds)| (*estimate, seconds * 1e3)).collect();
    let axes = Axes {
        title: "",
        x: ("estimate", Axis::around(dots.iter().map(|(x, _)| *x))),
        y: ("ms", Axis::around(dots.iter().map(|(_, y)| *y))),
    };
    let drawn = picture(SIZE, |area| chart(area, &axes, Drawn { dots: &dots, ..Drawn::default() }))?;
    let order = match rank::kendall(&pairs) {
        Some(tau) => format!(
            "Kendall's τ is {tau:.2}: of two points, {:.0} % are in the right order.",
            (tau + 1.0) * 50.0
        ),
        None => {
            format!("Too few points have both for a rank correlation: {} of {}.", pairs.len(), rank::FEWEST)
        }
    };
    let caption = format!("Estimates of the cost model, in a unit of its own, and measured times. {order}");
    let mut by_time = known.clone();
    by_time.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut estimates: Vec<f64> = known.iter().map(|(_, estimate, _)| *estimate).collect();
    estimates.sort_by(f64::total_cmp);
    let rows = by_time.iter().enumerate().take(ROWS).map(|(n, (entry, estimate, seconds))| {
        let place = estimates.partition_point(|other| other < estimate) + 1;
        vec![
            (n + 1).to_string(),
            place.to_string(),
            entry.number.to_string(),
            time(*seconds),
            digits(*estimate),
        ]
    });
    let head = ["place by time", "place by estimate", "point", "time", "estimate"];
    Ok(figure(&drawn, &caption, &table(&head, rows)))
}

/// Choices by how much of the times they explain
pub(super) fn effects(facts: &Facts<'_>) -> Result<String, NoReport> {
    let names = &facts.curve.header.names;
    let all = effects::ranked(names, &facts.ran);
    if all.is_empty() {
        return Ok(paragraph("Too few points ran to tell."));
    }
    let labels: Vec<String> = all.iter().map(|effect| plain(&names[effect.choice])).collect();
    let rows: Vec<(&str, f64)> =
        labels.iter().zip(&all).take(SHOWN).map(|(label, effect)| (label.as_str(), effect.share)).collect();
    let high = 30 + 26 * rows.len() as u32;
    let drawn = picture((SIZE.0, high), |area| ranks(area, &rows))?;
    let cells = labels.iter().zip(&all).map(|(label, effect)| {
        let Effect { share, values, best, .. } = effect;
        vec![label.clone(), format!("{:.0} %", share * 100.0), values.to_string(), best.clone()]
    });
    let caption = "Share of the variance of log times that each choice explains by itself, less what chance explains. A search does not \
                   draw evenly, so these shares describe its points, not the whole space.";
    Ok(figure(&drawn, caption, &table(&["choice", "share", "values", "best on average"], cells)))
}
