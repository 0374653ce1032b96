//! What can be explored.

use fastrand::Rng;
use terrace_schedule_model::{Decision, Point};

/// What drawing each choice by itself led to
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blind {
    /// The point; `None` if there were too many refusals
    pub point: Option<Point>,
    /// Draws that constraints refused before
    pub rejected: u64,
}

/// Parameters whose values depend on the choices before them
pub trait Space {
    /// Names of the parameters in order
    fn names(&self) -> Vec<String>;

    /// What the next parameter may be after these choices, best guess first; none if they lead nowhere
    fn values(&self, before: &[Decision]) -> Vec<Decision>;

    /// A point drawn in a way of the space's own, as one that is uniform over points; the outer `None` if it has no such way
    fn draw(&self, rng: &mut Rng) -> Option<Option<Point>> {
        let _ = rng;
        None
    }

    /// A point all of whose choices are drawn by themselves, until constraints accept it, or until `most` were refused: how spaces
    /// are searched without a solver. `None` if the space has no choices without constraints
    fn blind(&self, rng: &mut Rng, most: u64) -> Option<Blind> {
        let _ = (rng, most);
        None
    }
}

/// Is this a point of the space? The error names the first choice that is none, and what it could be
pub fn check(space: &dyn Space, point: &[Decision]) -> Result<(), String> {
    let names = space.names();
    if point.len() != names.len() {
        return Err(format!("a point has {} choices, this one {}", names.len(), point.len()));
    }
    for (n, value) in point.iter().enumerate() {
        let values = space.values(&point[..n]);
        if !values.contains(value) {
            let values: Vec<String> = values.iter().map(Decision::to_string).collect();
            return Err(format!("{} cannot be `{value}`; it is one of {}", names[n], values.join(", ")));
        }
    }
    Ok(())
}

/// A number for what a text says, the same in every run and on every machine
pub fn fingerprint(text: &str) -> u64 {
    // FNV-1a: short, and stable where the standard library's hashers promise nothing.
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
