//! What a diagram of solutions can hold, and why the solutions of a model are not counted.

use std::fmt;

/// Most values of a variable of a tree
pub(crate) const MOST_VALUES: usize = 64;

/// Most uses that states of one variable tell apart
pub(crate) const MOST_SLOTS: usize = 64;

/// What a diagram of solutions cannot hold
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Uncounted {
    /// A variable with too many values
    Values {
        /// Its name
        name: String,
        /// How many
        values: usize,
    },
    /// Constraints that join several branches
    Joint(usize),
    /// Statements that wait for too many uses at a variable
    Uses {
        /// Its name
        name: String,
        /// How many
        uses: usize,
    },
    /// Branches with too many different sums
    Sums {
        /// States so far
        states: usize,
        /// After this many variables
        done: usize,
        /// Of all
        variables: usize,
    },
}

impl fmt::Display for Uncounted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uncounted::Values { name, values } => {
                write!(f, "{name} has {values} values, and at most {MOST_VALUES} can be counted")
            }
            Uncounted::Joint(count) => write!(f, "{count} constraints join several branches"),
            Uncounted::Uses { name, uses } => write!(
                f,
                "statements wait for {uses} uses at {name}, and at most {MOST_SLOTS} can be distinguished"
            ),
            Uncounted::Sums { states, done, variables } => write!(
                f,
                "branches add up in too many ways to be distinguished ({states} states at {done} of {variables} variables)"
            ),
        }
    }
}

impl std::error::Error for Uncounted {}
