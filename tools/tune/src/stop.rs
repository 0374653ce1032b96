//! When a search ends before it has seen all: its time is over, or the user has pressed Ctrl-C.
//!
//! Ctrl-C (and SIGTERM) is a wish to have what was found so far; a second one ends the process at once.

use crate::args::Budget;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::{Blind, Coordinate, Space};

/// Exit code of a program that was interrupted, as shells give it
pub(crate) const INTERRUPTED: u8 = 130;

/// Exit code of a search whose workers could not be reached for too long
pub(crate) const DOWN: u8 = 3;

/// The clock of a search and whether it was interrupted; copies are the same one
#[derive(Clone)]
pub(crate) struct Stop {
    interrupted: Arc<AtomicBool>,
    time: Option<Duration>,
    start: Arc<Mutex<Instant>>,
    /// Has everything that measures been given up?
    down: Arc<AtomicBool>,
}

impl Stop {
    /// For a budget; its time runs from now on
    pub(crate) fn new(budget: Budget) -> Stop {
        let time = match budget {
            Budget::Time(time) => Some(time),
            Budget::Points(_) => None,
        };
        let start = Arc::new(Mutex::new(Instant::now()));
        Stop { interrupted: Arc::default(), time, start, down: Arc::default() }
    }

    /// Take note of signals from now on
    pub(crate) fn listen(&self) -> std::io::Result<()> {
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first one sets the flag, the second one finds it set.
            flag::register_conditional_shutdown(signal, INTERRUPTED.into(), self.interrupted.clone())?;
            flag::register(signal, self.interrupted.clone())?;
        }
        Ok(())
    }

    /// The time of the budget runs from now on
    pub(crate) fn start(&self) {
        *self.start.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Time since then
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Has the user requested the end?
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Nothing can be measured any more
    pub(crate) fn give_up(&self) {
        self.down.store(true, Ordering::Relaxed);
    }

    /// Has everything that measures been given up?
    pub(crate) fn gave_up(&self) -> bool {
        self.down.load(Ordering::Relaxed)
    }

    /// Is it to end?
    pub(crate) fn now(&self) -> bool {
        self.interrupted() || self.time.is_some_and(|time| self.elapsed() >= time)
    }
}

/// A space that leads nowhere once a search is to end: whoever is on the way to a point comes back
pub(crate) struct Clocked<'a> {
    pub space: &'a dyn Space,
    pub stop: &'a Stop,
}

impl Space for Clocked<'_> {
    fn names(&self) -> Vec<String> {
        self.space.names()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        if self.stop.now() { Vec::new() } else { self.space.values(before) }
    }

    fn allows(&self, before: &[Decision], value: &Decision) -> bool {
        !self.stop.now() && self.space.allows(before, value)
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        self.space.coordinates()
    }

    fn draw(&self, rng: &mut terrace_support::Random) -> Option<Option<Point>> {
        if self.stop.now() { Some(None) } else { self.space.draw(rng) }
    }

    fn blind(&self, rng: &mut terrace_support::Random, most: u64) -> Option<Blind> {
        if self.stop.now() { None } else { self.space.blind(rng, most) }
    }
}
