//! Why a schedule is not applied: the rule that it breaks, and a text that names what would do.

use std::fmt;

/// Rules of schedules
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Entries are as many as the computation has
    Arity,
    /// How contributions meet
    Atomic,
    /// Axes of layers
    Axis,
    /// Names of buffers
    Buf,
    /// Sizes divide, or say what happens
    Div,
    /// A list has something to choose from
    Empty,
    /// Tiles end at 1
    End,
    /// Step 0 has the extents
    Extent,
    /// Numbers of sequential loops
    For,
    /// Tiles do not grow
    Grow,
    /// Fields are decided
    Hole,
    /// Labels are each used once
    Label,
    /// Layers that a device has
    Layer,
    /// Storage orders
    Layout,
    /// Which loops stand in which
    Nest,
    /// Prefixes run in order
    Order,
    /// Where reduced values meet
    Reduce,
    /// Where buffers are
    Region,
    /// Places that only values name
    Scatter,
    /// Folds in the order of the source
    Source,
    /// The text of schedules
    Syntax,
    /// Lanes
    Vec,
    /// Words of buffers
    Word,
}

impl Rule {
    /// Codes
    pub const CODES: &'static [(Rule, &'static str)] = &[
        (Rule::Arity, "S-ARITY"),
        (Rule::Atomic, "S-ATOMIC"),
        (Rule::Axis, "S-AXIS"),
        (Rule::Buf, "S-BUF"),
        (Rule::Div, "S-DIV"),
        (Rule::Empty, "S-EMPTY"),
        (Rule::End, "S-END"),
        (Rule::Extent, "S-EXTENT"),
        (Rule::For, "S-FOR"),
        (Rule::Grow, "S-GROW"),
        (Rule::Hole, "S-HOLE"),
        (Rule::Label, "S-LABEL"),
        (Rule::Layer, "S-LAYER"),
        (Rule::Layout, "S-LAYOUT"),
        (Rule::Nest, "S-NEST"),
        (Rule::Order, "S-ORDER"),
        (Rule::Reduce, "S-REDUCE"),
        (Rule::Region, "S-REGION"),
        (Rule::Scatter, "S-SCATTER"),
        (Rule::Source, "S-SOURCE"),
        (Rule::Syntax, "S-SYNTAX"),
        (Rule::Vec, "S-VEC"),
        (Rule::Word, "S-WORD"),
    ];

    /// The code in messages
    pub fn code(self) -> &'static str {
        Rule::CODES.iter().find(|(rule, _)| *rule == self).map_or("", |(_, code)| code)
    }

    /// It is broken, for this reason
    pub fn broken(self, why: impl Into<String>) -> Broken {
        Broken { rule: Some(self), why: why.into() }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
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
        assert!(Rule::CODES.is_sorted_by_key(|(_, code)| code));
        assert!(Rule::CODES.iter().all(|(rule, code)| rule.code() == *code));
    }

    #[test]
    fn texts_have_the_code_in_front_and_the_place_behind() {
        assert_eq!(Rule::Div.broken("3 of 8").at("step 2").to_string(), "S-DIV: 3 of 8 (step 2)");
        assert_eq!(Broken::unsupported("a tuple").to_string(), "a tuple");
    }
}
