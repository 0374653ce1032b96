//! Answers to questions: the analysis that belongs to each rule.

use crate::evaluate::{Cx, LevelsOf};
use crate::question::Question;
use crate::{grid, lanes, meetings, race, tiles};
use terrace_devices::Levels;
use terrace_schedule_model::nest::Nest;
use terrace_schedule_model::nest_decided::Decided;

/// The answer of a decided nest
fn answer(question: &Question, nest: &Decided<'_>) -> bool {
    match question {
        Question::NoRace(id) => race::of_loop(nest, *id).is_none(),
        Question::OwnPlaces(id) => race::of_copy(nest, *id).is_none(),
        Question::Walked(id) => tiles::is_walked(nest, *id),
        Question::CutOff(id) => tiles::is_cut_off(nest, *id),
        Question::Lanes(access, id) => lanes::has_lanes(nest, *access, *id),
        Question::NoExchange => grid::exchange(nest).is_none(),
        Question::AllCome => meetings::left_out(nest).is_none(),
        Question::AllTake => meetings::divided(nest).is_none(),
    }
}

impl<'n> Cx<'n> {
    /// A nest whose open levels may become any
    pub fn new(nest: &'n Nest) -> Cx<'n> {
        Cx::with_levels(nest, &|_| Levels::ALL)
    }

    /// A nest whose open levels may become those of a set
    pub fn with_levels(nest: &'n Nest, open: LevelsOf<'_>) -> Cx<'n> {
        Cx::answered_by(nest, open, answer)
    }
}
