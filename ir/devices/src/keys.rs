//! Keys of a device's file and of its tables; a mistake has its place.

use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A mistake and where it is
pub(crate) struct Mistake {
    pub(crate) at: Range<usize>,
    pub(crate) what: String,
}

pub(crate) type Read<T> = Result<T, Mistake>;

pub(crate) fn mistake<T>(at: Range<usize>, what: impl Into<String>) -> Read<T> {
    Err(Mistake { at, what: what.into() })
}

/// A table that must hold known keys only
pub(crate) struct Keys<'a, 'i> {
    table: &'a DeTable<'i>,
    at: Range<usize>,
}

impl<'a, 'i> Keys<'a, 'i> {
    pub(crate) fn new(table: &'a DeTable<'i>, at: Range<usize>, known: &[&str]) -> Read<Keys<'a, 'i>> {
        for key in table.keys() {
            if !known.contains(&&**key.get_ref()) {
                let all = known.join(", ");
                return mistake(key.span(), format!("`{}` is not known; there are {all}", key.get_ref()));
            }
        }
        Ok(Keys { table, at })
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'i>>> {
        self.table.get(key)
    }

    /// Where a key stands
    pub(crate) fn place(&self, key: &str) -> Option<Range<usize>> {
        self.table.get_key_value(key).map(|(key, _)| key.span())
    }

    pub(crate) fn int(&self, key: &str, default: Option<i64>, least: i64) -> Read<i64> {
        match (self.get(key), default) {
            (Some(value), _) => int(value, key, least),
            (None, Some(default)) => Ok(default),
            (None, None) => mistake(self.at.clone(), format!("`{key}` is missing")),
        }
    }

    /// `true` or `false`, the latter where the key is absent
    pub(crate) fn flag(&self, key: &str) -> Read<bool> {
        let Some(value) = self.get(key) else { return Ok(false) };
        let flag = value.get_ref().as_bool();
        flag.map_or_else(|| mistake(value.span(), format!("`{key}` is true or false")), Ok)
    }

    pub(crate) fn text(&self, key: &str) -> Read<Option<(&'a str, Range<usize>)>> {
        match self.get(key) {
            None => Ok(None),
            Some(value) => match value.get_ref().as_str() {
                Some(text) => Ok(Some((text, value.span()))),
                None => mistake(value.span(), format!("`{key}` is a text in quotes")),
            },
        }
    }

    pub(crate) fn list(&self, key: &str) -> Read<Vec<&'a Spanned<DeValue<'i>>>> {
        match self.get(key) {
            None => Ok(Vec::new()),
            Some(value) => match value.get_ref().as_array() {
                Some(all) => Ok(all.iter().collect()),
                None => mistake(value.span(), format!("`{key}` is a list in brackets")),
            },
        }
    }

    pub(crate) fn words(&self, key: &str, known: &[&str]) -> Read<Vec<String>> {
        let mut out: Vec<String> = Vec::new();
        for value in self.list(key)? {
            match value.get_ref().as_str() {
                Some(word) if !known.contains(&word) => {
                    return mistake(value.span(), format!("`{word}` is not one of {}", known.join(", ")));
                }
                Some(word) if out.iter().any(|other| other == word) => {
                    return mistake(value.span(), format!("`{word}` stands twice"));
                }
                Some(word) => out.push(word.to_string()),
                None => return mistake(value.span(), format!("`{key}` holds words in quotes")),
            }
        }
        Ok(out)
    }
}

pub(crate) fn int(value: &Spanned<DeValue<'_>>, key: &str, least: i64) -> Read<i64> {
    let number = value.get_ref().as_integer().and_then(|n| i64::from_str_radix(n.as_str(), n.radix()).ok());
    match number {
        Some(n) if n >= least => Ok(n),
        _ => mistake(value.span(), format!("`{key}` is no number ≥ {least}")),
    }
}
