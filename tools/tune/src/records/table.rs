//! Records as a table for people.

use terrace_search_records::segment::date;
use terrace_search_records::{Id, Record};

/// A line for each record, under a line with the names of columns
pub(super) fn table<'a>(records: impl IntoIterator<Item = (&'a Id, &'a Record)>) -> Vec<String> {
    let head = ["record", "computation", "target", "time", "gain", "date", "machine"].map(str::to_owned);
    let rows: Vec<[String; 7]> =
        std::iter::once(head).chain(records.into_iter().map(|(id, record)| row(id, record))).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    let line = |row: &[String; 7]| {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(n, (cell, width))| match n {
                // Numbers end at one place.
                3 | 4 => format!("{cell:>width$}"),
                _ => format!("{cell:<width$}"),
            })
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

fn row(id: &Id, record: &Record) -> [String; 7] {
    let (year, month, day) = date(record.unix);
    let about = &record.about;
    [
        id.short(),
        plain(&about.computation),
        plain(&about.target),
        format!("{:.3} ms", record.seconds * 1e3),
        record.gain().map_or("?".into(), |gain| format!("{gain:.2}")),
        format!("{year:04}-{month:02}-{day:02}"),
        plain(&about.machine),
    ]
}

/// In one line, whatever a file has
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
