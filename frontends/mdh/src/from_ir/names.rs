//! Names as MDH text spells them, each once.

use crate::model::Elem;
use std::collections::BTreeSet;
use terrace_ir::{Context, Type};

/// Names that are taken
#[derive(Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// A name like this one that is not taken yet
    pub(super) fn fresh(&mut self, wish: &str) -> String {
        let wish = identifier(wish);
        let mut name = wish.clone();
        let mut n = 0;
        while !self.0.insert(name.clone()) {
            n += 1;
            name = format!("{wish}{n}");
        }
        name
    }
}

/// A name as MDH text spells names
pub(super) fn identifier(name: &str) -> String {
    let mut text: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, 'x');
    }
    // Words of the grammar
    if ["inf", "o", "else", "if", "into", "where", "schedule", "with", "op"].contains(&text.as_str()) {
        text.push('_');
    }
    text
}

/// A type of elements, if text has it
pub(super) fn elem(cx: &Context, ty: Type) -> Option<Elem> {
    Elem::parse(&terrace_ir::show::type_text(cx, ty))
}
