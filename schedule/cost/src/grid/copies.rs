//! Copies that threads run together: in the order of device memory, as `sched-to-scf` walks them.

use super::kernel::{Counts, Kernel, Side};
use terrace_devices::Per;
use terrace_schedule_model::nest::{Access, AccessId, LoopId, Meeting};

/// Most rounds that are unrolled as a whole
const UNROLLED: i64 = 16;

/// Rounds of a batch where there are more
const BATCH: i64 = 8;

/// Both sides of a copy, and the share of a thread
struct Shared<'a> {
    to: (AccessId, &'a Access),
    from: Option<(AccessId, &'a Access)>,
    /// Dimensions, the fastest last
    order: Vec<usize>,
    /// Elements of a lane's request
    lanes: i64,
    members: i64,
    total: i64,
}

/// Count all of them; registers that hold elements on their way
pub(super) fn count(kernel: &Kernel<'_>, counts: &mut Counts) -> i64 {
    let mut places: Vec<Option<LoopId>> = Vec::new();
    let (mut steps, mut most) = (1.0f64, 0);
    for meeting in &kernel.nest.meetings {
        if !places.contains(&meeting.around.inside) {
            places.push(meeting.around.inside);
        }
    }
    for place in places {
        let here = kernel.nest.meetings.iter().filter(|meeting| meeting.around.inside == place);
        let copies: Vec<Shared<'_>> = here.filter_map(|meeting| Shared::of(kernel, meeting)).collect();
        let times = kernel.trips(&kernel.place(place).run);
        copies.iter().for_each(|copy| copy.requests(kernel, times, counts));
        let waits =
            copies.iter().filter(|copy| copy.loads_device(kernel)).map(Shared::waits).max().unwrap_or(0);
        let ahead = kernel.nest.around(place).find_map(|id| kernel.nest.loops[id].stages).unwrap_or(1) > 1;
        // The first round's loads are waited for in any case.
        let rounds = if ahead { waits as f64 } else { waits as f64 * times };
        let barriers = times * if ahead { 1.0 } else { 2.0 };
        counts.rounds += rounds;
        counts.barriers += barriers;
        let latency = &kernel.device.costs.latency;
        counts.exposed += rounds * latency.staged + barriers * latency.shared;
        steps = steps.max(times);
        let words = copies.iter().map(|copy| copy.in_flight(kernel)).sum::<i64>();
        most = most.max(words);
    }
    counts.steps = steps;
    most
}

impl<'a> Shared<'a> {
    fn of(kernel: &'a Kernel<'_>, meeting: &Meeting) -> Option<Shared<'a>> {
        let to = &kernel.nest.nest.accesses[meeting.access];
        let from = kernel.nest.nest.accesses.entries();
        let mut from = from.filter(|(_, other)| other.copy && other.reads() && other.place == to.place);
        let members = match meeting.per {
            Some(Per::Warp) => kernel.subgroup().min(kernel.threads()),
            _ => kernel.threads(),
        };
        let mut copy = Shared {
            to: (meeting.access, to),
            from: from.next(),
            order: (0..to.domain.len()).collect(),
            lanes: kernel.bodies.lanes.get(&to.place).copied().unwrap_or(1).max(1),
            members,
            total: to.domain.iter().fold(1i64, |all, size| all.saturating_mul(*size)),
        };
        let mut sides = copy.from.into_iter().chain([copy.to]);
        if let Some((_, outside)) = sides.find(|(_, access)| kernel.side(access) == Some(Side::Device)) {
            let strides: Vec<u64> = (0..to.domain.len()).map(|dim| stride(kernel, outside, dim)).collect();
            copy.order.sort_by_key(|dim| std::cmp::Reverse(strides[*dim]));
        }
        Some(copy)
    }

    /// Rounds of a thread
    fn rounds(&self) -> i64 {
        (self.total.max(1) as u64).div_ceil((self.members * self.lanes).max(1) as u64) as i64
    }

    /// Groups of loads that wait for each other
    fn waits(&self) -> i64 {
        let rounds = self.rounds();
        if rounds <= UNROLLED { 1 } else { (rounds as u64).div_ceil(BATCH as u64) as i64 }
    }

    fn loads_device(&self, kernel: &Kernel<'_>) -> bool {
        self.from.is_some_and(|(_, from)| kernel.side(from) == Some(Side::Device))
    }

    /// Words of a thread between its loads and its stores
    fn in_flight(&self, kernel: &Kernel<'_>) -> i64 {
        let (rounds, bytes) = (self.rounds(), kernel.nest.buffer_of(self.to.1).bytes);
        let held = if rounds <= UNROLLED { rounds } else { BATCH };
        (held * self.lanes * bytes.max(4)) / 4
    }

    /// A copy's own variables at an element's number
    fn element(&self, mut number: i64) -> Option<Vec<i64>> {
        if number >= self.total {
            return None;
        }
        let domain = &self.to.1.domain;
        let mut own = vec![0; domain.len()];
        for dim in self.order.iter().rev() {
            own[*dim] = number % domain[*dim].max(1);
            number /= domain[*dim].max(1);
        }
        Some(own)
    }

    fn requests(&self, kernel: &Kernel<'_>, times: f64, counts: &mut Counts) {
        // On average over the warps of the block: a small copy leaves some out.
        let rounds = self.total as f64 / (self.members * self.lanes) as f64;
        for (id, access) in self.from.into_iter().chain([self.to]) {
            let Some(side) = kernel.side(access) else { continue };
            let own = kernel.nest.buffer_of(access).bytes;
            let fastest = self.order.last().copied().unwrap_or(0);
            let wide = self.lanes > 1 && stride(kernel, access, fastest) == own as u64;
            let (bytes, each) = if wide { (own * self.lanes, 1.0) } else { (own, self.lanes as f64) };
            let lanes = kernel.lanes(access, &|lane| self.element(lane * self.lanes), &|_| Some(0));
            let count = times * rounds * each;
            counts.requests.push(kernel.request(id, side, bytes, &lanes, count));
            counts.addresses += count;
        }
    }
}

/// Bytes between neighbors along a variable of a copy; the most where it does not move
fn stride(kernel: &Kernel<'_>, access: &Access, dim: usize) -> u64 {
    let mut next = vec![0; access.domain.len()];
    if let Some(one) = next.get_mut(dim) {
        *one = 1;
    }
    let at = |_: LoopId| Some(0);
    let both = kernel.address(access, &[], &at).zip(kernel.address(access, &next, &at));
    match both.map_or(0, |(first, next)| (next - first).unsigned_abs()) {
        0 => u64::MAX,
        stride => stride,
    }
}
