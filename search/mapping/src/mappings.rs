//! Sets of mappings: the solver's solutions with levels for its numbers.

use crate::codes;
use crate::levels::{MapLevel, Mapping};
use num_bigint::BigUint;
use terrace_search_solver::{Model, Random, Space, Sums, Uncounted};

/// All mappings that satisfy something, in the order of Table 2
#[derive(Clone, Debug)]
pub struct Mappings(Space);

impl Mappings {
    /// Those that satisfy a model
    pub fn new(model: &Model) -> Result<Mappings, Uncounted> {
        Space::new(model).map(Mappings)
    }

    /// Those that satisfy what a diagram knows of a model, and the constraints that are left
    pub fn without_joint(model: &Model) -> Result<(Mappings, Vec<usize>), Uncounted> {
        Space::without_joint(model).map(|(space, joint)| (Mappings(space), joint))
    }

    /// Those whose branches add up to what fits
    pub fn adding_up<S: Sums>(&self, sums: &S) -> Result<Mappings, Uncounted> {
        self.0.adding_up(sums).map(Mappings)
    }

    /// The solver's solutions, as numbers
    pub fn space(&self) -> &Space {
        &self.0
    }

    /// How many there are
    pub fn count(&self) -> &BigUint {
        self.0.count()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.count().bits() == 0
    }

    /// The one with a number
    pub fn nth(&self, n: &BigUint) -> Option<Mapping> {
        self.0.nth(n).map(|all| codes::solution(&all))
    }

    /// The number of one; `None` if it is none of them
    pub fn rank(&self, mapping: &[MapLevel]) -> Option<BigUint> {
        self.0.rank(&codes::numbers(mapping))
    }

    /// One of them, each as likely as the others
    pub fn sample(&self, random: &mut Random) -> Option<Mapping> {
        self.0.sample(random).map(|all| codes::solution(&all))
    }

    /// What the next map may be in those that begin like this
    pub fn after(&self, begin: &[MapLevel]) -> Mapping {
        codes::solution(&self.0.after(&codes::numbers(begin)))
    }

    /// All of them
    pub fn iter(&self) -> impl Iterator<Item = Mapping> + '_ {
        self.0.solutions().map(|all| codes::solution(&all))
    }

    /// One that differs from a mapping in the fewest places, and in how many
    pub fn nearest(&self, mapping: &[MapLevel]) -> Option<(Mapping, usize)> {
        let (all, places) = self.0.nearest(&codes::numbers(mapping))?;
        Some((codes::solution(&all), places))
    }

    /// One with the least sum of costs; the first in order of those
    pub fn cheapest(&self, cost: &dyn Fn(usize, MapLevel) -> usize) -> Option<(Mapping, usize)> {
        let (all, sum) = self.0.cheapest(&|n, number| cost(n, codes::chosen(number)))?;
        Some((codes::solution(&all), sum))
    }
}
