//! Directions from a point to its neighbours (paper: FlexTensor §4.2, "rearranging the schedule space").
//!
//! The tiles of one dimension are seen as factors of its extent. A direction (i, j, p) multiplies factor i by a prime p and divides
//! factor j by it, so that (j, i, p) leads back, and every factorization is reached. The paper gives neither a width of steps nor
//! a sign; this choice makes the relation symmetric. Other choices: a number takes the next or the previous one, a word any
//! other, two neighbours of an order change places. Neighbours differ in one coordinate; what a space does not hold is no
//! neighbour.

use crate::space::{Coordinate, Space};
use crate::walk::sample;
use terrace_schedule_model::{Decision, Point};
use terrace_support::Random;

/// A step along a coordinate
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// One factor grows by a prime, another one shrinks by it
    Factor {
        /// Which one grows
        up: usize,
        /// Which one shrinks
        down: usize,
        /// By what
        prime: i64,
    },
    /// The n-th and the next change places
    Swap(usize),
    /// The next larger number
    Next,
    /// The next smaller number
    Previous,
    /// So many values further, around the end of the list
    Other(usize),
}

/// A coordinate, and a step along it
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Direction {
    /// Which coordinate
    pub coordinate: usize,
    /// The step
    pub step: Step,
}

/// All directions of a space, in a fixed order
#[derive(Clone, Debug)]
pub struct Directions {
    coordinates: Vec<Coordinate>,
    all: Vec<Direction>,
    /// What each parameter was seen to be, in the order in which it was seen
    seen: Vec<Vec<Decision>>,
}

/// Points that are drawn to see what parameters may be
const SAMPLES: u64 = 16;

impl Directions {
    /// Of a space
    pub fn of(space: &dyn Space) -> Directions {
        let coordinates = space.coordinates();
        let seen = seen(space);
        let mut all = Vec::new();
        for (coordinate, what) in coordinates.iter().enumerate() {
            let mut add = |step| all.push(Direction { coordinate, step });
            match what {
                Coordinate::Factors { params, above, below } => {
                    let parts = params.len() + 1;
                    let pairs = (0..parts).flat_map(|up| (0..parts).map(move |down| (up, down)));
                    for (up, down) in pairs.filter(|(up, down)| up != down) {
                        primes(above / (*below).max(1))
                            .into_iter()
                            .for_each(|prime| add(Step::Factor { up, down, prime }));
                    }
                }
                Coordinate::Places(params) => (1..params.len()).for_each(|n| add(Step::Swap(n - 1))),
                Coordinate::Value(param) => steps_of_values(&seen[*param]).into_iter().for_each(add),
            }
        }
        Directions { coordinates, all, seen }
    }

    /// How many there are
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// By number
    pub fn get(&self, number: usize) -> Option<Direction> {
        self.all.get(number).copied()
    }

    /// The coordinates that they move along
    pub fn coordinates(&self) -> &[Coordinate] {
        &self.coordinates
    }

    /// The neighbour of a point; `None` where the space has no such point
    pub fn neighbour(&self, space: &dyn Space, point: &[Decision], number: usize) -> Option<Point> {
        let Direction { coordinate, step } = self.get(number)?;
        let mut moved = point.to_vec();
        match (self.coordinates.get(coordinate)?, step) {
            (Coordinate::Factors { params, .. }, Step::Factor { up, down, prime }) => {
                let (first, last) = (up.min(down), up.max(down));
                for param in &params[first..last] {
                    let size = number_of(&point[*param])?;
                    let size = match up < down {
                        true if size % prime != 0 => return None,
                        true => size / prime,
                        false => size.checked_mul(prime)?,
                    };
                    moved[*param] = Decision::Number(size);
                }
            }
            (Coordinate::Places(params), Step::Swap(n)) => moved.swap(*params.get(n)?, *params.get(n + 1)?),
            (Coordinate::Value(param), Step::Swap(n)) => {
                let Decision::Order(order) = moved.get_mut(*param)? else { return None };
                (n + 1 < order.len()).then(|| order.swap(n, n + 1))?;
            }
            (Coordinate::Value(param), step) => {
                let mut values = space.values(&point[..*param]);
                if matches!(step, Step::Next | Step::Previous) {
                    values.retain(|value| matches!(value, Decision::Number(_)));
                    values.sort_by_key(number_of);
                }
                let at = values.iter().position(|value| *value == point[*param])?;
                let to = match step {
                    Step::Next => at + 1,
                    Step::Previous => at.checked_sub(1)?,
                    Step::Other(offset) if offset < values.len() => (at + offset) % values.len(),
                    _ => return None,
                };
                moved[*param] = values.get(to)?.clone();
            }
            _ => return None,
        }
        let first = (0..moved.len()).find(|n| moved[*n] != point[*n])?;
        (first..moved.len()).all(|n| space.allows(&moved[..n], &moved[n])).then(|| Point::from(&moved[..]))
    }

    /// A point as numbers of about one size: logarithms of factors and numbers, 0 or 1, places in orders and in lists of words
    pub fn features(&self, point: &[Decision]) -> Vec<f64> {
        let mut all = Vec::new();
        for coordinate in &self.coordinates {
            match coordinate {
                Coordinate::Factors { params, above, below } => {
                    let mut outer = *above;
                    for param in params {
                        let size = number_of(&point[*param]).unwrap_or(outer);
                        all.push(log2(outer) - log2(size));
                        outer = size;
                    }
                    all.push(log2(outer) - log2(*below));
                }
                Coordinate::Places(params) => {
                    params.iter().for_each(|param| self.value(*param, point, &mut all))
                }
                Coordinate::Value(param) => self.value(*param, point, &mut all),
            }
        }
        all
    }

    fn value(&self, param: usize, point: &[Decision], all: &mut Vec<f64>) {
        let known = &self.seen[param];
        match &point[param] {
            Decision::Number(number) => all.push(log2(number.saturating_add(1))),
            Decision::There(there) => all.push(f64::from(u8::from(*there))),
            Decision::Order(order) => {
                all.extend(order.iter().map(|place| *place as f64 / order.len() as f64));
            }
            word => {
                let at = known.iter().position(|other| other == word).unwrap_or(known.len());
                all.push(at as f64 / known.len().max(1) as f64);
            }
        }
    }

    /// How many points the space has at most: factorizations of each dimension, where nothing else is open; `None` where other
    /// choices are, whose values depend on those before. Infinite beyond what a number can say
    pub fn bound(&self) -> Option<f64> {
        let of = |coordinate: &Coordinate| match coordinate {
            Coordinate::Factors { params, above, below } => {
                Some(factorizations(above / (*below).max(1), params.len() + 1))
            }
            Coordinate::Value(_) | Coordinate::Places(_) => None,
        };
        self.coordinates.iter().map(of).product()
    }
}

/// What each parameter may be, as far as a few points show
fn seen(space: &dyn Space) -> Vec<Vec<Decision>> {
    let mut all: Vec<Vec<Decision>> = vec![Vec::new(); space.names().len()];
    for n in 0..SAMPLES {
        let Some(point) = sample(space, &mut Random::of(&[n])) else { break };
        for (param, known) in all.iter_mut().enumerate() {
            let values = space.values(&point[..param]);
            known.extend(values.into_iter().filter(|value| !known.contains(value)).collect::<Vec<_>>());
        }
    }
    all
}

fn steps_of_values(seen: &[Decision]) -> Vec<Step> {
    match seen {
        [Decision::Order(order), ..] => (1..order.len()).map(|n| Step::Swap(n - 1)).collect(),
        all if all.iter().all(|value| matches!(value, Decision::Number(_))) => match all.len() {
            0 | 1 => Vec::new(),
            _ => vec![Step::Next, Step::Previous],
        },
        all => (1..all.len()).map(Step::Other).collect(),
    }
}

fn number_of(decision: &Decision) -> Option<i64> {
    match decision {
        Decision::Number(number) => Some(*number),
        _ => None,
    }
}

fn log2(number: i64) -> f64 {
    (number.max(1) as f64).log2()
}

/// Prime factors with their exponents, in ascending order
fn powers_of_primes(number: i64) -> Vec<(i64, u32)> {
    let (mut rest, mut prime, mut all) = (number.max(1), 2, Vec::new());
    while prime <= rest / prime {
        let mut exponent = 0;
        while rest % prime == 0 {
            rest /= prime;
            exponent += 1;
        }
        all.extend((exponent > 0).then_some((prime, exponent)));
        prime += 1;
    }
    all.extend((rest > 1).then_some((rest, 1)));
    all
}

fn primes(number: i64) -> Vec<i64> {
    powers_of_primes(number).into_iter().map(|(prime, _)| prime).collect()
}

/// In how many ways a number is a product of so many factors in order: ∏ C(e + parts − 1, parts − 1) over its primes' exponents e
pub fn factorizations(number: i64, parts: usize) -> f64 {
    let choose = |n: u64, k: u64| (1..=k).fold(1.0, |all, i| all * (n - k + i) as f64 / i as f64);
    let others = parts.saturating_sub(1) as u64;
    powers_of_primes(number)
        .into_iter()
        .map(|(_, exponent)| choose(u64::from(exponent) + others, others).round())
        .product()
}

#[cfg(test)]
mod tests;
