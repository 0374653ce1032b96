//! Which processor a thread is on, and bringing another thread to one
//!
//! Linux only; elsewhere nothing is known, and threads stay where the system puts them.
#![allow(unsafe_code)]

#[cfg(target_os = "linux")]
mod system {
    /// A thread as the system names it
    pub fn this_thread() -> i32 {
        // SAFETY: it takes nothing, and always succeeds.
        unsafe { libc::gettid() }
    }

    /// The processor that the calling thread is on now
    pub fn here() -> Option<usize> {
        // SAFETY: it takes nothing.
        usize::try_from(unsafe { libc::sched_getcpu() }).ok()
    }

    /// Processors that the calling thread may use, ascending
    pub fn allowed() -> Vec<usize> {
        // SAFETY: a set of bits, for which zeros are a value.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the set is ours and as large as said; 0 is the calling thread.
        if unsafe { libc::sched_getaffinity(0, size_of_val(&set), &mut set) } != 0 {
            return Vec::new();
        }
        // SAFETY: numbers below the set's size are in it.
        (0..libc::CPU_SETSIZE as usize).filter(|cpu| unsafe { libc::CPU_ISSET(*cpu, &set) }).collect()
    }

    /// Let a thread of this process use these processors only
    pub fn keep(thread: i32, to: &[usize]) -> bool {
        // SAFETY: a set of bits, for which zeros are a value.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        for cpu in to.iter().filter(|cpu| **cpu < libc::CPU_SETSIZE as usize) {
            // SAFETY: below the set's size.
            unsafe { libc::CPU_SET(*cpu, &mut set) };
        }
        // SAFETY: the set is ours and as large as said; a thread that is gone is an error, and no more.
        unsafe { libc::sched_setaffinity(thread, size_of_val(&set), &set) == 0 }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub fn this_thread() -> i32 {
        0
    }

    pub fn here() -> Option<usize> {
        None
    }

    pub fn allowed() -> Vec<usize> {
        Vec::new()
    }

    pub fn keep(_thread: i32, _to: &[usize]) -> bool {
        false
    }
}

pub(crate) use system::{allowed, here, keep, this_thread};

/// Most regions from one look at where threads are to the next
const PAUSE: u32 = 4096;

/// Homes of threads: a processor for each, where there are as many of both
///
/// Threads are not pinned: a thread that runs elsewhere is moved home, and may migrate again. The caller of regions is someone
/// else's thread and is left alone: where it has moved to a worker's home, that worker gets the one that it has left.
/// Where threads keep leaving, because others want the processors too, looks become rare.
#[derive(Debug)]
pub(crate) struct Homes {
    cpus: Vec<usize>,
    /// Per thread the number of its processor; the caller is thread 0
    homes: Vec<usize>,
    /// Regions until the next look, and from a look to the one after
    wait: u32,
    pause: u32,
}

impl Homes {
    /// Homes where threads are, the caller first; whoever shares a processor with one before gets a free one
    pub(crate) fn new(cpus: Vec<usize>, at: &[usize]) -> Option<Self> {
        let number = |cpu: usize| cpus.iter().position(|other| *other == cpu);
        let mut homes: Vec<Option<usize>> = Vec::new();
        for cpu in at {
            let home = number(*cpu).filter(|home| !homes.contains(&Some(*home)));
            homes.push(home);
        }
        // The caller has to be where it may be.
        homes.first().copied().flatten()?;
        let mut free = (0..cpus.len()).filter(|home| !homes.contains(&Some(*home))).collect::<Vec<_>>();
        free.reverse();
        let homes = homes.into_iter().map(|home| home.or_else(|| free.pop())).collect::<Option<Vec<_>>>()?;
        Some(Self { cpus, homes, wait: 0, pause: 1 })
    }

    /// Whether it is time to look where threads are
    pub(crate) fn due(&mut self) -> bool {
        self.wait = self.wait.saturating_sub(1);
        self.wait == 0
    }

    /// The workers that are not at home, when threads are there
    ///
    /// # Errors
    /// The caller is where it was not allowed to be.
    pub(crate) fn look(&mut self, at: &[usize]) -> Result<Vec<usize>, ()> {
        if self.cpu(0) != at[0] {
            let thread = (1..self.homes.len()).find(|thread| self.cpu(*thread) == at[0]).ok_or(())?;
            self.homes.swap(0, thread);
        }
        let away: Vec<usize> =
            (1..self.homes.len()).filter(|thread| self.cpu(*thread) != at[*thread]).collect();
        // Who is brought home tells so at the end of a region only: the next look must not be earlier.
        self.pause = if away.is_empty() { self.pause / 2 } else { 2 * self.pause }.clamp(1, PAUSE);
        self.wait = if away.is_empty() { self.pause } else { self.pause + 1 };
        Ok(away)
    }

    /// The home of a thread
    pub(crate) fn cpu(&self, thread: usize) -> usize {
        self.cpus[self.homes[thread]]
    }

    /// The number of a thread's home among all: its part of a region
    pub(crate) fn part(&self, thread: usize) -> usize {
        self.homes[thread]
    }

    /// How many threads there are
    pub(crate) fn len(&self) -> usize {
        self.homes.len()
    }

    /// All processors
    pub(crate) fn cpus(&self) -> &[usize] {
        &self.cpus
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(homes: &Homes) -> Vec<usize> {
        (0..homes.len()).map(|thread| homes.part(thread)).collect()
    }

    #[test]
    fn who_shares_a_processor_gets_a_free_one() {
        let homes = Homes::new(vec![2, 3, 5, 7], &[3, 3, 7, 3]).expect("3 is allowed");
        assert_eq!(parts(&homes), [1, 0, 3, 2]);
        assert!(Homes::new(vec![2, 3], &[4, 2]).is_none());
    }

    #[test]
    fn a_caller_that_moves_trades_places() {
        let mut homes = Homes::new(vec![2, 3, 5], &[3, 2, 5]).expect("3 is allowed");
        assert_eq!(homes.look(&[3, 2, 5]), Ok(vec![]));
        assert_eq!(homes.look(&[5, 2, 5]), Ok(vec![2]));
        assert_eq!((parts(&homes), homes.cpu(2)), (vec![2, 0, 1], 3));
        assert_eq!(homes.look(&[4, 2, 5]), Err(()));
    }

    #[test]
    fn looks_become_rare_where_threads_leave() {
        let mut homes = Homes::new(vec![0, 1], &[0, 1]).expect("0 is allowed");
        let mut looks = 0;
        for _ in 0..1000 {
            if homes.due() {
                looks += 1;
                assert_eq!(homes.look(&[0, 0]), Ok(vec![1]));
            }
        }
        assert!(looks < 12, "{looks}");
    }

    #[test]
    fn a_thread_is_kept_where_it_is() {
        let cpus = allowed();
        let Some(here) = here().filter(|_| !cpus.is_empty()) else {
            eprintln!("skipped: processors of threads are not known here");
            return;
        };
        assert!(cpus.contains(&here));
        assert!(keep(this_thread(), &cpus));
        assert_eq!(allowed(), cpus);
    }
}
