//! Times of programs in rounds, and what disturbed them.

use super::probes::Probe;
use super::refusal::Refusal;
use crate::stats::Summary;

/// Largest change from the first third to the last, in percent
pub const DRIFT: f64 = 3.0;

/// Times of one program, a median per round
#[derive(Clone, Debug)]
pub struct Series {
    /// Which
    pub probe: Probe,
    /// Rounds with their times, in nanoseconds for one of what is counted
    pub ns: Vec<(usize, f64)>,
}

/// Times of all programs
#[derive(Clone, Default, Debug)]
pub struct Times {
    /// One per program
    pub all: Vec<Series>,
    /// Rounds in all
    pub rounds: usize,
}

/// A third of the rounds, or all
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Every round
    All,
    /// The first, second or third third, from 0
    Third(usize),
}

impl Part {
    /// Those in which the slow ones run too
    pub const THIRDS: [Part; 3] = [Part::Third(0), Part::Third(1), Part::Third(2)];

    fn has(self, round: usize, of: usize) -> bool {
        match self {
            Part::All => true,
            Part::Third(third) => round * 3 / of.max(1) == third,
        }
    }
}

impl Times {
    /// One more
    pub fn add(&mut self, probe: Probe, round: usize, ns: f64) {
        match self.all.iter_mut().find(|series| series.probe == probe) {
            Some(series) => series.ns.push((round, ns)),
            None => self.all.push(Series { probe, ns: vec![(round, ns)] }),
        }
    }

    fn series(&self, probe: Probe) -> &[(usize, f64)] {
        self.all.iter().find(|series| series.probe == probe).map_or(&[], |series| &series.ns)
    }

    /// Nanoseconds, the median
    pub fn ns(&self, probe: Probe, part: Part) -> f64 {
        let own = self.series(probe).iter().filter(|(round, _)| part.has(*round, self.rounds));
        Summary::of(own.map(|(_, ns)| *ns)).median
    }

    /// Cycles, the median: each time by the clock of its round
    pub fn cycles(&self, probe: Probe, part: Part) -> f64 {
        let clock = self.series(Probe::Clock);
        let own = self.series(probe).iter().filter(|(round, _)| part.has(*round, self.rounds));
        let cycles = own.filter_map(|(round, ns)| {
            let (_, cycle) = clock.iter().find(|(other, _)| other == round)?;
            Some(ns / cycle)
        });
        Summary::of(cycles).median
    }

    /// An error if anything took another time at the end than at the beginning
    pub fn steady(&self) -> Result<(), Refusal> {
        for series in &self.all {
            let [first, _, last] = Part::THIRDS.map(|part| self.ns(series.probe, part));
            let ratio = last / first;
            let steady = (ratio - 1.0).abs() * 100.0 <= DRIFT;
            if !steady {
                return Err(Refusal::Drift { what: series.probe.to_string(), ratio, most: DRIFT });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(last: f64) -> Times {
        let mut times = Times { all: vec![], rounds: 9 };
        for round in 0..9 {
            times.add(Probe::Clock, round, 0.25);
            times.add(Probe::Peak, round, if round < 6 { 2.0 } else { last });
        }
        times
    }

    #[test]
    fn a_disturbed_series_is_refused() {
        assert_eq!(times(2.0).steady(), Ok(()));
        assert_eq!(times(2.05).steady(), Ok(()));
        let error = times(2.1).steady().expect_err("it drifts");
        assert_eq!(
            error.to_string(),
            "disturbed: in the last third independent multiply-adds took 1.050 times as long as in the first (at most 3 % apart); \
             nothing is written"
        );
        assert!(matches!(times(1.9).steady(), Err(Refusal::Drift { .. })));
        assert!(matches!(times(f64::NAN).steady(), Err(Refusal::Drift { .. })));
    }

    #[test]
    fn one_outlier_is_no_drift() {
        let mut times = times(2.0);
        times.all[1].ns[8].1 = 50.0;
        assert_eq!(times.steady(), Ok(()));
        assert_eq!(times.cycles(Probe::Peak, Part::All), 8.0);
    }
}
