//! Texts, fields and their widths.

use svg::node::element::{Group, Rectangle, Text, Title};
use terrace_dialect_mdh::schedule::spoken;

/// Width of a character of a field
pub(super) const MONO: f64 = 7.4;
/// Width of a character of small fixed text
pub(super) const SMALL: f64 = 6.8;
/// Width of a character of prose, about
pub(super) const PROSE: f64 = 6.7;

/// One digit is enough for a picture
pub(super) fn round(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// Characters as a number
pub(super) fn chars(text: &str) -> f64 {
    text.chars().count() as f64
}

pub(super) fn label(x: f64, y: f64, class: &str, text: &str) -> Text {
    Text::new(text).set("x", round(x)).set("y", round(y)).set("class", class)
}

/// Width of a field's ground
pub(super) fn ground(token: &str) -> f64 {
    MONO * chars(token).max(1.3) + 11.0
}

/// What a part of the picture is, and what pointing at it marks
pub(super) fn marked(group: Group, is: &str, marks: &str) -> Group {
    group.set("data-is", is).set("data-marks", marks)
}

/// A field on its gray ground. It is identified by its name, and has this much room to grow when it is edited
pub(super) fn free(x: f64, y: f64, field: &str, token: &str, side: Option<&str>, room: f64) -> Group {
    let width = ground(token);
    let mut text =
        label(x + 5.5, y, "free", token).set("data-field", field).set("data-wide", round(room.max(width)));
    if let Some(side) = side {
        text = text.set("data-side", side);
    }
    let class = if token.contains(['?', '{']) { "box hole" } else { "box" };
    let ground = Rectangle::new().set("class", class).set("x", round(x)).set("y", round(y - 14.0));
    let hint = Title::new(spoken(field));
    let ground = ground.set("width", round(width)).set("height", 19).set("rx", 4);
    Group::new().set("class", "field").add(hint).add(ground).add(text)
}
