//! Schedules for processors: threads, caches, registers, lanes.
//!
//! | accesses | schedule |
//! |---|---|
//! | a kept dimension is contiguous in the output, others are reduced | register tile of rows and vectors; panels of what moves with the lanes, if they are used again; blocks of the reduction by cache |
//! | the same with a short contiguous dimension, and a result that no cache holds | what tiles of a block have written is put together in a cache |
//! | the same, but too few lanes are busy along the output | lanes along another kept dimension, and the tile is turned when it is written |
//! | a product of two operands that are both contiguous along a kept dimension | lanes along it; register tile of rows of one operand and columns of the other, turned if need be |
//! | a product of two operands that the processor multiplies in tiles | tiles of sums; panels of both operands with groups of the reduction innermost |
//! | a reduced dimension is contiguous | several vectors of accumulators along it |
//! | nothing is reduced | lanes along the contiguous dimension |
//! | nothing is reduced, inputs are strided along the lanes | the same, and squares of these inputs are copied with rows and columns exchanged |
//! | rows that are contiguous in memory are reduced, with functions of a library | lanes across rows, copied in the same way |
//! | nothing is reduced, windows of inputs are strided along the lanes | lanes along the inputs' contiguous dimension, and squares of results are copied with rows and columns exchanged |
//! | windows over inputs that are apart along the lanes | panels of a block of rows and their window |
//! | tuples of numbers that are apart along the lanes | lanes along a kept dimension, whose numbers are copied in the same way |
//! | prefixes, and another dimension is contiguous | lanes along it, each with prefixes of its own |
//! | tuples, prefixes, bodies without lanes | loops in order, threads over the outermost kept dimension |
//!
//! A panel that is not used very often is not copied where its rows stay in the second cache as they lie (`panels::stays`).
//!
//! Sizes that do not divide: rows and lanes in pieces (`~peel`), panels in whole tiles (`~pad`), else loops end early.

mod batched;
mod contraction;
mod matrix;
mod operand;
mod panels;
mod prefixes;
mod register;
mod squares;
mod staged;
mod streams;
mod threads;
mod tiled;

use crate::access::Accesses;
use crate::generator::{Generator, Proposals};
use crate::loops::{ceil, order, parallel, worth_threads};
use crate::steps::Steps;
use terrace_devices::{Device, Layer};
use terrace_schedule_model::{Schedule, Tail};

/// Times that a thread fetches work where coordinates differ in it
const FETCHES: i64 = 8;

/// Name of the generator for results whose last dimension is a few vectors
pub const SHORT_LANES: &str = "short-lanes";

/// Generators for processors, by how much they know: where estimates are equal or missing, the first is chosen
pub static GENERATORS: &[&dyn Generator] = &[
    &MatrixTiles,
    &ShortLanes,
    &Columns,
    &RegisterTile,
    &Batched,
    &AlongReduced,
    &AlongKept,
    &Tuples,
    &TuplesAlongReduced,
    &LanesOfPrefixes,
    &InOrder,
    &Squares,
    &SquaresOfResults,
];

/// No tuples, no prefixes, a body on lanes
fn plain(a: &Accesses) -> bool {
    one_by_one(a) && a.lanes
}

/// No tuples and no prefixes
fn one_by_one(a: &Accesses) -> bool {
    a.single && a.prefixes.iter().all(|prefix| !prefix) && a.points() > 0
}

struct MatrixTiles;

impl Generator for MatrixTiles {
    fn name(&self) -> &'static str {
        "matrix-tiles"
    }

    fn requires(&self) -> &'static str {
        "a sum of products of two tensors in any order, of types that a matrix unit of the processor multiplies"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        if plain(a) {
            matrix::propose(a, device, to);
        }
    }
}

struct ShortLanes;

impl Generator for ShortLanes {
    fn name(&self) -> &'static str {
        SHORT_LANES
    }

    fn requires(&self) -> &'static str {
        "a product of two tensors, whose result has a last dimension of a few vectors and another one of the same operand"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        if plain(a) {
            to.add(contraction::schedules(a, device, worth_threads(a, device)));
        }
    }
}

struct RegisterTile;

impl Generator for RegisterTile {
    fn name(&self) -> &'static str {
        "register-tile"
    }

    fn requires(&self) -> &'static str {
        "a reduction with a kept dimension along which lanes can be read and written"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        if plain(a) {
            tiled::propose(a, device, to);
        }
    }
}

struct Batched;

impl Generator for Batched {
    fn name(&self) -> &'static str {
        "batched"
    }

    fn requires(&self) -> &'static str {
        "a product of two tensors, both contiguous along a kept dimension, each with another kept dimension of its own"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        if plain(a) {
            to.add(batched::schedules(a, device));
        }
    }
}

struct Columns;

impl Generator for Columns {
    fn name(&self) -> &'static str {
        "columns"
    }

    fn requires(&self) -> &'static str {
        "a reduction of whole columns in any order, each input used once or the same along a row"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        to.add(plain(a).then(|| tiled::columns(a, device)).into_iter().flatten());
    }
}

struct AlongReduced;

impl Generator for AlongReduced {
    fn name(&self) -> &'static str {
        "along-reduced"
    }

    fn requires(&self) -> &'static str {
        "a reduction in any order along a dimension in which the inputs are contiguous"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        if plain(a) {
            streams::along_reduced(a, device, to);
        }
    }
}

struct AlongKept;

impl Generator for AlongKept {
    fn name(&self) -> &'static str {
        "along-kept"
    }

    fn requires(&self) -> &'static str {
        "a kept dimension in which the outputs are contiguous and lanes can read the inputs"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        for together in [true, false] {
            to.add(one_by_one(a).then(|| streams::along_kept(a, device, together)).flatten());
        }
    }
}

struct Squares;

impl Generator for Squares {
    fn name(&self) -> &'static str {
        "squares"
    }

    fn requires(&self) -> &'static str {
        "a kept dimension in which the outputs are contiguous, and another one in which all other inputs are"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        if plain(a) {
            to.add(squares::transposed(a, device).or_else(|| squares::short_rows(a, device)));
        }
    }
}

struct SquaresOfResults;

impl Generator for SquaresOfResults {
    fn name(&self) -> &'static str {
        "squares-of-results"
    }

    fn requires(&self) -> &'static str {
        "a kept dimension in which all inputs are contiguous, and another one in which the outputs are, but an input has no lanes"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        to.add(plain(a).then(|| squares::of_results(a, device)).flatten());
    }
}

struct Tuples;

impl Generator for Tuples {
    fn name(&self) -> &'static str {
        "tuples"
    }

    fn requires(&self) -> &'static str {
        "an operator on several values with a form on lanes, and a contiguous kept dimension"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        let tuples = !a.single && a.tuples && a.lanes && a.points() > 0;
        to.add(tuples.then(|| streams::tuples(a, device)).flatten());
    }
}

struct TuplesAlongReduced;

impl Generator for TuplesAlongReduced {
    fn name(&self) -> &'static str {
        "tuples-along-reduced"
    }

    fn requires(&self) -> &'static str {
        "a commutative operator on several values with a form on lanes, and a reduced dimension in which the inputs are contiguous"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        let tuples = !a.single && a.tuples && a.lanes && a.points() > 0;
        to.add(tuples.then(|| streams::tuples_along_reduced(a, device)).flatten());
    }
}

struct LanesOfPrefixes;

impl Generator for LanesOfPrefixes {
    fn name(&self) -> &'static str {
        "lanes-of-prefixes"
    }

    fn requires(&self) -> &'static str {
        "prefixes by operators with a form on lanes, and a kept dimension in which the outputs are contiguous and lanes can read the inputs"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        let prefixes = a.prefixes.contains(&true) && a.tuples && a.lanes && a.points() > 0;
        to.add(prefixes.then(|| prefixes::schedule(a, device)).flatten());
    }
}

struct InOrder;

impl Generator for InOrder {
    fn name(&self) -> &'static str {
        "in-order"
    }

    fn requires(&self) -> &'static str {
        "nothing"
    }

    fn propose(&self, a: &Accesses, device: &Device, to: &mut Proposals) {
        // What a compiler makes of it depends on what is fused with it: where lanes are stated, it must be clearly better.
        match to.is_empty() || a.outs > 1 {
            true => to.add([in_order(a, device)]),
            false => to.vary(in_order(a, device)),
        }
    }
}

fn in_order(a: &Accesses, device: &Device) -> Schedule {
    let mut steps = Steps::new(a.sizes.clone(), a.buffers, a.outs);
    if let Some(dim) = parallel(a, device, &[]) {
        steps.step(|step| {
            // Where coordinates differ in work, threads fetch the next few when they are done.
            let parts = if a.uneven[dim] { device.units * FETCHES } else { device.units };
            step.tile(dim, ceil(a.sizes[dim], parts), Layer::Thr, Some(Tail::Limit));
        });
    } else if let Some((dim, part)) = task_parts(a, device) {
        steps.step(|step| {
            step.tile(dim, part, Layer::Thr, Some(Tail::Limit));
        });
    }
    steps.finish(&order(a))
}

/// Parts of a whole reduction by functions that keep their order, one for each task: the outermost dimension, and coordinates of it
fn task_parts(a: &Accesses, device: &Device) -> Option<(usize, i64)> {
    let whole = a.dims(|dim| !a.reduced[dim]).is_empty();
    if a.reorders || !a.meets || !whole || !worth_threads(a, device) {
        return None;
    }
    let dim = a.dims(|dim| !a.conditioned[dim]).first().copied()?;
    let inner = (a.points() / a.sizes[dim].max(1)).max(1);
    let part = (streams::TASK_POINTS.min(ceil(a.points(), 2)) / inner).max(1);
    (part < a.sizes[dim]).then_some((dim, part))
}
