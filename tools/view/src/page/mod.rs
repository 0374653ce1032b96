//! The page: the picture, the loop nest that it stands for, and what each buffer costs and brings.
//!
//! Fields of the picture can be edited in the page (click, type, Enter); a button saves the picture, which reads back to the
//! schedule. Pointing at a part of the picture, the nest or the table marks what belongs to it in the others. The page needs
//! nothing from elsewhere.

mod listing;

use crate::captions::{count, escaped, grouped};
use crate::document::Document;
use crate::nest::Nest;
use crate::picture;
use crate::sheet;
use crate::traffic::{self, Buffer};
use std::fmt::Write;

const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");

/// The page; without a nest where fields are open
pub fn write(document: &Document, nest: Option<&Nest>) -> String {
    let title = format!("Schedule of {}", document.compute);
    let picture::Drawn { svg, width, figure } = picture::drawn(document, nest);
    let signs = signs(document, nest);
    let steps = format!(
        "<section>\n<h2>Steps</h2>\n<div id=\"steps\" class=\"code\">\n{}</div>\n</section>\n",
        listing::steps(document)
    );
    let (memory, nest) = match nest {
        Some(nest) => (
            format!("<section>\n<h2>Memory</h2>\n{}</section>\n", table(nest)),
            format!("<div id=\"nest\" class=\"code\">\n{}</div>\n", listing::write(nest)),
        ),
        None => (String::new(), open(document)),
    };
    let nest = format!("<section>\n<h2>Loop nest</h2>\n{nest}</section>\n");
    let legend = format!("<section>\n<h2>How to read it</h2>\n{signs}</section>\n");
    let body = format!(
        "<header><h1>{}</h1><button id=\"save\">Save the picture</button>\
         <span id=\"state\">Click a gray field to change it. Point at something to see what belongs to it.</span></header>\n\
         <main>\n<div id=\"figure\" style=\"aspect-ratio:{width}/{figure}\">\n{svg}</div>\n<aside>\n{steps}{memory}{nest}{legend}</aside>\n</main>\n",
        escaped(&title)
    );
    sheet::page(&title, STYLE, &body, Some(SCRIPT))
}

/// The legend, next to the picture; inside the picture it is visible only if the picture is alone
fn signs(document: &Document, nest: Option<&Nest>) -> String {
    let entries = picture::legend::entries(document, nest);
    let rows = entries.iter().map(|(sign, class, meaning)| {
        format!(
            "<dt><span class=\"key {class}\">{}</span></dt><dd>{}</dd>\n",
            escaped(sign),
            escaped(meaning)
        )
    });
    format!("<dl id=\"signs\">\n{}</dl>\n", rows.collect::<String>())
}

/// What is missing until a nest can be made
fn open(document: &Document) -> String {
    let fields = document.draft.fields();
    let rows = fields.iter().filter(|(_, field)| field.is_open()).map(|(place, field)| {
        let name = &place.to_string();
        let (step, rest) =
            name.strip_prefix("step.").and_then(|rest| rest.split_once('.')).unwrap_or(("", name));
        let mut words = rest.split('.');
        let what = words.next().unwrap_or("");
        let number =
            words.next().and_then(|word| word.parse::<usize>().ok()).map_or(0, |n| n.saturating_sub(1));
        let key = match what {
            "label" => format!("S{step}"),
            "in" | "out" => format!("M{step}.{what}.{number}"),
            _ => format!("L{step}.{number}"),
        };
        let (text, said) = (escaped(&field.to_string()), escaped(&place.spoken()));
        format!("<li data-is=\"{key}\" data-marks=\"{key}\">{said}: <code>{text}</code></li>\n")
    });
    format!(
        "<p class=\"note\">There is one when no field is open. Click an open field to fill it in, or let <code>terrace-tune</code> \
         search them all.</p>\n<ul id=\"open\">\n{}</ul>\n",
        rows.collect::<String>()
    )
}

/// Memories with their buffers; a memory with one buffer is that buffer's row
fn table(nest: &Nest) -> String {
    let buffers = &nest.traffic.buffers;
    let mut text = String::from(
        "<table id=\"buffers\">\n<thead><tr><th>memory</th><th>buffer</th><th>bytes</th><th>elements in</th><th>uses</th>\
         <th>per element</th></tr></thead>\n<tbody>\n",
    );
    for level in traffic::levels(buffers) {
        let here: Vec<usize> = (0..buffers.len()).filter(|n| buffers[*n].memory == level.memory).collect();
        if here.len() > 1 {
            row(&mut text, "total", (&level.memory, &format!("{} buffers", here.len())), &level, "");
        }
        for n in &here {
            let mut keys = String::new();
            if let Some(role) = nest.roles[*n].filter(|_| buffers[*n].own) {
                let (all, one) = listing::keys(role, buffers[*n].step);
                keys = format!(
                    " data-is=\"{all} {one}\" data-marks=\"{}\"",
                    if one.is_empty() { &all } else { &one }
                );
            }
            let class = if here.len() > 1 { "part" } else { "one" };
            row(&mut text, class, (&level.memory, &buffers[*n].name), &buffers[*n], &keys);
        }
    }
    text.push_str("</tbody>\n</table>\n");
    text
}

fn row(text: &mut String, class: &str, (memory, name): (&str, &str), buffer: &Buffer, keys: &str) {
    let reuse = buffer.reuse().filter(|reuse| *reuse > 0.0).map_or("–".to_owned(), ratio);
    let memory = if class == "part" { "" } else { memory };
    let sizes = buffer.shape.iter().map(|n| grouped(*n)).collect::<Vec<_>>().join("×");
    let _ = writeln!(
        text,
        "<tr class=\"{class}\"{keys}><td class=\"memory\">{}</td><td class=\"name\">{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{reuse}</td></tr>",
        escaped(memory),
        escaped(name),
        if class == "total" { String::new() } else { format!(" <small>{}</small>", escaped(&sizes)) },
        grouped(buffer.bytes),
        count(buffer.filled),
        count(buffer.used),
    );
}

/// With one digit behind the point: `2,049.0`
fn ratio(ratio: f64) -> String {
    let tenths = (ratio * 10.0).round();
    format!("{}.{}", count((tenths / 10.0).trunc()), (tenths % 10.0) as i64)
}
