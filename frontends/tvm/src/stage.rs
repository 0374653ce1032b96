//! Stages with axes, as `tvm.te` has them, and the loop nest that they make together.
//!
//! The result's stage has the computation's dimensions as axes; each `cache_write` takes over what computes, and leaves its
//! stage the copy back. Extents are inferred at the end: a stage that is computed at a loop has the tile that the loops inside of
//! it would have covered. Invariant: leaf axes of a stage are all its axes that were not split or fused, in the order of code.

use crate::nest::{Core, DOUBLE, Event, Item, Loop, Nest};
use crate::refusal::Code;
use crate::syntax::fail;
use crate::{Computation, Note, ScriptError};
use std::ops::Range;
use terrace_devices::{Axis as GridAxis, Mechanism, Region};
use terrace_dialect_mdh::schedule::{Part, Words};

type Done<T> = Result<T, ScriptError>;

/// Who runs an axis
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Run {
    Serial,
    Unroll,
    Vector,
    Parallel,
    /// `blockIdx.x`, `threadIdx.y`, `vthread`
    Bind(String),
}

/// An axis
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub name: String,
    pub run: Run,
    pub peel: bool,
    /// Tiles are whole
    pub pad: bool,
    /// What remains of lanes is one vector (`~mask`)
    pub mask: bool,
    /// Copies of virtual threads
    pub unroll: bool,
    pub at: Range<usize>,
}

impl Axis {
    /// A note where the script says who runs an axis of a copy
    fn copies_by_lowering(&self, copies: &str) -> Option<Note> {
        let text = || format!("`{}` of {copies}: who copies is decided by lowering", self.name);
        (self.run != Run::Serial).then(|| Note { at: self.at.clone(), text: text() })
    }
}

/// How axes derive from others
#[derive(Clone, Debug)]
pub(crate) enum Relation {
    Split { from: usize, outer: usize, inner: usize, factor: Option<i64>, parts: Option<i64> },
    Fuse { outer: usize, inner: usize, fused: usize },
}

/// What a stage computes
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The result, or a part of it in a buffer
    Result,
    /// A copy of an input
    Copy(usize),
    /// An input: no loops
    Given(usize),
}

/// Ops that a target has as one, by the loops that they replace
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Intrinsic {
    pub name: String,
    /// Iterations from outside to inside; the last ones are lanes
    pub trips: Vec<i64>,
    /// Lanes of a reduction, not of the result
    pub reduces: bool,
    /// Outermost axis
    pub axis: usize,
    pub at: Range<usize>,
}

/// A tensor with its loops
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub name: String,
    pub role: Role,
    pub scope: String,
    /// Per root: the dimension (of the buffer for copies), its axis
    pub roots: Vec<(usize, usize)>,
    pub axes: Vec<Axis>,
    pub leafs: Vec<usize>,
    pub relations: Vec<Relation>,
    /// Stage and axis that it is computed at
    pub place: Option<(usize, usize)>,
    pub layout: Vec<Part>,
    /// Filled a round ahead
    pub double: bool,
    /// Reduced axes where `rfactor` has shared them out
    pub reduced: Option<Vec<usize>>,
    /// The reduced axis whose coordinates `rfactor` gave a result each, which the next stage computes
    pub factored: Option<usize>,
    /// Axes of one coordinate: which part of the result a stage of `rfactor` computes
    pub units: Vec<(usize, usize)>,
    pub tensorized: Option<Intrinsic>,
    pub at: Range<usize>,
}

impl Stage {
    pub(crate) fn new(name: &str, role: Role, scope: &str, at: Range<usize>) -> Stage {
        Stage {
            name: name.to_owned(),
            role,
            scope: scope.to_owned(),
            roots: Vec::new(),
            axes: Vec::new(),
            leafs: Vec::new(),
            relations: Vec::new(),
            place: None,
            layout: Vec::new(),
            double: false,
            reduced: None,
            factored: None,
            units: Vec::new(),
            tensorized: None,
            at,
        }
    }

    pub(crate) fn axis(&mut self, name: &str, at: Range<usize>) -> usize {
        let run = Run::Serial;
        self.axes.push(Axis {
            name: name.to_owned(),
            run,
            peel: false,
            pad: false,
            mask: false,
            unroll: false,
            at,
        });
        self.axes.len() - 1
    }

    pub(crate) fn root(&mut self, dim: usize, name: &str, at: Range<usize>) {
        let axis = self.axis(name, at);
        self.roots.push((dim, axis));
        self.leafs.push(axis);
    }

    fn words(&self) -> Words {
        if self.double { DOUBLE } else { Words::default() }
    }

    /// Has something been done to it?
    pub(crate) fn touched(&self) -> bool {
        !self.relations.is_empty() || self.axes.iter().any(|axis| axis.run != Run::Serial)
    }

    /// The leaf axis at whose loop an axis ends: what it is split or fused into takes its place
    fn leaf(&self, axis: usize) -> usize {
        let mut at = axis;
        for relation in &self.relations {
            match *relation {
                Relation::Split { from, inner, .. } if from == at => at = inner,
                Relation::Fuse { outer, inner, fused } if outer == at || inner == at => at = fused,
                _ => {}
            }
        }
        at
    }

    /// Dimensions that an axis covers
    pub(crate) fn dims(&self, axis: usize) -> Vec<usize> {
        let mut open = vec![axis];
        let mut all = Vec::new();
        while let Some(axis) = open.pop() {
            all.extend(
                self.roots.iter().chain(&self.units).filter(|(_, root)| *root == axis).map(|(dim, _)| *dim),
            );
            for relation in &self.relations {
                match *relation {
                    Relation::Split { from, outer, inner, .. } if outer == axis || inner == axis => {
                        open.push(from)
                    }
                    Relation::Fuse { outer, inner, fused } if fused == axis => open.extend([outer, inner]),
                    _ => {}
                }
            }
        }
        all
    }

    /// Who runs each leaf axis, with what intrinsics say of theirs
    fn runs(&self, loops: &[Vec<Strip>], of: &Computation) -> Done<Vec<Run>> {
        let mut runs: Vec<Run> = self.leafs.iter().map(|leaf| self.axes[*leaf].run.clone()).collect();
        let Some(intrinsic) = &self.tensorized else { return Ok(runs) };
        let name = &intrinsic.name;
        let first = self.leafs.iter().position(|leaf| *leaf == self.leaf(intrinsic.axis)).unwrap_or(0);
        let real = (first..self.leafs.len()).filter(|n| loops[self.leafs[*n]].iter().any(|one| one.trip > 1));
        let real: Vec<usize> = real.collect();
        let trips = real.iter().flat_map(|n| &loops[self.leafs[*n]]).filter(|one| one.trip > 1);
        let (trips, dims): (Vec<i64>, Vec<usize>) = trips.map(|one| (one.trip, one.dim)).unzip();
        let times = |all: &[i64]| all.iter().map(i64::to_string).collect::<Vec<_>>().join(" × ");
        if trips != intrinsic.trips || real.len() != trips.len() {
            let refusal = Code::Call.because(format!(
                "`{name}` replaces loops of {}; from `{}` inwards they have {}",
                times(&intrinsic.trips),
                self.axes[intrinsic.axis].name,
                if trips.is_empty() { "1".to_owned() } else { times(&trips) }
            ));
            return fail(intrinsic.at.clone(), refusal);
        }
        if let Some(dim) = dims.iter().find(|dim| of.dims[**dim].kept == intrinsic.reduces) {
            let (is, wants) = if intrinsic.reduces { ("kept", "reduced") } else { ("reduced", "kept") };
            let refusal = Code::Call
                .because(format!("`{name}` is of {wants} dimensions; `{}` is {is}", of.dims[*dim].name));
            return fail(intrinsic.at.clone(), refusal);
        }
        for (n, at) in real.iter().enumerate() {
            if runs[*at] != Run::Serial {
                let axis = &self.axes[self.leafs[*at]];
                return fail(
                    intrinsic.at.clone(),
                    Code::Bind.because(format!("who runs `{}` was said before", axis.name)),
                );
            }
            runs[*at] = if n + 1 == real.len() { Run::Vector } else { Run::Unroll };
        }
        Ok(runs)
    }

    /// Loops of each axis when the roots have these extents
    fn loops(&self, extent: impl Fn(usize) -> i64) -> Done<Vec<Vec<Strip>>> {
        let mut all: Vec<Vec<Strip>> = vec![Vec::new(); self.axes.len()];
        for (dim, axis) in &self.roots {
            all[*axis] = vec![Strip { dim: *dim, stride: 1, trip: extent(*dim).max(1) }];
        }
        for (dim, axis) in &self.units {
            all[*axis] = vec![Strip { dim: *dim, stride: 1, trip: 1 }];
        }
        for relation in &self.relations {
            match *relation {
                Relation::Split { from, outer, inner, factor, parts } => {
                    let whole = match all[from].as_slice() {
                        [one] => *one,
                        several => {
                            // A part that runs once does not stand in the way.
                            let mut real = several.iter().filter(|one| one.trip > 1);
                            match (real.next(), real.next()) {
                                (Some(one), None) => *one,
                                (None, _) => several[0],
                                _ => {
                                    let refusal = Code::Fuse.because(format!(
                                        "`{}` is several dimensions in one; cut across them no tile is a box; split \
                                         before fusing",
                                        self.axes[from].name
                                    ));
                                    return fail(self.axes[outer].at.clone(), refusal);
                                }
                            }
                        }
                    };
                    let size = match (factor, parts) {
                        (Some(factor), _) => factor.min(whole.trip),
                        (None, Some(parts)) => up(whole.trip, parts.min(whole.trip)),
                        (None, None) => whole.trip,
                    };
                    let stride = whole.stride.saturating_mul(size);
                    all[outer] = vec![Strip { stride, trip: up(whole.trip, size), ..whole }];
                    all[inner] = vec![Strip { trip: size, ..whole }];
                }
                Relation::Fuse { outer, inner, fused } => {
                    let (a, b) = (all[outer].clone(), all[inner].clone());
                    all[fused] = match (a.as_slice(), b.as_slice()) {
                        // Two parts of one dimension, put together again.
                        ([a], [b]) if a.dim == b.dim && a.stride == b.stride.saturating_mul(b.trip) => {
                            vec![Strip { trip: a.trip.saturating_mul(b.trip), ..*b }]
                        }
                        _ => [a, b].concat(),
                    };
                }
            }
        }
        Ok(all)
    }
}

fn up(n: i64, by: i64) -> i64 {
    (n + by.max(1) - 1) / by.max(1)
}

/// A loop of one dimension
#[derive(Clone, Copy, Debug)]
struct Strip {
    dim: usize,
    stride: i64,
    trip: i64,
}

/// What a script has made
pub(crate) struct World {
    pub stages: Vec<Stage>,
    /// Stages of the result from the output inwards; the last one computes
    pub results: Vec<usize>,
    /// Was an axis bound to blocks or threads?
    pub grid: bool,
    pub notes: Vec<Note>,
}

/// The loop nest of all stages together
pub(crate) fn nest(world: &mut World, of: &Computation) -> Done<Nest> {
    let copies = |n: &usize| matches!(world.stages[*n].role, Role::Copy(_));
    let waiting = (0..world.stages.len()).filter(copies).collect();
    let nest = Nest { items: Vec::new(), block: None };
    let extents = of.dims.iter().map(|dim| dim.size).collect();
    let mut joined = Joined { of, nest, extents, waiting, taken: Vec::new(), parallel: 0 };
    place(world, &mut joined.waiting, None, &mut joined.nest)?;
    for stage in world.stages.iter().filter(|stage| matches!(stage.role, Role::Copy(_))) {
        let copies = format!("the copy `{}`", stage.name);
        world.notes.extend(stage.axes.iter().filter_map(|axis| axis.copies_by_lowering(&copies)));
    }
    for k in 0..world.results.len() {
        let notes = joined.result(world, k)?;
        world.notes.extend(notes);
    }
    if let Some(left) = joined.waiting.first() {
        let stage = &world.stages[*left];
        let refusal = Code::At.because(format!(
            "`{}` is computed at a loop that only copies; nothing reads it there",
            stage.name
        ));
        return fail(stage.at.clone(), refusal);
    }
    let mut nest = joined.nest;
    if world.grid && !nest.items.iter().any(|item| matches!(item, Item::Loop(one) if one.core.is_block())) {
        nest.block = Some(of.axes.first().copied().unwrap_or(0));
    }
    nest.virtual_inside();
    Ok(nest)
}

/// The nest of the stages so far
struct Joined<'a> {
    of: &'a Computation,
    nest: Nest,
    /// Tile that the next stage computes, per dimension
    extents: Vec<i64>,
    /// Copies of inputs whose loop has not been passed
    waiting: Vec<usize>,
    taken: Vec<(String, String)>,
    parallel: usize,
}

impl Joined<'_> {
    /// Loops of the k-th stage of the result, and what goes from it to the next one; gives notes
    fn result(&mut self, world: &World, k: usize) -> Done<Vec<Note>> {
        let stage = world.results[k];
        let own = &world.stages[stage];
        let next = world.results.get(k + 1).map(|next| &world.stages[*next]);
        let loops = own.loops(|dim| self.extents[dim])?;
        let runs = own.runs(&loops, self.of)?;
        let end = inner_end(world, stage, next)?;
        for (leaf, run) in own.leafs[..end].iter().zip(runs) {
            let factored = own.factored.is_some_and(|axis| own.leaf(axis) == *leaf);
            let axis = Axis { run, ..own.axes[*leaf].clone() };
            let counts = (&mut self.taken, &mut self.parallel);
            let grid = factored.then_some(world.grid);
            push(&mut self.nest, &axis, &loops[*leaf], self.of, counts, grid)?;
            place(world, &mut self.waiting, Some((stage, *leaf)), &mut self.nest)?;
        }
        let copies = format!("the copy of `{}`", own.name);
        let outside = own.leafs[end..].iter();
        let notes = outside.filter_map(|leaf| own.axes[*leaf].copies_by_lowering(&copies)).collect();
        if let Some(next) = next {
            self.hand_over(own, next, &loops, end)?;
            // Partial results of `rfactor` are values: who runs the loop says how they join.
            if own.factored.is_none() {
                let region = scope(&next.scope, world.grid, &next.at)?;
                let (layout, words) = (next.layout.clone(), next.words());
                self.nest.items.push(Item::Event(Event { out: true, buffer: 0, region, layout, words }));
            }
        }
        Ok(notes)
    }

    /// The next stage computes the tile that this one's inner loops cover
    fn hand_over(&mut self, own: &Stage, next: &Stage, loops: &[Vec<Strip>], end: usize) -> Done<()> {
        for (dim, extent) in self.extents.iter_mut().enumerate().filter(|(dim, _)| self.of.dims[*dim].kept) {
            let strips = own.leafs[end..].iter().flat_map(|leaf| &loops[*leaf]);
            let inner: Vec<&Strip> = strips.filter(|one| one.dim == dim && one.trip > 1).collect();
            let tile = inner.iter().fold(1_i64, |all, one| all.saturating_mul(one.trip));
            let reach = inner
                .iter()
                .fold(1_i64, |all, one| all.saturating_add((one.trip - 1).saturating_mul(one.stride)));
            if tile != reach {
                let refusal = Code::At.because(format!(
                    "the tile of `{}` is no box in dimension {}: loops with greater steps stand inside of ones with \
                     smaller steps; bind those to vthread",
                    next.name, self.of.dims[dim].name
                ));
                return fail(next.at.clone(), refusal);
            }
            *extent = tile;
        }
        Ok(())
    }
}

/// The number of a stage's loops around the next one; all where there is none
fn inner_end(world: &World, stage: usize, next: Option<&Stage>) -> Done<usize> {
    let own = &world.stages[stage];
    let Some(next) = next else { return Ok(own.leafs.len()) };
    let at_own = next.place.filter(|(at, _)| *at == stage).map(|(_, axis)| own.leaf(axis));
    if let Some(axis) = own.factored.filter(|axis| at_own != Some(own.leaf(*axis))) {
        let refusal = Code::At.because(format!(
            "`{}` has a result for each coordinate of `{}`: compute it at that loop of `{}`",
            next.name, own.axes[axis].name, own.name
        ));
        return fail(next.at.clone(), refusal);
    }
    match (next.place, at_own) {
        (None, _) => Ok(0),
        (_, Some(axis)) => Ok(own.leafs.iter().position(|leaf| *leaf == axis).map_or(0, |n| n + 1)),
        (Some((at, _)), None) => {
            let refusal = Code::At.because(format!(
                "`{}` is computed at `{}`; its results go to `{}`",
                next.name, world.stages[at].name, own.name
            ));
            fail(next.at.clone(), refusal)
        }
    }
}

/// Buffers of inputs that stand here
fn place(world: &World, waiting: &mut Vec<usize>, here: Option<(usize, usize)>, nest: &mut Nest) -> Done<()> {
    let mut left = Vec::new();
    for n in waiting.drain(..) {
        let stage = &world.stages[n];
        let Role::Copy(buffer) = stage.role else { continue };
        if stage.place.map(|(at, axis)| (at, world.stages[at].leaf(axis))) != here {
            left.push(n);
            continue;
        }
        let region = scope(&stage.scope, world.grid, &stage.at)?;
        nest.items.push(Item::Event(Event {
            out: false,
            buffer,
            region,
            layout: stage.layout.clone(),
            words: stage.words(),
        }));
    }
    *waiting = left;
    Ok(())
}

/// Region of a scope
fn scope(scope: &str, grid: bool, at: &Range<usize>) -> Done<Region> {
    let (word, own) = scope.split_once('.').unwrap_or((scope, ""));
    let region = own.parse::<Region>();
    Ok(match (word, own) {
        ("local" | "shared" | "global", _) if region.is_ok() => region.unwrap_or(Region::Mm),
        ("local", "") if grid => Region::Rm,
        ("local", "") => Region::Reg,
        ("shared", "") if grid => Region::Sm,
        ("global", "") if grid => Region::Dm,
        ("global", "") => Region::L2,
        ("shared", "") => {
            return fail(
                at.clone(),
                Code::Bind.because("scope `shared`, but no loop is bound to blocks and threads"),
            );
        }
        _ => {
            let refusal = Code::Call.because(format!(
                "there is no scope `{scope}`; scopes are local, shared, global, global.L1, …"
            ));
            return fail(at.clone(), refusal);
        }
    })
}

/// How the parts of a factored reduction meet
fn merged_by(core: Core, grid: bool) -> Option<Mechanism> {
    match core {
        Core::Block(_) => Some(Mechanism::Kernel),
        Core::Thread(_) if grid => Some(Mechanism::Shared),
        Core::Thread(_) => Some(Mechanism::Partials),
        _ => None,
    }
}

/// An axis as loops
fn push(
    nest: &mut Nest,
    axis: &Axis,
    parts: &[Strip],
    of: &Computation,
    (taken, parallel): (&mut Vec<(String, String)>, &mut usize),
    factored: Option<bool>,
) -> Done<()> {
    let real: Vec<Strip> = parts.iter().filter(|one| one.trip > 1).copied().collect();
    let several =
        |what: &str| Code::Fuse.because(format!("`{}` is several dimensions in one and {what}", axis.name));
    let mut cores = Vec::new();
    match &axis.run {
        Run::Serial => cores.resize(real.len(), Core::Seq),
        Run::Unroll => cores.resize(real.len(), Core::Unroll),
        Run::Vector if real.len() > 1 => return fail(axis.at.clone(), several("cannot be lanes")),
        Run::Vector => cores.resize(real.len(), Core::Vector),
        Run::Parallel => {
            for _ in &real {
                let along = *GridAxis::ALL.get(*parallel).ok_or_else(|| ScriptError {
                    at: axis.at.clone(),
                    refusal: Code::Bind.because("a fourth parallel loop; there are three axes of threads"),
                })?;
                cores.push(Core::Thread(along));
                *parallel += 1;
            }
        }
        Run::Bind(tag) if tag == "vthread" || tag.starts_with("vthread.") => {
            cores.resize(real.len(), Core::Virtual { unroll: axis.unroll })
        }
        Run::Bind(tag) => {
            let (layer, letter) = tag.split_once('.').unwrap_or((tag, ""));
            let make: fn(GridAxis) -> Core = match layer {
                "blockIdx" => Core::Block,
                "threadIdx" => Core::Thread,
                _ => {
                    let refusal = Code::Bind.because(format!(
                        "there is no thread axis `{tag}`; they are blockIdx.x, threadIdx.x, … and vthread"
                    ));
                    return fail(axis.at.clone(), refusal);
                }
            };
            // The last part of a fused loop moves fastest: it is the axis itself, the ones outside of it follow.
            let Ok(first) = letter.parse::<GridAxis>() else {
                return fail(axis.at.clone(), Code::Bind.because(format!("there is no thread axis `{tag}`")));
            };
            let along = &GridAxis::ALL[first.number()..];
            if real.len() > along.len() {
                return fail(axis.at.clone(), several(&format!("has more parts than `{tag}` has axes")));
            }
            for n in (0..real.len()).rev() {
                let name = format!("{layer}.{}", along[n].name());
                if let Some((_, other)) = taken.iter().find(|(known, _)| *known == name) {
                    let refusal = Code::Bind.because(format!("`{name}` is taken by `{other}`"));
                    return fail(axis.at.clone(), refusal);
                }
                taken.push((name, axis.name.clone()));
                cores.push(make(along[n]));
            }
        }
    }
    for (one, core) in real.into_iter().zip(cores) {
        let name = of.dims.get(one.dim).map_or("", |dim| dim.name.as_str());
        nest.items.push(Item::Loop(Loop {
            dim: one.dim,
            stride: one.stride,
            trip: one.trip,
            core,
            peel: axis.peel,
            pad: axis.pad,
            mask: axis.mask,
            via: factored.and_then(|grid| merged_by(core, grid)),
            name: name.to_owned(),
        }));
    }
    Ok(())
}
