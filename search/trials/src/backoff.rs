//! When to try once more what has failed: soon at first, then more seldom, and one day no more.

use crate::executor::Down;
use std::time::{Duration, Instant};

/// Time until the second try
const FIRST: Duration = Duration::from_millis(100);
/// Time between two tries, at most
const LONGEST: Duration = Duration::from_secs(10);

/// Tries of something that fails
#[derive(Clone, Debug)]
pub struct Backoff {
    /// Time after which it is given up
    patience: Duration,
    /// When it failed first, since it last worked
    since: Option<Instant>,
    next: Duration,
}

impl Backoff {
    /// Give up what has failed for so long
    pub fn new(patience: Duration) -> Backoff {
        Backoff { patience, since: None, next: FIRST }
    }

    /// It works
    pub fn works(&mut self) {
        (self.since, self.next) = (None, FIRST);
    }

    /// It has failed: the time to the next try
    pub fn failed(&mut self, why: &str) -> Result<Duration, Down> {
        let since = *self.since.get_or_insert_with(Instant::now);
        let wait = self.next;
        self.next = (wait * 2).min(LONGEST);
        match since.elapsed() >= self.patience {
            true => Err(Down::Gone(self.patience, why.to_owned())),
            false => Ok(wait),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_become_more_seldom_and_end() {
        let mut backoff = Backoff::new(Duration::from_secs(3600));
        let waits: Vec<_> =
            (0..9).filter_map(|_| backoff.failed("x").ok()).map(|wait| wait.as_millis()).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000]);
        backoff.works();
        assert_eq!(backoff.failed("x"), Ok(FIRST));
        let mut backoff = Backoff::new(Duration::ZERO);
        let down = backoff.failed("no route").expect_err("there is no patience");
        assert_eq!(down.to_string(), "nothing could be measured for 0 s: no route");
    }
}
