//! The loop nest as lines of HTML: colored, wrapped with their indent, and joined to the picture.
//!
//! Loops and allocations are met in the order of the text, which is the order of [`Nest::loops`] and of the traffic's
//! allocations; names of values are the text's own.

use crate::captions::{escaped, layer_of};
use crate::document::Document;
use crate::nest::{Loop, Nest, Role};
use std::collections::HashMap;
use std::fmt::Write;
use terrace_dialect_mdh::schedule::{Entry, Field, Spelled};

/// What pointing at a name marks: what it is, and what it marks
struct Keys {
    is: String,
    marks: String,
    class: &'static str,
}

/// Names of a buffer's parts in the picture: of all that holds it, and of the tile of a step
pub(super) fn keys(role: Role, step: Option<i64>) -> (String, String) {
    let (side, number) = (role.side(), role.number);
    (format!("B{side}.{number}"), step.map_or(String::new(), |step| format!("M{step}.{side}.{number}")))
}

/// The lines
pub(super) fn write(nest: &Nest) -> String {
    let mut names: HashMap<String, Keys> = HashMap::new();
    for (n, buffer) in nest.traffic.buffers.iter().enumerate().filter(|(_, buffer)| buffer.step.is_none()) {
        name_buffer(&mut names, nest, n, &buffer.name);
    }
    // A nest whose text has other loops than its ops is shown without links.
    let found = nest.text.lines().map(|line| heads(line).map_or(0, |(_, loops)| loops.len())).sum::<usize>();
    let linked = found == nest.loops.len();
    let (mut loops, mut allocs) = (nest.loops.iter(), nest.traffic.allocs.iter());
    let mut out = String::new();
    for line in nest.text.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        // A number may name something else further on.
        if let Some((defined, _)) = text.split_once(" = ").filter(|_| text.starts_with('%')) {
            for name in defined.split(',') {
                names.remove(name.trim().trim_start_matches('%').split(':').next().unwrap_or(""));
            }
        }
        if text.contains("= sched.alloc")
            && let (Some(name), Some(n)) = (text.split(' ').next(), allocs.next())
        {
            name_buffer(&mut names, nest, *n, name.trim_start_matches('%'));
        }
        let _ = write!(out, "<div style=\"--in:{indent}\">");
        match heads(text).filter(|_| linked) {
            Some((start, heads)) => {
                let head = heads.first().and_then(|_| loops.as_slice().first().copied().flatten());
                let before = colored(&text[..start], &names);
                match head.and_then(|head| head.step) {
                    Some(step) => {
                        let _ =
                            write!(out, "<span data-is=\"S{step}\" data-marks=\"S{step}\">{before}</span>");
                    }
                    None => out.push_str(&before),
                }
                let mut at = start;
                for (from, to) in heads {
                    out.push_str(&colored(&text[at..from], &names));
                    let own = loops.next().copied().flatten();
                    out.push_str(&head_of(&text[from..to], own, &mut names));
                    at = to;
                }
                out.push_str(&colored(&text[at..], &names));
            }
            None => out.push_str(&colored(text, &names)),
        }
        out.push_str("</div>\n");
    }
    out
}

fn name_buffer(names: &mut HashMap<String, Keys>, nest: &Nest, n: usize, name: &str) {
    let buffer = &nest.traffic.buffers[n];
    let Some(role) = nest.roles[n].filter(|_| buffer.own) else { return };
    let (all, one) = keys(role, buffer.step);
    let (marks, step) = match buffer.step {
        Some(step) => (one.clone(), format!(" S{step}")),
        None => (all.clone(), String::new()),
    };
    names.insert(name.to_owned(), Keys { is: format!("{all} {one}{step}"), marks, class: "b" });
}

/// A loop of a header: `%j1 in 1000 by 20 dim 1 : block.x`
fn head_of(text: &str, own: Option<Loop>, names: &mut HashMap<String, Keys>) -> String {
    let Some(own) = own else {
        names.remove(text.split(' ').next().unwrap_or("").trim_start_matches('%'));
        return colored(text, names);
    };
    let Some(step) = own.step else {
        return format!("<span class=\"loop {}\">{}</span>", own.class, colored(text, names));
    };
    // Loops of what is left at an edge may have no dimension of their own.
    let key = own.dim.map_or(format!("S{step}"), |dim| format!("L{step}.{dim}"));
    if let Some(name) = text.split(' ').next() {
        let is = key.clone();
        names.insert(
            name.trim_start_matches('%').to_owned(),
            Keys { is, marks: key.clone(), class: own.class },
        );
    }
    format!(
        "<span class=\"loop {}\" data-is=\"{key} S{step}\" data-marks=\"{key}\">{}</span>",
        own.class,
        colored(text, names)
    )
}

/// Where the loops of a header begin, and each of them; nothing in a line without a header
fn heads(line: &str) -> Option<(usize, Vec<(usize, usize)>)> {
    let at = line.find("sched.for ")?;
    let start = at + line[at..].find('(')? + 1;
    let (mut depth, mut from, mut all) = (0_usize, start, Vec::new());
    for (n, c) in line[start..].char_indices() {
        let here = start + n;
        match c {
            '(' | '[' => depth += 1,
            ')' if depth == 0 => {
                all.push((from, here));
                return Some((start, all));
            }
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push((from, here));
                from = here + 1 + line[here + 1..].len() - line[here + 1..].trim_start().len();
            }
            _ => {}
        }
    }
    None
}

/// Words of a line in their colors
fn colored(text: &str, names: &HashMap<String, Keys>) -> String {
    const WORDS: [&str; 16] = [
        "in", "by", "dim", "from", "limit", "step", "at", "to", "combine", "clip", "per", "pw", "ps", "tail",
        "grid", "block",
    ];
    let mut out = String::new();
    let mut rest = text;
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
    while let Some(first) = rest.chars().next() {
        let mut class = "";
        let mut end = first.len_utf8();
        if first == '%' {
            end += rest[end..].find(|c| !word(c)).unwrap_or(rest.len() - end);
            class = "v";
        } else if rest.starts_with("memref<") || rest.starts_with("vector<") || rest.starts_with("tensor<") {
            end = closing(rest);
            class = "ty";
        } else if first == '"' {
            end += rest[1..].find('"').map_or(rest.len() - 1, |n| n + 1);
            class = "ty";
        } else if first.is_ascii_digit() {
            end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
            class = "n";
        } else if first.is_alphabetic() {
            end = rest.find(|c| !word(c)).unwrap_or(rest.len());
            let found = &rest[..end];
            let dotted = found.contains('.') && !found.starts_with("block.") && !found.starts_with("thread.");
            class = match found {
                _ if dotted => "op",
                _ if WORDS.contains(&found) => "kw",
                "f16" | "bf16" | "f32" | "f64" | "index" | "i1" | "i8" | "i16" | "i32" | "i64" => "ty",
                _ => "",
            };
        } else if matches!(first, '{' | '}') {
            class = "punct";
        }
        let (part, after) = rest.split_at(end);
        let shown = escaped(part);
        let known = part.strip_prefix('%').and_then(|name| names.get(name));
        let _ = match (known, class) {
            (Some(Keys { is, marks, class }), _) => {
                write!(
                    out,
                    "<span class=\"v {class}\" data-is=\"{is}\" data-marks=\"{marks}\">{shown}</span>"
                )
            }
            (None, "") => write!(out, "{shown}"),
            (None, class) => write!(out, "<span class=\"{class}\">{shown}</span>"),
        };
        rest = after;
    }
    out
}

/// Length of a type from its name to its closing bracket
fn closing(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (n, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return n + 1;
                }
            }
            _ => {}
        }
        before = c;
    }
    text.len()
}

/// The schedule's steps as text, its tokens joined to the picture
pub(super) fn steps(document: &Document) -> String {
    let token = |key: &str, step: usize, token: &str| {
        let class = layer_of(token).map_or("", |layer| layer.class);
        let hole = if token.contains(['?', '{']) { " hole" } else { "" };
        let text = escaped(token);
        format!(
            "<span class=\"t {class}{hole}\" data-is=\"{key} S{step}\" data-marks=\"{key}\">{text}</span>"
        )
    };
    let mut out = String::new();
    for (n, step) in document.draft.steps.iter().enumerate().map(|(n, step)| (n + 1, step)) {
        let list = |texts: Vec<String>| {
            let all = texts.iter().enumerate().map(|(dim, own)| token(&format!("L{n}.{dim}"), n, own));
            all.collect::<Vec<_>>().join(",")
        };
        let entries = |side: &str, entries: &[Entry]| {
            let all = entries.iter().enumerate().map(|(k, entry)| {
                let key = if entry.region.known() == Some(&None) {
                    format!("B{side}.{k}")
                } else {
                    format!("M{n}.{side}.{k}")
                };
                token(&key, n, &entry.to_string())
            });
            all.collect::<Vec<_>>().join(",")
        };
        let _ = writeln!(
            out,
            "<div style=\"--in:0\">{}: ({}) ({} ; {}) ({})</div>",
            token(&format!("S{n}"), n, &step.label.to_string()),
            list(texts(&step.sizes)),
            entries("in", &step.ins),
            entries("out", &step.outs),
            list(texts(&step.cores))
        );
    }
    out
}

fn texts<T: Spelled>(fields: &[Field<T>]) -> Vec<String> {
    fields.iter().map(Field::to_string).collect()
}
