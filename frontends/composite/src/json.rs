//! JSON with the place of each part.

use crate::{Wrong, codes};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The text with blanks for lines that begin with `//`: all other places stay
pub fn without_comments(text: &str) -> String {
    let line = |line: &str| match line.trim_start().starts_with("//") {
        true => line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect(),
        false => line.to_string(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// A part of a text
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    whole: &'a str,
    text: &'a str,
}

impl<'a> Node<'a> {
    /// The whole of a text, if it is JSON
    pub fn whole(text: &'a str) -> Result<Node<'a>, Wrong> {
        match serde_json::from_str::<&RawValue>(text) {
            Ok(raw) => Ok(Node { whole: text, text: raw.get() }),
            Err(error) => {
                // Columns count bytes.
                let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
                let at = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
                let message = error.to_string();
                let message = message.split(" at line ").next().unwrap_or(&message).to_string();
                Err(Wrong::new(at.min(text.len()) as u32, &codes::SYNTAX, message))
            }
        }
    }

    /// Where it begins
    pub fn at(self) -> u32 {
        (self.text.as_ptr() as usize - self.whole.as_ptr() as usize) as u32
    }

    fn part(self, raw: &'a RawValue) -> Node<'a> {
        Node { whole: self.whole, text: raw.get() }
    }

    /// A mistake here
    pub fn wrong(self, message: impl Into<String>) -> Wrong {
        Wrong::new(self.at(), &codes::SYNTAX, message)
    }

    /// Is it `null`?
    pub fn is_null(self) -> bool {
        self.text == "null"
    }

    /// The fields of an object
    pub fn fields(self, what: &str) -> Result<BTreeMap<String, Node<'a>>, Wrong> {
        let fields: BTreeMap<String, &RawValue> =
            serde_json::from_str(self.text).map_err(|_| self.wrong(format!("expected {what}: an object")))?;
        Ok(fields.into_iter().map(|(name, raw)| (name, self.part(raw))).collect())
    }

    /// The items of a list; none if it is `null`
    pub fn items(self, what: &str) -> Result<Vec<Node<'a>>, Wrong> {
        if self.is_null() {
            return Ok(Vec::new());
        }
        let items: Vec<&RawValue> =
            serde_json::from_str(self.text).map_err(|_| self.wrong(format!("expected {what}: a list")))?;
        Ok(items.into_iter().map(|raw| self.part(raw)).collect())
    }

    /// A text
    pub fn string(self, what: &str) -> Result<String, Wrong> {
        serde_json::from_str(self.text).map_err(|_| self.wrong(format!("expected {what}: a text")))
    }

    /// A whole number
    pub fn whole_number(self) -> Option<i64> {
        serde_json::from_str(self.text).ok()
    }

    /// A number; booleans are 0 and 1, and the words of infinities are known
    pub fn number(self) -> Option<f64> {
        if let Ok(flag) = serde_json::from_str::<bool>(self.text) {
            return Some(f64::from(u8::from(flag)));
        }
        let word: Option<String> = serde_json::from_str(self.text).ok();
        match word {
            Some(word) => word.parse().ok(),
            None => serde_json::from_str(self.text).ok(),
        }
    }

    /// A boolean
    pub fn flag(self) -> Option<bool> {
        serde_json::from_str(self.text).ok()
    }
}
