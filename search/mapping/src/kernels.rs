//! HW, GRID and CAP of whole kernels, in the form in which mappings are judged, printed and counted.
//!
//! The rules are those of `schedule/rules`: their claims are read here once, from the nest of a function with open levels and
//! a kernel whose sizes follow from them. What is left to [`crate::joint`], [`crate::whole`] and [`crate::demand`] is to
//! evaluate, to print and to sum up what these claims compare. A claim of another form is a constraint of paths.

use crate::legality::{Constraints, MappedNest};
use crate::levels::MapLevel;
use crate::rules::Given;
use crate::tree::Space as Memory;
use terrace_devices::{Levels, Space};
use terrace_schedule_model::nest::{BufferId, LoopId};
use terrace_schedule_rules::{CAP, Claims, Cmp, Cx, Formula, GRID, HW, Limits, Reason, Term};

/// A size of a kernel along an axis
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Threads of a block
    Threads(usize),
    /// Blocks of the grid
    Blocks(usize),
}

/// HW: a product of sizes is at most a number
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The factors
    pub sizes: Vec<Size>,
    /// The number
    pub most: i64,
}

/// HW: at one of these levels a map runs as many iterations at once as the kernel has blocks or threads
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// The map
    pub map: usize,
    /// The levels
    pub levels: Levels,
    /// The size
    pub size: Size,
}

/// GRID: where there are several blocks along an axis, a map around a write is at one of these levels
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// The innermost map around the write
    pub at: usize,
    /// The axis
    pub axis: usize,
    /// The levels
    pub levels: Levels,
}

/// CAP: the most bytes of all buffers of a kernel in one memory
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capacity {
    /// The memory
    pub space: Memory,
    /// The bytes
    pub most: i64,
}

/// A buffer of a kernel with its size
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// Its memory
    pub space: Memory,
    /// Bytes of one
    pub bytes: i64,
    /// Maps around, each of whose iterations has one, inner ones first
    pub owners: Vec<usize>,
    /// Where an owner is at one of these levels with several iterations, there are as many as threads along the axis
    pub copies: [Levels; 3],
}

impl Held {
    /// Does each thread have one, if an owner with several iterations has this value?
    pub fn is_copied(&self, value: MapLevel) -> bool {
        self.copies.iter().any(|levels| value.is_at(*levels))
    }
}

/// What the rules ask of each kernel of a function
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kernels {
    /// Of each kernel
    pub bounds: Vec<Bound>,
    /// Of maps
    pub exact: Vec<Exact>,
    /// Of writes
    pub covers: Vec<Cover>,
    /// Of each kernel
    pub capacities: Vec<Capacity>,
    /// Buffers
    pub held: Vec<Held>,
}

/// What one claim asks
enum Asked {
    Bound(Bound),
    Exact(Exact),
    Cover(Cover),
    Memory(Capacity, Vec<Held>),
    /// It holds by itself, or another part of the search checks it
    Nothing,
}

impl Kernels {
    /// The bytes that a memory has at most
    pub fn most(&self, space: Memory) -> Option<i64> {
        self.capacities.iter().find(|own| own.space == space).map(|own| own.most)
    }

    /// The most threads of a block
    pub fn most_threads(&self) -> i64 {
        let all = self.bounds.iter().filter(|bound| bound.sizes.len() > 1);
        all.map(|bound| bound.most).min().unwrap_or(i64::MAX)
    }

    fn add(&mut self, asked: Asked) {
        fn once<T: PartialEq>(all: &mut Vec<T>, more: T) {
            if !all.contains(&more) {
                all.push(more);
            }
        }
        match asked {
            Asked::Bound(bound) => once(&mut self.bounds, bound),
            Asked::Exact(exact) => once(&mut self.exact, exact),
            Asked::Cover(cover) => once(&mut self.covers, cover),
            Asked::Memory(capacity, held) => {
                once(&mut self.capacities, capacity);
                self.capacities.sort_by_key(|own| own.space == Memory::Private);
                self.held.extend(held);
            }
            Asked::Nothing => {}
        }
    }
}

/// Add what the rules of whole kernels ask of a nest on a device; the constraints are those that single paths decide
pub fn read(nest: &MappedNest<'_>, limits: Limits, kernels: &mut Kernels) -> Vec<Given> {
    let cx = Cx::new(&nest.nest).within(limits);
    let mut out = Vec::new();
    for rule in [&HW, &GRID, &CAP] {
        let mut paths = Constraints::new(nest, &cx, rule);
        (rule.claims)(&cx, &mut Reader { nest, cx: &cx, kernels, paths: &mut paths });
        out.extend(paths.into_given());
    }
    out
}

/// Reads the claims of rules about a nest; those that no kernel as a whole decides go on to `paths`
struct Reader<'a, 'n> {
    nest: &'a MappedNest<'n>,
    cx: &'a Cx<'a>,
    kernels: &'a mut Kernels,
    paths: &'a mut dyn Claims,
}

impl Claims for Reader<'_, '_> {
    fn claim(&mut self, premise: Formula, then: &dyn Fn() -> Formula, why: &dyn Fn() -> Reason) {
        let premise = self.possible(&premise);
        if premise == Formula::Known(false) {
            return;
        }
        match self.asked(&premise, &then()) {
            Some(asked) => self.kernels.add(asked),
            None => self.paths.claim(premise, then, why),
        }
    }
}

impl Reader<'_, '_> {
    /// Levels that a map may have
    fn levels(&self, id: LoopId) -> Levels {
        self.nest.levels_of(id)
    }

    /// A formula without what the values of maps decide
    fn possible(&self, formula: &Formula) -> Formula {
        match formula {
            Formula::At(id, levels) => {
                let own = self.levels(*id);
                match (own.is_subset(*levels), own.and(*levels).is_empty()) {
                    (true, _) => Formula::Known(true),
                    (_, true) => Formula::Known(false),
                    _ => Formula::At(*id, *levels),
                }
            }
            Formula::And(all) => Formula::all(all.iter().map(|each| self.possible(each))),
            Formula::Or(all) => Formula::any(all.iter().map(|each| self.possible(each))),
            Formula::Not(inner) => !self.possible(inner),
            other => other.clone(),
        }
    }

    /// What a claim asks of a kernel, if it is of one of the known forms
    fn asked(&self, premise: &Formula, then: &Formula) -> Option<Asked> {
        match (premise, then) {
            // What blocks exchange is found per map.
            (_, Formula::Query(_)) => Some(Asked::Nothing),
            (Formula::Known(true), Formula::Cmp(Cmp::AtMost, Term::Sum(parts), Term::Int(most))) => {
                self.memory(parts, *most)
            }
            (Formula::Known(true), Formula::Cmp(Cmp::AtMost, sizes, Term::Int(most))) => {
                Some(Asked::Bound(Bound { sizes: product(sizes)?, most: *most }))
            }
            (Formula::Cmp(Cmp::Less, Term::Int(1), Term::Grid(_, axis)), covered) => {
                self.cover(axis.number(), covered)
            }
            (premise, Formula::Cmp(Cmp::Equal, Term::Trip(id), size)) => {
                let (map, levels) = self.at(premise, *id)?;
                let [size] = product(size)?[..] else { return None };
                Some(Asked::Exact(Exact { map, levels, size }))
            }
            // The sizes are the largest trip counts: no loop has more.
            (premise, Formula::Cmp(Cmp::AtMost, Term::Trip(id), sizes)) => {
                self.at(premise, *id)?;
                product(sizes).map(|_| Asked::Nothing)
            }
            _ => None,
        }
    }

    /// The map of a loop that a premise puts at some levels
    fn at(&self, premise: &Formula, id: LoopId) -> Option<(usize, Levels)> {
        let map = self.nest.map_of(id)?;
        match premise {
            Formula::Known(true) => Some((map, self.levels(id))),
            Formula::At(own, levels) if *own == id => Some((map, *levels)),
            _ => None,
        }
    }

    /// One of all loops around a place is at one of some levels
    fn cover(&self, axis: usize, covered: &Formula) -> Option<Asked> {
        let atoms = match covered {
            Formula::Or(all) => &all[..],
            one => std::slice::from_ref(one),
        };
        let at = |atom: &Formula| match atom {
            Formula::At(id, levels) => Some((*id, *levels)),
            _ => None,
        };
        let all: Vec<(LoopId, Levels)> = atoms.iter().map(at).collect::<Option<_>>()?;
        let (inner, levels) = *all.iter().max_by_key(|(id, _)| *id)?;
        let same = self.cx.nest.around(Some(inner)).all(|id| all.contains(&(id, levels)));
        let complete = same && all.len() == self.cx.nest.around(Some(inner)).count();
        let at = self.nest.maps_around(Some(inner)).next();
        complete.then(|| at.map_or(Asked::Nothing, |at| Asked::Cover(Cover { at, axis, levels })))
    }

    fn memory(&self, parts: &[Term], most: i64) -> Option<Asked> {
        let held = parts.iter().map(|part| self.held(part)).collect::<Option<Vec<Option<Held>>>>()?;
        let held: Vec<Held> = held.into_iter().flatten().collect();
        let Some(space) = held.first().map(|first| first.space) else { return Some(Asked::Nothing) };
        Some(Asked::Memory(Capacity { space, most }, held))
    }

    /// A buffer, from its bytes times threads; one that no map is around is no part of a kernel
    fn held(&self, part: &Term) -> Option<Option<Held>> {
        let (mut buffer, mut copies) = (None, [Levels::NONE; 3]);
        for factor in factors(part) {
            match factor {
                Term::Bytes(id) => buffer = Some(*id),
                Term::If(owned, then, _) => {
                    let Term::Block(_, axis) = **then else { return None };
                    copies[axis.number()] = spread(owned)?;
                }
                _ => return None,
            }
        }
        let id: BufferId = buffer?;
        let own = &self.cx.nest.buffers[id];
        let made = own.made.as_ref()?;
        let space = match own.space {
            Space::Shared => Memory::Local,
            Space::Private => Memory::Private,
            _ => return None,
        };
        let owners: Vec<usize> = self.nest.maps_around(self.nest.sequential().owner(made)).collect();
        Some((!owners.is_empty()).then(|| Held { space, bytes: own.size(), owners, copies }))
    }
}

/// Factors of a product
fn factors(term: &Term) -> Vec<&Term> {
    match term {
        Term::Mul(a, b) => [factors(a), factors(b)].concat(),
        other => vec![other],
    }
}

/// A product of sizes of a kernel
fn product(term: &Term) -> Option<Vec<Size>> {
    let size = |factor: &Term| match factor {
        Term::Block(_, axis) => Some(Size::Threads(axis.number())),
        Term::Grid(_, axis) => Some(Size::Blocks(axis.number())),
        _ => None,
    };
    factors(term).into_iter().map(size).collect()
}

/// The levels of "one of these loops is at one of these levels, and has several iterations"
fn spread(owned: &Formula) -> Option<Levels> {
    match owned {
        Formula::At(_, levels) => Some(*levels),
        Formula::Cmp(Cmp::Less, Term::Int(1), Term::Trip(_)) => Some(Levels::NONE),
        Formula::And(all) | Formula::Or(all) => {
            all.iter().map(spread).try_fold(Levels::NONE, |all, own| Some(all.or(own?)))
        }
        _ => None,
    }
}
