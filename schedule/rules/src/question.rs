//! What only analysis of accesses can tell. A question names the loops whose levels it depends on: its answer is a table over
//! these levels, and needs all sizes.

use terrace_devices::{Axis, Level, Levels};
use terrace_schedule_model::nest::{AccessId, LoopId, Nest};

/// A question to analysis; true is what a schedule needs
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// Do iterations of the loop keep apart?
    NoRace(LoopId),
    /// Does each element of a copy go to a place of its own?
    OwnPlaces(AccessId),
    /// Is the loop's tile walked by a copy, or by a loop of the dimension inside?
    Walked(LoopId),
    /// Is what a tile goes beyond its extent cut off, or harmless?
    CutOff(LoopId),
    /// Are lanes of the loop one element of the access, or neighbors?
    Lanes(AccessId, LoopId),
    /// Do blocks use nothing that other blocks of the kernel write?
    NoExchange,
    /// Do all threads come where some wait for others?
    AllCome,
    /// Do all threads take the branch in which some wait for others?
    AllTake,
}

impl Question {
    /// Does the answer depend on grid and block of the kernels?
    pub fn is_about_kernels(&self) -> bool {
        matches!(self, Question::NoExchange | Question::AllCome | Question::AllTake)
    }

    /// The loops whose levels the answer depends on
    pub fn scope(&self, nest: &Nest) -> Vec<LoopId> {
        match self {
            Question::NoRace(id) => vec![*id],
            Question::OwnPlaces(_) | Question::Walked(_) | Question::CutOff(_) | Question::Lanes(..) => {
                Vec::new()
            }
            Question::NoExchange | Question::AllCome | Question::AllTake => {
                let own = nest.loops.entries().filter(|(_, own)| own.around.launch.is_some());
                own.map(|(id, _)| id).collect()
            }
        }
    }

    /// Of these levels one for each answer that there may be
    pub fn classes(&self, levels: Levels) -> Vec<Level> {
        match self {
            // Conflicts depend on the rank, on who meets, and on nothing else.
            Question::NoRace(_) => {
                let class =
                    |level: Level| (level.rank(), level.is_thread_like(), matches!(level, Level::Lane(_)));
                let mut out: Vec<Level> = Vec::new();
                for level in levels.iter() {
                    if !out.iter().any(|own| class(*own) == class(level)) {
                        out.push(level);
                    }
                }
                out
            }
            _ => levels.iter().collect(),
        }
    }
}

/// A level of each class along an axis
pub(crate) fn along(axis: Axis, of: &[fn(Axis) -> Level]) -> Levels {
    of.iter().map(|level| level(axis)).collect()
}
