//! Points of a space: what was chosen for each of its parameters.

use crate::decision::Decision;
use std::ops::Deref;

/// A choice for each parameter, in their order
///
/// A slice of one is a prefix: what was chosen for the first parameters. It becomes text where people or files read it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Point(Vec<Decision>);

impl Point {
    /// With one more choice
    pub fn push(&mut self, choice: Decision) {
        self.0.push(choice);
    }

    /// Only the first choices
    pub fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    /// `name=value` for each choice
    pub fn named(choices: &[Decision], names: &[String], between: &str) -> String {
        let all: Vec<String> = names.iter().zip(choices).map(|(name, one)| format!("{name}={one}")).collect();
        all.join(between)
    }
}

impl Deref for Point {
    type Target = [Decision];

    fn deref(&self) -> &[Decision] {
        &self.0
    }
}

impl From<Vec<Decision>> for Point {
    fn from(choices: Vec<Decision>) -> Point {
        Point(choices)
    }
}

impl From<&[Decision]> for Point {
    fn from(choices: &[Decision]) -> Point {
        Point(choices.to_vec())
    }
}

impl FromIterator<Decision> for Point {
    fn from_iter<T: IntoIterator<Item = Decision>>(choices: T) -> Point {
        Point(choices.into_iter().collect())
    }
}

impl Extend<Decision> for Point {
    fn extend<T: IntoIterator<Item = Decision>>(&mut self, choices: T) {
        self.0.extend(choices);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_shown_by_name() {
        let names = ["t", "m.a", "b"].map(String::from);
        let mut point = Point::from_iter([Decision::Number(8), Decision::Merged]);
        point.push(Decision::There(false));
        assert_eq!(Point::named(&point, &names, ", "), "t=8, m.a=fused, b=0");
        point.truncate(1);
        assert_eq!(*point, [Decision::Number(8)]);
    }
}
