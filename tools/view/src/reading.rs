//! Reading a picture back: the texts that have a `data-field`, and nothing else.
//!
//! A field that is missing is `^`; one that is not the computation's is refused. Axes of the two sides carry one field each,
//! and must agree: on imperative targets the two iteration spaces are one (paper, §5.7).

use crate::document::{Document, VERSION};
use crate::error::{Code, ViewError};
use roxmltree::{Node, ParsingOptions};
use terrace_dialect_mdh::schedule::{
    Entry, EntryPlace, Field, OpenSchedule, Place, ScheduleError, Spelled, spoken,
};

/// The draft that a picture, or a page with one in it, says
pub fn read(text: &str, document: &Document) -> Result<OpenSchedule, ViewError> {
    // A page is no XML; its picture is.
    let picture = match (text.find("<svg"), text.rfind("</svg>")) {
        (Some(start), Some(end)) if start < end => &text[start..end + "</svg>".len()],
        _ => return Err(Code::Field.because("there is no picture (`<svg id=\"schedule\">`) in the file")),
    };
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    let tree = roxmltree::Document::parse_with_options(picture, options)
        .map_err(|error| Code::Field.because(format!("the picture is no XML: {error}")))?;
    let root = tree.root_element();
    match root.attribute("data-terrace") {
        Some(VERSION) => {}
        Some(other) => {
            return Err(
                Code::Version.because(format!("the picture is `{other}`; this program reads `{VERSION}`"))
            );
        }
        None => return Err(Code::Version.because(format!("the picture has no `data-terrace=\"{VERSION}\"`"))),
    }
    document.reads(root.attribute("data-compute"), root.attribute("data-dims"))?;
    let fields = root.descendants().filter_map(|node| Some((node.attribute("data-field")?, node)));
    let fields: Vec<(&str, Node<'_, '_>)> = fields.collect();
    let mut draft = frame(&fields, document)?;
    let mut seen: Vec<(&str, Option<&str>, String)> = Vec::new();
    for (name, node) in fields {
        let content: String =
            node.descendants().filter_map(|node| node.text().filter(|_| node.is_text())).collect();
        let text: String = content.split_whitespace().collect();
        let text = if text.is_empty() { "^".to_owned() } else { text };
        let side = node.attribute("data-side");
        if let Some((_, other, earlier)) = seen.iter().find(|(known, _, _)| *known == name) {
            if *other == side {
                return Err(Code::Field.because(format!("the picture has the field `{name}` twice")));
            }
            if *earlier != text {
                return Err(Code::Swap.because(format!(
                    "{} is `{earlier}` on one side and `{text}` on the other; imperative targets need equal",
                    spoken(name)
                )));
            }
        }
        put(&mut draft, name, &text)?;
        seen.push((name, side, text));
    }
    Ok(draft)
}

/// Fill in a field, or the layout or the words of an entry
fn put(draft: &mut OpenSchedule, name: &str, text: &str) -> Result<(), ViewError> {
    let entry = |suffix: &str| name.strip_suffix(suffix)?.parse::<EntryPlace>().ok();
    if let Some(at) = entry(".layout") {
        let entry = draft.entry_mut(at).ok_or_else(|| unknown(name))?;
        entry.layout = listed(text, at.step)?;
        return Ok(());
    }
    if let Some(at) = entry(".words") {
        let entry = draft.entry_mut(at).ok_or_else(|| unknown(name))?;
        entry.words = listed(text, at.step)?;
        return Ok(());
    }
    let place: Place = name.parse().map_err(|()| unknown(name))?;
    if draft.field(place).is_none() {
        return Err(unknown(name));
    }
    Ok(draft.read_at(place, text)?)
}

/// Fields between commas outside of braces; none for `^`
fn listed<T: Spelled>(text: &str, step: usize) -> Result<Vec<Field<T>>, ViewError> {
    if text == "^" {
        return Ok(Vec::new());
    }
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    let fail = |broken| -> ViewError { ScheduleError { at: 0..0, step: Some(step + 1), broken }.into() };
    parts.map(|part| Field::read(part).map_err(fail)).collect()
}

fn unknown(name: &str) -> ViewError {
    Code::Field.because(format!(
        "the computation has no field `{name}`; fields are step.N.label, .size.D, .core.D, .in.B.region, …"
    ))
}

/// As many steps as the fields need
fn frame(fields: &[(&str, Node<'_, '_>)], document: &Document) -> Result<OpenSchedule, ViewError> {
    // One step per field at most, so that a number in a name cannot ask for much memory.
    let most = fields.len();
    let mut draft = OpenSchedule::default();
    for (name, _) in fields {
        let step = name.split('.').nth(1).and_then(|word| word.parse::<usize>().ok());
        let step = step.filter(|n| (1..=most).contains(n)).ok_or_else(|| unknown(name))?;
        while draft.steps.len() < step {
            draft.steps.push(document.empty_step(draft.steps.len() + 1));
        }
        // An entry beyond the buffers is of a step that has one for each access group.
        let groups = document.groups.buffers.len();
        let ins = &mut draft.steps[step - 1].ins;
        let entry = name.split('.').skip(2).collect::<Vec<_>>();
        let beyond =
            matches!(entry[..], ["in", entry, ..] if entry.parse().is_ok_and(|n: usize| n > ins.len()));
        if beyond && document.groups.one_each(groups) {
            *ins = vec![Entry::above(); groups];
        }
    }
    Ok(draft)
}
