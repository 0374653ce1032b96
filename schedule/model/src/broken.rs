//! Why a schedule is not applied: the rule that it breaks, and a text that names what would do.

use std::fmt;

terrace_support::words! {
    /// Rules of schedules
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Rule {
        /// Entries are as many as the computation has
        Arity = "S-ARITY",
        /// How contributions meet
        Atomic = "S-ATOMIC",
        /// Axes of layers
        Axis = "S-AXIS",
        /// Names of buffers
        Buf = "S-BUF",
        /// Sizes divide, or say what happens
        Div = "S-DIV",
        /// A list has something to choose from
        Empty = "S-EMPTY",
        /// Tiles end at 1
        End = "S-END",
        /// Step 0 has the extents
        Extent = "S-EXTENT",
        /// Numbers of sequential loops
        For = "S-FOR",
        /// Tiles do not grow
        Grow = "S-GROW",
        /// Fields are decided
        Hole = "S-HOLE",
        /// Labels are each used once
        Label = "S-LABEL",
        /// Layers that a device has
        Layer = "S-LAYER",
        /// Storage orders
        Layout = "S-LAYOUT",
        /// Which loops stand in which
        Nest = "S-NEST",
        /// Prefixes run in order
        Order = "S-ORDER",
        /// Where reduced values meet
        Reduce = "S-REDUCE",
        /// Where buffers are
        Region = "S-REGION",
        /// Places that only values name
        Scatter = "S-SCATTER",
        /// Folds in the order of the source
        Source = "S-SOURCE",
        /// Results whose tiles below the diagonal are copies
        Symmetric = "S-SYMMETRIC",
        /// The text of schedules
        Syntax = "S-SYNTAX",
        /// Lanes
        Vec = "S-VEC",
        /// Words of buffers
        Word = "S-WORD",
    }
}

impl Rule {
    /// It is broken, for this reason
    pub fn broken(self, why: impl Into<String>) -> Broken {
        Broken { rule: Some(self), why: why.into() }
    }

    /// Tiles of a result that overshoot along a dimension (from 0) would be written over others
    pub fn tile_overshoots(dim: usize) -> Broken {
        let why = "that overshoot would write into the rest of the result; use `~peel`";
        Rule::Div.broken(format!("tiles of dimension {} {why}", dim + 1))
    }

    /// Whole tiles of a dimension (from 0) would be written over others
    pub fn pad_overshoots(dim: usize) -> Broken {
        let why = "what overshoots would be written into the rest of the result; use `~peel`";
        Rule::Div.broken(format!("`~pad` of dimension {}: {why}", dim + 1))
    }
}

/// Why a schedule is not applied to a computation
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The rule; none where the computation has a form that no schedule is applied to yet
    pub rule: Option<Rule>,
    why: String,
}

impl Broken {
    /// The computation has a form that no schedule is applied to yet
    pub fn unsupported(why: impl Into<String>) -> Broken {
        Broken { rule: None, why: why.into() }
    }

    /// The same, with where it is stated
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> Broken {
        Broken { why: format!("{} ({place})", self.why), ..self }
    }
}

impl From<&'static str> for Broken {
    fn from(why: &'static str) -> Broken {
        Broken::unsupported(why)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            Some(rule) => write!(f, "{rule}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl std::error::Error for Broken {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_in_order() {
        assert!(Rule::WORDS.is_sorted());
        assert!(Rule::WORDS.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn texts_have_the_code_in_front_and_the_place_behind() {
        assert_eq!(Rule::Div.broken("3 of 8").at("step 2").to_string(), "S-DIV: 3 of 8 (step 2)");
        assert_eq!(Broken::unsupported("a tuple").to_string(), "a tuple");
    }
}
