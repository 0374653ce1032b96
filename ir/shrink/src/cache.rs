//! Verdicts by the text of a program, independent of the names of values.

use crate::Verdict;
use std::collections::BTreeMap;
use terrace_ir::Ir;
use terrace_support::hash_one;
use terrace_text::PrintOptions;

/// Two independent hashes of a module's generic text with numbered values
type Key = (u64, u64);

/// Verdicts that are known; their text has only those that do not depend on time
#[derive(Clone, Default, Debug)]
pub struct Cache {
    known: BTreeMap<Key, Verdict>,
}

impl Cache {
    /// Read what [`Cache::to_text`] wrote; lines of another form are left out
    pub fn from_text(text: &str) -> Cache {
        let line = |line: &str| {
            let (key, verdict) = line.split_once(' ')?;
            let high = u64::from_str_radix(key.get(..16)?, 16).ok()?;
            let low = u64::from_str_radix(key.get(16..)?, 16).ok()?;
            let verdict = match verdict {
                "interesting" => Verdict::Interesting,
                "no" => Verdict::Uninteresting,
                _ => return None,
            };
            Some(((high, low), verdict))
        };
        Cache { known: text.lines().filter_map(line).collect() }
    }

    /// A line for each verdict
    pub fn to_text(&self) -> String {
        let line = |(key, verdict): (&Key, &Verdict)| {
            let word = match verdict {
                Verdict::Interesting => "interesting",
                Verdict::Uninteresting => "no",
                Verdict::Unknown | Verdict::Stop => return None,
            };
            Some(format!("{:016x}{:016x} {word}\n", key.0, key.1))
        };
        self.known.iter().filter_map(line).collect()
    }

    pub(crate) fn key(module: &Ir) -> Key {
        let mut text = String::new();
        let options = PrintOptions { generic: true, names: false, ..PrintOptions::default() };
        terrace_text::print(module, &options, &mut text);
        (hash_one(&text), hash_one(&(text.len(), "again", &text)))
    }

    pub(crate) fn get(&self, key: Key) -> Option<Verdict> {
        self.known.get(&key).copied()
    }

    pub(crate) fn put(&mut self, key: Key, verdict: Verdict) {
        self.known.insert(key, verdict);
    }
}
