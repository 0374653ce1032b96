//! Members of teams take turns.
//!
//! A member that waits is taken off the machine: its part of the stack of calls, of regions, of teams inside of it, and
//! its values of what the op's regions define; all lie above the op that forked. Invariant: a team in `Machine::teams`
//! stands at the activation `frame`/`depth`, and everything above belongs to its current member.

use super::run::Next;
use crate::codes;
use crate::machine::{Activation, Frame, Machine, too_deep};
use crate::team::{Exchange, Level, Order, Permutation, Sync, TeamSpec};
use crate::trap::Trap;
use crate::value::RtValue;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use terrace_ir::{Ir, OpId, Value};

/// Most members of a forked team
const FORKED: u64 = 1 << 20;

/// A team that runs
pub(crate) struct Team<'a> {
    spec: Arc<TeamSpec>,
    count: u64,
    order: Permutation,
    /// Members have stacks of their own
    forked: bool,
    frame: usize,
    depth: usize,
    /// Its number in the notes of who used what, and how often its members have met
    instance: u32,
    epoch: u32,
    started: u64,
    ended: u64,
    current: u64,
    /// What the op's regions define
    values: Rc<[Value]>,
    /// By number of the member; empty until one waits
    waiting: Vec<Option<Box<Waiting<'a>>>>,
    /// Those who may go on, in order
    released: VecDeque<u64>,
    contributions: Vec<Vec<RtValue>>,
    /// Allocations of the current member, of a team in sequence
    pub(crate) locals: Vec<usize>,
    shared: Arc<[RtValue]>,
    /// Of the iterations of a loop nest: lower bounds and steps
    points: Box<[(i64, i64)]>,
}

/// A member that waits
struct Waiting<'a> {
    frames: Vec<Frame<'a>>,
    activations: Vec<Activation>,
    teams: Vec<Team<'a>>,
    slots: Vec<RtValue>,
    sync: Sync,
    ir: &'a Ir,
    op: OpId,
    exchange: Option<Exchange>,
    released: bool,
}

/// Where something runs in a team
#[derive(Clone, Debug)]
pub struct TeamMember {
    /// Number of the member
    pub member: u64,
    /// The team
    pub spec: Arc<TeamSpec>,
    /// What [`Machine::set_shared`] has set
    pub shared: Arc<[RtValue]>,
}

impl TeamMember {
    /// Coordinates of the member
    pub fn coordinates(&self) -> Vec<u64> {
        self.spec.coordinates(self.member)
    }

    /// Number of members
    pub fn count(&self) -> u64 {
        self.spec.count().unwrap_or(0)
    }
}

impl Team<'_> {
    pub(crate) fn level(&self) -> Level {
        self.spec.level
    }

    pub(crate) fn frame(&self) -> usize {
        self.frame
    }

    /// Frame and activation of the op, if members have stacks of their own
    pub(crate) fn forked_at(&self) -> Option<(usize, usize)> {
        self.forked.then_some((self.frame, self.depth))
    }
}

impl<'a> Machine<'a> {
    fn push_team(&mut self, spec: TeamSpec, forked: bool) -> Result<(), Trap> {
        let limit = || Trap::new(&codes::LIMIT, "too many members");
        let count = spec.count().ok_or_else(limit)?;
        let most = if forked { FORKED } else { u64::MAX };
        if count > most || self.memory().races.full() || self.teams.len() >= self.options.depth {
            return Err(limit());
        }
        let spec = Arc::new(spec);
        let instance = self.memory().races.new_team(&spec);
        let values = if forked { self.defined_inside() } else { Rc::from([]) };
        self.teams.push(Team {
            order: Permutation::new(self.options.order, count),
            spec,
            count,
            forked,
            frame: self.frames.len() - 1,
            depth: self.frame().activations.len() - 1,
            instance,
            epoch: 0,
            started: 0,
            ended: 0,
            current: 0,
            values,
            waiting: Vec::new(),
            released: VecDeque::new(),
            contributions: Vec::new(),
            locals: Vec::new(),
            shared: Arc::from([]),
            points: Box::default(),
        });
        Ok(())
    }

    /// Values that the regions of the current op define
    fn defined_inside(&self) -> Rc<[Value]> {
        let (ir, op) = (self.ir(), self.op());
        let mut all = Vec::new();
        for owner in std::iter::once(op).chain(ir.walk_below(op)) {
            if owner != op {
                all.extend(ir.results(owner));
            }
            for block in ir.regions(owner).flat_map(|region| ir.blocks(region)) {
                all.extend_from_slice(ir.block_args(block));
            }
        }
        all.into()
    }

    /// Make a team whose members run one after the other, each with `next_member`
    pub fn open_team(&mut self, spec: TeamSpec) -> Result<(), Trap> {
        self.push_team(spec, false)
    }

    /// The same, running in the order of their numbers whatever [`Options::order`](crate::Options) says: what they do to
    /// memory is combined on the way
    pub fn open_team_in_order(&mut self, spec: TeamSpec) -> Result<(), Trap> {
        self.push_team(spec, false)?;
        let team = self.teams.last_mut().expect("it was made");
        team.order = Permutation::new(Order::Forward, team.count);
        Ok(())
    }

    /// Make a team in sequence of the iterations of a loop nest: a lower bound, an upper bound and a step for each
    /// dimension; with `in_order` they run row by row, whatever [`Options::order`](crate::Options) says, because what they
    /// give is combined on the way. `next_point` goes through them
    pub fn open_points(&mut self, bounds: &[(i64, i64, i64)], in_order: bool) -> Result<(), Trap> {
        let mut sizes = Vec::with_capacity(bounds.len());
        for &(low, high, step) in bounds {
            if step <= 0 {
                return Err(Trap::new(&codes::STEP, "a step of the loop is not positive"));
            }
            let range = (i128::from(high) - i128::from(low)).max(0);
            sizes.push(u64::try_from((range + i128::from(step) - 1) / i128::from(step)).unwrap_or(u64::MAX));
        }
        self.push_team(TeamSpec::new(Level::Loop, "iteration", sizes), false)?;
        let team = self.teams.last_mut().expect("it was made");
        team.points = bounds.iter().map(|(low, _, step)| (*low, *step)).collect();
        if in_order {
            team.order = Permutation::new(Order::Forward, team.count);
        }
        Ok(())
    }

    /// Variables of the next iteration of the team that the current op has opened with `open_points`
    pub fn next_point(&mut self) -> Option<Vec<i64>> {
        let member = self.next_member()?;
        let team = self.teams.last()?;
        let places = team.spec.coordinates(member);
        // In range, since each is below an upper bound.
        let at = |((low, step), place): (&(i64, i64), u64)| low.wrapping_add(step.wrapping_mul(place as i64));
        Some(team.points.iter().zip(places).map(at).collect())
    }

    /// On to the next member of the team that the current op has opened: its number; after the last one the team ends
    pub fn next_member(&mut self) -> Option<u64> {
        let (at, team) = (self.frame().activations.len() - 1, self.teams.last_mut()?);
        if team.forked || (team.frame, team.depth) != (self.frames.len() - 1, at) {
            return None;
        }
        let locals = std::mem::take(&mut team.locals);
        let next = (team.started < team.count).then(|| {
            team.current = team.order.at(team.started);
            team.started += 1;
            team.current
        });
        let (instance, epoch) = (team.instance, team.epoch);
        self.release(locals);
        match next {
            Some(member) => self.memory().races.enter(instance, member, epoch),
            None => {
                self.teams.pop();
                self.memory().races.leave(instance);
            }
        }
        next
    }

    /// The innermost team of a level that runs
    pub fn place(&self, level: Level) -> Option<TeamMember> {
        let team = self.teams.iter().rev().find(|team| team.spec.level == level)?;
        Some(TeamMember { member: team.current, spec: team.spec.clone(), shared: team.shared.clone() })
    }

    /// Values that all inside the innermost team find in its [`TeamMember`], such as the memory of a block
    pub fn set_shared(&mut self, values: Vec<RtValue>) {
        if let Some(team) = self.teams.last_mut() {
            team.shared = values.into();
        }
    }

    /// What those that waited together have shown, after `Step::Sync`
    pub fn exchange(&self) -> Option<&Exchange> {
        self.exchange.as_ref()
    }

    /// What each member of the forked team that has just ended gave, in order; empty if none gave anything
    pub fn contributions(&mut self) -> Vec<Vec<RtValue>> {
        std::mem::take(&mut self.contributions)
    }

    /// Threads of a subgroup
    pub fn subgroup_size(&self) -> u64 {
        self.options.subgroup.max(1)
    }

    pub(crate) fn fork(&mut self, spec: TeamSpec) -> Result<Next, Trap> {
        self.push_team(spec, true)?;
        self.schedule()
    }

    /// The current member of the innermost team has ended
    pub(crate) fn end_member(&mut self, values: Vec<RtValue>) -> Result<Next, Trap> {
        let left = self.frame_mut().activations.pop().expect("a member has an activation");
        self.release(left.locals);
        self.depth_left += 1;
        let Some(team) = self.teams.last_mut().filter(|team| team.forked) else {
            return Err(Trap::new(&codes::INVALID, "a team was left open"));
        };
        team.ended += 1;
        if !values.is_empty() {
            team.contributions.resize(team.count as usize, Vec::new());
            team.contributions[team.current as usize] = values;
        }
        self.schedule()
    }

    /// Choose who runs next in the innermost team
    fn schedule(&mut self) -> Result<Next, Trap> {
        loop {
            let team = self.teams.last_mut().expect("a team is scheduled");
            if let Some(member) = team.released.pop_front() {
                let waiting = team.waiting[member as usize].take().expect("who is released waits");
                team.current = member;
                let (instance, epoch) = (team.instance, team.epoch);
                self.memory().races.enter(instance, member, epoch);
                if self.attach(*waiting)? {
                    continue;
                }
                return Ok(Next::Resume(Vec::new()));
            }
            if team.started < team.count {
                team.current = team.order.at(team.started);
                team.started += 1;
                let (instance, member, epoch) = (team.instance, team.current, team.epoch);
                let depth = team.depth;
                self.memory().races.enter(instance, member, epoch);
                let at = self.frame().activations[depth].at;
                self.push_activation(Activation { at, member: true, ..Activation::default() })?;
                return Ok(Next::Member);
            }
            if team.ended == team.count {
                let team = self.teams.pop().expect("a team is scheduled");
                self.memory().races.leave(team.instance);
                self.contributions = team.contributions;
                return Ok(Next::Resume(Vec::new()));
            }
            self.meet()?;
        }
    }

    /// Take the current member of a team off the machine
    fn detach(&mut self, team: usize, sync: Sync, ir: &'a Ir, op: OpId) {
        let (frame, depth, values) =
            (self.teams[team].frame, self.teams[team].depth, self.teams[team].values.clone());
        let frames = self.frames.split_off(frame + 1);
        let below = &mut self.frames[frame];
        let activations = below.activations.split_off(depth + 1);
        let slots =
            values.iter().map(|value| std::mem::replace(&mut below.values[value.index()], RtValue::Poison));
        let slots = slots.collect();
        self.depth_left +=
            activations.len() + frames.iter().map(|frame| frame.activations.len()).sum::<usize>();
        let teams = self.teams.split_off(team + 1);
        let team = &mut self.teams[team];
        if team.waiting.is_empty() {
            team.waiting.resize_with(team.count as usize, || None);
        }
        let waiting =
            Waiting { frames, activations, teams, slots, sync, ir, op, exchange: None, released: false };
        team.waiting[team.current as usize] = Some(Box::new(waiting));
    }

    /// Put a member back; true if it is a team inside of it that goes on
    fn attach(&mut self, waiting: Waiting<'a>) -> Result<bool, Trap> {
        let team = self.teams.last().expect("a team is scheduled");
        let (frame, values) = (team.frame, team.values.clone());
        let depth: usize = waiting.frames.iter().map(|frame| frame.activations.len()).sum();
        let depth = depth + waiting.activations.len();
        self.depth_left = self.depth_left.checked_sub(depth).ok_or_else(too_deep)?;
        let below = &mut self.frames[frame];
        for (value, slot) in values.iter().zip(waiting.slots) {
            below.values[value.index()] = slot;
        }
        below.activations.extend(waiting.activations);
        self.frames.extend(waiting.frames);
        self.exchange = waiting.exchange;
        let nested = !waiting.teams.is_empty();
        self.teams.extend(waiting.teams);
        if nested && waiting.sync.fence {
            // What its members did before lies in the epoch that has ended around it.
            let old = self.teams.last().expect("it was put back").instance;
            let new = self.memory().races.renew(old);
            self.teams.last_mut().expect("it was put back").instance = new;
        }
        Ok(nested)
    }

    /// The forked team around the innermost one, or the innermost itself, that takes part in waiting at a level
    ///
    /// Parallel loops in between are in the way.
    fn waits_in(&self, outermost: usize, level: Level) -> Result<Option<usize>, Trap> {
        let mut loops = false;
        for (n, team) in self.teams[..outermost].iter().enumerate().rev() {
            if team.spec.level == Level::Loop {
                loops = true;
            } else if team.spec.level > level {
                break;
            } else if !team.forked || loops {
                let message = "an iteration of a parallel loop waits for threads around the loop";
                return Err(Trap::new(&codes::DIVERGENCE, message));
            } else {
                return Ok(Some(n));
            }
        }
        Ok(None)
    }

    /// The current op waits
    pub(crate) fn sync(&mut self, sync: Sync) -> Result<Next, Trap> {
        match self.waits_in(self.teams.len(), sync.level)? {
            Some(team) => {
                let (ir, op) = (self.ir(), self.op());
                self.detach(team, sync, ir, op);
                self.schedule()
            }
            None => {
                self.exchange = Some(Exchange { all: Arc::from([sync.values]), me: 0 });
                Ok(Next::Resume(Vec::new()))
            }
        }
    }

    /// All members of the innermost team wait or have ended: release those that wait together
    fn meet(&mut self) -> Result<(), Trap> {
        let top = self.teams.len() - 1;
        let team = &mut self.teams[top];
        if team.release_chunks() {
            return Ok(());
        }
        let Some(sync) = team.common() else { return Err(team.divergence()) };
        if let Some(outer) = self.waits_in(top, sync.level)? {
            let team = &self.teams[top];
            let one = team.waiting.iter().flatten().next().expect("somebody waits");
            let (ir, op) = (one.ir, one.op);
            self.detach(outer, sync, ir, op);
            return Ok(());
        }
        let team = &mut self.teams[top];
        team.release_all(sync.fence);
        Ok(())
    }
}

impl<'a> Team<'a> {
    fn wait_alike(a: &Waiting<'a>, b: &Waiting<'a>) -> bool {
        std::ptr::eq(a.ir, b.ir)
            && a.op == b.op
            && a.sync.chunk == b.sync.chunk
            && a.sync.among == b.sync.among
            && a.sync.level == b.sync.level
    }

    /// Release every run of neighbours that wait for each other
    fn release_chunks(&mut self) -> bool {
        let mut groups = Vec::new();
        let mut at = 0;
        while at < self.count {
            let Some(first) = &self.waiting[at as usize] else {
                at += 1;
                continue;
            };
            let Some(chunk) = first.sync.chunk.filter(|chunk| at.is_multiple_of(*chunk)) else {
                at += 1;
                continue;
            };
            let end = at.saturating_add(chunk).min(self.count);
            let last = at.saturating_add(first.sync.among.unwrap_or(chunk)).min(end);
            let alike = |other: &Option<Box<Waiting<'a>>>| {
                other.as_ref().is_some_and(|other| !other.released && Team::wait_alike(first, other))
            };
            if self.waiting[at as usize..last as usize].iter().all(alike) {
                groups.push(at as usize..last as usize);
            }
            at = end;
        }
        for group in &groups {
            let members = self.waiting[group.clone()].iter_mut().flatten();
            let mut members: Vec<&mut Waiting<'a>> = members.map(|waiting| &mut **waiting).collect();
            let all: Arc<[Vec<RtValue>]> =
                members.iter_mut().map(|waiting| std::mem::take(&mut waiting.sync.values)).collect();
            for (me, waiting) in members.into_iter().enumerate() {
                waiting.exchange = Some(Exchange { all: all.clone(), me });
                waiting.released = true;
            }
        }
        self.queue();
        !groups.is_empty()
    }

    /// What all members wait for, if it is the same
    fn common(&self) -> Option<Sync> {
        let first = self.waiting.first()?.as_ref()?;
        let same = self
            .waiting
            .iter()
            .all(|other| other.as_ref().is_some_and(|other| Team::wait_alike(first, other)));
        let Sync { level, chunk, among, fence, .. } = first.sync;
        (same && chunk.is_none()).then_some(Sync { level, chunk, among, fence, values: Vec::new() })
    }

    /// Release all members, those of teams inside too
    fn release_all(&mut self, fence: bool) {
        self.epoch += u32::from(fence);
        // Those that wait themselves, in order.
        let mut leaves: Vec<&mut Waiting<'a>> = Vec::new();
        let mut stack: Vec<&mut Waiting<'a>> = self.line_up();
        while let Some(waiting) = stack.pop() {
            match waiting.teams.is_empty() {
                true => leaves.push(waiting),
                false => stack.extend(waiting.teams.iter_mut().flat_map(Team::line_up)),
            }
        }
        let all: Arc<[Vec<RtValue>]> =
            leaves.iter_mut().map(|waiting| std::mem::take(&mut waiting.sync.values)).collect();
        for (me, waiting) in leaves.into_iter().enumerate() {
            waiting.exchange = Some(Exchange { all: all.clone(), me });
        }
    }

    /// Put all members in line; those that wait, the last one first
    fn line_up(&mut self) -> Vec<&mut Waiting<'a>> {
        let (order, count) = (self.order, self.count);
        self.released.extend((0..count).map(|n| order.at(n)));
        self.waiting.iter_mut().rev().flatten().map(|waiting| &mut **waiting).collect()
    }

    /// Put those that are released in line, in the order in which members run
    fn queue(&mut self) {
        for n in 0..self.count {
            let member = self.order.at(n);
            if let Some(waiting) = &mut self.waiting[member as usize]
                && std::mem::take(&mut waiting.released)
            {
                self.released.push_back(member);
            }
        }
    }

    /// A thread waits for another that does not arrive
    fn divergence(&self) -> Trap {
        let Some((one, first)) =
            self.waiting.iter().enumerate().find_map(|(n, waiting)| Some((n, waiting.as_ref()?)))
        else {
            return Trap::new(&codes::INVALID, "no thread can go on");
        };
        let other = self
            .waiting
            .iter()
            .position(|other| other.as_ref().is_none_or(|other| !Team::wait_alike(first, other)));
        let (name, op) = (self.spec.text(one as u64), first.ir.op_name(first.op));
        let mut trap = Trap::new(&codes::DIVERGENCE, format!("divergence: {name} waits in '{op}'"));
        trap.span = first.ir.span(first.op);
        let Some(other) = other else { return trap };
        let name = self.spec.text(other as u64);
        let (span, text) = match &self.waiting[other] {
            None => (None, format!("{name} has ended")),
            Some(waits) => {
                (waits.ir.span(waits.op), format!("{name} waits in '{}'", waits.ir.op_name(waits.op)))
            }
        };
        trap.message += &format!(", but {text}");
        trap.notes.extend(span.map(|span| (Some(span), format!("{name} waits here"))));
        trap
    }
}
