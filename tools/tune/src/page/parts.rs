//! Parts of a page: text, tables, pictures with a table behind them.

use std::fmt::Write;
use terrace_view::captions::escaped;

/// Characters of a text that may be of any length
const SHORT: usize = 400;

/// Without characters that no page may hold
pub(super) fn plain(text: &str) -> String {
    let fits = |c: char| match c {
        '\n' | '\t' => true,
        c => !c.is_control() && !matches!(u32::from(c), 0xfdd0..=0xfdef) && u32::from(c) & 0xfffe != 0xfffe,
    };
    text.chars().map(|c| if fits(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// For a text or an attribute
pub(super) fn text(text: &str) -> String {
    escaped(&plain(text))
}

/// The beginning of a long text
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{} …", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

pub(super) fn paragraph(words: &str) -> String {
    format!("<p>{}</p>\n", text(words))
}

/// A text whose lines count
pub(super) fn code(words: &str) -> String {
    // A break right after the tag would be none.
    format!("<pre class=\"code\" tabindex=\"0\">\n{}</pre>\n", text(words.trim_end()))
}

/// What opens by a click or a key
pub(super) fn details(summary: &str, content: &str) -> String {
    format!("<details><summary>{}</summary>\n{content}</details>\n", text(summary))
}

/// A section with a heading that links lead to
pub(super) fn section(id: &str, heading: &str, content: &str) -> String {
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-heading\">\n<h2 id=\"{id}-heading\">{heading}</h2>\n{content}</section>\n"
    )
}

/// Rows of cells; numbers stand at the right
pub(super) fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut out = String::from("<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>");
    for cell in head {
        let _ = write!(out, "<th scope=\"col\">{}</th>", text(cell));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let class = if is_number(&cell) { " class=\"number\"" } else { "" };
            let _ = write!(out, "<td{class}>{}</td>", text(&cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
    out
}

/// A number, perhaps with a unit or in brackets
fn is_number(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '−' | '–' | '+')) && cell.len() < 40
}

/// A picture, what it shows, and the numbers behind it
pub(super) fn figure(picture: &str, caption: &str, table: &str) -> String {
    let label = text(caption);
    // It stands in the page: its own size and namespace are of no use.
    let inner = picture.split_once('>').map_or(picture, |(_, inner)| inner);
    let view = picture.split_once("viewBox=\"").and_then(|(_, rest)| rest.split_once('"'));
    let view = view.map_or("0 0 760 400", |(view, _)| view);
    let table = details("The numbers", table);
    format!(
        "<figure>\n<div class=\"picture\" tabindex=\"0\"><svg viewBox=\"{view}\" role=\"img\" aria-label=\"{label}\">{inner}</div>\n\
         <figcaption>{label}</figcaption>\n{table}</figure>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        assert_eq!(
            text("</script><b a=\"\u{0}\u{ffff}\u{7}"),
            "&lt;/script&gt;&lt;b a=&quot;\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(text("two\n\tlines"), "two\n\tlines");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(short("short"), "short");
        let long = short(&"é".repeat(500));
        assert_eq!(long.chars().count(), SHORT + 2);
    }
}
