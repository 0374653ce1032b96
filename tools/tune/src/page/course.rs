//! How a search went: the best so far, the time of stages, what became of points, the machine meanwhile.

use super::facts::{Facts, digits, is_time, time};
use super::parts::{figure, paragraph, plain, short, table};
use super::verdict::points;
use crate::errors::NoReport;
use crate::figures::breakdown;
use crate::figures::chart::{Axes, Drawn, Line, Place, bars, chart, picture};
use crate::figures::scale::Axis;
use terrace_search_explore::log::{Entry, Outcome};
use terrace_search_schedules::{Refusal, Refusals};

/// The size of a picture
pub(super) const SIZE: (u32, u32) = (760, 400);
/// Bars with their legend
const BAR: (u32, u32) = (760, 72);
/// Where a bar is: its colors are light enough to be written on
const PLACE: Place = Place { left: 16, wide: 728, strength: 0.4 };

/// Where a point is along a picture
type Along<'a> = &'a dyn Fn(usize, &Entry) -> f64;

/// The best so far against points and against seconds
pub(super) fn best_so_far(facts: &Facts<'_>) -> Result<String, NoReport> {
    if facts.ran.is_empty() {
        return Ok(paragraph("No point ran."));
    }
    let numbers = better(facts);
    let by_points = falling(facts, "points", facts.entries().len() as f64, &|number, _| (number + 1) as f64)?;
    let last = facts.searched();
    let by_time = falling(facts, "seconds", last.max(1e-3), &|_, entry| entry.at)?;
    let dots = "The line is the best time so far; each dot is a point, those that were stopped among them.";
    let first = format!("Best time against the number of points. {dots}");
    let second = format!("Best time against the seconds of the search. {dots}");
    Ok(figure(&by_points, &first, &numbers) + &figure(&by_time, &second, &numbers))
}

/// Times of points, and the line of the best
fn falling(facts: &Facts<'_>, x: &str, wide: f64, along: Along<'_>) -> Result<String, NoReport> {
    let mut dots = Vec::new();
    let mut line: Vec<(f64, f64)> = Vec::new();
    for (n, entry) in facts.entries().iter().enumerate() {
        let (at, cost) = (along(n, entry).clamp(0.0, wide), entry.cost());
        if let Outcome::Ran { seconds } | Outcome::Stopped { seconds } = entry.outcome
            && is_time(seconds)
        {
            dots.push((at, seconds * 1e3));
        }
        let now = cost.filter(|cost| is_time(*cost)).map(|cost| cost * 1e3);
        match (line.last().map(|(_, best)| *best), now) {
            (None, Some(now)) => line.push((at, now)),
            (Some(best), Some(now)) if now < best => line.extend([(at, best), (at, now)]),
            _ => {}
        }
    }
    line.extend(line.last().map(|(_, best)| (wide, *best)));
    let chosen = facts.chosen().map(|seconds| seconds * 1e3);
    let high = Axis::around(dots.iter().map(|(_, y)| *y).chain(chosen));
    let mut curves = vec![Line { name: "best so far".into(), points: line }];
    curves.extend(chosen.map(|chosen| Line {
        name: "chosen without measuring".into(),
        points: vec![(0.0, chosen), (wide, chosen)],
    }));
    let axes = Axes { title: "", x: (x, Axis::to(wide)), y: ("ms", high) };
    picture(SIZE, |area| chart(area, &axes, Drawn { curves: &curves, dots: &dots, ..Drawn::default() }))
}

/// Points that were better than all before
fn better(facts: &Facts<'_>) -> String {
    let mut best = f64::INFINITY;
    let mut rows = Vec::new();
    for (entry, seconds) in &facts.ran {
        if *seconds < best {
            best = *seconds;
            rows.push(vec![entry.number.to_string(), time(entry.at), facts.rate(*seconds)]);
        }
    }
    table(&["point", "after", "best so far"], rows.into_iter())
}

/// Where the time went
pub(super) fn stages(facts: &Facts<'_>) -> Result<String, NoReport> {
    let Some(mut parts) = breakdown(facts.entries()) else {
        return Ok(paragraph("The log does not say."));
    };
    let end = facts.end.as_ref().map_or(0.0, |end| end.at - facts.searched()).max(0.0);
    parts.push(("last rounds", end));
    let whole: f64 = parts.iter().map(|(_, seconds)| seconds).sum();
    if !whole.is_finite() || whole <= 0.0 {
        return Ok(paragraph("No time is known."));
    }
    let drawn = picture(BAR, |area| bars(area, "", &[("", parts.clone())], PLACE))?;
    let rows = parts.iter().map(|(word, seconds)| {
        vec![(*word).to_string(), time(*seconds), format!("{:.1} %", seconds / whole * 100.0)]
    });
    let caption = format!(
        "Parts of {}. Compiling is all of the worker's time but passes and runs; other is choosing points and estimating them.",
        time(whole)
    );
    Ok(figure(&drawn, &caption, &table(&["stage", "time", "share"], rows)))
}

/// Points by what became of them
pub(super) fn outcomes(facts: &Facts<'_>) -> Result<String, NoReport> {
    let all = facts.outcomes();
    if all.is_empty() {
        return Ok(paragraph("There are no points."));
    }
    let words: Vec<String> = all.iter().map(|(word, ..)| short(&plain(word))).collect();
    // What does not fit is in the table.
    let parts = words.iter().zip(&all).take(7).map(|(word, (_, count, _))| (word.as_str(), *count as f64));
    let parts = parts.collect::<Vec<_>>();
    let drawn = picture(BAR, |area| bars(area, "", &[("", parts)], PLACE))?;
    let rows = all.iter().map(|(word, count, example)| {
        let why = match example.map(|entry| (&entry.outcome, entry.number)) {
            Some((Outcome::Failed { reason, .. }, number)) => format!("point {number}: {}", short(reason)),
            _ => String::new(),
        };
        vec![(*word).to_string(), count.to_string(), why]
    });
    let caption = format!("What became of {}.", points(facts.entries().len()));
    Ok(figure(&drawn, &caption, &table(&["status", "points", "the first of them"], rows)))
}

/// Refusals by rule, with an example of each
pub(super) fn refusals(facts: &Facts<'_>) -> String {
    let mut measured = Refusals::default();
    for entry in facts.entries() {
        if let Outcome::Failed { kind, reason } = &entry.outcome
            && kind == "refused"
        {
            measured.add(&Refusal::of(reason.as_str()));
        }
    }
    let drawn = facts.end.as_ref().map(|end| end.refused.as_slice()).unwrap_or_default();
    let drawn_by = |rule: &str| drawn.iter().find(|one| one.rule == rule).map_or(0, |one| one.count);
    let measured = measured.list();
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    for one in &measured {
        let others = drawn_by(&one.rule);
        let cells = vec![one.rule.clone(), others.to_string(), one.count.to_string(), short(&one.example)];
        rows.push((others + one.count, cells));
    }
    for one in drawn.iter().filter(|one| measured.iter().all(|other| other.rule != one.rule)) {
        rows.push((
            one.count,
            vec![one.rule.clone(), one.count.to_string(), "0".into(), short(&one.example)],
        ));
    }
    rows.sort_by_key(|(count, _)| usize::MAX - count);
    let rejected: u64 = facts.entries().iter().fold(0, |all, entry| all.saturating_add(entry.rejected));
    let mut out = match (rows.is_empty(), facts.end.is_some()) {
        (true, true) => paragraph("Nothing was refused."),
        (true, false) => {
            paragraph("No point was refused. What was refused before is noted at the end of a search.")
        }
        (false, _) => {
            let head = ["rule", "while choosing", "as a point", "an example"];
            table(&head, rows.into_iter().map(|(_, cells)| cells))
        }
    };
    if rejected > 0 {
        out.push_str(&paragraph(&format!("Draws that constraints refused: {rejected}.")));
    }
    out
}

/// Times of the anchor
pub(super) fn drift(facts: &Facts<'_>) -> Result<String, NoReport> {
    let median = |entry: &Entry| {
        let mut times = entry.anchor.clone();
        times.sort_unstable();
        times.get(times.len() / 2).map(|nanos| *nanos as f64 / 1e9).filter(|time| *time > 0.0)
    };
    let all: Vec<(usize, f64)> =
        (facts.entries().iter().enumerate()).filter_map(|(n, entry)| Some((n + 1, median(entry)?))).collect();
    let [(_, first), _, ..] = all[..] else {
        return Ok(paragraph("The chosen schedule was not measured again during the search."));
    };
    let ratios: Vec<(f64, f64)> = all.iter().map(|(n, seconds)| (*n as f64, seconds / first)).collect();
    let (low, high) =
        ratios.iter().fold((1.0_f64, 1.0_f64), |(low, high), (_, y)| (low.min(*y), high.max(*y)));
    let room = ((high - low) * 0.1).max(0.02);
    let y = Axis { low: low - room, high: high + room, is_log: false };
    let x = Axis::to(facts.entries().len() as f64);
    let curves = [Line { name: "the chosen schedule".into(), points: ratios.clone() }];
    let marks: Vec<_> = ratios.iter().map(|at| (*at, String::new())).collect();
    let axes = Axes { title: "", x: ("points", x), y: ("time, first = 1", y) };
    let drawn = picture(SIZE, |area| {
        chart(area, &axes, Drawn { curves: &curves, marks: &marks, ..Drawn::default() })
    })?;
    let rows = all.iter().map(|(n, seconds)| vec![n.to_string(), time(*seconds), digits(seconds / first)]);
    let caption = format!(
        "The chosen schedule was measured again during the search. It took {low:.2} to {high:.2} times its first time. No time is scaled by it."
    );
    Ok(figure(&drawn, &caption, &table(&["after point", "time", "first = 1"], rows)))
}
