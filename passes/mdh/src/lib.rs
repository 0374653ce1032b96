//! Schedules for computations, chosen from their accesses.
//!
//! - [`accumulators`]: what partial results are, where they are not of the type of the result;
//! - [`bits`]: brackets that are the same on every machine;
//! - [`check_operators`]: what operators declare, tried on values;
//! - [`from_stablehlo`]: graphs of StableHLO, whose ops `terrace_lowering_mdh` converts;
//! - [`dependent`]: a reduction and one that depends on it, as one joint reduction;
//! - [`convolutions`]: other forms of a convolution, by name; `approximate`: permissions to round in another way;
//! - [`phases`]: windows over spaced elements as dense windows;
//! - [`prepare`]: what depends on constant arguments alone, in a function of its own;
//! - [`hoist`]: products divided before a schedule is chosen;
//! - [`inline`]: element-wise results computed where they are read;
//! - `collapse`: neighboring dimensions as one; `converted`: inputs of a wider type, converted once for each element; `interleaved`: neighbors of a
//!   result that read the same elements, computed apart; [`layouts`]: tensors between computations with their axes in another order; `remaining`: columns that whole vectors leave over;
//!   `moved`: interleaved dimensions, copied once; `turned`: operands whose rows are others than those of a chain, copied once; `runs`: quotients and remainders as dimensions; `devices`: several devices;
//! - [`records`]: schedules that searches found, the pass `mdh-apply-records`;
//! - [`schedule`]: the pass `mdh-schedule`; [`script`]: the pass `mdh-script`;
//! - [`access`]: how inputs and outputs move with each dimension, read from IR; `terrace_schedule_choose` knows no more of a computation;
//! - [`parts`]: a reduction in two computations, for grids; [`grid`]: when, and scans; [`mechanism`]: how blocks of a given schedule meet;
//!   [`fits`]: does it fit its device; [`operators`]: functions that lanes can take;
//! - `elements`: what is computed of each element;
//! - `implied`: what follows from a schedule, whoever wrote it; `scatter`: points that name their places; `prefixes`: what prefixes are of, before them;
//!   `wider`: floats that a device computes in a wider type.

pub mod access;
pub mod accumulators;
mod approximate;
pub mod bits;
pub mod canonical;
pub mod check_operators;
pub mod codes;
mod collapse;
mod converted;
pub mod convolutions;
pub mod dependent;
pub mod design;
mod devices;
mod elements;
pub mod fits;
pub mod from_stablehlo;
mod grid;
pub mod hoist;
mod implied;
pub mod inline;
mod interleaved;
pub mod last_block;
pub mod layouts;
mod mechanism;
mod moved;
pub mod operators;
mod parts;
pub mod phases;
mod prefixes;
pub mod prepare;
pub mod records;
mod remaining;
mod rounds;
mod runs;
mod scatter;
pub mod schedule;
pub mod script;
mod turned;
mod wider;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[
    accumulators::MdhAccumulators::INFO,
    bits::MdhFixBits::INFO,
    &canonical::INFO,
    check_operators::CheckOperators::INFO,
    dependent::MdhDependent::INFO,
    &design::INFO,
    from_stablehlo::StablehloToMdh::INFO,
    convolutions::MdhForm::INFO,
    hoist::MdhHoist::INFO,
    inline::MdhInline::INFO,
    operators::Operators::INFO,
    phases::MdhPhases::INFO,
    prepare::MdhPrepare::INFO,
    &records::INFO,
    &schedule::INFO,
    &script::INFO,
];
