//! Instructions of the loops that run.

use crate::estimate::{Name, Term};
use crate::lanes::Lanes;
use crate::unrolled::{Compute, Root, Transfer, Unrolled};
use crate::{exchange, issue, latency, loops, matrix, registers, threads};
use std::collections::{BTreeMap, BTreeSet};
use terrace_devices::{Device, Level};
use terrace_schedule_model::nest::LoopId;

/// What stands in the same loops that run: pieces, each in copies of its own
#[derive(Default)]
struct Body<'a> {
    pieces: BTreeMap<&'a [LoopId], Piece<'a>>,
}

/// What stands in the same loops of copies
#[derive(Default)]
struct Piece<'a> {
    computes: Vec<&'a Compute>,
    moves: Vec<&'a Transfer>,
}

/// What a body does in one iteration of the loops that run around it
#[derive(Clone, Copy, Default, Debug)]
struct Iteration {
    computes: f64,
    loads: f64,
    /// Of functions, in operations
    calls: f64,
    stores: f64,
    /// Sums in registers
    sums: f64,
    /// Vectors that are loaded before they are used; a number for all lanes is a part of the instruction that uses it
    vectors: f64,
    /// Sums that depend on each other only from iteration to iteration: side by side
    chains: f64,
    /// Values that are merged into each of them, one after the other
    depth: f64,
    /// Part of a vector that is in use
    part: f64,
    /// Lanes that are merged at the end of the innermost loop
    ends: f64,
    /// Operations that merge lanes and sums side by side in each iteration, where the innermost loop is none of the reduction
    merges: f64,
    /// Loads and stores of copies, which are loops of their own
    copied: [f64; 2],
}

/// What all threads together do in some loops that run
pub(crate) struct Work<'a> {
    root: Root,
    /// The loops
    run: &'a [LoopId],
    parts: Vec<(Name, f64)>,
}

/// What is done in all of the loops that run
pub(crate) fn of_all<'a>(nest: &'a Unrolled<'_>, device: &Device) -> Vec<Work<'a>> {
    let of = |((root, run), body): ((Root, &'a [LoopId]), Body<'a>)| match matrix::product(nest, run, device)
    {
        Some((around, cycles)) => {
            Work { root, run: around, parts: vec![(Name::MatrixUnits, cycles * nest.trips(around))] }
        }
        None => Work { root, run, parts: body.best(nest, run, device).to_vec() },
    };
    bodies(nest).into_iter().map(of).collect()
}

/// Terms of all bodies, each in the share of the thread that has most to do; cycles in all by what stands outside of all others
pub(crate) fn terms(
    work: &[Work<'_>],
    nest: &Unrolled<'_>,
    units: i64,
    terms: &mut Vec<Term>,
) -> BTreeMap<Root, f64> {
    let mut all = BTreeMap::new();
    for Work { root, run, parts } in work {
        let share = threads::share(nest, run, units);
        terms
            .extend(parts.iter().map(|(name, cycles)| Term::new(*name, cycles * share, run.last().copied())));
        *all.entry(*root).or_insert(0.0) += total(parts) * share;
    }
    all
}

/// What stands in each run of loops
fn bodies<'a>(nest: &'a Unrolled<'_>) -> BTreeMap<(Root, &'a [LoopId]), Body<'a>> {
    let mut bodies: BTreeMap<(Root, &[LoopId]), Body<'_>> = BTreeMap::new();
    for each in &nest.computes {
        let body = bodies.entry((nest.root(&each.place, 0), &each.place.run[..])).or_default();
        body.pieces.entry(&each.place.flat[..]).or_default().computes.push(each);
    }
    let mut loaded = BTreeSet::new();
    for each in &nest.moves {
        let at = (nest.root(&each.place, nest.node(each).place), &each.place.run[..]);
        // What pieces of a tile load alike is loaded once.
        let loads = !(each.stores || each.register || each.copy);
        let place = loads.then(|| nest.first_place(each)).flatten();
        let first = place.is_none_or(|first| {
            let elements = nest.distinct(each, &each.place.flat).to_bits();
            loaded.insert((at, first, elements))
        });
        let body = bodies.entry(at).or_default();
        if first {
            body.pieces.entry(&each.place.flat[..]).or_default().moves.push(each);
        }
    }
    bodies
}

/// Most values of copies that the lowering keeps until all copies have read (`deferred_writes` of `lowering/sched`)
const WAITING: f64 = 16.0;

type Terms = [(Name, f64); 7];

fn total(terms: &[(Name, f64)]) -> f64 {
    terms.iter().map(|(_, cycles)| cycles).sum()
}

impl Body<'_> {
    /// Cycles of all iterations, with the lanes that take least
    fn best(&self, nest: &Unrolled<'_>, run: &[LoopId], device: &Device) -> Terms {
        if let Some([issue, ends]) = self.exchange(nest, run, device) {
            return Iteration::default().cycles(0.0, 0.0, device).map(|(name, none)| match name {
                Name::Issue => (name, issue),
                Name::Ends => (name, ends),
                _ => (name, none),
            });
        }
        let outer = run.split_last().map_or(1.0, |(_, outer)| nest.trips(outer));
        let copies = self.pieces.iter().map(|(flat, piece)| piece.best(nest, flat, run, device));
        let copies = copies.fold(Iteration::default(), Iteration::and).cycles(nest.trips(run), outer, device);
        // Iterations of the innermost loop that runs may be lanes, where all of its body can be.
        let moves: Vec<&Transfer> =
            self.pieces.values().flat_map(|piece| piece.moves.iter().copied()).collect();
        // Rows of registers are vectors already, and go from iteration to iteration as such.
        let along = |each: &Transfer, id: &LoopId| nest.trip(*id) > 1.0 && nest.stride(each, *id) > Some(0.0);
        let is_row = |each: &Transfer| each.register && each.place.flat.iter().any(|id| along(each, id));
        // Compilers know the operators that have an instruction, and no functions.
        let computes = || self.pieces.values().flat_map(|piece| &piece.computes);
        let by_function =
            run.last().is_some_and(|id| nest.reduces(*id)) && computes().any(|each| each.by_function);
        let is_tested = |each: &&Transfer| each.edges > 0.0;
        // Nothing is to be gained for a function alone.
        let calls = computes().any(|each| each.calls > 0.0);
        let gains = !calls || computes().any(|each| each.cost + each.divisions > 0.0);
        let free = self.pieces.values().all(|piece| piece.may_be_lanes(nest))
            && !moves.iter().any(|each| is_tested(each) || is_row(each))
            && !by_function
            && gains;
        let Some(lanes) = Lanes::running(nest, &moves, run).filter(|_| free) else { return copies };
        let iteration = |lanes: &Lanes| {
            let one = |piece: &Piece<'_>| piece.iteration(nest, lanes, run);
            self.pieces.values().map(one).fold(Iteration::default(), Iteration::and)
        };
        let (vector, scalar) = (iteration(&lanes), iteration(&Lanes::none()));
        let around = nest.trips(run) / lanes.iterations().max(1.0);
        let strips = lanes.strips(nest, device.costs.code.interleaved);
        let whole = Iteration { depth: vector.depth / strips.interleaved, ..vector };
        let whole = whole.cycles(strips.whole * around, around, device);
        let others = iteration(&lanes.narrowed(strips.narrow)).cycles(strips.others * around, 0.0, device);
        let scalars = scalar.cycles(strips.scalars * around, 0.0, device);
        let vectors = std::array::from_fn(|n| (whole[n].0, whole[n].1 + others[n].1 + scalars[n].1));
        // Loops are vectorized before copies are, where that is better than nothing. Where nothing is computed, lanes
        // that are loaded one by one gain nothing.
        let only_moves = self.pieces.values().all(|piece| piece.computes.is_empty());
        if only_moves
            && moves.iter().any(|each| lanes.is_scattered(nest, each))
            && total(&copies) < total(&vectors)
        {
            return copies;
        }
        let alone = scalar.cycles(nest.trips(run), outer, device);
        // Functions do not keep compilers from it, though what these take and give is taken out of vectors and put together again.
        if calls || total(&vectors) < total(&alone) { vectors } else { copies }
    }

    /// Cycles of loops that only exchange rows and columns: squares in registers, and what their loops begin and end with
    fn exchange(&self, nest: &Unrolled<'_>, run: &[LoopId], device: &Device) -> Option<[f64; 2]> {
        let [around @ .., outer, inner] = run else { return None };
        let mut pieces = self.pieces.values();
        let (piece, None) = (pieces.next()?, pieces.next()) else { return None };
        let moves =
            <&[&Transfer; 2]>::try_from(&piece.moves[..]).ok().filter(|_| piece.computes.is_empty())?;
        let times = nest.trips(around);
        let issue = exchange::cycles(nest, moves, [*outer, *inner], device)?;
        Some([issue * times, device.costs.code.inner_loop * times])
    }
}

impl Piece<'_> {
    /// Compilers find no lanes where most copies are tested
    fn may_be_lanes(&self, nest: &Unrolled<'_>) -> bool {
        let stated =
            |flat: &[LoopId]| flat.iter().any(|id| nest.level(*id) == Level::Vector && nest.trip(*id) > 1.0);
        !self.computes.iter().any(|each| stated(&each.place.flat))
            && !self.moves.iter().any(|each| stated(&each.place.flat) || each.copy || each.tested)
    }

    /// Do copies read behind what others have written? Tasks do not know that results alias nothing, so that these become no lanes.
    /// Few copies that are stated read first and write last
    fn is_in_order(&self, nest: &Unrolled<'_>, flat: &[LoopId], run: &[LoopId]) -> bool {
        let memory = |each: &&&Transfer| !(each.register || each.copy || each.merges && each.carried);
        let writes = self.moves.iter().filter(memory).filter(|each| each.stores).count() as f64;
        let reads = self.moves.iter().filter(memory).any(|each| !each.stores);
        let in_task = run.iter().any(|id| nest.level(*id) == Level::Task && nest.trip(*id) > 1.0);
        let stated = |id: &LoopId| nest.trip(*id) == 1.0 || nest.level(*id) == Level::Unroll;
        in_task && reads && writes > 0.0 && (!flat.iter().all(stated) || writes * nest.counts(flat) > WAITING)
    }

    /// One iteration, with the lanes of copies that take least
    fn best(&self, nest: &Unrolled<'_>, flat: &[LoopId], run: &[LoopId], device: &Device) -> Iteration {
        let calls = self.computes.iter().any(|each| each.calls > 0.0);
        let found = self.may_be_lanes(nest) && !calls && !self.is_in_order(nest, flat, run);
        let lanes = Lanes::of_copies(nest, &self.moves, flat, found);
        // Compilers know no functions that merge lanes.
        let by_function = self.computes.iter().any(|each| each.by_function);
        let found = lanes.iter().filter(|lanes| !by_function || lanes.stated || !lanes.merged(nest));
        let all = found.map(|lanes| self.iteration(nest, lanes, run));
        let cycles = |all: &Iteration| total(&all.cycles(1.0, 0.0, device));
        all.min_by(|a, b| cycles(a).total_cmp(&cycles(b))).unwrap_or_default()
    }

    /// What one iteration does
    fn iteration(&self, nest: &Unrolled<'_>, lanes: &Lanes, run: &[LoopId]) -> Iteration {
        let mut all = Iteration { depth: 1.0, part: lanes.part(), ..Iteration::default() };
        let last = run.last().copied();
        for each in &self.computes {
            let division = issue::division(&nest.costs().instructions, lanes.bytes(nest), nest.vector());
            all.computes += (each.cost + each.divisions * division) * lanes.copies(nest, &each.place.flat);
            all.calls += each.calls * lanes.calls(nest, &each.place.flat);
        }
        for each in &self.moves {
            if each.copy {
                all.copied[usize::from(each.stores)] += each.copied;
                continue;
            }
            let (count, moving) = lanes.accesses(nest, each);
            // Masks of stated lanes are made next to instructions on vectors.
            if !lanes.stated {
                all.computes += each.edges * nest.costs().code.tested;
            }
            // Lanes of a loop whose iterations are tested have masks.
            if lanes.running.is_some_and(|id| nest.is_guarded_along(each, id)) {
                all.computes += count * nest.costs().code.tested;
            }
            // What no iteration of the innermost loop moves is in a register meanwhile.
            let stays = each.merges && each.carried;
            if each.register || stays {
                if each.merges {
                    all.sums += count;
                    all.chains += if stays { count } else { 0.0 };
                    all.depth = all.depth.max(lanes.copies(nest, &each.place.flat) / count);
                }
                continue;
            }
            let parts = lanes.parts(nest, each);
            all.computes += count * (parts - 1.0);
            let count = count * parts;
            if each.stores {
                all.stores += count;
            } else if moving && count < lanes.copies(nest, &each.place.flat) {
                all.vectors += count;
            }
            if !each.stores || each.merges {
                all.loads += count;
            }
        }
        // Sums that loops yield
        for each in self.computes.iter().filter(|each| each.yields > 0.0 && all.sums == 0.0) {
            let reduced = |id: &&LoopId| nest.reduces(**id);
            let inner: f64 = each.place.flat.iter().filter(reduced).map(|id| nest.trip(*id)).product();
            if last.is_some_and(|id| nest.reduces(id)) || inner > 1.0 {
                all.chains += each.yields;
                all.depth = all.depth.max(if lanes.merged(nest) { 1.0 } else { inner });
            }
        }
        if lanes.merged(nest) {
            let chains = all.chains.max(1.0);
            match last.is_none_or(|id| nest.reduces(id)) {
                true => all.ends = chains,
                // Halves are exchanged and added; vectors of the same sum are added before.
                false => {
                    let copies = |each: &&Compute| lanes.copies(nest, &each.place.flat);
                    let most = self.computes.iter().map(copies).fold(1.0, f64::max);
                    all.merges = 2.0 * lanes.lanes().log2() * chains + most - 1.0;
                }
            }
        }
        all
    }
}

impl Iteration {
    /// Both in one body
    fn and(self, other: Iteration) -> Iteration {
        Iteration {
            computes: self.computes + other.computes,
            loads: self.loads + other.loads,
            calls: self.calls + other.calls,
            stores: self.stores + other.stores,
            sums: self.sums + other.sums,
            vectors: self.vectors + other.vectors,
            chains: self.chains + other.chains,
            depth: self.depth.max(other.depth),
            part: self.part.max(other.part),
            ends: self.ends + other.ends,
            // What is left of a row is added to the sum of the others.
            merges: self.merges.max(other.merges),
            copied: [self.copied[0] + other.copied[0], self.copied[1] + other.copied[1]],
        }
    }

    /// Of so many iterations, in so many executions of the innermost loop
    fn cycles(&self, times: f64, outer: f64, device: &Device) -> Terms {
        let of = &device.costs.instructions;
        let loads = self.loads;
        let fitting = issue::cycles(of, self.computes + self.calls + self.merges, self.loads, self.stores);
        let spilled = registers::loads(self.sums, self.vectors, device) / of.loads * self.part * self.part;
        let issued = fitting + spilled;
        let busy = issued.max(latency::waiting(of, self.chains, self.depth));
        let body = busy + of.iteration;
        let length = loops::length(of, self.computes + loads + self.stores);
        let copied = issue::cycles(of, 0.0, self.copied[0], self.copied[1]);
        [
            (Name::Issue, fitting * times),
            (Name::Spills, (issued - fitting) * times),
            (Name::Latency, (busy - issued) * times),
            (Name::Loops, of.iteration * times),
            (Name::Length, body * (length - 1.0) * times),
            (Name::Copies, copied * times),
            (Name::Ends, (device.costs.code.inner_loop + self.ends * device.costs.code.merged_lane) * outer),
        ]
    }
}
