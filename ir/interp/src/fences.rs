//! What fences order between members that meet in atomic updates.
//!
//! A fence *releases*: what its thread has done, and what the threads of its block had done before their last barrier. The thread's
//! next atomic updates publish this at the element, with all that the block has acquired itself: the order is transitive. A thread that
//! has updated the element afterwards *acquires* what it found there by a fence of its own; the other threads of its block do by
//! their next barrier. So a fence that is missing on either side, or a barrier, leaves two uses unordered.

use terrace_support::HashMap;

/// Number of a stamp; 0 is "outside of all teams"
pub(crate) type StampId = u32;

/// A thread of a block in an epoch
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Point {
    /// The block's team of threads
    pub(crate) team: u32,
    pub(crate) epoch: u32,
    pub(crate) member: u64,
    /// Its stamp: what this thread does in this epoch later has a greater one
    pub(crate) stamp: StampId,
}

impl Point {
    /// Is what happened at `self` before what a fence at `fence` released?
    fn is_released_by(&self, fence: &Point) -> bool {
        self.team == fence.team
            && (self.epoch < fence.epoch
                || self.epoch == fence.epoch && self.member == fence.member && self.stamp <= fence.stamp)
    }

    /// Does what a fence at `fence` acquired happen before `self`, which comes after it in time?
    fn is_behind(&self, fence: &Point) -> bool {
        self.team == fence.team
            && (self.epoch > fence.epoch || self.epoch == fence.epoch && self.member == fence.member)
    }
}

/// Releases that updates of an element have published
pub(crate) type Published = HashMap<usize, Vec<Point>>;

/// Fences of the threads that run
#[derive(Debug, Default)]
pub(crate) struct Fences {
    /// By thread: its last release
    released: HashMap<(u32, u64), Point>,
    /// By thread: what it has found at elements that it updated
    found: HashMap<(u32, u64), Vec<Point>>,
    /// By block: what has been acquired, and by which fence
    acquired: HashMap<u32, Vec<(Point, Point)>>,
}

impl Fences {
    /// Has no thread passed a fence?
    pub(crate) fn is_empty(&self) -> bool {
        self.released.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        if !self.is_empty() {
            *self = Fences::default();
        }
    }

    /// A thread passes a fence
    pub(crate) fn pass(&mut self, at: Point) {
        let thread = (at.team, at.member);
        if let Some(found) = self.found.remove(&thread) {
            self.acquired.entry(at.team).or_default().extend(found.into_iter().map(|point| (point, at)));
        }
        self.released.insert(thread, at);
    }

    /// A thread updates an element atomically: it finds what others have published there, and publishes its own
    pub(crate) fn update(&mut self, at: Point, element: usize, published: &mut Published) {
        let thread = (at.team, at.member);
        let there = published.entry(element).or_default();
        let add = |list: &mut Vec<Point>, point: Point| {
            if !list.contains(&point) {
                list.push(point);
            }
        };
        let found = self.found.entry(thread).or_default();
        there.iter().for_each(|point| add(found, *point));
        if let Some(own) = self.released.get(&thread) {
            add(there, *own);
            let acquired = self.acquired.get(&at.team).into_iter().flatten();
            acquired.filter(|(_, fence)| own.is_behind(fence)).for_each(|(point, _)| add(there, *point));
        }
    }

    /// Is what happened at `first` ordered before what happens at `now`?
    pub(crate) fn order(&self, first: &Point, now: &Point) -> bool {
        let acquired = self.acquired.get(&now.team).into_iter().flatten();
        acquired.into_iter().any(|(released, fence)| first.is_released_by(released) && now.is_behind(fence))
    }
}
