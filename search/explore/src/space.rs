//! What can be explored.

use std::fmt;
use terrace_schedule_model::{Decision, Point};
use terrace_support::Random;

/// What drawing each choice by itself led to
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blind {
    /// The point; `None` if there were too many refusals
    pub point: Option<Point>,
    /// Draws that constraints refused before
    pub rejected: u64,
}

/// What moves by itself
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Coordinate {
    /// Tiles of one dimension, outermost first: their factors move
    Factors {
        /// Positions of the parameters
        params: Vec<usize>,
        /// The size above the first of them
        above: i64,
        /// The size below the last of them
        below: i64,
    },
    /// Parameters whose choices change places with that of the next one
    Places(Vec<usize>),
    /// One parameter
    Value(usize),
}

/// Parameters whose values depend on the choices before them
pub trait Space {
    /// Names of the parameters in order
    fn names(&self) -> Vec<String>;

    /// What the next parameter may be after these choices, best guess first; none if they lead nowhere
    fn values(&self, before: &[Decision]) -> Vec<Decision>;

    /// May the next parameter be this after these choices?
    fn allows(&self, before: &[Decision], value: &Decision) -> bool {
        self.values(before).contains(value)
    }

    /// What of a point moves by itself; each parameter, unless the space knows more of them
    fn coordinates(&self) -> Vec<Coordinate> {
        (0..self.names().len()).map(Coordinate::Value).collect()
    }

    /// A point drawn in a way of the space's own, as one that is uniform over points; the outer `None` if it has no such way
    fn draw(&self, rng: &mut Random) -> Option<Option<Point>> {
        let _ = rng;
        None
    }

    /// A point all of whose choices are drawn by themselves, until constraints accept it, or until `most` were refused: how spaces
    /// are searched without a solver. `None` if the space has no choices without constraints
    fn blind(&self, rng: &mut Random, most: u64) -> Option<Blind> {
        let _ = (rng, most);
        None
    }
}

/// Why choices are no point of a space
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoPoint {
    /// A point has so many choices, this one another number
    Count(usize, usize),
    /// The first choice that is none
    Choice {
        /// Name of its parameter
        name: String,
        /// What was chosen
        found: Decision,
        /// What it could be
        values: Vec<Decision>,
    },
}

impl fmt::Display for NoPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPoint::Count(wanted, found) => write!(f, "a point has {wanted} choices, this one {found}"),
            NoPoint::Choice { name, found, values } => {
                let values: Vec<String> = values.iter().map(Decision::to_string).collect();
                write!(f, "{name} cannot be `{found}`; it is one of {}", values.join(", "))
            }
        }
    }
}

impl std::error::Error for NoPoint {}

/// Is this a point of the space?
pub fn check(space: &dyn Space, point: &[Decision]) -> Result<(), NoPoint> {
    let names = space.names();
    if point.len() != names.len() {
        return Err(NoPoint::Count(names.len(), point.len()));
    }
    for (n, value) in point.iter().enumerate() {
        let values = space.values(&point[..n]);
        if !values.contains(value) {
            return Err(NoPoint::Choice { name: names[n].clone(), found: value.clone(), values });
        }
    }
    Ok(())
}

/// What tells a text from all others, the same in every run and on every machine
pub fn fingerprint(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// What tells the contents of files, in this order, from all others
pub fn fingerprint_of_files(files: impl IntoIterator<Item = std::path::PathBuf>) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    let mut part = vec![0; 1 << 16];
    for file in files {
        let mut file = std::fs::File::open(file)?;
        loop {
            match std::io::Read::read(&mut file, &mut part) {
                Ok(0) => break,
                Ok(n) => _ = hasher.update(&part[..n]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_the_published_one() {
        assert_eq!(fingerprint(""), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
        assert_ne!(fingerprint("a"), fingerprint("b"));
        let file = || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let text = include_str!("../Cargo.toml");
        assert_eq!(fingerprint_of_files([file()]).ok(), Some(fingerprint(text)));
        assert_eq!(fingerprint_of_files([file(), file()]).ok(), Some(fingerprint(&text.repeat(2))));
        assert!(fingerprint_of_files([file().join("none")]).is_err());
    }
}
