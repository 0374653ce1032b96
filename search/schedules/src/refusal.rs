//! Why a choice for all open fields is none.

use std::collections::BTreeMap;
use std::fmt;

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

/// How many whole schedules each rule refused
pub type Refusals = BTreeMap<String, usize>;

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
}
