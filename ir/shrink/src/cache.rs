//! Verdicts by what a program is, whatever its values are called.

use std::collections::BTreeMap;
use terrace_ir::Ir;
use terrace_support::hash_one;
use terrace_text::PrintOptions;

/// Two independent hashes of a module's generic text with numbered values
type Key = (u64, u64);

/// Verdicts that are known
#[derive(Clone, Default, Debug)]
pub struct Cache {
    known: BTreeMap<Key, bool>,
}

impl Cache {
    /// Read what [`Cache::to_text`] wrote; lines of another form are left out
    pub fn from_text(text: &str) -> Cache {
        let line = |line: &str| {
            let (key, verdict) = line.split_once(' ')?;
            let high = u64::from_str_radix(key.get(..16)?, 16).ok()?;
            let low = u64::from_str_radix(key.get(16..)?, 16).ok()?;
            let verdict = match verdict {
                "interesting" => true,
                "no" => false,
                _ => return None,
            };
            Some(((high, low), verdict))
        };
        Cache { known: text.lines().filter_map(line).collect() }
    }

    /// A line for each verdict
    pub fn to_text(&self) -> String {
        let line = |(key, verdict): (&Key, &bool)| {
            format!("{:016x}{:016x} {}\n", key.0, key.1, if *verdict { "interesting" } else { "no" })
        };
        self.known.iter().map(line).collect()
    }

    pub(crate) fn key(module: &Ir) -> Key {
        let mut text = String::new();
        let options = PrintOptions { generic: true, names: false, ..PrintOptions::default() };
        terrace_text::print(module, &options, &mut text);
        (hash_one(&text), hash_one(&(text.len(), "again", &text)))
    }

    pub(crate) fn get(&self, key: Key) -> Option<bool> {
        self.known.get(&key).copied()
    }

    pub(crate) fn put(&mut self, key: Key, verdict: bool) {
        self.known.insert(key, verdict);
    }
}
