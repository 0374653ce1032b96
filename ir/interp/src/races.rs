//! Who used an element last: finds accesses of two members that nothing orders.
//!
//! A *stamp* is a place in the nest of teams: a member of a team in an epoch, inside a member of another team, and so
//! on. Two stamps are unordered iff, in the outermost team where their members differ, the epochs are the same. An element
//! remembers its last plain write, two reads and two atomic uses; that is enough: of several unordered uses the two that
//! part in the outermost team stand for all, because whoever is unordered with a third is unordered with one of them.
//!
//! Asynchronous work is an outermost team of its own: member 0 is the host, the others are [`Tasks`], and these order the
//! members. There no two uses stand for all, so those of other tasks are kept aside.
//!
//! Fences order members of different blocks (`fences`). From the first fence on all uses are kept, since fences order some of those that
//! would stand for others. A write still stands for what was before it: the order is transitive.
//!
//! Stamps and teams are dropped when the outermost team ends, with tasks when the host has waited for all of them:
//! everything after is ordered behind.
//!
//! Not seen: uses of memory by the member that allocated it (no other member can reach it except through memory of memory).

use crate::fences::{Fences, Point, Published, StampId};
use crate::lists::filled;
use crate::tasks::Tasks;
use crate::team::{Level, TeamSpec};
use std::sync::Arc;
use terrace_support::HashMap;

/// Most stamps and teams inside of one outermost team
const MOST: usize = 1 << 28;
/// Numbers start again when an outermost team ends behind this one; what is left fits `MOST`
const FRESH: u32 = 1 << 31;

#[derive(Clone, Copy, Debug)]
struct Stamp {
    team: u32,
    epoch: u32,
    member: u64,
}

#[derive(Debug)]
struct Info {
    parent: StampId,
    depth: u32,
    /// The first instance of the same team: epochs of outer teams make new ones
    lineage: u32,
    spec: Arc<TeamSpec>,
}

/// How an element is used
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Read,
    Write,
    Atomic,
}

impl Use {
    fn text(self) -> &'static str {
        match self {
            Use::Read => "a read",
            Use::Write => "a write",
            Use::Atomic => "an atomic update",
        }
    }
}

/// A member of a team whatever the epoch: who owns memory
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    lineage: u32,
    member: u64,
}

impl Owner {
    pub(crate) const NOBODY: Owner = Owner { lineage: u32::MAX, member: 0 };
}

/// All stamps of the teams that run
#[derive(Debug, Default)]
pub(crate) struct Races {
    stamps: Vec<Stamp>,
    stamps_base: u32,
    teams: Vec<Info>,
    teams_base: u32,
    /// Stamp of the running work, made on demand
    current: Option<StampId>,
    place: Option<Stamp>,
    depth: u32,
    /// How often numbers have started again
    generation: u32,
    pub(crate) had_teams: bool,
    /// Number of the op that runs
    pub(crate) op: u32,
    conflict: Option<(Mark, Use, Use)>,
    tasks: Tasks,
    /// The team of the host and the tasks, while there are tasks
    of_tasks: Option<u32>,
    fences: Fences,
}

/// A use: who, and by which op
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Mark {
    stamp: StampId,
    /// Number of the op, as the machine counts them
    op: u32,
}

/// What an allocation remembers of its elements; each list is made when it is needed
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    generation: u32,
    writes: Vec<Mark>,
    reads: Vec<[Mark; 2]>,
    atomics: Vec<[Mark; 2]>,
    /// Reads and atomic uses by other tasks than the last one's, by element; a read is `false`
    aside: HashMap<(usize, bool), Vec<Mark>>,
    /// What updates have published behind fences, by element
    published: Published,
}

/// None where memory ends
fn cell<T: Copy + Default>(list: &mut Vec<T>, at: usize, len: usize) -> Option<&mut T> {
    if list.is_empty() {
        *list = filled(len, T::default())?;
    }
    list.get_mut(at)
}

fn get<T: Copy + Default>(list: &[T], at: usize) -> T {
    list.get(at).copied().unwrap_or_default()
}

impl Races {
    /// Does a team run?
    #[inline]
    pub(crate) fn active(&self) -> bool {
        self.place.is_some()
    }

    /// A team below the current place
    pub(crate) fn new_team(&mut self, spec: &Arc<TeamSpec>) -> u32 {
        self.had_teams = true;
        let parent = self.stamp();
        self.instance(parent, self.depth + u32::from(self.place.is_some()), None, spec.clone())
    }

    fn instance(&mut self, parent: StampId, depth: u32, lineage: Option<u32>, spec: Arc<TeamSpec>) -> u32 {
        // Number 0 is never given: ids start at 1.
        let id = self.teams_base + self.teams.len() as u32 + 1;
        self.teams.push(Info { parent, depth, lineage: lineage.unwrap_or(id), spec });
        id
    }

    /// The same team after its surroundings have entered another epoch; its parent is the current place
    pub(crate) fn renew(&mut self, team: u32) -> u32 {
        let (depth, lineage, spec) = {
            let info = self.info(team);
            (info.depth, info.lineage, info.spec.clone())
        };
        let parent = self.stamp();
        self.instance(parent, depth, Some(lineage), spec)
    }

    fn info(&self, team: u32) -> &Info {
        &self.teams[(team - self.teams_base - 1) as usize]
    }

    /// A member of a team runs from now on
    pub(crate) fn enter(&mut self, team: u32, member: u64, epoch: u32) {
        self.place = Some(Stamp { team, epoch, member });
        self.current = None;
        self.depth = self.info(team).depth;
    }

    /// The innermost team has ended: its parent runs on
    pub(crate) fn leave(&mut self, team: u32) {
        let parent = self.info(team).parent;
        if parent == 0 {
            self.reset();
            return;
        }
        let stamp = self.stamps[(parent - self.stamps_base - 1) as usize];
        self.place = Some(stamp);
        self.current = Some(parent);
        self.depth = self.info(stamp.team).depth;
    }

    /// The host starts a task behind others, and it runs now: its number
    ///
    /// Only the host itself can: in a team nothing is asynchronous.
    pub(crate) fn begin_task(&mut self, behind: &[u64], word: &'static str) -> u64 {
        let number = self.tasks.start(behind, word);
        let team = match self.of_tasks {
            Some(team) => team,
            None => {
                self.had_teams = true;
                let spec = Arc::new(TeamSpec::new(Level::Loop, "task", vec![u64::MAX]));
                let team = self.instance(0, 0, None, spec);
                *self.of_tasks.insert(team)
            }
        };
        self.enter(team, number, 0);
        number
    }

    /// The task that runs has been run: the host goes on
    pub(crate) fn end_task(&mut self) {
        if let Some(team) = self.of_tasks {
            self.enter(team, 0, 0);
        }
    }

    /// The host has waited for tasks
    pub(crate) fn wait_for(&mut self, numbers: &[u64]) {
        self.tasks.wait_for(numbers);
        if self.of_tasks.is_some() && !self.tasks.any() {
            self.reset();
        }
    }

    /// Does the host run while tasks may?
    pub(crate) fn any_tasks(&self) -> bool {
        self.of_tasks.is_some()
    }

    /// The task of a stamp, 0 of the host and outside of tasks
    fn task_of(&self, stamp: StampId) -> u64 {
        let mut at = self.read(stamp);
        while let Some(stamp) = at {
            if Some(stamp.team) == self.of_tasks {
                return stamp.member;
            }
            at = self.read(self.info(stamp.team).parent);
        }
        0
    }

    /// All teams have ended: everything later is ordered behind what they did
    pub(crate) fn reset(&mut self) {
        self.tasks.forget();
        self.fences.clear();
        self.of_tasks = None;
        self.stamps_base += self.stamps.len() as u32;
        self.stamps.clear();
        self.teams_base += self.teams.len() as u32;
        self.teams.clear();
        (self.place, self.current, self.depth) = (None, None, 0);
        if self.stamps_base > FRESH || self.teams_base > FRESH {
            (self.stamps_base, self.teams_base) = (0, 0);
            self.generation = self.generation.wrapping_add(1);
        }
    }

    /// Are there more stamps or teams than fit into memory and numbers?
    #[inline]
    pub(crate) fn full(&mut self) -> bool {
        // Room for the next one is made here, where a lack of it can be said.
        let room = self.stamps.len() < self.stamps.capacity() || self.stamps.try_reserve(1).is_ok();
        let room = room && (self.teams.len() < self.teams.capacity() || self.teams.try_reserve(1).is_ok());
        !room || self.stamps.len() > MOST || self.teams.len() > MOST || self.tasks.full()
    }

    /// Stamp of what runs now
    #[inline]
    pub(crate) fn stamp(&mut self) -> StampId {
        if let Some(id) = self.current {
            return id;
        }
        let Some(place) = self.place else { return 0 };
        self.stamps.push(place);
        let id = self.stamps_base + self.stamps.len() as u32;
        self.current = Some(id);
        id
    }

    fn read(&self, id: StampId) -> Option<Stamp> {
        if id <= self.stamps_base {
            None
        } else {
            self.stamps.get((id - self.stamps_base - 1) as usize).copied()
        }
    }

    /// Who would own memory allocated now
    pub(crate) fn owner(&self) -> Owner {
        match self.place {
            None => Owner::NOBODY,
            // Memory of the host is everybody's.
            Some(place) if Some(place.team) == self.of_tasks => Owner::NOBODY,
            Some(place) => Owner { lineage: self.info(place.team).lineage, member: place.member },
        }
    }

    /// Is what runs now inside of this member?
    pub(crate) fn is_inside(&self, owner: Owner) -> bool {
        let mut at = self.place;
        while let Some(stamp) = at {
            let info = self.info(stamp.team);
            if info.lineage == owner.lineage && stamp.member == owner.member {
                return true;
            }
            at = self.read(info.parent);
        }
        owner == Owner::NOBODY
    }

    /// Is it inside of a kernel?
    pub(crate) fn in_grid(&self) -> bool {
        let mut at = self.place;
        while let Some(stamp) = at {
            let info = self.info(stamp.team);
            if info.spec.level == Level::Grid {
                return true;
            }
            at = self.read(info.parent);
        }
        false
    }

    /// Depth of the team in which two stamps part unordered, the earlier one first
    fn parting(&self, a: StampId, b: StampId) -> Option<u32> {
        let (mut a, mut b) = (self.read(a)?, self.read(b)?);
        while a.team != b.team {
            let (x, y) = (self.info(a.team), self.info(b.team));
            let (up_a, up_b) = (x.depth >= y.depth, y.depth >= x.depth);
            if up_a {
                a = self.read(x.parent)?;
            }
            if up_b {
                b = self.read(y.parent)?;
            }
        }
        if Some(a.team) == self.of_tasks {
            return (a.member != b.member && !self.tasks.ordered(a.member, b.member)).then_some(0);
        }
        // In the same member they are ordered as it runs; so they are on the two sides of a barrier.
        (a.member != b.member && a.epoch == b.epoch).then(|| self.info(a.team).depth)
    }

    /// The thread of a block that a stamp belongs to
    fn thread_of(&self, id: StampId) -> Option<Point> {
        let mut at = self.read(id);
        while let Some(stamp) = at {
            let info = self.info(stamp.team);
            if info.spec.level == Level::Block {
                let Stamp { epoch, member, .. } = stamp;
                return Some(Point { team: info.lineage, epoch, member, stamp: id });
            }
            at = self.read(info.parent);
        }
        None
    }

    /// The thread that runs passes a fence; what it does from here on has another stamp
    pub(crate) fn fence(&mut self) {
        let stamp = self.stamp();
        if let Some(at) = self.thread_of(stamp) {
            self.fences.pass(at);
            self.current = None;
        }
    }

    /// The thread that runs updates an element: fences on both sides of updates order what is around them
    fn publish(&mut self, shadow: &mut Shadow, at: usize, now: StampId) {
        if self.fences.is_empty() {
            return shadow.published.clear();
        }
        if let Some(point) = self.thread_of(now) {
            self.fences.update(point, at, &mut shadow.published);
        }
    }

    /// Do fences order two uses, the earlier one first?
    fn fenced(&self, first: StampId, now: StampId) -> bool {
        if self.fences.is_empty() {
            return false;
        }
        let threads = self.thread_of(first).zip(self.thread_of(now));
        threads.is_some_and(|(first, now)| self.fences.order(&first, &now))
    }

    /// Note a use of an element; false if it conflicts with an earlier one, nothing where memory ends
    pub(crate) fn note(&mut self, shadow: &mut Shadow, at: usize, len: usize, how: Use) -> Option<bool> {
        if shadow.generation != self.generation {
            *shadow = Shadow { generation: self.generation, ..Shadow::default() };
        }
        let now = Mark { stamp: self.stamp(), op: self.op };
        let wrote = get(&shadow.writes, at);
        if wrote == now && how == Use::Write {
            return Some(true);
        }
        let mut clash = None;
        let mut against = |races: &Races, other: Mark, what: Use| {
            let parts = || races.parting(other.stamp, now.stamp).is_some();
            if other.stamp != 0
                && other.stamp != now.stamp
                && parts()
                && !races.fenced(other.stamp, now.stamp)
            {
                clash = Some((other, what, how));
            }
        };
        against(self, wrote, Use::Write);
        for (what, list) in [(Use::Read, &shadow.reads), (Use::Atomic, &shadow.atomics)] {
            if how == what {
                continue;
            }
            for other in get(list, at) {
                against(self, other, what);
            }
            if let Some(aside) = shadow.aside.get(&(at, what == Use::Atomic)) {
                aside.iter().for_each(|other| against(self, *other, what));
            }
        }
        if clash.is_some() {
            self.conflict = clash;
            return Some(false);
        }
        match how {
            Use::Write => {
                *cell(&mut shadow.writes, at, len)? = now;
                // They are ordered before this write, which stands for them from now on.
                if !shadow.reads.is_empty() {
                    shadow.reads[at] = Default::default();
                }
                if !shadow.atomics.is_empty() {
                    shadow.atomics[at] = Default::default();
                }
                if !shadow.aside.is_empty() {
                    shadow.aside.remove(&(at, false));
                    shadow.aside.remove(&(at, true));
                }
            }
            Use::Read | Use::Atomic => {
                let atomic = how == Use::Atomic;
                let list = if atomic { &mut shadow.atomics } else { &mut shadow.reads };
                let kept = cell(list, at, len)?;
                if !self.fences.is_empty() {
                    // Fences order some members and not others, so no two uses stand for all.
                    shadow.aside.entry((at, atomic)).or_default().push(now);
                }
                if self.of_tasks.is_some() {
                    self.put_aside(kept, &mut shadow.aside, (at, atomic), now);
                }
                self.keep(kept, now);
                if atomic {
                    self.publish(shadow, at, now.stamp);
                }
            }
        }
        Some(true)
    }

    /// Make room for a use by another task: what is ordered before it is stood for by it, the rest is kept aside
    fn put_aside(
        &self,
        kept: &mut [Mark; 2],
        aside: &mut HashMap<(usize, bool), Vec<Mark>>,
        key: (usize, bool),
        now: Mark,
    ) {
        let task = self.task_of(now.stamp);
        if kept[0].stamp == 0 || self.task_of(kept[0].stamp) == task {
            return;
        }
        let list = aside.entry(key).or_default();
        list.extend(std::mem::take(kept));
        list.retain(|mark| mark.stamp != 0 && self.parting(mark.stamp, now.stamp).is_some());
    }

    /// Of three uses keep two that stand for all
    fn keep(&self, kept: &mut [Mark; 2], now: Mark) {
        let [first, second] = *kept;
        if first.stamp == now.stamp || second.stamp == now.stamp {
            return;
        }
        let Some(with_first) = self.parting(first.stamp, now.stamp) else {
            // What is ordered before this use is stood for by it. The second may be stood for by it too.
            let second =
                if self.parting(second.stamp, now.stamp).is_some() { second } else { Mark::default() };
            *kept = [now, second];
            return;
        };
        let Some(_) = self.parting(second.stamp, now.stamp) else {
            kept[1] = now;
            return;
        };
        if self.parting(first.stamp, second.stamp).is_none_or(|depth| with_first < depth) {
            kept[1] = now;
        }
    }

    /// `thread (1, 0, 0) of block (0, 0, 0)`
    pub(crate) fn text(&self, stamp: StampId) -> String {
        let mut parts = Vec::new();
        let mut at = self.read(stamp);
        while let Some(stamp) = at {
            let info = self.info(stamp.team);
            parts.push(match Some(stamp.team) == self.of_tasks {
                true => self.tasks.text(stamp.member),
                false => info.spec.text(stamp.member),
            });
            at = self.read(info.parent);
        }
        parts.join(" of ")
    }

    /// What runs now; nothing outside of teams
    pub(crate) fn here(&mut self) -> String {
        let now = self.stamp();
        self.text(now)
    }

    /// What the last conflict was, and the number of the op on the other side
    pub(crate) fn conflict(&self) -> Option<(String, u32)> {
        let (other, was, is) = self.conflict?;
        let mut text =
            format!("{} here and {} by {} are not ordered", is.text(), was.text(), self.text(other.stamp));
        let (first, then) = (self.task_of(other.stamp), self.current.map_or(0, |now| self.task_of(now)));
        if first != then {
            text += &format!(": {}", self.tasks.advice(first, then));
        }
        Some((text, other.op))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_support::Random;

    /// A use of the one element by a thread of a block in an epoch of the block
    #[derive(Clone, Copy)]
    struct Access {
        block: u64,
        epoch: u32,
        thread: u64,
        how: Use,
    }

    fn conflict(a: Access, b: Access) -> bool {
        let harmless = a.how == b.how && a.how != Use::Write;
        let unordered = a.block != b.block || a.epoch == b.epoch && a.thread != b.thread;
        !harmless && unordered
    }

    /// Two reads and two atomic uses stand for all: the first conflict is found where comparing all pairs finds it
    #[test]
    fn the_first_conflict_is_found() {
        let mut found = [0; 2];
        for seed in 0..20_000 {
            let mut random = Random::new(seed);
            let writes = random.below(4u64);
            let (mut races, mut shadow) = (Races::default(), Shadow::default());
            let spec = |level, word| Arc::new(TeamSpec::new(level, word, vec![3]));
            let grid = races.new_team(&spec(Level::Grid, "block"));
            let mut before: Vec<Access> = Vec::new();
            'all: for block in 0..3 {
                races.enter(grid, block, 0);
                let threads = races.new_team(&spec(Level::Block, "thread"));
                for epoch in 0..2 {
                    for _ in 0..random.below(5) {
                        let how = match random.below(3 + writes) {
                            0 | 1 => Use::Read,
                            2 => Use::Atomic,
                            _ => {
                                if random.below(4) == 0 {
                                    Use::Write
                                } else {
                                    Use::Read
                                }
                            }
                        };
                        let now = Access { block, epoch, thread: random.below(3), how };
                        races.enter(threads, now.thread, epoch);
                        let clean = races.note(&mut shadow, 0, 1, how);
                        let clean = clean.expect("there is memory");
                        assert_eq!(clean, !before.iter().any(|other| conflict(*other, now)), "seed {seed}");
                        found[usize::from(clean)] += 1;
                        if !clean {
                            break 'all;
                        }
                        before.push(now);
                    }
                }
                races.enter(threads, 0, 2);
                races.leave(threads);
            }
        }
        assert!(found.iter().all(|count| *count > 1000), "{found:?}");
    }
}
