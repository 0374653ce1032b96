//! All points in order, and one at random: depth first, going back from dead ends.

use crate::space::Space;
use terrace_schedule_model::{Decision, Point};
use terrace_support::Random;

/// Every point, in order of the values
pub struct Walk<'a> {
    space: &'a dyn Space,
    depth: usize,
    /// What is left to try at each parameter, last first
    left: Vec<Vec<Decision>>,
    point: Point,
    started: bool,
}

impl<'a> Walk<'a> {
    /// From the first point
    pub fn new(space: &'a dyn Space) -> Walk<'a> {
        Walk { space, depth: space.names().len(), left: Vec::new(), point: Point::default(), started: false }
    }

    fn open(&mut self) {
        let mut values = self.space.values(&self.point);
        values.reverse();
        self.left.push(values);
    }
}

impl Iterator for Walk<'_> {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        if !self.started {
            self.started = true;
            if self.depth == 0 {
                return Some(Point::default());
            }
            self.open();
        }
        loop {
            // The last choice is done with: it was a point, or led nowhere.
            self.point.truncate(self.left.len().checked_sub(1)?);
            match self.left.last_mut()?.pop() {
                None => {
                    self.left.pop();
                }
                Some(value) => {
                    self.point.push(value);
                    if self.point.len() == self.depth {
                        return Some(self.point.clone());
                    }
                    self.open();
                }
            }
        }
    }
}

/// Choices that a draw may take back before it begins anew; every second time twice as many
const PATIENCE: usize = 4;
/// Draws that begin anew
const DRAWS: usize = 30;
/// Choices that the first point from a beginning may take back: what leads nowhere is left for another beginning
const FIRST: usize = 8;
/// How often a draw that trusts first guesses takes one
const GUESS: f64 = 0.75;

/// A point, each choice drawn from what it may be; `None` if there is none, or none was found
///
/// Not uniform over points, unless the space has a way of its own: a value with few continuations is as likely as one with many. An early choice that leads nowhere
/// would cost all that can follow it, so a draw that takes back many choices begins anew, with more patience, and every other
/// draw keeps the space's first guess more often than not.
pub fn sample(space: &dyn Space, rng: &mut Random) -> Option<Point> {
    if let Some(point) = space.draw(rng) {
        return point;
    }
    for draw in 0..DRAWS {
        let mut shuffled = |_: usize, mut values: Vec<Decision>| {
            let guess = draw % 2 == 1 && rng.unit() < GUESS;
            let kept = usize::from(guess).min(values.len());
            rng.shuffle(&mut values[kept..]);
            values
        };
        match search(space, &[], &mut shuffled, PATIENCE << (draw / 2)) {
            Found::Point(point) => return Some(point),
            Found::None => return None,
            Found::Tired => {}
        }
    }
    None
}

/// How a search ends
enum Found {
    Point(Point),
    None,
    /// Too many choices were taken back
    Tired,
}

/// The first point that begins so, values in the order that `rank` gives them; `None` if there is none near
pub fn first(
    space: &dyn Space,
    begin: &[Decision],
    mut rank: impl FnMut(usize, Vec<Decision>) -> Vec<Decision>,
) -> Option<Point> {
    match search(space, begin, &mut rank, FIRST) {
        Found::Point(point) => Some(point),
        Found::None | Found::Tired => None,
    }
}

/// A point that begins like this and keeps of `wish` what it can; values in the space's order elsewhere. `None` if few changes of
/// the rest lead to none
pub fn complete(space: &dyn Space, begin: &[Decision], wish: &[Decision]) -> Option<Point> {
    let rank = |n: usize, mut values: Vec<Decision>| {
        if let Some(at) = wish.get(n).and_then(|wish| values.iter().position(|value| value == wish)) {
            let wished = values.remove(at);
            values.insert(0, wished);
        }
        values
    };
    first(space, begin, rank)
}

fn search(
    space: &dyn Space,
    begin: &[Decision],
    rank: &mut dyn FnMut(usize, Vec<Decision>) -> Vec<Decision>,
    mut patience: usize,
) -> Found {
    let depth = space.names().len();
    let mut point = Point::from(begin);
    let mut left: Vec<Vec<Decision>> = Vec::new();
    while point.len() < depth {
        let mut values = rank(point.len(), space.values(&point));
        values.reverse();
        left.push(values);
        loop {
            match left.last_mut().map(Vec::pop) {
                None => return Found::None,
                Some(Some(value)) => {
                    point.push(value);
                    break;
                }
                Some(None) => {
                    left.pop();
                    if left.is_empty() {
                        return Found::None;
                    }
                    point.truncate(begin.len() + left.len() - 1);
                    patience = match patience.checked_sub(1) {
                        Some(patience) => patience,
                        None => return Found::Tired,
                    };
                }
            }
        }
    }
    Found::Point(point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::check;
    use std::collections::HashSet;

    /// Factors of 12 in three parts; the last is what is left, so that there are no dead ends; with `trap` a first factor of 12
    /// leads nowhere
    struct Factors {
        trap: bool,
    }

    impl Space for Factors {
        fn names(&self) -> Vec<String> {
            ["a", "b", "c"].map(String::from).to_vec()
        }

        fn values(&self, before: &[Decision]) -> Vec<Decision> {
            let left = before.iter().fold(12, |left, value| match value {
                Decision::Number(value) => left / value,
                _ => 0,
            });
            match before.len() {
                _ if self.trap && before.len() == 2 && before[0] == Decision::Number(12) => Vec::new(),
                2 => vec![Decision::Number(left)],
                _ => (1..=left).filter(|n| left % n == 0).map(Decision::Number).collect(),
            }
        }
    }

    #[test]
    fn a_walk_is_every_point_once() {
        let all: Vec<Point> = Walk::new(&Factors { trap: false }).collect();
        // Ways to write 2²·3 as three factors: 6 · 3.
        assert_eq!(all.len(), 18);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 18);
        assert_eq!(Walk::new(&Factors { trap: true }).count(), 17);
    }

    #[test]
    fn samples_are_points_and_reach_all() {
        let space = Factors { trap: true };
        let mut rng = Random::new(7);
        let found: HashSet<Point> = (0..2000).filter_map(|_| sample(&space, &mut rng)).collect();
        assert_eq!(found, Walk::new(&space).collect());
    }

    #[test]
    fn wishes_are_kept_where_they_can_be() {
        let space = Factors { trap: true };
        let wish = [4, 4, 3].map(Decision::Number);
        assert_eq!(complete(&space, &[2.into()], &wish).expect("a point")[..2], [2.into(), 1.into()]);
        assert_eq!(*complete(&space, &[3.into()], &wish).expect("a point"), [3, 4, 1].map(Decision::Number));
        assert_eq!(complete(&space, &[12.into()], &wish), None);
        assert!(check(&space, &[3, 4, 1].map(Decision::Number)).is_ok());
        let error = check(&space, &[3, 3, 1].map(Decision::Number)).expect_err("3 does not divide 4");
        assert_eq!(error.to_string(), "b cannot be `3`; it is one of 1, 2, 4");
    }
}
