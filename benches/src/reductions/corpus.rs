//! The corpus of reductions: one operator, one type, extents, and the axes that are reduced.
//!
//! `benches/reductions.toml` lists it. The benchmark and the tests of other crates read it through this module, which knows no
//! crate of the project.

use std::fmt;

/// The table
const TABLE: &str = include_str!("../../reductions.toml");

/// Names of coordinates
const COORDINATES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// One reduction
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// `sum` or `max`, as tensor text names it
    pub operator: String,
    /// The element type, as MLIR spells it
    pub elem: String,
    /// Extents
    pub shape: Vec<u64>,
    /// Numbers of the axes that are reduced
    pub axes: Vec<usize>,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |numbers: Vec<String>, between: &str| numbers.join(between);
        let extents = words(self.shape.iter().map(u64::to_string).collect(), "x");
        let axes = words(self.axes.iter().map(usize::to_string).collect(), ",");
        write!(f, "{} {} {extents}@{axes}", self.operator, self.elem)
    }
}

impl Entry {
    /// Of an entry such as `8x4x27x27@0,2,3`
    pub fn read(operator: &str, elem: &str, text: &str) -> Option<Entry> {
        let (extents, axes) = text.split_once('@')?;
        let shape: Vec<u64> = extents.split('x').map(str::parse).collect::<Result<_, _>>().ok()?;
        let axis = |word: &str| {
            let number: i64 = word.parse().ok()?;
            let number = if number < 0 { number + shape.len() as i64 } else { number };
            usize::try_from(number).ok().filter(|axis| *axis < shape.len())
        };
        let axes = match axes {
            "all" => (0..shape.len()).collect(),
            some => some.split(',').map(axis).collect::<Option<_>>()?,
        };
        (shape.len() <= COORDINATES.len()).then(|| Entry {
            operator: operator.to_owned(),
            elem: elem.to_owned(),
            shape,
            axes,
        })
    }

    /// The program in tensor text: `X` is reduced to `y`
    pub fn text(&self) -> String {
        let extents: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        let all = &COORDINATES[..self.shape.len()];
        let names = |reduced: bool| {
            let wanted = |n: &usize| self.axes.contains(n) == reduced;
            (0..all.len()).filter(wanted).map(|n| all[n]).collect::<Vec<&str>>().join(", ")
        };
        let (kept, reduced) = (names(false), names(true));
        let result = if kept.is_empty() { "y".to_owned() } else { format!("y[{kept}]") };
        format!(
            "X : {} [{}];\n{result} = {}{{{reduced}}} X[{}];\n",
            self.elem,
            extents.join(", "),
            self.operator,
            all.join(", ")
        )
    }

    /// Extents of the result
    pub fn kept(&self) -> Vec<u64> {
        (0..self.shape.len()).filter(|n| !self.axes.contains(n)).map(|n| self.shape[n]).collect()
    }

    /// Number of elements
    pub fn elements(&self) -> u64 {
        self.shape.iter().product()
    }
}

/// All entries, in the order of the table; none where the table is malformed
pub fn all() -> Option<Vec<Entry>> {
    let table: toml::Table = TABLE.parse().ok()?;
    let mut all = Vec::new();
    for (operator, types) in &table {
        for (elem, list) in types.as_table()? {
            for text in list.get("entries")?.as_array()? {
                all.push(Entry::read(operator, elem, text.as_str()?)?);
            }
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_418() {
        let all = all().expect("the table is well formed");
        let distinct: std::collections::BTreeSet<&Entry> = all.iter().collect();
        assert_eq!(all.len(), 418);
        // `@all`, `@-1` and the same axes as numbers are entries of their own.
        assert!(distinct.len() > 410, "{}", distinct.len());
        assert!(all.iter().all(|entry| entry.elements() > 0 && !entry.axes.is_empty()));
    }

    #[test]
    fn axes_count_from_both_ends() {
        let entry = Entry::read("max", "f16", "2x3x5@-1").expect("an entry");
        assert_eq!(entry, Entry::read("max", "f16", "2x3x5@2").expect("an entry"));
        assert_eq!(entry.text(), "X : f16 [2, 3, 5];\ny[a, b] = max{c} X[a, b, c];\n");
        let whole = Entry::read("sum", "f32", "7x2@all").expect("an entry");
        assert_eq!(whole.text(), "X : f32 [7, 2];\ny = sum{a, b} X[a, b];\n");
        assert_eq!(Entry::read("sum", "f32", "7x2@2"), None);
        assert_eq!(Entry::read("sum", "f32", "7y2@0"), None);
    }
}
