//! Asynchronous work: what is ordered before what, when a host starts work and goes on.
//!
//! A *task* is one launch, copy or allocation that the host has started. It comes after all that the host did before, after
//! the tasks it names, and after those that the host had waited for; nothing else orders two tasks, or a task and the host.
//!
//! Tasks that follow each other make *chains*. A clock tells how much of each chain is known to be done, so that a long
//! row of tasks costs no more than one (vector clocks, kept sparse). Invariant: a task's clock has its own place in it.

use std::cmp::Ordering;
use std::rc::Rc;

/// Most entries of clocks at one time
const MOST: usize = 1 << 24;

/// How much of each chain is done, by rising chain
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Clock(Vec<(u32, u32)>);

impl Clock {
    fn sees(&self, chain: u32, place: u32) -> bool {
        let at = self.0.binary_search_by_key(&chain, |entry| entry.0);
        at.is_ok_and(|at| place <= self.0[at].1)
    }

    fn join(&mut self, other: &Clock) {
        if other.0.iter().all(|(chain, place)| self.sees(*chain, *place)) {
            return;
        }
        let mut all = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut mine, mut theirs) = (&self.0[..], &other.0[..]);
        while let (Some(a), Some(b)) = (mine.first(), theirs.first()) {
            all.push(match a.0.cmp(&b.0) {
                Ordering::Less => *a,
                Ordering::Greater => *b,
                Ordering::Equal => (a.0, a.1.max(b.1)),
            });
            mine = &mine[usize::from(a.0 <= b.0)..];
            theirs = &theirs[usize::from(b.0 <= a.0)..];
        }
        all.extend_from_slice(mine);
        all.extend_from_slice(theirs);
        self.0 = all;
    }

    fn set(&mut self, chain: u32, place: u32) {
        match self.0.binary_search_by_key(&chain, |entry| entry.0) {
            Ok(at) => self.0[at].1 = place,
            Err(at) => self.0.insert(at, (chain, place)),
        }
    }
}

#[derive(Debug)]
struct Task {
    chain: u32,
    place: u32,
    clock: Rc<Clock>,
    word: &'static str,
}

/// The tasks that the host has started since it last knew that all were done
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    /// Tasks that are known to be done and forgotten
    before: u64,
    list: Vec<Task>,
    /// Last place of each chain
    chains: Vec<u32>,
    host: Clock,
    entries: usize,
}

impl Tasks {
    /// Is there a task that the host has not waited for?
    pub(crate) fn any(&self) -> bool {
        !self.list.is_empty()
    }

    pub(crate) fn full(&self) -> bool {
        self.entries > MOST
    }

    /// The task of a number, unless it is known to be done
    fn get(&self, number: u64) -> Option<&Task> {
        let at = number.checked_sub(self.before + 1)?;
        self.list.get(usize::try_from(at).ok()?)
    }

    /// Start a task behind others: its number, from 1
    pub(crate) fn start(&mut self, behind: &[u64], word: &'static str) -> u64 {
        let mut clock = self.host.clone();
        for number in behind {
            if let Some(task) = self.get(*number) {
                clock.join(&task.clock);
            }
        }
        // It goes on with a chain at whose end it stands, if there is one.
        let end = clock.0.iter().find(|(chain, place)| self.chains[*chain as usize] == *place);
        let (chain, place) = match end {
            Some((chain, place)) => (*chain, place + 1),
            None => {
                self.chains.push(0);
                (self.chains.len() as u32 - 1, 0)
            }
        };
        self.chains[chain as usize] = place;
        clock.set(chain, place);
        self.entries += clock.0.len();
        self.list.push(Task { chain, place, clock: Rc::new(clock), word });
        self.before + self.list.len() as u64
    }

    /// The host has waited for these, and with them for all that they stand behind
    pub(crate) fn wait_for(&mut self, numbers: &[u64]) {
        for number in numbers {
            if let Some(clock) = self.get(*number).map(|task| task.clock.clone()) {
                self.host.join(&clock);
            }
        }
        let ends = self.chains.iter().enumerate();
        if self.host.0.len() == self.chains.len()
            && ends.zip(&self.host.0).all(|((_, end), known)| *end == known.1)
        {
            self.forget();
        }
    }

    /// All tasks are done
    pub(crate) fn forget(&mut self) {
        self.before += self.list.len() as u64;
        self.list.clear();
        self.chains.clear();
        self.host.0.clear();
        self.entries = 0;
    }

    /// Is a task done before another one starts, or before what the host (number 0) does now?
    ///
    /// What the host has done is done before a task that comes later in its program.
    pub(crate) fn ordered(&self, first: u64, then: u64) -> bool {
        let Some(task) = self.get(first) else { return true };
        match self.get(then) {
            Some(then) => then.clock.sees(task.chain, task.place),
            None => self.host.sees(task.chain, task.place),
        }
    }

    /// `launch 2`, `the host`
    pub(crate) fn text(&self, number: u64) -> String {
        self.get(number).map_or("the host".into(), |task| format!("{} {number}", task.word))
    }

    /// Why two uses are not ordered
    pub(crate) fn advice(&self, first: u64, then: u64) -> String {
        match then {
            0 => format!("the host has not waited for {}", self.text(first)),
            _ => format!("{} does not wait for {}", self.text(then), self.text(first)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_support::Random;

    /// Chains and clocks say the same as the closure of "waits for", on random programs
    #[test]
    fn clocks_are_the_closure() {
        let mut pairs = [0; 2];
        for seed in 0..500 {
            let mut random = Random::new(seed);
            let mut tasks = Tasks::default();
            // What is done before each task, and before the host goes on.
            let mut before: Vec<Vec<u64>> = vec![Vec::new()];
            let mut host: Vec<u64> = Vec::new();
            for number in 1..=20u64 {
                let mut all = host.clone();
                let behind: Vec<u64> = (1..number).filter(|_| random.below(6) == 0).collect();
                for other in &behind {
                    all.push(*other);
                    all.extend(&before[*other as usize]);
                }
                assert_eq!(tasks.start(&behind, "launch"), number, "seed {seed}");
                before.push(all);
                for other in 1..number {
                    let known = before[number as usize].contains(&other);
                    assert_eq!(tasks.ordered(other, number), known, "seed {seed}: {other} before {number}");
                    pairs[usize::from(known)] += 1;
                }
                if random.below(5) == 0 {
                    let waited = 1 + random.below(number);
                    tasks.wait_for(&[waited]);
                    host.push(waited);
                    host.extend(&before[waited as usize]);
                }
                for other in 1..=number {
                    assert_eq!(tasks.ordered(other, 0), host.contains(&other), "seed {seed}: {other}");
                }
            }
        }
        assert!(pairs.iter().all(|count| *count > 1000), "{pairs:?}");
    }

    #[test]
    fn a_long_row_is_one_chain() {
        let mut tasks = Tasks::default();
        let mut last = tasks.start(&[], "launch");
        for _ in 0..10_000 {
            last = tasks.start(&[last], "launch");
        }
        assert_eq!((tasks.chains.len(), tasks.entries), (1, 10_001));
        tasks.wait_for(&[last]);
        assert!(!tasks.any());
    }
}
