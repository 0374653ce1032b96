//! Directions on spaces that are small enough to see as a whole.

use super::*;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

/// Factors of an extent in some parts, all but the last as tiles; and a word, a switch and an order
struct Tiles {
    extent: i64,
    parts: usize,
    others: bool,
}

impl Tiles {
    fn tiles(&self) -> usize {
        self.parts - 1
    }
}

impl Space for Tiles {
    fn names(&self) -> Vec<String> {
        let others = if self.others { 4 } else { 0 };
        (0..self.tiles() + others).map(|n| format!("p{n}")).collect()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        let n = before.len();
        if n < self.tiles() {
            let above = before.last().and_then(number_of).unwrap_or(self.extent);
            return (1..=above).filter(|size| above % size == 0).map(Decision::Number).collect();
        }
        match n - self.tiles() {
            0 => ["a", "b", "c"].map(|word| Decision::Word(word.into())).to_vec(),
            1 => [false, true].map(Decision::There).to_vec(),
            2 => [vec![0, 1, 2], vec![0, 2, 1], vec![1, 0, 2], vec![1, 2, 0], vec![2, 0, 1], vec![2, 1, 0]]
                .map(Decision::Order)
                .to_vec(),
            _ => [4, 1, 2].map(Decision::Number).to_vec(),
        }
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        let factors =
            Coordinate::Factors { params: (0..self.tiles()).collect(), above: self.extent, below: 1 };
        let others = (self.tiles()..self.names().len()).map(Coordinate::Value);
        std::iter::once(factors).chain(others).collect()
    }
}

fn neighbours(space: &Tiles, directions: &Directions, point: &Point) -> Vec<Point> {
    (0..directions.len()).filter_map(|n| directions.neighbour(space, point, n)).collect()
}

fn factors(space: &Tiles, point: &[Decision]) -> Vec<i64> {
    let mut above = space.extent;
    let mut all: Vec<i64> = Vec::new();
    for size in point[..space.tiles()].iter().filter_map(number_of) {
        all.push(above / size);
        above = size;
    }
    all.push(above);
    all
}

/// F12, D11: counts of divisible splits, by formula and by walking
#[test]
fn counts_of_factorizations_are_the_published_ones() {
    for (extent, four, three) in [
        (1024, 286, 66),
        (448, 336, 84),
        (1000, 400, 100),
        (192, 336, 84),
        (56, 80, 30),
        (7, 4, 3),
        (997, 4, 3),
    ] {
        assert_eq!(
            (factorizations(extent, 4), factorizations(extent, 3)),
            (f64::from(four), f64::from(three))
        );
        for (parts, count) in [(4, four), (3, three)] {
            let space = Tiles { extent, parts, others: false };
            let walked = crate::Walk::new(&space).count();
            assert_eq!(walked, usize::try_from(count).expect("small"), "{extent} in {parts}");
            assert_eq!(Directions::of(&space).bound(), Some(f64::from(count)));
        }
    }
    // A matrix product of 1024 in every dimension, 4, 4 and 3 parts.
    assert_eq!(286.0 * 286.0 * 66.0, 5_398_536.0);
    assert_eq!((factorizations(1, 3), factorizations(0, 3)), (1.0, 1.0));
}

/// D13, F13: N(N − 1) ordered pairs for each prime; each is undone by the pair in the other order
#[test]
fn neighbours_of_factorizations_are_symmetric_and_reach_all() {
    for (extent, parts) in [(12, 3), (30, 4), (64, 4), (7, 2), (1, 3), (36, 2)] {
        let space = Tiles { extent, parts, others: false };
        let directions = Directions::of(&space);
        assert_eq!(directions.len(), parts * (parts - 1) * primes(extent).len());
        let all: HashSet<Point> = crate::Walk::new(&space).collect();
        let mut reached = HashSet::new();
        let mut stack: Vec<Point> = all.iter().take(1).cloned().collect();
        while let Some(point) = stack.pop() {
            if !reached.insert(point.clone()) {
                continue;
            }
            for other in neighbours(&space, &directions, &point) {
                assert!(neighbours(&space, &directions, &other).contains(&point), "{point:?} {other:?}");
                let (own, moved) = (factors(&space, &point), factors(&space, &other));
                let differ: Vec<Ordering> =
                    own.iter().zip(&moved).map(|(a, b)| b.cmp(a)).filter(|order| order.is_ne()).collect();
                assert_eq!(differ.iter().collect::<BTreeSet<_>>().len(), 2, "one up, one down");
                assert_eq!(differ.len(), 2);
                stack.push(other);
            }
        }
        assert_eq!(reached, all, "{extent} in {parts}");
    }
}

/// D14: neighbours differ in one coordinate, whatever kind it is
#[test]
fn neighbours_differ_in_one_coordinate() {
    let space = Tiles { extent: 12, parts: 3, others: true };
    let directions = Directions::of(&space);
    // 6 pairs, each for two primes; two other words, one other switch, two swaps, next and previous.
    assert_eq!(directions.len(), 12 + 2 + 1 + 2 + 2);
    assert_eq!(directions.bound(), None, "what a word may be depends on the choices before it");
    for point in crate::Walk::new(&space) {
        for (n, other) in
            (0..directions.len()).filter_map(|n| Some((n, directions.neighbour(&space, &point, n)?)))
        {
            assert!(crate::check(&space, &other).is_ok());
            let coordinate = directions.get(n).expect("there").coordinate;
            for param in 0..point.len() {
                let inside = match &directions.coordinates()[coordinate] {
                    Coordinate::Factors { params, .. } | Coordinate::Places(params) => {
                        params.contains(&param)
                    }
                    Coordinate::Value(own) => *own == param,
                };
                assert!(inside || point[param] == other[param]);
            }
            assert!(neighbours(&space, &directions, &other).contains(&point), "{point:?} {other:?}");
        }
    }
}

#[test]
fn points_as_numbers() {
    let space = Tiles { extent: 12, parts: 3, others: true };
    let directions = Directions::of(&space);
    let point = [
        Decision::Number(6),
        Decision::Number(2),
        Decision::Word("c".into()),
        Decision::There(true),
        Decision::Order(vec![2, 0, 1]),
        Decision::Number(1),
    ];
    let wanted = [1.0, f64::log2(3.0), 1.0, 2.0 / 3.0, 1.0, 2.0 / 3.0, 0.0, 1.0 / 3.0, 1.0];
    for (found, wanted) in directions.features(&point).iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-12, "{:?}", directions.features(&point));
    }
    assert_eq!(directions.features(&point).len(), wanted.len());
}

/// Choices that change places, as labels of steps and cores of loops do
#[test]
fn choices_change_places() {
    struct Labels;
    impl Space for Labels {
        fn names(&self) -> Vec<String> {
            ["a", "b", "c"].map(String::from).to_vec()
        }
        fn values(&self, before: &[Decision]) -> Vec<Decision> {
            (1..=3).map(Decision::Number).filter(|value| !before.contains(value)).collect()
        }
        fn coordinates(&self) -> Vec<Coordinate> {
            vec![Coordinate::Places(vec![0, 1, 2])]
        }
    }
    let directions = Directions::of(&Labels);
    let point = Point::from_iter([1, 2, 3].map(Decision::Number));
    let all: Vec<Option<Point>> =
        (0..directions.len()).map(|n| directions.neighbour(&Labels, &point, n)).collect();
    let wanted = [[2, 1, 3], [1, 3, 2]].map(|labels| Some(Point::from_iter(labels.map(Decision::Number))));
    assert_eq!(all, wanted);
}
