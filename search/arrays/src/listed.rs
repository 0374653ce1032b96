//! Solutions of numbers, listed group by group.
//!
//! Groups share no constraint, so a point is any combination of solutions of the groups. A group's solutions stand in
//! lexicographic order of its choices: those that begin alike stand side by side, and what may follow is read off.

use num_bigint::BigUint;
use std::fmt;
use terrace_search_solver::{Numbers, Random, Search, Source, Var};

/// Most solutions of one group
pub const MOST: usize = 4_000_000;

/// A group with its solutions
#[derive(Clone, Debug)]
struct Group {
    order: Vec<Var>,
    /// Places in the order that are choices
    choices: Vec<usize>,
    points: Vec<Vec<i64>>,
}

/// All solutions
#[derive(Clone, Debug)]
pub struct Listed {
    groups: Vec<Group>,
    fixed: Vec<i64>,
}

/// Parameters that have too many solutions together to be listed
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooMany {
    /// Their names
    pub names: Vec<String>,
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} have more than {MOST} solutions together", self.names.join(" "))
    }
}

impl std::error::Error for TooMany {}

impl Listed {
    /// The solutions of these numbers
    pub fn of(numbers: &Numbers) -> Result<Listed, TooMany> {
        let search = Search::new(numbers, None);
        let mut groups = Vec::new();
        for (n, order) in search.groups().into_iter().enumerate() {
            let name = |var: &Var| format!("@{}", numbers.params[var.index()].name);
            let points =
                search.list(n, MOST).ok_or_else(|| TooMany { names: order.iter().map(name).collect() })?;
            let choice = |var: &Var| !matches!(numbers.params[var.index()].source, Source::Derived(_));
            let choices = (0..order.len()).filter(|place| choice(&order[*place])).collect();
            groups.push(Group { order: order.to_vec(), choices, points });
        }
        Ok(Listed { groups, fixed: search.fixed().to_vec() })
    }

    /// The parameters that are chosen, in order
    pub fn choices(&self) -> Vec<Var> {
        self.groups.iter().flat_map(|group| group.choices.iter().map(|place| group.order[*place])).collect()
    }

    /// How many solutions there are
    pub fn count(&self) -> BigUint {
        self.groups.iter().map(|group| BigUint::from(group.points.len())).product()
    }

    /// What the next choice may be in solutions that begin like this, ascending
    pub fn after(&self, begin: &[i64]) -> Vec<i64> {
        let mut begin = begin;
        for group in &self.groups {
            if begin.len() >= group.choices.len() {
                let (own, rest) = begin.split_at(group.choices.len());
                if group.with(own).is_empty() {
                    return Vec::new();
                }
                begin = rest;
                continue;
            }
            let place = group.choices[begin.len()];
            let mut values: Vec<i64> = group.with(begin).iter().map(|point| point[place]).collect();
            values.dedup();
            return values;
        }
        Vec::new()
    }

    /// Values of all parameters from those of the choices; `None` if it is no solution
    pub fn complete(&self, choices: &[i64]) -> Option<Vec<i64>> {
        let mut all = self.fixed.clone();
        let mut rest = choices;
        for group in &self.groups {
            let (own, next) = rest.split_at_checked(group.choices.len())?;
            let point = group.with(own).first()?;
            group.order.iter().zip(point).for_each(|(var, value)| all[var.index()] = *value);
            rest = next;
        }
        rest.is_empty().then_some(all)
    }

    /// Choices of a solution, each as likely as the others; `None` if there is none
    pub fn sample(&self, random: &mut Random) -> Option<Vec<i64>> {
        let mut choices = Vec::new();
        for group in &self.groups {
            let point = group.points.get(random.below(group.points.len() as u64) as usize)?;
            choices.extend(group.choices.iter().map(|place| point[*place]));
        }
        Some(choices)
    }

    /// Choices of the n-th of `of` solutions that are spread over all; the first is the first in order
    pub fn spread(&self, n: u64, of: u64) -> Option<Vec<i64>> {
        let total: BigUint = self.count();
        let mut rest = total * n / of.max(1);
        let mut parts = Vec::new();
        for group in self.groups.iter().rev() {
            let size = BigUint::from(group.points.len());
            if group.points.is_empty() {
                return None;
            }
            let at = usize::try_from(&rest % &size).ok()?;
            rest /= size;
            let point = group.points.get(at)?;
            parts.push(group.choices.iter().map(|place| point[*place]).collect::<Vec<_>>());
        }
        parts.reverse();
        Some(parts.concat())
    }
}

impl Group {
    /// The solutions whose choices begin like this
    fn with(&self, begin: &[i64]) -> &[Vec<i64>] {
        let compare = |point: &Vec<i64>| {
            let own = self.choices.iter().take(begin.len()).map(|place| point[*place]);
            own.cmp(begin.iter().copied())
        };
        let from = self.points.partition_point(|point| compare(point).is_lt());
        let to = self.points.partition_point(|point| compare(point).is_le());
        &self.points[from..to]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use terrace_search_solver::{Cmp, Formula, Term};

    /// Tiles of a row of 12, with what follows from them, and lanes of its own
    fn numbers() -> Numbers {
        let mut all = Numbers::default();
        let n = all.param("n", Source::Derived(Term::Int(12)));
        let tile = all.param("tile", Source::Range(2.into(), 6.into(), 1.into()));
        let half = all.param("half", Source::Derived(Term::from(tile).div(2)));
        all.param("part", Source::Divisors(Term::from(half)));
        all.param("lanes", Source::Values(vec![1, 2]));
        all.require(Formula::cmp(Cmp::Eq, Term::from(n).rem(tile), 0));
        all
    }

    fn walk(listed: &Listed) -> BTreeSet<Vec<i64>> {
        let (mut found, mut open) = (BTreeSet::new(), vec![Vec::new()]);
        while let Some(begin) = open.pop() {
            if begin.len() == listed.choices().len() {
                assert!(found.insert(begin));
                continue;
            }
            let values = listed.after(&begin);
            assert!(!values.is_empty(), "{begin:?} leads nowhere");
            open.extend(values.into_iter().map(|value| [begin.as_slice(), &[value]].concat()));
        }
        found
    }

    #[test]
    fn all_that_is_chosen_is_a_solution() {
        let numbers = numbers();
        let listed = Listed::of(&numbers).expect("few");
        // Tiles 2, 3, 4, 6 with halves 1, 1, 2, 3 of 1, 1, 2, 2 divisors.
        assert_eq!(listed.count(), BigUint::from(12u32));
        let found = walk(&listed);
        assert_eq!(found.len(), 12);
        for choices in &found {
            let all = listed.complete(choices).expect("a solution");
            assert!(numbers.holds(&all), "{all:?}");
        }
        assert_eq!(listed.complete(&[5, 1, 1]), None);
        assert!(listed.after(&[5]).is_empty());
    }

    #[test]
    fn draws_and_spread_points_reach_all() {
        let listed = Listed::of(&numbers()).expect("few");
        let mut random = Random::new(3);
        let drawn: BTreeSet<_> = (0..400).filter_map(|_| listed.sample(&mut random)).collect();
        let spread: BTreeSet<_> = (0..12).filter_map(|n| listed.spread(n, 12)).collect();
        assert_eq!((&drawn, &spread), (&walk(&listed), &walk(&listed)));
    }
}
