//! Why a choice for all open fields is none.

use std::collections::BTreeMap;
use std::fmt;
use terrace_search_explore::log::Refused;

/// A whole schedule is refused
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The rule, as messages have it; `other` where none is named
    pub rule: String,
    /// The message
    pub why: String,
}

impl Refusal {
    /// Of a message in which the name of the rule stands somewhere: `'mdh.compute' op S-DIV: 7 does not …`
    pub fn of(why: impl Into<String>) -> Refusal {
        let why = why.into();
        let is_rule = |word: &&str| word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
        let rule = why.split_whitespace().filter_map(|word| word.strip_suffix(':')).find(is_rule);
        Refusal { rule: rule.unwrap_or("other").to_owned(), why }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refusal {}

/// How often each rule refused something, and the first of its messages
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Refusals(BTreeMap<String, (usize, String)>);

impl Refusals {
    /// One more
    pub fn add(&mut self, refusal: &Refusal) {
        self.add_many(refusal, 1);
    }

    /// So many more
    pub fn add_many(&mut self, refusal: &Refusal, more: usize) {
        let first = || (0, refusal.why.clone());
        self.0.entry(refusal.rule.clone()).or_insert_with(first).0 += more;
    }

    /// All of another count
    pub fn add_all(&mut self, other: &Refusals) {
        for (rule, (count, why)) in &other.0 {
            self.add_many(&Refusal { rule: rule.clone(), why: why.clone() }, *count);
        }
    }

    /// How often a rule refused
    pub fn count(&self, rule: &str) -> usize {
        self.0.get(rule).map_or(0, |(count, _)| *count)
    }

    /// How often all rules did
    pub fn total(&self) -> usize {
        self.0.values().map(|(count, _)| count).sum()
    }

    /// As a log has them, by rule
    pub fn list(&self) -> Vec<Refused> {
        let one = |(rule, (count, example)): (&String, &(usize, String))| Refused {
            rule: rule.clone(),
            count: *count,
            example: example.clone(),
        };
        self.0.iter().map(one).collect()
    }
}

impl fmt::Display for Refusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (rule, (count, _))) in self.0.iter().enumerate() {
            write!(f, "{}{rule} {count}", if n == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_counted_by_its_rule() {
        for (why, rule) in [
            ("S-HOLE: size `?` is open", "S-HOLE"),
            ("step 1: S-AXIS: there is no axis", "S-AXIS"),
            ("'sched.for' op HW: 2048 threads", "HW"),
            ("no rule: at all", "other"),
        ] {
            assert_eq!(Refusal::of(why).rule, rule);
        }
    }
    #[test]
    fn the_first_message_of_a_rule_is_its_example() {
        let mut all = Refusals::default();
        for why in ["S-DIV: 7 of 8", "S-CAP: too many", "S-DIV: 5 of 8"] {
            all.add(&Refusal::of(why));
        }
        assert_eq!((all.count("S-DIV"), all.count("S-AXIS"), all.total()), (2, 0, 3));
        assert_eq!(all.to_string(), "S-CAP 1, S-DIV 2");
        let examples: Vec<String> = all.list().into_iter().map(|one| one.example).collect();
        assert_eq!(examples, ["S-CAP: too many", "S-DIV: 7 of 8"]);
    }
}
