//! Access groups: reads of one buffer whose index maps have the same linear part.
//!
//! Reads that differ by constants only are served by one tile; others need tiles of their own. A schedule has an entry per
//! buffer, which is an entry of each of its groups, or an entry per group.

use crate::schedule::Schedule;
use terrace_support::affine::AffineMap;

/// Access groups of a computation
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Groups {
    /// The buffer of each group
    pub buffers: Vec<usize>,
    /// The group of each read
    pub of: Vec<usize>,
}

/// Coefficients of an index map; none where it has quotients
fn linear(map: &AffineMap) -> Option<Vec<Vec<i64>>> {
    let along = |expr: &terrace_support::affine::AffineExpr| {
        let linear = expr.as_linear()?;
        Some((0..map.dims as usize).map(|dim| linear.dim(dim)).collect())
    };
    map.results.iter().map(along).collect()
}

impl Groups {
    /// Of reads: which buffer, and where, in order
    pub fn of<'a>(reads: impl IntoIterator<Item = (usize, Option<&'a AffineMap>)>) -> Groups {
        let parts: Vec<_> =
            reads.into_iter().map(|(buffer, map)| (buffer, map.map(linear).unwrap_or_default())).collect();
        let mut known = Vec::new();
        for part in &parts {
            if !known.contains(part) {
                known.push(part.clone());
            }
        }
        known.sort_by_key(|(buffer, _)| *buffer);
        let place = |part| known.iter().position(|other| other == part).unwrap_or(0);
        Groups {
            of: parts.iter().map(place).collect(),
            buffers: known.iter().map(|(buffer, _)| *buffer).collect(),
        }
    }

    /// Number of buffers
    pub fn count(&self) -> usize {
        self.buffers.last().map_or(0, |last| last + 1)
    }

    /// Has a buffer several groups?
    pub fn split(&self) -> bool {
        self.count() < self.buffers.len()
    }

    /// Are so many entries one per group, where groups are not buffers?
    pub fn one_each(&self, entries: usize) -> bool {
        self.split() && entries == self.buffers.len()
    }

    /// Names of the groups: those of buffers, with a number where a buffer has several
    pub fn names<'a>(&self, buffers: &[Option<&'a str>]) -> Vec<Option<std::borrow::Cow<'a, str>>> {
        let number = |n: usize| self.buffers[..=n].iter().filter(|other| **other == self.buffers[n]).count();
        let several = |buffer: usize| self.buffers.iter().filter(|other| **other == buffer).count() > 1;
        let name = |n: usize| {
            let (buffer, name) = (self.buffers[n], buffers.get(self.buffers[n]).copied().flatten()?);
            Some(if several(buffer) { format!("{name}.{}", number(n)).into() } else { name.into() })
        };
        (0..self.buffers.len()).map(name).collect()
    }

    /// A schedule with an entry per group, where it has one per buffer
    pub fn expand(&self, schedule: &Schedule) -> Schedule {
        let mut expanded = schedule.clone();
        for step in expanded.steps.iter_mut().filter(|step| step.ins.len() == self.count()) {
            step.ins = self.buffers.iter().map(|buffer| step.ins[*buffer].clone()).collect();
        }
        expanded
    }

    /// A schedule with an entry per buffer, if its groups have the same everywhere
    pub fn merge(&self, schedule: Schedule) -> Schedule {
        let first = |buffer: usize| self.buffers.iter().position(|other| *other == buffer);
        let alike = schedule.steps.iter().all(|step| {
            let mut entries = step.ins.iter().zip(&self.buffers);
            entries.all(|(entry, buffer)| first(*buffer).is_some_and(|first| step.ins[first] == *entry))
        });
        if !self.split() || !alike {
            return schedule;
        }
        let mut merged = schedule;
        for step in &mut merged.steps {
            step.ins = (0..self.count()).filter_map(first).map(|first| step.ins[first].clone()).collect();
        }
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Step;
    use terrace_support::affine::AffineExpr;

    fn map(results: &[(u32, i64)]) -> AffineMap {
        let along = |(dim, by): &(u32, i64)| AffineExpr::add(AffineExpr::Dim(*dim), (*by).into());
        AffineMap::new(3, 0, results.iter().map(along).collect()).expect("small")
    }

    /// A[i, k], B[k], A[j, k], A[i + 1, k]
    fn groups() -> Groups {
        let maps = [map(&[(0, 0), (2, 0)]), map(&[(2, 0)]), map(&[(1, 0), (2, 0)]), map(&[(0, 1), (2, 0)])];
        Groups::of([0, 1, 0, 0].into_iter().zip(maps.iter().map(Some)))
    }

    #[test]
    fn reads_that_differ_by_constants_are_one_group() {
        let groups = groups();
        assert_eq!((groups.of.as_slice(), groups.buffers.as_slice()), (&[0, 2, 1, 0][..], &[0, 0, 1][..]));
        let names = groups.names(&[Some("A"), Some("B")]);
        assert_eq!(names.iter().flatten().collect::<Vec<_>>(), ["A.1", "A.2", "B"]);
        assert!(groups.split());
    }

    #[test]
    fn names_are_of_groups_where_a_step_has_an_entry_for_each() {
        let fit = |text: &str| {
            let schedule = crate::OpenSchedule::read(text).expect("well formed");
            let found = schedule.names_fit(&[Some("A"), Some("B")], &groups(), &[Some("C")]);
            found.map_err(|error| (error.at.start, error.to_string()))
        };
        let steps = "1: (1,1,1) (A:L2,B:^ ; C:^) (^,^,^) 2: (1,1,1) (A.1:L2,A.2:^,B:L1 ; C:^) (^,^,^)";
        assert_eq!(fit(steps), Ok(()));
        let (at, message) = fit(&steps.replace("A.1", "A.2")).expect_err("the other group");
        assert_eq!(&steps[at..at + 3], "A.1");
        assert_eq!(message, "step 2: S-BUF: `A.2` stands where `A.1` belongs; entries are A.1,A.2,B ; C");
        let (_, message) = fit(&steps.replace("(A:", "(A.1:")).expect_err("one per buffer");
        assert_eq!(message, "step 1: S-BUF: there is no buffer `A.1`; entries are A,B ; C");
    }

    #[test]
    fn entries_of_buffers_are_entries_of_their_groups() {
        let groups = groups();
        let schedule = |text: &str| Schedule { steps: vec![text.parse::<Step>().expect("well formed")] };
        let (short, long) = ("1: (1,1,1) (L2,^ ; ^) (^,^,^)", "1: (1,1,1) (L2,L2,^ ; ^) (^,^,^)");
        assert_eq!(groups.expand(&schedule(short)), schedule(long));
        assert_eq!(groups.merge(schedule(long)), schedule(short));
        let own = schedule("1: (1,1,1) (L2,^,^ ; ^) (^,^,^)");
        assert_eq!((groups.expand(&own), groups.merge(own.clone())), (own.clone(), own));
    }
}
