//! Runs that stop after an application of a given number.
//!
//! Each change of a pass that counts ([`Pass::is_counted`](crate::Pass::is_counted)) has a number in its unit; a pass that
//! does not count is one application on each unit it runs on. Passes have numbers too, from 1, in the order of the
//! pipeline's text.

use std::fmt;
use std::str::FromStr;
use terrace_ir::steps::Application;

/// How many applications a run may make
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RewriteLimit {
    /// So many, over all passes and units, on one thread; nothing runs after the last
    Total(u64),
    /// So many of one pass in one unit; the pass runs on other units in full, and no pass runs after it
    Unit {
        /// Number of the pass, from 1
        pass: usize,
        /// Name of the unit with all names around it, `@kernels::@f`; `module` for the root
        unit: String,
        /// How many
        count: u64,
    },
}

impl RewriteLimit {
    /// How many may be made in one unit by one pass, where the run has made `so_far`; `None` if the pass does not run there
    pub(crate) fn of(&self, pass: usize, unit: &str, so_far: u64) -> Option<u64> {
        let left = match self {
            RewriteLimit::Total(total) => total.saturating_sub(so_far),
            RewriteLimit::Unit { pass: last, .. } if pass > *last => 0,
            RewriteLimit::Unit { pass: last, unit: only, count } if pass == *last && unit == only => *count,
            RewriteLimit::Unit { .. } => u64::MAX,
        };
        (left > 0).then_some(left)
    }

    /// Does it name this pass and unit?
    pub(crate) fn names(&self, pass: usize, unit: &str) -> bool {
        matches!(self, RewriteLimit::Unit { pass: last, unit: only, .. } if *last == pass && only == unit)
    }
}

/// A text that is no limit
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoLimit;

impl fmt::Display for NoLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a number of applications, such as `40`, or PASS:UNIT:NUMBER, such as `3:@f:17`")
    }
}

impl std::error::Error for NoLimit {}

impl FromStr for RewriteLimit {
    type Err = NoLimit;

    fn from_str(text: &str) -> Result<RewriteLimit, NoLimit> {
        if let Ok(total) = text.parse() {
            return Ok(RewriteLimit::Total(total));
        }
        // Names of nested units have colons too.
        let (pass, rest) = text.split_once(':').ok_or(NoLimit)?;
        let (unit, count) = rest.rsplit_once(':').ok_or(NoLimit)?;
        let pass = pass.parse().ok().filter(|pass| *pass > 0).ok_or(NoLimit)?;
        if unit != "module" && !unit.starts_with('@') {
            return Err(NoLimit);
        }
        Ok(RewriteLimit::Unit { pass, unit: unit.into(), count: count.parse().map_err(|_| NoLimit)? })
    }
}

impl fmt::Display for RewriteLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RewriteLimit::Total(total) => write!(f, "{total}"),
            RewriteLimit::Unit { pass, unit, count } => write!(f, "{pass}:{unit}:{count}"),
        }
    }
}

/// The applications of one pass in one unit
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Number of the pass, from 1
    pub pass: usize,
    /// Its name
    pub name: &'static str,
    /// Name of the unit, as in a [`RewriteLimit`]
    pub unit: String,
    /// How many
    pub count: u64,
    /// The last one
    pub last: Option<Application>,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.pass, self.unit, self.count)?;
        match self.last {
            Some(last) => write!(f, " `{}` on '{}' in `{}`", last.what, last.op, self.name),
            None => write!(f, " in `{}`", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_come_back_from_their_text() {
        for text in ["0", "17", "3:@f:17", "1:@kernels::@f:0", "2:module:1"] {
            assert_eq!(text.parse::<RewriteLimit>().map(|limit| limit.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "-1", "f", "0:@f:1", "1:f:1", "1:@f", "1:@f:x", "@f:1"] {
            assert_eq!(text.parse::<RewriteLimit>(), Err(NoLimit), "{text}");
        }
    }

    #[test]
    fn passes_behind_the_last_do_not_run() {
        let limit = RewriteLimit::Unit { pass: 2, unit: "@f".into(), count: 3 };
        assert_eq!(limit.of(1, "@f", 9), Some(u64::MAX));
        assert_eq!(limit.of(2, "@f", 9), Some(3));
        assert_eq!(limit.of(2, "@g", 9), Some(u64::MAX));
        assert_eq!(limit.of(3, "@g", 9), None);
        assert_eq!(RewriteLimit::Total(4).of(7, "@f", 3), Some(1));
        assert_eq!(RewriteLimit::Total(4).of(7, "@f", 4), None);
    }
}
