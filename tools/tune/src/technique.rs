//! Techniques by name.

use crate::errors::{NoWord, environment};
use terrace_diag::Diagnostic;
use terrace_search_explore::technique::{Anneal, Exhaustive, Moving, PMethod, RandomDraws, Reject};
use terrace_search_explore::{Space, Technique as Explores};
use terrace_search_learn::{Evolve, Evolving, Learning, QMethod};

/// How points are chosen
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Technique {
    /// All in order
    Exhaustive,
    /// At random
    Random,
    /// Changes of good ones
    Anneal,
    /// All neighbours of good ones
    PMethod,
    /// Of good ones the neighbour that a network values most
    QMethod,
    /// Children of good ones, of which a forest expects most
    Evolve,
    /// Each choice at random, whatever the constraints, until a point satisfies them
    Reject,
    /// At random, with levels as they are written
    Manual,
}

impl Technique {
    /// With their words
    pub const ALL: [(&'static str, Technique); 8] = [
        ("exhaustive", Technique::Exhaustive),
        ("random", Technique::Random),
        ("anneal", Technique::Anneal),
        ("p-method", Technique::PMethod),
        ("q-method", Technique::QMethod),
        ("evolve", Technique::Evolve),
        ("reject", Technique::Reject),
        ("manual", Technique::Manual),
    ];

    /// By word
    pub fn read(word: &str) -> Result<Technique, NoWord> {
        let found = Technique::ALL.iter().find(|(name, _)| *name == word);
        found.map(|(_, technique)| *technique).ok_or(NoWord::Technique)
    }

    /// Its word
    pub fn word(self) -> &'static str {
        Technique::ALL.iter().find(|(_, technique)| *technique == self).map_or("", |(name, _)| name)
    }

    /// At the start of a search
    pub fn start<'a>(
        self,
        space: &'a dyn Space,
        moving: Moving,
        seed: u64,
    ) -> Result<Box<dyn Explores + 'a>, Diagnostic> {
        Ok(match self {
            Technique::Exhaustive => Box::new(Exhaustive::new(space)),
            Technique::Random | Technique::Manual => Box::new(RandomDraws::new(space)),
            Technique::Anneal => Box::new(Anneal::new(space, seed)),
            Technique::PMethod => Box::new(PMethod::new(space, moving)),
            Technique::QMethod => {
                let method = QMethod::new(space, moving, Learning::default(), seed);
                Box::new(method.map_err(|error| environment(error.to_string()))?)
            }
            Technique::Evolve => {
                let evolving = Evolving { drawn: moving.drawn, ..Evolving::default() };
                Box::new(Evolve::new(space, evolving, seed))
            }
            Technique::Reject => Box::new(Reject),
        })
    }
}
