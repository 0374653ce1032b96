//! Teams: members that run at the same time in meaning, one after the other in fact.
//!
//! An op makes a team in one of two ways:
//!
//! - **In sequence**: [`Machine::open_team`], then [`Machine::next_member`] until it gives nothing, running one region per
//!   member with `Step::Enter`. Members cannot wait for each other. Blocks of a grid are this; so are parallel loops, by
//!   [`Machine::open_points`] and [`Machine::next_point`].
//! - **Forked**: `Step::Fork(spec)`. Each member starts with [`Interpret::member`], has a stack of its own above the op
//!   that forked and its own values for what the op's regions define, and may wait for others with `Step::Sync`. When all
//!   have ended, the op is resumed, and [`Machine::contributions`] has what each member gave. Threads of a block are this.
//!
//! [`Sync`] is the only way to wait, and gives each of those that waited the values of all ([`Machine::exchange`]): a
//! barrier brings no values, a shuffle one each. Nested teams wait together: `Sync` at a level waits for every team
//! around the op whose level is not above it. An op that runs something *once* for all (a collective) waits, lets the
//! member whose [`Exchange::me`] is 0 do it, and waits again.
//!
//! Memory that one member owns comes from [`Machine::alloc_for_member`]: used by others it traps, and it ends with the
//! member. What all inside of a member find ([`Machine::set_shared`]) is in their [`TeamMember`](crate::Place).
//!
//! ```text
//! // An op that runs its region by `n` threads, with barriers in it:
//! impl Interpret for Threads {
//!     fn interpret(self, m: &mut Machine<'_>) -> Step {
//!         Step::Fork(TeamSpec::new(Level::Block, "thread", vec![self.count(m)]))
//!     }
//!     fn member(self, m: &mut Machine<'_>) -> Step {
//!         let thread = m.place(Level::Block).map_or(0, |place| place.member);
//!         Step::Enter { region: self.body(m.ir()), args: vec![RtValue::index(thread as i64)] }
//!     }
//!     // `resume` runs when all have ended.
//! }
//! ```
//!
//! Two members race when they use one element in the same epoch, at least one of them writes, and not both use it
//! atomically. Epochs end where the whole team waits with `fence`.
//!
//! [`Machine::open_team`]: crate::Machine::open_team
//! [`Machine::open_points`]: crate::Machine::open_points
//! [`Machine::next_point`]: crate::Machine::next_point
//! [`Machine::alloc_for_member`]: crate::Machine::alloc_for_member
//! [`Machine::set_shared`]: crate::Machine::set_shared
//! [`Machine::next_member`]: crate::Machine::next_member
//! [`Machine::contributions`]: crate::Machine::contributions
//! [`Machine::exchange`]: crate::Machine::exchange
//! [`Interpret::member`]: crate::Interpret::member

use crate::value::RtValue;
use std::sync::Arc;
use terrace_support::gcd;

/// What the members of a team are part of, from narrow to wide
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Iterations of a loop: no member can wait across them
    Loop,
    /// Lanes of a subgroup
    Subgroup,
    /// Threads (or subgroups) of a block
    Block,
    /// Blocks of a cluster
    Cluster,
    /// Blocks (or clusters) of a grid
    Grid,
}

/// A team to be made
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamSpec {
    /// What the members are part of
    pub level: Level,
    /// What a member is called in messages: `thread`, `block`, `iteration`
    pub word: &'static str,
    /// How many there are in each dimension
    pub sizes: Vec<u64>,
    /// Members are numbered with the first dimension fastest (threads) rather than the last (loops)
    pub first_fastest: bool,
}

impl TeamSpec {
    /// A team numbered like loops, the last dimension fastest
    pub fn new(level: Level, word: &'static str, sizes: Vec<u64>) -> TeamSpec {
        TeamSpec { level, word, sizes, first_fastest: false }
    }

    /// A team numbered like threads, the first dimension fastest
    pub fn first_fastest(level: Level, word: &'static str, sizes: Vec<u64>) -> TeamSpec {
        TeamSpec { level, word, sizes, first_fastest: true }
    }

    /// Number of members; `None` if it does not fit
    pub fn count(&self) -> Option<u64> {
        if self.sizes.contains(&0) {
            return Some(0);
        }
        self.sizes.iter().try_fold(1u64, |all, size| all.checked_mul(*size))
    }

    /// Where a member is in each dimension
    pub fn coordinates(&self, member: u64) -> Vec<u64> {
        let mut rest = member;
        let mut all = vec![0; self.sizes.len()];
        let mut digit = |n: usize| {
            let size = self.sizes[n].max(1);
            all[n] = rest % size;
            rest /= size;
        };
        if self.first_fastest {
            (0..self.sizes.len()).for_each(&mut digit);
        } else {
            (0..self.sizes.len()).rev().for_each(&mut digit);
        }
        all
    }

    /// `thread (1, 0, 0)`
    pub fn text(&self, member: u64) -> String {
        let all: Vec<String> = self.coordinates(member).iter().map(u64::to_string).collect();
        format!("{} ({})", self.word, all.join(", "))
    }
}

/// Waiting for others
#[derive(Clone, Debug)]
pub struct Sync {
    /// Wait for all members of the teams around the op up to this level
    pub level: Level,
    /// Wait for a run of so many neighbours of the innermost team only (a subgroup)
    pub chunk: Option<u64>,
    /// Of these only so many, the first ones, wait for each other; the others need not come
    pub among: Option<u64>,
    /// What to show to the others
    pub values: Vec<RtValue>,
    /// What was written before is seen by all after
    pub fence: bool,
}

impl Sync {
    /// Wait until all have come; what they wrote is seen by all
    pub fn barrier(level: Level) -> Sync {
        Sync { level, chunk: None, among: None, values: Vec::new(), fence: true }
    }

    /// Show values to the other members; orders no memory
    pub fn exchange(level: Level, values: Vec<RtValue>) -> Sync {
        Sync { level, chunk: None, among: None, values, fence: false }
    }

    /// Show values to the neighbours
    pub fn exchange_within(chunk: u64, values: Vec<RtValue>) -> Sync {
        Sync { level: Level::Block, chunk: Some(chunk.max(1)), among: None, values, fence: false }
    }

    /// The same among the first ones of the neighbours
    pub fn exchange_among(chunk: u64, first: u64, values: Vec<RtValue>) -> Sync {
        Sync { among: Some(first.max(1)), ..Sync::exchange_within(chunk, values) }
    }
}

/// What those that waited showed to each other
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Values of each, in order of the members
    pub all: Arc<[Vec<RtValue>]>,
    /// Number of the current member among them
    pub me: usize,
}

/// In which order members run between two points where they wait
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they are numbered
    #[default]
    Forward,
    /// The last one first
    Reverse,
    /// In an order that the number chooses
    Seed(u64),
}

/// A text that is no [`Order`]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoOrder;

impl std::fmt::Display for NoOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("expected `forward`, `reverse` or a number")
    }
}

impl std::error::Error for NoOrder {}

impl std::str::FromStr for Order {
    type Err = NoOrder;

    fn from_str(text: &str) -> Result<Order, NoOrder> {
        match text {
            "forward" => Ok(Order::Forward),
            "reverse" => Ok(Order::Reverse),
            seed => seed.parse().map(Order::Seed).map_err(|_| NoOrder),
        }
    }
}

/// An order for a number of members: an affine map modulo their count
#[derive(Clone, Copy, Debug)]
pub(crate) struct Permutation {
    count: u64,
    factor: u64,
    offset: u64,
}

impl Permutation {
    pub(crate) fn new(order: Order, count: u64) -> Permutation {
        let (factor, offset) = match order {
            _ if count < 2 => (1, 0),
            Order::Forward => (1, 0),
            Order::Reverse => (count - 1, count - 1),
            Order::Seed(seed) => {
                // Fibonacci hashing spreads small seeds; the factor must have no divisor in common with the count.
                let hash = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let mut factor = 1 + hash % (count - 1);
                while gcd(factor, count) != 1 {
                    factor -= 1;
                }
                (factor, (hash >> 7) % count)
            }
        };
        Permutation { count, factor, offset }
    }

    /// Who runs as the n-th
    pub(crate) fn at(self, n: u64) -> u64 {
        if self.factor == 1 && self.offset == 0 {
            return n;
        }
        let place = u128::from(n) * u128::from(self.factor) + u128::from(self.offset);
        (place % u128::from(self.count.max(1))) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_runs_each_member_once() {
        for order in [Order::Forward, Order::Reverse, Order::Seed(0), Order::Seed(7)] {
            for count in [0, 1, 2, 12, 33, 1024] {
                let order = Permutation::new(order, count);
                let mut all: Vec<u64> = (0..count).map(|n| order.at(n)).collect();
                all.sort_unstable();
                assert_eq!(all, (0..count).collect::<Vec<_>>());
            }
        }
        assert_eq!(Permutation::new(Order::Reverse, 3).at(0), 2);
    }

    #[test]
    fn threads_count_the_first_dimension_first() {
        let threads = TeamSpec::first_fastest(Level::Block, "thread", vec![4, 2, 1]);
        assert_eq!(threads.coordinates(5), [1, 1, 0]);
        assert_eq!(threads.text(5), "thread (1, 1, 0)");
        let points = TeamSpec::new(Level::Loop, "iteration", vec![4, 2]);
        assert_eq!(points.coordinates(5), [2, 1]);
        assert_eq!(points.count(), Some(8));
    }
}
