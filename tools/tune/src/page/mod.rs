//! A search as a page: one file that needs nothing from elsewhere, derived from a log alone.
//!
//! Sections are in the order of questions: was it worth it, what was found, how it went, what can be learnt. Behind each picture is a
//! table. Whatever a log holds is text: nothing of it becomes markup or a script.

mod course;
mod data;
mod effects;
mod facts;
mod learnt;
mod parts;
mod setting;
mod verdict;

use crate::curves::{self, Curve};
use crate::errors::NoReport;
use facts::Facts;
use parts::{code, paragraph, section, text};
use std::fmt::Write;
use terrace_schedule_model::Point;
use terrace_search_explore::log;

const STYLE: &str = include_str!("page.css");

/// A part of the page: its name in links, its heading, what is in it
type Part = (&'static str, &'static str, String);

/// The page of a log
pub(crate) fn write(file: &str, content: &str) -> Result<String, NoReport> {
    let curve = curves::read(file, content)?;
    let facts = Facts::of(&curve, log::ending(content));
    let all: Vec<Part> = vec![
        ("best", "Best point", best(&facts)),
        ("course", "Best so far", course::best_so_far(&facts)?),
        ("stages", "Where the time went", course::stages(&facts)?),
        ("outcomes", "What became of the points", course::outcomes(&facts)?),
        ("refusals", "What rules refused", course::refusals(&facts)),
        ("model", "Estimates and times", learnt::model(&facts)?),
        ("effects", "Which choices matter", learnt::effects(&facts)?),
        ("drift", "The machine meanwhile", course::drift(&facts)?),
        ("setting", "How it was made", setting::table(&facts)),
    ];
    let title = parts::plain(&curve.name);
    let mut body = format!("<header>\n<h1>Search {}</h1>\n{}</header>\n", text(&title), verdict(&facts));
    body.push_str("<nav aria-label=\"Sections\"><ul>\n");
    for (id, heading, _) in &all {
        let _ = writeln!(body, "<li><a href=\"#{id}\">{heading}</a></li>");
    }
    body.push_str("</ul></nav>\n<main>\n");
    for (id, heading, content) in &all {
        body.push_str(&section(id, heading, content));
    }
    body.push_str("</main>\n");
    body.push_str(&data::script(&facts));
    Ok(terrace_view::sheet::page(&format!("Search {title}"), STYLE, &body, None))
}

fn verdict(facts: &Facts<'_>) -> String {
    let found = verdict::of(facts);
    let said: Vec<String> = found.sentences.iter().map(|sentence| text(sentence)).collect();
    format!("<p id=\"verdict\" class=\"{}\">{}</p>\n", found.class, said.join(" "))
}

/// The choices of the best point, and those that come next
fn best(facts: &Facts<'_>) -> String {
    let Some((best, seconds)) = facts.best() else {
        return paragraph("No point ran, so there is none.");
    };
    let Curve { header, .. } = facts.curve;
    let shown = match facts.end.as_ref().and_then(|end| end.best.as_ref()) {
        Some(known) if known.number == best.number => known.text.clone(),
        _ => Point::named(&best.point, &header.names, "\n"),
    };
    let mut out = paragraph(&format!("Point {}, {}.", best.number, facts.rate(seconds)));
    out.push_str(&code(&shown));
    if let Some(draft) = &header.draft {
        out.push_str(&parts::details("The schedule that was searched, with its open fields", &code(draft)));
    }
    let rows = facts.ran_by_time().take(10).map(|(entry, seconds)| {
        let choices = Point::named(&entry.point, &header.names, " ");
        vec![entry.number.to_string(), facts.rate(seconds), parts::short(&choices)]
    });
    let head = ["point", "time in the search", "choices"];
    out.push_str(&parts::details("The ten best points of the search", &parts::table(&head, rows)));
    out
}

#[cfg(test)]
mod tests;
